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

import msgspec
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, select
from sqlalchemy.orm import Session

from companion.games.entries import with_people
from companion.games.reading import StoredGame, is_number
from companion.scoring import Tally
from companion.scoring.bonuses import BID, PARTNER, bid_parts
from companion.store.aliases import shared_alias
from companion.store.authors import Author
from companion.store.database import AnyRow, Statement
from companion.store.models import Deal, Device, Game, HandReport, PendingEnding, Player, Seat

SeatLine, SeatPerson, PhonePerson = (shared_alias(Player) for _ in range(3))


class EndedDeal(Struct, frozen=True):
    """How the deal ended, and whose seat declared it (None: nobody went out)."""

    how: str
    by: int | None


NOT_ENDED = EndedDeal("", None)


class ReportedHand(Struct, frozen=True):
    """One hand as one phone entered it.

    `typed` has the text of what was typed otherwise than the tally would be, or could not be read.
    `who` is the person whose phone it is, or what the phone is called, and so is `confirmed_by`.
    `late_points` are what a hand would score that came after its deal was saved.
    """

    position: int
    seat: int
    device_id: int
    who: str
    revision: int
    tally: Tally
    typed: Mapping[str, str]
    at: datetime
    confirmed_by: str
    chosen: bool
    late_points: int | None = None

    @property
    def is_bid(self) -> bool:
        """Whether only a bid was told so far: no hand that counts."""
        return {BID} <= set(self.tally.bonuses) <= {BID, PARTNER} and self.tally.total is None

    def is_like(self, other: ReportedHand) -> bool:
        """Return whether two phones entered the same, however it was typed."""
        return self.tally == other.tally and self._unread == other._unread

    @property
    def _unread(self) -> dict[str, str]:
        # What could be read is in the tally, and `k a` is no other hand than `K A`.
        read = asdict(self.tally) | {**self.tally.bonuses}
        return {name: text for name, text in self.typed.items() if not read.get(name)}


class PendingDeal(Struct, frozen=True):
    """What phones entered of one deal so far."""

    position: int
    report_revision: int
    ended: EndedDeal | None
    reports: Mapping[int, Sequence[ReportedHand]]

    def versions(self, seat: int) -> list[ReportedHand]:
        """List what phones entered of a hand, apart from a bid alone."""
        return [report for report in self.reports.get(seat, ()) if not report.is_bid]

    @property
    def bids(self) -> dict[int, tuple[int, ...]]:
        """What was bid before the deal was played, by seat, as it was told last."""
        reported = sorted(
            (report for reports in self.reports.values() for report in reports),
            key=lambda report: report.at,
        )
        return {r.seat: bid_parts(r.tally.bonuses) for r in reported if BID in r.tally.bonuses}

    def agreed(self, seat: int) -> ReportedHand | None:
        """Return the report of a hand if there is one version of it, or one was chosen."""
        versions = self.versions(seat)
        chosen = [report for report in versions if report.chosen]
        # A save marks all versions: once it is undone, several marked are none that was chosen.
        if len(chosen) == 1:
            return chosen[0]
        return versions[0] if versions and all(map(versions[0].is_like, versions)) else None

    def own(self, device_id: int, seat: int) -> ReportedHand | None:
        """Return what one phone entered of a hand."""
        versions = self.reports.get(seat, ())
        return next((report for report in versions if report.device_id == device_id), None)


def pending_deal(
    session: Session, league_id: int, game_id: int, position: int, report_revision: int
) -> PendingDeal:
    """Read what was entered of a deal, in three queries; none where no phone entered anything."""
    if not report_revision or not is_number(position):
        return PendingDeal(position, 0, None, {})
    reports = read_reports(session, league_id, game_id, HandReport.position == position)
    return PendingDeal(
        position, report_revision, read_ending(session, game_id, position), by_seat(reports)
    )


def read_ending(session: Session, game_id: int, position: int) -> EndedDeal | None:
    """Read how a deal ended, if a phone has said so."""
    ending = session.get(PendingEnding, (game_id, position))
    return EndedDeal(ending.how, ending.by) if ending else None


def by_seat(reports: Iterable[ReportedHand]) -> dict[int, list[ReportedHand]]:
    """Sort the reports of one deal by the seat that they are of."""
    seats: dict[int, list[ReportedHand]] = {}
    for report in reports:
        seats.setdefault(report.seat, []).append(report)
    return seats


def read_reports(
    session: Session, league_id: int, game_id: int, condition: ColumnElement[bool]
) -> list[ReportedHand]:
    """Read the reports of a game that are wanted, by position and seat."""
    order = (HandReport.position, HandReport.seat, HandReport.device_id)
    of_game = select(HandReport).where(HandReport.game_id == game_id, condition).order_by(*order)
    rows = session.execute(of_game).scalars().all()
    names = phone_names(session, league_id) if rows else {}
    return [
        ReportedHand(
            position=row.position,
            seat=row.seat,
            device_id=row.device_id,
            who=names.get(row.device_id, ""),
            revision=row.revision,
            tally=msgspec.convert(row.reported["tally"], Tally),
            typed=row.reported["typed"],
            at=row.at,
            confirmed_by=names.get(row.confirmed_by or 0, ""),
            chosen=row.chosen,
            late_points=row.reported.get("late_points"),
        )
        for row in rows
    ]


