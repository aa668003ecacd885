"""The only writer: what a table can do to its game, and what it is refused."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from companion.cards import Pack, Refusal
from companion.games import opening, rows, writer
from companion.games.changes import (
    ChangeError,
    amend_deal,
    choose_dealer,
    join,
    leave,
    stop,
    throw_in,
    void_deals,
)
from companion.games.game_season import seasons
from companion.games.locking import NoSuchGameError
from companion.games.reading import history_units, load_game, memberships, regulars
from companion.games.record import Record
from companion.games.writer import DoubtError, StaleError
from companion.people import leagues
from companion.people.sample import add_sample
from companion.scoring import TallyError
from companion.store import database, dates
from companion.store.authors import Author, NotAllowedError, token_hash
from companion.store.database import writing
from companion.store.models import Device, Game, History, League, Line, Player, Seat, db
from companion.store.names import PlayerNameError
from tests.leagues.game_driver import (
    Table,
    check_sound,
    newcomer,
    scoring,
    told,
    told_rummy,
    unchanged,
)
from tests.support.reports import ANN, BOB, CHICAGO, CLEO, CONTRACT, ZIP, knock, left, total, zipped

pytestmark = pytest.mark.sql
THREE = ("Ann", "Bob", "Cleo")


@pytest.fixture
def table(ann: Author) -> Table:
    """Ann, Bob and Cleo at Contract Rummy, nothing dealt yet."""
    return Table.start(ann, *THREE)


@pytest.fixture
def chicago(ann: Author) -> Table:
    """Ann, Bob and Cleo at Chicago, nothing dealt yet."""
    return Table.start(ann, *THREE, variant=CHICAGO)


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


def test_a_repeated_start_brings_no_new_players(ann: Author) -> None:
    writer.start_game(ann, "key", CONTRACT, THREE)
    with unchanged():
        assert writer.start_game(ann, "key", CONTRACT, [*THREE, "Eve"]).repeated


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


def test_a_league_opens_with_a_season_and_games_belong_to_it(table: Table) -> None:
    (season,) = seasons(db.session(), table.author.league_id)
    game = db.session.execute(select(Game)).scalar_one()
    assert (game.season_id, str(game.played_on.year)) == (season.season_id, season.name)


def test_a_device_that_left_has_no_league(ann: Author, dev: Author) -> None:
    (mine,) = memberships(db.session(), token_hash("ann's token"))
    assert (mine.league_id, mine.role, mine.is_sample) == (ann.league_id, "owner", False)
    leagues.leave_league(ann)
    assert memberships(db.session(), token_hash("ann's token")) == []
    (theirs,) = memberships(db.session(), token_hash("dev's token"))
    assert theirs.device_id == dev.device_id


def test_deals_are_scored_one_after_another(table: Table) -> None:
    assert table.score(0, 25, 10).revision == 2
    assert table.score(5, 0, 45).revision == 3
    assert table.totals == (5, 25, 55)
    assert [deal.dealer for deal in table.record.deals] == [ANN, BOB]
    check_sound(table.game_id)


def test_the_history_row_of_a_deal_is_complete(table: Table) -> None:
    table.score(0, 25, 10)
    deal = table.record.deals[0]
    entry = table.history[0]
    assert (entry.revision, entry.action, entry.notes) == (2, "scored", [])
    assert (entry.before, entry.after) == ({"deal:1": None}, {"deal:1": deal.to_data()})
    rows = select(History.device_id, History.league_id).where(History.revision == 2)
    assert db.session.execute(rows).one() == (table.author.device_id, table.author.league_id)


def test_a_correction_keeps_what_stood_before(table: Table) -> None:
    table.score(0, 25, 10)
    before = table.record.deals[0].to_data()
    table.change(lambda record: amend_deal(record, 1, told(0, 30, 10)), "corrected")
    entry = table.history[0]
    assert entry.before == {"deal:1": before}
    assert entry.after == {"deal:1": table.record.deals[0].to_data()}


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


def test_a_repeated_restoration_answers_as_the_first_time(table: Table) -> None:
    table.score(0, 25, 10)
    writer.restore(table.author, table.game_id, 2, "tap", 1)
    with unchanged():
        again = writer.restore(table.author, table.game_id, 2, "tap", 1)
    assert (again.revision, again.repeated) == (3, True)


def test_a_key_of_another_league_leaks_nothing(table: Table, dev: Author) -> None:
    table.change(scoring(told(0, 25, 10)), key="tap")
    theirs = Table.start(dev, "Dev", "Eve", "Finn")
    saved = theirs.change(scoring(told(5, 0, 5)), key="tap")
    assert (saved.game_id, saved.revision, saved.repeated) == (theirs.game_id, 2, False)
    assert (theirs.totals, table.totals) == ((5, 0, 5), (0, 25, 10))


def test_dev_sees_and_changes_nothing(table: Table, dev: Author) -> None:
    table.change(scoring(told(0, 25, 10)), key="tap")
    theirs = Table(dev, table.game_id, table.revision)
    for key in ("tap", "new"):
        with unchanged(), pytest.raises(NoSuchGameError):
            theirs.change(scoring(told(0, 5, 5)), key=key)
        with unchanged(), pytest.raises(NoSuchGameError):
            theirs.restore(1, key)
    with pytest.raises(LookupError):
        load_game(db.session(), dev.league_id, table.game_id)
    assert theirs.history == []


@pytest.mark.parametrize("number", [0, -1, 999, 2**31, 2**63, 10**30])
def test_a_game_that_is_not_there(ann: Author, number: int) -> None:
    with unchanged(), pytest.raises(NoSuchGameError):
        Table(ann, number, 1).score(0, 5, 5)
    with pytest.raises(LookupError):
        load_game(db.session(), ann.league_id, number)


def test_a_device_of_another_league_signs_nothing(table: Table, dev: Author) -> None:
    table.author = Author(table.author.league_id, dev.device_id)
    with unchanged(), pytest.raises(NotAllowedError):
        table.score(0, 5, 5)


def test_the_database_itself_refuses_a_device_of_another_league(
    table: Table, dev: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I16: whatever the program believes, and however it comes to believe it."""
    monkeypatch.setattr(opening, "require", lambda session, author: None)
    table.author = Author(table.author.league_id, dev.device_id)
    with unchanged(), pytest.raises(IntegrityError):
        table.score(0, 5, 5)


