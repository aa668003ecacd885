"""One person's years at the table: the record sheet, bests and worsts, contracts, form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from msgspec import Struct
from sqlalchemy import ScalarSelect, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from companion.games.entries import Person, lines_of, with_names
from companion.games.reading import is_number, of_latest_game
from companion.games.record import read_rules
from companion.games.shown.game_search import GamePage, seats_along
from companion.store.aliases import shared_alias
from companion.store.models import WIN, ContractSum, Game, Player, PlayerSum, Seat

Entry = shared_alias(Player)
FEW_DEALS = 5


class ProfileGames(Struct, frozen=True):
    """A person of a league, whichever of their entries somebody asked for."""

    person_id: int
    name: str
    archived: bool


class VariantRecord(Struct, frozen=True):
    """A person's counted games of one variant; totals over games from first to last deal.

    `most_wins` tells whether the most points are the best, as in the latest game of the league.
    """

    variant_key: str
    name: str
    games: int
    wins: Fraction
    average_place: Fraction
    lowest: int | None
    highest: int | None
    highest_deal: int | None
    most_wins: bool = False


class ContractRecord(Struct, frozen=True):
    """A person's deals under one contract: how many, the points, and how many they ended."""

    variant_key: str
    contract: str
    deals: int
    points: int
    ended: int

    @property
    def average(self) -> Fraction:
        """The points of a deal on average."""
        return Fraction(self.points, self.deals)

    @property
    def is_few(self) -> bool:
        """Whether there are too few deals to say anything."""
        return self.deals < FEW_DEALS


class GameContracts(Struct, frozen=True):
    """A person's contracts in one game, the worst on average first."""

    name: str
    contracts: Sequence[ContractRecord]

    @property
    def worst(self) -> list[ContractRecord]:
        """The worst of those that enough deals were played of: several that are equally bad."""
        enough = [one for one in self.contracts if not one.is_few]
        return [one for one in enough if one.average == enough[0].average]


class SheetLine(Struct, frozen=True):
    """A line of the record sheet: when, what, against whom, with what result."""

    game_id: int
    played_on: date
    variant_name: str
    status: str
    total: int | None
    place: int | None
    players: int
    counted: bool
    opponents: tuple[str, ...]


def find_person(session: Session, league_id: int, number: int) -> ProfileGames:
    """Find a person by their own number or by that of an entry merged into them.

    Raises `LookupError` where the league has no such entry.
    """
    # The engines fail on larger numbers; 0 is nobody's.
    entry = Entry.id == (number if is_number(number) else 0)
    row = session.execute(
        select(Person.id, Person.name, Person.archived)
        .join(Entry, Entry.person_id == Person.id)
        .where(entry, Entry.league_id == league_id)
    ).first()
    if row is None:
        raise LookupError(number)
    return ProfileGames(*row)


def variant_records(session: Session, person_id: int) -> list[VariantRecord]:
    """List what a person's games come to, all together first (no key), then by variant."""
    rows = session.execute(
        select(
            PlayerSum,
            of_latest_game(Game.variant_name, PlayerSum.league_id, PlayerSum.variant_key),
            of_latest_game(Game.rules, PlayerSum.league_id, PlayerSum.variant_key),
            _extreme(Seat.total, func.min),
            _extreme(Seat.total, func.max),
            _extreme(Seat.high, func.max),
        ).where(
            PlayerSum.person_id == person_id,
            PlayerSum.season_id == 0,
            PlayerSum.players == 0,
            PlayerSum.games > 0,
        )
    )
    found = [
        VariantRecord(
            variant_key=mine.variant_key,
            name=name or "",
            games=mine.games,
            wins=Fraction(mine.shares, WIN),
            average_place=Fraction(mine.places, mine.games),
            lowest=lowest,
            highest=highest,
            highest_deal=deal,
            most_wins=bool(rules) and read_rules(rules).ending.cost < 0,
        )
        for mine, name, rules, lowest, highest, deal in rows
    ]
    return sorted(found, key=lambda one: (one.variant_key != "", -one.games, one.name))


def _extreme(
    column: InstrumentedAttribute[int | None], pick: Callable[..., Any]
) -> ScalarSelect[Any]:
    """Find a person's least or most in a variant by one step into an index for each entry."""
    of_entry = (
        select(pick(column))
        .where(
            Seat.counted,
            Seat.player_id == Entry.id,
            Seat.variant_key == PlayerSum.variant_key,
        )
        .correlate(Entry, PlayerSum)
        .scalar_subquery()
    )
    each = (
        select(of_entry.label("extreme"))
        .where(Entry.person_id == PlayerSum.person_id)
        .correlate(PlayerSum)
        .subquery()
    )
    return select(pick(each.c.extreme)).scalar_subquery()


def contract_records(session: Session, person_id: int) -> list[ContractRecord]:
    """List a person's points by contract; which is the worst depends on the game."""
    rows = session.execute(
        select(*(getattr(ContractSum, name) for name in ContractRecord.__struct_fields__)).where(
            ContractSum.person_id == person_id,
            ContractSum.contract != "",
            ContractSum.deals > 0,
        )
    )
    found = [ContractRecord(*row) for row in rows]
    return sorted(found, key=lambda one: (one.variant_key, one.contract))


def contracts_by_game(
    contracts: Sequence[ContractRecord], records: Sequence[VariantRecord]
) -> list[GameContracts]:
    """Sort contracts by game, in the order of the records: the worst is what the game punishes."""
    sorted_by_game = [GameContracts(one.name, _worst_first(one, contracts)) for one in records]
    return [game for game in sorted_by_game if game.contracts]


def _worst_first(
    record: VariantRecord, contracts: Sequence[ContractRecord]
) -> list[ContractRecord]:
    sign = 1 if record.most_wins else -1
    mine = [one for one in contracts if one.variant_key == record.variant_key]
    return sorted(mine, key=lambda one: (sign * one.average, one.contract))


def record_sheet(
    session: Session,
    person_id: int,
    *,
    before: tuple[date, int] | None = None,
    most: int = 20,
) -> list[SheetLine]:
    """Return a person's ended games, the latest first, a page at a time by the last one shown."""
    # Of their teams too: a team's games are those of its members.
    lines = session.execute(lines_of(Player.person_id == person_id))
    ended = (Game.status != "running", Game.hidden.is_(False))
    seats = seats_along([entry for _, entry in lines], GamePage(before, None, most), ended)
    columns = (Seat.game_id, Seat.played_on, Game.variant_name, Game.status, Seat.total, Seat.place)
    rows = session.execute(
        select(*columns, Game.players, Game.counted, Seat.number)
        .join(seats, (seats.c.game_id == Seat.game_id) & (seats.c.number == Seat.number))
        .join(Game, Game.id == Seat.game_id)
        .order_by(Seat.played_on.desc(), Seat.game_id.desc())
        .limit(most)
    ).all()
    own = {row.game_id: row.number for row in rows}
    others: dict[int, list[str]] = {game_id: [] for game_id in own}
    for game_id, number, name in session.execute(
        with_names(select(Seat.game_id, Seat.number, Person.name))
        .where(Seat.game_id.in_(others))
        .order_by(Seat.game_id, Seat.number)
    ):
        if number != own[game_id]:
            others[game_id].append(name)
    return [SheetLine(*row[:-1], tuple(others[row.game_id])) for row in rows]
