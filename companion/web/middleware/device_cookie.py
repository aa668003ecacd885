"""What a phone's cookie says: its token, those it had before, and the proof that we made it.

Only what we made is believed: a name that somebody planted in a browser opens nothing. A phone gets
another token whenever it gains a right, so that a cookie from before is worth nothing either. The
tokens before only keep its open pages alive: a form that was made for one of them is still taken.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from companion.store.dates import today

from .server_keys import keys_for

MOST_BEFORE = 3
RENEWED_AFTER = 30
"""Days after which a cookie is sent once more, so that it lasts from then."""
UNPROVED = re.compile(r"[A-Za-z0-9_-]{22}")
"""A cookie of version 1.0 and earlier: the token alone."""
_PROVED = re.compile(
    rf"([^~.]{{1,64}})((?:~[^~.]{{1,64}}){{0,3}})\.(-?[0-9]{{1,6}})\.({UNPROVED.pattern})"
)


class Cookie(Struct, frozen=True):
    """A phone's own token, those it had before, and the day on which its browser got it."""

    token: str
    before: tuple[str, ...] = ()
    day: int = 0
    key: int = 0

    @staticmethod
    def read(text: str) -> Cookie | None:
        """Read a cookie that we made, with whichever of our keys; None for any other."""
        found = _PROVED.fullmatch(text)
        if not found:
            return None
        signed, proof = text.rpartition(".")[::2]
        for number, key in enumerate(keys_for("device")):
            if hmac.compare_digest(_proof(key, signed).encode(), proof.encode()):
                before = tuple(found[2].split("~")[1:])
                return Cookie(found[1], before, int(found[3]), number)
        return None

    def write(self) -> str:
        """Write it as the browser keeps it from this day on."""
        signed = f"{'~'.join((self.token, *self.before[:MOST_BEFORE]))}.{_this_day()}"
        return f"{signed}.{_proof(keys_for('device')[0], signed)}"

    @property
    def is_old(self) -> bool:
        """Whether the browser is to get it once more."""
        # abs: a cookie from a clock that was ahead is renewed too, not only after that day (I17).
        return self.key > 0 or abs(_this_day() - self.day) >= RENEWED_AFTER

    def renewed(self, form: str) -> Cookie:
        """Return the cookie after a right was gained with this form.

        Two taps on one form give the same; nobody can work it out who does not see that page.
        """
        token = _short(hmac.digest(keys_for("renewal")[0], f"{self.token}\0{form}".encode(), HASH))
        return Cookie(token, (self.token, *self.before)[:MOST_BEFORE])


HASH = hashlib.sha256


def _this_day() -> int:
    """Return the number of this day; a label, nothing rests on it.

    It is below nothing where a clock stands before 2020, as after a power cut (I17).
    """
    return (today() - date(2020, 1, 1)).days


def new_cookie(before: Sequence[str] = ()) -> Cookie:
    """Make the cookie of a phone that never was here."""
    return Cookie(secrets.token_urlsafe(16), tuple(before))


def _proof(key: bytes, signed: str) -> str:
    return _short(hmac.digest(key, signed.encode(), HASH))


def _short(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()
