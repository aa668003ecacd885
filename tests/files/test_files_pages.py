"""Taking a league home and bringing one in, page by page as its owner would."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import time
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from companion.files import exchange
from companion.files.csv_tables import cell
from companion.store.authors import Author, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, Game, db
from tests.leagues.game_driver import Table, scoring
from tests.support.reports import OUT, left
from tests.visits.browserless import game_of, start
from tests.visits.pages import Page
from tests.visits.phones import Phone, Site


def with_a_game(phone: Phone, *names: str, league: str = "The Harpers") -> Phone:
    """A league in which the first of three won a whole game; what is played is no matter here."""
    game_id = int(game_of(start(phone, "contract-rummy", *names, league_name=league)).split("/")[2])
    with phone.site.app.app_context():
        game = db.session().get_one(Game, game_id)
        owner = select(Device.id).where(Device.league_id == game.league_id)
        author = Author(game.league_id, db.session().execute(owner).scalar_one(), "scorekeeper")
        table = Table(author, game_id, game.revision)
        for _ in range(7):
            table.change(scoring({0: OUT, 1: left("K"), 2: left("A")}), "scored")
    return phone


def home(phone: Phone) -> bytes:
    """The league as one file, as the phone takes it home."""
    answer = phone.send("/league/files/league.json")
    assert answer.status_code == 200
    return gzip.decompress(answer.data)


def uids(data: bytes) -> list[str]:
    return [game["uid"] for game in json.loads(data)["games"]]


def tables(phone: Phone) -> dict[str, list[list[str]]]:
    answer = phone.send("/league/files/tables.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        return {
            name: list(csv.reader(io.StringIO(archive.read(name).decode("utf-8-sig"), newline="")))
            for name in archive.namelist()
        }


def look(phone: Phone, data: bytes, status: int = 200) -> Page:
    """Choose a file and look it over."""
    form = {"csrf_token": phone.token(), "file": (io.BytesIO(data), "league.json")}
    return phone.post("/league/files/looks", form, status)


def test_a_league_moves_to_a_phone_that_has_none(house: Site) -> None:
    """The file is read just as it was given."""
    answer = with_a_game(house.phone(), "Ann", "Bob", "Cleo").send("/league/files/league.json")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="the-harpers.json.gz"'
    bob = house.phone()
    page = look(bob, answer.data)
    assert page.heading == "What would change"
    assert "A new league, The Harpers." in page.text
    assert bob.show("/").heading.startswith("Rummy night,")
    done = bob.press(page.form())
    assert "Imported The Harpers" in done.text
    assert "Ann" in bob.show("/league").text
    assert home(bob) == gzip.decompress(answer.data)


def test_a_league_is_merged_after_a_look_and_undone(house: Site) -> None:
    data = home(with_a_game(house.phone(), "Ann", "Bob", "Cleo"))
    dev = with_a_game(house.phone(), "Dev", "Ann", "Eve", league="Dev's club")
    before, league = home(dev), house.league(2)
    page = look(dev, data)
    assert house.league(2) == league
    for words in ("1 game is new.", "New in the list of players: Bob, Cleo.", "Here already: Ann."):
        assert words in page.text
    merge, apart = page.forms()
    done = dev.press(merge)
    assert "The Harpers" in done.text
    assert len(uids(home(dev))) == 2
    assert dev.press(merge).text == done.text, "a second tap changes nothing"
    undone = dev.press(done.form("/undoings"))
    assert "(undone)" in undone.text
    assert uids(home(dev)) == uids(before)
    assert "Undo" not in undone.text
    again = look(dev, data)
    assert "1 game was taken out here before and comes back." in again.text
    assert apart.action == "/league/files/imports"


def test_a_league_can_be_kept_apart(house: Site) -> None:
    data = home(with_a_game(house.phone(), "Ann", "Bob", "Cleo"))
    dev = with_a_game(house.phone(), "Dev", "Ann", "Eve", league="Dev's club")
    _, apart = look(dev, data).forms()
    dev.press(apart, "new")
    assert dev.show("/league").say(".brand") == "The Harpers"


def test_a_file_that_is_not_all_there_changes_nothing(house: Site) -> None:
    ann = with_a_game(house.phone(), "Ann", "Bob", "Cleo")
    whole, league = ann.send("/league/files/league.json").data, house.league(1)
    for damaged in (whole[:-1], whole[: len(whole) // 2], whole[:12], whole + b"more"):
        page = look(house.phone(), damaged, 422)
        assert "The file is damaged or not all there." in page.faults
    edited = bytearray(whole)
    edited[len(whole) // 2] ^= 1
    look(house.phone(), bytes(edited), 422)
    assert house.league(1) == league


def test_a_pasted_league_is_read_too(house: Site) -> None:
    data = home(with_a_game(house.phone(), "Ann", "Bob", "Cleo"))
    bob = house.phone()
    form = bob.show("/league/files").form()
    form.fill("text", data.decode())
    assert "A new league, The Harpers." in bob.press(form, status=200).text


@pytest.mark.parametrize("data", [b"", b"{", b"PK\x03\x04", b'{"format": "other"}', b"\xff" * 99])
def test_what_is_no_league_is_refused_with_the_page(house: Site, data: bytes) -> None:
    dev = with_a_game(house.phone(), "Dev", "Ann", "Eve")
    league = house.league(1)
    assert look(dev, data, 422).faults.startswith("There's a problem")
    assert house.league(1) == league
    assert not list((Path(house.app.instance_path) / "imports").glob("*"))


def test_large_files_pass_here_and_nowhere_else(house: Site) -> None:
    phone = with_a_game(house.phone(), "Ann", "Bob", "Cleo")
    blank = b" " * 300_000
    assert "2 games" not in look(phone, home(phone) + blank).text
    form = {"csrf_token": phone.token(), "text": "x" * 300_000}
    phone.post("/house/files", form, 413)
    phone.post("/league/files/imports", form, 413)


def test_only_the_phone_that_sent_a_file_can_bring_it_in(house: Site) -> None:
    ann = with_a_game(house.phone(), "Ann", "Bob", "Cleo")
    kept = look(ann, home(ann)).forms()
    (name,) = (path.name for path in (Path(house.app.instance_path) / "imports").iterdir())
    dev = with_a_game(house.phone(), "Dev", "Ann", "Eve", league="Dev's club")
    for stolen in (name, f"../{name}", "../../secret_key", "x"):
        form = {"csrf_token": dev.token(), "file": stolen, "key": "k", "into": "ours"}
        page = dev.post("/league/files/imports", form, 422)
        assert "Please choose the file again." in page.faults
    assert kept


def test_a_phone_keeps_one_file_and_an_address_few(house: Site) -> None:
    folder = Path(house.app.instance_path) / "imports"
    ann = with_a_game(house.phone(), "Ann", "Bob", "Cleo")
    data = home(ann)
    look(ann, data)
    look(ann, data)
    assert len(list(folder.iterdir())) == 1
    for _ in range(5):
        look(house.phone(), data)
    assert len(list(folder.iterdir())) == 3


def test_files_of_others_refuse_no_look_and_take_no_small_file_s_room(house: Site) -> None:
    ann = with_a_game(house.phone(), "Ann", "Bob", "Cleo")
    data, folder = home(ann), Path(house.app.instance_path) / "imports"
    merge = look(ann, data).forms()[0]
    (anns,) = folder.iterdir()
    for number in range(20):
        other = folder / f"{number:064x}-{number:032x}.{number:016x}"
        other.touch()
        os.truncate(other, 20 * 2**20)
        os.utime(other, (time.time() - 60, time.time() - 60))
    os.utime(anns, (time.time() - 900, time.time() - 900))
    eve = house.phone()
    eve.client.environ_base["REMOTE_ADDR"] = "198.51.100.7"
    look(eve, data)
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 256 * 2**20
    assert anns.exists()
    ann.press(merge)


def test_only_an_owner_has_files(house: Site) -> None:
    ann = with_a_game(house.phone(), "Ann", "Bob", "Cleo")
    token = ann.token()
    with house.engine.execution_options(writing=True).begin() as connection:
        connection.execute(update(Device).values(role="scorekeeper"))
    for address in ("", "/league.json", "/tables.zip"):
        ann.show(f"/league/files{address}", 403)
    for address in ("looks", "imports", "undoings"):
        ann.post(f"/league/files/{address}", {"csrf_token": token, "act": "1"}, 403)


def test_a_league_brought_in_at_the_server_is_owned_by_one_phone(house: Site) -> None:
    data = home(with_a_game(house.phone(), "Ann", "Bob", "Cleo"))
    with house.app.app_context():
        exchange.import_document(exchange.read_document(data), "k", token="the code")
    page = (bob := house.phone()).show("/claims/the%20code")
    assert "The Harpers is waiting for its owner's phone" in page.text
    assert bob.show("/").heading.startswith("Rummy night,"), "looking changes nothing"
    bob.press(page.form())
    assert bob.show("/league").say(".brand") == "The Harpers"
    assert home(bob) == data
    eve = house.phone()
    eve.show("/claims/the%20code", 404)
    form = {"csrf_token": eve.token()}
    eve.post("/claims/the%20code", form, 404)
    bob.post("/claims/the%20code", {"csrf_token": bob.token()}, 404)


def test_a_league_waits_a_week_for_its_owner(house: Site) -> None:
    data = home(with_a_game(house.phone(), "Ann", "Bob", "Cleo"))
    with house.app.app_context():
        exchange.import_document(exchange.read_document(data), "k", token="the code")
        for days, status in ((6, 200), (8, 404)):
            with writing() as session:
                made = now() - timedelta(days=days)
                mine = update(Device).where(Device.token_hash == token_hash("the code"))
                session.execute(mine.values(created_at=made))
            house.phone().show("/claims/the%20code", status)


def test_the_tables_say_what_was_played(house: Site) -> None:
    phone = with_a_game(house.phone(), "Ann", "Bob", "Cleo")
    found = tables(phone)
    assert {name: rows[0][0] for name, rows in found.items()} == {
        "games.csv": "game",
        "places.csv": "game",
        "lines.csv": "game",
        "players.csv": "name",
        "standings.csv": "season",
    }
    assert [row[3:] for row in found["places.csv"][1:]] == [
        ["1", "Ann", "1", "1", "0"],
        ["2", "Bob", "2", "0", "70"],
        ["3", "Cleo", "3", "0", "105"],
    ]
    assert [row[6:] for row in found["lines.csv"][1:4]] == [
        ["Ann", "out", "0"],
        ["Bob", "", "10"],
        ["Cleo", "", "15"],
    ]
    assert found["standings.csv"][1] == ["All time", "1", "Ann", "1", "1", "1"]
    assert found["players.csv"][1:] == [[name, "", "no"] for name in ("Ann", "Bob", "Cleo")]


def test_no_cell_is_a_formula(house: Site) -> None:
    phone = with_a_game(house.phone(), "=1+1", "@SUM(A1)", "-5")
    found = tables(phone)
    assert [row[0] for row in found["players.csv"][1:]] == ["'-5", "'=1+1", "'@SUM(A1)"]
    assert [row[4] for row in found["places.csv"][1:]] == ["'=1+1", "'@SUM(A1)", "'-5"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *[("=1", "'=1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\ta", "'\ta")],
        *[("\ra", "'\ra"), (-1, -1), (0, 0), (None, ""), (False, "no"), ("a=1", "a=1")],
    ],
)
def test_a_cell(value: Any, shown: object) -> None:
    assert cell(value) == shown
