"""What a file brought in is undone as one act, and what was done elsewhere by nobody here."""

from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import select

from companion.files.exchange import (
    ExchangeError,
    import_document,
    imports,
    preview_import,
    read_document,
    undo_import,
)
from companion.files.exchange.document import Document
from companion.files.past import LeagueSoFar, make_plan, read_games, write_plan
from companion.files.past.league_so_far import stored_people
from companion.games.changes import Change, amend_deal
from companion.games.game_season import seasons
from companion.games.record import Record
from companion.people import merging, roster
from companion.people.actions import league_actions
from companion.store.authors import Author
from companion.store.models import Device, LeagueAction, Player, db
from tests.leagues.copies import exported, finished, games, wins
from tests.leagues.full_league import play_with_second_thoughts
from tests.leagues.game_driver import Table, check_sound, told, unchanged
from tests.leagues.looked_back import check_league, looked_back
from tests.support.patience import HANGS
from tests.support.reports import THREE


def test_an_import_is_undone_as_one_act_and_comes_back(
    app: Flask, ann: Author, dev: Author
) -> None:
    play_with_second_thoughts(ann)
    finished(ann, 0, 5, 9)
    text = exported(ann)
    finished(dev, 5, 0, 9)
    before, kept = exported(dev), looked_back(dev.league_id)
    brought = import_document(read_document(text), "once", author=dev)
    assert len(games(dev)) == 3
    (listed,) = imports(db.session(), dev.league_id)
    assert (listed.league_name, listed.games, listed.undone_at) == ("The Harpers", 2, None)
    after, added = exported(dev), looked_back(dev.league_id)
    assert brought.act_id
    undo_import(dev, brought.act_id)
    assert looked_back(dev.league_id) == kept
    roster = json.loads(exported(dev))["players"]
    assert [p["name"] for p in roster if not p["archived"]] == ["Ann", "Bob", "Cleo"]
    assert [p["name"] for p in roster if p["archived"]] == ["Dev", "Zoe"]
    assert json.loads(exported(dev))["games"] == json.loads(before)["games"]
    with pytest.raises(ExchangeError, match="already been undone"):
        undo_import(dev, brought.act_id)
    back = preview_import(db.session(), dev.league_id, read_document(text))
    assert back.sentences()[0] == "2 games were taken out here before and come back."
    import_document(read_document(text), "once more", author=dev)
    assert exported(dev) == after
    assert looked_back(dev.league_id) == added


def test_a_game_taken_out_that_went_on_comes_back_as_it_is_in_the_file(
    app: Flask, ann: Author, dev: Author
) -> None:
    table = Table.start(ann, *THREE)
    brought = import_document(read_document(exported(ann)), "once", author=dev)
    for turn, points in enumerate([(0, 5, 9), (5, 0, 9)]):
        assert brought.act_id
        undo_import(dev, brought.act_id)
        table.score(*points)
        document = read_document(exported(ann))
        told = preview_import(db.session(), dev.league_id, document)
        assert told.sentences()[:1] == [
            "1 game was taken out here before and comes back as it is in the file."
        ]
        brought = import_document(document, f"again {turn}", author=dev)
        (number,) = games(dev)
        assert Table(dev, number, turn + 2).record.deals == table.record.deals
        check_sound(number)
        assert preview_import(db.session(), dev.league_id, document).is_nothing
    mine = select(Player.name).where(Player.league_id == dev.league_id, Player.archived.is_(False))
    assert set(db.session.execute(mine).scalars()) == set(THREE)
    assert Table(dev, number, 3).score(0, 5, 9).changed


@pytest.mark.sql
def test_an_import_is_undone_while_one_of_its_games_is_saved(
    app: Flask, ann: Author, dev: Author
) -> None:
    """Without luck: a save has its game, the undoing begins, the save goes on to the sums."""
    finished(ann, 0, 5, 9)
    brought = import_document(read_document(exported(ann)), "once", author=dev)
    (number,) = games(dev)
    table = Table(dev, number, 8)

    def undo() -> None:
        with app.app_context():
            undo_import(dev, brought.act_id or 0)

    with ThreadPoolExecutor(1) as pool:

        def amend_while_it_is_undone(record: Record) -> Change:
            waiting.append(pool.submit(undo))
            with pytest.raises(TimeoutError):
                waiting[0].result(0.5)
            return amend_deal(record, 1, told(9, 0, 5))

        waiting: list[Future[None]] = []
        table.change(amend_while_it_is_undone)
        waiting[0].result(HANGS)
    assert games(dev) == []
    assert wins(dev) == {}
    check_league(dev.league_id)


