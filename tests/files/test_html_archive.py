"""A league as one page to keep: everything in it, nothing that runs, nobody else's."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from flask import Flask
from justhtml import JustHTML
from selectolax.lexbor import LexborHTMLParser

from companion.files.html_archive import html_archive
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.full_league import (
    HOSTILE,
    play_every_game,
    play_with_second_thoughts,
)
from tests.leagues.game_driver import Table, counted
from tests.visits.browserless import score, start
from tests.visits.pages import attribute, words
from tests.visits.phones import Phone, Site


def read(phone: Phone) -> LexborHTMLParser:
    """The page as its owner takes it home; it is saved and never shown by the server."""
    answer = phone.send("/league/files/league.html")
    assert answer.status_code == 200
    assert answer.mimetype == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert JustHTML(answer.text, sanitize=False, collect_errors=True).errors == []
    return LexborHTMLParser(answer.text)


def said(page: LexborHTMLParser, selector: str) -> list[str]:
    return [words(node) for node in page.css(selector)]


def assert_it_stands_alone(page: LexborHTMLParser) -> None:
    """No script, no address but its own anchors, and each of them is there once."""
    ids = [attribute(node, "id") for node in page.css("[id]")]
    assert len(ids) == len(set(ids))
    for name in ("script", "img", "form", "iframe", "object", "svg"):
        assert page.css(name) == []
    links = [attribute(node, "href") for node in page.css("a")]
    assert {link[0] for link in links} == {"#"}
    assert {link[1:] for link in links} <= set(ids)
    assert [attribute(node, "href") for node in page.css("link")] == ["data:,"]
    assert page.css("[src]") == page.css("[style]") == []


def test_the_whole_league_is_in_it(house: Site) -> None:
    ann = house.phone()
    table = start(ann, "contract-rummy", league_name="The Harpers", rule_joker="15")
    for _ in range(7):
        table = score(ann, table, "out", 0, {1: "K", 2: "A"})
    about = ann.show("/games/1/about").forms()[0].fill("note", "Grandma won again")
    ann.press(about)
    page = read(ann)
    assert said(page, "h1") == ["The Harpers"]
    assert said(page, "h2") == [
        *("Standings", "Players", "Head to head", "Records", "All games"),
    ]
    assert "Ann" in said(page, "h3")
    sheet = page.css("article")[0]
    assert "Won by Ann" in words(sheet)
    assert "Grandma won again" in words(sheet)
    assert "Our house" in words(sheet)
    assert "2 sets of 3" in words(sheet)
    assert said(page, "article tfoot td") == ["0", "70", "105", "1", "2", "3"]
    second = ["1 set of 3 + 1 run of 4", "0 0", "10 20", "15 30"]
    assert said(page, "article tbody td")[4:8] == second
    assert_it_stands_alone(page)


@pytest.mark.slow
def test_hostile_names_are_only_names(ann: Author, site: Site) -> None:
    play_every_game(ann)
    play_with_second_thoughts(ann)
    phone = site.phone()
    phone.carry("ann's token")
    before = db.engine.pool.checkedout()  # type: ignore[attr-defined]
    page = read(phone)
    assert db.engine.pool.checkedout() == before, "a connection stays open behind the page"  # type: ignore[attr-defined]
    assert_it_stands_alone(page)
    shown = said(page, "h3 bdi")
    for name in HOSTILE[:4]:
        assert name in shown
    boxed = said(page, "article thead bdi")
    assert len(boxed) == len(said(page, "article thead th")) - sum(
        text in ("Deal", "Round", "Hand", "Contract") for text in said(page, "article thead th")
    )


def test_an_empty_league_is_a_page_too(house: Site) -> None:
    ann = house.phone()
    start(ann, "zioncheck", "Ann", "Bob")
    page = read(ann)
    assert "No finished games yet." in said(page, "section p")
    assert "In progress" in said(page, "article p")
    assert_it_stands_alone(page)


def test_dev_takes_only_his_own_home(house: Site) -> None:
    start(house.phone(), "zioncheck", "Ann", "Bob")
    dev = house.phone()
    start(dev, "zioncheck", "Dev", "Eve")
    page = read(dev)
    assert "Ann" not in said(page, "bdi")
    assert len(page.css("article")) == 1


def test_ten_games_more_are_a_few_questions_more(
    ann: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games come by the hundred, each page by the key of the last; no game is lost or twice."""
    monkeypatch.setattr("companion.files.html_archive.AT_ONCE", 10)
    for number in range(25):
        Table.start(ann, "Ann", "Bob", "Cleo", on=date(2026, 1, 1 + number % 3))
    parts = list(html_archive(db.session(), ann.league_id))
    pages = [shown["games"] for name, shown in parts if name.endswith("games.html")]
    assert list(map(len, pages)) == [10, 10, 5]
    numbers = [game.game_id for page in pages for game, _, _ in page]
    assert sorted(numbers) == list(range(1, 26))
    assert all(
        (a[0].record.played_on, a[0].game_id) > (b[0].record.played_on, b[0].game_id)
        for page in pages
        for a, b in pairwise(page)
    )
    stream = html_archive(db.session(), ann.league_id)
    next(stream)
    with counted() as first:
        next(stream)
    with counted() as last:
        next(stream)
    assert len(first) - 1 == len(last) <= 8


def test_the_command_writes_the_same_page(app: Flask, ann: Author, tmp_path: Path) -> None:
    play_with_second_thoughts(ann)
    file = tmp_path / "harpers.html"
    run = app.test_cli_runner().invoke
    told = run(args=["archive", "The Harpers", str(file)])
    assert told.stdout == f"The Harpers is in {file}: open it with any browser.\n"
    assert list(tmp_path.glob("*.part")) == []
    page = LexborHTMLParser(file.read_text("utf-8"))
    assert_it_stands_alone(page)
    assert re.search(r"Zoe", file.read_text("utf-8"))
    again = run(args=["archive", "1", str(file)])
    assert again.exit_code == 1
    assert "exists already" in again.output
    assert "Which league is Nobody?" in run(args=["archive", "Nobody", "x.html"]).output
