"""Heavy users are served one at a time, and nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Condition

import pytest
from flask import Flask

from companion.web.middleware import shares, turns
from companion.web.middleware.guard import public
from companion.web.middleware.shares import HEAVY, LATELY, STRANGERS, Share, Shares
from tests.conftest import fresh_app
from tests.support.patience import HANGS
from tests.visits.phones import Phone

HOUSES = ("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4")
A_MOMENT = 0.3
"""Seconds that a page waits where nobody is expected to come in beside it."""


class Room:
    """A page that waits until so many were in it at once, and notes how many there were."""

    def __init__(self, app: Flask) -> None:
        self.inside, self.most, self.moved = 0, 0, Condition()
        self.expects, self.patience = 2, A_MOMENT
        app.add_url_rule("/room", view_func=public(self.enter))

    def enter(self) -> str:
        with self.moved:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.moved.notify_all()
            self.moved.wait_for(lambda: self.most >= self.expects, self.patience)
            self.inside -= 1
        return "the room"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return fresh_app(tmp_path)


@pytest.fixture
def room(app: Flask) -> Room:
    return Room(app)


def ask(app: Flask, *houses: str, path: str = "/room") -> list[int]:
    """Ask at the same time, each from one of these addresses; how each was answered."""

    def one(house: str) -> int:
        return app.test_client().get(path, environ_base={"REMOTE_ADDR": house}).status_code

    with ThreadPoolExecutor(len(houses)) as pool:
        return list(pool.map(one, houses))


def are_heavy(monkeypatch: pytest.MonkeyPatch, *whose: str) -> None:
    """Let these be heavy users already."""
    plain = Shares.add
    monkeypatch.setattr(
        Shares, "add", lambda self, one, seconds: plain(self, one, seconds) or one in whose
    )


def test_everybody_else_is_served_at_once(app: Flask, room: Room) -> None:
    room.expects, room.patience = 4, HANGS
    assert ask(app, *HOUSES) == [200] * 4
    assert room.most == 4


@pytest.mark.parametrize(
    ("whose", "houses"),
    [(HOUSES[0], HOUSES[:1] * 4), (STRANGERS, HOUSES)],
    ids=["one", "strangers"],
)
def test_heavy_users_are_served_one_at_a_time(
    app: Flask,
    room: Room,
    monkeypatch: pytest.MonkeyPatch,
    whose: str,
    houses: Sequence[str],
) -> None:
    """A house by itself; strangers together, from however many houses they ask."""
    are_heavy(monkeypatch, whose)
    assert ask(app, *houses) == [200] * 4
    assert room.most == 1


def test_others_are_served_beside_heavy_users(
    app: Flask, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    are_heavy(monkeypatch, HOUSES[0])
    room.expects, room.patience = 3, HANGS
    ask(app, *HOUSES[:1] * 2, HOUSES[1], HOUSES[2])
    assert room.most == 3


def test_of_too_many_the_last_are_asked_to_come_again(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns.HEAVY_USERS, "most_waiting", 0)
    are_heavy(monkeypatch, HOUSES[0])
    assert ask(app, HOUSES[0], path="/rules") == [200]
    with turns.HEAVY_USERS.turn("another house"):
        assert ask(app, HOUSES[0], path="/rules") == [503]
        assert ask(app, HOUSES[0], path="/healthz") == [200], "a sign of life waits for nobody"


def test_a_phone_of_a_league_is_no_stranger_any_more(
    lone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[Sequence[str]] = []
    plain = Shares.add

    def note(self: Shares, whose: str, seconds: float) -> bool:
        counted.append(whose)
        return plain(self, whose, seconds)

    monkeypatch.setattr(Shares, "add", note)
    lone.show("/rules")
    assert STRANGERS in counted
    lone.press(lone.show("/games/new/zioncheck").form().fill("names", "Ann, Bob"))
    lone.show("/league")
    counted.clear()
    lone.show("/rules")
    assert counted
    assert STRANGERS not in counted


def test_a_heavy_user_is_none_any_more_after_a_while() -> None:
    share = Share()
    seen = []
    for seconds, now in (
        (HEAVY, 0),
        (0.01, 0),
        (0, LATELY),
        (0, 2 * LATELY),
        (HEAVY / 2, 2 * LATELY),
    ):
        share.add(seconds, 100 + now)
        seen.append(share.is_heavy)
    assert seen == [False, True, True, False, False], "a third of it still counts, a ninth doesn't"


def test_only_those_who_asked_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "MOST", 3)
    held = Shares()
    for number in range(9):
        held.add(str(number % 4), 0.1)
        held.note_member(str(number % 4))
    assert list(held.used) == list(held.members) == ["2", "3", "0"]
