"""Heavy users are served one at a time, beside everybody else.

Eight phones that ask without a pause would make every save of another table wait for eight pages.
So the work that pages take is counted by the address that asked, and for all together who are in no
league. Whoever used a lot in the last seconds is a heavy user, and the pages of heavy users are
made one after the other. They lose little by it, for Python makes one page at a time anyway, and
nobody else waits for them. Each process counts for itself.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from math import exp
from threading import Lock
from typing import Any

from flask import Flask, g, request
from msgspec import Struct, field

from companion.web.middleware.guard import cookie_name
from companion.web.middleware.limits import client
from companion.web.middleware.turns import queue_as_heavy

LATELY = 5.0
"""Seconds after which a third of what was counted still counts."""
HEAVY, LIGHT = 1.25, 0.25
"""Seconds of recent work: whoever uses more than the first is heavy, until under the second."""
MOST = 1000
"""How many addresses are remembered, and how many phones: those that asked last."""
STRANGERS = "strangers"
FOR_ALL = ("static", "home.healthz")
"""What costs next to nothing is answered at once."""


class Share(Struct):
    """How much work one address used up to a moment, and whether that makes it a heavy user."""

    seconds: float = 0.0
    at: float = 0.0
    is_heavy: bool = False

    def add(self, seconds: float, now: float) -> None:
        """Count some more work; what was before counts for less by now."""
        self.seconds = self.seconds * exp((self.at - now) / LATELY) + seconds
        self.at = now
        self.is_heavy = self.seconds > (LIGHT if self.is_heavy else HEAVY)


class Shares(Struct):
    """How much work each address used, and the phones that are known to be in a league."""

    used: OrderedDict[str, Share] = field(default_factory=OrderedDict)
    members: OrderedDict[str, None] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def add(self, whose: str, seconds: float) -> bool:
        """Count seconds of work for an address; return whether it is a heavy user now."""
        with self.lock:
            share = self.used.pop(whose, None) or Share()
            share.add(seconds, time.monotonic())
            _keep(self.used, whose, share)
            return share.is_heavy

    def is_heavy(self, whose: str) -> bool:
        """Return whether an address is a heavy user at this moment."""
        return self.add(whose, 0)

    def note_member(self, cookie: str) -> None:
        """Note a phone that is in a league."""
        with self.lock:
            self.members.pop(cookie, None)
            _keep(self.members, cookie, None)


def _keep(kept: OrderedDict[str, Any], name: str, thing: Any) -> None:
    kept[name] = thing
    if len(kept) > MOST:
        kept.popitem(last=False)


def init_app(app: Flask) -> None:
    """Count what requests take, and let whoever had much of late wait for one another."""
    shares = Shares()

    @app.before_request
    def begin() -> None:
        who = (client(),) if _cookie() in shares.members else (client(), STRANGERS)
        if any(shares.is_heavy(one) for one in who) and request.endpoint not in FOR_ALL:
            queue_as_heavy(client())
        g.counts_for, g.began = who, time.thread_time()

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        for one in g.pop("counts_for", ()):
            shares.add(one, time.thread_time() - g.began)
        if (cookie := _cookie()) and g.get("leagues"):
            shares.note_member(cookie)


def _cookie() -> str:
    return request.cookies.get(cookie_name(), "")
