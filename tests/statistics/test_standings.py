"""Who leads the league: finished games only, a shared win counted in parts."""

from datetime import date
from fractions import Fraction

import pytest

from companion.games.changes import leave, stop, void_deals
from companion.games.game_season import seasons
from companion.statistics.standings import StandingsRow, standings
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.game_driver import Table, scoring, told
from tests.support.reports import ANN, BOB, CLEO, OUT, total

pytestmark = pytest.mark.sql
HALF = Fraction(1, 2)


def finish(author: Author, *points: int, on: date | None = None) -> Table:
    """Ann, Bob and Cleo play a game; every deal alike."""
    table = Table.start(author, "Ann", "Bob", "Cleo", on=on)
    for _ in range(7):
        table.score(*points)
    return table


def tie(author: Author) -> Table:
    """A game that Ann and Bob win together and Cleo loses."""
    table = Table.start(author, "Ann", "Bob", "Cleo")
    for number in range(6):
        table.score(*[(0, 5, 9), (5, 0, 9)][number % 2])
    table.change(scoring({ANN: total(5), BOB: total(5), CLEO: OUT}))
    return table


def table_of(author: Author) -> list[StandingsRow]:
    db.session.rollback()
    return standings(db.session(), author.league_id)


def rows(author: Author) -> list[tuple[str, int, Fraction, Fraction]]:
    return [(row.name, row.games, row.wins, row.average_place) for row in table_of(author)]


def test_a_league_without_finished_games_has_no_leader(ann: Author) -> None:
    assert table_of(ann) == []
    Table.start(ann, "Ann", "Bob", "Cleo").score(0, 5, 9)
    assert table_of(ann) == []


def test_wins_then_average_places(ann: Author) -> None:
    finish(ann, 0, 5, 9)
    finish(ann, 9, 0, 5)
    finish(ann, 0, 9, 5)
    assert rows(ann) == [
        ("Ann", 3, Fraction(2), Fraction(5, 3)),
        ("Bob", 3, Fraction(1), Fraction(2)),
        ("Cleo", 3, Fraction(0), Fraction(7, 3)),
    ]
    assert [row.share for row in table_of(ann)] == [67, 33, 0]


def test_a_shared_win_is_half_a_win(ann: Author) -> None:
    tie(ann)
    assert rows(ann) == [
        ("Ann", 1, HALF, Fraction(1)),
        ("Bob", 1, HALF, Fraction(1)),
        ("Cleo", 1, Fraction(0), Fraction(3)),
    ]
    assert [row.rank for row in table_of(ann)] == [1, 1, 3]


def test_wins_always_add_up_to_the_games(ann: Author) -> None:
    tie(ann)
    finish(ann, 0, 5, 5)
    finish(ann, 5, 0, 5)
    assert sum(row.wins for row in table_of(ann)) == 3


def test_a_stopped_game_does_not_count_though_it_has_places(ann: Author) -> None:
    table = Table.start(ann, "Ann", "Bob", "Cleo")
    table.score(0, 5, 9)
    table.change(lambda record: stop(record, stopped=True))
    assert table.places == [1, 2, 3]
    assert table_of(ann) == []


def test_a_game_opened_again_counts_no_more(ann: Author) -> None:
    table = finish(ann, 0, 5, 9)
    assert len(table_of(ann)) == 3
    table.change(lambda record: void_deals(record, [7]))
    assert table_of(ann) == []
    table.restore(table.revision - 1)
    assert [row.wins for row in table_of(ann)] == [1, 0, 0]


def test_whoever_left_without_a_place_did_not_play(ann: Author) -> None:
    table = Table.start(ann, "Ann", "Bob", "Cleo")
    table.score(0, 5, 9)
    table.change(lambda record: leave(record, ANN, placed=False))
    for _ in range(6):
        table.change(scoring({BOB: OUT, CLEO: total(5)}))
    assert [(row.name, row.wins) for row in table_of(ann)] == [
        ("Bob", Fraction(1)),
        ("Cleo", Fraction(0)),
    ]


def test_leagues_do_not_mix(ann: Author, dev: Author) -> None:
    finish(ann, 0, 5, 9)
    finish(dev, 9, 5, 0)
    assert [row.name for row in table_of(ann)] == ["Ann", "Bob", "Cleo"]
    assert [row.name for row in table_of(dev)] == ["Cleo", "Bob", "Ann"]


def test_a_season_counts_its_own_games(ann: Author) -> None:
    finish(ann, 0, 5, 9, on=date(2025, 12, 31))
    finish(ann, 9, 0, 5, on=date(2026, 1, 1))
    found = {season.name: season.season_id for season in seasons(db.session(), ann.league_id)}
    by_season = [standings(db.session(), ann.league_id, found[name]) for name in ("2025", "2026")]
    assert [table[0].name for table in by_season] == ["Ann", "Bob"]
    assert [row.games for row in table_of(ann)] == [2, 2, 2]


def test_the_deals_told_are_those_meant() -> None:
    assert told(0, 5, 9) == {ANN: OUT, BOB: total(5), CLEO: total(9)}
