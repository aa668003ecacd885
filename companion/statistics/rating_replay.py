"""Ratings kept up to date: replayed from the first changed game, swapped in as a whole.

The replay runs outside any write; a game that changes meanwhile is noticed before the swap. Until
then a league's ratings are those before the change, and the pages say that they are being
recalculated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from sqlalchemy import delete, insert, select, tuple_, update
from sqlalchemy.orm import Session

from companion.games.entries import with_people
from companion.store.database import Statement, writing
from companion.store.models import Checkpoint, Game, League, Player, RatingRow, Seat, db

from .ratings import Forms, Placed, RatingState, from_data, read_form, replay, to_data

ALL_TIME = 0
STRIDE = 500
MOST_CHECKPOINTS = 16
Key = tuple[date, int]
GAME_KEY = tuple_(Game.played_on, Game.id)


class RatedGame(Struct, frozen=True):
    """One counted game in order: when, in which season, who came where."""

    key: Key
    season_id: int
    placed: tuple[Placed, ...]


class Course(Struct):
    """A replay on its way: everybody's form by season, after the game at `key`."""

    key: Key | None = None
    forms: dict[int, Forms] = field(default_factory=dict)
    checkpoints: list[tuple[Key, dict[str, Any]]] = field(default_factory=list)

    def go_on(self, games: list[RatedGame]) -> None:
        """Rate these games, and remember the state after them."""
        self._rate(ALL_TIME, games)
        for season in sorted({game.season_id for game in games}):
            self._rate(season, [game for game in games if game.season_id == season])
        self.key = games[-1].key
        self.checkpoints.append((self.key, self._facts()))
        spread = kept([key[1] for key, _ in self.checkpoints])
        self.checkpoints = [one for one in self.checkpoints if one[0][1] in spread]

    def _rate(self, season: int, games: list[RatedGame]) -> None:
        rated = replay((game.placed for game in games), self.forms.get(season))
        if season != ALL_TIME:
            # Only the form over all time is drawn.
            rated = {who: replace(form, series=()) for who, form in rated.items()}
        self.forms[season] = rated

    def _facts(self) -> dict[str, Any]:
        return {str(season): to_data(forms) for season, forms in self.forms.items()}


def catch_up(league_id: int, most: int | None = None) -> bool:
    """Work out the ratings from the first changed game onward; tell whether they are right now.

    With more than `most` games to rate nothing is done: that is work for a quieter place.
    """
    session = db.session()
    # A session that has read goes on seeing the league as it was then.
    session.rollback()
    # Before any game is read: one that changes later has a higher mark, and the swap sees it.
    league = session.execute(
        select(League.revision, League.upheaval, League.stale_on, League.stale_game).where(
            League.id == league_id
        )
    ).one()
    if league.stale_on is None:
        return True
    first: Key = (league.stale_on, league.stale_game)
    course = _start(session, league_id, first)
    if most is not None and _are_more_than(most, session, league_id, course.key):
        return False
    for batch in _batches(session, league_id, course.key):
        course.go_on(batch)
    session.rollback()
    return _swap_in(league_id, league.revision, league.upheaval, first, course)


def replayed(session: Session, league_id: int) -> dict[tuple[int, int], dict[str, Any]]:
    """Rate every game of a league from nothing; give the forms as data by season and person."""
    course = Course()
    for batch in _batches(session, league_id, None):
        course.go_on(batch)
    return {
        (season, int(person)): facts
        for season, forms in course.forms.items()
        for person, facts in to_data(forms).items()
    }


def _start(session: Session, league_id: int, first: Key) -> Course:
    """Begin after the last checkpoint before the first changed game, or with nothing."""
    found = session.execute(
        select(Checkpoint)
        .where(
            Checkpoint.league_id == league_id,
            tuple_(Checkpoint.played_on, Checkpoint.game_id) < first,
        )
        .order_by(Checkpoint.played_on.desc(), Checkpoint.game_id.desc())
        .limit(1)
    ).scalar_one_or_none()
    if found is None:
        return Course()
    facts: Mapping[str, Any] = found.facts
    forms: dict[int, Forms] = {int(season): from_data(one) for season, one in facts.items()}
    return Course((found.played_on, found.game_id), forms)


def _are_more_than(most: int, session: Session, league_id: int, after: Key | None) -> bool:
    rest = _in_order(select(Game.id), league_id, after)
    return session.execute(rest.offset(most).limit(1)).first() is not None


def _in_order(wanted: Statement, league_id: int, after: Key | None) -> Statement:
    """Ask for the counted games after a game, or for all, in the order in which they are rated.

    Where the league chose one game for its standings, no other is rated.
    """
    chosen = League.standings_variant
    mine = wanted.join(League, League.id == Game.league_id).where(
        Game.league_id == league_id, Game.counted, chosen.in_(("", Game.variant_key))
    )
    if after is not None:
        mine = mine.where(after < GAME_KEY)
    return mine.order_by(Game.played_on, Game.id)


def _batches(session: Session, league_id: int, after: Key | None) -> Iterator[list[RatedGame]]:
    """Read the counted games after a game in their order, some hundreds at a time."""
    while games := _batch(session, league_id, after):
        yield games
        after = games[-1].key


