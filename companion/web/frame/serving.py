"""The app under a server that wants a module, such as gunicorn."""

from __future__ import annotations

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from companion.store.database import shown
from companion.store.event_log import log_event, log_refusal
from companion.store.models import db
from companion.store.schema import refuse_behind
from companion.store.trouble import explain


def ready_to_serve(app: Flask) -> None:
    """Name the database and refuse tables of an earlier version.

    Raises `SettingError`.
    """
    with app.app_context():
        try:
            refuse_behind()
        except SQLAlchemyError as fault:  # a database server that is away answers later
            log_refusal("unready", reason=explain(fault))
        log_event("serving", database=shown())
        db.engine.dispose()  # a process that is forked from this one opens connections of its own
