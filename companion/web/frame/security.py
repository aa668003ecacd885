"""What every answer carries and every form proves: the key, headers, the token of a form."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from flask import Flask, Response, current_app, g, request
from wtforms.csrf.core import CSRF, CSRFTokenField
from wtforms.form import BaseForm
from wtforms.validators import ValidationError

from companion.store.database import SettingError
from companion.store.keys import kept_key

from .guard import COOKIE_LIFE, cookie_name, device_token
from .proxy import BehindProxy, ProxySettings

A_YEAR = 365 * 24 * 3600
STAY_WITH_HTTPS = {"0": f"max-age={A_YEAR}", "1": f"max-age={A_YEAR}; includeSubDomains"}
"""By the setting `HTTPS_SUBDOMAINS`: names below ours may have other programs, without https."""
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "object-src 'none'",
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


HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
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
    app.secret_key = app.config.get("SECRET_KEY") or kept_key(
        Path(app.instance_path) / "secret_key", "devices must join again"
    )
    settings = ProxySettings.read(app.config)
    app.wsgi_app = BehindProxy(app.wsgi_app, settings)  # type: ignore[method-assign]
    app.after_request(_finish)


def _finish(response: Response) -> Response:
    headers = response.headers
    headers.update(HEADERS)
    if request.is_secure:
        subdomains = current_app.config["HTTPS_SUBDOMAINS"]
        headers["Strict-Transport-Security"] = STAY_WITH_HTTPS[subdomains]
    if request.endpoint == "static":
        lasts = response.status_code in (200, 304) and "v" in request.args
        headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable" if lasts else "no-cache"
        return response
    # A page that answers a post may be shown again by going back, but is never shared.
    posted = request.method == "POST" and response.status_code in (200, 422)
    headers.setdefault("Cache-Control", "private, no-cache" if posted else "no-store")
    if "token" in g and (g.renews_cookie or request.endpoint == "home.front"):
        response.set_cookie(
            cookie_name(),
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
        g.form_token = hmac.new(server_key(), device_token().encode(), hashlib.sha256).hexdigest()
    token: str = g.form_token
    return token


def server_key() -> bytes:
    """Return the server's own key, of which tokens are made."""
    key = current_app.secret_key
    return key if isinstance(key, bytes) else str(key).encode()
