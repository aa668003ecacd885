"""The only writer: starting a game, deal after deal, and the same submission once."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import DBAPIError, OperationalError

from companion.cards import Refusal, read_hand
from companion.games import rows, writer
from companion.games.changes import (
    ChangeError,
    amend_deal,
    choose_dealer,
    leave,
)
from companion.games.memberships import memberships
from companion.games.reading import load_game
from companion.games.shown.game_lists import regulars
from companion.games.writer import StaleError
from companion.people import leagues
from companion.rules import load
from companion.scoring import Tally, TallyError
from companion.store import database, dates
from companion.store.authors import Author, token_hash
from companion.store.models import Game, History, League, Player, db
from tests.leagues.game_driver import (
    Table,
    check_sound,
    scoring,
    told,
    unchanged,
)
from tests.support.reports import ANN, BOB, CLEO, CONTRACT, THREE, left, total

pytestmark = pytest.mark.sql


def test_a_game_starts_with_its_people_its_rules_and_a_history(table: Table) -> None:
    game = table.stored
    assert (game.names, game.revision, game.status) == (THREE, 1, "running")
    assert game.record.variant == CONTRACT
    assert game.record.pack == CONTRACT.pack(3)
    (entry,) = table.history
    assert (entry.action, entry.before, entry.after) == ("started", {}, game.record.units())
    check_sound(table.game_id)


def test_the_same_start_is_stored_once(ann: Author) -> None:
    first = writer.start_game(ann, "key", CONTRACT, THREE)
    with unchanged():
        again = writer.start_game(ann, "key", CONTRACT, THREE)
    assert (first.repeated, again.repeated) == (False, True)
    assert (again.game_id, again.revision) == (first.game_id, 1)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["Ann"], "player"),
        ([f"Player {n}" for n in range(30)], "player"),
        (["Ann", "Bob", "ANN"], "is listed twice"),
        (["Zoë", "zoe", "Bob"], "is listed twice"),
        (["Ann", " ", "Cleo"], "at least one letter"),
        (["Ann", "x" * 300, "Cleo"], "300 characters"),
    ],
)
def test_a_game_that_cannot_be_leaves_no_trace(ann: Author, names: list[str], words: str) -> None:
    with unchanged(), pytest.raises(Refusal, match=words):
        writer.start_game(ann, "key", CONTRACT, names)


@pytest.mark.parametrize("dealer", [-1, 3, 10**20])
def test_nobody_deals_from_a_seat_that_is_not_there(ann: Author, dealer: int) -> None:
    with unchanged(), pytest.raises(ChangeError, match="no such seat"):
        writer.start_game(ann, "key", CONTRACT, THREE, dealer)


def test_players_are_found_again_ignoring_case_and_accents(ann: Author) -> None:
    Table.start(ann, "Zoë", "Bob", "Cleo")
    again = Table.start(ann, "ZOE", " bob ", "CLÉO")
    assert again.stored.names == ("Zoë", "Bob", "Cleo")
    assert sorted(regulars(db.session(), ann.league_id)) == ["Bob", "Cleo", "Zoë"]


def test_each_league_has_players_of_its_own(ann: Author, dev: Author) -> None:
    Table.start(ann, *THREE)
    Table.start(dev, "Dev", "Bob", "Cleo")
    assert regulars(db.session(), dev.league_id) == ["Dev", "Bob", "Cleo"]
    assert len(set(db.session.execute(select(Player.id)).scalars())) == 6


def test_a_device_that_left_has_no_league(ann: Author, dev: Author) -> None:
    (mine,) = memberships(db.session(), token_hash("ann's token"))
    assert (mine.league_id, mine.role, mine.is_sample) == (ann.league_id, "owner", False)
    leagues.leave_league(ann)
    assert memberships(db.session(), token_hash("ann's token")) == []
    (theirs,) = memberships(db.session(), token_hash("dev's token"))
    assert theirs.device_id == dev.device_id


def test_the_history_row_of_a_deal_is_complete(table: Table) -> None:
    table.score(0, 25, 10)
    deal = table.record.deals[0]
    entry = table.history[0]
    assert (entry.revision, entry.action, entry.notes) == (2, "scored", ())
    assert (entry.before, entry.after) == ({"deal:1": None}, {"deal:1": deal})
    rows = select(History.device_id, History.league_id).where(History.revision == 2)
    assert db.session.execute(rows).one() == (table.author.device_id, table.author.league_id)


def test_a_stale_page_changes_nothing(table: Table) -> None:
    table.score(0, 25, 10)
    for seen in (-1, 0, 1, 3, 10**30):
        with unchanged(), pytest.raises(StaleError):
            table.change(scoring(told(0, 5, 5)), revision=seen)
        with unchanged(), pytest.raises(StaleError):
            writer.restore(table.author, table.game_id, seen, f"key{seen}", 1)
    assert table.totals == (0, 25, 10)


def test_the_same_submission_answers_as_the_first_time(table: Table) -> None:
    first = table.change(scoring(told(0, 25, 10)), key="tap", revision=1)
    table.score(0, 5, 5)
    with unchanged():
        again = table.change(scoring(told(0, 25, 10)), key="tap", revision=1)
    assert (first.revision, first.repeated) == (2, False)
    assert (again.game_id, again.revision, again.repeated) == (table.game_id, 2, True)


def test_the_largest_hands_with_every_doubt_are_stored_and_read_again(table: Table) -> None:
    every = [f"{rank}{suit}" for suit in "HDSC" for rank in (*range(2, 11), *"JQKA")]
    hands = [left(" ".join((every * 4)[first : first + 200])) for first in (0, 8)]
    table.change(scoring({ANN: told(0)[0], BOB: hands[0], CLEO: hands[1]}), accepted=True)
    assert table.record.deals[0].lines[CLEO].tally == hands[1]
    assert len(table.history[0].notes) > 52
    zip_table = Table.start(table.author, *THREE, variant=load("zip-zilch-zero"))
    many = Tally(zips=(read_hand("2R 2B"),) * 200, declared="out")
    zip_table.change(scoring({ANN: many, BOB: total(5), CLEO: total(5)}), accepted=True)
    assert zip_table.record.deals[0].lines[ANN].tally == many
    check_sound(table.game_id)


REFUSED: dict[str, tuple[Callable[[Table], object], type[Exception]]] = {
    "nobody out": (lambda t: t.change(scoring({s: total(5) for s in range(3)})), TallyError),
    "a stranger": (lambda t: t.score(0, 5, 5, 5), ChangeError),
    "no seat": (lambda t: t.change(lambda r: leave(r, 3, placed=True)), ChangeError),
    "a dealer too late": (lambda t: t.change(lambda r: choose_dealer(r, BOB)), ChangeError),
    "no version 2": (lambda t: t.restore(2), ChangeError),
    "no version 0": (lambda t: t.restore(0), ChangeError),
    "a bug in a change": (lambda t: t.change(lambda _: 1 / 0), ZeroDivisionError),  # type: ignore[arg-type, return-value]
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_refused_change_leaves_no_trace(table: Table, what: str) -> None:
    table.score(0, 25, 10)
    refused, error = REFUSED[what]
    with unchanged(), pytest.raises(error):
        refused(table)
    assert table.score(0, 5, 5).revision == 3


def test_a_fault_while_storing_leaves_no_trace(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(rows, "_drop_seats", fail)
    with unchanged(), pytest.raises(OSError, match="full"):
        table.score(0, 25, 10)


class ClashError(Exception):
    """What PostgreSQL answers to one of two writers that it cannot let both go on."""

    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate
        super().__init__(sqlstate)


@pytest.mark.parametrize(
    ("faults", "stored"),
    [(["40001"], True), (["40P01"], True), (["40001"] * 2, False), (["53100"], False)],
    ids=str,
)
def test_a_clash_is_tried_once_more_and_nothing_else_is(
    table: Table, monkeypatch: pytest.MonkeyPatch, faults: list[str], stored: bool
) -> None:
    drop, left_over = rows._drop_seats, list(faults)

    def clash(*arguments: Any) -> None:
        drop(*arguments)
        if left_over:
            raise OperationalError("UPDATE", {}, ClashError(left_over.pop()))

    monkeypatch.setattr(rows, "_drop_seats", clash)
    if stored:
        assert table.score(0, 25, 10).revision == 2
    else:
        with unchanged(), pytest.raises(OperationalError):
            table.score(0, 25, 10)
    assert left_over == []
    check_sound(table.game_id)


def test_a_change_that_changes_nothing_is_no_version(table: Table) -> None:
    table.score(0, 25, 10)
    with unchanged():
        saved = table.change(lambda record: amend_deal(record, 1, told(0, 25, 10)))
    assert (saved.revision, saved.changed) == (2, False)


def test_a_reading_session_writes_nothing(table: Table) -> None:
    statements = (
        update(Game).values(revision=99),
        insert(League).values(name="Sneaky", is_sample=False, created_at=dates.now()),
    )
    for statement in statements:
        with unchanged(), pytest.raises(database.ReadOnlySessionError):
            db.session.execute(statement)
        db.session.rollback()
    db.session.execute(select(Game)).scalar_one().revision = 99
    with unchanged(), pytest.raises(database.ReadOnlySessionError):
        db.session.commit()
    db.session.rollback()


def test_a_write_ends_the_reading_before_it(table: Table) -> None:
    assert load_game(db.session(), table.author.league_id, table.game_id).revision == 1
    table.score(0, 25, 10)
    assert load_game(db.session(), table.author.league_id, table.game_id).revision == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seat SET player_id = 999999",
        "UPDATE line SET points = 100000",
        "UPDATE line SET seat = 7 WHERE seat = 0",
        "UPDATE line SET declared = 'out'",
        "UPDATE game SET status = 'lost'",
        "DELETE FROM deal",
        "DELETE FROM player",
        "UPDATE deal SET position = 0",
    ],
)
def test_the_database_itself_refuses_nonsense(table: Table, dev: Author, statement: str) -> None:
    table.score(0, 25, 10)
    with (
        unchanged(),
        pytest.raises(DBAPIError),
        db.engine.execution_options(writing=True).begin() as connection,
    ):
        connection.execute(text(statement))
