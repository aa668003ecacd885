"""Melds laid out card by card, once it is decided what lies in which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from companion.cards import Card

from .meld import Kind, Meld, MeldRules
from .places import CARDS, SUIT_UNTOLD, Window, set_ranks, windows
from .suit_runs import Run


class Plan(NamedTuple):
    """What lies where: runs by suit; rank, naturals by suit and wilds of sets; wilds alone."""

    runs: Sequence[Sequence[Run]]
    sets: list[tuple[int, tuple[int, ...], int]]
    wilds_alone: int


def lay_out(
    plan: Plan, meld_rules: MeldRules, bound: list[Card], wilds: list[Card]
) -> tuple[Meld, ...]:
    """Lay out the melds of a plan, sets first.

    `bound` holds the wilds of which only the suit is free, `wilds` those that are any card, in
    the order in which they are to be used.
    """
    rest = _Rest(bound.copy(), wilds.copy())
    runs = []
    for suit, suit_runs in enumerate(plan.runs):
        for run in joined(suit_runs, meld_rules):
            runs.append(_lay_run(run, suit, rest))
    melds = []
    for rank, naturals, used in plan.sets:
        cards = [CARDS[suit][rank] for suit, held in enumerate(naturals) for _ in range(held)]
        cards = list(map(rest.natural, cards))
        lent = [rest.wild() for _ in range(used)]
        for own, wild in parted_sets(meld_rules, len(cards), used) or ():
            melds.append(_lay_set(rank, cards[:own], lent[:wild]))
            cards, lent = cards[own:], lent[wild:]
    alone = [rest.wild() for _ in range(plan.wilds_alone)]
    return (*melds, *lay_wilds_alone(alone, meld_rules), *runs)


@lru_cache(maxsize=4_000)
def parted_sets(
    meld_rules: MeldRules, naturals: int, wilds: int
) -> tuple[tuple[int, int], ...] | None:
    """Part cards of a rank and wilds into as few sets as can hold them all; None if none can.

    Each set is told by its natural cards and its wilds.

    >>> parted_sets(MeldRules(max_wilds=2), 4, 3)
    ((3, 1), (1, 2))
    """
    if naturals == wilds == 0:
        return ()
    ways = [
        ((own, lent), *rest)
        for own, lent in product(range(naturals, -1, -1), range(wilds, -1, -1))
        if own + lent >= meld_rules.set_size and _may_lie(meld_rules, "set", own + lent, lent)
        if (rest := parted_sets(meld_rules, naturals - own, wilds - lent)) is not None
    ]
    return min(ways, key=len, default=None)


def _may_lie(meld_rules: MeldRules, kind: Kind, size: int, wilds: int) -> bool:
    return size >= meld_rules.naturals(kind) and wilds <= meld_rules.wild_cap(size, kind)


def wild_melds(meld_rules: MeldRules, wilds: int) -> tuple[int, ...] | None:
    """Find sizes of melds in which so many wilds can lie alone; None if they cannot."""
    if wilds == 0:
        return ()
    for size in range(wilds, 0, -1):
        if _wilds_lie_as(meld_rules, size):
            rest = wild_melds(meld_rules, wilds - size)
            if rest is not None:
                return (size, *rest)
    return None


def _wilds_lie_as(meld_rules: MeldRules, size: int) -> Kind | None:
    """Return as what so many wilds can lie alone, None if they cannot."""
    if size >= meld_rules.set_size and _may_lie(meld_rules, "set", size, size):
        return "set"
    is_run = meld_rules.run_size <= size <= meld_rules.run_max
    apart = size < 2 or not meld_rules.wilds_apart
    return "run" if is_run and apart and _may_lie(meld_rules, "run", size, size) else None


def lay_wilds_alone(wilds: list[Card], meld_rules: MeldRules) -> Iterator[Meld]:
    """Lay wilds as melds of their own; none where they cannot be."""
    for size in wild_melds(meld_rules, len(wilds)) or ():
        as_set = _wilds_lie_as(meld_rules, size) == "set"
        lay = _lay_wild_set if as_set else _lay_run_of_wilds
        yield lay(wilds[:size], meld_rules)
        wilds = wilds[size:]


class _Rest(NamedTuple):
    """The cards still to be laid whose place is not theirs alone."""

    bound: list[Card]
    wilds: list[Card]

    def natural(self, card: Card) -> Card:
        """Take a card, or a wild that is that rank in any suit."""
        held = [other for other in self.bound if other.rank is card.rank]
        found = card if card in held else next(iter(held), card)
        if held:
            self.bound.remove(found)
        return found

    def wild(self) -> Card:
        """Take a wild that stands for any card."""
        return self.wilds.pop(0)


def joined(runs: Sequence[Run], meld_rules: MeldRules) -> list[Run]:
    """Make runs that follow one another one run, where no limit forbids it; the lowest first."""
    runs = sorted(runs, key=_start)
    if meld_rules.limits_wilds:
        return runs
    for first, second in pairwise(runs):
        size = first[0].size + second[0].size
        if first[0].start + first[0].size == second[0].start and size <= meld_rules.run_max:
            both = Window(first[0].start, size, first[0].ranks + second[0].ranks)
            kept = [run for run in runs if run is not first and run is not second]
            return joined([(both, first[1] | second[1] << first[0].size), *kept], meld_rules)
    return runs


def _start(run: Run) -> int:
    return run[0].start


def _lay_run(run: Run, suit: int, rest: _Rest) -> Meld:
    window, wild_places = run
    of_suit = CARDS[suit]
    meant = tuple([of_suit[rank] for rank in window.ranks])
    cards = [
        rest.wild() if wild_places >> step & 1 else rest.natural(card)
        for step, card in enumerate(meant)
    ]
    return Meld("run", tuple(cards), meant)


def _lay_set(rank: int, naturals: list[Card], wilds: list[Card]) -> Meld:
    stands_for = (*naturals, *[SUIT_UNTOLD[rank]] * len(wilds))
    return Meld("set", (*naturals, *wilds), stands_for)


def _lay_wild_set(wilds: list[Card], meld_rules: MeldRules) -> Meld:
    """Lay wilds alone, as a set of their own rank, where they have none, of the lowest."""
    possible = set_ranks(meld_rules.ace)
    ranks = [card.rank for card in wilds if card.rank in possible]
    return _lay_set(ranks[0] if ranks else possible[0], [], wilds)


def _lay_run_of_wilds(wilds: list[Card], meld_rules: MeldRules) -> Meld:
    window = windows(meld_rules.ace, len(wilds))[0]
    return Meld("run", tuple(wilds), tuple(CARDS[0][rank] for rank in window.ranks))
