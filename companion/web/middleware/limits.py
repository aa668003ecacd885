"""How often one phone or one address may try what is secret or expensive.

Members of a league are counted by phone, so that a hall behind one address is no crowd; strangers,
and everybody's guesses at a secret, by address. Counted in each process, so a server of several
allows that many times as much: that is still little. What must hold on all of them is counted in
the database, `phones/attempts.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock
from typing import Any

from flask import Flask, current_app, g, request
from flask_limiter import Limiter
from limits import parse_many
from limits.storage import MemoryStorage

from companion.phones.attempts import TooManyError

SECRET = {
    ("/return", "POST"): "10 per minute; 60 per hour",
    ("/league/passphrase", "POST"): "10 per minute",
    ("/claims/", "GET"): "20 per minute",
    ("/claims/", "POST"): "20 per minute",
    # A hall of 400 phones behind one address scans its code at the same moment.
    ("/j/", "GET"): "600 per minute",
    ("/j/", "POST"): "600 per minute",
}
"""Guesses at secrets, for all of one address: by the beginning of a URL and the method."""
EXPENSIVE = {
    ("/league/files/looks", "POST"): "30 per minute",
    ("/league/past/looks", "POST"): "30 per minute",
    ("/league/past/imports", "POST"): "30 per minute",
    ("/house/files", "POST"): "20 per minute",
    # The page answers itself after each tap, so nobody at a table asks the server's judge so often.
    ("/rules/<key>/judge", "GET"): "120 per minute",
}
"""What takes long, for one asker; in the same way."""
COUNTED = {
    # A hall behind one address: its phones are counted one by one too (`newcomers.py`).
    "league": "120 per hour; 400 per day",
    "game": "60 per minute; 1000 per hour",
}
"""What one asker may make, leagues one address; what was made counts, however it was asked for."""


class Counters(MemoryStorage):
    """Counters in this process's memory, one request after the other."""

    STORAGE_SCHEME = ["counters"]  # noqa: RUF012

    def __init__(self, uri: str | None = None, **options: Any) -> None:
        self._counting = Lock()
        super().__init__(uri, **options)

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count; returns how often it was."""
        # limits 5.8 starts its timer twice where two threads count at once: of a hall of phones
        # that scanned a code together, one was answered 500.
        with self._counting:
            if self.get_expiry(key) > time.time() + expiry:
                # The clock was set back, by years perhaps: nobody waits for it to come again (I17).
                self.clear(key)
            return super().incr(key, expiry, amount)


def init_app(app: Flask, leagues: Callable[[], Sequence[object]]) -> None:
    """Limit the views that stand at these addresses; called when all of them are there.

    `leagues` lists those that the asking phone is in.
    """
    app.extensions["leagues_of_asker"] = leagues
    limiter = Limiter(client, app=app, storage_uri="counters://", strategy="fixed-window")
    for limits, whose in ((SECRET, client), (EXPENSIVE, asker)):
        for rule in app.url_map.iter_rules():
            for (address, method), limit in limits.items():
                if rule.rule.startswith(address) and method in (rule.methods or ()):
                    view: Any = app.view_functions[rule.endpoint]
                    # HEAD tells whether a link works just as GET does, so it is counted with it.
                    methods = [method, "HEAD"] if method == "GET" else [method]
                    view = limiter.limit(limit, methods=methods, key_func=whose)(view)
                    app.view_functions[rule.endpoint] = view


def count(what: str) -> None:
    """Count what is about to be made; raises `TooManyError` for too many of one asker."""
    (limiter,) = current_app.extensions["limiter"]
    # A phone that opened a league has another token: only its address stays the same.
    whose = client() if what == "league" else asker()
    for limit in parse_many(COUNTED[what]):
        if not limiter.limiter.hit(limit, what, whose):
            ends = limiter.limiter.get_window_stats(limit, what, whose).reset_time
            raise TooManyError(timedelta(seconds=ends - time.time()))


def asker() -> str:
    """Return whose requests are counted together: a member's phone, or a stranger's address."""
    is_member = bool(current_app.extensions["leagues_of_asker"]())
    return f"phone {g.cookie.token}" if is_member else client()


def client() -> str:
    """Return the address that asks: of the newer, longer ones the part that names a household."""
    asking = request.remote_addr or ""
    try:
        address = ip_address(asking)
    except ValueError:
        return asking[:100]
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((int(address), 64), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)