def phone_names(session: Session, league_id: int) -> dict[int, str]:
    """Say whose each phone of a league is: its person, else what the phone is called.

    A person's several phones carry their own names as well, and a number where two share one.
    """
    phones = (
        select(Device.id, PhonePerson.name, Device.name, Device.revoked_at.is_(None))
        .outerjoin(PhonePerson, PhonePerson.id == Device.player_id)
        .where(Device.league_id == league_id)
        .order_by(Device.id)
    )
    rows = session.execute(phones).all()
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


def seats_with_phones(session: Session, game_id: int) -> dict[int, list[int]]:
    """Return which seats of a game have phones of their own, and which."""
    seats: dict[int, list[int]] = {}
    rows = phones_at_seats(Seat.number, Device.id).where(
        Seat.game_id == game_id, Device.revoked_at.is_(None)
    )
    for seat, device in session.execute(rows.distinct().order_by(Seat.number, Device.id)):
        seats.setdefault(seat, []).append(device)
    return seats


def phones_at_seats(*columns: Any) -> Statement:
    """Begin to ask about seats and the phones of the people who sit there, each of a team.

    The league is named because an index leads from it to its phones, and none from a person.
    """
    in_league = Device.league_id == PhonePerson.league_id
    seats = select(*columns).select_from(Seat).join(SeatLine, SeatLine.id == Seat.player_id)
    # A phone may have been let in as the team itself by a version before.
    whose = (SeatPerson.person_id, SeatLine.person_id)
    return (
        with_people(seats, player=SeatPerson)
        .join(PhonePerson, PhonePerson.person_id.in_(whose))
        .join(Device, and_(in_league, Device.player_id == PhonePerson.id))
    )


def live_states(connection: Connection, games: Iterable[int]) -> dict[int, AnyRow]:
    """Return the states of these games in one query; none of a game that was taken out.

    A page of a game shows what is saved and reported, and where it is over the latest game.
    """
    numbers = [game for game in games if is_number(game)]
    return {row.id: row for row in connection.execute(_live_states(), {"games": numbers})}


@cache
def _live_states() -> Statement:
    other = shared_alias(Game)
    latest = select(func.max(other.id)).where(other.league_id == Game.league_id)
    shown = (Game.id.in_(bindparam("games", expanding=True)), Game.hidden.is_(False))
    reported = Game.report_revision.label("report_revision")
    state = (Game.id, Game.league_id, Game.revision, reported, Game.status)
    return select(*state, latest.scalar_subquery()).where(*shown)


def state_etag(
    game: StoredGame | AnyRow, following: int | None = None, awaited: int | None = None
) -> str:
    """Name one state of a game: what its pages show changes exactly when this does.

    `awaited` is the other game that waits for the hand of the asking phone, where a page says so.
    """
    state = (game.revision, game.report_revision, game.status, following, awaited and f"@{awaited}")
    return ".".join(str(part) for part in state if part is not None)


def following_game(session: Session, author: Author, game_id: int) -> int | None:
    """Find the latest game begun after this one in which the person of a phone sits."""
    later = (Game.status == "running", Game.hidden.is_(False), Game.id > game_id)
    of_phone = (Game.league_id == author.league_id, Device.id == author.device_id)
    games = phones_at_seats(func.max(Game.id)).join(Game, Game.id == Seat.game_id)
    latest: int | None = session.execute(games.where(*later, *of_phone)).scalar_one()
    return latest


def next_at_table(session: Session, league_id: int, game_id: int) -> int | None:
    """Find the latest game begun after this one at which one of its players sits."""
    players = select(Seat.player_id).where(Seat.game_id == game_id)
    later = (Game.status == "running", Game.hidden.is_(False), Game.id > game_id)
    games = select(func.max(Game.id)).join(Seat, Seat.game_id == Game.id)
    rows = games.where(Game.league_id == league_id, *later, Seat.player_id.in_(players))
    latest: int | None = session.execute(rows).scalar_one()
    return latest


def running_elsewhere(session: Session, author: Author, game_id: int) -> list[int]:
    """List the other running games where the person of a phone sits."""
    rows = _elsewhere(author, game_id, phones_at_seats(Game.id).join(Game, Game.id == Seat.game_id))
    return list(session.execute(rows).scalars())


def ended_elsewhere(session: Session, author: Author, game_id: int) -> list[int]:
    """List the other running games where a phone's person sits and the deal on the table ended."""
    deals = select(func.count()).select_from(Deal).where(Deal.game_id == Game.id)
    on_table = PendingEnding.position == deals.scalar_subquery() + 1
    games = phones_at_seats(Game.id).join(Game, Game.id == Seat.game_id)
    ended = games.join(PendingEnding, and_(PendingEnding.game_id == Game.id, on_table))
    return list(session.execute(_elsewhere(author, game_id, ended)).scalars())


def _elsewhere(author: Author, game_id: int, games: Statement) -> Statement:
    """Keep of these games the running ones where the author's phone plays, the latest first."""
    of_phone = (Game.league_id == author.league_id, Device.id == author.device_id)
    others = (Game.status == "running", Game.hidden.is_(False), Game.id != game_id)
    return games.where(*of_phone, *others).distinct().order_by(Game.id.desc())


def own_seats(session: Session, author: Author, game_id: int) -> list[int]:
    """List the seats of a game that are those of the author's phone."""
    seats = seats_with_phones(session, game_id)
    return [seat for seat, phones in seats.items() if author.device_id in phones]
