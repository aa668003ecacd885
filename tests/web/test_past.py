"""Old scores from a spreadsheet: given, looked at, brought in, undone; by members and strangers."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from companion.files.exchange import importing
from companion.store.dates import today
from companion.store.models import db
from companion.upkeep.integrity import all_faults
from companion.upkeep.recount import recount
from tests.visits.browserless import start, totals
from tests.visits.pages import Page, attribute
from tests.visits.phones import Phone, Site
from tests.visits.roles import harpers_on

SAMPLES = Path(__file__).parents[1] / "files" / "past" / "samples"
PASTED = "Date,Game,Ann,Bob\n2020-05-01,Zioncheck,10,85\n2020-05-02,Zioncheck,40,5\n"


def give(phone: Phone, data: bytes, name: str, code: int = 200) -> Page:
    form = phone.show("/league/past").form("/past/looks").data()
    return phone.post(
        "/league/past/looks",
        form | {"file": (io.BytesIO(data), name)},
        code,
        content_type="multipart/form-data",
    )


def paste(phone: Phone, text: str, status: int = 200) -> Page:
    form = phone.show("/league/past").form("/past/looks")
    form.typed["text"] = text
    return phone.press(form, status=status)


def bring(phone: Phone, looked: Page, **chosen: str) -> Page:
    form = looked.form("/past/looks").data() | chosen
    return phone.post("/league/past/imports", form, 303)


def test_a_stranger_s_scores_become_a_league_of_their_own(site: Site) -> None:
    ann = site.phone()
    assert ann.show("/").link("/league/past")
    looked = give(ann, (SAMPLES / "league-by-game.csv").read_bytes(), "evenings.csv")
    assert "5 games, 2023 Ida, Kim, Lou, Max and Jon" in looked.text
    assert "14 January 2023 · Contract Rummy Ida 50, Kim 215, Lou 350 totals only" in looked.text
    bring(ann, looked)
    page = ann.show("/league/past")
    assert "5 games" in page.text
    over = ann.show("/games/1")
    assert "Ida wins by 165 points" in over.text
    assert "Only the totals are known." in over.text
    assert not over.text.count("Best ")
    assert "Our league" in ann.show("/league").text
    assert ann.show("/league/games").text.count("Contract Rummy 1.") == 5
    ann.press(page.form("/undoings"))
    assert "undone" in ann.show("/league/past").text
    assert "Contract Rummy 1." not in ann.show("/league/games").text


def test_what_was_seen_is_what_is_stored(site: Site) -> None:
    """A sheet with its deals: the choices of the page, then a game like any other."""
    ann = site.phone()
    looked = give(ann, (SAMPLES / "one-sheet.csv").read_bytes(), "sheet.csv")
    assert "Which game" in looked.text
    refused = ann.post("/league/past/imports", looked.form("/past/looks").data(), 422)
    assert refused.faults.endswith("Say which game. Say which day.")
    form = refused.form("/past/looks").data()
    bring(ann, refused, **{"game-0": "contract-rummy", "day": "2001-12-24"})
    assert form["file"] == looked.form("/past/looks").data()["file"]
    over = ann.show("/games/1")
    assert totals(over) == [153, 250, 170, 240]
    assert "24 December 2001" in over.text
    assert "Ann led from deal 6 on." in over.text


def test_a_choice_redraws_the_preview(lone: Phone) -> None:
    looked = give(lone, (SAMPLES / "running-totals.csv").read_bytes(), "r.csv")
    assert "Ella 187" in looked.text
    form = looked.form("/past/looks").data()
    again = lone.post("/league/past/looks", form | {"row": "deals"}, 200)
    assert "Ella 668" in again.text


def test_a_game_that_nobody_knows_becomes_one_of_the_league(lone: Phone) -> None:
    played = (SAMPLES / "bgstats.json").read_bytes().replace(b"Skyjo", b"Blitz")
    unknown = give(lone, played, "export.bgsplay")
    assert "Which game Blitz is" in unknown.text
    bring(lone, unknown)
    assert lone.show("/league/games").text.count("Blitz 1.") == 2
    assert "Blitz" in lone.show("/rules").text


def test_the_same_file_twice_brings_nothing_in_twice(lone: Phone) -> None:
    bring(lone, paste(lone, PASTED))
    again = paste(lone, PASTED)
    assert "The league has 2 of these games already" in again.text
    assert "2 games are left out." in again.text
    assert lone.post("/league/past/imports", again.form("/past/looks").data(), 422)
    form = again.form("/past/looks").data() | {"duplicates": "yes"}
    both = lone.post("/league/past/looks", form, 200)
    assert "2 games, 2020" in both.text
    bring(lone, both)
    assert lone.show("/league/games").text.count("Zioncheck 1.") == 4


def test_a_longer_list_brings_in_just_what_is_new(lone: Phone) -> None:
    once = "Date,Game,Ann,Ben\n" + "2024-01-05,Hearts,1,0\n" * 2 + "2024-01-05,Hearts,0,1\n"
    bring(lone, paste(lone, once))
    longer = paste(lone, f"{once}2024-01-05,Hearts,1,0\n")
    assert "The league has 3 of these games already" in longer.text
    bring(lone, longer)
    assert lone.show("/league/games").text.count("1. Ben") == 3


def test_a_double_tap_brings_in_once(lone: Phone) -> None:
    looked = paste(lone, PASTED)
    form = looked.form("/past/looks").data()
    for _ in range(2):
        lone.post("/league/past/imports", form, 303)
    assert lone.show("/league/past").text.count("2 games") == 1


def test_playing_again_plays_by_the_rules_and_not_by_the_sheet(lone: Phone) -> None:
    bring(lone, paste(lone, PASTED))
    table = lone.press(lone.show("/games/1").form("/rematch"))
    assert "Deal 1 of" in table.text or "Hand 1 of" in table.text


def test_a_league_s_own_people_are_known_and_others_asked_about(lone: Phone) -> None:
    start(lone, "zioncheck", "Ben", "May")
    looked = give(lone, (SAMPLES / "names.csv").read_bytes(), "names.csv")
    assert "Is ben the same as Ben?" in looked.text
    chosen = {"game-0": "zioncheck", "who-0": "May", "who-1": "Ben"}
    bring(lone, looked, **chosen)
    people = lone.show("/league/people").text
    assert "Aunt May" not in people
    assert "names.csv, 2020, 3 players, " in lone.show("/league/past").text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "Choose a file, or paste your table."),
        (b"\x7fELF\x00\x00", "This isn't a table that can be read."),
        (b"Shopping,Price\nMilk,1.20\n", "No players with whole numbers were found."),
        (b"{}", "neither an export of ours nor one of BG Stats"),
        (b"," * 5_000, "This table is too large"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_stored(site: Site, data: bytes, said: str) -> None:
    phone = site.phone()
    before = site.dump()
    assert said in give(phone, data, "x.csv", 422).faults
    assert site.dump() == before


def test_days_to_come_and_winners_that_are_none_are_said(lone: Phone) -> None:
    year = today().year + 2
    looked = paste(lone, f"Date,Game,Ann,Bob,Winner\n{year}-01-02,Zioncheck,5,10,Bob\n")
    assert f"{year}-01-02: the file says Bob won, by points it is Ann." in looked.text
    assert f"{year}-01-02 is still to come." in looked.text


def test_an_export_of_ours_goes_the_way_of_exports(site: Site) -> None:
    ann, bob = site.phone(), site.phone()
    bring(ann, paste(ann, PASTED))
    exported = ann.raw("/league/files/league.json").data
    looked = give(bob, exported, "league.json.gz")
    assert "This file holds the league Our league." in looked.text


def test_the_past_stands_in_every_list_like_any_game(lone: Phone) -> None:
    """Standings, people, head to head, records and the year; totals are no hands of one deal."""
    bring(lone, give(lone, (SAMPLES / "nights.xlsx").read_bytes(), "nights.xlsx"))
    assert "Abe" in lone.show("/league?season=all").text
    assert "Abe" in lone.show("/league/rivals").text
    abe = next(link for link in lone.show("/league?season=all").links() if "/players/" in link)
    assert "wins of 6" in lone.show(abe).text
    records = lone.show("/league/records").text
    assert "Zioncheck" in records
    assert "Highest total 345" in records
    assert "in one deal" not in records, "a total of a game is not what one deal cost"
    assert "Carioca" in lone.show("/league/years/2024").text


def test_the_day_that_is_shown_is_the_day_that_is_stored(lone: Phone) -> None:
    looked = paste(lone, "Date,Game,Ann,Bob\n01/05/2023,Zioncheck,5,9\n02/03/2023,Zioncheck,5,10\n")
    assert "5 January 2023" in looked.text
    bring(lone, looked)
    assert "5 January 2023" in lone.show("/games/1").text


def test_a_scorekeeper_takes_back_what_they_brought_and_nothing_else(house: Site) -> None:
    """A whole league's file is the owner's to undo, by this page as by that of files."""
    phones = harpers_on(house).phones
    owner, keeper = phones["owner"], phones["scorekeeper"]
    bring(owner, paste(owner, PASTED))
    act = owner.show("/league/past").form("/undoings").page.one("button[name=act]")
    before = house.dump()
    assert "Undo this import" not in keeper.show("/league/past").text
    sent = {"csrf_token": keeper.token(), "act": attribute(act, "value")}
    keeper.post("/league/past/undoings", sent, 422)
    assert house.dump() == before
    bring(keeper, paste(keeper, PASTED.replace("2020", "2021")))
    keeper.press(keeper.show("/league/past").form("/undoings"), "Undo this import")
    assert "undone" in keeper.show("/league/past").text
    assert owner.show("/league/games").text.count("Zioncheck 1.") == 2


def test_a_recount_and_the_doctor_find_nothing_wrong_with_the_past(lone: Phone) -> None:
    """Points that no cards make, a minus, totals only: posted as they stood on the paper."""
    for name in ("one-sheet.csv", "wrong-total.csv", "nights.xlsx"):
        looked = give(lone, (SAMPLES / name).read_bytes(), name)
        chosen = {"game-0": "zioncheck", "day": "2001-12-24"}
        asked = {field: value for field, value in chosen.items() if field in looked.response.text}
        bring(lone, looked, **asked)
    with lone.client.application.app_context():
        assert [drift.words for drift in recount(1, lambda _done, _all: None)] == []
        assert list(all_faults(db.session())) == []


@pytest.mark.parametrize(
    "name",
    [
        "Scores of our game evenings 2021.csv",
        "two  blanks.csv",
        "cafe\u0301.csv",
        "soft\u00adhyphen.csv",
        "\ufdfa" * 60,
        "\u200b.csv",
        "x" * 300,
    ],
)
def test_a_file_s_name_decides_nothing(lone: Phone, name: str) -> None:
    bring(lone, give(lone, PASTED.encode(), name))
    assert "2 games" in lone.show("/league/past").text


def test_what_broke_off_is_not_said_to_be_in_and_the_same_form_brings_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        """The process ends."""

    def kill(*_: object) -> None:
        raise KilledError

    ann = site.phone()
    start(ann, "zioncheck", "Ann", "Bob")
    form = paste(ann, PASTED).form("/past/looks").data()
    with monkeypatch.context() as broken:
        broken.setattr(importing, "store_games", kill)
        with pytest.raises(KilledError):
            ann.client.post("/league/past/imports", data=form)
    assert "2 games" not in ann.show("/league/past").text
    ann.post("/league/past/imports", form, 303)
    assert ann.show("/league/past").text.count("2 games") == 1


@pytest.mark.parametrize("winner", ["Tie", "Draw", "Anne", ""])
def test_a_winner_who_does_not_play_is_no_fault_of_the_program(lone: Phone, winner: str) -> None:
    bring(lone, paste(lone, f"Date,Game,Ann,Bob,Winner\n2020-05-01,Blitz,10,85,{winner}\n"))
    assert "1 game" in lone.show("/league/past").text


def test_nested_objects_are_refused_in_a_sentence(lone: Phone) -> None:
    data = b'{"games":' + b'[{"a":' * 50_000
    assert "neither an export" in give(lone, data, "x.json", 422).faults
