"""A league as tables for a spreadsheet: a zip of CSV files whose cells are never formulas."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.statistics.standings import standings
from companion.store.aliases import shared_alias
from companion.store.models import WIN, Deal, Game, Line, Player, Season, Seat

Row = Sequence[object]
Table = tuple[Row, Iterator[Row]]
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
BATCH = 1000
Person = shared_alias(Player)


def league_tables(session: Session, league_id: int) -> bytes:
    """Write a league's games, places, lines, players and standings, zipped.

    Text is UTF-8 with a mark that spreadsheets look for; games taken out are left out.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, table in TABLES.items():
            place = zipfile.ZipInfo(f"{name}.csv", (1980, 1, 1, 0, 0, 0))
            place.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(place, "w") as raw:
                head, rows = table(session, league_id)
                _write(raw, head, rows)
    return packed.getvalue()


def _write(raw: Any, head: Row, rows: Iterator[Row]) -> None:
    with io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text:
        writer = csv.writer(text)
        writer.writerow(head)
        writer.writerows([cell(value) for value in row] for row in rows)


def cell(value: object) -> object:
    """Make a cell that no spreadsheet takes for a formula; numbers stay numbers.

    >>> cell("=1+1"), cell(-5), cell("Ann"), cell(None), cell(True)
    ("'=1+1", -5, 'Ann', '', 'yes')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    text = str(value)
    # A spreadsheet would run a player called `=1+1`; an apostrophe keeps it a name.
    return f"'{text}" if text.startswith(FORMULAS) else text


def _games(session: Session, league_id: int) -> Table:
    head = ("game", "date", "variant", "season", "status", "counted", "players", "margin", "note")
    rows = (
        select(
            Game.uid,
            Game.played_on,
            Game.variant_name,
            Season.name,
            Game.status,
            Game.counted,
            Game.players,
            Game.margin,
            Game.note,
        )
        .join(Season, Season.id == Game.season_id)
        .where(*_shown(league_id))
        .order_by(Game.played_on, Game.id)
    )
    return head, _read(session, rows)


def _shown(league_id: int) -> tuple[Any, ...]:
    return Game.league_id == league_id, Game.hidden.is_(False)


def _read(session: Session, rows: Any) -> Iterator[Any]:
    for row in session.execute(rows, execution_options={"yield_per": BATCH}):
        yield tuple(row)


def _places(session: Session, league_id: int) -> Table:
    head = ("game", "date", "variant", "seat", "player", "place", "share of the win", "total")
    rows = (
        select(
            Game.uid,
            Game.played_on,
            Game.variant_name,
            Seat.number,
            Person.name,
            Seat.place,
            Seat.share,
            Seat.total,
        )
        .join(Game, Game.id == Seat.game_id)
        .join(Player, Player.id == Seat.player_id)
        .join(Person, Person.id == Player.person_id)
        .where(*_shown(league_id), Game.status == "finished")
        .order_by(Game.played_on, Game.id, Seat.number)
    )
    return head, (
        (uid, day, variant, seat + 1, name, place, _share(share), total)
        for uid, day, variant, seat, name, place, share, total in _read(session, rows)
    )


def _share(share: int | None) -> object:
    return None if share is None else _number(Fraction(share, WIN))


def _lines(session: Session, league_id: int) -> Table:
    head = ("game", "date", "deal", "contract", "dealer", "counts", "player", "ended", "points")
    rows = (
        select(
            Game.uid,
            Game.played_on,
            Deal.position,
            Deal.contract,
            Deal.dealer,
            Deal.void,
            Person.name,
            Line.declared,
            Line.points,
        )
        .select_from(Deal)
        .join(Game, Game.id == Deal.game_id)
        .outerjoin(Line, (Line.game_id == Deal.game_id) & (Line.position == Deal.position))
        .outerjoin(Seat, (Seat.game_id == Line.game_id) & (Seat.number == Line.seat))
        .outerjoin(Player, Player.id == Seat.player_id)
        .outerjoin(Person, Person.id == Player.person_id)
        .where(*_shown(league_id))
        .order_by(Game.played_on, Game.id, Deal.position, Line.seat)
    )
    return head, (
        (uid, day, position, contract, dealer + 1, not void, name, declared, points)
        for uid, day, position, contract, dealer, void, name, declared, points in _read(
            session, rows
        )
    )


def _players(session: Session, league_id: int) -> Table:
    mine = (
        select(Player.name, Person.name, Player.archived)
        .join(Person, Person.id == Player.person_id)
        .where(Player.league_id == league_id)
        .order_by(Player.name_key)
    )
    rows = _read(session, mine)
    return ("name", "the same as", "archived"), (
        (name, person if person != name else None, archived) for name, person, archived in rows
    )


def _standings(session: Session, league_id: int) -> Table:
    head = ("season", "rank", "player", "games", "wins", "average place")
    mine = select(Season.id, Season.name).where(Season.league_id == league_id)
    seasons = [(0, "All time"), *session.execute(mine.order_by(Season.starts_on, Season.id))]
    return head, (
        (season, row.rank, row.name, row.games, _number(row.wins), _number(row.average_place))
        for season_id, season in seasons
        for row in standings(session, league_id, season_id)
    )


def _number(fraction: Fraction) -> object:
    """Write a fraction as a number with two places, whole ones as they are."""
    return int(fraction) if fraction.denominator == 1 else f"{float(fraction):.2f}"


TABLES: dict[str, Callable[[Session, int], Table]] = {
    "games": _games,
    "places": _places,
    "lines": _lines,
    "players": _players,
    "standings": _standings,
}
