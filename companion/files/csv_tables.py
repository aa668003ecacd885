"""A league as tables for a spreadsheet: a zip of CSV files whose cells are never formulas."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from sqlalchemy import Float, case, cast, select
from sqlalchemy.orm import Session

from companion.games.entries import Person, with_names
from companion.statistics.standings import season_standings
from companion.store.database import Statement
from companion.store.models import WIN, Deal, Game, Line, Player, Season, Seat

# What OWASP lists as beginnings of a formula, tab and carriage return among them.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
BATCH = 1000
GAME = (Game.uid.label("game"), Game.played_on.label("date"))
VARIANT = Game.variant_name.label("variant")


def league_tables(session: Session, league_id: int) -> bytes:
    """Write a league's games, places, lines, players and standings, zipped.

    Text is UTF-8 with a mark that spreadsheets look for; games taken out are left out.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        files = {name: _read(session, rows_of(league_id)) for name, rows_of in TABLES.items()}
        files["standings"] = _standings(session, league_id)
        for name, rows in files.items():
            file = zipfile.ZipInfo(f"{name}.csv", (1980, 1, 1, 0, 0, 0))
            file.compress_type = zipfile.ZIP_DEFLATED
            with (
                archive.open(file, "w") as raw,
                # Line ends are csv's own: on Windows they would be translated a second time.
                io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text,
            ):
                csv.writer(text).writerows([cell(value) for value in row] for row in rows)
    return packed.getvalue()


def cell(value: object) -> object:
    """Make a cell that no spreadsheet takes for a formula; numbers stay numbers.

    >>> cell("=1+1"), cell(-5), cell("Ann"), cell(None), cell(True), cell(0.5), cell(1.0)
    ("'=1+1", -5, 'Ann', '', 'yes', '0.50', 1)
    """
    if value is None:
        return ""
    # Before numbers: True is an int.
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    if isinstance(value, float | Fraction):
        return int(value) if value == int(value) else f"{float(value):.2f}"
    text = str(value)
    # A spreadsheet would run a player called `=1+1`; an apostrophe keeps it a name.
    return f"'{text}" if text.startswith(FORMULAS) else text


def _read(session: Session, rows: Statement) -> Iterator[Iterable[object]]:
    """Yield the names of the columns, then the rows."""
    found = session.execute(rows, execution_options={"yield_per": BATCH})
    yield found.keys()
    yield from found


def _shown(league_id: int) -> tuple[Any, ...]:
    return Game.league_id == league_id, Game.hidden.is_(False)


def _games(league_id: int) -> Statement:
    holds = (Season.starts_on <= Game.played_on) & (
        Season.ends_on.is_(None) | (Season.ends_on >= Game.played_on)
    )
    season = select(Season.name).where(Season.league_id == Game.league_id, holds).correlate(Game)
    return (
        select(
            *GAME,
            VARIANT,
            season.order_by(Season.own.desc()).limit(1).scalar_subquery().label("season"),
            Game.status,
            Game.counted,
            Game.players,
            Game.margin,
            Game.note,
        )
        .where(*_shown(league_id))
        .order_by(Game.played_on, Game.id)
    )


def _places(league_id: int) -> Statement:
    return with_names(
        select(
            *GAME,
            VARIANT,
            (Seat.number + 1).label("seat"),
            Person.name.label("player"),
            Seat.place,
            (cast(Seat.share, Float) / WIN).label("share of the win"),
            Seat.total,
        )
        .join(Game, Game.id == Seat.game_id)
        .where(*_shown(league_id), Game.status == "finished")
        .order_by(Game.played_on, Game.id, Seat.number)
    )


def _lines(league_id: int) -> Statement:
    return with_names(
        select(
            *GAME,
            Deal.position.label("deal"),
            Deal.contract,
            (Deal.dealer + 1).label("dealer"),
            (~Deal.void).label("counts"),
            Person.name.label("player"),
            Line.declared.label("ended"),
            Line.points,
        )
        .select_from(Deal)
        .join(Game, Game.id == Deal.game_id)
        # A cancelled deal has no lines (I4), and is listed all the same.
        .outerjoin(Line, (Line.game_id == Deal.game_id) & (Line.position == Deal.position))
        .outerjoin(Seat, (Seat.game_id == Line.game_id) & (Seat.number == Line.seat))
        .where(*_shown(league_id))
        .order_by(Game.played_on, Game.id, Deal.position, Line.seat),
        outer=True,
    )


def _players(league_id: int) -> Statement:
    other = case((Person.id != Player.id, Person.name))
    return (
        select(Player.name, other.label("the same as"), Player.archived)
        .join(Person, Person.id == Player.person_id)
        .where(Player.league_id == league_id)
        .order_by(Player.name_key)
    )


TABLES = {"games": _games, "places": _places, "lines": _lines, "players": _players}


def _standings(session: Session, league_id: int) -> Iterator[Iterable[object]]:
    yield "season", "rank", "player", "games", "wins", "average place"
    mine = select(Season.id, Season.name).where(Season.league_id == league_id)
    seasons = session.execute(mine.order_by(Season.starts_on, Season.id)).all()
    tables = season_standings(session, league_id)
    for season_id, season in [(0, "All time"), *seasons]:
        for row in tables.get(season_id, []):
            yield season, row.rank, row.name, row.games, row.wins, row.average_place
