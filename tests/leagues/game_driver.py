"""Stored games in few words: play them, look at every row, count queries, refuse to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import date
from uuid import uuid4

from sqlalchemy import func, select

from companion.games import writer
from companion.games.changes import Change, play_deal
from companion.games.entries import person_called
from companion.games.locking import in_league
from companion.games.reading import HistoryEntry, StoredGame, history, load_game
from companion.games.record import Record, replay
from companion.games.writer import Saved
from companion.rules import Variant
from companion.scoring import Tally
from companion.store.authors import Author
from companion.store.models import Base, Deal, Game, History, Line, Seat, db
from tests.support.reports import CONTRACT, OUT, RUMMY, THREE, total
from tests.support.statements import statements

Dump = dict[str, list[str]]


def told(*points: int) -> dict[int, Tally]:
    """What the table reports in seat order: whoever has 0 went out."""
    return {seat: total(worth) if worth else OUT for seat, worth in enumerate(points)}


def told_rummy(*points: int) -> dict[int, Tally]:
    """The same at Chicago, where whoever has 0 went rummy."""
    return {seat: total(worth) if worth else RUMMY for seat, worth in enumerate(points)}


def scoring(tallies: Mapping[int, Tally]) -> Callable[[Record], Change]:
    return lambda record: play_deal(record, tallies)


@dataclass
class Table:
    """A stored game and the phone that writes it down."""

    author: Author
    game_id: int
    revision: int

    @staticmethod
    def start(
        author: Author,
        *names: str,
        variant: Variant = CONTRACT,
        dealer: int = 0,
        on: date | None = None,
    ) -> Table:
        key = uuid4().hex
        saved = writer.start_game(author, key, variant, names or THREE, dealer, played_on=on)
        return Table(author, saved.game_id, saved.revision)

    def change(
        self,
        change: Callable[[Record], Change],
        action: str = "changed",
        *,
        key: str = "",
        revision: int | None = None,
        accepted: bool = True,
    ) -> Saved:
        seen = self.revision if revision is None else revision
        key = key or uuid4().hex
        saved = writer.change_game(
            self.author, self.game_id, seen, key, action, change, accepted=accepted
        )
        return self._seen(saved)

    def score(self, *points: int) -> Saved:
        return self.change(scoring(told(*points)), "scored")

    def restore(self, version: int, key: str = "") -> Saved:
        saved = writer.restore(
            self.author, self.game_id, self.revision, key or uuid4().hex, version
        )
        return self._seen(saved)

    def _seen(self, saved: Saved) -> Saved:
        """Go on from what was saved."""
        self.revision = saved.revision
        return saved

    @property
    def stored(self) -> StoredGame:
        db.session.rollback()
        return load_game(db.session(), self.author.league_id, self.game_id)

    @property
    def record(self) -> Record:
        return self.stored.record

    @property
    def totals(self) -> tuple[int, ...]:
        return self.record.standing().totals

    @property
    def history(self) -> list[HistoryEntry]:
        db.session.rollback()
        return history(db.session(), self.author.league_id, self.game_id)

    @property
    def places(self) -> list[int | None]:
        db.session.rollback()
        rows = select(Seat.place).where(Seat.game_id == self.game_id).order_by(Seat.number)
        return list(db.session.execute(rows).scalars())


def dump() -> Dump:
    """Every row of every table."""
    with db.engine.connect() as connection:
        return {
            name: sorted(repr(tuple(row)) for row in connection.execute(select(table)))
            for name, table in Base.metadata.tables.items()
        }


@contextmanager
def unchanged() -> Iterator[None]:
    """Whatever happens in here leaves no trace in the database (`I14`)."""
    before = dump()
    yield
    assert dump() == before


def counted() -> AbstractContextManager[list[str]]:
    """Gather the statements that reach the database of the app at work."""
    return statements(db.engine)


def check_sound(game_id: int) -> None:
    """Prove from the rows alone that a stored game is whole (`I1` to `I4`)."""
    db.session.rollback()
    session = db.session()
    game = session.execute(select(Game).where(Game.id == game_id)).scalar_one()
    record = load_game(session, game.league_id, game_id).record
    entries = history(session, game.league_id, game_id)[::-1]
    assert replay(entry.after for entry in entries) == record.units()
    assert [entry.revision for entry in entries] == list(range(1, game.revision + 1))
    positions = select(Deal.position).where(Deal.game_id == game_id).order_by(Deal.position)
    numbers = list(session.execute(positions).scalars())
    assert numbers == list(range(1, len(numbers) + 1))
    endings = select(func.count()).where(Line.game_id == game_id, Line.declared != "")
    assert all(count == 1 for count in session.execute(endings.group_by(Line.position)).scalars())
    sums = select(Line.seat, func.sum(Line.points)).where(Line.game_id == game_id)
    points = dict(session.execute(sums.group_by(Line.seat)).all())
    starts = select(Seat.start).where(Seat.game_id == game_id).order_by(Seat.number)
    totals = [
        start + int(points.get(seat, 0))
        for seat, start in enumerate(session.execute(starts).scalars())
    ]
    assert totals == list(record.standing().totals)
    keys = select(History.key).where(History.game_id == game_id)
    assert len(set(session.execute(keys).scalars())) == game.revision


def newcomer(author: Author, name: str) -> int:
    """A player of the league who sits in no game yet, as undoing a joiner leaves one behind."""

    return in_league(author, lambda session: person_called(session, author.league_id, name))
