"""Large files on their way in: in a thread, and how far it is.

A server that stops meanwhile has nothing of it that anybody sees. How far it is, only the process
knows that does it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread

from flask import Flask, current_app
from msgspec import Struct

from companion.cards import Refusal
from companion.phones.gate import BusyError
from companion.store.authors import token_hash

BROKE_OFF = "The server couldn't finish this. Nothing was changed. Try again."
OTHERS_FIRST = "Other files are being imported. Try again in a minute."


class Work(Struct):
    """How far a large file is: games that are done, of how many.

    `fault` is what was wrong, none where all went well, and None before it has ended.
    """

    done: int = 0
    all: int = 0
    fault: str | None = None

    @property
    def ended(self) -> bool:
        """Whether it is known how it went."""
        return self.fault is not None

    def note(self, done: int, all_: int) -> None:
        """Note that so many games of so many are done."""
        self.done, self.all = done, all_


_works: dict[str, Work] = {}
_door = Lock()
MOST = 100


def work_of(token: str) -> Work | None:
    """Return what a phone's file is at; once it ended, only the first who asks is answered."""
    mine = token_hash(f"work {token}")
    with _door:
        work = _works.get(mine)
        if work and work.ended:
            del _works[mine]
    return work


def run_import(token: str, work: Callable[[Work], None], *, in_background: bool) -> None:
    """Do something with a file at once, or in a thread, whose fault waits for the page."""
    if not in_background:
        work(Work())
        return
    mine, going = token_hash(f"work {token}"), Work()
    with _door:
        if (before := _works.get(mine)) and not before.ended:
            return
        while len(_works) >= MOST:
            _works.pop(next(iter(_works)))
        _works[mine] = going
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    Thread(target=_go, args=(app, work, going), name="file", daemon=True).start()


def _go(app: Flask, work: Callable[[Work], None], going: Work) -> None:
    fault = BROKE_OFF
    try:
        with app.app_context():
            work(going)
        fault = ""
    except Refusal as refusal:
        fault = str(refusal)
    except BusyError:
        fault = OTHERS_FIRST
    finally:
        going.fault = fault
