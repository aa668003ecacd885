"""Reading games back: one game whole, its history, and the lists of a league's games."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import Boolean, ScalarSelect, Select, bindparam, func, or_, select
from sqlalchemy.orm import Session, aliased

from companion.cards import Pack
from companion.store.aliases import shared_alias
from companion.store.authors import Role, may
from companion.store.database import AnyRow, Question, ask
from companion.store.models import Deal, Device, Game, History, League, Line, Player, Seat

from .record import DealRecord, LineRecord, Record, SeatRecord, Units, read_rules, replay

LARGEST = 2**31 - 1
Person = shared_alias(Player)
LISTED = (
    Game.id,
    Game.variant_key,
    Game.variant_name,
    Game.status,
    Game.started_at,
    Game.played_on,
    Game.note,
    Game.margin,
    Game.counted,
)


@dataclass(frozen=True, slots=True)
class Membership:
    """A league in which a device has a role."""

    league_id: int
    league_name: str
    device_id: int
    role: Role
    is_sample: bool
    judge_during_deal: bool
    show_chances: bool
    confirm_hands: bool
    device_name: str
    player_id: int | None

    def may(self, least: Role) -> bool:
        """Return whether the device's role is enough."""
        return may(self.role, least)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """One game as it is stored, with the names and numbers of its people by seat."""

    game_id: int
    league_id: int
    revision: int
    status: str
    started_at: datetime
    names: tuple[str, ...]
    people: tuple[int, ...]
    record: Record
    pulse: int = 0

    @property
    def version(self) -> tuple[Hashable, ...]:
        """What tells this state of the game from every other, of this and of all games."""
        state = (self.game_id, self.started_at, self.revision, self.status)
        return *state, self.names, self.people


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change of a game, as the history tells it: what phone made it, and whose that is."""

    revision: int
    at: datetime
    action: str
    notes: Sequence[dict[str, Any]]
    before: Units
    after: Units
    phone: str = ""
    person: str | None = None


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game as a line in a list: who played, in seat order, and who won.

    `people` are the numbers of those who played, `ranking` has those with a place in its order,
    equals in seat order; `margin` are the points between first and second where they decided.
    """

    game_id: int
    variant_key: str
    variant_name: str
    status: str
    started_at: datetime
    played_on: date
    note: str
    margin: int | None
    names: tuple[str, ...]
    people: tuple[int, ...]
    winners: tuple[str, ...]
    ranking: tuple[tuple[int, str], ...]
    deals: int
    counted: bool

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Who played and has no place."""
        placed = {name for _, name in self.ranking}
        return tuple(name for name in self.names if name not in placed)


def memberships(session: Session, token_hash: str) -> list[Membership]:
    """List the leagues of a device, the latest first; a revoked one has none."""
    rows = ask(session, _memberships(), token_hash=token_hash)
    return [Membership(*row) for row in rows]


@cache
def _memberships() -> Question:
    return (
        select(
            League.id,
            League.name,
            Device.id,
            Device.role,
            League.is_sample,
            League.judge_during_deal,
            League.show_chances,
            League.confirm_hands,
            Device.name,
            Device.player_id,
        )
        .join(League, League.id == Device.league_id)
        .where(Device.token_hash == bindparam("token_hash"), Device.revoked_at.is_(None))
        .order_by(Device.id.desc())
    )


def was_put_out(session: Session, token_hash: str, league_id: int) -> bool:
    """Return whether a phone was in a league once and is no more."""
    left = select(Device.id).where(Device.token_hash == token_hash, Device.revoked_at.is_not(None))
    return session.execute(left.where(Device.league_id == league_id)).first() is not None


def latest_departure(session: Session, token_hash: str) -> int | None:
    """Return the row of the latest league that a phone is in no more, if there is one."""
    left = select(func.max(Device.id)).where(Device.token_hash == token_hash)
    found: int | None = session.execute(left.where(Device.revoked_at.is_not(None))).scalar_one()
    return found


def is_number(number: int) -> bool:
    """Return whether a row can have this number: the engines fail on larger ones."""
    return 0 < number <= LARGEST


def league_of_game(session: Session, game_id: int) -> int | None:
    """Return to which league a game belongs, if there is such a game."""
    if not is_number(game_id):
        return None
    found: int | None = ask(session, _league_of_game(), game_id=game_id).scalar_one_or_none()
    return found


@cache
def _league_of_game() -> Question:
    return select(Game.league_id).where(Game.id == bindparam("game_id"))


def game_numbers(session: Session, league_id: int) -> list[int]:
    """List the numbers of all games of a league, those taken out as well."""
    mine = select(Game.id).where(Game.league_id == league_id)
    return list(session.execute(mine.order_by(Game.id)).scalars())


def of_latest_game(column: Any, league_id: Any, variant_key: Any) -> ScalarSelect[Any]:
    """Read something of the latest game of a variant, to be asked with others: names change."""
    mine = (Game.league_id == league_id, Game.hidden.is_(False), Game.variant_key == variant_key)
    latest = select(column).where(*mine).order_by(Game.played_on.desc(), Game.id.desc())
    return latest.limit(1).scalar_subquery()


Deals = tuple[DealRecord, ...]
Keep = Callable[[Hashable, Callable[[], Deals]], Deals]
"""What returns under a key the deals that were read when it was first asked for."""


def load_game(
    session: Session,
    league_id: int,
    game_id: int,
    *,
    hidden: bool = False,
    keep: Keep = lambda _, make: make(),
) -> StoredGame:
    """Load one game of this league in four queries, whatever its length; `hidden` ones if asked.

    A session that only reads may `keep` the deals of a revision: then two queries, but for the
    first time. Raises `LookupError` where the league has no such game.
    """
    if not is_number(game_id):
        raise LookupError(game_id)
    game = ask(session, _game(), game_id=game_id, league_id=league_id, hidden=hidden).first()
    if game is None:
        raise LookupError(game_id)
    seats = ask(session, _seats(), games=[game_id]).all()
    revision = ("deals", game_id, game.started_at, game.revision)
    deals = keep(revision, lambda: _deals(session, [game_id]).get(game_id, ()))
    return _stored(game, seats, deals)


@cache
def _game() -> Question:
    mine = (Game.id == bindparam("game_id"), Game.league_id == bindparam("league_id"))
    shown = or_(Game.hidden.is_(False), bindparam("hidden", type_=Boolean))
    return select(*Game.__table__.columns).where(*mine, shown)


@cache
def _games() -> Question:
    return select(*Game.__table__.columns).where(Game.id.in_(bindparam("games", expanding=True)))


@cache
def _seats() -> Question:
    """Select seats with the names of their people, game by game in seat order."""
    return (
        select(*Seat.__table__.columns, Person.name, Person.id.label("person"))
        .join(Player, Player.id == Seat.player_id)
        .join(Person, Person.id == Player.person_id)
        .where(Seat.game_id.in_(bindparam("games", expanding=True)))
        .order_by(Seat.game_id, Seat.number)
    )


@cache
def _lines() -> Question:
    columns = (Line.game_id, Line.position, Line.seat, Line.tally, Line.points, Line.reasons)
    return select(*columns).where(Line.game_id.in_(bindparam("games", expanding=True)))


@cache
def _deals_of() -> Question:
    mine = Deal.game_id.in_(bindparam("games", expanding=True))
    return select(*Deal.__table__.columns).where(mine).order_by(Deal.game_id, Deal.position)


def load_games(session: Session, numbers: Sequence[int]) -> list[StoredGame]:
    """Load games that a list shows, in its order, in four queries however many they are."""
    by_number = {game.id: game for game in ask(session, _games(), games=list(numbers))}
    seats: dict[int, list[Any]] = {number: [] for number in numbers}
    for row in ask(session, _seats(), games=list(numbers)):
        seats[row.game_id].append(row)
    deals = _deals(session, numbers)
    return [_stored(by_number[n], seats[n], deals.get(n, ())) for n in numbers if n in by_number]


def _stored(
    game: AnyRow,
    seats: Sequence[AnyRow],
    deals: tuple[DealRecord, ...],
) -> StoredGame:
    facts: Any = game.facts
    record = Record(
        variant=read_rules(game.rules),
        pack=Pack(facts["decks"], facts["jokers"]),
        first_dealer=facts["first_dealer"],
        seats=tuple(map(_seat, seats)),
        deals=deals,
        stopped=facts["stopped"],
        played_on=game.played_on,
        note=game.note,
        counts=facts.get("counts", True),
    )
    return StoredGame(
        game_id=game.id,
        league_id=game.league_id,
        revision=game.revision,
        status=game.status,
        started_at=game.started_at,
        names=tuple(seat.name for seat in seats),
        people=tuple(seat.person for seat in seats),
        record=record,
        pulse=game.pulse,
    )


def _seat(seat: AnyRow) -> SeatRecord:
    return SeatRecord(
        player_id=seat.player_id,
        start=seat.start,
        start_rule=seat.start_rule,
        joined=seat.joined,
        left=seat.left,
        placed=seat.placed,
    )


def _deals(session: Session, numbers: Sequence[int]) -> dict[int, tuple[DealRecord, ...]]:
    """Read the deals of some games, by the game's number."""
    lines: dict[tuple[int, int], dict[int, LineRecord]] = {}
    rows = ask(session, _lines(), games=list(numbers))
    for game_id, position, seat, tally, points, reasons in rows:
        data = {"tally": tally, "points": points, "reasons": reasons}
        lines.setdefault((game_id, position), {})[seat] = LineRecord.from_data(data)
    found: dict[int, list[DealRecord]] = {}
    for deal in ask(session, _deals_of(), games=list(numbers)):
        mine = lines.get((deal.game_id, deal.position), {})
        found.setdefault(deal.game_id, []).append(
            DealRecord(
                step=deal.step,
                dealer=deal.dealer,
                lines=dict(sorted(mine.items())),
                void=deal.void,
                after_void=deal.after_void,
            )
        )
    return {number: tuple(mine) for number, mine in found.items()}


