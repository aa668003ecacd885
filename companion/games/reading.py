"""Reading games back: one game whole, and its history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Boolean, ColumnElement, Result, ScalarSelect, bindparam, or_, select
from sqlalchemy.orm import Session

from companion.scoring import Tally
from companion.scoring.tally import Note
from companion.store.database import AnyRow, Statement, execute
from companion.store.models import Deal, Device, Game, History, Line, Seat
from companion.store.names import spoken, team_of

from .entries import Person, with_names
from .record import (
    LARGEST,
    DealRecord,
    GameFacts,
    LineRecord,
    Record,
    SeatRecord,
    Units,
    read_rules,
    read_units,
    replay,
)


class StoredGame(Struct, frozen=True):
    """One game as it is stored, with the names and numbers of its people by seat.

    `sides` are the people of each seat where several share a line.
    """

    game_id: int
    league_id: int
    revision: int
    status: str
    started_at: datetime
    names: tuple[str, ...]
    people: tuple[int, ...]
    record: Record
    report_revision: int = 0
    sides: tuple[tuple[str, ...], ...] = ()

    @property
    def lines(self) -> list[str]:
        """The seats as a new game is typed: the people of a side with a plus."""
        return [" + ".join(people) for people in self.sides]

    def in_turn(self, seat: int, position: int, after: int = 0) -> str:
        """Name who of a side deals the deal at this position, or comes `after` so many."""
        people, deals = self.sides[seat], self.record.deals
        dealt_again = sum(
            deal.void and deal.after_void == "again" for deal in deals[: position - 1]
        )
        first = deals[0].dealer if deals else self.record.first_dealer
        turn = first + position - 1 - dealt_again + after
        return people[turn // len(self.sides) % len(people)]


class HistoryEntry(Struct, frozen=True):
    """One change of a game; the history tells what phone made it, and whose that is."""

    revision: int
    at: datetime
    action: str
    notes: Sequence[Note]
    before: Units
    after: Units
    phone: str = ""
    person: str | None = None


def is_number(number: int) -> bool:
    """Return whether a row can have this number: the engines fail on larger ones."""
    return 0 < number <= LARGEST


def league_of_game(session: Session, game_id: int) -> int | None:
    """Return to which league a game belongs, if there is such a game."""
    if not is_number(game_id):
        return None
    league_id: int | None = execute(
        session, _league_of_game(), game_id=game_id
    ).scalar_one_or_none()
    return league_id


@cache
def _league_of_game() -> Statement:
    return select(Game.league_id).where(Game.id == bindparam("game_id"))


def game_numbers(session: Session, league_id: int) -> list[int]:
    """List the numbers of all games of a league, those taken out as well."""
    of_league = select(Game.id).where(Game.league_id == league_id)
    return list(session.execute(of_league.order_by(Game.id)).scalars())


def of_latest_game(column: Any, league_id: Any, variant_key: Any) -> ScalarSelect[Any]:
    """Read something of the latest game of a variant, to be asked with others: names change."""
    of_variant = (
        Game.league_id == league_id,
        Game.hidden.is_(False),
        Game.variant_key == variant_key,
    )
    latest = select(column).where(*of_variant).order_by(Game.played_on.desc(), Game.id.desc())
    return latest.limit(1).scalar_subquery()


def load_game(
    session: Session,
    league_id: int,
    game_id: int,
    *,
    hidden: bool = False,
) -> StoredGame:
    """Load one game of this league in four queries, whatever its length; `hidden` ones if asked.

    Raises `LookupError` where the league has no such game.
    """
    if not is_number(game_id):
        raise LookupError(game_id)
    game = execute(session, _game(), game_id=game_id, league_id=league_id, hidden=hidden).first()
    if game is None:
        raise LookupError(game_id)
    return _laid_out(session, [game])[0]


@cache
def _game() -> Statement:
    of_league = (Game.id == bindparam("game_id"), Game.league_id == bindparam("league_id"))
    shown = or_(Game.hidden.is_(False), bindparam("hidden", type_=Boolean))
    return select(*Game.__table__.columns).where(*of_league, shown)


@cache
def _games() -> Statement:
    return select(*Game.__table__.columns).where(is_among(Game.id))


def of_games(
    session: Session, statement: Statement, numbers: Sequence[int]
) -> Result[*tuple[Any, ...]]:
    """Ask for rows of some games, which the question binds by `is_among`."""
    return execute(session, statement, games=list(numbers))


def is_among(column: Any) -> ColumnElement[bool]:
    """Return the condition that a row is of one of the games, bound as `games`."""
    return column.in_(bindparam("games", expanding=True))  # type: ignore[no-any-return]


@cache
def _seats() -> Statement:
    """Select seats with the names of their people, game by game in seat order."""
    seats = with_names(select(*Seat.__table__.columns, Person.name, Person.id.label("person")))
    return seats.where(is_among(Seat.game_id)).order_by(Seat.game_id, Seat.number)


@cache
def _lines() -> Statement:
    columns = (Line.game_id, Line.position, Line.seat, Line.tally, Line.points, Line.reasons)
    return select(*columns).where(is_among(Line.game_id))


@cache
def _deals_of() -> Statement:
    of_these = is_among(Deal.game_id)
    return select(*Deal.__table__.columns).where(of_these).order_by(Deal.game_id, Deal.position)


def load_games(session: Session, numbers: Sequence[int]) -> list[StoredGame]:
    """Load games that a list shows, in its order, in four queries however many they are."""
    by_number = {game.id: game for game in of_games(session, _games(), numbers)}
    return _laid_out(session, [by_number[number] for number in numbers if number in by_number])


def _laid_out(session: Session, games: Sequence[AnyRow]) -> list[StoredGame]:
    """Read what belongs to these rows of games, in three queries."""
    numbers = [game.id for game in games]
    seats: dict[int, list[AnyRow]] = {number: [] for number in numbers}
    for row in of_games(session, _seats(), numbers):
        seats[row.game_id].append(row)
    deals = _deals(session, numbers)
    return [_stored(game, seats[game.id], deals.get(game.id, ())) for game in games]


def _stored(game: AnyRow, seats: Sequence[AnyRow], deals: tuple[DealRecord, ...]) -> StoredGame:
    facts = asdict(msgspec.convert(game.facts, GameFacts))
    record = Record(
        variant=read_rules(game.rules),
        seats=tuple(msgspec.convert(seat, SeatRecord, from_attributes=True) for seat in seats),
        deals=deals,
        **facts | {"played_on": game.played_on, "note": game.note},
    )
    has_sides = not record.variant.has_cards
    return StoredGame(
        game_id=game.id,
        league_id=game.league_id,
        revision=game.revision,
        status=game.status,
        started_at=game.started_at,
        names=tuple(spoken(seat.name) if has_sides else seat.name for seat in seats),
        sides=tuple(tuple((has_sides and team_of(seat.name)) or [seat.name]) for seat in seats),
        people=tuple(seat.person for seat in seats),
        record=record,
        report_revision=game.pulse,
    )


def _deals(session: Session, numbers: Sequence[int]) -> dict[int, tuple[DealRecord, ...]]:
    """Read the deals of some games, by the game's number."""
    lines: dict[tuple[int, int], dict[int, LineRecord]] = {}
    rows = of_games(session, _lines(), numbers)
    for game_id, position, seat, tally, points, reasons in rows:
        data = {"tally": tally, "points": points, "reasons": reasons}
        lines.setdefault((game_id, position), {})[seat] = msgspec.convert(data, LineRecord)
    deals: dict[int, list[DealRecord]] = {}
    for deal in of_games(session, _deals_of(), numbers):
        deal_lines = lines.get((deal.game_id, deal.position), {})
        deals.setdefault(deal.game_id, []).append(
            DealRecord(
                step=deal.step,
                dealer=deal.dealer,
                lines=dict(sorted(deal_lines.items())),
                void=deal.void,
                after_void=deal.after_void,
            )
        )
    return {number: tuple(deal_lines) for number, deal_lines in deals.items()}


