"""The rows of one game: laid out from its record, for reading and for adding up."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from companion.rules import Variant
from companion.rules.contracts import contract_signs
from companion.store.models import Deal, Game, Line, Seat

from .game_season import begin_year_of
from .record import DealRecord, Record, Units, write_units
from .results import GameResults

LONGEST_CONTRACT = 200


def write_rows(
    session: Session, game: Game, before: Record, record: Record, new: Units, earned: GameResults
) -> None:
    """Write the rows of what is new: the game, seats, deals and lines."""
    deals = {int(name[5:]) for name in new if name.startswith("deal:")}
    if any(a.player_id != b.player_id for a, b in zip(before.seats, record.seats, strict=False)):
        deals = set(range(1, max(len(before.deals), len(record.deals)) + 1))
        _clear_table(session, game)
    _write_game(session, game, record, earned)
    if before.seats != record.seats or game.status != "running" or before.status != "running":
        write_seats(session, game, record, earned)
    for position in sorted(deals):
        is_played = position <= len(record.deals)
        _write_deal(session, game, position, record, is_played=is_played)
    _drop_seats(session, game, record)


def _write_game(session: Session, game: Game, record: Record, earned: GameResults) -> None:
    for column, value in game_row(record, earned).items():
        setattr(game, column, value)
    game.counted = earned.counts
    if record.played_on is not None and record.played_on != game.played_on:
        game.played_on = record.played_on
        begin_year_of(session, game.league_id, [record.played_on])
        moved = update(Seat).where(Seat.game_id == game.id)
        session.execute(moved.values(played_on=record.played_on))


def game_row(record: Record, earned: GameResults) -> dict[str, Any]:
    """Write what the row of a game says of how it stands."""
    facts = write_units(record.units())["game"]
    columns = {"facts": facts, "status": record.status, "note": record.note}
    return columns | {"players": earned.players, "margin": earned.margin}


def _clear_table(session: Session, game: Game) -> None:
    """Take everybody's seat and lines away where people changed places, to write them anew.

    One by one they could not move: for a moment somebody would sit twice.
    """
    session.execute(delete(Line).where(Line.game_id == game.id))
    session.execute(delete(Seat).where(Seat.game_id == game.id))


def write_seats(session: Session, game: Game, record: Record, earned: GameResults) -> None:
    """Write every seat: new ones, changed ones, and what a game that ended came to."""
    rows = [
        {"game_id": game.id, "number": number} | asdict(seat) | asdict(receipt) | _of_game(game)
        for number, (seat, receipt) in enumerate(zip(record.seats, earned.seats, strict=True))
    ]
    stored = set(session.scalars(select(Seat.number).where(Seat.game_id == game.id)))
    if old := [row for row in rows if row["number"] in stored]:
        session.execute(update(Seat), old)
    if new := [row for row in rows if row["number"] not in stored]:
        session.execute(insert(Seat), new)


def _of_game(game: Game) -> dict[str, Any]:
    """Return what a seat repeats of its game, so that seats are found by it."""
    keys = ("league_id", "variant_key", "played_on", "counted")
    return {key: getattr(game, key) for key in keys}


def _drop_seats(session: Session, game: Game, record: Record) -> None:
    """Take away the seats of people whose joining was undone."""
    gone = (Seat.game_id == game.id, Seat.number >= len(record.seats))
    session.execute(delete(Seat).where(*gone))


def _write_deal(
    session: Session, game: Game, position: int, record: Record, *, is_played: bool
) -> None:
    """Replace one deal and its lines; one that is not there any more is taken away."""
    session.execute(delete(Line).where(Line.game_id == game.id, Line.position == position))
    session.execute(delete(Deal).where(Deal.game_id == game.id, Deal.position == position))
    if not is_played:
        return
    deal = record.deals[position - 1]
    key: dict[str, Any] = {"game_id": game.id, "position": position, "league_id": game.league_id}
    session.execute(insert(Deal).values(key | deal_row(record.variant, deal)))
    if lines := line_rows(deal):
        session.execute(insert(Line), [key | line for line in lines])


def deal_row(variant: Variant, deal: DealRecord) -> dict[str, Any]:
    """Write what a row says of a deal, apart from which it is."""
    columns = {key: getattr(deal, key) for key in ("step", "dealer", "void", "after_void")}
    return columns | {"contract": contract_key(variant, deal.step)}


def contract_key(variant: Variant, step: int) -> str:
    """Name the contract of a deal in signs; empty where there is none, or each has their own."""
    if variant.is_each_on_their_own:
        return ""
    contract = variant.deal(step).contract
    return contract_signs(contract)[:LONGEST_CONTRACT] if contract else ""


def line_rows(deal: DealRecord) -> list[dict[str, Any]]:
    """Write what the rows of a deal's lines say, apart from which deal it is."""
    lines = sorted(deal.lines.items())
    return [{"seat": n, "declared": line.tally.declared, **line.to_data()} for n, line in lines]
