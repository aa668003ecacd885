"""What is derived from the deals of a league: compared with today's rules, and derived anew."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select, update
from sqlalchemy.orm import Session

from companion.games.changes import rescore
from companion.games.locking import lock_league
from companion.games.rating_replay import rate_from, replayed
from companion.games.reading import StoredGame, game_numbers, load_game
from companion.games.results import SeatResult, game_results
from companion.games.rows import contract_key, write_seats
from companion.games.teams import settle_teams
from companion.scoring import TallyError
from companion.store.database import writing
from companion.store.models import Deal, Game, League, Rating, Seat, db
from companion.store.progress import Progress, silent


class Drift(Struct, frozen=True):
    """Something kept that is not what it would be today; `mendable` where it is only derived."""

    words: str
    mendable: bool


def leagues(session: Session) -> list[int]:
    """List the numbers of all leagues."""
    return list(session.execute(select(League.id).order_by(League.id)).scalars())


def one_by_one(session: Session, league_id: int, progress: Progress) -> Iterator[int]:
    """Yield the numbers of a league's games, and forget each game before the next."""
    numbers = game_numbers(session, league_id)
    for done, number in enumerate(numbers, start=1):
        yield number
        # A session keeps what it has read, which would be the whole league by the end.
        session.expunge_all()
        progress(done, len(numbers))


def recount(league_id: int, progress: Progress) -> Iterator[Drift]:
    """Find what is kept of a league and is not what its deals come to.

    `progress` is told how many games of how many are compared.
    """
    session = db.session()
    for number in one_by_one(session, league_id, progress):
        yield from game_drift(session, league_id, number)
    yield from _rating_drift(session, league_id)


def mend(league_id: int, progress: Progress = silent) -> None:
    """Work out again whatever is derived in a league; posted points stay as they are."""
    db.session.rollback()
    with writing() as session:
        lock_league(session, league_id)
        derive(session, league_id, progress)


def game_drift(session: Session, league_id: int, number: int) -> Iterator[Drift]:
    """Find what a game has posted otherwise than its rules say today, and stale results.

    Raises `LookupError` where the league has no such game.
    """
    # Hidden ones too, for they may come back.
    game = load_game(session, league_id, number, hidden=True)
    where = f"Game {number} of {game.record.played_on}"
    for words in _posted(game):
        yield Drift(f"{where}, {words}", mendable=False)
    earned = game_results(game.record)
    row = session.get_one(Game, number)
    kept = (row.status, row.players, row.margin, row.counted)
    counted = earned.counts and not row.hidden
    if kept != (game.record.status, earned.players, earned.margin, counted):
        yield Drift(f"{where}: what it came to is out of date.", mendable=True)
    seats = select(Seat).where(Seat.game_id == number).order_by(Seat.number)
    for seat, receipt in zip(session.execute(seats).scalars(), earned.seats, strict=True):
        if _receipt(seat) != receipt or seat.counted != counted:
            name = game.names[seat.number]
            yield Drift(f"{where}: the result of {name} is out of date.", mendable=True)


def _receipt(seat: Seat) -> SeatResult:
    return msgspec.convert(seat, SeatResult, from_attributes=True)


def _posted(game: StoredGame) -> Iterator[str]:
    """Say which posted points the rules of the game would not give today."""
    for position, deal in enumerate(game.record.deals, start=1):
        if deal.void:
            continue
        try:
            today = rescore(game.record, position)
        except TallyError as fault:
            yield f"deal {position}: it would be refused today. {fault}"
            continue
        for seat, line in sorted(deal.lines.items()):
            if today[seat].points != line.points:
                yield (
                    f"deal {position}: {game.names[seat]} has {line.points} posted, "
                    f"the rules give {today[seat].points}."
                )


def _rating_drift(session: Session, league_id: int) -> Iterator[Drift]:
    """Find the people whose ratings are not what the games come to."""
    columns = list(Rating.__table__.columns)
    stored = session.execute(select(*columns).where(Rating.league_id == league_id))
    kept = {(row.person_id, row.games): dict(row._mapping) for row in stored}
    due = {(row["person_id"], row["games"]): row for row in replayed(session, league_id)}
    wrong = {key[0] for key in kept.keys() | due.keys() if kept.get(key) != due.get(key)}
    for person in sorted(wrong):
        yield Drift(f"The rating of player {person} is out of date.", mendable=True)


def derive_all(connection: Connection, *, ratings_only: bool) -> None:
    """Work out what an earlier version kept otherwise, in the transaction that migrates."""
    with Session(connection, info={"writing": True}) as session:
        for league_id in leagues(session):
            (_settle if ratings_only else derive)(session, league_id)


def derive(session: Session, league_id: int, progress: Progress = silent) -> None:
    """Work out what every game came to, what teams are called, and the ratings."""
    for number in one_by_one(session, league_id, progress):
        _rebuild(session, league_id, number)
        session.flush()
    _settle(session, league_id)


def _settle(session: Session, league_id: int) -> None:
    settle_teams(session, league_id)
    rate_from(session, league_id)


def _rebuild(session: Session, league_id: int, number: int) -> None:
    """Work out one game's places and totals again, and whether it counts."""
    game = session.get_one(Game, number)
    record = load_game(session, league_id, number, hidden=True).record
    earned = game_results(record)
    game.players, game.margin = earned.players, earned.margin
    game.status = record.status
    game.counted = earned.counts and not game.hidden
    for position, deal in enumerate(record.deals, start=1):
        at_position = (Deal.game_id == number, Deal.position == position)
        contract = contract_key(record.variant, deal.step)
        session.execute(update(Deal).where(*at_position).values(contract=contract))
    write_seats(session, game, record, earned)
