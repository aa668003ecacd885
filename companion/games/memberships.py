"""The leagues that a phone is in, and those that it has left."""

from __future__ import annotations

from functools import cache

from msgspec import Struct
from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from companion.store.authors import Role, may
from companion.store.database import Statement, execute
from companion.store.models import Device, League


class Membership(Struct, frozen=True):
    """A league in which a device has a role."""

    league_id: int
    league_name: str
    device_id: int
    role: Role
    is_sample: bool
    judge_during_deal: bool
    show_chances: bool
    confirm_hands: bool
    standings_variant: str
    player_id: int | None

    def may(self, least: Role) -> bool:
        """Return whether the device's role is enough."""
        return may(self.role, least)


def memberships(session: Session, token_hash: str) -> list[Membership]:
    """List the leagues of a device, the latest first; a revoked one has none."""
    rows = execute(session, _memberships(), token_hash=token_hash)
    return [Membership(*row) for row in rows]


@cache
def _memberships() -> Statement:
    return (
        select(
            League.id,
            League.name,
            Device.id,
            Device.role,
            League.is_sample,
            League.judge_during_deal,
            League.show_chances,
            League.confirm_hands,
            League.standings_variant,
            Device.player_id,
        )
        .join(League, League.id == Device.league_id)
        .where(Device.token_hash == bindparam("token_hash"), Device.revoked_at.is_(None))
        .order_by(Device.id.desc())
    )


def was_put_out(session: Session, token_hash: str, league_id: int) -> bool:
    """Return whether a phone was in a league once and is no more."""
    left = select(Device.id).where(Device.token_hash == token_hash, Device.revoked_at.is_not(None))
    return session.execute(left.where(Device.league_id == league_id)).first() is not None


def latest_departure(session: Session, token_hash: str) -> int | None:
    """Return the row of the latest league that a phone is in no more, if there is one."""
    left = select(func.max(Device.id)).where(Device.token_hash == token_hash)
    device_id: int | None = session.execute(left.where(Device.revoked_at.is_not(None))).scalar_one()
    return device_id
