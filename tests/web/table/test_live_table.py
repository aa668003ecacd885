"""What is live at a table: every change, whose phone is there, the end and the rematch."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.phones.presence import FOLDER, SECONDS, forget_all
from companion.store.authors import Author
from tests.leagues.game_driver import Table
from tests.support.reports import ANN, CLEO
from tests.visits.browserless import places
from tests.visits.pages import Page, attribute, words
from tests.visits.phones import Site

from .phones_at_table import Party, party


def test_live_says_nothing_while_nothing_changes_and_something_after_each_change(
    harpers: Party,
) -> None:
    seen: list[str] = []

    def moved() -> None:
        """Every phone sees the same new state, and then nothing more."""
        answers = [
            phone.send(f"{harpers.path}/live?stays=1&wait=1&seen={seen[-1] if seen else ''}")
            for phone in (harpers.ann, harpers.bob, harpers.eve)
        ]
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        (mark,) = {answer.text for answer in answers}
        assert mark not in seen, "a state that was there before: a page would stay stale"
        seen.append(mark)
        assert harpers.bob.send(f"{harpers.path}/live?seen={mark}").text == mark
        page = harpers.ann.show(harpers.path)
        assert page.all("[data-live]")[0].attrs["data-mark"] == mark

    moved()
    harpers.says(harpers.bob, "I went out")
    moved()
    harpers.ann.press(harpers.ann.show(harpers.path).form("/endings/back"))
    moved()
    harpers.says(harpers.bob, "I went out")
    moved()
    harpers.tells(harpers.cleo, cards="K")
    moved()
    harpers.tells(harpers.cleo, cards="A")
    moved()
    harpers.tells(harpers.ann, seat=CLEO, cards="9")
    moved()
    choice = next(
        form for form in harpers.ann.show(harpers.path).forms() if form.action.endswith("/choices")
    )
    harpers.ann.press(choice)
    moved()
    confirm = {"csrf_token": harpers.bob.token(), "device": "3", "told": "2"}
    harpers.bob.post(f"{harpers.path}/hands/1/2/confirmations", confirm)
    moved()
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    moved()
    harpers.ann.press(harpers.review().form(), "save")
    moved()
    harpers.ann.press(harpers.ann.show(f"{harpers.path}?saved=2").form("/restorations"))
    moved()


@pytest.fixture
def noted(app: Flask) -> Iterator[Path]:
    """Where it lies who is here: nobody yet, and nobody after."""
    folder = Path(app.instance_path)
    forget_all(folder)
    yield folder / FOLDER
    forget_all(folder)


def here(table: Page) -> list[str]:
    """Name the players whose phones the table shows as connected."""
    marks = [one for one in table.elements if "data-phones" in (one.attrs or {})]
    shown = [one.parent for one in marks if "hidden" not in (one.attrs or {}) and one.parent]
    return [words(one).removesuffix(" ●connected") for one in shown if one.tag == "span"]


def test_the_table_shows_whose_phone_asked_in_the_last_seconds(harpers: Party, noted: Path) -> None:
    """Beside a state that stays the same, and never to another league."""
    assert here(harpers.ann.show(harpers.path)) == []
    harpers.mine(harpers.bob)
    table = harpers.ann.show(harpers.path)
    assert here(table) == ["Bob"], "a hidden page asks nothing"
    harpers.cleo.send(f"{harpers.path}/live")
    (live,) = table.all("[data-live]")
    still = harpers.ann.send(attribute(live, "data-live"))
    assert (still.text, still.headers["X-Here"]) == (attribute(live, "data-mark"), "2 3")
    odd = f"{harpers.path}/live?phones=2-x--9-3-" + "9-" * 500
    assert harpers.ann.send(odd).headers["X-Here"] == "2 3"
    assert "X-Here" not in harpers.eve.send(f"{harpers.path}/live").headers
    devs = Table.start(Author(2, 5), "Dev", "Fay", "Gil").game_id
    assert harpers.dev.send(f"/games/{devs}/live?phones=2-3").headers["X-Here"] == ""
    long_ago = time.time() - SECONDS - 1
    os.utime(noted / "1-2", (long_ago, long_ago))
    assert here(harpers.ann.show(harpers.path)) == ["Cleo"]
    harpers.says(harpers.bob, "I went out")
    assert here(harpers.ann.show(harpers.path)) == ["Bob", "Cleo"]


def test_who_looks_at_another_game_is_not_at_this_table(harpers: Party, noted: Path) -> None:
    other = Table.start(harpers.table.author).game_id
    harpers.mine(harpers.bob)
    harpers.mine(harpers.cleo)
    assert here(harpers.ann.show(harpers.path)) == ["Bob", "Cleo"]
    harpers.bob.show(f"/games/{other}")
    assert here(harpers.ann.show(harpers.path)) == ["Cleo"]
    assert here(harpers.ann.show(f"/games/{other}")) == ["Bob"]
    harpers.mine(harpers.bob)
    assert here(harpers.ann.show(harpers.path)) == ["Bob", "Cleo"]


def test_who_looks_at_another_game_is_told_where_their_hand_is_awaited(harpers: Party) -> None:
    """Cleo's, from when Bob goes out until it is in; Bob has none, and Ann and Eve no seat."""
    with_cleo = Table.start(harpers.table.author, "Ann", "Cleo", "Dan").game_id
    without = Table.start(harpers.table.author, "Ann", "Dan", "Fay").game_id
    way = f"{harpers.path}/mine"
    pages = [f"/games/{game}{page}" for game in (with_cleo, without) for page in ("", "/mine")]
    looking = {"Bob": harpers.bob, "Cleo": harpers.cleo, "Eve": harpers.eve}

    def hears() -> list[str]:
        """Who is sent to the table that waits, by every page of the others."""
        words = "Your hand is awaited at another table, Contract Rummy."
        told = []
        for name, phone in looking.items():
            shown = [phone.show(page) for page in pages]
            links = [[link.attrs["href"] for link in page.all("a[href]")] for page in shown]
            assert [words in page.text for page in shown] == [way in hrefs for hrefs in links]
            told += [name for page in shown if words in page.text]
        return told

    assert hears() == []
    harpers.says(harpers.bob, "I went out")
    assert hears() == ["Cleo"] * len(pages)
    assert "awaited" not in harpers.mine(harpers.cleo).text, "here it is entered"
    harpers.tells(harpers.cleo, cards="K")
    assert hears() == []
    harpers.tells(harpers.ann, seat=CLEO, cards="9")
    assert hears() == ["Cleo"] * len(pages), "it is there in two ways"
    harpers.tells(harpers.ann, seat=CLEO, cards="K")
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.save()
    assert hears() == []


