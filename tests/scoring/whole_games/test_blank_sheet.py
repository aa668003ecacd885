"""What stands on a blank sheet before anybody plays."""

import pytest

from companion.rules import extend, load
from companion.scoring.blank_sheet import blank_sheet, sheet_sizes


def test_who_deals_is_printed_where_it_goes_in_turn_and_nobody_drops_out() -> None:
    """Contract Rummy deals to the left; in Chicago Rummy who is out deals no more."""
    sheet = blank_sheet(load("contract-rummy"), 4)
    assert [row.dealer for row in sheet.rows] == [0, 1, 2, 3, 0, 1, 2]
    assert {row.dealer for row in blank_sheet(load("chicago-rummy"), 4).rows} == {None}


def test_what_all_deals_share_is_said_once() -> None:
    """King deals ten cards each time and asks for another contract each time."""
    king = blank_sheet(load("king"), 4)
    assert (king.dealt, king.contract) == (10, None)
    assert blank_sheet(load("progressive"), 4).dealt is None
    assert blank_sheet(load("chicago-rummy"), 4).dealt == 7


@pytest.mark.parametrize(
    ("deals", "players", "is_wide", "has_few"),
    [
        (10, 4, False, True),
        (11, 4, False, False),
        (6, 7, True, True),
        (7, 7, True, False),
        (7, 6, False, True),
        (14, 7, True, False),
        (15, 7, False, False),
    ],
)
def test_many_players_and_few_deals_lie_on_the_side_of_the_paper(
    deals: int, players: int, is_wide: bool, has_few: bool
) -> None:
    """Eleven rows fill a sheet that stands, seven one that lies; more than fourteen only stand."""
    game = extend(load("contract-rummy"), {"deals": [{"dealt": 5}] * deals})
    sheet = blank_sheet(game, players)
    assert (sheet.is_wide, sheet.has_few_rows, len(sheet.rows)) == (is_wide, has_few, deals)


def test_where_play_decides_how_many_deals_there_are_rows_fill_the_sheet() -> None:
    until_score = {"length": "until_score", "target": 100, "deals": 0}
    game = extend(load("contract-rummy"), {"ending": until_score})
    assert [len(blank_sheet(game, players).rows) for players in (6, 7)] == [20, 14]


def test_a_sheet_says_whether_each_row_has_a_contract_of_its_own() -> None:
    """Contract Rummy asks for another one each time, Chicago Rummy for none."""
    same = {"contract": {"melds": [{"kind": "set", "size": 3}]}, "dealt": 10}
    always = extend(load("contract-rummy"), {"deals": [same, same]})
    once = extend(load("contract-rummy"), {"deals": [same, {"dealt": 10}]})
    alone = extend(load("contract-rummy"), {"deals": [same]})
    games = (load("contract-rummy"), always, once, alone, load("chicago-rummy"))
    sheets = [blank_sheet(game, 4) for game in games]
    assert [sheet.has_contracts for sheet in sheets] == [True, False, True, False, False]
    assert [sheet.has_dealers for sheet in sheets] == [True, True, True, True, False]


def test_more_than_twelve_players_have_no_sheet() -> None:
    packs = [{"players": [3, 14], "decks": 4}]
    many = {"players": {"min": 3, "max": 14}, "packs": packs}
    crowd = {"players": {"min": 13, "max": 14}, "packs": [{"players": [13, 14], "decks": 4}]}
    sizes = [sheet_sizes(extend(load("contract-rummy"), changes)) for changes in (many, crowd)]
    assert sizes == [range(3, 13), range(12, 13)]
