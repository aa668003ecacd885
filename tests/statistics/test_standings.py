"""Who leads the league: finished games only, a shared win counted in parts."""

from fractions import Fraction

import pytest

from companion.games.changes import leave, void_deals
from companion.statistics.standings import StandingsRow, standings
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.copies import finished
from tests.leagues.game_driver import Table, scoring
from tests.support.reports import ANN, BOB, CLEO, OUT, total

pytestmark = pytest.mark.sql
HALF = Fraction(1, 2)


def tie(author: Author) -> Table:
    """A game that Ann and Bob win together and Cleo loses."""
    table = Table.start(author)
    for number in range(6):
        table.score(*[(0, 5, 9), (5, 0, 9)][number % 2])
    table.change(scoring({ANN: total(5), BOB: total(5), CLEO: OUT}))
    return table


def table_of(author: Author) -> list[StandingsRow]:
    db.session.rollback()
    return standings(db.session(), author.league_id)


def rows(author: Author) -> list[tuple[str, int, Fraction, Fraction]]:
    return [(row.name, row.games, row.wins, row.average_place) for row in table_of(author)]


def test_wins_then_average_places(ann: Author) -> None:
    finished(ann, 0, 5, 9)
    finished(ann, 9, 0, 5)
    finished(ann, 0, 9, 5)
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


def test_a_game_opened_again_counts_no_more(ann: Author) -> None:
    table = finished(ann, 0, 5, 9)
    assert len(table_of(ann)) == 3
    table.change(lambda record: void_deals(record, [7]))
    assert table_of(ann) == []
    table.restore(table.revision - 1)
    assert [row.wins for row in table_of(ann)] == [1, 0, 0]


def test_whoever_left_without_a_place_did_not_play(ann: Author) -> None:
    table = Table.start(ann)
    table.score(0, 5, 9)
    table.change(lambda record: leave(record, ANN, placed=False))
    for _ in range(6):
        table.change(scoring({BOB: OUT, CLEO: total(5)}))
    assert [(row.name, row.wins) for row in table_of(ann)] == [
        ("Bob", Fraction(1)),
        ("Cleo", Fraction(0)),
    ]
