"""A question waits until there is something new, holds nothing meanwhile, and tells nobody else."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from threading import enumerate as threads
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update
from werkzeug.test import TestResponse

from companion.store.database import AnyRow, writing
from companion.store.models import Device, db
from companion.web.frame import live_questions
from companion.web.frame.live_questions import FREE_THREADS, MOST_OF_A_PHONE, LiveQuestions, Waiter
from tests.leagues.game_driver import Table
from tests.support.patience import HANGS, wait_until
from tests.visits.pages import attribute
from tests.visits.phones import Phone

from .phones_at_table import Party


@pytest.fixture
def questions(app: Flask, monkeypatch: pytest.MonkeyPatch) -> LiveQuestions:
    monkeypatch.setattr("companion.web.table.hand_pages.patience", lambda: 2 * HANGS)
    held: LiveQuestions = app.extensions["waiting"]
    return held


@pytest.fixture
def over(questions: LiveQuestions, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Ends the patience of whoever waits."""
    over, wait = Event(), questions.wait

    def ended(waiter: Waiter, seen: Mapping[int, AnyRow], until: float) -> bool:
        assert over.wait(HANGS)
        return wait(waiter, seen, 0)

    monkeypatch.setattr(questions, "wait", ended)
    return over


def question(party: Party, phone: Phone) -> tuple[str, str]:
    """Where a page asks what is newer than it, as its script does, and its own mark."""
    live = phone.show(party.path).one("[data-live]")
    mark = attribute(live, "data-mark")
    return f"{attribute(live, 'data-live')}&wait=1&seen={mark}", mark


def asking(pool: ThreadPoolExecutor, party: Party, phone: Phone) -> Future[TestResponse]:
    """Ask what is newer than the page, and wait until the question waits."""
    address, _ = question(party, phone)
    held: LiveQuestions = party.ann.site.app.extensions["waiting"]
    before = len(held._waiters)
    asked = pool.submit(phone.raw, address)
    wait_until(lambda: len(held._waiters) > before, "the question waits")
    return asked


def test_a_question_is_answered_when_there_is_something(
    harpers: Party, questions: LiveQuestions
) -> None:
    with ThreadPoolExecutor(2) as pool:
        asked = [asking(pool, harpers, phone) for phone in (harpers.ann, harpers.eve)]
        held: Any = db.engine.pool
        wait_until(lambda: held.checkedout() == 0, "who waits holds no connection")
        harpers.says(harpers.bob, "I went out")
        # Nobody's patience ends so soon.
        answers = {one.result(HANGS).text for one in asked}
    assert answers == {question(harpers, harpers.ann)[1]}
    wait_until(lambda: not any(one.name == "watcher" for one in threads()), "nobody looks any more")


def test_an_open_page_of_another_game_hears_where_a_hand_is_awaited(
    harpers: Party, questions: LiveQuestions
) -> None:
    """Cleo's as soon as Bob goes out, and when it is in; Bob's, who owes none, waits on."""
    other = Table.start(harpers.table.author)
    elsewhere = replace(harpers, table=other)
    with ThreadPoolExecutor(2) as pool:
        cleo, bob = (asking(pool, elsewhere, phone) for phone in (harpers.cleo, harpers.bob))
        harpers.says(harpers.bob, "I went out")
        seen = cleo.result(HANGS).text
        assert seen == question(elsewhere, harpers.cleo)[1] != question(elsewhere, harpers.bob)[1]
        assert "awaited at another table" in harpers.cleo.show(elsewhere.path).text
        cleo = asking(pool, elsewhere, harpers.cleo)
        harpers.tells(harpers.cleo, cards="K")
        assert cleo.result(HANGS).text == question(elsewhere, harpers.cleo)[1] != seen
        assert not bob.done()
        other.score(0, 5, 10)
        assert bob.result(HANGS).text == question(elsewhere, harpers.bob)[1]


def test_a_phone_that_is_put_out_while_it_waits_learns_nothing(
    harpers: Party, questions: LiveQuestions
) -> None:
    with ThreadPoolExecutor(1) as pool:
        asked = asking(pool, harpers, harpers.eve)
        with writing() as session:
            eve = update(Device).where(Device.league_id == 1, Device.name.like("%Eve%"))
            session.execute(eve.values(revoked_at=Device.created_at))
        harpers.says(harpers.bob, "I went out")
        assert asked.result(HANGS).status_code in (403, 404)


def test_a_phone_that_is_put_out_hears_so_when_its_wait_ends(harpers: Party, over: Event) -> None:
    """Nothing happens at the table meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        asked = asking(pool, harpers, harpers.eve)
        with writing() as session:
            eve = update(Device).where(Device.league_id == 1, Device.name.like("%Eve%"))
            session.execute(eve.values(revoked_at=Device.created_at))
        over.set()
        assert asked.result(HANGS).status_code in (403, 404)


def test_a_phone_waits_with_a_few_questions_only(harpers: Party, questions: LiveQuestions) -> None:
    with ThreadPoolExecutor(MOST_OF_A_PHONE + 1) as pool:
        asked = [asking(pool, harpers, harpers.ann) for _ in range(MOST_OF_A_PHONE)]
        address, mark = question(harpers, harpers.ann)
        again = harpers.ann.raw(address)
        assert (again.text, again.headers["Retry-After"]) == (mark, "2")
        asked.append(asking(pool, harpers, harpers.bob))
        harpers.says(harpers.bob, "I went out")
        assert {one.result(HANGS).status_code for one in asked} == {200}


def test_a_fault_of_the_file_does_not_end_the_watch(
    harpers: Party, questions: LiveQuestions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where SQLite's own counter can't be read nor where the tables can't be."""
    faults = []

    def fail(*_: object) -> None:
        faults.append(1)
        raise sqlite3.OperationalError("disk I/O error")

    with ThreadPoolExecutor(1) as pool:
        asked = asking(pool, harpers, harpers.ann)
        with monkeypatch.context() as broken:
            broken.setattr(live_questions.Commits, "_now", fail)
            broken.setattr(live_questions, "live_states", fail)
            questions.nudge()
            wait_until(lambda: len(faults) > 2, "both failed")
        harpers.says(harpers.bob, "I went out")
        assert asked.result(HANGS).text == question(harpers, harpers.ann)[1]


def test_more_than_may_wait_are_answered_at_once(harpers: Party, questions: LiveQuestions) -> None:
    questions.allow(FREE_THREADS + 1)
    with ThreadPoolExecutor(1) as pool:
        asked = asking(pool, harpers, harpers.ann)
        address, mark = question(harpers, harpers.bob)
        again = harpers.bob.raw(address)
        assert (again.text, again.headers["Retry-After"]) == (mark, "2")
        harpers.says(harpers.bob, "I went out")
        assert "Retry-After" not in asked.result(HANGS).headers
    questions.allow(live_questions.THREADS)


def test_a_question_without_news_is_answered_after_a_while(harpers: Party, over: Event) -> None:
    _, mark = question(harpers, harpers.ann)
    with ThreadPoolExecutor(1) as pool:
        asked = asking(pool, harpers, harpers.ann)
        over.set()
        answer = asked.result(HANGS)
    assert (answer.status_code, answer.text) == (200, mark)
