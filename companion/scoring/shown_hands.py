"""Whole hands as they are shown when a deal ends: melded, laid off on the knocker's melds, left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.cards import Hand
from companion.melds import Meld, Melding, best_beside, best_melds
from companion.rules import Variant

from .tally import Finding, Tally, who_declared


class Shown(NamedTuple):
    """One hand: its own melds and the least points left over, and what it laid off on others."""

    melding: Melding
    laid_off: Hand = ()


def shown_hands(variant: Variant, step: int, tallies: Sequence[Tally | None]) -> dict[int, Shown]:
    """Prove the least points of every whole hand, by seat (H-16, H-23).

    Where the house lays off on the knocker's melds, the others do so in turn order, each so that
    the least is left, the next on the melds as they then lie.
    """
    rules, shown = variant.meld_rules(step), dict[int, Shown]()
    lying: tuple[Meld, ...] = ()
    for seat in _in_turn(variant, tallies):
        tally = tallies[seat]
        if tally is None or tally.hand is None:
            continue
        if lying:
            beside = best_beside(tally.hand, lying, rules)
            shown[seat], lying = Shown(beside.melding, beside.laid_off), beside.lying
        else:
            shown[seat] = Shown(best_melds(tally.hand, rules))
            if lays_off(variant) and tally.declared == "knock":
                lying = shown[seat].melding.melds
    return shown


def lays_off(variant: Variant) -> bool:
    """Return whether the others may lay off on the knocker's melds."""
    return variant.scoring.knock is not None and variant.scoring.knock.layoff


def _in_turn(variant: Variant, tallies: Sequence[Tally | None]) -> list[int]:
    """List the seats in turn order, the knocker first."""
    direction = 1 if variant.turn.direction == "left" else -1
    first = who_declared(tallies, "knock") or 0
    return [(first + direction * turn) % len(tallies) for turn in range(len(tallies))]


def layoff_doubts(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Question a whole hand that could not be laid off on melds that nobody entered."""
    knocker = who_declared(tallies, "knock")
    if knocker is None or not lays_off(variant) or (tallies[knocker] or Tally()).hand is not None:
        return
    for seat, tally in enumerate(tallies):
        if tally and tally.hand is not None:
            yield Finding(
                "What {0} can lay off on {1}'s melds isn't known: enter {1}'s whole hand too, "
                "or only the cards {0} has left over.",
                (seat, knocker),
                code="lay-off-unknown",
            )
