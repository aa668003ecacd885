"""Several phones at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from flask import Flask

from companion.store.models import db
from tests.support.patience import HANGS

PHONES = 8


def at_once(app: Flask, actions: list[Callable[[], object]]) -> list[object]:
    """Do all of this at the same moment, each on its own thread; errors are answers too."""
    barrier = Barrier(len(actions))

    def act(action: Callable[[], object]) -> object:
        with app.app_context():
            barrier.wait(HANGS)
            try:
                return action()
            except Exception as error:
                return error
            finally:
                db.session.remove()

    db.session.rollback()
    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(act, actions))
