"""Reading games back: whole, in lists, and in as many queries for long games as for short ones."""

from itertools import pairwise

import pytest

from companion.games.changes import amend_deal, stop, void_deals
from companion.games.reading import history, history_units, load_game
from companion.games.record import Record, replay
from companion.games.shown.game_lists import list_games, regulars
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.game_driver import Table, counted, newcomer, told
from tests.support.reports import THREE

pytestmark = pytest.mark.sql


def test_rows_history_and_record_are_one(ann: Author) -> None:
    """I2 for every version of a game."""
    table = Table.start(ann, *THREE)
    table.score(0, 25, 10)
    table.score(5, 0, 45)
    table.change(lambda record: amend_deal(record, 1, told(10, 0, 10)))
    table.change(lambda record: void_deals(record, [2]))
    entries = table.history[::-1]
    for version in range(1, table.revision + 1):
        units = replay(entry.after for entry in entries[:version])
        assert units == history_units(db.session(), table.game_id, version)
        assert Record.from_units(table.record.variant, units).units() == units
    assert units == table.record.units()
    for earlier, later in pairwise(entries):
        known = replay(entry.after for entry in entries[: earlier.revision])
        assert later.before == {name: known.get(name) for name in later.before}


def test_a_game_is_read_in_four_queries_whatever_its_length(ann: Author) -> None:
    table = Table.start(ann, *THREE)
    counts = []
    for _ in range(6):
        db.session.rollback()
        with counted() as statements:
            load_game(db.session(), ann.league_id, table.game_id)
        counts.append(len(statements))
        table.score(0, 25, 10)
    assert counts == [4] * 6


def test_a_write_takes_as_many_queries_in_a_long_game_as_in_a_short_one(ann: Author) -> None:
    table = Table.start(ann, *THREE)
    counts = []
    for _ in range(5):
        with counted() as statements:
            table.score(0, 25, 10)
        counts.append(len(statements))
    assert len(set(counts)) == 1


def test_games_are_listed_the_latest_first(ann: Author, dev: Author) -> None:
    first = Table.start(ann, *THREE)
    first.score(0, 25, 10)
    first.change(lambda record: void_deals(record, [1]))
    first.score(5, 0, 5)
    Table.start(dev, "Dev", "Eve", "Finn")
    second = Table.start(ann, "Cleo", "Ann", "Bob")
    games = list_games(db.session(), ann.league_id)
    assert [game.game_id for game in games] == [second.game_id, first.game_id]
    assert [game.names for game in games] == [("Cleo", "Ann", "Bob"), THREE]
    assert [game.deals for game in games] == [0, 1]
    assert {game.winners for game in games} == {()}


def test_a_shared_win_names_both_winners(ann: Author) -> None:
    table = Table.start(ann, *THREE)
    for number in range(7):
        table.score(*[(0, 5, 9), (5, 0, 9)][number % 2])
    table.change(lambda record: amend_deal(record, 7, told(5, 5, 0)))
    (game,) = list_games(db.session(), ann.league_id)
    assert (game.status, game.winners, game.deals) == ("finished", ("Ann", "Bob"), 7)


def test_games_are_listed_by_their_status(ann: Author) -> None:
    running, stopped = Table.start(ann, *THREE), Table.start(ann, *THREE)
    stopped.change(lambda record: stop(record, stopped=True))
    for status, table in (("running", running), ("stopped", stopped)):
        (game,) = list_games(db.session(), ann.league_id, status=status)
        assert game.game_id == table.game_id
    assert list_games(db.session(), ann.league_id, status="finished") == []


def test_regulars_come_by_their_latest_game(ann: Author) -> None:
    Table.start(ann, "Eve", "Finn", "Gus")
    newcomer(ann, "Hal")  # has not sat down anywhere yet
    Table.start(ann, *THREE)
    assert regulars(db.session(), ann.league_id) == [*THREE, "Eve", "Finn", "Gus", "Hal"]
    Table.start(ann, "Gus", "Ann", "Eve")
    assert regulars(db.session(), ann.league_id, most=3) == ["Gus", "Ann", "Eve"]


def test_a_bad_game_number_has_no_history(ann: Author) -> None:
    assert history(db.session(), ann.league_id, 7) == []
