"""How likely a drawn card helps: every card that is not in the hand is tried."""

import random
import re
from fractions import Fraction

import pytest

from companion.cards import NATURALS, SUITS, Card, Pack, Rank, Suit, read_hand
from companion.rules import Variant, find_variant
from companion.scoring.judging.judge import judge_hand
from companion.scoring.judging.offline import cards_to_show
from companion.scoring.judging.verdict import FEW_HELP, Verdict, odds_words
from tests.melds.proof import brute
from tests.melds.proof.dealing import deal_near
from tests.support.reports import CHICAGO, CONTRACT, ZIP

SAID = re.compile(r"(\d+) of the (\d+) cards you can't see: (.+) draw\.")
JOKER = Card(Rank.JOKER)


def cards_of(pack: Pack) -> list[Card]:
    """Every card of a pack, one by one."""
    naturals = [Card(rank, suit) for rank in NATURALS for suit in SUITS]
    return [*naturals * pack.decks, *[JOKER] * pack.jokers]


def said_of(notes: tuple[str, ...]) -> list[tuple[int, int, str]]:
    found = [SAID.fullmatch(note) for note in notes]
    return [(int(match[1]), int(match[2]), match[3]) for match in found if match]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "step", "pack", "size"),
    [
        (CONTRACT, 1, Pack(1, 2), 7),
        (CONTRACT, 2, Pack(1, 1), 8),
        (find_variant("telefunken"), 1, Pack(1, 2), 5),
        (find_variant("kalooki-jamaica"), 1, Pack(1, 2), 8),
        (find_variant("crummy"), 2, Pack(1, 2), 8),
    ],
    ids=lambda value: value.key if isinstance(value, Variant) else "",
)
def test_every_unseen_card_is_tried(variant: Variant, step: int, pack: Pack, size: int) -> None:
    rng, contract, rules = random.Random(7), variant.deal(step).contract, variant.meld_rules(step)
    assert contract
    asked = 0
    for _ in range(300):
        hand, unseen = deal_near(rng, rules, contract, size), cards_of(pack)
        if pack.too_many([hand]):
            continue
        for card in hand:
            unseen.remove(card)
        verdict = judge_hand(variant, step, hand, pack)
        if "1 card short" not in verdict.answer or brute.holds(hand, contract, rules):
            continue
        helps = sum(brute.holds((*hand, card), contract, rules) for card in unseen)
        assert [odds[:2] for odds in said_of(verdict.notes)] == [(helps, len(unseen))], hand
        asked += 1
        if asked == 12:
            break
    assert asked >= 4


def test_the_odds_of_a_hand_by_hand() -> None:
    """The 5 of clubs twice and one joker, of 105 cards less the seven held: 3 of 98."""
    verdict = judge_hand(CONTRACT, 2, read_hand("7H 7S 7D 3C 4C 6C KD"), Pack(2, 1))
    assert said_of(verdict.notes) == [(3, 98, "about 1 in 33 each")]


def test_the_odds_of_knocking() -> None:
    """Two kings and four wild twos of 45 cards leave an 8 and an ace, 9 points: the limit."""
    verdict = judge_hand(CHICAGO, 1, read_hand("7H 7S 7D KC KD 8S AC"), Pack(1, 0))
    assert set(verdict.helping) == set(read_hand("KH KS 2C 2D 2H 2S"))
    assert said_of(verdict.notes) == [(6, 45, "about 1 in 8 each")]


@pytest.mark.parametrize(
    ("helps", "unseen", "odds"),
    [
        (8, 95, "about 1 in 12 each"),
        (8, 96, "1 in 12 each"),
        (1, 95, "1 in 95 each"),
        (24, 96, "1 in 4 each"),
        (30, 95, "about 3 in 10 each"),
        (64, 96, "2 in 3 each"),
        (95, 96, "95 in 96 each"),
        (92, 96, "23 in 24 each"),
        (96, 96, "every"),
    ],
)
def test_odds_are_said_as_people_say_them(helps: int, unseen: int, odds: str) -> None:
    some, others = Card(Rank.SEVEN), Card(Rank.KING)
    said = odds_words({some: helps}, {some: helps, others: unseen - helps})
    assert said_of(tuple(said)) == [(helps, unseen, odds)]


def test_odds_are_never_far_from_what_is_so() -> None:
    some, others = Card(Rank.SEVEN), Card(Rank.KING)
    for unseen in range(1, 220, 3):
        for helps in range(1, unseen + 1):
            (said,) = odds_words({some: helps}, {some: helps, others: unseen - helps})
            share, found = Fraction(helps, unseen), re.search(r"(about )?(\d+) in (\d+) each", said)
            assert bool(found) == (share < 1)
            if found:
                near = Fraction(int(found[2]), int(found[3]))
                assert 0 < near < 1
                assert abs(near - share) < Fraction(1, 19)
                assert bool(found[1]) == (near != share)


def test_nothing_is_said_where_no_card_helps() -> None:
    assert odds_words({}, {Card(Rank.KING): 8}) == ()


def test_cards_that_help_are_spread_by_suit_only_where_a_row_has_no_room() -> None:
    few = {Card(rank, SUITS[0]): 2 for rank in NATURALS[: FEW_HELP - 1]} | {JOKER: 1}
    row = Verdict(yes=False, answer="", helping=few)
    assert (row.spread, row.one_by_one) == ((), few)
    many = Verdict(yes=False, answer="", helping=few | {Card(Rank.ACE, SUITS[3]): 1})
    assert [suit.cards[0] for suit in many.spread] == [
        (Card(Rank.ACE, suit), copies) for suit, copies in zip(SUITS, (2, 0, 0, 1), strict=True)
    ]
    assert many.one_by_one == {JOKER: 1}


def test_red_and_black_cards_are_shown_where_zips_are_told_by_colour() -> None:
    both = {Suit.RED, Suit.BLACK}
    assert both <= {card.suit for card in cards_to_show(ZIP)}
    assert both.isdisjoint(card.suit for card in cards_to_show(CONTRACT))
