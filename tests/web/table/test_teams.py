"""Teams: two or more people share a line, and what it brings counts for each of them."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from companion.statistics.rating_replay import catch_up
from companion.statistics.rivals import rivalries
from companion.statistics.standings import StandingsRow, standings
from companion.store.models import Player, TeamMember, db
from companion.upkeep.recount import recount
from tests.visits.browserless import bring_in, places, score, start
from tests.visits.pages import Page
from tests.visits.phones import Phone

WON = {0: "0+510", 1: "120"}


def at_spades(phone: Phone, names: str, status: int = 303) -> Page:
    """Seat the sides of a game."""
    return phone.press(phone.show("/games/new/spades").form().fill("names", names), status=status)


@pytest.fixture
def evening(phone: Phone) -> Phone:
    """Ann wins with Bob, then with Cleo; Bob beats her at Cribbage."""
    over = score(phone, at_spades(phone, "Ann + Bob, Cleo + Dev"), "", None, WON)
    assert places(over) == ["1. Ann + Bob: 510", "2. Cleo + Dev: 120"]
    score(phone, at_spades(phone, "Ann + Cleo, Bob + Dev"), "", None, WON)
    score(phone, start(phone, "cribbage", "Ann", "Bob"), "", None, {0: "0+50", 1: "0+121"})
    return phone


def table(phone: Phone, league: int = 1) -> dict[str, StandingsRow]:
    """Read the standings of a league by name, its ratings worked out."""
    with phone.site.app.app_context():
        assert catch_up(league)
        return {row.name: row for row in standings(db.session(), league)}


def test_standings_count_each_of_a_team(evening: Phone) -> None:
    rows = table(evening)
    assert {name: (row.games, float(row.wins)) for name, row in rows.items()} == {
        "Ann": (3, 2.0),
        "Bob": (3, 2.0),
        "Cleo": (2, 1.0),
        "Dev": (2, 0.0),
    }
    assert {name: row.form.games for name, row in rows.items() if row.form} == {
        name: row.games for name, row in rows.items()
    }
    with evening.site.app.app_context():
        assert not list(recount(1, lambda _done, _all: None))


def test_partners_are_no_rivals(evening: Phone) -> None:
    rows = table(evening)
    with evening.site.app.app_context():
        met = rivalries(db.session(), 1, list(rows.values()))
    ann, bob, dev = (rows[name].person_id for name in ("Ann", "Bob", "Dev"))
    assert (met[ann][bob].games, met[ann][bob].above) == (2, 1)
    assert (met[ann][dev].games, met[ann][dev].above) == (2, 2)


def test_a_player_s_games_are_those_of_the_teams_too(evening: Phone) -> None:
    dev = table(evening)["Dev"].person_id
    assert evening.show(f"/league/games?who={dev}").text.count("Spades 1.") == 2
    sheet = evening.show(f"/league/players/{dev}").text
    assert "Ann + Bob" in sheet
    assert "Cleo + Dev" not in sheet


@pytest.mark.parametrize(
    ("names", "twice"), [("Ann + Bob, Ann", "Ann"), ("Ann + Bob, Bob + Cleo", "Bob")]
)
def test_nobody_sits_in_two_sides(phone: Phone, names: str, twice: str) -> None:
    refused = at_spades(phone, names, 422)
    assert f"{twice} would sit here twice" in refused.text


def test_a_team_s_name_at_a_game_of_cards_is_a_name(phone: Phone) -> None:
    score(phone, start(phone, "zioncheck", "Ann + Bob", "Cleo"), "out", 0, {1: "7 7"})
    with phone.site.app.app_context():
        assert not db.session.execute(select(TeamMember)).all()


def test_a_team_goes_to_another_league_with_its_people(evening: Phone) -> None:
    file = evening.send("/league/files/league.json").data
    bring_in(evening.site.phone(), file)
    with evening.site.app.app_context():
        league = max(db.session.execute(select(Player.league_id)).scalars())
    assert league > 1
    here, there = table(evening), table(evening, league)
    assert {n: (r.games, r.wins) for n, r in here.items()} == {
        n: (r.games, r.wins) for n, r in there.items()
    }
