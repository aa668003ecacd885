"""May I knock? Rummy, the knock, and what to draw first, by the rules H-1 to H-4 and by trying.

What the brute force knows of the game is written here: the limit, who draws, what is discarded.
"""

from collections.abc import Iterable
from itertools import product
from random import Random

import pytest

from companion.cards import (
    NATURALS,
    SUITS,
    Card,
    Hand,
    Pack,
    Rank,
    Refusal,
    read_hand,
    write_hand,
)
from companion.rules import Variant, with_choices
from companion.scoring.judging.judge import judge_hand
from companion.scoring.judging.verdict import Verdict
from tests.melds.proof import brute
from tests.support.reports import CHICAGO

PACK = Pack(2, 0)
EVERY_CARD = [Card(rank, suit) for rank in NATURALS for suit in SUITS]


def judge(cards: str, score: int = 0, **house: str | bool) -> Verdict:
    return judge_hand(with_choices(CHICAGO, house), 1, read_hand(cards), PACK, score=score)


@pytest.mark.parametrize(
    ("cards", "score", "answer"),
    [
        ("7H 7S 7D KC KS KD 4H 5C", 0, "Yes. You have 9 left over; your limit is 9."),
        ("7H 7S 7D KC KS KD 4H 6C", 0, "No. You have 10 left over; your limit is 9."),
        ("7H 7S 7D KC KS KD 4H 5C", 92, "No. You have 9 left over; your limit is 8."),
        ("7H 7S 7D KC KS KD KH 7C", 99, "Yes. You have 0 left over; your limit is 1."),
        ("2H 2S 2D 2C 2H 2S 2D 9C", 88, "You hold seven twos: they win the game."),
    ],
)
def test_after_the_draw_all_eight_cards_count(cards: str, score: int, answer: str) -> None:
    verdict = judge(cards, score)
    assert verdict.answer == answer
    assert verdict.yes == (not answer.startswith("No"))


def test_seven_cards_draw_first_and_what_they_draw_counts() -> None:
    """Sevens, kings and a 4: from 4 to the limit of 9 there is room for a card of 5 at most."""
    verdict = judge("7H 7S 7D KC KS KD 4H")
    assert not verdict.yes
    assert verdict.answer.startswith("Not yet: draw first, and the card you draw counts too.")
    assert ranks(verdict) == {"A": 8, "2": 8, "3": 8, "4": 7, "5": 8, "7": 5, "K": 5}
    assert verdict.notes == (
        "You have 4 left over; your limit is 9.",
        "49 of the 97 cards you can't see: about 1 in 2 each draw.",
    )


def test_near_the_end_only_a_card_that_melds_will_do() -> None:
    """From 96 the limit is 4, and the 4 is left: a third kind of card would be too much."""
    assert ranks(judge("7H 7S 7D KC KS KD 4H", 96)) == {"2": 8, "7": 5, "K": 5}


def test_where_no_card_will_do_it_says_so() -> None:
    verdict = judge("KH QS 9D 7C 5S 3H JD")
    assert "No card you can draw lets you knock." in verdict.answer
    assert not verdict.helping


def test_who_discards_before_the_knock_may_draw_anything() -> None:
    verdict = judge("7H 7S 7D KC KS KD 4H", discards_first=True)
    assert verdict.answer == "Not yet: draw and discard first. Any card you draw lets you knock."
    assert judge("7H 7S 7D KC KS KD 4H 6C", discards_first=True).answer == (
        "Yes. You have 4 left over; your limit is 9."
    )


def test_a_knock_that_ends_the_game_for_the_knocker_says_so() -> None:
    """H-1: 92 and 8 are 100, which is out; above 100 only, it is not."""
    puts_out = "This knock puts you on 100 and out of the game."
    assert puts_out in judge("7H 7S 7D KC KS KD 8H KH", 92).notes
    assert puts_out not in judge("7H 7S 7D KC KS KD 8H KH", 92, eliminate_at=">").notes


def test_a_house_without_a_knock_in_the_first_turn_is_reminded() -> None:
    hand, said = "7H 7S 7D KC KS KD KH 4H", "You can't knock in your first turn."
    assert said in judge(hand, first_turn_knock=False).notes
    assert said not in judge(hand).notes


MELDED, HELD = "7H 7S 7D KC KS KD KH", "7H 7S 7D KC KS KD KH QC"


