"""What Chicago Rummy asks of a hand beside its least points (`H-3`)."""

from __future__ import annotations

from typing import NamedTuple

from companion.cards import Card, Hand, Refusal

from .deadwood import best_melds
from .meld import Melding, MeldRules


class Discarded(NamedTuple):
    """The discard that leaves the least points unmelded, and the melds that are left then."""

    discard: Card
    melding: Melding


def best_after_discard(hand: Hand, meld_rules: MeldRules) -> Discarded:
    """Find the discard after which the least points are unmelded.

    Raises `Refusal` for an empty hand.
    """
    if not hand:
        raise Refusal("There is no card to discard.")
    ways = []
    for card in dict.fromkeys(hand):
        rest = list(hand)
        rest.remove(card)
        ways.append(Discarded(card, best_melds(tuple(rest), meld_rules)))
    return min(ways, key=lambda way: (way.melding.points, len(way.melding.loose)))
