"""What phones enter of the deal on the table before it is saved: how it ended, and each hand.

Nothing of it counts until the deal is saved. Two phones that enter one hand differently are
two reports; the table sees both and chooses. `game.report_revision` moves on with everything
entered, so that a page notices, and so that no deal is saved from hands that have changed since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from companion.games.changes import Change, ChangeError
from companion.games.locking import in_game
from companion.games.reading import StoredGame, is_number, load_game
from companion.games.record import Record
from companion.games.writer import Saved, StaleError, change_in_session
from companion.scoring import Tally
from companion.scoring.bonuses import PARTNER, told_bid
from companion.store.authors import Author, NotAllowedError, may
from companion.store.dates import now
from companion.store.models import Deal, Device, Game, HandReport, PendingEnding, Seat

from .pending_deal import EndedDeal, own_seats


class OtherEndingError(StaleError):
    """Somebody else said meanwhile that the deal ended otherwise; `stored` is what they said."""

    def __init__(self, stored: EndedDeal) -> None:
        self.stored = stored
        super().__init__("Someone else has already ended this deal.")


class ReportStaleError(StaleError):
    """The same phone entered this hand again meanwhile."""


class TooEarlyError(StaleError):
    """A hand of a deal that the table has not come to; it can be sent again later."""


class HandsChangedError(StaleError):
    """A hand was entered or corrected while the deal was looked over."""


def end_deal(author: Author, game_id: int, position: int, ended: EndedDeal) -> None:
    """Say how the deal on the table ended, if nobody said otherwise.

    A player may say it of themselves. Raises `OtherEndingError`, `StaleError` where the deal was
    saved meanwhile, `TooEarlyError` for one that has not begun, and what `locking.in_game` raises.
    """

    def write(session: Session, game: Game) -> None:
        _allow(session, author, game_id, ended.by)
        _refuse_other_deal(session, game, position)
        row = session.get(PendingEnding, (game_id, position))
        stored = EndedDeal(row.how, row.by) if row else None
        if stored == ended:
            return
        if stored:
            raise OtherEndingError(stored)
        row = PendingEnding(game_id=game_id, position=position, league_id=author.league_id)
        row.how, row.by, row.device_id, row.at = ended.how, ended.by, author.device_id, now()
        session.add(row)
        game.report_revision += 1

    in_game(author, game_id, write)


def cancel_ending(author: Author, game_id: int, position: int) -> None:
    """Take back that the deal ended: it is still being played. Hands entered stay with it.

    A player may take back what was said of themselves. Raises `StaleError` where the deal was saved
    since, `NotAllowedError`, and what `locking.in_game` raises.
    """

    def write(session: Session, game: Game) -> None:
        _refuse_other_deal(session, game, position)
        row = session.get(PendingEnding, (game_id, position))
        if row:
            _allow(session, author, game_id, row.by)
            session.delete(row)
            game.report_revision += 1

    in_game(author, game_id, write)


def report_hand(
    author: Author,
    game_id: int,
    position: int,
    seat: int,
    revision_seen: int,
    key: str,
    tally: Tally,
    typed: Mapping[str, str],
    instead: Sequence[str] = (),
    score_late: Callable[[StoredGame], int | None] | None = None,
) -> int:
    """Report a hand, or report it again; return how often this phone has reported it.

    `revision_seen` is how often it had entered it when the page was made, `key` names this entry:
    sent twice it is one. `typed` has what the tally cannot say as it was typed. `instead` are the
    keys of entries whose answer the phone never saw and that this one stands for. A hand of a deal
    saved meanwhile is kept beside it, with the points that `score_late` gives it in the game as it
    is now. Raises `NotAllowedError` for somebody else's hand, `ReportStaleError`, `TooEarlyError`,
    `ChangeError` for a seat that there is not, and what `locking.in_game` raises.
    """
    # By phone, not by seat: two who enter the same hand can't overwrite each other.
    report_key = (game_id, position, seat, author.device_id)
    own_key, *others = (_key_of(report_key, sent_key) for sent_key in (key, *instead))

    def write(session: Session, game: Game) -> int:
        _refuse_nowhere(position, seat)
        _allow(session, author, game_id, seat)
        row = session.get(HandReport, report_key)
        # First of all: what is sent twice is answered as the first time, whatever happened since.
        if row and row.key == own_key:
            return row.revision
        is_late = position <= _refuse_early(session, game, position)
        if (row.revision if row else 0) != revision_seen and not (row and row.key in others):
            raise ReportStaleError("This phone has sent a newer hand since.")
        if session.get(Seat, (game_id, seat)) is None:
            raise ChangeError("There is no such seat.")
        reported: dict[str, Any] = {"tally": tally.to_data(), "typed": dict(typed)}
        if is_late and score_late:
            stored = load_game(session, author.league_id, game_id)
            reported["late_points"] = score_late(stored)
        if row is None:
            row = HandReport(league_id=author.league_id, revision=0)
            row.game_id, row.position, row.seat, row.device_id = report_key
            session.add(row)
        row.revision, row.key, row.at = row.revision + 1, own_key, now()
        row.reported = reported
        row.confirmed_by, row.chosen = None, False
        # One version is new: the table chooses again, of a saved deal too once that is undone.
        session.execute(_of_hand(game_id, position, seat).values(chosen=False))
        game.report_revision += 1
        return row.revision

    return in_game(author, game_id, write)


def report_bids(
    author: Author, game_id: int, position: int, key: str, bids: Mapping[int, Sequence[int]]
) -> None:
    """Keep what each seat bids in the deal on the table, or its partners, in place of former bids.

    Raises `StaleError` where the deal was saved meanwhile, and what `report_hand` raises.
    """

    def write(session: Session, game: Game) -> None:
        _refuse_other_deal(session, game, position)
        for seat, bid in bids.items():
            _allow(session, author, game_id, seat)
            report_key = (game_id, position, seat, author.device_id)
            own_key, row = _key_of(report_key, key), session.get(HandReport, report_key)
            if row and row.key == own_key:
                continue
            if row is None:
                row = HandReport(league_id=author.league_id, revision=0, confirmed_by=None)
                row.game_id, row.position, row.seat, row.device_id = report_key
                session.add(row)
            tally_before = (
                msgspec.convert(row.reported["tally"], Tally) if row.revision else Tally()
            )
            other_counts = {
                name: had for name, had in tally_before.bonuses.items() if name != PARTNER
            }
            tally = replace(tally_before, bonuses=other_counts | told_bid(bid))
            row.revision, row.key, row.at, row.chosen = row.revision + 1, own_key, now(), False
            row.reported = {"tally": tally.to_data(), "typed": {}}
        game.report_revision += 1

    in_game(author, game_id, write)


def _key_of(report_key: Sequence[int], key: str) -> str:
    """Keep keys of different phones and hands apart: none can answer for another."""
    return hashlib.sha256(f"{report_key} {key}".encode()).hexdigest()


def _refuse_nowhere(position: int, seat: int, device_id: int = 1) -> None:
    """Raise `ChangeError` for numbers that no hand has, before a database stumbles over them."""
    # Seats count from 0, and a number is 1 at least.
    if not (is_number(position) and is_number(seat + 1) and is_number(device_id)):
        raise ChangeError("There is no such hand.")


def choose(author: Author, game_id: int, position: int, seat: int, device_id: int) -> None:
    """Choose one of the versions of a hand.

    Raises `ChangeError` where that phone entered nothing of it, and what `locking.in_game` raises.
    """

    def write(session: Session, game: Game) -> None:
        _refuse_nowhere(position, seat, device_id)
        row = session.get(HandReport, (game_id, position, seat, device_id))
        if row is None:
            raise ChangeError("That phone hasn't entered this hand.")
        session.execute(_of_hand(game_id, position, seat).values(chosen=False))
        row.chosen = True
        game.report_revision += 1

    in_game(author, game_id, write)


def confirm(
    author: Author, game_id: int, position: int, seat: int, device_id: int, revision: int
) -> None:
    """Confirm a neighbour's hand as it was entered at a revision.

    Raises `NotAllowedError` for one's own hand and for what one's own phone entered, `StaleError`
    where it was entered again meanwhile.
    """

    def write(session: Session, game: Game) -> None:
        _refuse_nowhere(position, seat, device_id)
        if device_id == author.device_id:
            raise NotAllowedError("Someone else has to confirm what this phone entered.")
        if seat in own_seats(session, author, game_id):
            raise NotAllowedError("Someone else has to confirm your hand.")
        row = session.get(HandReport, (game_id, position, seat, device_id))
        if row is None or row.revision != revision:
            raise StaleError("This hand has changed since. Check it again.")
        row.confirmed_by = author.device_id
        game.report_revision += 1

    in_game(author, game_id, write)


def dismiss_late(author: Author, game_id: int, position: int, seat: int) -> None:
    """Leave a deal as it was saved, whatever came late for this hand."""
    in_game(author, game_id, lambda session, game: _dismiss(session, game, position, seat))


def _dismiss(session: Session, game: Game, position: int, seat: int) -> None:
    _refuse_nowhere(position, seat)
    # Late is what nobody has chosen: with all chosen nothing is shown as late.
    session.execute(_of_hand(game.id, position, seat).values(chosen=True))
    game.report_revision += 1


def correct_deal(
    author: Author,
    game_id: int,
    revision: int,
    key: str,
    change: Callable[[Record], Change],
    *,
    accepted: bool,
    late: tuple[int, int] | None = None,
) -> Saved:
    """Correct a deal; with `late`, a deal's position and a seat, by a hand that came after it.

    That hand is looked at then. Raises as `writer.change_game` does.
    """

    def correct(session: Session, game: Game, record: Record) -> Change:
        if late:
            _dismiss(session, game, *late)
        return change(record)

    at = (author, game_id, revision, key)
    return change_in_session(*at, "corrected", correct, accepted=accepted)


def save_deal(
    author: Author,
    game_id: int,
    revision: int,
    report_revision: int | None,
    key: str,
    change: Callable[[Record], Change],
    *,
    accepted: bool,
) -> Saved:
    """Save the deal on the table, if no hand that was entered changed since `report_revision`.

    `change` makes the deal as it was entered (`changes.play_deal`); its rows are written by
    `games.rows`. `report_revision` is None for a table that entered every hand itself. What phones
    had entered of later deals, before those were undone, is gone with them.

    Raises `HandsChangedError`, and what `writer.change_game` raises.
    """

    def save(session: Session, game: Game, record: Record) -> Change:
        if report_revision is not None and game.report_revision != report_revision:
            raise HandsChangedError("Someone has entered or corrected a hand since.")
        # Where no phone entered anything the table is spared three statements.
        if game.report_revision:
            _close(session, game_id, len(record.deals) + 1)
        return change(record)

    return change_in_session(author, game_id, revision, key, "scored", save, accepted=accepted)


def _close(session: Session, game_id: int, position: int) -> None:
    """Mark what was entered of a deal as looked at, and forget what was entered of later ones."""
    of_deal = (HandReport.game_id == game_id, HandReport.position == position)
    session.execute(update(HandReport).where(*of_deal).values(chosen=True))
    for entered in (HandReport, PendingEnding):
        later = (entered.game_id == game_id, entered.position > position)
        session.execute(delete(entered).where(*later))


def _allow(session: Session, author: Author, game_id: int, seat: int | None) -> None:
    """Let a player tell of their own seat only; who keeps the score tells of every seat."""
    # Asked once more: an owner may have taken the role since the guard let the phone in.
    role = session.execute(select(Device.role).where(Device.id == author.device_id)).scalar_one()
    if may(role, "scorekeeper"):
        return
    if seat is None or seat not in own_seats(session, author, game_id):
        raise NotAllowedError("This phone can enter only its own hand.")


def _refuse_other_deal(session: Session, game: Game, position: int) -> None:
    if position != _refuse_early(session, game, position) + 1 or game.status != "running":
        raise StaleError("This deal has already been saved.")


def _refuse_early(session: Session, game: Game, position: int) -> int:
    """Return how many deals the game has; a hand of any but these and the next is too early."""
    of_game = select(func.count()).select_from(Deal).where(Deal.game_id == game.id)
    deals = session.execute(of_game).scalar_one()
    if position > deals + 1:
        raise TooEarlyError("The table hasn't reached this deal yet.")
    return deals


def _of_hand(game_id: int, position: int, seat: int) -> Any:
    of_hand = (HandReport.position == position, HandReport.seat == seat)
    return update(HandReport).where(HandReport.game_id == game_id, *of_hand)
