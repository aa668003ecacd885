"""Second thoughts at a table: corrections, deals struck out, who comes and goes, old versions."""

from random import Random

import pytest
from flask import Flask
from sqlalchemy import select

from companion.cards import Pack
from companion.games import writer
from companion.games.changes import (
    ChangeError,
    amend_deal,
    free_chairs,
    join,
    leave,
    void_deals,
)
from companion.games.reading import history_units, last_change, load_game
from companion.games.record import Record, replay
from companion.games.shown.game_lists import regulars
from companion.people.sample import add_sample
from companion.store.authors import Author
from companion.store.models import Game, db
from tests.leagues.game_driver import (
    Table,
    check_sound,
    newcomer,
    scoring,
    told,
    unchanged,
)
from tests.support.reports import ANN, BOB, CLEO, CONTRACT, THREE, total

pytestmark = pytest.mark.sql


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


def test_a_late_joiner_sits_where_there_is_a_chair(table: Table) -> None:
    table.score(0, 25, 10)
    table.change(lambda record: leave(record, CLEO, placed=False), "left")
    assert free_chairs(table.record) == [(ANN, BOB), (BOB, ANN)]
    eve = newcomer(table.author, "Eve")
    with unchanged(), pytest.raises(ChangeError, match="Nobody sits there"):
        table.change(lambda record: join(record, eve, "zero", CLEO))
    with unchanged(), pytest.raises(ChangeError, match="Nobody sits there"):
        table.change(lambda record: join(record, eve, "zero", 9))
    table.change(lambda record: join(record, eve, "zero", ANN), "joined")
    assert free_chairs(table.record) == [(ANN, 3), (3, BOB), (BOB, ANN)]
    upcoming = table.record.standing().upcoming
    assert upcoming
    assert (upcoming.dealer, upcoming.first) == (3, BOB), "Ann dealt, and Eve is on her left"
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


@pytest.mark.parametrize("seed", range(6))
def test_undoing_takes_back_the_latest_step_that_is_not_undone(table: Table, seed: int) -> None:
    """As if every version were laid beside the latest; a restored one is known by its content."""
    random = Random(seed)
    for _ in range(9):
        if table.revision > 1 and random.random() < 0.6:
            table.restore(random.randint(1, table.revision - 1))
        else:
            table.score(0, random.randint(2, 4), 7)
        changes = table.history[::-1]
        states = [replay(one.after for one in changes[: n + 1]) for n in range(len(changes))]
        step = len(changes) - 1
        while changes[step].action == "restored" and states[step] in states[:step]:
            step = max(n for n in range(step) if states[n] == states[step])
        latest, undoable = last_change(db.session(), table.author.league_id, table.game_id)
        assert latest.revision == table.revision
        assert (undoable.revision if undoable else 1) == changes[step].revision


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
