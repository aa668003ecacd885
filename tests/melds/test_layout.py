"""Melds as they are laid: runs made one, sets parted, wilds alone, cards added at the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.cards import Card, Rank, read_hand, write_hand
from companion.melds import Meld, MeldRules, best_beside, best_melds
from companion.melds.layout import joined, lay_wilds_alone, parted_sets, wild_melds
from companion.melds.places import windows
from companion.melds.suit_runs import Run
from tests.melds.proof.rules_of_games import CHICAGO

LOW = MeldRules(run_size=3, ace="low")
CORNER = replace(LOW, ace="corner")


def run(start: int, size: int, wild_places: str = "", rules: MeldRules = LOW) -> Run:
    """A run from a place on; of its places those told by step are wild."""
    window = next(one for one in windows(rules.ace, size) if one.start == start)
    return window, sum(1 << int(step) for step in wild_places)


@pytest.mark.parametrize(
    ("rules", "runs", "together"),
    [
        (LOW, [run(1, 3), run(4, 3)], [run(1, 6)]),
        (LOW, [run(4, 3, "2"), run(1, 3, "0")], [run(1, 6, "05")]),
        (LOW, [run(1, 3), run(5, 3)], [run(1, 3), run(5, 3)]),
        (LOW, [run(5, 3), run(2, 4)], [run(2, 4), run(5, 3)]),
        (LOW, [run(9, 3, "1"), run(1, 4, "3"), run(5, 4, "0")], [run(1, 11, "349")]),
        (replace(LOW, run_max=6), [run(1, 3), run(4, 3)], [run(1, 6)]),
        (replace(LOW, run_max=5), [run(1, 3), run(4, 3)], [run(1, 3), run(4, 3)]),
        (replace(LOW, run_max=6), [run(1, 3), run(4, 3), run(7, 3)], [run(1, 6), run(7, 3)]),
        (replace(LOW, max_wilds=3), [run(1, 3), run(4, 3)], [run(1, 3), run(4, 3)]),
        (
            CORNER,
            [run(12, 3, "2", CORNER), run(9, 3, "", CORNER)],
            [run(9, 6, "5", CORNER)],
        ),
    ],
)
def test_runs_that_follow_one_another_are_one_run(
    rules: MeldRules, runs: list[Run], together: list[Run]
) -> None:
    """The lowest first, as long as a run may be, and never where a limit counts its wilds."""
    assert joined(runs, rules) == together


@pytest.mark.parametrize(
    ("limits", "wilds", "sizes"),
    [
        ({}, 2, None),
        ({}, 3, (3,)),
        ({}, 5, (5,)),
        ({"max_wilds": 3}, 3, (3,)),
        ({"max_wilds": 3}, 4, None),
        ({"max_wilds": 3}, 5, None),
        ({"max_wilds": 3}, 6, (3, 3)),
        ({"max_wilds": 4}, 7, (4, 3)),
        ({"max_wilds": 5}, 8, (5, 3)),
        ({"min_naturals": 1}, 3, None),
        ({"wild_share": "half"}, 3, None),
        ({"set_naturals": 1}, 3, None),
        ({"set_naturals": 1}, 4, (4,)),
        ({"set_naturals": 1, "wilds_apart": True}, 4, None),
        ({"wilds_apart": True}, 4, (4,)),
        ({"set_naturals": 1, "run_max": 5}, 9, (5, 4)),
        ({"set_naturals": 1, "run_max": 5}, 5, (5,)),
        ({"set_naturals": 1, "run_max": 5}, 6, None),
        ({"set_naturals": 1, "run_size": 1, "wilds_apart": True}, 2, (1, 1)),
    ],
)
def test_in_which_melds_wilds_lie_alone(
    limits: dict[str, object], wilds: int, sizes: tuple[int, ...] | None
) -> None:
    """Sets of three or more, or runs of four or more; of two neighbours in a run one is natural."""
    assert wild_melds(MeldRules(**limits), wilds) == sizes  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limits", "wilds", "stand_for"),
    [
        ({"ace": "low"}, "X X X", [Rank.ACE] * 3),
        ({"ace": "wild"}, "X X X", [Rank.TWO] * 3),
        ({"ace": "low"}, "X 2C 2D", [Rank.TWO] * 3),
        ({"ace": "low"}, "X 3C 2C", [Rank.THREE] * 3),
        ({"ace": "wild"}, "AC AD X", [Rank.TWO] * 3),
    ],
)
def test_a_set_of_wilds_is_of_their_own_rank_or_of_the_lowest(
    limits: dict[str, object], wilds: str, stand_for: list[Rank]
) -> None:
    (meld,) = lay_wilds_alone([*read_hand(wilds)], MeldRules(**limits))  # type: ignore[arg-type]
    assert (meld.kind, write_hand(meld.cards)) == ("set", wilds)
    assert meld.stands_for == tuple(Card(rank) for rank in stand_for)


@pytest.mark.parametrize(("ace", "means"), [("low", "AC 2C 3C 4C"), ("high", "2C 3C 4C 5C")])
def test_a_run_of_wilds_lies_at_the_lowest_places_of_clubs(ace: str, means: str) -> None:
    rules = MeldRules(ace=ace, set_naturals=1)  # type: ignore[arg-type]
    (meld,) = lay_wilds_alone([*read_hand("X X X X")], rules)
    assert meld == Meld("run", read_hand("X X X X"), read_hand(means))


def test_three_wilds_and_no_other_card_are_a_set() -> None:
    """Runs are of four cards or more."""
    jokers = replace(CHICAGO, run_size=4, wilds=("joker",), values={**CHICAGO.values, "joker": 20})
    for rules in (jokers, replace(jokers, max_wilds=3)):
        alone = best_melds(read_hand("X X X"), rules)
        assert (alone.points, [meld.kind for meld in alone.melds]) == (0, ["set"])


@pytest.mark.parametrize(
    ("limits", "naturals", "wilds", "parts"),
    [
        ({"max_wilds": 1}, 3, 1, ((3, 1),)),
        ({"max_wilds": 1}, 4, 2, ((2, 1), (2, 1))),
        ({"max_wilds": 1}, 3, 2, None),
        ({"max_wilds": 2}, 4, 3, ((3, 1), (1, 2))),
        ({"min_naturals": 2}, 4, 4, ((4, 4),)),
        ({"min_naturals": 2}, 1, 2, None),
        ({"min_naturals": 4}, 3, 0, None),
        ({"min_naturals": 4}, 4, 0, ((4, 0),)),
        ({}, 2, 5, ((2, 5),)),
        ({}, 1, 1, None),
        ({"wild_share": "half"}, 3, 3, ((3, 3),)),
        ({"wild_share": "half"}, 2, 3, None),
        ({"set_size": 4, "max_wilds": 2}, 2, 2, ((2, 2),)),
        ({"set_size": 4, "max_wilds": 2}, 2, 1, None),
        ({"max_wilds": 3}, 0, 3, ((0, 3),)),
        ({"max_wilds": 3}, 0, 0, ()),
    ],
)
def test_cards_of_a_rank_are_parted_into_as_few_sets_as_hold_them(
    limits: dict[str, object], naturals: int, wilds: int, parts: tuple[tuple[int, int], ...] | None
) -> None:
    assert parted_sets(MeldRules(**limits), naturals, wilds) == parts  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        ("AC 2H 3C", ["AC 2H 3C"]),
        ("AH 2H 3H AC 2C 3C", ["AC 2C 3C", "AH 2H 3H"]),
        ("AH 2D 3H AC 2C 3C", ["AC 2C 3C", "AH 2D 3H"]),
        ("AC 2H 3C 4C 7C 7D X", ["7C 7D X", "AC 2H 3C 4C"]),
        ("2C 2D 2H", ["2C 2D 2H"]),
        ("AC 2H 3C X 5C", ["AC 2H 3C X 5C"]),
    ],
)
def test_a_two_of_any_suit_lies_as_the_two_that_a_run_wants(hand: str, laid: list[str]) -> None:
    """Its own suit's two lies in a run if it is held."""
    rules = replace(CHICAGO, wilds=("2", "joker"), wild_scope="own_rank_any_suit")
    rules = replace(rules, values={**CHICAGO.values, "joker": 20})
    for limits in (None, 2):
        melds = best_melds(read_hand(hand), replace(rules, max_wilds=limits)).melds
        assert [write_hand(meld.cards) for meld in melds] == laid


