"""The judge's answer to a game's question, with the cards that prove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct, field

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Suit
from companion.melds import Meld, MeldRules

from .verdict_words import say, say_many

RARE = Fraction(1, 10)
FINEST = 10
"""Odds rarer than `RARE` are said as one in so many, others in parts no finer than `FINEST`."""

FEW_HELP = 12
"""So many cards that help are shown one by one."""


class SuitSpread(NamedTuple):
    """The cards of a suit, low to high, with how many of each help and can still be unseen."""

    suit: Suit
    cards: tuple[tuple[Card, int], ...]


class Verdict(Struct, frozen=True, kw_only=True):
    """What the judge says of a hand.

    `groups` are melds or zips, `loose` the cards in none. `helping` names every card of which one
    brings a yes nearer, with the copies still unseen; `draw` is one way to a contract, and `free`
    are cards whose discard costs nothing.
    """

    yes: bool
    answer: str
    groups: tuple[Meld, ...] = ()
    zips: tuple[Hand, ...] = ()
    loose: Hand = ()
    draw: Hand = ()
    helping: Mapping[Card, int] = field(default_factory=dict)
    free: Hand = ()
    notes: tuple[str, ...] = ()

    @property
    def spread(self) -> Sequence[SuitSpread]:
        """Spread the cards that help by suit and rank, where there are too many for a row."""
        if len(self.helping) <= FEW_HELP:
            return ()
        rows = [(suit, [Card(rank, suit) for rank in NATURALS]) for suit in SUITS]
        return [
            SuitSpread(suit, tuple((card, self.helping.get(card, 0)) for card in cards))
            for suit, cards in rows
        ]

    @property
    def one_by_one(self) -> Mapping[Card, int]:
        """The cards that help, but for those that are spread."""
        spread = bool(self.spread)
        return {card: copies for card, copies in self.helping.items() if not (spread and card.suit)}


def drawable(hand: Hand, meld_rules: MeldRules, pack: Pack) -> dict[Card, int]:
    """Name every card that can be drawn, with the copies unseen: no jokers that are not wild."""
    jokers = "joker" in meld_rules.wilds
    return {card: copies for card, copies in pack.unseen(hand).items() if card.rank or jokers}


def draws_words(helping: Mapping[Card, int], unseen: Mapping[Card, int], then: str) -> str:
    """Say how many kinds of cards lead to something if one of them is drawn.

    >>> draws_words({}, {}, "go out")
    'No card you can draw lets you go out.'
    """
    if not helping:
        return say("draws-0", do=then)
    if len(helping) == len(unseen):
        return say("draws-all", do=then)
    return say_many("draws", len(helping), do=then)


def odds_words(helping: Mapping[Card, int], unseen: Mapping[Card, int]) -> Sequence[str]:
    """Say how likely a card drawn from the stock is one that helps, if any is.

    Whoever knows no card but their own finds each unseen card as likely on top as any other.

    >>> seven, king = Card(NATURALS[6]), Card(NATURALS[12])
    >>> odds_words({seven: 8}, {seven: 8, king: 87})
    ("8 of the 95 cards you can't see: about 1 in 12 each draw.",)
    """
    helps, draws = sum(helping.values()), sum(unseen.values())
    if not helps:
        return ()
    share = Fraction(helps, draws)
    simple = _simple(share)
    about = "odds-every" if simple == 1 else "odds" if simple == share else "odds-about"
    odds = {"some": simple.numerator, "many": simple.denominator}
    return (say(about, helps=helps, there=draws, **odds),)


def _simple(share: Fraction) -> Fraction:
    """Return a share as people say it; never as certain if it is not."""
    rarer = min(share, 1 - share)
    if not 0 < rarer < RARE:
        return share.limit_denominator(FINEST)
    one_in = Fraction(1, round(1 / rarer))
    return one_in if share < RARE else 1 - one_in
