"""Who may open a league: anybody, a number of times an hour, or nobody by a setting."""

from __future__ import annotations

from datetime import timedelta

from flask import Flask, current_app, g
from werkzeug.exceptions import Forbidden

from companion.games.opening import leagues_opened
from companion.phones.attempts import TooManyError
from companion.store.authors import token_hash
from companion.store.database import SettingError
from companion.store.models import db

from .limits import count

HOUR, MOST_OF_PHONE = timedelta(hours=1), 10
"""So many leagues one phone may open within so long."""

OPEN_TO_ALL = {"1": True, "0": False}


class ClosedError(Forbidden):
    """Somebody without a league asks for what opens one, on a server for those who were invited."""


def init_app(app: Flask) -> None:
    """Read the setting `OPEN_TO_ALL`; raises `SettingError` for what makes no sense."""
    if (setting := app.config["OPEN_TO_ALL"]) not in OPEN_TO_ALL:
        raise SettingError(f"OPEN_TO_ALL is 0 or 1, not {setting}.")


def is_open() -> bool:
    """Return whether anybody may open a league here."""
    return OPEN_TO_ALL[current_app.config["OPEN_TO_ALL"]]


def refuse_if_closed() -> None:
    """Let only whoever was invited go on; raises `ClosedError`."""
    if not is_open():
        raise ClosedError


def count_new_league() -> None:
    """Let the asking phone open one more league; raises `ClosedError` and `TooManyError`.

    Its own are counted in the database, for all processes, those of its address in this one.
    """
    refuse_if_closed()
    if leagues_opened(db.session(), token_hash(g.cookie.token), HOUR) >= MOST_OF_PHONE:
        raise TooManyError(HOUR)
    count("league")
