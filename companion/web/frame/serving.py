"""The app under a server that wants a module, such as gunicorn."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import sleep, time

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from companion.store.database import shown
from companion.store.event_log import log_event, log_refusal
from companion.store.installation import STARTING
from companion.store.models import db
from companion.store.schema import refuse_behind
from companion.store.trouble import explain

FIRST_SIGN, LONGEST, LOOK = 2.0, 30.0, 0.1
"""Seconds in which the next process notes that it starts, in which it serves, between two looks."""


def ready_to_serve(app: Flask) -> None:
    """Name the database, refuse tables of an earlier version, and end so that nobody waits.

    Raises `SettingError`.
    """
    with app.app_context():
        try:
            refuse_behind()
        except SQLAlchemyError as fault:  # a database server that is away answers later
            log_refusal("unready", reason=explain(fault))
        log_event("serving", database=shown())
        db.engine.dispose()  # a process that is forked from this one opens connections of its own
    end = signal.getsignal(signal.SIGTERM)
    if callable(end):
        _end_kindly(app, end)


def _end_kindly(app: Flask, end: Callable[..., object]) -> None:
    """Let waiting questions go at once, and serve on while the next process reads the program.

    gunicorn starts that one and tells this one to end in the same moment.
    """
    starting, serving = (Path(app.instance_path) / name for name in (STARTING, "serving"))
    serving.touch(mode=0o600)
    ends: list[Thread] = []

    def linger(last: float, now: float) -> None:
        sleep(FIRST_SIGN)
        is_followed = _time_of(starting) > now - FIRST_SIGN
        while is_followed and _time_of(serving) == last and time() - now < LONGEST:
            sleep(LOOK)
        end(signal.SIGTERM, None)

    def stop(*_: object) -> None:
        app.extensions["waiting"].stop()
        if not ends:
            ends.append(Thread(target=linger, args=(_time_of(serving), time()), daemon=True))
            ends[0].start()

    signal.signal(signal.SIGTERM, stop)
    signal.siginterrupt(signal.SIGTERM, False)


def _time_of(mark: Path) -> float:
    try:
        return mark.stat().st_mtime
    except OSError:
        return 0
