"""What phones entered of a deal: how it ended, each hand in every version, who sits where.

Two phones that enter one hand differently are two reports, until the table chooses. How they are
entered is in `hand_reports.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, and_, bindparam, func, select
from sqlalchemy.orm import Session

from companion.games.reading import is_number
from companion.scoring import Tally
from companion.store import models
from companion.store.aliases import shared_alias
from companion.store.authors import Author
from companion.store.database import AnyRow, Statement, execute
from companion.store.models import Device, Game, PendingEnding, Player, Seat

SeatPerson, PhonePerson = shared_alias(Player), shared_alias(Player)


class EndedDeal(Struct, frozen=True):
    """How the deal ended, and whose seat declared it (None: nobody went out)."""

    how: str
    by: int | None

    def __str__(self) -> str:
        return f"{self.how}:{'' if self.by is None else self.by}"


class ReportedHand(Struct, frozen=True):
    """One hand as one phone entered it.

    `typed` has the text of what was typed otherwise than the tally would be, or could not be read.
    `who` is the person whose phone it is, or what the phone is called, and so is `confirmed_by`.
    """

    seat: int
    device_id: int
    who: str
    revision: int
    tally: Tally
    typed: Mapping[str, str]
    at: datetime
    confirmed_by: str
    chosen: bool

    def is_like(self, other: ReportedHand) -> bool:
        """Return whether two phones entered the same, however it was typed."""
        return self.tally == other.tally and self._unread == other._unread

    @property
    def _unread(self) -> dict[str, str]:
        read = {**self.tally.to_data(), **self.tally.bonuses}
        return {name: text for name, text in self.typed.items() if not read.get(name)}


class PendingDeal(Struct, frozen=True):
    """What phones entered of one deal so far."""

    position: int
    pulse: int
    ended: EndedDeal | None
    reports: Mapping[int, Sequence[ReportedHand]]

    def agreed(self, seat: int) -> ReportedHand | None:
        """Return the report of a hand if there is one version of it, or one was chosen."""
        mine = self.reports.get(seat, ())
        chosen = [report for report in mine if report.chosen]
        if len(chosen) == 1:
            return chosen[0]
        return mine[0] if mine and all(map(mine[0].is_like, mine)) else None

    def own(self, device_id: int, seat: int) -> ReportedHand | None:
        """Return what one phone entered of a hand."""
        mine = self.reports.get(seat, ())
        return next((report for report in mine if report.device_id == device_id), None)


def pending_deal(
    session: Session, league_id: int, game_id: int, position: int, pulse: int
) -> PendingDeal:
    """Read what was entered of a deal, in three queries; none where the game has no pulse yet."""
    if not pulse or not is_number(position):
        return PendingDeal(position, 0, None, {})
    ending = session.get(PendingEnding, (game_id, position))
    of_deal = execute(session, _of_deal(), game=game_id, position=position).all()
    reports: dict[int, list[ReportedHand]] = {}
    for _, report in _reports(session, league_id, of_deal):
        reports.setdefault(report.seat, []).append(report)
    return PendingDeal(
        position, pulse, EndedDeal(ending.how, ending.by) if ending else None, reports
    )


def late_reports(
    session: Session, league_id: int, game_id: int, deals: int
) -> list[tuple[int, ReportedHand]]:
    """List hands that came after their deal was saved and that nobody looked at, by position."""
    found = execute(session, _late(), game=game_id, deals=deals).all()
    return _reports(session, league_id, found)


@cache
def _of_deal() -> Statement:
    return _hands().where(models.HandReport.position == bindparam("position"))


@cache
def _late() -> Statement:
    late = models.HandReport.position <= bindparam("deals")
    return _hands().where(late, models.HandReport.chosen.is_(False))


def _hands() -> Statement:
    row = models.HandReport
    numbers = (row.position, row.seat, row.device_id, row.revision, row.confirmed_by, row.chosen)
    columns = (*numbers, row.at, row.reported.label("reported"))
    of_game = select(*columns).where(row.game_id == bindparam("game"))
    return of_game.order_by(row.position, row.seat, row.device_id)


def _reports(
    session: Session, league_id: int, found: Sequence[AnyRow]
) -> list[tuple[int, ReportedHand]]:
    names = phone_names(session, league_id) if found else {}
    return [(row.position, _report(row, names)) for row in found]


def _report(row: AnyRow, names: Mapping[int, str]) -> ReportedHand:
    return ReportedHand(
        seat=row.seat,
        device_id=row.device_id,
        who=names.get(row.device_id, ""),
        revision=row.revision,
        tally=Tally.from_data(row.reported["tally"]),
        typed=row.reported["typed"],
        at=row.at,
        confirmed_by=names.get(row.confirmed_by or 0, ""),
        chosen=row.chosen,
    )


def phone_names(session: Session, league_id: int) -> dict[int, str]:
    """Say whose each phone of a league is: its person, else what the phone is called.

    A person's several phones carry their own names as well, and a number where two share one.
    """
    rows = execute(session, _phone_names(), league=league_id).all()
    held = Counter(person for _, person, _, is_in in rows if is_in)
    alike: Counter[str] = Counter()
    names = {}
    for device, person, phone, _ in rows:
        name = person or phone
        if person and held[person] > 1:
            name = f"{person}, {phone}" if phone else person
            alike[name] += 1
            name += f" {alike[name]}" if alike[name] > 1 else ""
        names[device] = name
    return names


@cache
def _phone_names() -> Statement:
    return (
        select(Device.id, PhonePerson.name, Device.name, Device.revoked_at.is_(None))
        .outerjoin(PhonePerson, PhonePerson.id == Device.player_id)
        .where(Device.league_id == bindparam("league"))
        .order_by(Device.id)
    )


def seats_with_phones(session: Session, game_id: int) -> dict[int, list[int]]:
    """Return which seats of a game have phones of their own, and which."""
    seats: dict[int, list[int]] = {}
    for seat, device in execute(session, _seats_with_phones(), game=game_id):
        seats.setdefault(seat, []).append(device)
    return seats


@cache
def _seats_with_phones() -> Statement:
    here = (Seat.game_id == bindparam("game"), Device.revoked_at.is_(None))
    rows = _phones_at_seats(Seat.number, Device.id).where(*here)
    return rows.order_by(Seat.number, Device.id)


def _phones_at_seats(*columns: Any) -> Statement:
    """Begin to ask about seats and the phones of the people who sit there.

    The league is named because an index leads from it to its phones, and none from a person.
    """
    in_league = Device.league_id == PhonePerson.league_id
    return (
        select(*columns)
        .select_from(Seat)
        .join(SeatPerson, SeatPerson.id == Seat.player_id)
        .join(PhonePerson, PhonePerson.person_id == SeatPerson.person_id)
        .join(Device, and_(in_league, Device.player_id == PhonePerson.id))
    )


class LiveState(Struct, frozen=True):
    """What a page of a game shows: its revision and pulse, and the league's latest game."""

    league_id: int
    revision: int
    pulse: int
    status: str
    latest: int


