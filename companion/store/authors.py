"""Who asks: a phone or laptop in a league, and what its role lets it do."""

from __future__ import annotations

import hashlib
from typing import Literal

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from .models import Device

Role = Literal["viewer", "player", "scorekeeper", "owner"]
ROLES: tuple[Role, ...] = ("viewer", "player", "scorekeeper", "owner")
"""From who may least to who may most: each may what those before may."""


class NotAllowedError(PermissionError):
    """A device that may not do this, or not any more; one page answers it, whatever the view.

    The log has its words, and so they name nobody.
    """


class Author(Struct, frozen=True):
    """Who changes something: a device of a league, and the least role that may."""

    league_id: int
    device_id: int
    least: Role = "viewer"


class Newcomer(Struct, frozen=True):
    """A phone without a league of its own: the first thing it keeps opens one, or changes nothing.

    `token` is its cookie's, `league_name` what the league is called where the phone opens it.
    """

    token: str
    league_name: str
    phone: str = ""


Writer = Author | Newcomer


def may(role: str, least: Role) -> bool:
    """Return whether a role is enough.

    >>> may("owner", "player"), may("viewer", "player"), may("stranger", "viewer")
    (True, False, False)
    """
    return role in ROLES and ROLES.index(role) >= ROLES.index(least)


def require(session: Session, author: Author) -> None:
    """Look at the device's row in the transaction that writes: it may be revoked meanwhile.

    Raises `NotAllowedError`.
    """
    theirs = (Device.league_id == author.league_id, Device.id == author.device_id)
    held = select(Device.role).where(*theirs, Device.revoked_at.is_(None))
    role = session.execute(held).scalar_one_or_none()
    if role is None:
        raise NotAllowedError("This phone is no longer in the league.")
    if not may(role, author.least):
        raise NotAllowedError("This phone may not change that any more.")


def token_hash(token: str) -> str:
    """Hash a device's token: only this is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
