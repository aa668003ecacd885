"""What one meld of a contract can be: ranks for sets, stretches of places for runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise

from companion.melds.meld import MeldRules, MeldSpec
from companion.melds.places import Window, set_ranks, windows

from .counts import (
    OF_A_SUIT,
    ONES,
    SUIT_BITS,
    by_rank,
    in_all_suits,
    number_of,
    one_each,
    one_of_each,
)
from .filling import BY_RANK, UNLIKE, Candidate, Slot, cell_of
from .missing_bounds import Least, least_of

Rated = tuple[int, int, Candidate]
"""Whatever other melds take, how many places lack a natural card that is not wild, and how many a
natural card where no wild is allowed either; and what the meld would be."""


class MeldCandidates:
    """Everything that one meld of certain sizes can be, for the cards of one hand.

    Where a run `lies_beside` others, a larger one may be of use that otherwise is of none. Where
    it is `larger` for their sake alone, that is marked.
    """

    def __init__(
        self,
        meld: MeldSpec,
        meld_rules: MeldRules,
        sizes: tuple[int, ...],
        lies_beside: bool,
        larger: bool,
        held: int,
    ) -> None:
        self._asked = meld, meld_rules, sizes, lies_beside, larger
        there = one_of_each(held)
        ranks, steady = by_rank(held), steady_cells(meld_rules)
        there_by_rank = one_of_each(ranks)
        self.rated: list[Rated] = []
        """That first of which the fewest cards are missing."""
        for choice in _choices(*self._asked):
            cards = (ranks, there_by_rank) if choice.is_by_rank else (held, there)
            _, left = take(choice, *cards)
            not_wild = number_steady(cards[0] - left, steady)
            alone = sum([short_of(piece, *cards) for piece in choice.pieces])
            self.rated.append((choice.size - not_wild, alone, choice))
        self.rated.sort(key=_missing)

    @property
    def least(self) -> Least:
        """What tells how much it lacks at least; it must be something."""
        return _least(*self._asked)


def _missing(rated: Rated) -> int:
    return rated[0]


@lru_cache(maxsize=64)
def steady_cells(meld_rules: MeldRules) -> int:
    """Name the cards that are not wild, also by rank alone."""
    free = meld_rules.free_ranks
    return one_each(cell for cell in range(64) if cell & 15 not in free)


def take(choice: Candidate, rest: int, there: int) -> tuple[int, int]:
    """Take what there is of a choice: how many cards, and what is left.

    `there` is one of each card. For sets and runs of any suits cards are counted by rank.
    """
    if choice.window is None:
        shift = 8 * choice.rank
        many = min(rest >> shift & 255, choice.size)
        return many, rest - (many << shift)
    lie = choice.units & there
    if choice.again:
        more = choice.again & one_of_each(rest - lie)
        return lie.bit_count() + more.bit_count(), rest - lie - more
    return lie.bit_count(), rest - lie


def number_steady(taken: int, steady: int) -> int:
    """Return how many of the cards taken are steady."""
    return number_of(taken & 255 * steady)


def short_of(choice: Candidate, rest: int, there: int) -> int:
    """Return how many places more must be natural than there are cards for."""
    return max(0, choice.need - take(choice, rest, there)[0])


def gaps_in(choice: Candidate, rest: int, there: int) -> int:
    """Name the cards for which places stay empty when a choice takes what there is."""
    if choice.window is None:
        return choice.cells if rest >> 8 * choice.rank & 255 < choice.size else 0
    gaps = choice.units & ~there
    if choice.again:
        gaps |= choice.again & ~one_of_each(rest - (choice.units & there))
    return in_all_suits(gaps) & choice.cells if choice.is_by_rank else gaps


@lru_cache(maxsize=64)
def _choices(
    meld: MeldSpec,
    meld_rules: MeldRules,
    sizes: tuple[int, ...],
    lies_beside: bool,
    larger: bool,
) -> tuple[Candidate, ...]:
    """List everything that a meld of certain sizes can be.

    A run larger than asked that may take no wild more than a smaller one can lose any of its ends.
    That may bring it beside another run, so that it must be allowed to lie there.
    """
    found: list[Candidate] = []
    for size in sizes:
        if meld.kind == "set":
            found += (_unlike_sets if meld.is_unlike else _sets)(meld, meld_rules, size)
        else:
            asked = meld.size if larger else max(meld.size, meld_rules.naturals("run"))
            is_asked = size <= asked
            takes_more = meld.wild_cap(size, meld_rules) > meld.wild_cap(size - 1, meld_rules)
            if is_asked or lies_beside or takes_more:
                runs = _runs(meld, meld_rules, size)
                is_larger = larger and not is_asked
                found += [run._replace(is_larger=is_larger) for run in runs]
    return tuple(found)


@lru_cache(maxsize=64)
def _least(
    meld: MeldSpec,
    meld_rules: MeldRules,
    sizes: tuple[int, ...],
    lies_beside: bool,
    larger: bool,
) -> Least:
    """Return what such a meld lacks at least, which is remembered from hand to hand."""
    choices = _choices(meld, meld_rules, sizes, lies_beside, larger)
    return least_of(choices, steady_cells(meld_rules), meld_rules)


def _sets(meld: MeldSpec, meld_rules: MeldRules, size: int) -> Iterator[Candidate]:
    slots, named = _slots(BY_RANK, meld_rules), meld.named_ranks
    for rank in set_ranks(meld_rules.ace):
        if rank in named:
            yield _choice((slots[rank],) * size, None, BY_RANK, rank, meld, meld_rules)


def _unlike_sets(meld: MeldSpec, meld_rules: MeldRules, size: int) -> Iterator[Candidate]:
    """List sets by their suits; where the suit of a rank is free, any cards of it will do."""
    named, bound = meld.named_ranks, meld_rules.bound_ranks
    for rank in set_ranks(meld_rules.ace) if size <= 4 else ():
        if rank in named and rank in bound:
            whole = [choice for choice in _sets(meld, meld_rules, size) if choice.rank == rank]
            yield from [choice._replace(suit=UNLIKE) for choice in whole]
        elif rank in named:
            for suits in combinations(range(4), size):
                places = tuple([(16 * suit + rank,) for suit in suits])
                window = Window(0, size, (rank,) * size)
                yield _choice(places, window, UNLIKE, rank, meld, meld_rules)


def _runs(meld: MeldSpec, meld_rules: MeldRules, size: int) -> Iterator[Candidate]:
    named = frozenset(int(rank) for rank in meld.named_ranks)
    suits = range(4) if meld.suits == "same" else (BY_RANK,)
    slots = [(suit, _slots(suit, meld_rules)) for suit in suits]
    for window in windows(meld_rules.ace, size):
        for suit, of_rank in slots if named.issuperset(window.ranks) else ():
            places = tuple([of_rank[rank] for rank in window.ranks])
            choice = _choice(places, window, suit, 0, meld, meld_rules)
            yield from _apart(choice) if meld_rules.wilds_apart else [choice]


def _apart(choice: Candidate) -> Iterator[Candidate]:
    """Return for each way of a run which of its places may be wild: no two neighbours."""
    cap = choice.size - choice.need
    if cap < 2:
        yield choice
        return
    for wild in _ways_apart(choice.size):
        natural = tuple([step for step in range(choice.size) if step not in wild])
        most = min(cap, len(wild))
        parts = _part(choice, natural, 0), _part(choice, wild, most)
        yield choice._replace(need=choice.size - most, parts=parts)


def _part(choice: Candidate, steps: tuple[int, ...], most_wild: int) -> Candidate:
    places = tuple([choice.places[step] for step in steps])
    units, again, cells = _counts(places)
    return choice._replace(
        places=places,
        size=len(places),
        need=len(places) - most_wild,
        units=units,
        again=again,
        cells=cells,
        steps=steps,
    )


@lru_cache
def _ways_apart(size: int) -> tuple[tuple[int, ...], ...]:
    """List the steps of a run of which no two are neighbours, as many as can be each time.

    >>> _ways_apart(4)
    ((0, 2), (0, 3), (1, 3))
    """
    found: list[tuple[int, ...]] = []
    for number in range((size + 1) // 3, (size + 1) // 2 + 1):
        for steps in combinations(range(size), number):
            gaps = [after - before for before, after in pairwise((-2, *steps, size + 1))]
            if all(1 < gap < 4 for gap in gaps):
                found.append(steps)
    return tuple(found)


def _choice(
    places: tuple[Slot, ...],
    window: Window | None,
    suit: int,
    rank: int,
    meld: MeldSpec,
    meld_rules: MeldRules,
) -> Candidate:
    size = len(places)
    placed = (window.start if window else 0, size, meld.size, meld.is_exact(meld_rules))
    need = size - meld.wild_cap(size, meld_rules)
    units, again, cells = _counts(places)
    bars = _bars(suit, cells, meld_rules) if suit >= 0 else 0
    return Candidate(places, size, suit, window, rank, need, placed, units, again, cells, bars)


def _bars(suit: int, cells: int, meld_rules: MeldRules) -> int:
    """Name cards that no other run may have beside one of a suit; two may share an ace."""
    if meld_rules.bound_ranks:
        return 0
    if meld_rules.same_suit_runs == "different_suits":
        return OF_A_SUIT << suit * SUIT_BITS & ONES
    ace = in_all_suits(1 << 8)
    return cells & ~ace if meld_rules.same_suit_runs == "gap_only" else 0


@lru_cache(maxsize=2_048)
def _counts(places: tuple[Slot, ...]) -> tuple[int, int, int]:
    """Count the cards of a run, those that it takes twice, and all that may lie in a meld.

    A run of any suits takes its cards by rank, which is the cell of the first suit.
    """
    taken = again = cells = 0
    for slot in places:
        again |= taken & 1 << 8 * slot[0]
        taken |= 1 << 8 * slot[0]
        for cell in slot:
            cells |= 1 << 8 * cell
    return taken, again, cells


@lru_cache(maxsize=64)
def _slots(suit: int, meld_rules: MeldRules) -> list[Slot]:
    """Return by rank which cells may lie at its place; the suit is -1 where any will do."""
    bound = frozenset(int(rank) for rank in meld_rules.bound_ranks)
    suits = range(4) if suit < 0 else (suit,)
    return [tuple(sorted({cell_of(own, rank, bound) for own in suits})) for rank in range(14)]
