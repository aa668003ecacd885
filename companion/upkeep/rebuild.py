"""What can be derived, derived again: to prove what is kept, and to mend it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from companion.games import totals
from companion.games.reading import game_numbers, load_game
from companion.games.results import game_results
from companion.games.rows import contract_key, write_seats
from companion.store.database import writing
from companion.store.models import Deal, Game, League, Seat, db

BATCH = 50


def rebuild_games(league_id: int) -> Iterator[int]:
    """Work out what every game came to, and the sums, from the deals; yield how many are done."""
    numbers = game_numbers(db.session(), league_id)
    for start in range(0, len(numbers), BATCH):
        batch = numbers[start : start + BATCH]
        with writing() as session:
            for number in batch:
                _rebuild(session, league_id, number)
        yield start + len(batch)
    with writing() as session:
        totals.next_revision(session, league_id)
        totals.rebuild(session, league_id)
        totals.mark_all_stale(session, league_id)


def _rebuild(session: Session, league_id: int, number: int) -> None:
    """Work out one game's places and totals again, and whether it counts."""
    game = session.execute(select(Game).where(Game.id == number).with_for_update()).scalar_one()
    record = load_game(session, league_id, number, hidden=True).record
    earned = game_results(record)
    game.players, game.margin = earned.players, earned.margin
    game.status = record.status
    game.counted = earned.counts and not game.hidden
    for position, deal in enumerate(record.deals, start=1):
        mine = (Deal.game_id == number, Deal.position == position)
        contract = contract_key(record.variant, deal.step)
        session.execute(update(Deal).where(*mine).values(contract=contract))
    write_seats(session, game, record, earned)
    session.execute(update(Seat).where(Seat.game_id == number).values(counted=game.counted))


def leagues(session: Session, *, underived: bool = False) -> list[int]:
    """List the numbers of all leagues, or of those whose sums were never worked out."""
    wanted = select(League.id).order_by(League.id)
    wanted = wanted.where(League.revision < 0) if underived else wanted
    return list(session.execute(wanted).scalars())
