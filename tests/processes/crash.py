"""Kill a process that writes, again and again, and see that nothing it was promised is lost."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from random import Random

from sqlalchemy import Engine, event, func, select, text

from companion.games import writer
from companion.games.changes import play_deal
from companion.games.writer import Saved
from companion.store.authors import Author
from companion.store.models import History, db
from tests.leagues.game_driver import check_sound, told
from tests.processes.children import Child
from tests.support.reports import CONTRACT, THREE


@dataclass(frozen=True)
class Submission:
    """What the writer sent: its key, the game and the revision it saw (0: a new game)."""

    key: str
    game_id: int
    revision: int


class Writer(Child):
    """A process ready to write, and what its children told."""

    def __init__(self, author: Author) -> None:
        super().__init__("tests.processes.scorekeeper", author.league_id, author.device_id)
        self.author = author

    def kill_one(self, acknowledged: int, delay: float) -> tuple[list[Submission], Submission]:
        """Let a child write, kill it this long after so many answers; tell what it was told.

        The second answer is the submission it sent last, which may or may not be stored.
        """
        self.order("go")
        child = int(self.answer()[1])
        done: list[Submission] = []
        sent = Submission("", 0, 0)
        killed = False
        while (words := self.answer())[0] != "dead":
            told_now = Submission(words[1], int(words[2]), int(words[3]))
            if words[0] == "send":
                sent = told_now
            else:
                done.append(told_now)
            if len(done) >= acknowledged and not killed:
                time.sleep(delay)
                os.kill(child, signal.SIGKILL)
                killed = True
        return done, sent


def kill_and_check(writer: Writer, chance: Random) -> int:
    """Kill the writer once; every answer it got must hold. Returns how many it got."""
    done, sent = writer.kill_one(chance.randint(1, 12), chance.random() * 0.02)
    db.session.rollback()
    stored = select(History.key, History.game_id, History.revision)
    rows = db.session.execute(stored.where(History.key.in_([one.key for one in done]))).all()
    assert {tuple(row) for row in rows} == {(o.key, o.game_id, o.revision) for o in done}
    again = send_again(writer.author, sent)
    times = select(func.count()).where(History.key == sent.key)
    assert db.session.execute(times).scalar_one() == 1
    for game_id in {one.game_id for one in done} | {again.game_id}:
        check_sound(game_id)
    return len(done)


def send_again(author: Author, sent: Submission) -> Saved:
    """Do as the phone does that got no answer: the same submission once more."""
    if not sent.game_id:
        return writer.start_game(author, sent.key, CONTRACT, THREE)
    return writer.change_game(
        author,
        sent.game_id,
        sent.revision,
        sent.key,
        "scored",
        lambda record: play_deal(record, told(0, 5, 5)),
    )


def check_database() -> None:
    """Ask SQLite itself whether the file is whole; PostgreSQL has no such question."""
    if db.engine.dialect.name != "sqlite":
        return
    with db.engine.connect() as connection:
        assert connection.execute(text("PRAGMA integrity_check")).scalars().all() == ["ok"]
        assert connection.execute(text("PRAGMA foreign_key_check")).all() == []


def kill_before(statement: int, engine: Engine) -> None:
    """Let this process be killed before so many statements, of which a commit is one."""
    left = statement

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(engine, "before_cursor_execute", count)
    event.listen(engine, "commit", count)
