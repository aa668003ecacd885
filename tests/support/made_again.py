"""What is kept between requests, compared with what would be made now."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from typing import Any

from werkzeug.datastructures import Headers
from werkzeug.test import run_wsgi_app

from companion.web.middleware.caching.kept import Kept
from companion.web.middleware.caching.page_cache import CachedAnswer, PageCache

Once = Callable[[Kept, Hashable, Callable[[], Any]], Any]
Environ = dict[str, Any]
Pairs = list[tuple[str, str]]
Start = Callable[..., Any]
Again = Callable[[PageCache, CachedAnswer, Start], list[bytes]]
Call = Callable[[PageCache, Environ, Start], Iterable[bytes]]


def made_again(once: Once) -> Once:
    """Let what was kept be made again, and fail where that comes to anything else."""

    @wraps(once)
    def checked(kept: Kept, key: Hashable, make: Callable[[], Any]) -> Any:
        made: list[Any] = []

        def first() -> Any:
            made.append(make())
            return made[0]

        shown = once(kept, key, first)
        if not made:
            assert make() == shown, f"What is kept for {key} is not what is so now."
        return shown

    return checked


TOKENS = re.compile(rb'(name="(?:csrf_token|key)" value=")[^"]*"')
OF_ONE_ANSWER = ("Date", "Content-Length")


class Early(list[bytes]):
    """A page that was answered before the app."""


def marked_early(again: Again) -> Again:
    """Let a page that is answered before the app be known by it."""
    return wraps(again)(lambda self, answer, start: Early(again(self, answer, start)))


def asked_again(call: Call) -> Call:
    """Let the app answer too where it would not be asked, and fail where it answers otherwise."""

    @wraps(call)
    def checked(self: PageCache, environ: Environ, start: Start) -> Iterable[bytes]:
        asked = {name: value for name, value in environ.items() if "werkzeug" not in name}
        told: list[tuple[str, Headers]] = []

        def started(status: str, headers: Pairs, *fault: Any) -> Any:
            told.append((status, Headers(headers)))
            return start(status, headers, *fault)

        parts = call(self, environ, started)
        if isinstance(parts, Early):
            made, status, headers = run_wsgi_app(self.inner, asked)
            early, late = _plain(parts, *told[0]), _plain(made, status, headers)
            assert early == late, f"{environ['PATH_INFO']} is not what is so now."
        return parts

    return checked


def _plain(
    parts: Iterable[bytes], status: str, headers: Headers
) -> tuple[bytes, str, dict[str, str]]:
    body = b"".join(parts)
    if headers.get("Content-Encoding") == "gzip" and body:
        body = gzip.decompress(body)
    told = {name: value for name, value in headers.items() if name not in OF_ONE_ANSWER}
    return TOKENS.sub(rb'\1"', body), status, told
