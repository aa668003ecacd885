"""What stands on a blank sheet before anybody plays."""

from companion.rules import load
from companion.scoring.blank_sheet import blank_sheet


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