def history_units(session: Session, game_id: int, revision: int) -> Units:
    """Return the units of a game as they were at a revision."""
    rows = select(History.after).where(History.game_id == game_id, History.revision <= revision)
    return replay(map(read_units, session.execute(rows.order_by(History.revision)).scalars()))


def history(
    session: Session, league_id: int, game_id: int, most: int = LARGEST
) -> list[HistoryEntry]:
    """List every change of a game, the latest first, or at `most` so many."""
    rows = execute(session, _changes(), league=league_id, game=game_id, most=most)
    return [
        HistoryEntry(
            revision=row.revision,
            at=row.at,
            action=row.action,
            notes=msgspec.convert(row.notes, tuple[Note, ...]),
            before=read_units(row.before),
            after=read_units(row.after),
            phone=row[6],
            person=row[7],
        )
        for row in rows
    ]


def last_change(
    session: Session, league_id: int, game_id: int
) -> tuple[HistoryEntry, HistoryEntry | None]:
    """Return the latest change, and the one that undoing takes back.

    That is the latest, or the one before what was undone; None where nothing is left to take back.
    A restored version is known by its content.
    """
    # All of the history is read only where the latest change took another one back.
    for most in (1, LARGEST):
        changes = history(session, league_id, game_id, most)
        if changes[0].action != "restored":
            break
    undoable = changes[0]
    latest: Units = {}
    differs: set[str] = set()
    for entry in changes:
        if not differs:
            # A restored version is content, not a step: whatever led to the same content is gone
            # back to.
            undoable = entry
            if entry.action != "restored":
                break
        for name, unit in entry.before.items():
            now = latest.setdefault(name, entry.after[name])
            (differs.discard if unit == now else differs.add)(name)
    return changes[0], undoable if undoable.revision > 1 else None


def reported_at(session: Session, game_id: int, revision: int) -> dict[int, Tally]:
    """Return by seat what was reported of the one deal that a change wrote; empty for none."""
    change = select(History.after).where(History.game_id == game_id, History.revision == revision)
    units = read_units(session.execute(change).scalar_one())
    deals = [unit for unit in units.values() if isinstance(unit, DealRecord)]
    lines = deals[0].lines if len(deals) == 1 else {}
    return {seat: line.tally for seat, line in lines.items()}


def deal_changes(
    session: Session, league_id: int, game_id: int, position: int
) -> list[HistoryEntry]:
    """List the changes of one deal, the first first."""
    changes = history(session, league_id, game_id)
    return [entry for entry in reversed(changes) if f"deal:{position}" in entry.after]


@cache
def _changes() -> Statement:
    of_game = (History.league_id == bindparam("league"), History.game_id == bindparam("game"))
    changes = select(
        History.revision,
        History.at,
        History.action,
        History.notes,
        History.before,
        History.after,
        Device.name,
        Person.name,
    ).join(Device, Device.id == History.device_id)
    named = with_names(changes, Device.player_id, outer=True).where(*of_game)
    return named.order_by(History.revision.desc()).limit(bindparam("most"))
