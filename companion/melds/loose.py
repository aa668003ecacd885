"""Melds of any suits: runs that count by rank, and sets in which no suit is there twice.

Few contracts ask for one. Such sets are set aside first, in every way; such runs lie on what the
runs of one suit leave, before the sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from .budget import check
from .hand import Held, InPlay, spread
from .key_tables import BEYOND, EMPTY, FIELD, SHORT, SIZE
from .meld_plan import LegalRun, Plan, SetKind
from .shortage import short_of


class Aside(NamedTuple):
    """Sets of unlike suits that are set aside, and what is held and in play without them.

    `laid` tells of each its rank, its suits, in which of them a natural card lies, and how many of
    its cards may be wild; `key` and `wanted` are those of all of them.
    """

    held: Held
    pack: InPlay
    key: int = 0
    wanted: int = 0
    laid: tuple[tuple[int, tuple[int, ...], tuple[int, ...], int], ...] = ()

    @property
    def ranks(self) -> int:
        """The ranks of the sets, as bits."""
        return sum({1 << rank for rank, *_ in self.laid})


def asides(plan: Plan, partial: Aside, most_empty: int, most_short: int) -> list[Aside]:
    """Set the sets of unlike suits aside in every way that lacks no more than so much."""
    partials = [partial]
    for kind in plan.unlike_sets:
        partials = [
            more
            for partial in partials
            for more in _asides(plan, kind, partial)
            if more.key >> EMPTY & FIELD <= most_empty and more.key & FIELD <= most_short
        ]
    return partials


def _asides(plan: Plan, kind: SetKind, partial: Aside) -> Iterator[Aside]:
    """Set one set aside; a card of it may be left to another meld.

    Where nothing limits wilds no set is worth that: it would be as short as this one then.
    """
    check()
    barred = 0 if plan.rules.same_rank_sets else partial.ranks
    leaves = bool(plan.runs or plan.mixed_runs or plan.limited)
    for rank in range(1, 14):
        if not (kind.ranks & ~barred) >> rank & 1:
            continue
        there = [suit for suit, own in enumerate(partial.held.suits) if own.natural[0] >> rank & 1]
        for size, need in kind.sizes:
            for suits in combinations(range(4), size):
                own = [suit for suit in suits if suit in there]
                for many in range(0 if leaves else len(own), len(own) + 1):
                    for natural in combinations(own, many):
                        if made := _set_aside(plan, partial, rank, suits, natural, need):
                            yield made


def _set_aside(
    plan: Plan,
    partial: Aside,
    rank: int,
    suits: tuple[int, ...],
    natural: tuple[int, ...],
    need: int,
) -> Aside | None:
    """Set one set aside; None where the pack does not have its cards."""
    is_free = plan.free >> rank & 1
    cells = [1 << 16 * suit + rank for suit in suits]
    bare = sum([1 << 16 * suit + rank for suit in suits if suit not in natural])
    in_play = [suit for suit in suits if partial.pack.suits[suit].natural[0] >> rank & 1]
    # Of a rank whose suits are free there may be fewer cards than in all suits together.
    in_play = in_play[: partial.pack.of_rank[rank]]
    short = max(0, need - len(natural))
    empty = len(suits) - (0 if is_free else len(natural))
    beyond = len(suits) - (0 if is_free else len(in_play))
    if len(in_play) < need or beyond > partial.pack.beyond >= 0:
        return None
    key = short | empty << EMPTY | len(suits) << SIZE
    if partial.pack.beyond >= 0:
        key |= beyond << BEYOND
    wanted = (sum(cells) if is_free else bare) | (bare << SHORT if short else 0)
    laid = (*partial.laid, (rank, suits, natural, len(suits) - need))
    held = partial.held.without(rank, natural)
    pack = partial.pack
    if pack.beyond >= 0:
        pack = pack.without(rank, in_play)
    return Aside(held, pack, partial.key + key, partial.wanted | wanted, laid)


class Mixed(NamedTuple):
    """A way to lay a run of any suits: its key, the cards wanted, how many are taken with it.

    `there` are the ranks of its natural cards, `again` an ace that is there twice.
    """

    key: int
    wanted: int
    taken: int
    run: LegalRun
    there: int
    again: int


def mixed_runs(plan: Plan, held: Held, taken: int) -> Iterator[tuple[Mixed, ...]]:
    """List every way to lay all runs of any suits when so many of each rank are taken already."""
    partials: list[tuple[tuple[Mixed, ...], int]] = [((), taken)]
    for choices in plan.mixed_runs:
        partials = [
            ((*laid, mixed), mixed.taken)
            for laid, before in partials
            for run in choices
            for mixed in _mixed(plan, run, held, before)
        ]
    return iter([laid for laid, _ in partials])


def _mixed(plan: Plan, run: LegalRun, held: Held, taken: int) -> Iterator[Mixed]:
    """List ways to lay one run; a card is left out only where sets may need natural ones."""
    left = [many - (taken >> 4 * rank & 15) for rank, many in enumerate(held.natural_of)]
    natural = sum(1 << rank for rank, many in enumerate(left) if many > 0)
    steady = natural & ~plan.free
    every = some = run.mask & natural
    while True:
        again = sum(
            1 << rank
            for rank in {*run.ranks}
            if run.again >> rank & 1 and left[rank] > (some >> rank & 1)
        )
        short, nearer = short_of(run, some, again)
        empty = run.size - (some & steady).bit_count() - (again & steady).bit_count()
        wanted = run.mask & ~(some & steady) | run.again & ~(again & steady)
        value = _in_all_suits(wanted) | _in_all_suits(nearer) << SHORT
        key = short | empty << EMPTY | run.size << SIZE
        yield Mixed(key, value, taken + spread(some) + spread(again), run, some, again)
        if not some or not (plan.most_given and plan.set_kinds):
            return
        some = some - 1 & every


def _in_all_suits(ranks: int) -> int:
    return ranks | ranks << 16 | ranks << 32 | ranks << 48


def least_of_mixed(plan: Plan, held: Held) -> tuple[int, int]:
    """Return what runs of any suits lack at least, each by itself: empty slots, natural cards."""
    empty = short = 0
    for choices in plan.mixed_runs:
        keys = [mixed.key for run in choices for mixed in _mixed(plan, run, held, 0)]
        empty += min(key >> EMPTY & FIELD for key in keys)
        short += min(key & FIELD for key in keys)
    return empty, short
