"""Whether two runs in one suit may lie together, by each of the readings (`Z-5`, `C-5`, `C-6`)."""

from __future__ import annotations

from functools import lru_cache

Placed = tuple[int, int, int, bool]
"""A run's start, its size, the size that the contract asks, and whether it may be no larger."""

CONNECTED = 9
"""How many cards two runs that connect must hold together (`Z-5`)."""


@lru_cache(maxsize=4096)
def agreement(rule: str, ace: str, first: Placed, second: Placed) -> int:
    """Return whether two runs in one suit may lie together: 0 no, 1 yes, 2 as a connected pair."""
    if rule == "any":
        return 1
    if rule == "different_suits":
        return 0
    between = _between(ace, first, second)
    if rule == "gap_only":
        return int(between > 0)
    if between != 0:
        return 1
    needed = max(CONNECTED, first[2] + second[2])
    total = first[1] + second[1]
    enough = total == needed if first[3] and second[3] else total >= needed
    return 2 if rule == "adjacent_needs_9" and enough else 0


def may_be_larger(rule: str, ace: str, run: Placed, other: Placed) -> bool:
    """Return whether a run may be larger than asked because of another one of its suit.

    It connects with that one, or no exact size is asked and it overlaps what it would touch.
    """
    overlaps = not run[3] and _between(ace, run, other) < 0
    return overlaps or agreement(rule, ace, run, other) == 2


def _between(ace: str, first: Placed, second: Placed) -> int:
    """Return how many places lie between two runs; 0 where they touch, less where they overlap."""
    starts = (first[0], second[0])
    gaps = [starts[1] - starts[0] - first[1], starts[0] - starts[1] - second[1]]
    if ace != "corner":
        return max(gaps)
    # Round the corner both gaps count, each taken the short way round the thirteen ranks.
    ahead, behind = (
        ((starts[1] - starts[0]) % 13) - first[1],
        ((starts[0] - starts[1]) % 13) - second[1],
    )
    return min(ahead, behind)