def test_a_table_is_shown_where_nobody_can_be_noted(harpers: Party, noted: Path) -> None:
    noted.write_text("no folder")
    harpers.mine(harpers.bob)
    table = harpers.ann.show(harpers.path)
    noted.unlink()
    assert (table.heading, here(table)) == ("Contract Rummy", [])


@pytest.fixture
def chicago(site: Site, ann: Author) -> Party:
    """A game that is over after one round, which Bob won."""
    chicago = party(site, ann, "chicago")
    chicago.says(chicago.bob, "I knocked")
    chicago.tells(chicago.bob, cards="4")
    chicago.tells(chicago.ann, seat=ANN, total="101")
    chicago.tells(chicago.ann, seat=CLEO, total="102")
    assert places(chicago.save()) == ["1. Bob: 4", "2. Ann: 101", "3. Cleo: 102"]
    return chicago


def test_the_end_of_the_game_is_live_too(chicago: Party) -> None:
    assert chicago.bob.send(f"{chicago.path}/live").text.endswith(".finished")
    for phone in (chicago.ann, chicago.bob, chicago.cleo, chicago.eve):
        for address in ("", "/mine", "/far"):
            phone.show(f"{chicago.path}{address}")


def test_every_phone_follows_its_player_into_the_rematch(chicago: Party) -> None:
    """Bob's page goes on to the next game by itself; Eve, who only looks on, has no seat there."""
    before = chicago.bob.send(f"{chicago.path}/live")
    again = chicago.ann.press(chicago.ann.show(chicago.path).form("/rematch"))
    after = chicago.bob.send(f"{chicago.path}/live?wait=1&seen={before.text}")
    assert after.text == f"{before.text}.{again.path.rpartition('/')[2]}"
    assert chicago.bob.send(f"{chicago.path}/mine").location == f"{again.path}/mine"
    assert chicago.bob.show(f"{again.path}/mine").heading == "Bob"
    assert chicago.eve.send(f"{chicago.path}/live").text == before.text
    table = chicago.eve.show(chicago.path)
    assert "The next game has begun." in table.text
    assert table.link(again.path) == again.path
    (live,) = table.all("[data-live]")
    told = chicago.eve.send(attribute(live, "data-live")).text
    assert told == attribute(live, "data-mark") == after.text
    assert chicago.eve.send(f"{chicago.path}/far").location == f"{again.path}/far"
    assert "No seat on this phone" in chicago.eve.show(f"{chicago.path}/mine").heading
