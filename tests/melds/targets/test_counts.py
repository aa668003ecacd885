"""Cards counted as one whole number, against the same cards in a list."""

from __future__ import annotations

from random import Random

import pytest

from companion.melds.targets.counts import (
    at_least,
    by_rank,
    cells_in,
    counted,
    in_all_suits,
    lacking,
    number_of,
    one_each,
    one_of_each,
)

SUITS = range(4)


def some_cards(rng: Random) -> list[int]:
    """Deal up to thirteen of each card."""
    return [rng.choice((0, 0, 1, 2, rng.randint(0, 13))) for _ in range(64)]


def rank_in(cards: list[int], rank: int) -> list[int]:
    return [cards[16 * suit + rank] for suit in SUITS]


@pytest.mark.parametrize("seed", range(20))
def test_counts_say_what_the_list_says(seed: int) -> None:
    rng = Random(seed)
    cards, others = some_cards(rng), some_cards(rng)
    counts = counted(cards)
    assert counts == counted(iter(cards))
    assert cells_in(counts) == [cell for cell in range(64) if cards[cell]]
    assert one_of_each(counts) == counted([min(1, number) for number in cards])
    for number in range(15):
        assert at_least(counts, number) == counted([many >= number for many in cards])
    ranks = [sum(rank_in(cards, rank)) for rank in range(16)]
    assert by_rank(counts) == sum(many << 8 * rank for rank, many in enumerate(ranks))
    some = [number if cell < 16 else 0 for cell, number in enumerate(cards)]
    assert in_all_suits(counted(some)) == counted([cards[cell & 15] for cell in range(64)])
    short = [many - there for many, there in zip(others, cards, strict=True)]
    left = counted([max(0, -many) for many in short])
    assert lacking(counted(others), counts) == (sum(max(0, many) for many in short), left)


def test_of_one_card_thirty_one_are_as_many_as_any() -> None:
    assert counted([31]) == 31
    assert counted([32, 99]) == counted([31, 31])
    assert by_rank(counted([40] * 64)) == sum(4 * 31 << 8 * rank for rank in range(16))


def test_cards_are_numbered_up_to_two_hundred_and_fifty_four() -> None:
    assert number_of(0) == 0
    assert number_of(counted([4] * 63 + [2])) == 254


def test_one_of_each_cell_named() -> None:
    assert one_each([0, 3, 3, 63]) == 1 | 1 << 24 | 1 << 8 * 63
    assert one_each([]) == 0


def test_nothing_lacks_where_all_that_is_asked_is_there() -> None:
    assert lacking(counted([2, 1]), counted([2, 3])) == (0, counted([0, 2]))
    assert lacking(counted([2, 1]), counted([1, 3])) == (1, counted([0, 2]))
