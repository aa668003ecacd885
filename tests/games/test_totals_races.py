"""Many tables of one league at once, and ratings worked out beside them or cut short."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from datetime import date
from itertools import count
from random import Random
from threading import Event

import pytest
from flask import Flask
from msgspec.structs import replace
from sqlalchemy import delete, func, select

from companion.games import writer
from companion.games.changes import Change, amend_deal, void_deals
from companion.games.record import Record
from companion.rules import extend
from companion.statistics import rating_replay
from companion.statistics.rating_replay import catch_up, is_settled
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Checkpoint, Game, League, Season, db
from tests.leagues.game_driver import Table, told
from tests.leagues.totals_oracle import check_league, stored_forms
from tests.processes.children import Child
from tests.processes.crash import check_database
from tests.support.doses import doses
from tests.support.reports import CONTRACT, THREE
from tests.support.same_moment import at_once

pytestmark = pytest.mark.sql
PHONES = 6
ONE_DEAL = extend(CONTRACT, {"ending": {"deals": 1}})
DAYS = [date(2025, 12, 30), date(2025, 12, 31), date(2026, 1, 1), date(2027, 1, 1)]


def evening(author: Author, phone: int) -> Callable[[], object]:
    """A table that plays, corrects, strikes out, goes back and moves to another day."""

    def play() -> object:
        chance = Random(phone)
        for turn in range(3):
            names = chance.sample(["Ann", "Bob", "Cleo", "Dora"], 3)
            day = chance.choice(DAYS[:3])
            table = Table.start(author, *names, variant=ONE_DEAL, on=day)
            table.score(*chance.choice([(0, 5, 9), (5, 0, 5), (7, 3, 0)]))
            table.change(lambda record: amend_deal(record, 1, told(8, 0, 8)))
            table.change(lambda record: void_deals(record, [1]))
            table.restore(2 + turn % 2)
            table.change(lambda record: moved(record, chance.choice(DAYS)))
        return "played"

    return play


def moved(record: Record, day: date) -> Change:
    return Change(replace(record, played_on=day))


@pytest.mark.slow
def test_many_tables_of_one_league_lose_nothing(app: Flask, ann: Author, dev: Author) -> None:
    authors = [ann] * (PHONES - 1) + [dev]
    answers = at_once(app, [evening(author, phone) for phone, author in enumerate(authors)])
    assert answers == ["played"] * PHONES
    for author, phones in ((ann, PHONES - 1), (dev, 1)):
        counted = select(func.count()).where(Game.league_id == author.league_id, Game.counted)
        assert db.session.execute(counted).scalar_one() == 3 * phones
        assert catch_up(author.league_id)
        check_league(author.league_id)
    check_database()


@pytest.mark.slow
def test_ratings_worked_out_beside_the_tables_end_right(app: Flask, ann: Author) -> None:
    """Two that rate and four that play: whatever was swapped in when, the end is right."""
    over = Event()
    played: list[object] = []

    def rate() -> object:
        rounds = 0
        while not (rounds and over.is_set()):
            catch_up(ann.league_id)
            rounds += 1
        return rounds

    def play(phone: int) -> Callable[[], object]:
        def all_evening() -> object:
            try:
                return evening(ann, phone)()
            finally:
                played.append(phone)
                if len(played) == 4:
                    over.set()

        return all_evening

    *rounds, a, b, c, d = at_once(app, [rate, rate, *map(play, range(4))])
    assert [a, b, c, d] == ["played"] * 4
    assert all(isinstance(count, int) and count for count in rounds), rounds
    assert catch_up(ann.league_id)
    check_league(ann.league_id)


def test_a_new_year_begun_by_many_tables_is_one_season(app: Flask, ann: Author) -> None:
    tables = [Table.start(ann, *THREE, variant=ONE_DEAL) for _ in range(PHONES)]
    for year in range(2001, 2009):
        answers = at_once(
            app,
            [
                lambda t=table, y=year: t.change(lambda record: moved(record, date(y, 5, 5)))  # type: ignore[misc]
                for table in tables
            ],
        )
        assert {type(answer) for answer in answers} == {writer.Saved}, answers
        named = select(func.count()).where(Season.name == str(year))
        db.session.rollback()
        assert db.session.execute(named).scalar_one() == 1


def test_a_game_that_ends_during_the_replay_is_rated_next(app: Flask, ann: Author) -> None:
    """Without luck: the replay has read every game, another one ends, then it swaps in."""
    first = Table.start(ann, *THREE, variant=ONE_DEAL, on=DAYS[0])
    first.score(0, 5, 9)
    earlier = Table.start(ann, *THREE, variant=ONE_DEAL, on=date(2024, 1, 1))
    later = Table.start(ann, *THREE, variant=ONE_DEAL, on=DAYS[1])

    def replay_while(meanwhile: Callable[[], object]) -> bool:
        """What `catch_up` does, with something else between reading and swapping in."""
        db.session.rollback()
        league = db.session.get_one(League, ann.league_id)
        revision, upheaval = league.revision, league.upheaval
        assert league.stale_on
        key = (league.stale_on, league.stale_game or 0)
        course = rating_replay._start(db.session(), ann.league_id, key)
        for batch in rating_replay._batches(db.session(), ann.league_id, course.key):
            course.go_on(batch)
        db.session.rollback()
        meanwhile()
        return rating_replay._swap_in(ann.league_id, revision, upheaval, key, course)

    assert not replay_while(lambda: later.score(0, 5, 9))
    assert {form.games for form in stored_forms(ann.league_id).values()} == {1}
    assert not is_settled(db.session(), ann.league_id)
    before = stored_forms(ann.league_id)
    assert not replay_while(lambda: earlier.score(9, 0, 5))
    assert stored_forms(ann.league_id) == before
    assert not replay_while(lambda: first.change(lambda r: moved(r, DAYS[3])))
    assert stored_forms(ann.league_id) == before
    assert catch_up(ann.league_id)
    check_league(ann.league_id)


def test_two_that_rate_from_far_back_end_right(
    app: Flask, ann: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without luck: both begin long before the stale game, then one after the other swaps in."""
    monkeypatch.setattr(rating_replay, "STRIDE", 2)
    tables = [Table.start(ann, *THREE, variant=ONE_DEAL, on=DAYS[0]) for _ in range(6)]
    for table in tables:
        table.score(0, 5, 9)
    assert catch_up(ann.league_id)
    with writing() as session:
        session.execute(delete(Checkpoint).where(Checkpoint.league_id == ann.league_id))
    tables[4].change(lambda record: amend_deal(record, 1, told(9, 0, 5)))
    league = db.session.get_one(League, ann.league_id)
    revision, upheaval, key = league.revision, league.upheaval, (DAYS[0], tables[4].game_id)
    courses = [rating_replay._start(db.session(), ann.league_id, key) for _ in range(2)]
    for course in courses:
        for batch in rating_replay._batches(db.session(), ann.league_id, course.key):
            course.go_on(batch)
    db.session.rollback()
    for course in courses:
        assert rating_replay._swap_in(ann.league_id, revision, upheaval, key, course)
    check_league(ann.league_id)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need a system with fork")
