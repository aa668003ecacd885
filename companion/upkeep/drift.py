"""What is kept of a league against what its deals come to today: nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games import totals
from companion.games.changes import rescore
from companion.games.reading import StoredGame, load_game
from companion.games.results import SeatResult, game_results
from companion.scoring import TallyError
from companion.statistics.rating_replay import is_settled, replayed
from companion.store.models import Game, RatingRow, Seat


class Drift(Struct, frozen=True):
    """Something kept that is not what it would be today; `mendable` where it is only derived."""

    words: str
    mendable: bool


def game_drift(session: Session, league_id: int, number: int) -> Iterator[Drift]:
    """Find what a game has posted otherwise than its rules say today, and stale results.

    Raises `LookupError` where the league has no such game.
    """
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
    return SeatResult(**{name: getattr(seat, name) for name in SeatResult.__struct_fields__})


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


def sum_drift(session: Session, league_id: int) -> Iterator[Drift]:
    """Find sums and ratings of a league that are not what its games come to."""
    for table, key in totals.differing(session, league_id):
        yield Drift(f"A sum is out of date: {table} {' '.join(key)}.", mendable=True)
    if not is_settled(session, league_id):
        yield Drift("The ratings are still to be worked out.", mendable=True)
        return
    rows = select(RatingRow.season_id, RatingRow.person_id, RatingRow.facts).where(
        RatingRow.league_id == league_id
    )
    kept = {(season, person): facts for season, person, facts in session.execute(rows)}
    due = replayed(session, league_id)
    for season, person in sorted(kept.keys() | due.keys()):
        if kept.get((season, person)) != due.get((season, person)):
            words = f"The rating of player {person} is out of date (season {season or 'all'})."
            yield Drift(words, mendable=True)
