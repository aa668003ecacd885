"""The server's log: one line of JSON for each event, in which nothing opens a door."""

from __future__ import annotations

import json
import logging
import re
import threading
from datetime import UTC, datetime
from typing import Any

from flask import g, has_request_context, request

_OPENS = re.compile(r"(/(?:j|claims)/)[^\s/?#\"'\\]+")
"""The address of a link or of an owner's code: whoever reads it could come in."""
log = logging.getLogger(__name__)


def start_log() -> None:
    """Write events to standard error, unless whoever runs the server set up a log of their own."""
    logging.getLogger("companion").setLevel(logging.INFO)
    root = logging.getLogger()
    if root.handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(LogLines())
    root.addHandler(handler)
    threading.excepthook = _log_thread


def _log_thread(ended: threading.ExceptHookArgs) -> None:
    log.error("A thread ended with an error", exc_info=ended.exc_value)


class LogLines(logging.Formatter):
    """Events as lines of JSON: when in UTC, how grave, from where, what, and who asked.

    An event brings more about itself in `extra={"facts": {…}}`. What is not plain ASCII is
    escaped, so that no name can begin a line or speak to a terminal.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Write one event."""
        facts: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "words": record.getMessage(),
            **_asking(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            facts["trace"] = self.formatException(record.exc_info)
        return _OPENS.sub(r"\1...", json.dumps(facts, default=str))


def _asking() -> dict[str, Any]:
    """Name who asks for what, as far as it is known by now: the log asks no database."""
    if not has_request_context():
        return {}
    asking = {"method": request.method, "path": request.path, "address": request.remote_addr}
    for league in g.get("leagues", [])[:1]:
        asking |= {"league": league.league_id, "phone": league.device_id}
    return asking
