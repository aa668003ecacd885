"""What every answer carries and every form proves: the key, headers, the token of a form."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from flask import Flask, Response, current_app, g, request
from wtforms.csrf.core import CSRF, CSRFTokenField
from wtforms.form import BaseForm
from wtforms.validators import ValidationError

from companion.store.database import SettingError

from . import server_keys
from .guard import (
    SECRETS,
    cookie_name,
    device_token,
    remember,
    renew_phone,
)
from .leaving import forget_league
from .proxy import BehindProxy
from .server_keys import first_keys, keys_for

A_YEAR = 365 * 24 * 3600
STAY_WITH_HTTPS = {"0": f"max-age={A_YEAR}", "1": f"max-age={A_YEAR}; includeSubDomains"}
"""By the setting `HTTPS_SUBDOMAINS`: names below ours may have other programs, without https."""
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        # Covered by default-src, but OWASP's standard (3.4.3) wants it by name.
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # The picture of a result becomes a PNG in the page: `picture.js`.
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # With `no-referrer` browsers send forms with the origin `null`, which the guard refuses.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What every answer carries, a file or a refusal as well as a page."""


def init_app(app: Flask) -> None:
    """Set the key, the proxies to believe, and the headers after every view.

    Raises `SettingError` for a setting that makes no sense.
    """
    if (subdomains := app.config["HTTPS_SUBDOMAINS"]) not in STAY_WITH_HTTPS:
        raise SettingError(f"HTTPS_SUBDOMAINS is 0 or 1, not {subdomains}.")
    server_keys.init_app(app)
    lasting = {"Strict-Transport-Security": STAY_WITH_HTTPS[subdomains]}
    app.extensions["headers"] = {False: HEADERS, True: HEADERS | lasting}
    app.wsgi_app = BehindProxy(app.wsgi_app, app.config)  # type: ignore[method-assign]
    app.after_request(_finish)


def _finish(response: Response) -> Response:
    headers = response.headers
    headers.update(current_app.extensions["headers"][request.is_secure])
    if request.endpoint == "static":
        # A missing file that was answered as immutable would be missing for a year.
        lasts = response.status_code in (200, 304)
        headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable" if lasts else "no-cache"
        return response
    is_secret = "holds_secret" in g or SECRETS & (request.view_args or {}).keys()
    headers.setdefault("Cache-Control", "no-store" if is_secret else "private, no-cache")
    forget_league(response)
    renew_phone(response)
    if "cookie" in g and g.renews_cookie:
        remember(response, cookie_name(), g.cookie.write())
    return response


def keep_no_copy() -> None:
    """Let no browser keep the page that is being made, for it holds what opens something.

    Any other page is shown again at once by going back, and asked for anew otherwise.
    """
    g.holds_secret = True


class DeviceCSRF(CSRF):
    """WTForms' own hook with a token derived from the device's cookie: no session, no clock."""

    def generate_csrf_token(self, csrf_token_field: CSRFTokenField) -> str:
        """Derive the token of this device."""
        return form_token()

    def validate_csrf_token(self, form: BaseForm, field: CSRFTokenField) -> None:
        """Refuse a form that was not made for this device."""
        if not is_form_token(str(field.data or "")):
            raise ValidationError(
                "Your browser has forgotten this phone since the page was opened. "
                "Nothing is lost: check it and send it again."
            )


def form_token() -> str:
    """Make a token for the forms of a page, which only the asking device can send."""
    if "form_token" not in g:
        # Another for each page: else its length, once packed, could tell the token (BREACH).
        page = secrets.token_urlsafe(9)
        g.form_token = f"{page}.{_proof(keys_for('form')[0], page, device_token())}"
    token: str = g.form_token
    return token


def is_form_token(text: str) -> bool:
    """Return whether a form was made for this device, under whichever of its tokens or our keys."""
    page, _, proof = text.rpartition(".")
    mine = (g.cookie.token, *g.cookie.before)
    right = [_proof(key, page, token) for key in keys_for("form") for token in mine if page]
    right += [_unnumbered(key, token) for key in first_keys() for token in mine if not page]
    # As bytes: compare_digest refuses text beyond ASCII, and a field may hold any.
    return any(hmac.compare_digest(one.encode(), proof.encode()) for one in right)


def _proof(key: bytes, page: str, token: str) -> str:
    return hmac.new(key, f"{page}\0{token}".encode(), hashlib.sha256).hexdigest()[:32]


def _unnumbered(key: bytes, token: str) -> str:
    """Make what forms of version 1.0 and earlier have: drafts of phones are still taken."""
    return hmac.new(key, token.encode(), hashlib.sha256).hexdigest()
