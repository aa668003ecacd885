"""Hands that make the judge search, what is asked of them, and rules under which they are asked."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.cards import SUITS, Card, Hand, Pack, Rank
from companion.melds import RANKS, Contract, MeldRules
from tests.melds.proof.asked import spec
from tests.melds.proof.every_way import EVERY_CARD

PLAIN = MeldRules(run_size=4, same_suit_runs="adjacent_needs_9")
TWOS = replace(PLAIN, wilds=("joker", "2"))
RULES = {
    "plain": PLAIN,
    "no wilds": replace(PLAIN, wilds=()),
    "one wild": replace(PLAIN, max_wilds=1),
    "two naturals": replace(TWOS, min_naturals=2),
    "half": replace(TWOS, wild_share="half"),
    "apart": replace(TWOS, wilds_apart=True, set_naturals=2),
    "apart, a gap between runs": replace(PLAIN, wilds_apart=True, same_suit_runs="gap_only"),
    "a table": replace(PLAIN, wild_table=((3, 1), (4, 1), (5, 2), (7, 3), (10, 4))),
    "round the corner": replace(TWOS, ace="corner", min_naturals=1),
    "wild aces": replace(PLAIN, ace="wild", wilds=("A",), min_naturals=1),
    "twos of any suit": replace(TWOS, wild_scope="own_rank_any_suit", max_wilds=1),
    "a gap between runs": replace(TWOS, wild_share="half", same_suit_runs="gap_only"),
    "runs of different suits": replace(TWOS, min_naturals=2, same_suit_runs="different_suits"),
    "exact": replace(PLAIN, max_wilds=1, laydown="exact"),
    "runs that touch as nine": replace(TWOS, min_naturals=2, laydown="exact"),
    "runs that may not touch": replace(TWOS, min_naturals=2, same_suit_runs="not_adjacent"),
    "sets of different ranks": replace(TWOS, min_naturals=2, same_rank_sets=False),
    "runs beside each other": replace(TWOS, min_naturals=1, same_suit_runs="any", run_max=14),
}


def contract(asked: str) -> Contract:
    """Read a contract such as `S4u R4 all`: a set of four unlike suits, a run, the whole hand."""
    *names, last = asked.split()
    whole = last == "all"
    melds = [
        replace(spec(name.rstrip("u")), suits="different") if "u" in name else spec(name)
        for name in (names if whole else [*names, last])
    ]
    return Contract(melds=tuple(melds), all_cards=whole)


def crowded(rng: Random, rules: MeldRules, pack: Pack, size: int) -> Hand:
    """Deal cards near one another, of few suits, and some that are wild."""
    jokers = [Card(Rank.JOKER)] * pack.jokers
    cards = [card for card in EVERY_CARD if card.suit] * pack.decks + jokers
    low, suits = rng.randint(1, 9), rng.sample(SUITS, rng.choice((1, 2, 4)))
    wilds = {RANKS[name] for name in rules.wilds}
    near = [c for c in cards if c.rank in wilds or (0 <= c.rank - low < 5 and c.suit in suits)]
    hand = rng.sample(near, min(len(near), rng.randint(size // 2, size)))
    for card in hand:
        cards.remove(card)
    return (*hand, *rng.sample(cards, size - len(hand)))
