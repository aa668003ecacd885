"""A league as one document: written, read back, brought in, undone."""

from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import date
from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, update

from companion.cards import Refusal
from companion.files.exchange import (
    ExchangeError,
    ImportResult,
    export_league,
    import_document,
    imports,
    preview_import,
    read_document,
    undo_import,
    write_document,
)
from companion.files.exchange import importing as bringing_module
from companion.files.exchange.import_check import check_document
from companion.games import totals
from companion.games.changes import Change, amend_deal
from companion.games.reading import list_games, regulars
from companion.games.record import Record
from companion.people import leagues, merging, roster
from companion.people.actions import league_actions
from companion.people.sample import add_sample
from companion.statistics.standings import standings
from companion.store import authors
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Device, Game, History, House, LeagueAction, Player, db
from tests.conftest import fresh_app
from tests.leagues.corrupt import spoiled
from tests.leagues.full_league import live_on, play_everything, play_with_second_thoughts
from tests.leagues.game_driver import Table, check_sound, told, unchanged
from tests.leagues.totals_oracle import check_league, everything
from tests.support.doses import doses
from tests.support.patience import HANGS
from tests.support.same_moment import at_once
from tests.visits.pages import Site

THREE = ("Ann", "Bob", "Cleo")


def exported(author: Author | ImportResult) -> bytes:
    """A league's file without its seal, which is another one in every copy."""
    db.session.rollback()
    document = export_league(db.session(), author.league_id)
    del document["seal"]
    return b"".join(write_document(document))


def copied(text: bytes, key: str = "once") -> ImportResult:
    return import_document(read_document(text), key, token="bob's token")


def finished(author: Author, *points: int, on: date | None = None) -> Table:
    table = Table.start(author, *THREE, on=on)
    for _ in range(7):
        table.score(*points)
    return table


def wins(author: Author | ImportResult) -> dict[str, int]:
    db.session.rollback()
    return {row.name: int(row.wins) for row in standings(db.session(), author.league_id)}


def games(author: Author | ImportResult) -> list[int]:
    db.session.rollback()
    return [game.game_id for game in list_games(db.session(), author.league_id, most=100)]


def test_what_is_brought_in_is_what_was_written(app: Flask, ann: Author) -> None:
    play_everything(ann)
    text = exported(ann)
    assert text == exported(ann)
    assert len({game["rules"] for game in json.loads(text)["games"]}) > 20
    brought = copied(text)
    assert brought.league_id != ann.league_id
    assert exported(brought) == text
    for number in games(brought):
        check_sound(number)
    assert wins(brought) == wins(ann)
    kept = everything(brought.league_id)
    with writing() as session:
        totals.rebuild(session, brought.league_id)
    assert everything(brought.league_id) == kept