@pytest.mark.parametrize(
    ("ace", "lies", "cards", "laid_off"),
    [
        ("corner", "QH KH AH", "2H 3H JH 5H", "2H 3H JH"),
        ("corner", "KH AH 2H", "3H 4H JH", "3H 4H"),
        ("either", "QH KH AH", "2H 3H JH", "JH"),
        ("either", "AH 2H 3H", "KH 4H", "4H"),
        ("high", "JH QH KH", "AH 9H", "AH"),
    ],
)
def test_a_run_goes_on_past_the_ace_only_round_the_corner(
    ace: str, lies: str, cards: str, laid_off: str
) -> None:
    rules = replace(LOW, ace=ace, wilds=(), values=CHICAGO.values)  # type: ignore[arg-type]
    meld = Meld("run", read_hand(lies), read_hand(lies))
    beside = best_beside(read_hand(cards), [meld], rules)
    assert set(beside.laid_off) == set(read_hand(laid_off))


@pytest.mark.parametrize(
    ("run_max", "cards", "laid_off"),
    [(5, "8H KC", ""), (6, "8H KC", "8H"), (6, "8H 9H", "8H"), (7, "8H 9H", "8H 9H")],
)
def test_no_run_grows_longer_than_a_run_may_be(run_max: int, cards: str, laid_off: str) -> None:
    """3 to 7 of hearts lie there."""
    rules = replace(LOW, run_max=run_max, values={**CHICAGO.values, "joker": 0})
    lies = Meld("run", read_hand("3H 4H 5H 6H 7H"), read_hand("3H 4H 5H 6H 7H"))
    assert write_hand(best_beside(read_hand(cards), [lies], rules).laid_off) == laid_off
