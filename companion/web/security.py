"""Who is asking, and whether the page may answer: devices, same-origin writes, headers."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from flask import Flask, Response, abort, current_app, g, redirect, request, url_for
from werkzeug.exceptions import Forbidden
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response as AnyResponse
from wtforms.csrf.core import CSRF, CSRFTokenField
from wtforms.form import BaseForm
from wtforms.validators import ValidationError

from companion.league.archive import Membership, StoredGame, load_game, memberships
from companion.league.keeper import Author, open_league, token_hash
from companion.league.models import db
from companion.league.store import SettingError

View = TypeVar("View", bound=Callable[..., Any])
COOKIE = "device"
LEAGUE_COOKIE = "league"
LARGEST_NUMBER = 2**31 - 1
COOKIE_LIFE = 400 * 24 * 3600
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_public_views: set[str] = set()


def init_app(app: Flask) -> None:
    """Set the key, the guard before every view and the headers after it."""
    app.secret_key = app.config.get("SECRET_KEY") or _secret_key(Path(app.instance_path))
    hops = str(app.config["PROXY_HOPS"])
    if not hops.isdecimal() or int(hops) > 9:
        raise SettingError(f"PROXY_HOPS must be a small whole number, not {hops}.")
    if int(hops):
        count = int(hops)
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=count, x_proto=count, x_host=count, x_prefix=count
        )
    app.before_request(_guard)
    app.after_request(_finish)


def _secret_key(instance: Path) -> bytes:
    """Read the server's key, or make one that only its owner can read."""
    path = instance / "secret_key"
    if not path.exists():
        _make_key(path)
    key = path.read_bytes()
    if len(key) < 32:
        raise SettingError(f"{path.name} is damaged: remove it, and devices must join again.")
    return key


def public(view: View) -> View:
    """Mark a view that answers a stranger; every other view needs a device of a league."""
    _public_views.add(f"{view.__module__}.{view.__name__}")
    return view


def _guard() -> AnyResponse | None:  # noqa: RET503
    """Deny by default: a stranger sees only public views, another site can post nothing."""
    g.token = request.cookies.get(COOKIE) or ""
    g.new_token = not g.token
    if g.new_token:
        g.token = secrets.token_urlsafe(16)
    if request.method not in ("GET", "HEAD", "OPTIONS") and not _same_origin():
        abort(403)
    view = current_app.view_functions.get(request.endpoint or "")
    if view is None or request.endpoint == "static" or _is_public(view):
        return None
    if my_leagues():
        return None
    if request.method == "GET" and not (request.view_args or {}):
        return redirect(url_for("home.front"))
    abort(404)


def _is_public(view: Callable[..., Any]) -> bool:
    return f"{view.__module__}.{view.__name__}" in _public_views


def _same_origin() -> bool:
    origin = request.headers.get("Origin")
    return origin is None or origin == request.host_url.rstrip("/")


def _make_key(path: Path) -> None:
    """Put a whole key in place at once: of several servers starting together one is first."""
    whole = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    made = os.open(whole, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    os.write(made, secrets.token_bytes(32))
    os.close(made)
    with suppress(FileExistsError):
        os.link(whole, path)
    whole.unlink()


def device_token() -> str:
    """Give the asking device's own token."""
    token: str = g.token
    return token


def my_leagues() -> list[Membership]:
    """List the leagues of the asking device, the chosen one first, asked once a request."""
    if "leagues" not in g:
        known = not g.new_token
        mine = memberships(db.session(), token_hash(device_token())) if known else []
        chosen = request.cookies.get(LEAGUE_COOKIE, "")
        g.leagues = sorted(mine, key=lambda one: str(one.league_id) != chosen)
    leagues: list[Membership] = g.leagues
    return leagues


def my_league() -> Membership:
    """Give the league the asking device is in; 404 for a stranger."""
    if not my_leagues():
        abort(404)
    return my_leagues()[0]


class OwnerOnlyError(Forbidden):
    """Something that only the owner of a league may change."""

    told = ("Only the owner can change this", "Nothing was changed. Ask whoever began the league.")


def my_own_league() -> Membership:
    """Give the league the asking device owns; 404 for a stranger, 403 for who only takes part."""
    league = my_league()
    if league.role != "owner":
        raise OwnerOnlyError
    return league


def choose_league(response: AnyResponse, league_id: int) -> AnyResponse:
    """Let the browser remember which of its leagues it looks at; the guard does not trust it."""
    response.set_cookie(
        LEAGUE_COOKIE,
        str(league_id),
        max_age=COOKIE_LIFE,
        httponly=True,
        secure=request.is_secure,
        samesite="Lax",
    )
    return response


def my_author(league_name: str = "") -> Author:
    """Give the asking device in its league, which is opened when it first keeps something."""
    leagues = my_leagues()
    if leagues:
        return Author(leagues[0].league_id, leagues[0].device_id)
    g.pop("leagues", None)
    return open_league(league_name or "Our league", device_token())


def my_game(game_id: int) -> tuple[StoredGame, Author]:  # noqa: RET503
    """Load a game of one of the asking device's leagues; another league's answers 404."""
    for membership in my_leagues():
        if game_id > LARGEST_NUMBER:
            break
        try:
            game = load_game(db.session(), membership.league_id, game_id)
        except LookupError:
            continue
        return game, Author(membership.league_id, membership.device_id)
    abort(404)


def shows_chances(author: Author) -> bool:
    """Tell whether the league of a game wants to know who can still win it."""
    return any(m.show_chances for m in my_leagues() if m.league_id == author.league_id)


def _finish(response: Response) -> Response:
    headers = response.headers
    headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=()"
    if request.endpoint == "static":
        headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
    # A page that answers a post may be shown again by going back, but is never shared.
    posted = request.method == "POST" and response.status_code in (200, 422)
    headers.setdefault("Cache-Control", "private, no-cache" if posted else "no-store")
    if "token" in g and (g.new_token or request.endpoint == "home.front"):
        response.set_cookie(
            COOKIE,
            g.token,
            max_age=COOKIE_LIFE,
            httponly=True,
            secure=request.is_secure,
            samesite="Lax",
        )
    return response


class DeviceCSRF(CSRF):
    """WTForms' own hook with a token derived from the device's cookie: no session, no clock."""

    def generate_csrf_token(self, csrf_token_field: CSRFTokenField) -> str:
        """Derive the token of this device."""
        return form_token()

    def validate_csrf_token(self, form: BaseForm, field: CSRFTokenField) -> None:
        """Refuse a form that was not made for this device."""
        if not hmac.compare_digest(str(field.data or "").encode(), form_token().encode()):
            raise ValidationError(
                "This page was opened before the browser forgot who it is. "
                "Nothing is lost: look it over and send it again."
            )


def form_token() -> str:
    """Derive the asking device's form token, once a request."""
    if "form_token" not in g:
        key = current_app.secret_key
        secret = key if isinstance(key, bytes) else str(key).encode()
        g.form_token = hmac.new(secret, device_token().encode(), hashlib.sha256).hexdigest()
    token: str = g.form_token
    return token
