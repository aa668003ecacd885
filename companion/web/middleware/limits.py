"""How often one address may try what is secret or dear, before pages are asked to wait.

Kept in each process, so a server of several processes allows that many times as much: that is
still little. What must hold on all of them is counted in the database, `phones/attempts.py`.
"""

from __future__ import annotations

import time
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from flask import Flask, current_app, request
from flask_limiter import Limiter
from limits import parse_many

from companion.phones.attempts import TooManyError

LIMITED = {
    ("/return", "POST"): "10 per minute; 60 per hour",
    ("/league/passphrase", "POST"): "10 per minute",
    ("/claims/", "GET"): "20 per minute",
    ("/claims/", "POST"): "20 per minute",
    ("/j/", "GET"): "600 per minute",
    ("/j/", "POST"): "600 per minute",
    ("/league/files/looks", "POST"): "30 per minute",
    ("/house/files", "POST"): "20 per minute",
    ("/rules/<key>/judge", "GET"): "300 per minute",
}
"""By the beginning of an address and the method."""
COUNTED = {
    "league": "30 per hour; 100 per day",
    "game": "60 per minute; 1000 per hour",
}
"""What an address may make; only what was made counts, however it was asked for."""


def init_app(app: Flask) -> None:
    """Limit the views that stand at these addresses; called when all of them are there."""
    limiter = Limiter(client, app=app, storage_uri="memory://", strategy="fixed-window")
    for rule in app.url_map.iter_rules():
        for (address, method), limit in LIMITED.items():
            if rule.rule.startswith(address) and method in (rule.methods or ()):
                view: Any = app.view_functions[rule.endpoint]
                view = limiter.limit(limit, methods=[method])(view)
                app.view_functions[rule.endpoint] = view
    _leave_others_alone(app, limiter)


def _leave_others_alone(app: Flask, limiter: Limiter) -> None:
    """Take away what looks before each page whether all are limited: a limited view looks itself.

    It took a twelfth of the time of every page.
    """
    hooks = app.before_request_funcs[None]
    hooks[:] = [hook for hook in hooks if getattr(hook, "__self__", None) is not limiter]


def count(what: str) -> None:
    """Count what the asking address is about to make; raises `TooManyError` for too many."""
    (limiter,) = current_app.extensions["limiter"]
    for limit in parse_many(COUNTED[what]):
        if not limiter.limiter.hit(limit, what, client()):
            ends = limiter.limiter.get_window_stats(limit, what, client()).reset_time
            raise TooManyError(timedelta(seconds=ends - time.time()))


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
