"""What a contract asks, made ready once: runs as bits of a suit, sets as sizes, which may lie together."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from operator import add, mul
from typing import NamedTuple

from .meld import Contract, MeldRules, MeldSpec
from .places import MOST_CARDS, set_ranks, windows
from .same_suit import agreement

Splits = tuple[tuple[int, int, int], ...]
RunCodes = tuple[tuple[tuple[int, ...], int, int], ...]
ALL_RANKS = 0x3FFE  # bits 1 to 13


class Run(NamedTuple):
    """A place where a run may lie: ranks in order, as bits; what it has twice (an ace); most wilds."""

    kind: int
    ranks: tuple[int, ...]
    mask: int
    again: int
    cap: int
    apart: bool
    start: int
    least: int
    exact: bool
    ends: int  # of a longer one that only takes a wild more: its end ranks, which must be natural
    size: int


class SetKind(NamedTuple):
    """Sets of one kind: sizes with the natural cards that each needs, and the ranks they may have."""

    spec: MeldSpec
    sizes: tuple[tuple[int, int], ...]
    ranks: int


class Plan(NamedTuple):
    """One list of melds."""

    specs: tuple[MeldSpec, ...]
    run_specs: tuple[MeldSpec, ...]
    runs: tuple[Run, ...]
    partners: tuple[int, ...]  # for each run, as bits, which from it on may lie in its suit
    run_counts: tuple[int, ...]
    set_kinds: tuple[SetKind, ...]
    set_counts: tuple[int, ...]
    any_runs: tuple[tuple[Run, ...], ...]  # of each run of any suits, the places it may have
    unlike: tuple[SetKind, ...]
    limited: bool
    most_given: int  # cards that runs may have to give up for other melds
    same_rank_sets: bool
    rules: MeldRules
    free: int  # ranks that are wild, as bits
    size: int
    most_in_suit: int
    may_connect: bool
    run_codes: tuple[tuple[tuple[int, ...], int, int], ...]
    """By code, which is an index: how many of each kind, their least cards and natural cards."""
    splits: Splits
    next_code: tuple[tuple[int, ...], ...]
    set_codes: tuple[tuple[int, ...], ...]
    set_splits: Splits

    def lonely(self, run: Run, others: list[Run]) -> bool:
        """A run that may only be longer than asked to connect with another, and does not."""
        return (
            run.exact
            and run.size > run.least
            and not any(
                other is not run and together(self.rules, run, other) == 2 for other in others
            )
        )


def together(rules: MeldRules, one: Run, other: Run) -> int:
    first, second = ((run.start, run.size, run.least, run.exact) for run in (one, other))
    return agreement(rules.same_suit_runs, rules.ace, first, second)


def bits(ranks: tuple[int, ...]) -> tuple[int, int]:
    once = twice = 0
    for rank in ranks:
        twice |= once & 1 << rank
        once |= 1 << rank
    return once, twice


@lru_cache(maxsize=64)
def plan_of(specs: tuple[MeldSpec, ...], rules: MeldRules, over: int = 0) -> Plan:
    """Make a list of melds ready; where a whole hand must be melded, it has so many cards more."""
    specs = tuple(sorted(specs, key=repr))
    in_suit = [spec for spec in specs if spec.kind == "run" and spec.suits == "same"]
    run_counts = Counter(in_suit)
    run_specs = tuple(run_counts)
    runs: list[Run] = []
    for kind, spec in enumerate(run_specs):
        others = in_suit.copy()
        others.remove(spec)
        runs += _runs(kind, spec, others, rules, over)
    partners = _partners(runs, [run_counts[spec] > 1 for spec in run_specs], rules)
    sets = Counter(spec for spec in specs if spec.kind == "set" and not spec.is_unlike)
    kinds = tuple(_set_kind(spec, rules, over) for spec in sets)
    limited = rules.limits_wilds or any(spec.wilds is not None for spec in specs)
    return Plan(
        specs,
        run_specs,
        tuple(runs),
        partners,
        tuple(run_counts.values()),
        kinds,
        tuple(sets.values()),
        tuple(
            tuple(_runs(0, spec, [], rules, over))
            for spec in specs
            if spec.kind == "run" and spec.suits != "same"
        ),
        tuple(_set_kind(spec, rules, over) for spec in specs if spec.is_unlike),
        limited,
        sum(max((need for _, need in kind.sizes), default=0) * sets[kind.spec] for kind in kinds)
        + (sum(spec.size for spec in specs if limited and spec.suits == "any")),
        rules.same_rank_sets,
        rules,
        sum(1 << rank for rank in rules.free_ranks if rank),
        sum(spec.size for spec in specs),
        1 if rules.same_suit_runs == "different_suits" else len(in_suit),
        rules.same_suit_runs == "adjacent_needs_9",
        *_run_codes(tuple(run_counts.values()), runs),
        *splits_of(tuple(sets.values())),
    )


def _run_codes(
    counts: tuple[int, ...], runs: list[Run]
) -> tuple[RunCodes, Splits, tuple[tuple[int, ...], ...]]:
    codes, splits = splits_of(counts)
    of_kind = [[run for run in runs if run.kind == kind] for kind in range(len(counts))]
    size = [min((run.size for run in some), default=99) for some in of_kind]
    need = [min((run.size - run.cap for run in some), default=99) for some in of_kind]
    told = tuple((many, sum(map(mul, many, size)), sum(map(mul, many, need))) for many in codes)
    following = tuple(
        tuple(codes.index(more) if (more := (*many[:kind], many[kind] + 1, *many[kind + 1:])) in codes else -1
              for kind in range(len(counts)))
        for many in codes
    )  # fmt: skip
    return told, splits, following


def splits_of(counts: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], Splits]:
    """Number the ways to have no more than so many of each kind; list pairs of them and their sum.

    What is left of all has the number counted from the end.
    """
    codes = tuple(product(*[range(count + 1) for count in counts]))
    number = {many: at for at, many in enumerate(codes)}
    pairs = ((one, two, tuple(map(add, one, two))) for one in codes for two in codes)
    return codes, tuple(
        (number[one], number[two], number[both]) for one, two, both in pairs if both in number
    )


def _partners(runs: list[Run], several: list[bool], rules: MeldRules) -> tuple[int, ...]:
    """For each run, as bits, which from it on may lie in its suit."""
    every, rule = (1 << len(runs)) - 1, rules.same_suit_runs
    begins, stops = [0] * 40, [0] * 40
    for at, run in enumerate(runs):
        begins[run.start] |= 1 << at
        stops[run.start + run.size] |= 1 << at
    found = []
    for at, run in enumerate(runs):
        end, may = run.start + run.size, every >> at << at
        if not several[run.kind]:
            may &= ~(1 << at)
        if rule == "different_suits":
            may = 0
        elif rule != "any" and rules.ace == "corner":
            may = sum(
                1 << other
                for other in range(at, len(runs))
                if may >> other & 1 and together(rules, run, runs[other])
            )
        elif rule == "gap_only":
            clear = 0
            for place in range(end + 1, 40):
                clear |= begins[place]
            for place in range(run.start):
                clear |= stops[place]
            may &= clear
        elif rule != "any":
            touch = (begins[end] | stops[run.start]) & may
            may &= ~touch
            while touch and rule == "adjacent_needs_9":
                low = touch & -touch
                touch -= low
                if together(rules, run, runs[low.bit_length() - 1]):
                    may |= low
        found.append(may)
    return tuple(found)


def _set_kind(spec: MeldSpec, rules: MeldRules, over: int) -> SetKind:
    """A set larger than asked is of use only where it needs fewer natural cards."""
    naturals, sizes, fewest = rules.naturals("set"), [], MOST_CARDS
    exact = spec.is_exact(rules)
    wide = spec.size + (0 if exact else over)
    most = 4 if spec.is_unlike else MOST_CARDS
    for size in range(
        spec.size, (most if rules.limits_wilds and not exact else min(most, wide)) + 1
    ):
        need = size - spec.wild_cap(size, rules)
        if size >= naturals and (need < fewest or size <= wide):
            sizes.append((size, need))
            fewest = min(fewest, need)
    ranks = sum(1 << rank for rank in set_ranks(rules.ace) if rank in spec.named_ranks)
    return SetKind(spec, tuple(sizes), ranks)


def _runs(
    kind: int, spec: MeldSpec, others: list[MeldSpec], rules: MeldRules, over: int
) -> list[Run]:
    """A run longer than asked is of use only if it takes a wild more, both its ends being natural,
    or beside another: nine cards may touch, or it overlaps what it would touch."""
    exact, naturals = spec.is_exact(rules), rules.naturals("run")
    nine = rules.same_suit_runs == "adjacent_needs_9" and bool(others)
    beside = nine or (rules.same_suit_runs == "not_adjacent" and bool(others))
    grown = spec.size + (len(others) - 1 if beside and not exact else 0)
    if nine:
        grown = max(grown, 9 - min(other.size for other in others))
    found = []
    if not exact:
        grown = max(grown, spec.size + over)
    least = max(spec.size, naturals)
    longest = max(grown, 14 if rules.limits_wilds and not exact else 0)
    for size in range(least, min(longest, rules.run_max, 14) + 1):
        cap = spec.wild_cap(size, rules)
        more = spec.wild_cap(size - 1, rules) < cap <= size - 2
        if rules.wilds_apart and cap > (size - 1) // 2:
            more = False
        if size > max(grown, least) and not more and not beside:
            continue
        for window in windows(rules.ace, size):
            if all(rank in spec.named_ranks for rank in window.ranks):
                ends = 0
                if (
                    size > max(grown, least)
                    and not beside
                    and cap <= spec.wild_cap(size - 1, rules) + 1
                ):
                    ends = 1 << window.ranks[0] | 1 << window.ranks[-1]
                run = Run(kind, window.ranks, *bits(window.ranks), cap, rules.wilds_apart,
                          window.start, spec.size, exact, ends, size)  # fmt: skip
                found.append(run)
    return found


def ways(contract: Contract, hand_size: int, rules: MeldRules) -> list[tuple[Plan, int]]:
    """Every list of melds that meets a contract, and how many cards it must hold at least."""
    found = []
    for way in dict.fromkeys((contract.melds, *contract.or_melds)):
        over = hand_size - sum(meld.size for meld in way) if contract.all_cards else 0
        is_open = over > 0 and not all(meld.is_exact(rules) for meld in way)
        found.append(
            (plan_of(way, rules, over), hand_size) if is_open else (plan_of(way, rules), 0)
        )
    return found
