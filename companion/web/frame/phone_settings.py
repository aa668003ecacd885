"""What a phone chooses for itself, kept by its browser: light or dark, and the order of rows."""

from __future__ import annotations

from flask import request

from companion.web.middleware.guard import cookie_name

PHONE_SETTINGS = {"look": ("device", "light", "dark"), "rows": ("seats", "standing")}
"""The values of each setting; the first is that of a phone which chose none."""


def phone_setting(name: str) -> str:
    """Return what the asking phone chose."""
    values = PHONE_SETTINGS[name]
    kept = request.cookies.get(cookie_name(name), "")
    return kept if kept in values else values[0]