def history_units(session: Session, game_id: int, revision: int) -> Units:
    """Return the units of a game as they were at a revision."""
    rows = select(History.after).where(History.game_id == game_id, History.revision <= revision)
    return replay(session.execute(rows.order_by(History.revision)).scalars())


def history(session: Session, league_id: int, game_id: int) -> list[HistoryEntry]:
    """List every change of a game, the latest first."""
    rows = session.execute(_changes(league_id, game_id))
    return [HistoryEntry(*row) for row in rows]


def latest_change(session: Session, league_id: int, game_id: int) -> HistoryEntry:
    """Return the latest change of a game; the first is its beginning.

    Raises `LookupError` where the league has no such game.
    """
    row = session.execute(_changes(league_id, game_id).limit(1)).first()
    if row is None:
        raise LookupError(game_id)
    return HistoryEntry(*row)


def deal_changes(
    session: Session, league_id: int, game_id: int, position: int
) -> list[HistoryEntry]:
    """List the changes of one deal, the first first."""
    changes = history(session, league_id, game_id)
    return [entry for entry in reversed(changes) if f"deal:{position}" in entry.after]


def _changes(league_id: int, game_id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(
            History.revision,
            History.at,
            History.action,
            History.notes,
            History.before,
            History.after,
            Device.name,
            Person.name,
        )
        .join(Device, Device.id == History.device_id)
        .outerjoin(Player, Player.id == Device.player_id)
        .outerjoin(Person, Person.id == Player.person_id)
        .where(History.league_id == league_id, History.game_id == game_id)
        .order_by(History.revision.desc())
    )


