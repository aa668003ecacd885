"""No hand of a game we ship is too hard to judge, and what was asked before changes no answer."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank, write_hand
from companion.melds.budget import limited
from companion.rules import Variant, card_games
from companion.scoring.judging.judge import judge_hand
from companion.web.middleware.gates import JUDGE_SECONDS
from tests.support.cold_judge import forget_tables
from tests.support.doses import first_in_every_run
from tests.visits.phones import Phone

HANDS = 30


class Asked(NamedTuple):
    """A hand that is asked about, and the cards in play."""

    step: int
    hand: Hand
    pack: Pack


def questions(variant: Variant) -> Iterator[Asked]:
    """Deal hands to every deal in turn: by chance, of one suit and a few of another, of wilds."""
    rng = Random(variant.key)
    for number in range(HANDS):
        step, drawn = number % len(variant.deals) + 1, number % 2
        pack = variant.pack(variant.players.max if drawn else variant.players.min)
        one = [Card(rank, suit) for rank in NATURALS for suit in SUITS]
        cards = [*one * pack.decks, *[Card(Rank.JOKER)] * pack.jokers]
        rng.shuffle(cards)
        if number % 3 == 1:
            cards = [Card(rank, suit) for suit in rng.sample(SUITS, 4) for rank in NATURALS]
        elif number % 3 == 2:
            wilds = [card for card in cards if variant.meld_rules(step).is_wild(card)]
            others = [card for card in cards if card.rank and card not in wilds]
            cards = [*wilds[: number % 8], *others]
        yield Asked(step, tuple(cards[: variant.deal(step).dealt + drawn]), pack)


@pytest.mark.parametrize(
    "variant", first_in_every_run(card_games(), 6), ids=lambda variant: variant.key
)
def test_the_same_hand_has_the_same_answer_cold_and_warm(variant: Variant) -> None:
    for step, hand, pack in questions(variant):
        forget_tables()
        with limited(JUDGE_SECONDS):
            cold = judge_hand(variant, step, hand, pack)
        assert judge_hand(variant, step, hand, pack) == cold, write_hand(hand)


def test_a_suit_that_may_be_laid_in_many_ways_is_no_refusal(lone: Phone) -> None:
    """A whole suit at Continental takes most of a second where nothing is tabled yet."""
    forget_tables()
    hand = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH 2C 9S".replace(" ", "+")
    address = f"/rules/continental/judge?hand={hand}"
    cold = lone.show(address).say("[data-part=answer]")
    assert cold.startswith("Not yet:")
    assert lone.show(address).say("[data-part=answer]") == cold