def live_states(connection: Connection, games: Iterable[int]) -> dict[int, LiveState]:
    """Return the states of these games in one query; none of a game that was taken out."""
    numbers = [game for game in games if is_number(game)]
    rows = connection.execute(_live_states(), {"games": numbers})
    return {row.id: LiveState(*row[1:]) for row in rows}


@cache
def _live_states() -> Statement:
    other = shared_alias(Game)
    latest = select(func.max(other.id)).where(other.league_id == Game.league_id)
    shown = (Game.id.in_(bindparam("games", expanding=True)), Game.hidden.is_(False))
    state = (Game.id, Game.league_id, Game.revision, Game.pulse, Game.status)
    return select(*state, latest.scalar_subquery()).where(*shown)


def mark(revision: int, pulse: int, status: str, following: int | None = None) -> str:
    """Name one state of a game: what its pages show changes exactly when this does."""
    return f"{revision}.{pulse}.{status}" + (f".{following}" if following else "")


def following_game(session: Session, author: Author, game_id: int) -> int | None:
    """Find the latest game begun after this one in which the person of a phone sits."""
    values = {"league": author.league_id, "device": author.device_id, "game": game_id}
    found: int | None = execute(session, _next_game(), **values).scalar_one()
    return found


@cache
def _next_game() -> Statement:
    later = (Game.status == "running", Game.hidden.is_(False), Game.id > bindparam("game"))
    mine = (Game.league_id == bindparam("league"), Device.id == bindparam("device"))
    games = _phones_at_seats(func.max(Game.id)).join(Game, Game.id == Seat.game_id)
    return games.where(*later, *mine)


def own_seats(session: Session, author: Author, game_id: int) -> list[int]:
    """List the seats of a game that are those of the author's phone."""
    return list(execute(session, _own_seats(), game=game_id, device=author.device_id).scalars())


@cache
def _own_seats() -> Statement:
    mine = (Seat.game_id == bindparam("game"), Device.id == bindparam("device"))
    return _phones_at_seats(Seat.number).where(*mine)
