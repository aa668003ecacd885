"""How many of each card there are, as one whole number: a byte for each cell.

So the cards of a whole run are found, taken and counted at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

ONES = int.from_bytes(b"\1" * 64, "little")
SUIT_BITS = 8 * 16
OF_A_SUIT = (1 << SUIT_BITS) - 1
_TO_CARRY = 127 * ONES
_CARRIED = 128 * ONES
_MANY = 31
"""No more of a card than this can matter, and four suits of it fit into a byte."""


def counted(numbers: Iterable[int]) -> int:
    """Count cards told by cell.

    >>> counted([0, 2, 1]) == 2 << 8 | 1 << 16
    True
    """
    return int.from_bytes(bytes([min(number, _MANY) for number in numbers]), "little")


def one_of_each(counts: int) -> int:
    """Take one of each card that there is.

    >>> one_of_each(2 << 8 | 1 << 16) == 1 << 8 | 1 << 16
    True
    """
    return counts + _TO_CARRY >> 7 & ONES


def at_least(counts: int, number: int) -> int:
    """Name the cards of which there are so many.

    >>> at_least(counted([0, 2, 1]), 2) == one_each([1])
    True
    """
    return counts + (128 - number) * ONES >> 7 & ONES


def any_of(some: Iterable[int]) -> int:
    """Name the cards that any of these name.

    >>> any_of([one_each([1]), one_each([1, 2])]) == one_each([1, 2])
    True
    """
    return reduce(or_, some, 0)


def number_of(counts: int) -> int:
    """Return how many cards there are in all, of which there may be no more than 254.

    >>> number_of(2 << 8 | 1 << 16)
    3
    """
    return counts % 255


def by_rank(counts: int) -> int:
    """Count the cards of each rank, as if all were of the first suit."""
    two = counts + (counts >> SUIT_BITS)
    return two + (two >> 2 * SUIT_BITS) & OF_A_SUIT


def in_all_suits(ranks: int) -> int:
    """Name the cards of all suits for those of the first."""
    two = ranks | ranks << SUIT_BITS
    return two | two << 2 * SUIT_BITS


def one_each(cells: Iterable[int]) -> int:
    """Count one of each cell."""
    return sum([1 << 8 * cell for cell in set(cells)])


def cells_in(counts: int) -> list[int]:
    """List the cells of which there are cards."""
    return [cell for cell, number in enumerate(counts.to_bytes(64, "little")) if number]


def lacking(asked: int, counts: int) -> tuple[int, int]:
    """Return how many of the cards asked there are not, and what is left of the others.

    >>> lacking(counted([3, 1]), counted([1, 2])) == (2, counted([0, 1]))
    True
    """
    left = counts + _CARRIED - asked
    if left & _CARRIED == _CARRIED:
        return 0, left - _CARRIED
    over = [number - 128 for number in left.to_bytes(64, "little")]
    return -sum([min(0, number) for number in over]), counted([max(0, n) for n in over])
