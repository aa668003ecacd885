"""Who may open a league: anybody, a number of times an hour, or nobody by a setting."""

from __future__ import annotations

from flask import Flask, current_app
from werkzeug.exceptions import Forbidden

from companion.store.database import SettingError

from .limits import count

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
    """Let the asking address open one more league; raises `ClosedError` and `TooManyError`."""
    refuse_if_closed()
    count("league")
