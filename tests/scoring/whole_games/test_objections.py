"""What corrected scores would have forbidden in deals already played, found in one walk (`I7`)."""

from collections.abc import Sequence
from importlib import import_module
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from companion.cards import Pack
from companion.rules import Variant, extend, find_variant, with_choices
from companion.scoring import PlayedDeal, SeatStay, objections, standing_after
from tests.support.reports import CHICAGO, CONTRACT, RUMMY, TWO_STEPS, ZIP, knock, played, total

GAMES = [
    CONTRACT,
    ZIP,
    TWO_STEPS,
    find_variant("canasta"),
    find_variant("continental"),
    extend(CONTRACT, {"ending": {"tiebreak": "extra_deal"}}),
    *(with_choices(CHICAGO, {"all_out": rule}) for rule in ("lowest", "extra_deal", "replay")),
]


@st.composite
def whole_games(draw: st.DrawFn) -> tuple[Variant, list[SeatStay], list[PlayedDeal]]:
    """Deals of any scores in a row, as nobody would play them, with who came and who left."""
    variant = draw(st.sampled_from(GAMES))
    stays = st.builds(SeatStay, joined=st.integers(1, 3), left=st.none() | st.integers(3, 6))
    seats = draw(st.lists(stays, min_size=2, max_size=4))
    deals = []
    for step in range(1, draw(st.integers(1, 9)) + 1):
        worth = draw(st.lists(st.none() | st.integers(0, 90), min_size=len(seats)))[: len(seats)]
        told = {s: total(n) for s, n in enumerate(worth) if n is not None}
        if told:
            told[min(told)] = draw(st.sampled_from([RUMMY, knock(3), knock(9)]))
        is_void = draw(st.integers(0, 9)) == 0
        deals.append(played(step, *worth, tallies=told, void=is_void))
    return variant, seats, deals


def forbidden(
    variant: Variant, seats: Sequence[SeatStay], deals: Sequence[PlayedDeal]
) -> list[tuple[int, str]]:
    """What each deal's own standing forbids, apart from knocks: the definition, deal by deal."""
    found = []
    for position, deal in enumerate(deals, start=1):
        before = standing_after(variant, seats, deals[: position - 1], 0, Pack(1, 0))
        if deal.void:
            continue
        if before.over:
            found.append((position, "The game was over before this deal."))
            continue
        for seat in sorted(deal.points):
            if before.out_at[seat] is not None:
                found.append((position, f"{seat} was already out."))
            elif seat not in before.playing:
                found.append((position, f"{seat} was not at the table for this deal."))
    return found


@given(whole_games())
def test_objections_are_those_of_each_deals_own_standing(
    game: tuple[Variant, list[SeatStay], list[PlayedDeal]],
) -> None:
    found = [(position, fault.in_words("0123")) for position, fault in objections(*game)]
    assert [one for one in found if " was " in one[1]] == forbidden(*game)


def test_a_long_game_is_added_up_once() -> None:
    deals = [played(step, 1, 2, 3) for step in range(1, 30)]
    # `companion.scoring.course` is the function of that name, not the module.
    module = import_module("companion.scoring.course")
    with patch.object(module, "standing_after", wraps=standing_after) as added_up:
        assert list(objections(CHICAGO, [SeatStay()] * 3, deals)) == []
    assert added_up.call_count == 1
