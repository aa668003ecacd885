"""Ratings brought up to date when somebody looks: a few games at once, many in the background."""

from __future__ import annotations

import threading

from flask import Flask, current_app, request

from companion.statistics.rating_replay import catch_up, is_settled
from companion.store.models import db

AT_ONCE = 500
TRIES = 5
_busy: set[tuple[int, int]] = set()
_door = threading.Lock()


def ratings_are_current(league_id: int) -> bool:
    """Bring a league's ratings up to date if that is quick, and tell whether they are.

    Otherwise a thread begins with it, and the page says that ratings are being recalculated. The
    mark from where to go on is in the database: a server that stops meanwhile loses nothing.
    """
    if is_settled(db.session(), league_id):
        return True
    if request.method == "HEAD":  # whoever asks only for the headers changes nothing
        return False
    if catch_up(league_id, AT_ONCE):
        return True
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    # Tests have several apps in one process, and their leagues have the same numbers.
    mine = (id(app), league_id)
    with _door:
        if mine in _busy:
            return False
        _busy.add(mine)
    work = threading.Thread(target=_work, args=(app, league_id, mine), name="ratings", daemon=True)
    work.start()
    return False


def _work(app: Flask, league_id: int, mine: tuple[int, int]) -> None:
    """Replay until nothing changed meanwhile, or leave it to the next visitor."""
    try:
        with app.app_context():
            any(catch_up(league_id) for _ in range(TRIES))
    finally:
        with _door:
            _busy.discard(mine)