def test_another_league_can_undo_nothing(app: Flask, ann: Author, dev: Author) -> None:
    finished(ann, 0, 5, 9)
    brought = import_document(read_document(exported(ann)), "once", author=dev)
    assert brought.act_id
    with unchanged(), pytest.raises(ExchangeError):
        undo_import(ann, brought.act_id)


def test_what_was_done_elsewhere_is_told_on_and_undone_by_nobody_here(
    app: Flask, ann: Author, dev: Author
) -> None:
    first = Table.start(ann, "Ann", "Bob", "Cleo")
    second = Table.start(dev, "Zed", "Yan", "Xi")
    numbers = [seat.player_id for seat in first.record.seats]
    roster.rename(ann, "renamed", numbers[0], "Ann", "Anna")
    data = exported(ann)
    # A file of ill will names a player of another league.
    victim = second.record.seats[0].player_id
    document = json.loads(data)
    document["acts"][0]["facts"] |= {"person": victim, "after": "Zed", "before": "Nobody"}
    brought = import_document(
        read_document(json.dumps(document).encode()), "once", token="eve's token"
    )
    db.session.rollback()
    phone = db.session.execute(
        select(Device.id).filter_by(league_id=brought.league_id, revoked_at=None)
    )
    eve = Author(brought.league_id, phone.scalars().first() or 0)
    assert league_actions(db.session(), eve.league_id, merging.UNDOING) == []
    kept = select(LeagueAction).filter_by(league_id=eve.league_id, kind="elsewhere")
    act = db.session.execute(kept).scalar_one()
    with unchanged(), pytest.raises(LookupError):
        merging.undo(eve, act.id)
    back = json.loads(exported(eve))
    assert back["acts"][0]["kind"] == "renamed"


def test_who_plays_by_another_name_is_not_put_away_with_an_import(
    app: Flask, ann: Author, dev: Author
) -> None:
    """Zoe came with the file, and Annie, who sits in a running game here, was found to be Zoe."""
    Table.start(ann, "Zoe", "Bob", "Cleo")
    Table.start(dev, "Annie", "Bob", "Cleo")
    brought = import_document(read_document(exported(ann)), "once", author=dev)
    mine = select(Player.name, Player.id).where(Player.league_id == dev.league_id)
    numbers = {row.name: row.id for row in db.session.execute(mine)}
    merging.merge(dev, "same", numbers["Zoe"], numbers["Annie"])
    assert brought.act_id
    undo_import(dev, brought.act_id)
    db.session.rollback()
    zoe = select(Player.archived).where(Player.id == numbers["Zoe"])
    assert not db.session.execute(zoe).scalar_one()


@pytest.mark.sql
def test_whom_and_which_years_only_an_undone_import_brought_are_gone_with_it(
    app: Flask, ann: Author, dev: Author
) -> None:
    finished(dev, 5, 0, 9)
    shown = [row.name for row in roster.people(db.session(), dev.league_id)]
    years = [season.name for season in seasons(db.session(), dev.league_id)]
    document = past_document("Zoe", "Dev")
    brought = import_document(document, "once", author=dev)
    assert [season.name for season in seasons(db.session(), dev.league_id)][1:] == ["2004", "2003"]
    undo_import(dev, brought.act_id or 0)
    assert [row.name for row in roster.people(db.session(), dev.league_id)] == shown
    assert roster.count_people(db.session(), dev.league_id) == len(shown)
    assert stored_people(db.session(), dev.league_id) == shown
    assert [season.name for season in seasons(db.session(), dev.league_id)] == years
    import_document(document, "again", author=dev)
    assert [season.name for season in seasons(db.session(), dev.league_id)][1:] == ["2004", "2003"]
    assert len(roster.people(db.session(), dev.league_id)) == len(shown) + 2
    check_league(dev.league_id)


def past_document(*names: str) -> Document:
    """Two evenings of old scores, a year apart."""
    rows = [f"Date,Game,{','.join(names)}", "2003-05-01,Rumba,1,2", "2004-05-01,Rumba,3,4"]
    plan = make_plan(read_games("\n".join(rows).encode(), {}), {}, LeagueSoFar({}, lambda _: None))
    return read_document(write_plan(plan, "Old scores"))