@pytest.mark.parametrize("role", ["viewer", "player"])
def test_a_role_taken_away_meanwhile_writes_nothing(table: Table, role: str) -> None:
    """The role is looked at in the transaction that writes, not when the page was asked for."""
    mine = update(Device).where(Device.id == table.author.device_id)
    with writing() as session:
        session.execute(mine.values(role=role))
    table.author = replace(table.author, least="scorekeeper")
    with unchanged(), pytest.raises(NotAllowedError):
        table.score(0, 5, 5)
    with writing() as session:
        session.execute(mine.values(role="owner", revoked_at=dates.now()))
    with unchanged(), pytest.raises(NotAllowedError):
        table.score(0, 5, 5)


def test_doubts_are_asked_before_anything_is_stored(table: Table) -> None:
    kings = {ANN: told(0)[0], BOB: left("K K K K K K K K K 2"), CLEO: total(5)}
    with unchanged(), pytest.raises(DoubtError) as asked:
        table.change(scoring(kings), accepted=False)
    assert [doubt.seats for doubt in asked.value.change.doubts] == [(BOB,)]
    table.change(scoring(kings), accepted=True)
    (note,) = table.history[0].notes
    assert note["seats"] == [BOB]
    assert note["words"] == asked.value.change.doubts[0].words


