"""The server's log: one line of JSON for each event, in which nothing opens a door."""

from __future__ import annotations

import json
import logging
import re
import threading
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from html import unescape
from typing import Any

from flask import Flask, Response, g, has_request_context, request
from limits import RateLimitItemPerMinute
from limits.strategies import FixedWindowRateLimiter
from werkzeug.exceptions import RequestEntityTooLarge

from companion.store.event_log import log_refusal

from .limits import Counters

OPENS = re.compile(r"(/(?:j|claims)/)[^\s/?#\"'\\]+")
"""The address of a link or of an owner's code: whoever reads it could come in."""
SAID = re.compile(
    r'<(?:div|p)[^>]* role="alert"(?![^>]* hidden)[^>]*>(?:\s*<h2>.*?</h2>)?(.*?)</(?:div|p)>',
    re.DOTALL,
)
TAG = re.compile("<[^>]+>")
TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
LONGEST = 300
MOST_A_MINUTE = 300
# One less: the last line of a minute says that more are not listed.
A_MINUTE = RateLimitItemPerMinute(MOST_A_MINUTE - 1)
"""The most refusals that are logged in a minute: nobody fills the disk by being refused."""
log = logging.getLogger(__name__)


def init_app(app: Flask) -> None:
    """Write the log to standard error, unless whoever runs the server set up one of their own."""
    logging.getLogger("companion").setLevel(logging.INFO)
    app.after_request(partial(_note, FixedWindowRateLimiter(Counters())))
    root = logging.getLogger()
    if root.handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(LogLines())
    root.addHandler(handler)
    threading.excepthook = _log_thread


def read_reasons(app: Flask) -> None:
    """Know why an answer refuses by what its page says; called before answers are packed."""
    app.after_request(_read_reason)


def _read_reason(answer: Response) -> Response:
    if not _refuses(answer.status_code) or "refusal" in g or answer.is_streamed:
        return answer
    text = answer.get_data(as_text=True)
    words = json.loads(text).get("words") if answer.is_json else _said_on(text)
    if words:
        g.refusal = _without_names(words)[:LONGEST]
    return answer


def _said_on(page: str) -> str:
    """Read the notice of a page; one without a notice is about nothing else."""
    said = SAID.search(page) or TITLE.search(page)
    return " ".join(unescape(TAG.sub(" ", said[1])).split()) if said else ""


def _without_names(words: str) -> str:
    typed: set[str] = set()
    with suppress(RequestEntityTooLarge):  # a form that is refused for its size is never read
        typed = {value.strip() for values in request.form.listvalues() for value in values}
    for value in sorted((value for value in typed if len(value) > 1), key=len, reverse=True):
        words = words.replace(value, "...")
    return words


def _log_thread(ended: threading.ExceptHookArgs) -> None:
    log.error("a thread ended with an error", exc_info=ended.exc_value)


class LogLines(logging.Formatter):
    """Events as lines of JSON: when in UTC, how grave, from where, what, and who asked.

    What is not plain ASCII is escaped, so that no name can begin a line or speak to a terminal.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Write one event."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
            **_asking(),
        }
        if record.exc_info:
            line["trace"] = _without_secrets(self.formatException(record.exc_info))
        return OPENS.sub(r"\1...", json.dumps(line, default=str))


def _asking() -> dict[str, Any]:
    """Name who asks for what, as far as it is known by now: the log asks no database."""
    if not has_request_context():
        return {}
    asked: dict[str, Any] = {
        "method": request.method,
        "path": request.path[:LONGEST],
        "address": request.remote_addr,
    }
    for league in g.get("leagues", [])[:1]:
        asked |= {"league": league.league_id, "phone": league.device_id, "role": league.role}
    return {"asked": asked}


def _without_secrets(trace: str) -> str:
    """Take out of a trace what this request brought along that opens something."""
    if not has_request_context():
        return trace
    sent = [*request.cookies.values(), *(request.view_args or {}).values()]
    # Only a form that was read already: to read one here could fail again, as it may have just now.
    sent += vars(request).get("form", {}).values()
    # Everything that opens something is longer; to cut out a 1 would spoil the whole trace.
    for secret in {str(value) for value in sent if len(str(value)) >= 8}:
        trace = trace.replace(secret, "...")
    return trace


def _note(listed: FixedWindowRateLimiter, answer: Response) -> Response:
    """List an answer that refuses; that nothing stands at an address is no refusal."""
    if _refuses(answer.status_code) and listed.hit(A_MINUTE):
        log_refusal(
            "refused", status=answer.status_code, reason=g.get("refusal"), needs=g.get("lacked")
        )
        if not listed.test(A_MINUTE):
            log_refusal("more refusals in this minute are not listed")
    return answer


def _refuses(status: int) -> bool:
    """Return whether an answer refuses; a fault of our own has a line already."""
    if status == 404:
        return request.url_rule is not None and request.endpoint != "static"
    return 400 <= status < 499 or status == 503