def test_many_games_are_stored_part_by_part(
    app: Flask, ann: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", 2)
    for number in range(5):
        finished(ann, 0, 5, 9, on=date(2020 + number, 1, 1))
    text, told = exported(ann), []
    document = read_document(text)
    brought = import_document(
        document, "once", token="t", progress=lambda done, of: told.append((done, of))
    )
    assert told == [(2, 5), (4, 5), (5, 5)]
    assert exported(brought) == text
    assert wins(brought) == {"Ann": 5, "Bob": 0, "Cleo": 0}
    assert brought.act_id
    owner = db.session.execute(
        select(Device.league_id, Device.id).where(
            Device.role == "owner", Device.revoked_at.is_(None)
        )
    ).all()[-1]
    undo_import(Author(*owner), brought.act_id)
    assert games(brought) == []
    assert wins(brought) == {}


@pytest.mark.sql
def test_until_the_last_part_is_there_nothing_is_seen(
    app: Flask, ann: Author, dev: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", 1)
    finished(ann, 0, 5, 9)
    finished(ann, 5, 0, 9)
    document = read_document(exported(ann))

    def pulled_plug(done: int, _: int) -> None:
        assert games(dev) == []
        assert regulars(db.session(), dev.league_id) == []
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_document(document, "once", author=dev, progress=pulled_plug)
    assert games(dev) == []
    import_document(document, "again", author=dev)
    assert wins(dev) == {"Ann": 1, "Bob": 1, "Cleo": 0}


@pytest.mark.sql
def test_a_new_league_that_broke_off_is_the_phones(
    app: Flask, ann: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", 1)
    finished(ann, 0, 5, 9)
    finished(ann, 5, 0, 9)
    document = read_document(exported(ann))

    def pulled_plug(done: int, _: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_document(document, "once", token="bob's token", progress=pulled_plug)
    mine = select(Device.league_id, Device.id).where(
        Device.token_hash == authors.token_hash("bob's token"), Device.role == "owner"
    )
    bob = Author(*db.session.execute(mine).one())
    assert games(bob) == []
    assert imports(db.session(), bob.league_id) == []
    import_document(document, "again", author=bob)
    assert wins(bob) == {"Ann": 1, "Bob": 1, "Cleo": 0}
    assert json.loads(exported(bob))["players"] == json.loads(exported(ann))["players"]
    assert json.loads(exported(bob))["acts"] == []


@pytest.mark.parametrize("most", [1, 25])
@pytest.mark.sql
def test_a_file_sent_twice_at_once_makes_one_league(
    app: Flask, ann: Author, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", most)
    finished(ann, 0, 5, 9)
    finished(ann, 5, 0, 9)
    document = read_document(exported(ann))
    send = partial(import_document, document, "once", token="bob's token")
    answers = at_once(app, [send] * 4)
    brought = [answer for answer in answers if isinstance(answer, ImportResult)]
    assert len(brought) == 4, answers
    assert sorted(answer.repeated for answer in brought) == [False, True, True, True]
    assert len({(answer.league_id, answer.act_id) for answer in brought}) == 1
    assert wins(brought[0]) == {"Ann": 1, "Bob": 1, "Cleo": 0}
    leagues = select(Device.league_id).where(Device.token_hash == authors.token_hash("bob's token"))
    assert len(db.session.execute(leagues).all()) == 1


def test_a_merge_takes_what_is_new_and_keeps_what_is_ours(app: Flask, ann: Author) -> None:
    same, corrected = finished(ann, 0, 5, 9), finished(ann, 5, 0, 9)
    text = exported(ann)
    other = copied(text, "copy")
    bob = _owner(other)
    finished(bob, 9, 5, 0)
    Table.start(bob, "ZOË", "ann", "Éve")
    theirs = read_document(exported(other))
    corrected.restore(3)
    before = preview_import(db.session(), ann.league_id, theirs)
    assert before.sentences() == [
        "2 games are new.",
        "1 game is here already.",
        "1 game was changed here since: it stays as it is here.",
        "New in the list of players: Éve, ZOË.",
        "Here already: Ann, Bob, Cleo.",
    ]
    with unchanged():
        preview_import(db.session(), ann.league_id, theirs)
    import_document(theirs, "merged", author=ann)
    assert len(games(ann)) == 4
    assert wins(ann) == {"Ann": 1, "Bob": 0, "Cleo": 1}
    assert corrected.record.standing().over is False
    assert same.record.standing().over
    again = preview_import(db.session(), ann.league_id, theirs)
    assert again.is_nothing
    with unchanged():
        assert import_document(theirs, "another key", author=ann).act_id is None
        assert import_document(theirs, "merged", author=ann).repeated


def _owner(brought: ImportResult) -> Author:
    db.session.rollback()
    mine = (Device.league_id == brought.league_id, Device.revoked_at.is_(None))
    return Author(
        brought.league_id, db.session.execute(select(Device.id).where(*mine)).scalar_one()
    )


def test_a_game_that_went_on_in_the_other_copy_is_told_apart(app: Flask, ann: Author) -> None:
    table = Table.start(ann, *THREE)
    other = copied(exported(ann))
    table.score(0, 5, 9)
    newer = preview_import(db.session(), other.league_id, read_document(exported(ann)))
    assert newer.sentences()[0] == "1 game is different here: it stays as it is here."


def test_an_import_is_undone_as_one_act_and_comes_back(
    app: Flask, ann: Author, dev: Author
) -> None:
    play_with_second_thoughts(ann)
    finished(ann, 0, 5, 9)
    text = exported(ann)
    finished(dev, 5, 0, 9)
    before, kept = exported(dev), everything(dev.league_id)
    brought = import_document(read_document(text), "once", author=dev)
    assert len(games(dev)) == 3
    (listed,) = imports(db.session(), dev.league_id)
    assert (listed.league_name, listed.games, listed.undone_at) == ("The Harpers", 2, None)
    after, added = exported(dev), everything(dev.league_id)
    assert brought.act_id
    undo_import(dev, brought.act_id)
    assert everything(dev.league_id) == kept
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
    assert everything(dev.league_id) == added


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


def test_games_taken_out_and_tokens_stay_behind(app: Flask, ann: Author) -> None:
    hidden, shown = finished(ann, 0, 5, 9), finished(ann, 5, 0, 9)
    with writing() as session:
        session.execute(update(Game).where(Game.id == hidden.game_id).values(hidden=True))
    text = exported(ann)
    uids = dict(db.session.execute(select(Game.id, Game.uid)).all())
    assert [game["uid"] for game in json.loads(text)["games"]] == [uids[shown.game_id]]
    hashes = db.session.execute(select(Device.token_hash)).scalars().all()
    assert not any(secret.encode() in text for secret in hashes)
    assert b"token" not in text


def test_two_samples_with_the_same_keys_can_be_one_league(app: Flask) -> None:
    first, second = add_sample("one"), add_sample("two")
    assert first
    assert second
    import_document(read_document(exported(first)), "once", author=second)
    assert len(games(second)) == 22
    for number in games(second):
        check_sound(number)


def test_seasons_stay_and_houses_come(app: Flask, ann: Author, dev: Author) -> None:
    live_on(ann)
    finished(dev, 0, 5, 9)
    document = read_document(exported(ann))
    told = preview_import(db.session(), dev.league_id, document).sentences()
    assert "House rules that are new: Contract Rummy, Grandma's 🃏." in told
    assert "Seasons that are not taken over: Winter ❄." in told
    brought = import_document(document, "once", author=dev)
    mine = select(House.key).where(House.league_id == dev.league_id)
    assert set(db.session.execute(mine).scalars()) == {"contract-rummy", "our-grandma-s"}
    assert brought.act_id
    undo_import(dev, brought.act_id)
    db.session.rollback()
    assert db.session.execute(mine).all() == []


def test_people_merged_there_are_merged_here(app: Flask, ann: Author, dev: Author) -> None:
    live_on(ann)
    import_document(read_document(exported(ann)), "once", author=dev)
    mine = select(Player.name, Player.id, Player.person_id, Player.archived)
    rows = db.session.execute(mine.where(Player.league_id == dev.league_id)).all()
    found = {row.name: row for row in rows}
    assert found["Annie"].person_id == found["Ann"].id
    assert found["Annie"].archived


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


def met_under_two_names(dev: Author) -> tuple[bytes, int, int]:
    """Annie is Ann in Dev's league; in the file both sit at one table."""
    ann = leagues.open_league("The Harpers", "ann's token")
    Table.start(ann, "Ann", "Annie", "Cleo", on=date(2026, 4, 4))
    text = exported(ann)
    Table.start(dev, "Ann", "Bob", "Cleo")
    Table.start(dev, "Annie", "Bob", "Cleo")
    return text, numbered(dev, "Ann"), numbered(dev, "Annie")


def numbered(author: Author, name: str) -> int:
    db.session.rollback()
    mine = select(Player.id).where(Player.league_id == author.league_id, Player.name == name)
    return db.session.execute(mine).scalar_one()


TWICE = "Ann would sit twice at one table in Contract Rummy on 4 April 2026: two of its names"


def test_nobody_sits_twice_by_two_names(app: Flask, dev: Author) -> None:
    text, first, second = met_under_two_names(dev)
    merging.merge(dev, "one", first, second)
    document = read_document(text)
    with unchanged(), pytest.raises(ExchangeError, match=TWICE):
        preview_import(db.session(), dev.league_id, document)
    with unchanged(), pytest.raises(ExchangeError, match=TWICE):
        import_document(document, "once", author=dev)
    merging.undo(dev, league_actions(db.session(), dev.league_id, merging.UNDOING)[0].act_id)
    import_document(document, "once", author=dev)
    assert len(games(dev)) == 3


def test_who_met_in_a_game_that_was_taken_out_are_two_people(app: Flask, dev: Author) -> None:
    text, first, second = met_under_two_names(dev)
    brought = import_document(read_document(text), "once", author=dev)
    assert brought.act_id
    undo_import(dev, brought.act_id)
    words = "in Contract Rummy on 4 April 2026, which was taken out: they are two people"
    with unchanged(), pytest.raises(roster.PeopleError, match=words):
        merging.merge(dev, "one", first, second)
    # A league from before this rule has them merged, and the game may not come back.
    with writing() as session:
        theirs = update(Player).where(Player.id == second)
        session.execute(theirs.values(person_id=first))
    with unchanged(), pytest.raises(ExchangeError, match=TWICE):
        import_document(read_document(text), "again", author=dev)


def test_two_made_one_while_their_game_comes_in_part_by_part(
    app: Flask, dev: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing_module, "AT_ONCE", 1)
    ann = leagues.open_league("The Harpers", "ann's token")
    finished(ann, 0, 5, 9)
    Table.start(ann, "Ann", "Annie", "Cleo", on=date(2026, 4, 4))
    Table.start(dev, "Ann", "Bob", "Cleo")
    Table.start(dev, "Annie", "Bob", "Cleo")
    first, second = numbered(dev, "Ann"), numbered(dev, "Annie")

    def meanwhile(done: int, _: int) -> None:
        if done == 1:
            merging.merge(dev, "one", first, second)

    before = games(dev)
    with pytest.raises(ExchangeError, match=TWICE):
        import_document(read_document(exported(ann)), "once", author=dev, progress=meanwhile)
    assert games(dev) == before


def test_the_latest_evening_is_that_of_the_person(app: Flask, ann: Author, dev: Author) -> None:
    finished(ann, 0, 5, 9)
    Table.start(dev, "Bob", "Ann", "Cleo")
    latest = Table.start(dev, "Bob", "Annie", "Zoe")
    first, second = numbered(dev, "Ann"), numbered(dev, "Annie")
    merging.merge(dev, "one", first, second)
    brought = import_document(read_document(exported(ann)), "once", author=dev)
    assert brought.act_id
    undo_import(dev, brought.act_id)
    db.session.rollback()
    last = select(Player.last_game).where(Player.id.in_([first, second]))
    assert db.session.execute(last).scalars().all() == [latest.game_id, latest.game_id]


def test_a_file_seats_nobody_by_two_names_of_theirs(app: Flask, ann: Author) -> None:
    finished(ann, 0, 5, 9)
    data = json.loads(exported(ann))
    assert [player["name"] for player in data["players"]] == ["Ann", "Bob", "Cleo"]
    data["players"][1]["merged_into"] = 1
    assert "can't be imported: someone sits in two seats, by two names." in complaint(
        json.dumps(data).encode()
    )


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A league of two games, written somewhere else."""
    app = fresh_app(tmp_path_factory.mktemp("elsewhere"))
    with app.app_context():
        author = leagues.open_league("The Harpers", "ann's token")
        play_with_second_thoughts(author)
        finished(author, 0, 5, 9)
        written = exported(author)
        db.session.remove()
        db.engine.dispose()
        return written


def complaint(data: bytes) -> str:
    """What is said against a file; nothing if it may be brought in."""
    try:
        check_document(read_document(data))
    except Refusal as fault:
        return str(fault)
    return ""


@doses("files", 110, 1_100)
def test_a_thousand_spoiled_files_are_refused_in_a_sentence(
    house: Site, text: bytes, files: int
) -> None:
    complaints = [(data, complaint(data)) for data in spoiled(text, files)]
    refused = [data for data, words in complaints if words]
    assert len(refused) > files * 10 // 11
    assert all(len(words) < 500 and words.endswith(".") for _, words in complaints if words)
    with house.app.app_context():
        with unchanged():
            for data in refused[::25]:
                with pytest.raises(Refusal):
                    copied(data)
        for number, data in enumerate(data for data, words in complaints if not words):
            brought = copied(data, f"accepted {number}")
            again = copied(exported(brought), f"again {number}")
            assert exported(again) == exported(brought)


VOID = {"step": 1, "dealer": 0, "void": True, "after_void": "again", "lines": {}}
HOUSE = {"key": "our-game", "revision": 1, "rules": {}, "chosen": {}}
SPOILED = [
    (["version"], 2, "This file is of version 2; versions up to 1 can be read here."),
    (["format"], "other", "This file holds no league."),
    (["league", "name"], "\u200b", "The file has a name that cannot be used: A name needs"),
    (["players", 0, "name"], "ann\u202e", "The file has a name that cannot be used: ann has odd"),
    (
        ["players", 1, "name"],
        "ANN",
        "The file does not hold together: the player ann stands twice.",
    ),
    (["players", 0, "merged_into"], 99, "together: Ann was merged into nobody."),
    (
        ["players", 0, "number"],
        "1",
        "at players[0].number: expected `int`, got `str`.",
    ),
    (["games", 0, "rules"], 7, "The file does not hold together: game 1 has no rules."),
    (["games", 1, "note"], "\x07", "at games: there are signs that cannot be seen."),
    (
        ["games", 0, "seats", 0, "player_id"],
        5,
        "Game 1, of {day}, can't be imported: its history",
    ),
    (
        ["games", 1, "deals", 0, "lines", "0", "points"],
        50,
        "Game 2, of {day}, can't be imported: the reasons of a deal do not add up",
    ),
    (["games", 1, "deals", 0, "lines", "1", "points"], 10**6, "expected `int` <= 99999"),
    (["games", 1, "history", 2, "revision"], 4, "change 3 is missing from its history."),
    (["games", 1, "history", 1, "after", "deal:1", "step"], 0, "step: expected `int` >= 1."),
    (["games", 1, "deals"], [], "its history does not lead to its deals."),
    (
        ["games", 1, "history", 1, "after", "odd"],
        {},
        "its history names odd, which no game has.",
    ),
    (["games", 0, "history", 3, "notes"], [{"words": "{0.x}", "seats": [0]}], "names nobody."),
    (["games", 0, "history", 3, "notes"], [{"words": "{", "seats": [0]}], "stray brackets."),
    (["rules", 0, "deals"], [], "Rules 1 can't be imported: deals"),
    (["rules", 0, "ending", "target"], 10**9, "Rules 1 can't be imported: ending.target"),
    (["rules", 0, "key"], "<script>", "the game's key is <script>."),
    (["odd"], 7, "object contains unknown field `odd`"),
    (["games", 1, "history", 2, "before", "deal:2"], VOID, "change 3 of its history does not"),
    (["games", 1, "deals", 0, "void"], True, "a deal that does not count has points."),
    (["games", 1, "deals", 0, "lines", "1", "tally", "declared"], "out", "two players ended the"),
    (["games", 1, "history", 0, "after", "seats"], [], "it has no seats."),
    (["games", 1, "deals", 0, "lines", "1", "tally", "cards"], "7 ZZ", "ZZ is no card"),
    (["houses"], [HOUSE | {"key": "zioncheck"}], "The house zioncheck is neither"),
]


@pytest.mark.parametrize(("path", "value", "sentence"), SPOILED, ids=lambda it: str(it)[:40])
def test_what_is_wrong_is_said(text: bytes, path: list[Any], value: object, sentence: str) -> None:
    data = json.loads(text)
    spot = data
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    with pytest.raises(Refusal) as refused:
        check_document(read_document(json.dumps(data).encode()))
    day = data["games"][0]["played_on"]
    assert sentence.replace("{day}", day) in str(refused.value)


def season(name: str, starts_on: str, ends_on: str | None, *, own: bool = True) -> dict[str, Any]:
    return {"name": name, "starts_on": starts_on, "ends_on": ends_on, "own": own}


@pytest.mark.parametrize(
    ("seasons", "words"),
    [
        (
            [season("Winter", "2023-12-01", "2024-03-01"), season("Spring", "2024-03-01", None)],
            "the seasons Winter and Spring overlap.",
        ),
        (
            [season("Spring", "2024-03-01", "2024-05-31"), season("On", "2023-01-01", None)],
            "the seasons On and Spring overlap.",
        ),
        (
            [season("2024", "2024-01-01", "2024-12-30", own=False)],
            "the season 2024 is neither a year nor the league's own.",
        ),
        (
            [season("2024", "2024-01-01", None, own=False)],
            "the season 2024 is neither a year nor the league's own.",
        ),
        (
            [
                season("2024", "2024-01-01", "2024-12-31", own=False),
                season("Year 2024", "2024-01-01", "2024-12-31", own=False),
            ],
            "the seasons 2024 and Year 2024 overlap.",
        ),
        (
            [
                season("Winter", "2023-12-01", "2024-02-29"),
                season("Spring", "2024-03-01", None),
                season("2024", "2024-01-01", "2024-12-31", own=False),
                season("2023", "2023-01-01", "2023-12-31", own=False),
            ],
            "",
        ),
    ],
)
def test_seasons_of_a_file_are_such_as_a_league_has(
    text: bytes, seasons: list[dict[str, Any]], words: str
) -> None:
    told = complaint(json.dumps(json.loads(text) | {"seasons": seasons}).encode())
    assert told == (f"The file does not hold together: {words}" if words else "")


@pytest.mark.parametrize("other", [b"2", b"9"])
def test_nobody_sits_twice_and_everybody_is_somebody(text: bytes, other: bytes) -> None:
    spoiled_seats = text.replace(b'"player_id":3', b'"player_id":' + other)
    assert "someone sits in two seats, or is nobody" in complaint(spoiled_seats)


def test_a_history_older_than_dates_is_brought_in(app: Flask, ann: Author) -> None:
    finished(ann, 0, 5, 9)
    data = json.loads(exported(ann))
    first = data["games"][0]["history"][0]["after"]["game"]
    for name in ("played_on", "note", "counts"):
        del first[name]
    text = json.dumps(data).encode()
    brought = copied(text)
    assert json.loads(exported(brought)) == data
    rows = select(History.after).where(History.league_id == brought.league_id)
    stored = db.session.execute(rows.where(History.revision == 1)).scalar_one()
    game: Any = stored["game"]
    assert "note" not in game