REFUSED: dict[str, tuple[Callable[[Table], object], type[Exception]]] = {
    "nobody out": (lambda t: t.change(scoring({s: total(5) for s in range(3)})), TallyError),
    "two out": (lambda t: t.score(0, 0, 5), TallyError),
    "no total": (lambda t: t.change(scoring({ANN: told(0)[0]})), TallyError),
    "a stranger": (lambda t: t.score(0, 5, 5, 5), ChangeError),
    "a negative total": (lambda t: t.score(0, -5, 5), TallyError),
    "a huge total": (lambda t: t.score(0, 10**30, 5), TallyError),
    "no deal 4": (lambda t: t.change(lambda r: amend_deal(r, 4, told(0, 5, 5))), ChangeError),
    "no deal 0": (lambda t: t.change(lambda r: void_deals(r, [1, 0])), ChangeError),
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
    assert saved.revision == 2


def test_a_knock_over_the_limit_is_refused_by_the_score_at_the_start(chicago: Table) -> None:
    chicago.change(scoring(told_rummy(94, 10, 0)))
    with unchanged(), pytest.raises(TallyError, match="At 94 points the limit is 6"):
        chicago.change(scoring({ANN: knock(7), BOB: total(20), CLEO: total(20)}))
    with unchanged(), pytest.raises(DoubtError):
        chicago.change(scoring({ANN: knock(6), BOB: total(2), CLEO: total(2)}), accepted=False)


def test_a_correction_leaves_later_deals_as_they_were_played(chicago: Table) -> None:
    """I7: Ann knocked with 9 from 20; now she had 95 and could not have."""
    chicago.change(scoring(told_rummy(20, 10, 0)))
    chicago.change(scoring({ANN: knock(9), BOB: total(20), CLEO: total(30)}))
    second = chicago.record.deals[1]
    with unchanged(), pytest.raises(DoubtError) as asked:
        chicago.change(lambda r: amend_deal(r, 1, told_rummy(95, 10, 0)), accepted=False)
    ((position, finding),) = asked.value.change.forbidden
    assert (position, finding.seats) == (2, (ANN,))
    chicago.change(lambda r: amend_deal(r, 1, told_rummy(95, 10, 0)))
    assert chicago.record.deals[1] == second
    assert chicago.totals == (104, 30, 30)
    assert [note["words"] for note in chicago.history[0].notes] == [
        "{0} has 95: more than 7 cards can make.",
        finding.words,
    ]
    check_sound(chicago.game_id)


def test_later_deals_now_forbidden_can_be_struck_out_instead(chicago: Table) -> None:
    chicago.change(scoring(told_rummy(20, 10, 0)))
    chicago.change(scoring({ANN: knock(9), BOB: total(20), CLEO: total(30)}))
    chicago.change(scoring({ANN: total(5), BOB: total(20), CLEO: knock(0)}))
    chicago.change(lambda r: amend_deal(r, 1, told_rummy(95, 10, 0), void_later=True))
    assert [deal.void for deal in chicago.record.deals] == [False, True, False]
    assert chicago.totals == (100, 30, 0)
    check_sound(chicago.game_id)


def test_a_correction_may_end_the_game_and_another_may_open_it_again(chicago: Table) -> None:
    chicago.change(scoring(told_rummy(40, 50, 0)))
    chicago.change(lambda r: amend_deal(r, 1, told_rummy(100, 120, 0)))
    assert (chicago.stored.status, chicago.places) == ("finished", [2, 3, 1])
    chicago.change(lambda r: amend_deal(r, 1, told_rummy(40, 50, 0)))
    assert (chicago.stored.status, chicago.places) == ("running", [None, None, None])


def test_the_latest_deal_struck_out_keeps_its_number_and_is_dealt_again(table: Table) -> None:
    table.score(0, 25, 10)
    table.change(lambda record: void_deals(record, [1]), "struck out")
    assert table.totals == (0, 0, 0)
    upcoming = table.record.standing().upcoming
    assert upcoming
    assert (upcoming.step, upcoming.dealer) == (1, ANN)
    first = table.record.deals[0]
    assert (first.void, dict(first.lines)) == (True, {})
    table.score(10, 10, 0)
    with unchanged(), pytest.raises(ChangeError, match="dealt again"):
        table.change(lambda record: amend_deal(record, 1, told(0, 25, 10)))
    check_sound(table.game_id)


def test_an_earlier_deal_struck_out_is_left_out(table: Table) -> None:
    """The table has gone on since: its next contract stays the third."""
    table.score(0, 25, 10)
    table.score(5, 0, 45)
    table.change(lambda record: void_deals(record, [1]), "struck out")
    assert table.totals == (5, 0, 45)
    upcoming = table.record.standing().upcoming
    assert upcoming
    assert upcoming.step == 3
    table.change(lambda record: amend_deal(record, 1, told(0, 25, 10)))
    assert table.totals == (5, 25, 55)
    check_sound(table.game_id)


def test_saving_what_is_there_already_changes_nothing(table: Table) -> None:
    table.score(0, 25, 10)
    with unchanged():
        saved = table.change(lambda record: amend_deal(record, 1, told(0, 25, 10)))
    assert not saved.changed


def test_whoever_left_by_mistake_comes_back(table: Table) -> None:
    table.score(0, 25, 10)
    table.change(lambda record: leave(record, BOB, placed=False), "left")
    bob = table.record.seats[BOB].player_id
    table.change(lambda record: join(record, bob, "zero"), "joined")
    assert table.record.standing().playing == (ANN, BOB, CLEO)
    table.change(lambda record: leave(record, BOB, placed=False), "left")
    table.change(scoring({ANN: told(0)[0], CLEO: total(5)}), "scored")
    with unchanged(), pytest.raises(ChangeError, match="can't come back"):
        table.change(lambda record: join(record, bob, "zero"))


def test_packs_follow_the_number_of_players(ann: Author) -> None:
    """C-2: a fifth player makes it three packs; a table with its own packs keeps them."""
    four = Table.start(ann, *THREE, "Dan")
    eve = newcomer(ann, "Eve")
    four.change(lambda record: join(record, eve, "zero"), "joined")
    assert four.record.pack == Pack(3, 2)
    own = writer.start_game(ann, "own", CONTRACT, [*THREE, "Dan"], pack=Pack(4, 0))
    writer.join_game(ann, own.game_id, own.revision, "eve", "Eve", "zero")
    assert load_game(db.session(), ann.league_id, own.game_id).record.pack == Pack(4, 0)


def test_a_deal_thrown_in_keeps_the_contract_and_the_dealer(table: Table) -> None:
    table.change(lambda record: throw_in(record, "again"), "thrown in")
    upcoming = table.record.standing().upcoming
    assert upcoming
    assert (upcoming.step, upcoming.dealer) == (1, ANN)
    table.change(lambda record: throw_in(record, "skip"), "thrown in")
    upcoming = table.record.standing().upcoming
    assert upcoming
    assert (upcoming.step, upcoming.dealer) == (2, BOB)
    check_sound(table.game_id)


@pytest.mark.parametrize(
    ("rule", "start"), [("highest", 25), ("average", 12), ("zero", 0)], ids=str
)
def test_a_late_joiner_starts_with_what_the_table_chose(
    table: Table, rule: Any, start: int
) -> None:
    table.score(0, 25, 10)
    eve = newcomer(table.author, "Eve")
    table.change(lambda record: join(record, eve, rule), "joined")
    assert table.stored.names == (*THREE, "Eve")
    seat = table.record.seats[3]
    assert (seat.start, seat.start_rule, seat.joined) == (start, rule, 2)
    table.score(5, 5, 5, 0)
    assert table.totals == (5, 30, 15, start)
    check_sound(table.game_id)


def test_nobody_sits_twice(table: Table) -> None:
    ann = newcomer(table.author, "  ANN ")
    with unchanged(), pytest.raises(ChangeError, match="already has a seat"):
        table.change(lambda record: join(record, ann, "zero"))


def test_whoever_leaves_keeps_the_points_but_no_place(table: Table) -> None:
    table.score(0, 25, 10)
    table.change(lambda record: leave(record, ANN, placed=False), "left")
    table.change(scoring({BOB: told(0)[0], CLEO: total(5)}))
    assert table.totals == (0, 25, 15)
    assert table.record.standing().places == (None, 2, 1)
    with unchanged(), pytest.raises(ChangeError, match="End it instead"):
        table.change(lambda record: leave(record, BOB, placed=True))
    check_sound(table.game_id)


def test_a_game_stops_with_its_places_and_goes_on_without(table: Table) -> None:
    table.score(0, 25, 10)
    table.change(lambda record: stop(record, stopped=True), "stopped")
    assert (table.stored.status, table.places) == ("stopped", [1, 3, 2])
    with unchanged(), pytest.raises(ChangeError, match="was ended early"):
        table.score(0, 5, 5)
    table.change(lambda record: stop(record, stopped=False), "resumed")
    assert (table.stored.status, table.places) == ("running", [None, None, None])
    table.score(0, 5, 5)


def test_the_first_dealer_is_chosen_before_the_first_deal(table: Table) -> None:
    table.change(lambda record: choose_dealer(record, CLEO), "dealer chosen")
    table.score(0, 25, 10)
    assert table.record.deals[0].dealer == CLEO
    check_sound(table.game_id)


def test_the_end_stores_places_and_status(table: Table) -> None:
    for _ in CONTRACT.deals:
        table.score(0, 5, 5)
    assert (table.stored.status, table.places) == ("finished", [1, 2, 2])
    with unchanged(), pytest.raises(ChangeError, match="over"):
        table.score(0, 5, 5)
    table.change(lambda record: void_deals(record, [7]), "struck out")
    assert (table.stored.status, table.places) == ("running", [None, None, None])


def test_any_version_can_be_restored_and_so_can_the_restoration(table: Table) -> None:
    table.score(0, 25, 10)
    table.score(5, 0, 45)
    eve = newcomer(table.author, "Eve")
    table.change(lambda record: join(record, eve, "highest"))
    table.score(0, 5, 5, 5)
    table.change(lambda record: void_deals(record, [1]))
    versions = [table.record]
    versions = [_as_of(table, version) for version in range(1, table.revision)] + versions
    for version, then in enumerate(versions[:-1], start=1):
        table.restore(version)
        assert table.record == then
        check_sound(table.game_id)
        table.restore(len(versions))
        assert table.record == versions[-1]
        check_sound(table.game_id)
    assert {entry.action for entry in table.history} == {"started", "changed", "scored", "restored"}


def _as_of(table: Table, version: int) -> Record:
    units = history_units(db.session(), table.game_id, version)
    return Record.from_units(table.record.variant, units)


def test_joiners_who_changed_places_can_be_restored(table: Table) -> None:
    """Eve then Finn sat down, that was undone, then Finn then Eve, with the same deal after."""
    eve, finn = (newcomer(table.author, name) for name in ("Eve", "Finn"))
    versions = []
    for first, second in ((eve, finn), (finn, eve)):
        table.change(lambda record, player=first: join(record, player, "zero"))  # type: ignore[misc]
        table.change(lambda record, player=second: join(record, player, "zero"))  # type: ignore[misc]
        table.score(0, 5, 10, 15, 20)
        versions.append((table.revision, table.record))
        table.restore(1)
    for version, then in (versions[0], versions[1], versions[0]):
        table.restore(version)
        assert table.record == then
        check_sound(table.game_id)


def test_a_reading_session_writes_nothing(table: Table) -> None:
    statements = (
        update(Game).values(revision=99),
        insert(League).values(name="Sneaky", is_sample=False, created_at=dates.now()),
    )
    for statement in statements:
        with unchanged(), pytest.raises(database.WriteOutsideKeeperError):
            db.session.execute(statement)
        db.session.rollback()
    db.session.execute(select(Game)).scalar_one().revision = 99
    with unchanged(), pytest.raises(database.WriteOutsideKeeperError):
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
        "UPDATE game SET season_id = (SELECT max(id) FROM season)",
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


def test_a_line_has_one_ending_even_if_the_program_forgets(table: Table) -> None:
    table.score(0, 25, 10)
    declared = select(Line.seat, Line.declared).order_by(Line.seat)
    assert db.session.execute(declared).all() == [(0, "out"), (1, ""), (2, "")]


def test_the_sample_family_has_a_running_game_and_years_to_look_back_on(app: Flask) -> None:
    author = add_sample("somebody's token")
    assert author
    rows = db.session.execute(select(Game.id, Game.status, Game.revision).order_by(Game.id)).all()
    assert [(status, revision) for _, status, revision in rows[:2]] == [
        ("finished", 8),
        ("running", 3),
    ]
    assert {(status, revision) for _, status, revision in rows[2:]} == {("finished", 2)}
    for game_id, _, _ in rows:
        check_sound(game_id)
    assert regulars(db.session(), author.league_id) == ["Ann", "Bob", "Cleo", "Dev"]


def test_a_whole_game_of_zip_highest_wins(ann: Author) -> None:
    table = Table.start(ann, *THREE, variant=ZIP)
    for _ in ZIP.deals:
        table.change(
            scoring({ANN: zipped("KB 2R 3R 8R"), BOB: zipped(rest="5 6"), CLEO: zipped(rest="A")})
        )
    assert (table.totals, table.places) == ((104, -44, -4), [1, 3, 2])
    check_sound(table.game_id)


def test_seats_know_their_people(table: Table) -> None:
    rows = select(Player.name).join(Seat, Seat.player_id == Player.id).order_by(Seat.number)
    assert list(db.session.execute(rows).scalars()) == list(THREE)


def test_a_name_that_cannot_be_joins_no_game(table: Table) -> None:
    with unchanged(), pytest.raises(PlayerNameError):
        newcomer(table.author, "\u200b")
