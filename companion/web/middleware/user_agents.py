"""What a phone or computer is called before anybody gives it a name."""

from __future__ import annotations

from flask import request

# The first that fits counts: an Android phone calls itself Linux as well.
KNOWN = (
    (("iPhone",), "iPhone"),
    (("iPad",), "iPad"),
    (("Android", "Mobile"), "Android phone"),
    (("Android",), "Android tablet"),
    (("CrOS",), "Chromebook"),
    (("Windows",), "Windows computer"),
    (("Macintosh",), "Mac"),
    (("Linux",), "Linux computer"),
)


def my_phone_name() -> str:
    """Name the kind of the asking device."""
    return phone_name(request.headers.get("User-Agent", ""))


def phone_name(user_agent: str) -> str:
    """Name the kind of a device from what its browser says of itself.

    >>> phone_name("Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari")
    'Android phone'
    >>> phone_name("curl/8")
    'Phone'
    """
    named = (name for signs, name in KNOWN if all(sign in user_agent for sign in signs))
    return next(named, "Phone")
