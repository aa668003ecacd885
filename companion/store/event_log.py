"""The door to the server's log, for every room: what happened, by numbers instead of names."""

from __future__ import annotations

import logging

LogValue = int | str | bool | None
log = logging.getLogger(__name__)


def log_event(event: str, **fields: LogValue) -> None:
    """Write one event to the server's log; `web/middleware/log_lines.py` adds when and who.

    Call it after the transaction that did it. Fields are numbers and words of ours: never a name,
    a token, a code or a passphrase. `log_event("phone removed", league=1, phone=4)`.
    """
    log.info(event, extra={"fields": fields})


def log_refusal(event: str, **fields: LogValue) -> None:
    """Write one event in which something was refused, or looks like an attempt."""
    log.warning(event, extra={"fields": fields})
