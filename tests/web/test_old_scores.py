"""Old score sheets: typed in as they stand, checked by their own sums, kept as one game."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from urllib.parse import urlencode

import pytest
from sqlalchemy import select, update

from companion.files.past import PastGame, cross_check
from companion.games.from_paper import write_down
from companion.games.record import Record, SeatRecord
from companion.rules import all_games, extend, load
from companion.store.database import writing
from companion.store.models import Device, Game, History, db
from companion.upkeep.recount import game_drift
from tests.visits.browserless import bring_in, places, start, totals
from tests.visits.pages import Filled, Page, attribute
from tests.visits.phones import Phone, Site

Rows = Sequence[str]
SEVEN_DEALS = (
    "0 25 40 10",
    "30 0 15 20",
    "12 8 25 0",
    "0 35 50 5",
    "45 20 0 60",
    "7 0 33 28",
    "0 90 14 22",
)
ROW_SUMS = "75 65 45 90 125 68 126"
TOTALS = "94 178 177 145"


def grid(
    phone: Phone, game: str, names: str, rows: Rows, sums: str = "", last: str = "", **about: str
) -> Filled:
    """Choose who played, and type the sheet in; `.` leaves a cell empty."""
    asked = {"names": names, "day": "2019-02-03"} | about
    form = phone.show(f"/league/old-scores/{game}?{urlencode(asked)}").form()
    for number, row in enumerate(rows):
        for seat, text in enumerate(row.split()):
            form.fill(f"cell-{number}-{seat}", "" if text == "." else text)
    for number, text in enumerate(sums.split()):
        form.fill(f"sum-{number}", text)
    for seat, text in enumerate(last.split()):
        form.fill(f"total-{seat}", text)
    return form


def save(phone: Phone, form: Filled, button: str = "Save this game") -> Page:
    """Save a sheet, and follow the way to its game."""
    landed = phone.press(form, button)
    assert "1 game of 2019 is in" in landed.text
    return phone.show("/games/2")


@pytest.fixture
def ann(house: Site) -> Phone:
    phone = house.phone()
    start(phone, "zioncheck", "Ann", "Bob")
    return phone


@pytest.mark.parametrize("body", [{}, {"csrf_token": ""}])
def test_a_sheet_that_arrives_empty_is_asked_for_again(lone: Phone, body: dict[str, str]) -> None:
    start(lone, "contract-rummy")
    page = lone.post("/league/old-scores/contract-rummy", body, 422)
    assert "Names" in page.faults or "players" in page.faults


def test_seven_deals_of_contract_rummy_are_one_finished_game(ann: Phone) -> None:
    names = "Ann, Bob, Cleo, Dora"
    form = grid(ann, "contract-rummy", names, SEVEN_DEALS, ROW_SUMS, TOTALS, note="Grandma's book")
    table = save(ann, form)
    assert totals(table) == [94, 178, 177, 145]
    assert places(table)[0].startswith("1. Ann")
    assert "Grandma's book" in table.text
    assert "3 February 2019" in ann.show("/league/games").text
    cell = ann.show("/games/2/deals/1/seats/2")
    assert "Total entered" in cell.text
    assert "Went out" in ann.show("/games/2/deals/1/seats/0").text


def test_the_game_is_one_write_and_can_be_taken_back(ann: Phone) -> None:
    form = grid(ann, "contract-rummy", "Ann, Bob, Cleo, Dora", SEVEN_DEALS)
    save(ann, form)
    save(ann, form)
    with ann.site.app.app_context():
        assert len(db.session.execute(select(Game)).all()) == 2
        told = select(History.action).where(History.game_id == 2).order_by(History.revision)
        assert list(db.session.execute(told).scalars()) == ["started", "typed in"]
    history = ann.show("/games/2/history")
    ann.press(history.forms()[0], "Restore to here")
    assert "7 deals" not in ann.show("/games/2").text
    assert totals(ann.show("/games/2")) == [0, 0, 0, 0]


def test_zip_keeps_points_below_nothing_as_they_are_on_the_paper(ann: Phone) -> None:
    """Ann 24−6+10+0 = 28, Bob −12+30−5+18 = 31, Cleo 8−20+4+40 = 32: the highest wins."""
    rows = ("24 −12 8", "-6 30 -20", "10 -5 4", "0 18 40")
    table = save(ann, grid(ann, "zip-zilch-zero", "Ann, Bob, Cleo", rows, "20 4 9 58", "28 31 32"))
    assert totals(table) == [28, 31, 32]
    assert places(table)[0].startswith("1. Cleo")
    cell = ann.show("/games/2/deals/2/seats/2")
    assert "As on the paper" in cell.text
    assert "−20" in cell.text
    cell = ann.show("/games/2/deals/2/seats/2/points")
    corrected = ann.press(cell.form().fill("seat2-adjust", "-18"), "amend")
    assert totals(ann.show("/games/2")) == [28, 31, 34], corrected.text
    assert "Entered from paper" in ann.show("/games/2/history").text
    with ann.site.app.app_context():
        assert list(game_drift(db.session(), 1, 2)) == []


def test_chicago_is_typed_in_until_one_is_left(ann: Phone) -> None:
    """Cleo has 105 after three rounds, Bob 105 after four."""
    rows = ("10 30 40", "20 35 30", "- 20 35", "5 20 .")
    table = save(ann, grid(ann, "chicago-rummy", "Ann, Bob, Cleo", rows, last="35 105 105"))
    assert [line[:6] for line in places(table)] == ["1. Ann", "2. Bob", "3. Cle"]
    with ann.site.app.app_context():
        assert db.session.get_one(Game, 2).status == "finished"
        assert list(game_drift(db.session(), 1, 2)) == []


def test_points_after_the_end_or_for_who_was_out_are_refused(ann: Phone) -> None:
    out = ("60 70 50", "50 40 10", "10 10 5")
    page = ann.press(grid(ann, "chicago-rummy", "Ann, Bob, Cleo", out), status=422)
    assert "The game was over after round 2: the paper has more." in page.faults
    gone = ("10 20 99", "10 20 1", "5 5 5")
    page = ann.press(grid(ann, "chicago-rummy", "Ann, Bob, Cleo", gone), status=422)
    assert "Round 3: Cleo was already out." in page.faults
    missing = ("0 5 .",)
    page = ann.press(grid(ann, "contract-rummy", "Ann, Bob, Cleo", missing), status=422)
    assert "Deal 1: Cleo has no points. Write 0, or a dash." in page.faults


def test_a_sheet_that_stops_early_is_a_game_that_was_stopped(ann: Phone) -> None:
    ann.press(grid(ann, "contract-rummy", "Ann, Bob, Cleo", ("0 5 10", "20 0 5")))
    with ann.site.app.app_context():
        assert db.session.get_one(Game, 2).status == "stopped"


def test_where_who_is_not_down_pays_double_the_paper_is_kept() -> None:
    """Nobody knows from 25 points whether it was 25, or 12 and a half twice."""
    record = Record(
        variant=extend(load("contract-rummy"), {"scoring": {"not_down": {"double": True}}}),
        decks=2,
        jokers=2,
        first_dealer=0,
        seats=tuple(SeatRecord(player_id=player) for player in (1, 2, 3)),
    )
    deal = write_down(record, [{0: 0, 1: 25, 2: 24}, {0: 10, 1: 0, 2: None}]).record.deals
    assert [one.is_on_paper for one in deal] == [True, True]
    assert [line.tally.declared for line in deal[0].lines.values()] == ["out", "", ""]
    assert [line.points for line in deal[1].lines.values()] == [10, 0, 0]
    assert [line.tally.declared for line in deal[1].lines.values()] == ["", "", ""]


def test_old_scores_go_home_and_come_in_as_they_are(ann: Phone, house: Site) -> None:
    rows = ("24 -12 8", "-6 30 -20", "10 -5 4", "0 18 40")
    ann.press(grid(ann, "zip-zilch-zero", "Ann, Bob, Cleo", rows))
    file = gzip.decompress(ann.send("/league/files/league.json").data)
    bring_in(bob := house.phone(), file)
    home = gzip.decompress(bob.send("/league/files/league.json").data)
    assert home == file


def wrong(cells: dict[tuple[int, int], str]) -> Rows:
    rows = [row.split() for row in SEVEN_DEALS]
    for (deal, seat), text in cells.items():
        rows[deal][seat] = text
    return [" ".join(row) for row in rows]


def test_a_wrong_cell_is_found_by_its_row_and_its_column(ann: Phone) -> None:
    rows = wrong({(2, 2): "52"})
    form = grid(ann, "contract-rummy", "Ann, Bob, Cleo, Dora", rows, ROW_SUMS, TOTALS)
    page = ann.press(form, "Save this game", 422)
    assert "Cleo's deal 3: 25 would make both sums right." in page.faults
    assert "#cell-2-2" in page.links()
    assert "column" not in page.faults
    again = page.form()
    assert again.data()["cell-2-2"] == "52"
    assert again.data()["cell-6-1"] == "90"
    assert again.data()["total-3"] == "145"
    table = save(ann, again.fill("cell-2-2", "25"))
    assert totals(table) == [94, 178, 177, 145]


def test_a_paper_added_up_wrong_is_kept_by_its_cells(ann: Phone) -> None:
    form = grid(ann, "contract-rummy", "Ann, Bob, Cleo, Dora", SEVEN_DEALS, last="94 187 177 145")
    page = ann.press(form, "Save this game", 422)
    assert "Bob's column adds up to 178, the paper says 187: 9 less than on the paper." in page.text
    table = save(ann, page.form(), "save the cells")
    assert totals(table) == [94, 178, 177, 145]


def checked(cells: dict[tuple[int, int], str], totals: str = TOTALS) -> list[str]:
    rows = [row.split() for row in wrong(cells)]
    sheet = PastGame(["Ann", "Bob", "Cleo", "Dora"], rows, are_totals=False, stated=totals.split())
    clashes = cross_check(load("contract-rummy"), sheet, ROW_SUMS.split())
    return [clash.words for clash in clashes]


def test_two_wrong_cells_are_named_only_where_they_are_certain() -> None:
    assert checked({}) == []
    assert checked({(2, 2): "27", (0, 0): "3"}) == [
        "Ann's deal 1: 0 would make both sums right.",
        "Cleo's deal 3: 25 would make both sums right.",
    ]
    assert checked({(2, 2): "27", (0, 0): "2"}) == [
        "Ann's column adds up to 96, the paper says 94: 2 more than on the paper.",
        "Cleo's column adds up to 179, the paper says 177: 2 more than on the paper.",
        "Deal 1 adds up to 77, the paper says 75: 2 more than on the paper.",
        "Deal 3 adds up to 47, the paper says 45: 2 more than on the paper.",
    ]
    assert checked({(2, 2): "26", (3, 2): "53"}) == [
        "Cleo's column adds up to 181, the paper says 177: 4 more than on the paper.",
        "Deal 3 adds up to 46, the paper says 45: 1 more than on the paper.",
        "Deal 4 adds up to 93, the paper says 90: 3 more than on the paper.",
    ]
    assert checked({(2, 2): "26", (2, 1): "7"}) == [
        "Bob's column adds up to 177, the paper says 178: 1 less than on the paper.",
        "Cleo's column adds up to 178, the paper says 177: 1 more than on the paper.",
    ]


def test_what_cannot_be_read_is_said_and_stays(ann: Phone) -> None:
    rows = ("0 x5 10", ". . .", "0 5 10")
    page = ann.press(grid(ann, "contract-rummy", "Ann, Bob, Cleo", rows), status=422)
    assert 'x5" isn' in page.faults
    assert "Deal 2 is empty, but a later one has points." in page.faults
    assert page.form().data()["cell-0-1"] == "x5"
    page = ann.press(grid(ann, "contract-rummy", "Ann, Bob, Cleo", ()), status=422)
    assert "Enter at least one deal." in page.faults
    page = ann.press(grid(ann, "contract-rummy", "Ann, Bob, Cleo", ("0 10000 5",)), status=422)
    assert "10000 points is not possible." in page.faults


def test_who_and_when_are_asked_before_the_grid(ann: Phone) -> None:
    page = ann.show("/league/old-scores/contract-rummy?names=Ann&day=2999-01-01", 422)
    assert page.form().data()["names"] == "Ann"
    page = ann.show("/league/old-scores/contract-rummy?names=Ann,Bob&day=yesterday", 422)
    assert "yesterday is no date" in page.faults
    assert "/league/old-scores" in ann.show("/league/past").links()
    assert "/league/old-scores/contract-rummy" in ann.show("/league/old-scores").links()


def test_a_game_in_which_paper_does_not_say_who_met_what_is_not_offered(ann: Phone) -> None:
    assert "/league/old-scores/the-ten-contracts" in ann.show("/league/old-scores").links()
    start(ann, "the-ten-contracts", rule_until_met="True")
    assert "/league/old-scores/the-ten-contracts" not in ann.show("/league/old-scores").links()
    ann.show("/league/old-scores/the-ten-contracts", 404)


def test_a_game_without_a_last_deal_has_more_rows(ann: Phone) -> None:
    form = grid(ann, "chicago-rummy", "Ann, Bob", ("5 7",))
    page = ann.press(form, "More rows", 200)
    assert len(page.all("tbody tr")) == 30
    assert page.form().data()["cell-0-1"] == "7"


def test_dev_and_lookers_on_type_nothing_in(ann: Phone, house: Site) -> None:
    ann.press(grid(ann, "contract-rummy", "Ann, Bob, Cleo, Dora", SEVEN_DEALS))
    dev = house.phone()
    start(dev, "zioncheck", "Dev", "Eve")
    dev.show("/games/2", 404)
    assert "Grandma" not in dev.show("/league").text
    assert "Cleo" not in dev.show("/league/old-scores/contract-rummy").text
    with house.app.app_context(), writing() as session:
        session.execute(update(Device).where(Device.league_id == 2).values(role="viewer"))
    dev.show("/league/old-scores", 403)
    dev.show("/league/old-scores/contract-rummy", 403)


MINUS = {
    *("zip-zilch-zero", "continental", "continental-spain", "kalooki-jamaica", "liverpool-seven"),
    *("shanghai", "any-game", "canasta", "cribbage", "doppelkopf", "golf", "hearts", "nertz"),
    *("oh-hell", "skat", "skyjo", "spades", "wizard"),
}
"""Games in which a deal can bring points below nothing, by their rules."""


def test_points_can_be_below_nothing_where_the_rules_say_so() -> None:
    assert {variant.key for variant in all_games() if variant.has_minus} == MINUS


@pytest.mark.parametrize("key", ["uno", "contract-rummy", "skyjo", "wizard", "zip-zilch-zero"])
def test_phones_have_a_minus_wherever_points_can_be_below_nothing(ann: Phone, key: str) -> None:
    """Keys of numbers alone have none on iPhones."""
    page = grid(ann, key, "Ann, Bob, Cleo", ())
    keys = "text" if key in MINUS else "numeric"
    assert attribute(page.control("cell-0-0"), "inputmode") == keys
    assert ("for minus" in page.page.text) == (key in MINUS)
