"""Every page of the league asks the database as often for many games and people as for few."""

from __future__ import annotations

from datetime import date

import pytest

from companion.rules import extend
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.game_driver import Table, counted
from tests.support.reports import CONTRACT, ZIONCHECK
from tests.visits.phones import Phone, Site

ENDS = {"ending": {"deals": 1}}
VARIANTS = (extend(CONTRACT, ENDS), extend(ZIONCHECK, ENDS))
PAGES = {
    "/": 17,
    "/games/new/contract-rummy": 3,
    "/league": 11,
    "/league?season=all&variant=contract-rummy&players=3": 7,
    "/league/games": 6,
    "/league/games?who=1&with=2&words=won": 7,
    "/league/records": 6,
    "/league/rivals": 8,
    "/league/evenings": 3,
    "/league/evenings/2026-03-01": 5,
    "/league/years/2026": 8,
    "/league/players/1": 10,
    "/league/people": 3,
    "/league/people/1": 2,
    "/league/seasons": 3,
    "/games/1": 12,
    "/games/1/about": 5,
    "/games/1/history": 6,
    "/games/1/sheet": 5,
    "/games/7": 8,
    "/games/7/history": 6,
    "/games/7/sheet": 5,
    "/games/7/outlook": 6,
}
"""How many statements each page needs, ratings being up to date."""


@pytest.fixture
def phone(site: Site, ann: Author) -> Phone:
    """Ann's phone: with it the Harpers' league was opened."""
    return site.phone("ann's token")


def play(author: Author, games: int, people: int) -> None:
    """Play some games on as many days, by people who change from game to game."""
    for number in range(games):
        names = [f"Person {(number + seat) % people}" for seat in range(3)]
        day = date(2026 - number % 3, 3, 1 + number // 3)
        table = Table.start(author, *names, variant=VARIANTS[number % 2], on=day)
        table.score(0, 5, 10 + 5 * number)
        Table.start(author, *names, variant=VARIANTS[number % 2], on=day).score(0, 5, 10)


def asked(phone: Phone, page: str) -> int:
    """How many statements a page sends where nothing of it was kept."""
    db.session.rollback()
    with counted() as statements:
        assert phone.raw(page).status_code == 200, page
    return len(statements)


def test_pages_ask_as_often_for_many_games_and_deals_as_for_few(phone: Phone, ann: Author) -> None:
    play(ann, games=3, people=4)
    running = Table.start(ann, "Person 0", "Person 1", "Person 2")
    running.score(0, 5, 10)
    asked(phone, "/")  # once a process looks whether the tables are those of its version
    assert {page: asked(phone, page) for page in PAGES} == PAGES
    play(ann, games=9, people=14)
    for _ in range(5):
        running.score(0, 5, 10)
    assert {page: asked(phone, page) for page in PAGES} == PAGES
