"""One person's years at the table: the record sheet, bests and worsts, contracts, form."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from msgspec import Struct
from sqlalchemy import and_, case, func, select, tuple_
from sqlalchemy.orm import Session

from companion.games.counted import COUNTED, lines_counted_for
from companion.games.entries import Person, lines_of, with_names
from companion.games.reading import is_number, of_latest_game
from companion.games.record import read_rules
from companion.store.aliases import shared_alias
from companion.store.models import WIN, Deal, Game, Line, Player, Seat

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
        enough = [contract for contract in self.contracts if not contract.is_few]
        return [contract for contract in enough if contract.average == enough[0].average]


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
    lines = lines_counted_for(person_id).subquery()
    # A team's totals and hands are nobody's own.
    is_own = and_(Entry.id == lines.c.id, Entry.person_id == person_id)
    total, high = (case((Entry.id.is_not(None), column)) for column in (Seat.total, Seat.high))
    sums = (
        select(Seat.variant_key, func.count().label("games"))
        .add_columns(func.sum(Seat.share).label("shares"), func.sum(Seat.place).label("places"))
        .add_columns(func.min(total).label("lowest"), func.max(total).label("highest"))
        .add_columns(func.max(high).label("deal"))
        .join(lines, lines.c.id == Seat.player_id)
        .outerjoin(Entry, is_own)
        .where(COUNTED)
        .group_by(Seat.variant_key)
        .subquery()
    )
    league = select(Player.league_id).where(Player.id == person_id).scalar_subquery()
    name, rules = (
        of_latest_game(column, league, sums.c.variant_key)
        for column in (Game.variant_name, Game.rules)
    )
    rows = session.execute(select(sums, name.label("name"), rules.label("rules"))).all()
    records = [
        VariantRecord(
            variant_key=row.variant_key,
            name=row.name,
            games=row.games,
            wins=Fraction(int(row.shares), WIN),
            average_place=Fraction(int(row.places), row.games),
            lowest=row.lowest,
            highest=row.highest,
            highest_deal=row.deal,
            most_wins=read_rules(row.rules).ending.cost < 0,
        )
        for row in rows
    ]
    if rows:
        games, shares, places = (
            sum(int(getattr(row, name)) for row in rows) for name in ("games", "shares", "places")
        )
        wins, average = Fraction(shares, WIN), Fraction(places, games)
        records.append(VariantRecord("", "", games, wins, average, None, None, None))
    return sorted(
        records, key=lambda record: (record.variant_key != "", -record.games, record.name)
    )


def contract_records(session: Session, person_id: int) -> list[ContractRecord]:
    """List a person's points by contract; which is the worst depends on the game."""
    lines = lines_counted_for(person_id).subquery()
    rows = session.execute(
        select(
            Seat.variant_key,
            Deal.contract,
            func.count(),
            func.sum(Line.points),
            func.sum(case((Line.declared != "", 1), else_=0)),
        )
        .join(lines, lines.c.id == Seat.player_id)
        .join(Line, (Line.game_id == Seat.game_id) & (Line.seat == Seat.number))
        .join(Deal, (Deal.game_id == Line.game_id) & (Deal.position == Line.position))
        .where(COUNTED, Deal.void.is_(False), Deal.contract != "")
        .group_by(Seat.variant_key, Deal.contract)
    )
    records = [ContractRecord(key, contract, *map(int, sums)) for key, contract, *sums in rows]
    return sorted(records, key=lambda record: (record.variant_key, record.contract))


def contracts_by_game(
    contracts: Sequence[ContractRecord], records: Sequence[VariantRecord]
) -> list[GameContracts]:
    """Sort contracts by game, in the order of the records: the worst is what the game punishes."""
    sorted_by_game = [GameContracts(game.name, _worst_first(game, contracts)) for game in records]
    return [game for game in sorted_by_game if game.contracts]


def _worst_first(
    record: VariantRecord, contracts: Sequence[ContractRecord]
) -> list[ContractRecord]:
    sign = 1 if record.most_wins else -1
    of_game = [contract for contract in contracts if contract.variant_key == record.variant_key]
    return sorted(of_game, key=lambda contract: (sign * contract.average, contract.contract))


def record_sheet(
    session: Session,
    person_id: int,
    *,
    before: tuple[date, int] | None = None,
    most: int = 20,
) -> list[SheetLine]:
    """Return a person's ended games, the latest first, a page at a time by the last one shown."""
    # Of their teams too: a team's games are those of its members.
    lines = [entry for _, entry in session.execute(lines_of(Player.person_id == person_id))]
    columns = (Seat.game_id, Seat.played_on, Game.variant_name, Game.status, Seat.total, Seat.place)
    older = [tuple_(Seat.played_on, Seat.game_id) < before] if before else []
    rows = session.execute(
        select(*columns, Game.players, Game.counted, Seat.number)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.player_id.in_(lines), Game.status != "running", Game.hidden.is_(False), *older)
        .order_by(Seat.played_on.desc(), Seat.game_id.desc())
        .limit(most)
    ).all()
    own_seats = {row.game_id: row.number for row in rows}
    others: dict[int, list[str]] = {game_id: [] for game_id in own_seats}
    for game_id, number, name in session.execute(
        with_names(select(Seat.game_id, Seat.number, Person.name))
        .where(Seat.game_id.in_(others))
        .order_by(Seat.game_id, Seat.number)
    ):
        if number != own_seats[game_id]:
            others[game_id].append(name)
    return [SheetLine(*row[:-1], tuple(others[row.game_id])) for row in rows]
