"""What phones tell of the deal on the table before it is saved: how it ended, and each hand.

Nothing of it counts until somebody saves the deal. Two phones that tell one hand differently are
two reports; the table sees both and chooses. `game.pulse` moves on with everything told, so that
a page notices, and so that no deal is saved from hands that have changed since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session, aliased

from . import models
from .archive import is_number
from .changes import Change, ChangeError
from .dates import now
from .devices import Author, NotAllowedError, may
from .keeper import Saved, StaleError, change_in_session, in_game
from .models import Deal, Device, Ending, Game, Player, Seat
from .record import Record

Told = Mapping[str, str]
SeatPerson, PhonePerson = aliased(Player), aliased(Player)


@dataclass(frozen=True, slots=True)
class Ended:
    """How the deal ended, and whose seat declared it (None: nobody went out)."""

    how: str
    by: int | None

    def __str__(self) -> str:
        return f"{self.how}:{'' if self.by is None else self.by}"


@dataclass(frozen=True, slots=True)
class Report:
    """One hand as one phone told it, in the words that were typed or tapped.

    `who` is the person whose phone it is, or what the phone is called, and so is `confirmed_by`.
    """

    seat: int
    device_id: int
    who: str
    revision: int
    told: Told
    at: datetime
    confirmed_by: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Gathering:
    """What phones told of one deal so far."""

    position: int
    pulse: int
    ended: Ended | None
    reports: Mapping[int, Sequence[Report]]

    def agreed(self, seat: int) -> Report | None:
        """Give the report of a hand if there is one version of it, or one was chosen."""
        told = self.reports.get(seat, ())
        chosen = [report for report in told if report.chosen]
        if len(chosen) == 1:
            return chosen[0]
        return told[0] if told and all(one.told == told[0].told for one in told) else None

    def is_split(self, seat: int) -> bool:
        """Tell whether phones told this hand differently and nobody chose."""
        return seat in self.reports and self.agreed(seat) is None

    def own(self, device_id: int, seat: int) -> Report | None:
        """Give what one phone told of a hand."""
        told = self.reports.get(seat, ())
        return next((report for report in told if report.device_id == device_id), None)


class OtherEndingError(StaleError):
    """Somebody else said meanwhile that the deal ended otherwise; `stored` is what they said."""

    def __init__(self, stored: Ended) -> None:
        self.stored = stored
        super().__init__("Somebody else said meanwhile how this deal ended.")


class ReportStaleError(StaleError):
    """The same phone told this hand again meanwhile."""


class EarlyError(StaleError):
    """A hand of a deal that the table has not come to; it can be sent again later."""


class HandsChangedError(StaleError):
    """A hand was told or corrected while the deal was looked over."""


def gathering(
    session: Session, league_id: int, game_id: int, position: int, pulse: int
) -> Gathering:
    """Read what was told of a deal, in three queries; none where the game has no pulse yet."""
    if not pulse or not is_number(position):
        return Gathering(position, 0, None, {})
    ending = session.get(Ending, (game_id, position))
    of_deal = (models.Report.game_id == game_id, models.Report.position == position)
    reports: dict[int, list[Report]] = {}
    for _, report in _reports(session, league_id, *of_deal):
        reports.setdefault(report.seat, []).append(report)
    return Gathering(position, pulse, Ended(ending.how, ending.by) if ending else None, reports)


def late_reports(
    session: Session, league_id: int, game_id: int, deals: int
) -> list[tuple[int, Report]]:
    """List hands that came after their deal was saved and that nobody looked at, by position."""
    late = (models.Report.game_id == game_id, models.Report.position <= deals)
    return _reports(session, league_id, *late, models.Report.chosen.is_(False))


def _reports(session: Session, league_id: int, *wanted: Any) -> list[tuple[int, Report]]:
    row = models.Report
    rows = session.execute(
        select(row).where(*wanted).order_by(row.position, row.seat, row.device_id)
    )
    found = rows.scalars().all()
    names = phone_names(session, league_id) if found else {}
    return [(told.position, _report(told, names)) for told in found]


def _report(row: models.Report, names: Mapping[int, str]) -> Report:
    return Report(
        seat=row.seat,
        device_id=row.device_id,
        who=names.get(row.device_id, ""),
        revision=row.revision,
        told={name: str(text) for name, text in row.told.items()},
        at=row.at,
        confirmed_by=names.get(row.confirmed_by or 0, ""),
        chosen=row.chosen,
    )


def phone_names(session: Session, league_id: int) -> dict[int, str]:
    """Say whose each phone of a league is: its person, else what the phone is called."""
    rows = (
        select(Device.id, func.coalesce(PhonePerson.name, Device.name))
        .outerjoin(PhonePerson, PhonePerson.id == Device.player_id)
        .where(Device.league_id == league_id)
    )
    names: dict[int, str] = dict(session.execute(rows).all())
    return names


def seats_with_phones(session: Session, game_id: int) -> dict[int, list[int]]:
    """Tell which seats of a game have phones of their own, and which."""
    here = (Seat.game_id == game_id, Device.revoked_at.is_(None))
    rows = _phones_at_seats(Seat.number, Device.id).where(*here)
    seats: dict[int, list[int]] = {}
    for seat, device in session.execute(rows.order_by(Seat.number, Device.id)):
        seats.setdefault(seat, []).append(device)
    return seats


def _phones_at_seats(*columns: Any) -> Select[Any]:
    """Begin to ask about seats and the phones of the people who sit there."""
    return (
        select(*columns)
        .select_from(Seat)
        .join(SeatPerson, SeatPerson.id == Seat.player_id)
        .join(PhonePerson, PhonePerson.person_id == SeatPerson.person_id)
        .join(Device, Device.player_id == PhonePerson.id)
    )


def pulse_of(session: Session, league_id: int, game_id: int) -> tuple[int, int, str] | None:
    """Give revision, pulse and status of a game in one query; None where there is none."""
    if not is_number(game_id):
        return None
    mine = (Game.league_id == league_id, Game.id == game_id, Game.hidden.is_(False))
    row = session.execute(select(Game.revision, Game.pulse, Game.status).where(*mine)).first()
    return (row.revision, row.pulse, row.status) if row else None


def following_game(session: Session, author: Author, game_id: int) -> int | None:
    """Find the latest game begun after this one in which the person of a phone sits."""
    later = (Game.league_id == author.league_id, Game.status == "running", Game.id > game_id)
    mine = (Game.hidden.is_(False), Device.id == author.device_id)
    games = _phones_at_seats(func.max(Game.id)).join(Game, Game.id == Seat.game_id)
    found: int | None = session.execute(games.where(*later, *mine)).scalar_one()
    return found


def end_deal(author: Author, game_id: int, position: int, ended: Ended, seen: str) -> None:
    """Say how the deal on the table ended, if nobody said otherwise since `seen`.

    A player may say it of themselves. Raises `OtherEndingError`, `StaleError` where the deal was
    saved meanwhile, `EarlyError` for one that has not begun, and what `keeper.in_game` raises.
    """

    def write(session: Session, game: Game) -> None:
        _allow(session, author, game_id, ended.by)
        _refuse_other_deal(session, game, position)
        row = session.get(Ending, (game_id, position))
        stored = Ended(row.how, row.by) if row else None
        if stored == ended:
            return
        if stored and str(stored) != seen:
            raise OtherEndingError(stored)
        if row is None:
            row = Ending(game_id=game_id, position=position, league_id=author.league_id)
            session.add(row)
        row.how, row.by, row.device_id, row.at = ended.how, ended.by, author.device_id, now()
        game.pulse += 1

    in_game(author, game_id, write)


def go_on(author: Author, game_id: int, position: int) -> None:
    """Take back that the deal ended: it is still being played. Hands told stay with it.

    Raises `StaleError` where the deal was saved meanwhile, and what `keeper.in_game` raises.
    """

    def write(session: Session, game: Game) -> None:
        _refuse_other_deal(session, game, position)
        row = session.get(Ending, (game_id, position))
        if row:
            session.delete(row)
            game.pulse += 1

    in_game(author, game_id, write)


def tell(
    author: Author,
    game_id: int,
    position: int,
    seat: int,
    seen: int,
    key: str,
    told: Told,
    instead: Sequence[str] = (),
) -> int:
    """Tell a hand, or tell it again; gives how often this phone told it.

    `seen` is how often it had told it when the page was made, `key` names this telling: sent
    twice it is one. `instead` are the keys of tellings whose answer the phone never saw and that
    this one stands for. A hand of a deal saved meanwhile is kept beside it. Raises
    `NotAllowedError` for somebody else's hand, `ReportStaleError`, `EarlyError`, `ChangeError` for
    a seat that there is not, and what `keeper.in_game` raises.
    """
    place = (game_id, position, seat, author.device_id)
    own_key, *others = (_own(place, one) for one in (key, *instead))

    def write(session: Session, game: Game) -> int:
        _refuse_nowhere(position, seat)
        _allow(session, author, game_id, seat)
        row = session.get(models.Report, place)
        if row and row.key == own_key:
            return row.revision
        _refuse_early(session, game, position)
        if (row.revision if row else 0) != seen and not (row and row.key in others):
            raise ReportStaleError("This hand was told again from this phone meanwhile.")
        if session.get(Seat, (game_id, seat)) is None:
            raise ChangeError("There is no such seat.")
        if row is None:
            row = models.Report(league_id=author.league_id, revision=0)
            row.game_id, row.position, row.seat, row.device_id = place
            session.add(row)
        row.revision, row.key, row.told, row.at = row.revision + 1, own_key, dict(told), now()
        row.confirmed_by, row.chosen = None, False
        # One version is new: the table chooses again, of a saved deal too once that is undone.
        session.execute(_of_hand(game_id, position, seat).values(chosen=False))
        game.pulse += 1
        return row.revision

    return in_game(author, game_id, write)


def _own(place: Sequence[int], key: str) -> str:
    """Keep keys of different phones and hands apart: none can answer for another."""
    return hashlib.sha256(f"{place} {key}".encode()).hexdigest()


def _refuse_nowhere(position: int, seat: int, device_id: int = 1) -> None:
    """Raise `ChangeError` for numbers that no hand has, before a database stumbles over them."""
    if not (is_number(position) and is_number(seat + 1) and is_number(device_id)):
        raise ChangeError("There is no such hand.")


def choose(author: Author, game_id: int, position: int, seat: int, device_id: int) -> None:
    """Choose one of the versions of a hand.

    Raises `ChangeError` where that phone told nothing of it, and what `keeper.in_game` raises.
    """

    def write(session: Session, game: Game) -> None:
        _refuse_nowhere(position, seat, device_id)
        row = session.get(models.Report, (game_id, position, seat, device_id))
        if row is None:
            raise ChangeError("That phone told nothing of this hand.")
        session.execute(_of_hand(game_id, position, seat).values(chosen=False))
        row.chosen = True
        game.pulse += 1

    in_game(author, game_id, write)


def confirm(
    author: Author, game_id: int, position: int, seat: int, device_id: int, revision: int
) -> None:
    """Confirm a neighbour's hand as it was told at a revision.

    Raises `NotAllowedError` for one's own hand and for what one's own phone told, `StaleError`
    where it was told again meanwhile.
    """

    def write(session: Session, game: Game) -> None:
        _refuse_nowhere(position, seat, device_id)
        if device_id == author.device_id:
            raise NotAllowedError("Somebody else has to confirm what this phone told.")
        if seat in own_seats(session, author, game_id):
            raise NotAllowedError("Somebody else has to confirm your hand.")
        row = session.get(models.Report, (game_id, position, seat, device_id))
        if row is None or row.revision != revision:
            raise StaleError("This hand was told again meanwhile: look at it once more.")
        row.confirmed_by = author.device_id
        game.pulse += 1

    in_game(author, game_id, write)


def settle(author: Author, game_id: int, position: int, seat: int) -> None:
    """Leave a deal as it was saved, whatever came late for this hand."""

    def write(session: Session, game: Game) -> None:
        _refuse_nowhere(position, seat)
        session.execute(_of_hand(game_id, position, seat).values(chosen=True))
        game.pulse += 1

    in_game(author, game_id, write)


def save_deal(
    author: Author,
    game_id: int,
    revision: int,
    pulse: int | None,
    key: str,
    change: Callable[[Record], Change],
    *,
    accepted: bool,
) -> Saved:
    """Save the deal on the table, if no hand that was told changed since `pulse`.

    None for a table that told every hand itself. What phones had told of later deals, before
    those were undone, is gone with them. Raises `HandsChangedError`, and what
    `keeper.change_game` raises.
    """

    def save(session: Session, game: Game, record: Record) -> Change:
        if pulse is not None and game.pulse != pulse:
            raise HandsChangedError("A hand was told or corrected meanwhile.")
        if game.pulse:
            _close(session, game_id, len(record.deals) + 1)
        return change(record)

    return change_in_session(author, game_id, revision, key, "scored", save, accepted=accepted)


def _close(session: Session, game_id: int, position: int) -> None:
    """Mark what was told of a deal as looked at, and forget what was told of later ones."""
    told = models.Report.game_id == game_id
    here = update(models.Report).where(told, models.Report.position == position)
    session.execute(here.values(chosen=True))
    session.execute(delete(models.Report).where(told, models.Report.position > position))
    session.execute(delete(Ending).where(Ending.game_id == game_id, Ending.position > position))


def own_seats(session: Session, author: Author, game_id: int) -> list[int]:
    """List the seats of a game that are those of the author's phone."""
    mine = (Seat.game_id == game_id, Device.id == author.device_id)
    return list(session.execute(_phones_at_seats(Seat.number).where(*mine)).scalars())


def _allow(session: Session, author: Author, game_id: int, seat: int | None) -> None:
    """Let a player tell of their own seat only; who keeps the score tells of every seat."""
    role = session.execute(select(Device.role).where(Device.id == author.device_id)).scalar_one()
    if may(role, "scorekeeper"):
        return
    if seat is None or seat not in own_seats(session, author, game_id):
        raise NotAllowedError("This phone can tell only its own hand.")


def _refuse_other_deal(session: Session, game: Game, position: int) -> None:
    if position != _refuse_early(session, game, position) + 1 or game.status != "running":
        raise StaleError("This deal was saved meanwhile.")


def _refuse_early(session: Session, game: Game, position: int) -> int:
    """Give how many deals the game has; a hand of any but these and the next is too early."""
    of_game = select(func.count()).select_from(Deal).where(Deal.game_id == game.id)
    deals = session.execute(of_game).scalar_one()
    if position > deals + 1:
        raise EarlyError("The table has not come to this deal yet.")
    return deals


def _of_hand(game_id: int, position: int, seat: int) -> Any:
    mine = (models.Report.position == position, models.Report.seat == seat)
    return update(models.Report).where(models.Report.game_id == game_id, *mine)