def regulars(session: Session, league_id: int, most: int = 24) -> list[str]:
    """Name the players of a league, those who played last first, in their seat order."""
    entry = aliased(Player)
    seat = (
        select(Seat.number)
        .join(entry, entry.id == Seat.player_id)
        .where(Seat.game_id == Player.last_game, entry.person_id == Player.id)
        .limit(1)
        .scalar_subquery()
    )
    rows = session.execute(
        select(Player.name)
        .where(
            Player.league_id == league_id,
            Player.person_id == Player.id,
            Player.archived.is_(False),
        )
        .order_by(func.coalesce(Player.last_game, 0).desc(), seat, Player.id)
        .limit(most)
    )
    return list(rows.scalars())


def list_games(
    session: Session,
    league_id: int,
    *,
    before: int | None = None,
    status: str | None = None,
    most: int = 20,
) -> list[ListedGame]:
    """List games of a league, the latest begun first; `before` a game's number if asked."""
    values: dict[str, Any] = {"league_id": league_id, "most": most}
    values["before"] = LARGEST if before is None else max(0, min(before, LARGEST))
    if status is not None:
        values["status"] = status
    return as_listed(session, ask(session, _list(of_status=status is not None), **values).all())


@cache
def _list(*, of_status: bool) -> Question:
    wanted = select(*LISTED).where(
        Game.league_id == bindparam("league_id"),
        Game.hidden.is_(False),
        Game.id < bindparam("before"),
    )
    if of_status:
        wanted = wanted.where(Game.status == bindparam("status"))
    return wanted.order_by(Game.id.desc()).limit(bindparam("most"))


def as_listed(session: Session, games: Sequence[Any]) -> list[ListedGame]:
    """Lay rows of `LISTED` out as lines of a list, with two more queries however many they are."""
    numbers = [game.id for game in games]
    seats: dict[int, list[tuple[str, int, int | None]]] = {number: [] for number in numbers}
    for game_id, name, person, place in ask(session, _places(), games=numbers):
        seats[game_id].append((name, person, place))
    deals: dict[int, int] = dict(ask(session, _deals_played(), games=numbers).all())
    return [_listed(game, seats[game.id], deals.get(game.id, 0)) for game in games]


@cache
def _places() -> Question:
    return (
        select(Seat.game_id, Person.name, Person.id, Seat.place)
        .join(Player, Player.id == Seat.player_id)
        .join(Person, Person.id == Player.person_id)
        .where(Seat.game_id.in_(bindparam("games", expanding=True)))
        .order_by(Seat.game_id, Seat.number)
    )


@cache
def _deals_played() -> Question:
    games: Any = bindparam("games", expanding=True)
    scored = select(Deal.game_id, func.count()).where(Deal.game_id.in_(games), Deal.void.is_(False))
    return scored.group_by(Deal.game_id)


def _listed(game: Any, seats: Sequence[tuple[str, int, int | None]], deals: int) -> ListedGame:
    placed = [(place, name) for name, _, place in seats if place is not None]
    return ListedGame(
        game_id=game.id,
        variant_key=game.variant_key,
        variant_name=game.variant_name,
        status=game.status,
        started_at=game.started_at,
        played_on=game.played_on,
        note=game.note,
        margin=game.margin,
        names=tuple(name for name, _, _ in seats),
        people=tuple(person for _, person, _ in seats),
        winners=tuple(name for name, _, place in seats if place == 1),
        ranking=tuple(sorted(placed, key=lambda one: one[0])),
        deals=deals,
        counted=game.counted,
    )