@doses("stride", 4, 1)
def test_ratings_cut_short_are_the_old_ones_and_stay_marked(
    app: Flask, ann: Author, stride: int
) -> None:
    """Killed before every statement in turn, until one lives to its end."""
    chance = Random(5)
    tables = [
        Table.start(ann, *chance.sample(THREE, 3), variant=ONE_DEAL, on=chance.choice(DAYS))
        for _ in range(20)
    ]
    for table in tables:
        table.score(0, 5, 9)
    assert catch_up(ann.league_id)
    with Rater(ann) as rater:
        for turn in count():
            old = stored_forms(ann.league_id)
            points = told(*[(9, 0, 5), (0, 5, 9)][turn // 3 % 2])
            tables[turn % 3].change(lambda r, p=points: amend_deal(r, 1, p))  # type: ignore[misc]
            killed = rater.is_killed_before(1 + turn * stride)
            db.session.rollback()
            assert is_settled(db.session(), ann.league_id) != killed
            if killed:
                assert stored_forms(ann.league_id) == old
                assert catch_up(ann.league_id)
            assert stored_forms(ann.league_id) != old
            if not killed:
                break
    assert turn * stride > 8
    check_league(ann.league_id)
    check_database()


class Rater(Child):
    """A process ready to work out ratings, which is killed while it does."""

    def __init__(self, author: Author) -> None:
        super().__init__("tests.processes.rater", author.league_id)

    def is_killed_before(self, statement: int) -> bool:
        """Let a child work until this statement; tell whether it came to it."""
        self.order(statement)
        ended = int(self.answer()[0])
        assert ended in (0, -signal.SIGKILL)
        return ended != 0
