"""What pages cost that look back on many games: `python -m bench.league [games …] [address]`.

Makes a league of each size, and one of a thousand games among 100,000 leagues, in a SQLite file or,
where the address of a PostgreSQL is given, in a schema of its own there. Asks each page, and saves
the deal that ends a game. Prints milliseconds in the middle of some calls: of this processor, and
on PostgreSQL, which works elsewhere, on the clock. Nothing here fails.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from statistics import median
from uuid import uuid4

from flask import Flask
from msgspec.structs import replace
from sqlalchemy import create_engine, select, text
from sqlalchemy.engine import make_url
from werkzeug.test import create_environ, run_wsgi_app

from companion import create_app
from companion.games import writer
from companion.games.changes import Change, play_deal
from companion.rules import extend, find_variant
from companion.scoring import Tally
from companion.store import database
from companion.store.authors import Author
from companion.store.models import Game, Player, db
from companion.upkeep import startup
from companion.web.middleware.device_cookie import Cookie

from .many_games import make_league

SIZES = (1_000, 10_000, 100_000)
LEAGUES = 100_000
CALLS = 9
PAGES = (
    "/",
    "/league",
    "/league?season=all",
    "/league?season=all&variant=variant-3&players=4",
    "/league/records?variant=variant-3",
    "/league/rivals",
    "/league/rivals?variant=variant-3",
    "/league/players/{person}",
    "/league/people",
    "/league/evenings",
    "/league/years/2020",
    "/league/games",
    "/league/games?who={person}&with={other}&variant=variant-3",
    "/league/games?words=snow",
)
ONE_DEAL = extend(find_variant("contract rummy"), {"ending": {"deals": 1}})
FOUR = ("Person 1", "Person 2", "Person 3", "Person 4")


class Made:
    """A league of so many games among so many leagues, and the app that holds it."""

    def __init__(self, stack: ExitStack, games: int, leagues: int, address: str) -> None:
        self.title = f"{games:,}" if leagues == 1 else f"1 of {leagues:,}"
        os.environ["INSTANCE_PATH"] = folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = _own_schema(stack, address, games + leagues) if address else None
        self.app = create_app({"DATABASE_URL": url})
        self.clock: Callable[[], float] = time.perf_counter if url else time.process_time
        started = time.perf_counter()
        with self.app.app_context():
            startup.prepare()
            db.engine.dispose()
            self.author = make_league("bench", games, leagues - 1)
            mine = select(Player.id).where(Player.league_id == self.author.league_id)
            people = db.session.execute(mine.order_by(Player.id)).scalars().all()
            self.pages = [page.format(person=people[7], other=people[8]) for page in PAGES]
            db.session.remove()
            self.cookie = f"device={Cookie('bench').write()}"
        stack.callback(_closed, self.app)
        took = time.perf_counter() - started
        print(f"{self.title} games made in {took:.0f} s in {folder}", file=sys.stderr, flush=True)

    def took(self, work: Callable[[], object], calls: int = CALLS) -> float:
        """Return how many milliseconds some work takes, in the middle of some times."""
        times = []
        for _ in range(calls):
            begun = self.clock()
            work()
            times.append(1000 * (self.clock() - begun))
        return median(times)

    def page(self, number: int) -> float:
        """Return what a page costs; ends the program where it is refused."""

        def ask() -> None:
            environ = create_environ(self.pages[number], headers={"Cookie": self.cookie})
            _, status, _ = run_wsgi_app(self.app, environ, buffered=True)
            if not status.startswith("200"):
                sys.exit(f"{self.pages[number]} answers {status}")

        ask()
        return self.took(ask)

    def save(self) -> tuple[float, float]:
        """Return what it costs to end one more game, and to correct one of ten years ago."""
        told = {0: Tally(declared="out"), **{seat: Tally(total=10 * seat) for seat in (1, 2, 3)}}
        last: list[writer.Saved] = []

        def end() -> None:
            game = writer.start_game(self.author, uuid4().hex, ONE_DEAL, FOUR)
            at = (self.author, game.game_id, game.revision, uuid4().hex)
            last.append(writer.change_game(*at, "scored", lambda record: play_deal(record, told)))

        with self.app.app_context():
            end()
            ended = self.took(end)
            corrected = self.took(lambda: _correct_old(self.author, last[-1]), 3)
            db.session.remove()
        return ended, corrected


def _correct_old(author: Author, saved: writer.Saved) -> None:
    """Move a game ten years back and out of its place; every game since is rated again."""
    game = saved.game_id
    revision = db.session.execute(select(Game.revision).where(Game.id == game)).scalar_one()
    db.session.rollback()
    day = date(2016, 1, 1 + revision % 28)
    at = (author, game, revision, uuid4().hex)
    writer.change_game(*at, "moved", lambda record: Change(replace(record, played_on=day)))


def _closed(app: Flask) -> None:
    with app.app_context():
        db.engine.dispose()


def _own_schema(stack: ExitStack, address: str, number: int) -> str:
    """Make a schema beside whatever else is in a PostgreSQL database, to be dropped at the end."""
    name = f"bench_{number}"
    engine = create_engine(database.database_url(address, Path()))

    def drop(*after: str) -> None:
        with engine.begin() as connection:
            for statement in (f"DROP SCHEMA IF EXISTS {name} CASCADE", *after):
                connection.execute(text(statement))

    drop(f"CREATE SCHEMA {name}")
    stack.callback(drop)
    url = make_url(address).update_query_dict({"options": f"-csearch_path={name}"})
    return url.render_as_string(hide_password=False)


def show(title: str, leagues: Sequence[Made]) -> None:
    """Print what each page and a save cost in each league."""
    print(f"\n{title + ', ms by games':<62}" + "".join(f"{made.title:>13}" for made in leagues))
    for number, page in enumerate(PAGES):
        figures = "".join(f"{made.page(number):>13.1f}" for made in leagues)
        print(f"{page:<62}{figures}", flush=True)
    saved = [made.save() for made in leagues]
    for words, times in zip(
        ("one more game begun and ended", "a game ten years back corrected"),
        zip(*saved, strict=True),
        strict=True,
    ):
        print(f"{words:<62}" + "".join(f"{one:>13.1f}" for one in times), flush=True)


def main() -> None:
    """Print the figures of a database, SQLite if none is named."""
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or list(SIZES)
    address = next((word for word in sys.argv[1:] if not word.isdigit()), "")
    with ExitStack() as stack:
        leagues = [Made(stack, games, 1, address) for games in sizes]
        if not sys.argv[1:] or address:
            leagues.append(Made(stack, min(sizes), LEAGUES, address))
        show("PostgreSQL, clock" if address else "SQLite, CPU", leagues)


if __name__ == "__main__":
    main()
