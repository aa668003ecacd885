"""Sets, on what runs leave: of each rank a table like that of a suit, joined in the same way."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from .hand import Held
from .plan import Plan
from .suits import BEYOND, EMPTY, SHORT, SIZE, Table, joined

RANK_CELLS = [sum(1 << 16 * suit + rank for suit in range(4)) for rank in range(14)]


@lru_cache(maxsize=256)
def _laid_in_a_rank(plan: Plan) -> list[tuple[int, int, int, int]]:
    """What sets may be laid of one rank: their code, cards, the natural ones needed, ranks allowed."""
    found: dict[tuple[int, int, int, int], None] = {}
    for code, many in enumerate(plan.set_codes):
        if not any(many) or (sum(many) > 1 and not plan.same_rank_sets):
            continue
        kinds = [
            kind for kind, number in zip(plan.set_kinds, many, strict=True) for _ in range(number)
        ]
        ranks = 0x3FFE
        for kind in kinds:
            ranks &= kind.ranks
        for sizes in product(*[kind.sizes for kind in kinds]):
            found[code, sum(size for size, _ in sizes), sum(need for _, need in sizes), ranks] = (
                None
            )
    return list(found)


class RankTables:
    """The sets that a hand may lay, by the cards of each rank that the runs take."""

    def __init__(self, plan: Plan, held: Held) -> None:
        self.plan, self.held = plan, held
        self.choices = _laid_in_a_rank(plan)
        empty, short = zip(*map(self._cheapest, range(len(plan.set_kinds))), strict=True)
        self.empty = [
            sum(of[many] for of, many in zip(empty, code, strict=True)) for code in plan.set_codes
        ]
        self.short = [
            sum(of[many] for of, many in zip(short, code, strict=True)) for code in plan.set_codes
        ]

    def _cheapest(self, kind: int) -> list[list[int]]:
        """What 0, 1, 2 ... sets of a kind lack at least: empty places, and natural cards."""
        plan, held = self.plan, self.held
        found = []
        for there, at in ((held.steady_of, 0), (held.natural_of, 1)):
            asks = min(size[at] for size in plan.set_kinds[kind].sizes)
            lacks = []
            for rank in range(1, 14):
                if plan.set_kinds[kind].ranks >> rank & 1:
                    left = there[rank]
                    for _ in range(plan.set_counts[kind] if plan.same_rank_sets else 1):
                        lacks.append(max(0, asks - left))
                        left = max(0, left - asks)
            lacks.sort()
            lacks += [99] * plan.set_counts[kind]
            found.append([sum(lacks[:many]) for many in range(plan.set_counts[kind] + 1)])
        return found

    def begin(
        self, most_empty: int, most_short: int, most_beyond: int, decks: int, whole: int
    ) -> int:
        """Look for sets that lack no more than so much; return the ranks they may have."""
        self.empties = [most_empty - least for least in self.empty[::-1]]
        self.shorts = [most_short - least for least in self.short[::-1]]
        self.most_beyond, self.decks, self.whole = most_beyond, decks, whole
        self._of_rank: dict[tuple[int, int, int], Table] = {}
        self.tracked = [rank for rank in range(1, 14) if len(self.of_rank(rank, 0, 0)) > 1]
        self._joined: dict[tuple[int, int, int, int], Table] = {}
        self._digits = {
            (first, end): sum(15 << 4 * rank for rank in self.tracked[first:end])
            for end in range(len(self.tracked) + 1)
            for first in range(end)
        }
        # Ranks of which sets may be so large that it matters how many cards of it the runs ask.
        self.asked = 0
        if most_beyond >= 0:
            largest = 4 * decks - 2 * len(self.plan.runs and self.plan.run_codes[-1][0]) * max(
                self.plan.run_counts, default=0
            )
            for rank in self.tracked:
                for code, size, _, ranks in self.choices:
                    if (
                        ranks >> rank & 1
                        and size > largest
                        and size - self.held.steady_of[rank] <= self.empties[code]
                    ):
                        self.asked |= 1 << rank
        return sum(1 << rank for rank in self.tracked)

    def of_rank(self, rank: int, taken: int, asked: int) -> Table:
        """What may be laid of a rank of which runs take so many cards."""
        key = rank, taken, asked
        if key not in self._of_rank:
            self._of_rank[key] = self._find(*key)
        return self._of_rank[key]

    def _find(self, rank: int, taken: int, asked: int) -> Table:
        plan = self.plan
        steady = max(0, self.held.steady_of[rank] - taken)
        natural = max(0, self.held.natural_of[rank] - taken)
        is_free = plan.free >> rank & 1
        cells = RANK_CELLS[rank]
        table: Table = {0: {0: 0}}
        for code, size, need, ranks in self.choices:
            empty, short = max(0, size - steady), max(0, need - natural)
            if empty > self.empties[code] or short > self.shorts[code] or not ranks >> rank & 1:
                continue
            beyond = 0
            if self.most_beyond >= 0:
                beyond = size if is_free else max(0, size - 4 * self.decks + asked)
                if need > 4 * self.decks or beyond > self.most_beyond:
                    continue
            value = (cells if empty else 0) | (cells << SHORT if short else 0)
            key = short | empty << EMPTY | beyond << BEYOND | (size << SIZE if self.whole else 0)
            found = table.setdefault(code, {})
            found[key] = found.get(key, 0) | value
        return table

    def all(self, taken: int, asked: int) -> dict[int, int]:
        """Every way to lay all sets on what runs leave: by key, the cards wanted."""
        return self.between(0, len(self.tracked), taken, asked).get(
            len(self.plan.set_codes) - 1, {}
        )

    def between(self, first: int, end: int, taken: int, asked: int) -> Table:
        """The same for some of the ranks: halves come back though wholes do not."""
        if end - first < 2:
            if first == end:
                return {0: {0: 0}}
            rank = self.tracked[first]
            return self.of_rank(rank, taken >> 4 * rank & 15, asked >> 4 * rank & 15)
        own = self._digits[first, end]
        key = first, end, taken & own, asked & own
        if key not in self._joined:
            half = (first + end) // 2
            some, others = (
                self.between(first, half, taken, asked),
                self.between(half, end, taken, asked),
            )
            self._joined[key] = joined(
                some, others, self.plan.set_splits, self.empties, self.shorts, self.most_beyond
            )
        return self._joined[key]
