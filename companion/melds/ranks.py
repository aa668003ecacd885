"""Sets, on what runs leave: of each rank a table like that of a suit, joined in the same way."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .hand import RANK_CELLS, Held
from .key_tables import BEYOND, EMPTY, FIELD, NEVER, SHORT, SIZE, Keys, Most, Table, joined
from .meld_plan import Plan, SetKind


class Sizes(NamedTuple):
    """Sets of one rank together: their code, cards and natural cards needed; as bits, the kinds."""

    code: int
    size: int
    need: int
    kinds: int


@lru_cache(maxsize=256)
def _sizes(plan: Plan) -> list[Sizes]:
    """List what sets may be laid of one rank."""
    found: dict[Sizes, None] = {}
    for code, many in enumerate(plan.set_codes.many):
        if not code or (sum(many) > 1 and not plan.rules.same_rank_sets):
            continue
        kinds = sum(1 << kind for kind, number in enumerate(many) if number)
        for sizes in product(*[kind.sizes for kind in kinds_of(plan, code)]):
            size, need = map(sum, zip(*sizes, strict=True))
            found[Sizes(code, size, need, kinds)] = None
    return [*found]


def kinds_of(plan: Plan, code: int) -> list[SetKind]:
    """List the kinds of sets that a code says, each as often as it is there."""
    many = plan.set_codes.many[code]
    return [kind for kind, number in zip(plan.set_kinds, many, strict=True) for _ in range(number)]


def least_lacking(plan: Plan, held: Held) -> tuple[list[int], list[int]]:
    """Return by code what sets lack at least: empty slots, and natural cards."""
    codes = plan.set_codes.many
    return (
        _least(plan, held.steady_of, 0),
        _least(plan, held.natural_of, 1) if plan.limited else [0] * len(codes),
    )


def _least(plan: Plan, there: tuple[int, ...], at: int) -> list[int]:
    of_kind = [_least_of_kind(plan, kind, there, at) for kind in range(len(plan.set_kinds))]
    return [
        sum([of[many] for of, many in zip(of_kind, code, strict=True)])
        for code in plan.set_codes.many
    ]


def _least_of_kind(plan: Plan, kind: int, there: tuple[int, ...], at: int) -> list[int]:
    """Return what 0, 1, 2 … sets of a kind lack at least, each of a rank or of what is left."""
    count, ranks = plan.set_counts[kind], plan.set_kinds[kind].ranks
    asks = min([size[at] for size in plan.set_kinds[kind].sizes])
    lacks = (
        [
            0 if left >= asks else min(asks, asks - left)
            for rank, cards in enumerate(there)
            if ranks >> rank & 1
            for left in range(
                cards, cards - asks * (count if plan.rules.same_rank_sets else 1), -asks
            )
        ]
        if asks
        else []
    )
    lacks = [*sorted(lacks), *[NEVER if asks else 0] * count]
    return [sum(lacks[:many]) for many in range(count + 1)]


class SetTables:
    """The sets that a hand may lay, by the cards of each rank that runs take."""

    def __init__(
        self, plan: Plan, held: Held, most: Most, copies: tuple[int, ...], whole: bool, barred: int
    ) -> None:
        self.plan, self.held, self.most = plan, held, most
        self.copies, self.whole = copies, whole
        self._barred = barred
        self._fitting: dict[tuple[int, int, int, int, int], list[tuple[Sizes, int]]] = {}
        self._of_rank: dict[tuple[int, int, int], Table] = {}
        self._between: dict[tuple[int, int, int, int], Table] = {}
        self.tracked = [rank for rank in range(1, 14) if self._fit(rank, 0, 0)]
        # Ranks of which sets may be so large that it matters how many cards of it runs ask.
        in_runs = 2 * sum(plan.run_counts) + len(plan.mixed_runs)
        self.asked = sum(
            1 << rank
            for rank in (self.tracked if most.beyond >= 0 else ())
            if any(sizes.size + in_runs > copies[rank] for sizes, _ in self._fit(rank, 0, 0))
        )

    @property
    def ranks(self) -> int:
        """The ranks of which there may be sets, as bits."""
        return sum(1 << rank for rank in self.tracked)

    def of_rank(self, rank: int, taken: int, asked: int) -> Table:
        """Return what may be laid of a rank of which runs take and ask so many cards."""
        at = rank, taken, asked
        if at not in self._of_rank:
            cells = RANK_CELLS[rank]
            table: Table = {0: {0: 0}}
            for sizes, key in self._fit(*at):
                value = (cells if key >> EMPTY & FIELD else 0) | (
                    cells << SHORT if key & FIELD else 0
                )
                found = table.setdefault(sizes.code, {})
                found[key] = found.get(key, 0) | value
            self._of_rank[at] = table
        return self._of_rank[at]

    def _fit(self, rank: int, taken: int, asked: int) -> list[tuple[Sizes, int]]:
        """List the sets that may be laid of a rank, with their keys."""
        kinds = self.plan.set_kinds_of[rank]
        if not kinds or self._barred >> rank & 1:
            return []
        natural = max(0, self.held.natural_of[rank] - taken)
        alike = kinds, natural, self.plan.free >> rank & 1, self.copies[rank], asked
        if alike not in self._fitting:
            lacks = [(sizes, self._key(sizes, *alike)) for sizes in _sizes(self.plan)]
            self._fitting[alike] = [(sizes, key) for sizes, key in lacks if key >= 0]
        return self._fitting[alike]

    def _key(
        self, sizes: Sizes, kinds: int, natural: int, is_free: int, copies: int, asked: int
    ) -> int:
        """Say what sets lack; -1 where that is too much."""
        code, size, need, of_kinds = sizes
        empty, short = max(0, size - (0 if is_free else natural)), max(0, need - natural)
        if of_kinds & ~kinds or empty > self.most.empty[code] or short > self.most.short[code]:
            return -1
        key = short | empty << EMPTY | (size << SIZE if self.whole else 0)
        if self.most.beyond < 0:
            return key
        beyond = size if is_free else max(0, size - copies + asked)
        if need > copies or beyond > self.most.beyond:
            return -1
        return key | beyond << BEYOND

    def all(self, taken: int, asked: int) -> Keys:
        """Return every way to lay all sets on what runs leave."""
        return self.between(0, len(self.tracked), taken, asked).get(self.plan.set_codes.last, {})

    def between(self, first: int, end: int, taken: int, asked: int) -> Table:
        """Return what may be laid of some of the ranks: halves come back, though wholes do not."""
        if first == end:
            return {0: {0: 0}}
        if end - first == 1:
            rank = self.tracked[first]
            return self.of_rank(rank, taken >> 4 * rank & 15, asked >> 4 * rank & 15)
        own = sum(15 << 4 * rank for rank in self.tracked[first:end])
        key = first, end, taken & own, asked & own
        if key not in self._between:
            half = (first + end) // 2
            some = self.between(first, half, taken, asked)
            others = self.between(half, end, taken, asked)
            self._between[key] = joined(some, others, self.plan.set_codes, self.most)
        return self._between[key]
