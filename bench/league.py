"""How long a league of many games takes to look back: `python -m bench.league [games …] [address]`.

Makes a league of each size, in a SQLite file of its own or, where the address of a PostgreSQL is
given, in a schema of its own there, and asks of each in turn what the pages ask. Prints in how many
microseconds the faster quarter of the answers came, so that other work on the machine disturbs
little, and the largest league against the smallest. Nothing here fails.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from uuid import uuid4

from flask import Flask
from sqlalchemy import create_engine, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

from companion import create_app
from companion.games import totals, writer
from companion.games.changes import play_deal
from companion.games.shown.game_lists import list_games, regulars
from companion.games.shown.game_search import GameQuery, find_games
from companion.rules import extend, find_variant
from companion.scoring import Tally
from companion.statistics.evenings import evenings, year_in_review, years
from companion.statistics.profile import (
    contract_records,
    find_person,
    record_sheet,
    variant_records,
)
from companion.statistics.rating_replay import catch_up, person_form
from companion.statistics.records import longest_nights, longest_runs, records
from companion.statistics.rivals import rivalries, rivals
from companion.statistics.standings import played_variants, standings
from companion.store import database
from companion.store.authors import Author
from companion.store.models import Game, Player, Season, db
from companion.upkeep import startup

from .many_games import make_league

SIZES = (1_000, 100_000, 1_000_000)
GOAL = 1.5
ROUNDS = 60
PAIRS = 40
ONE_DEAL = extend(find_variant("contract rummy"), {"ending": {"deals": 1}})
FOUR = ("Person 1", "Person 2", "Person 3", "Person 4")
Question = Callable[[Session], object]


@dataclass
class Made:
    """A league of so many games, and the app that holds it."""

    games: int
    app: Flask
    author: Author
    questions: dict[str, Question] = field(default_factory=dict)


def questions(author: Author) -> dict[str, Question]:
    """Name what the pages ask of a league, and what no page may grow with."""
    session, league = db.session(), author.league_id
    people = session.execute(select(Player.id).where(Player.league_id == league)).scalars().all()
    person = people[7]
    season = session.execute(select(Season.id).where(Season.name == "2020")).scalar_one()
    mine = select(Game.played_on, Game.id).where(Game.league_id == league).order_by(Game.id)
    total = session.execute(text("SELECT count(*) FROM game")).scalar_one()
    day, deep = session.execute(mine.offset(total // 3).limit(1)).one()
    return {
        "standings, all time": lambda s: standings(s, league),
        "standings, one season": lambda s: standings(s, league, season),
        "standings, season, game, four players": lambda s: standings(
            s, league, season, "variant-3", 4
        ),
        "games that were played, by name": lambda s: played_variants(s, league),
        "head to head, one person": lambda s: rivals(s, person),
        "head to head, everybody": lambda s: rivalries(s, league, people),
        "history, first page": lambda s: find_games(s, league, GameQuery()),
        "history, a third of the way": lambda s: find_games(
            s, league, GameQuery(), before=(day, deep)
        ),
        "history, two people, one game": lambda s: find_games(
            s, league, GameQuery(people=(person, person + 1), variant_key="variant-3")
        ),
        "player: name": lambda s: find_person(s, league, person),
        "player: bests and worsts": lambda s: variant_records(s, person),
        "player: contracts": lambda s: contract_records(s, person),
        "player: record sheet": lambda s: record_sheet(s, person, most=24),
        "player: record sheet, a third of the way": lambda s: record_sheet(
            s, person, before=(day, deep), most=24
        ),
        "player: form": lambda s: person_form(s, league, person),
        "records of one game": lambda s: records(s, league, "variant-3"),
        "longest nights": lambda s: longest_nights(s, league),
        "longest runs": lambda s: longest_runs(s, league),
        "evenings, first page": lambda s: evenings(s, league),
        "evenings, a third of the way": lambda s: evenings(s, league, before=day),
        "home: running games": lambda s: list_games(s, league, status="running", most=8),
        "home: latest game": lambda s: find_games(s, league, GameQuery(), most=1),
        "home: regulars": lambda s: regulars(s, league),
        "years played (reads all dates)": lambda s: years(s, league),
        "a year in review (reads its games)": lambda s: year_in_review(s, league, 2020),
    }


def ask(made: Made, name: str) -> float:
    """Ask one question in a transaction of its own; the seconds it took, the beginning aside."""
    with made.app.app_context():
        session = db.session()
        session.connection()
        started = time.perf_counter()
        made.questions[name](session)
        seconds = time.perf_counter() - started
        db.session.remove()
        return seconds


def look_back(leagues: Sequence[Made]) -> None:
    """Ask every question of every league in turn, and print how long the answers took."""
    for name in leagues[0].questions:
        slow = max(ask(made, name) for made in leagues for _ in range(2)) > 0.2
        times: list[list[float]] = [[] for _ in leagues]
        for _ in range(3 if slow else ROUNDS):
            for made, seconds in zip(leagues, times, strict=True):
                seconds.append(ask(made, name))
        quick = [1e6 * quantiles(seconds, n=4)[0] for seconds in times]
        ratio = quick[-1] / quick[0]
        goal = "" if "(reads" in name else "  kept" if ratio <= GOAL else "  MISSED"
        figures = "".join(f"{micro:>12,.0f}" for micro in quick)
        print(f"{name:<42}{figures}{ratio:>8.2f}{goal}", flush=True)


def save(author: Author) -> tuple[float, float]:
    """Save the one deal of a game; the seconds it took, on the clock and of this processor."""
    started_game = writer.start_game(author, uuid4().hex, ONE_DEAL, FOUR)
    told = {0: Tally(declared="out"), **{seat: Tally(total=10 * seat) for seat in (1, 2, 3)}}
    clock, processor = time.perf_counter(), time.process_time()
    writer.change_game(
        author, started_game.game_id, 1, uuid4().hex, "scored", lambda r: play_deal(r, told)
    )
    return time.perf_counter() - clock, time.process_time() - processor


@contextmanager
def without_sums() -> Iterator[None]:
    """Leave the sums out of a save, here only: to see what they cost."""
    names = ("next_revision", "add_games", "mark_ratings_stale")
    kept = {name: getattr(totals, name) for name in names}
    try:
        for name in names:
            setattr(totals, name, lambda *_: 1)
        yield
    finally:
        for name, function in kept.items():
            setattr(totals, name, function)


def save_games(leagues: Sequence[Made]) -> None:
    """Save the deal that ends a game with sums and without, in turn; print medians in pairs."""
    print("\nthe deal that ends a game, saved (medians of pairs, µs on the clock and of CPU here)")
    for made in leagues:
        pairs = []
        with made.app.app_context():
            save(made.author)
            for _ in range(PAIRS):
                with_sums = save(made.author)
                with without_sums():
                    pairs.append((with_sums, save(made.author)))
            for kind, at in (("clock", 0), ("CPU", 1)):
                more = median(1e6 * (one[at] - other[at]) for one, other in pairs)
                ours, plain = (1e6 * median(pair[n][at] for pair in pairs) for n in (0, 1))
                print(
                    f"{made.games:>11,} games, {kind:<5} with sums {ours:>8,.0f}  "
                    f"without {plain:>8,.0f}  more {more:>7,.0f}  ratio {ours / plain:.2f}"
                )
            rated = []
            for _ in range(5):
                save(made.author)
                started = time.perf_counter()
                catch_up(made.author.league_id)
                rated.append(time.perf_counter() - started)
            print(f"{made.games:>11,} games, ratings after one more: {1e6 * median(rated):,.0f} µs")
            db.session.remove()


def made_league(stack: ExitStack, games: int, address: str) -> Made:
    """Make a league of this size in a database of its own, and tell how long that took."""
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    os.environ["INSTANCE_PATH"] = folder
    url = _own_schema(stack, address, games) if address else f"sqlite:///{folder}/league.sqlite"
    app = create_app({"DATABASE_URL": url})
    started = time.perf_counter()
    with app.app_context():
        startup.prepare()
        db.engine.dispose()
        made = Made(games, app, make_league(games))
        made.questions = questions(made.author)
        db.session.remove()
    stack.callback(_closed, app)
    seconds = time.perf_counter() - started
    print(f"{games:,} games made in {seconds:.0f} s", file=sys.stderr, flush=True)
    return made


def _closed(app: Flask) -> None:
    with app.app_context():
        db.engine.dispose()


def _own_schema(stack: ExitStack, address: str, games: int) -> str:
    """Make a schema beside whatever else is in a PostgreSQL database, to be dropped at the end."""
    name = f"bench_{games}"
    engine = create_engine(database.database_url(address, Path()))

    def drop(*after: str) -> None:
        with engine.begin() as connection:
            for statement in (f"DROP SCHEMA IF EXISTS {name} CASCADE", *after):
                connection.execute(text(statement))

    drop(f"CREATE SCHEMA {name}")
    stack.callback(drop)
    url = make_url(address).update_query_dict({"options": f"-csearch_path={name}"})
    return url.render_as_string(hide_password=False)


def main() -> None:
    """Print the figures of a database, SQLite if none is named."""
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or list(SIZES)
    addresses = [word for word in sys.argv[1:] if not word.isdigit()] or [""]
    for address in addresses:
        with ExitStack() as stack:
            leagues = [made_league(stack, games, address) for games in sizes]
            heads = "".join(f"{f'{games:,}':>12}" for games in sizes)
            title = "PostgreSQL" if address else "SQLite"
            print(f"\n{title + ', µs by games':<42}{heads}   ratio  (goal ≤ {GOAL})")
            look_back(leagues)
            save_games(leagues)


if __name__ == "__main__":
    main()
