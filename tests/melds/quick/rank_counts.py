"""Cards told by how many there are of each rank, and what sets lack of them."""

from __future__ import annotations

from collections import Counter

from companion.melds.quick.runs import BITS
from companion.melds.quick.sets import SetsAsked

RANKS = range(1, 14)


def counted(held: Counter[int]) -> int:
    return sum(number << BITS * rank for rank, number in held.items())


def lacks(asked: SetsAsked, held: Counter[int], ranks: range = RANKS) -> int:
    """Each set takes the rank of which most is left, once or again where that may be."""
    parts: list[int] = []
    for rank in ranks:
        times = asked.number if asked.same_rank else 1
        parts += [max(0, min(asked.size, held[rank] - asked.size * n)) for n in range(times)]
    return asked.number * asked.size - sum(sorted(parts, reverse=True)[: asked.number])