@pytest.mark.parametrize(
    ("when", "seven", "eight"),
    [
        ("start_of_turn", "Rummy: every card is melded.", "No. You have 10 left over"),
        ("after_draw", "Not yet: draw first", "Rummy: discard the queen of clubs"),
        ("both", "Rummy: every card is melded.", "Rummy: discard the queen of clubs"),
    ],
)
def test_rummy_is_declared_when_the_house_declares_it(when: str, seven: str, eight: str) -> None:
    """H-4: seven melded cards and a queen, which alone would be too much for a knock."""
    for cards, answer in ((MELDED, seven), (HELD, eight)):
        verdict = judge(cards, rummy_when=when)
        assert verdict.answer.startswith(answer)
        assert verdict.yes == answer.startswith("Rummy")


def test_any_card_is_right_for_a_rummy_that_waits_for_a_draw() -> None:
    verdict = judge(MELDED, rummy_when="after_draw")
    assert verdict.answer.endswith("Any card you draw lets you end the round.")


def test_on_a_hundred_only_rummy_is_left() -> None:
    """H-1 by the other reading: 100 is still in, and may not knock, whatever is held."""
    verdict = judge(HELD, 100, eliminate_at=">")
    assert verdict.answer == "No. You have 10 left over; only rummy is left to you."
    assert judge(HELD, 100, eliminate_at=">", rummy_when="after_draw").yes
    drawn = judge("7H 7S 7D KC KS KD 4H", 100, eliminate_at=">", rummy_when="both")
    assert ranks(drawn) == {"2": 8, "7": 5, "K": 5}


@pytest.mark.parametrize("cards", ["7H 7S 7D", "7H 7S 7D KC KS KD 4H 5C 6C"])
def test_a_hand_that_nobody_holds_is_refused(cards: str) -> None:
    with pytest.raises(Refusal, match="a hand has 7, or 8 once you have drawn"):
        judge(cards)


HOUSES = [
    {"rummy_when": when, "discards_first": first, "eliminate_at": at}
    for when, first, at in product(
        ("start_of_turn", "after_draw", "both"), (False, True), (">=", ">")
    )
]


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES, ids=lambda house: " ".join(map(str, house.values())))
def test_what_to_draw_by_trying_every_card(house: dict[str, str | bool]) -> None:
    """Near-melded hands: each card that helps lets the eight knock or go rummy, and no other."""
    random = Random(f"{house}")
    variant = with_choices(CHICAGO, house)
    for _ in range(2):
        hand = tuple(random.sample(crowded(random), 7))
        score = random.choice((0, 40, 93, 97, 99, 100 if house["eliminate_at"] == ">" else 98))
        verdict = judge_hand(variant, 1, hand, PACK, score=score)
        told = f"{write_hand(hand)} from {score}: {verdict}"
        if rummy(hand, variant) and house["rummy_when"] != "after_draw":
            assert verdict.yes, told
            continue
        expected = {card for card in EVERY_CARD if ends((*hand, card), score, variant)}
        expected -= {card for card in EVERY_CARD if hand.count(card) == 2}
        unseen = [card for card in EVERY_CARD if hand.count(card) < 2]
        every = len(expected) == len(unseen)
        assert set(verdict.helping) == (set() if every else expected), told
        assert ("Any card" in verdict.answer) == every, told
        card = random.choice(unseen)
        after = judge_hand(variant, 1, (*hand, card), PACK, score=score)
        assert after.yes == (card in expected), f"{card} {told}"


def crowded(random: Random) -> list[Card]:
    """Two packs of few ranks and suits, and some twos, so that melds are likely."""
    low = random.randint(1, 9)
    ranks = [rank for rank in NATURALS if low <= rank < low + 4 or rank is Rank.TWO]
    suits = random.sample(SUITS, 2)
    return [Card(rank, suit) for rank in ranks for suit in suits] * 2


def ends(hand: Hand, score: int, variant: Variant) -> bool:
    """Whether eight cards knock or go rummy, by the words of the rules."""
    knock = variant.scoring.knock
    assert knock
    sevens = [hand[:place] + hand[place + 1 :] for place in range(len(hand))]
    if knock.rummy != "start_of_turn" and any(rummy(seven, variant) for seven in sevens):
        return True
    if score >= 100:
        return False
    counts = [brute.deadwood(cards, variant.melds)[0] for cards in sevens]
    if not knock.discards_first:
        counts = [brute.deadwood(hand, variant.melds)[0]]
    return min(counts) <= min(9, 100 - score)


def rummy(hand: Hand, variant: Variant) -> bool:
    return brute.deadwood(hand, variant.melds)[1] == 0


def ranks(verdict: Verdict) -> dict[str, int]:
    """The copies of the cards that help, by rank."""
    return {
        rank: sum(copies for card, copies in verdict.helping.items() if card.rank.letter == rank)
        for rank in unlike(card.rank.letter for card in verdict.helping)
    }


def unlike(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