def _batch(session: Session, league_id: int, after: Key | None) -> list[RatedGame]:
    # By evening and number, never by a clock, so that every replay comes out the same (I17).
    wanted = _in_order(select(Game.id, Game.played_on, Game.season_id), league_id, after)
    games = session.execute(wanted.limit(STRIDE)).all()
    placed: dict[int, dict[int, tuple[tuple[int, ...], int]]] = {game.id: {} for game in games}
    seats = select(Seat.game_id, Player.person_id, Seat.place, Seat.number).select_from(Seat)
    for game_id, person, place, number in session.execute(
        with_people(seats)
        .where(Seat.game_id.in_(placed), Seat.place.is_not(None))
        .order_by(Seat.game_id, Seat.number, Player.person_id)
    ):
        seat = placed[game_id].setdefault(number, ((), place or 0))
        placed[game_id][number] = ((*seat[0], person or 0), place or 0)
    return [
        RatedGame((game.played_on, game.id), game.season_id, tuple(placed[game.id].values()))
        for game in games
    ]


def _swap_in(league_id: int, revision: int, upheaval: int, first: Key, course: Course) -> bool:
    """Put new ratings in the place of old ones, unless a game they rest on changed meanwhile."""
    with writing() as session:
        # Held: two that catch up at once would collide over checkpoints and ratings.
        league = session.execute(
            select(League.upheaval).where(League.id == league_id).with_for_update()
        ).one()
        changed = _first_touched(session, league_id, revision)
        rests_on_it = changed and (course.key is None or changed <= course.key)
        if league.upheaval != upheaval or rests_on_it:
            return False
        _keep(session, league_id, first, course)
        stale_on, stale_game = changed or (None, None)
        mine = update(League).where(League.id == league_id)
        session.execute(mine.values(stale_on=stale_on, stale_game=stale_game))
        return changed is None


def _first_touched(session: Session, league_id: int, revision: int) -> Key | None:
    touched = (
        select(Game.played_on, Game.id)
        .where(Game.league_id == league_id, Game.touched > revision)
        .order_by(Game.played_on, Game.id)
    )
    row = session.execute(touched.limit(1)).first()
    return (row.played_on, row.id) if row else None


def _keep(session: Session, league_id: int, first: Key, course: Course) -> None:
    first = min([first, *(key for key, _ in course.checkpoints)])
    stale = tuple_(Checkpoint.played_on, Checkpoint.game_id) >= first
    session.execute(delete(Checkpoint).where(Checkpoint.league_id == league_id, stale))
    checkpoints = [
        {"league_id": league_id, "played_on": key[0], "game_id": key[1], "facts": facts}
        for key, facts in course.checkpoints
    ]
    if checkpoints:
        session.execute(insert(Checkpoint), checkpoints)
    _thin(session, league_id)
    session.execute(delete(RatingRow).where(RatingRow.league_id == league_id))
    forms = [
        {"league_id": league_id, "season_id": season, "person_id": int(person), "facts": facts}
        for season, people in course.forms.items()
        for person, facts in to_data(people).items()
    ]
    if forms:
        session.execute(insert(RatingRow), forms)


def _thin(session: Session, league_id: int) -> None:
    """Keep the latest checkpoints and ever fewer of the earlier ones."""
    keys = select(Checkpoint.played_on, Checkpoint.game_id).where(Checkpoint.league_id == league_id)
    order = keys.order_by(Checkpoint.played_on, Checkpoint.game_id)
    numbers = [row.game_id for row in session.execute(order)]
    gone = set(numbers) - kept(numbers)
    mine = (Checkpoint.league_id == league_id, Checkpoint.game_id.in_(gone))
    session.execute(delete(Checkpoint).where(*mine))


def kept(numbers: Sequence[int]) -> set[int]:
    """Choose the last sixteen of a row of games and, before them, ever fewer.

    Among those that are twice as far back only the first and the last stay, so that whoever goes
    back any way goes back at most about four times as far, however often the row was thinned.

    >>> sorted(kept(range(100)))[:6]
    [0, 35, 36, 67, 68, 83]
    """
    distances: dict[int, list[int]] = {}
    for number in numbers[:-MOST_CHECKPOINTS]:
        distances.setdefault(abs(numbers[-1] - number).bit_length(), []).append(number)
    ends = {end for part in distances.values() for end in (part[0], part[-1])}
    return ends | set(numbers[-MOST_CHECKPOINTS:])


def person_form(session: Session, league_id: int, person_id: int) -> RatingState | None:
    """Return a person's form over all time, if it was worked out yet."""
    facts = session.execute(
        select(RatingRow.facts).where(
            RatingRow.league_id == league_id,
            RatingRow.season_id == ALL_TIME,
            RatingRow.person_id == person_id,
        )
    ).scalar_one_or_none()
    return read_form(facts) if facts else None


def is_settled(session: Session, league_id: int) -> bool:
    """Return whether the ratings of a league rest on every game as it stands."""
    stale_on = select(League.stale_on).where(League.id == league_id)
    return session.execute(stale_on).scalar_one() is None
