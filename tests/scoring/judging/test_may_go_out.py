"""Can I go out, where melds are kept in hand and another rank is wild each time."""

from random import Random

import pytest

from companion.cards import NATURALS, SUITS, Card, Pack, Rank, Refusal, read_hand, write_hand
from companion.rules import Variant, extend, find_variant
from companion.scoring import endings
from companion.scoring.judging.judge import judge_hand, question
from tests.melds.proof import brute

THREE = find_variant("three thirteen")
PACK = Pack(2, 0)


def answer(step: int, cards: str, variant: Variant = THREE) -> str:
    return judge_hand(variant, step, read_hand(cards), PACK).answer


def test_somebody_goes_out_and_nobody_knocks() -> None:
    assert endings(THREE) == ("out",)
    assert question(THREE) == "Can I go out?"


@pytest.mark.parametrize(
    ("step", "cards", "said"),
    [
        (1, "KH KS 3D 9C", "Yes. Discard the 9 of clubs; every other card is melded."),
        (1, "KH KS 4D 9C", "No. You have 33 left over."),
        (5, "7H 7S 9D 9C 4H 5H 6H KD", "Yes. Discard the king of diamonds; every other"),
        (5, "9H 9S 9D 9C 4H 5H 6H KD", "Yes. Discard the king of diamonds; every other"),
        (5, "9H 9S 9D 9C 4H 5H KD QD", "No. You have 29 left over."),
    ],
)
def test_all_but_a_discard_must_be_melded(step: int, cards: str, said: str) -> None:
    """Threes are wild in the first round, sevens in the fifth."""
    assert answer(step, cards).startswith(said)


def test_what_to_draw_in_the_second_round() -> None:
    """Four cards, fours wild: kings and a four are melded, so any card may be drawn and thrown."""
    verdict = judge_hand(THREE, 2, read_hand("KH KS 4D KC"), PACK)
    assert verdict.answer == "Not yet: draw first. Any card you draw lets you go out."
    verdict = judge_hand(THREE, 2, read_hand("KH KS 9D 9C"), PACK)
    assert verdict.answer == "Not yet: draw first. No card you can draw lets you go out."


@pytest.mark.slow
@pytest.mark.parametrize("goout", ["discard", "either", "no_discard"])
def test_what_to_draw_by_trying_every_card(goout: str) -> None:
    """Near-melded hands of the third round, fives wild, under each way of going out."""
    game = extend(THREE, {"deals": {"each": {"goout": goout}}})
    random, helped = Random(goout), 0
    for _ in range(12):
        low = random.randint(1, 9)
        ranks = [rank for rank in NATURALS if low <= rank < low + 3 or rank is Rank.FIVE]
        suits = random.sample(SUITS, 2)
        cards = [Card(rank, suit) for rank in ranks for suit in suits] * 2
        hand = tuple(random.sample(cards, 5))
        verdict = judge_hand(game, 3, hand, PACK)
        unseen = [Card(rank, suit) for rank in NATURALS for suit in SUITS]
        unseen = [card for card in unseen if hand.count(card) < 2]
        expected = {card for card in unseen if goes_out((*hand, card), game, goout)}
        every = len(expected) == len(unseen)
        assert set(verdict.helping) == (set() if every else expected), write_hand(hand)
        assert ("Any card" in verdict.answer) == every
        helped += bool(expected)
        card = random.choice(unseen)
        assert judge_hand(game, 3, (*hand, card), PACK).yes == (card in expected)
    assert helped


def goes_out(hand: tuple[Card, ...], game: Variant, goout: str) -> bool:
    """Whether six cards go out, by the words of the rules."""
    rules = game.meld_rules(3)
    left = [hand[:place] + hand[place + 1 :] for place in range(len(hand))]
    ways = {"discard": left, "either": [*left, hand], "no_discard": [hand]}[goout]
    return any(brute.deadwood(cards, rules)[1] == 0 for cards in ways)


@pytest.mark.parametrize("cards", ["KH KS", "KH KS 3D 9C 2D"])
def test_a_hand_that_nobody_holds_is_refused(cards: str) -> None:
    with pytest.raises(Refusal, match="a hand has 3, or 4 once you have drawn"):
        answer(1, cards)
