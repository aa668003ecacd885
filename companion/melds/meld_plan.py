"""A list of melds made ready once: what each run can be, and which runs may lie in one suit."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, starmap
from typing import NamedTuple

from .hand import bits
from .key_tables import Codes, codes_of
from .meld import Contract, MeldRules, MeldSpec
from .slots import CONNECTED, MOST_CARDS, agreement, set_ranks, windows


class LegalRun(NamedTuple):
    """What a run can be: the slots of one kind of meld from a rank on, in whatever suit.

    `mask` are its ranks as bits, `again` those it has twice (an ace at both ends). At most `cap` of
    its slots may be wild, and where wilds lie `apart` no two neighbours. `least` is the size that
    is asked.
    """

    kind: int
    ranks: tuple[int, ...]
    mask: int
    again: int
    cap: int
    apart: bool
    start: int
    least: int
    exact: bool
    ends: int
    """Of one that is longer only to take a wild more: its ends, one of which must be natural."""
    size: int

    @property
    def placed(self) -> tuple[int, int, int, bool]:
        """What decides which runs may lie beside it."""
        return self.start, self.size, self.least, self.exact


class SetKind(NamedTuple):
    """Sets of one kind: each size with the natural cards that it needs, and ranks as bits."""

    sizes: tuple[tuple[int, int], ...]
    ranks: int

    @property
    def most_need(self) -> int:
        """How many natural cards one may need."""
        return max((need for _, need in self.sizes), default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """One list of melds that meets a contract, made ready for any hand."""

    rules: MeldRules
    free: int
    """The ranks that are wild, as bits."""
    size: int
    runs: tuple[LegalRun, ...]
    partners: tuple[int, ...]
    """For each run, as bits by index in the list, which from it on may lie in its suit."""
    run_kinds: tuple[MeldSpec, ...]
    run_counts: tuple[int, ...]
    of_kind: tuple[slice, ...]
    """For each kind, where its runs stand in the list."""
    kind_bits: tuple[int, ...]
    """The same as bits by index in the list."""
    sizes: tuple[int, ...]
    needs: tuple[int, ...]
    """For each kind, the fewest cards that a run has, and natural cards that it needs."""
    has_again: bool
    run_codes: Codes
    most_in_suit: int
    """How many runs may lie in one suit."""
    set_kinds: tuple[SetKind, ...]
    set_kinds_of: tuple[int, ...]
    """For each rank, as bits, the kinds of sets that may be of it."""
    set_counts: tuple[int, ...]
    set_codes: Codes
    mixed_runs: tuple[tuple[LegalRun, ...], ...]
    """For each run of any suits, what it can be."""
    unlike_sets: tuple[SetKind, ...]
    """Sets in which no suit is there twice."""
    limited: bool
    """Whether there is a limit on the wilds of one meld."""
    most_given: int
    """How many cards runs may have to leave to other melds, which need natural ones."""

    @property
    def may_connect(self) -> bool:
        """Whether a run may be longer than asked because it connects with another."""
        return self.rules.same_suit_runs == "adjacent_needs_9"

    @property
    def run_sizes(self) -> list[int]:
        """The sizes asked of the runs, the largest first."""
        counted = zip(self.run_kinds, self.run_counts, strict=True)
        return sorted([kind.size for kind, many in counted for _ in range(many)], reverse=True)

    @property
    def most_of_a_rank(self) -> tuple[int, int]:
        """How many cards of one rank sets may hold at once, and how many natural ones they need."""
        found = []
        for at in (0, 1):
            counted = zip(self.set_kinds, self.set_counts, strict=True)
            largest = [(max(size[at] for size in kind.sizes), many) for kind, many in counted]
            if self.rules.same_rank_sets:
                found.append(sum(most * many for most, many in largest))
            else:
                found.append(max([most for most, _ in largest], default=0))
        return found[0], found[1]

    @property
    def is_possible(self) -> bool:
        """Whether every meld has a slot at all."""
        kinds = {run.kind for run in self.runs}
        return (
            len(kinds) == len(self.run_kinds)
            and all(self.mixed_runs)
            and all(kind.sizes for kind in self.set_kinds + self.unlike_sets)
        )

    def is_lonely(self, run: LegalRun, others: Iterable[LegalRun]) -> bool:
        """Return whether a run is longer than it may be without one that it connects with."""
        return (
            run.exact
            and run.size > run.least
            and not any(
                other is not run and together(self.rules, run, other) == CONNECTED_PAIR
                for other in others
            )
        )


CONNECTED_PAIR = 2


def together(rules: MeldRules, run: LegalRun, other: LegalRun) -> int:
    """Return whether two runs may lie in one suit: 0 no, 1 yes, 2 as a connected pair."""
    return agreement(rules.same_suit_runs, rules.ace, run.placed, other.placed)


@lru_cache(maxsize=64)
def plan_of(specs: tuple[MeldSpec, ...], rules: MeldRules, over: int = 0) -> Plan:
    """Make a list of melds ready; where a whole hand must be melded, it has so many cards more."""
    specs = tuple(sorted(specs, key=repr))
    in_suit = [spec for spec in specs if spec.kind == "run" and spec.suits == "same"]
    run_counts = Counter(in_suit)
    runs = [
        run
        for kind, spec in enumerate(run_counts)
        for run in _runs(
            kind, spec, [*(Counter(in_suit) - Counter([spec])).elements()], rules, over
        )
    ]
    of_kind = _slices([run.kind for run in runs], len(run_counts))
    sets = Counter(spec for spec in specs if spec.kind == "set" and not spec.is_unlike)
    mixed = [spec for spec in specs if spec.kind == "run" and spec.suits != "same"]
    set_kinds = {spec: _set_kind(spec, rules, over) for spec in sets}
    limited = rules.limits_wilds or any(spec.wilds is not None for spec in specs)
    return Plan(
        rules=rules,
        free=sum(1 << rank for rank in rules.free_ranks if rank),
        size=sum(spec.size for spec in specs),
        runs=tuple(runs),
        partners=tuple(_partners(runs, [count > 1 for count in run_counts.values()], rules)),
        run_kinds=tuple(run_counts),
        run_counts=tuple(run_counts.values()),
        of_kind=tuple(of_kind),
        kind_bits=tuple((1 << kind.stop) - (1 << kind.start) for kind in of_kind),
        sizes=tuple(min([run.size for run in runs[kind]], default=0) for kind in of_kind),
        needs=tuple(min([run.size - run.cap for run in runs[kind]], default=0) for kind in of_kind),
        has_again=any(run.again for run in runs),
        run_codes=codes_of(tuple(run_counts.values())),
        most_in_suit=1 if rules.same_suit_runs == "different_suits" else len(in_suit),
        set_kinds=tuple(set_kinds.values()),
        set_kinds_of=tuple(_kinds_of(set_kinds.values(), rank) for rank in range(14)),
        set_counts=tuple(sets.values()),
        set_codes=codes_of(tuple(sets.values())),
        mixed_runs=tuple(tuple(_runs(0, spec, [], rules, over)) for spec in mixed),
        unlike_sets=tuple(_set_kind(spec, rules, over) for spec in specs if spec.is_unlike),
        limited=limited,
        most_given=sum(kind.most_need * sets[spec] for spec, kind in set_kinds.items())
        + (sum(spec.size for spec in mixed) if limited else 0),
    )


def _slices(kinds: list[int], count: int) -> list[slice]:
    """Return for each kind where it stands in a list that is sorted by kind."""
    ends = [bisect_right(kinds, kind) for kind in range(-1, count)]
    return list(starmap(slice, pairwise(ends)))


def _kinds_of(kinds: Iterable[SetKind], rank: int) -> int:
    return sum((kind.ranks >> rank & 1) << at for at, kind in enumerate(kinds))


def _partners(runs: list[LegalRun], several: list[bool], rules: MeldRules) -> Iterator[int]:
    """For each run tell, as bits, which from it on may lie in its suit."""
    for at, run in enumerate(runs):
        yield sum(
            1 << at + step
            for step, other in enumerate(runs[at:])
            if (step or several[run.kind]) and together(rules, run, other)
        )


def _set_kind(spec: MeldSpec, rules: MeldRules, over: int) -> SetKind:
    """Make sets ready; a larger one is of use only where it needs fewer natural cards."""
    exact = spec.is_exact(rules)
    most = 4 if spec.is_unlike else MOST_CARDS
    wide = spec.size + (0 if exact else over)
    largest = most if rules.limits_wilds and not exact else min(most, wide)
    sizes, fewest = [], MOST_CARDS
    for size in range(spec.size, largest + 1):
        need = size - spec.wild_cap(size, rules)
        if size >= rules.naturals("set") and (need < fewest or size <= wide):
            sizes.append((size, need))
            fewest = min(fewest, need)
    ranks = sum(1 << rank for rank in set_ranks(rules) if rank in spec.named_ranks)
    return SetKind(tuple(sizes), ranks)


def _runs(
    kind: int, spec: MeldSpec, others: list[MeldSpec], rules: MeldRules, over: int
) -> Iterator[LegalRun]:
    """List what a run can be.

    One longer than asked is of use only to hold a whole hand, to connect with or overlap another,
    or to take a wild more, which it does between natural ends: else a shorter one would do.
    """
    exact = spec.is_exact(rules)
    grown, is_beside = _grown(spec, others, rules, over)
    least = max(spec.size, rules.naturals("run"))
    longest = max(grown, 14 if rules.limits_wilds and not exact else 0)
    for size in range(least, min(longest, rules.run_max, 14) + 1):
        cap, shorter = spec.wild_cap(size, rules), spec.wild_cap(size - 1, rules)
        is_wider = size > max(grown, least)
        takes_more = shorter < cap <= size - 2 and not (rules.wilds_apart and cap > (size - 1) // 2)
        if is_wider and not takes_more and not is_beside:
            continue
        needs_ends = is_wider and not is_beside and cap <= shorter + 1
        for window in windows(rules.ace, size):
            if all(rank in spec.named_ranks for rank in window.ranks):
                ends = (1 << window.ranks[0] | 1 << window.ranks[-1]) if needs_ends else 0
                yield LegalRun(kind, window.ranks, *bits(window.ranks), cap, rules.wilds_apart,
                          window.start, spec.size, exact, ends, size)  # fmt: skip


def _grown(spec: MeldSpec, others: list[MeldSpec], rules: MeldRules, over: int) -> tuple[int, bool]:
    """Return how large a run may have to be whatever lies in it, and if it is so beside others."""
    exact, rule = spec.is_exact(rules), rules.same_suit_runs
    connects = rule == "adjacent_needs_9" and bool(others)
    # A run that would touch another is laid a card longer, over its end: to overlap is allowed.
    overlaps = rule == "not_adjacent" and bool(others)
    grown = spec.size
    if not exact:
        grown += max(over, len(others) - 1 if connects or overlaps else 0)
    if connects:
        grown = max(grown, CONNECTED - min(other.size for other in others))
    return grown, connects or overlaps


def plans(contract: Contract, cards: int, rules: MeldRules) -> Iterator[tuple[Plan, int]]:
    """List the melds that meet a contract, and how many cards they must hold at least.

    That is 0 unless so many cards must be melded at once, and the melds may grow to hold them.
    """
    for specs in dict.fromkeys((contract.melds, *contract.or_melds)):
        over = cards - sum(meld.size for meld in specs) if contract.all_cards else 0
        grows = over > 0 and not all(meld.is_exact(rules) for meld in specs)
        plan = plan_of(specs, rules, over if grows else 0)
        if plan.is_possible:
            yield plan, cards if grows else 0
