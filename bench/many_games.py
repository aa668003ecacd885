"""A league of very many games, made by the database itself in a few statements.

Its rows are what a league of thirty people leaves in twenty years, with two economies: games have
no history, and only every tenth has deals. Nobody could play on in them; they are there to be
read past.
"""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from msgspec.structs import replace
from sqlalchemy import insert, select, text, update
from sqlalchemy.orm import Session

from companion.games import totals
from companion.games.record import write_rules
from companion.people import leagues
from companion.rules import load
from companion.statistics.ratings import replay, to_data
from companion.store import dates
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import WIN, Checkpoint, Game, League, Player, RatingRow, Season, db

PEOPLE, YEARS, VARIANTS = 30, 20, 8
CONTRACTS = ("2 sets of 3", "1 set of 3 + 1 run of 4", "2 runs of 4")

NUMBERS = {
    "sqlite": "WITH RECURSIVE counted(n) AS "
    "(SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < :games)",
    "postgresql": "WITH counted(n) AS (SELECT generate_series(CAST(1 AS bigint), :games))",
}
DAY = {
    "sqlite": "date(:first, '+' || ((n - 1) * :days / :games) || ' days')",
    "postgresql": "CAST(:first AS date) + CAST((n - 1) * :days / :games AS integer)",
}
CHANCE = "((n * 2654435761 + {salt}) % 1000003)"
"""A number that looks like chance, the same on every database."""


def _chance(salt: int, below: str | int, n: str = "n") -> str:
    number = CHANCE.format(salt=salt * 7919).replace("n *", f"CAST({n} AS bigint) *")
    return f"({number} % ({below}))"


LATEST = 500
GAMES = (
    "{numbers}, dated AS (SELECT n, {day} AS played_on FROM counted) "
    "INSERT INTO game (id, league_id, season_id, variant_key, variant_name, rules, facts, status, "
    "revision, started_at, uid, played_on, note, hidden, counted, players, margin, touched, pulse) "
    "SELECT n, :league, season.id, 'variant-' || {variant}, 'Variant ' || {variant}, '{{}}', "
    "'{{}}', 'finished', 8, '2020-01-01 20:00:00', 'made-' || n, played_on, '', "
    "{no}, {yes}, 2 + {players}, {margin}, 0, 0 "
    "FROM dated JOIN season ON season.league_id = :league "
    "AND played_on BETWEEN season.starts_on AND season.ends_on"
)
PLACE = f"1 + (chair.number + {_chance(3, 'game.players', 'game.id')}) % game.players"
TIED = f"{_chance(4, 10, 'game.id')} = 0"
SEATS = (
    "WITH chair(number) AS (SELECT 0 UNION ALL SELECT 1 UNION ALL SELECT 2 "  # noqa: S608
    "UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5), "
    "placed AS (SELECT game.id, game.league_id, game.variant_key, game.played_on, game.players, "
    f"chair.number, CASE WHEN {TIED} AND {PLACE} = 2 THEN 1 ELSE {PLACE} END AS place, "
    f"CASE WHEN {TIED} THEN 2 ELSE 1 END AS winners, "
    f":person + ({_chance(5, PEOPLE, 'game.id')} + chair.number * "
    f"(1 + 6 * {_chance(6, 2, 'game.id')})) % {PEOPLE} AS player_id, "
    f"{_chance(7, 15, 'game.id * 6 + chair.number')} AS more "
    "FROM game JOIN chair ON chair.number < game.players WHERE game.league_id = :league) "
    'INSERT INTO seat (game_id, number, league_id, player_id, start, start_rule, joined, "left", '
    "placed, variant_key, played_on, counted, place, total, share, ahead, high, low, comeback) "
    "SELECT id, number, league_id, player_id, 0, '', 1, NULL, {yes}, variant_key, played_on, "
    f"{{yes}}, place, 20 * place + more, CASE WHEN place = 1 THEN {WIN} / winners ELSE 0 END, "
    "1000 * (players + 1) - 100 * (20 * place + more), 10 + 3 * more, more % 6, "
    "CASE WHEN place = 1 THEN 5 * more END FROM placed"
)
DEALS = (
    "INSERT INTO deal (game_id, position, league_id, step, contract, dealer, void, after_void) "
    "SELECT id, 1, league_id, 1, CASE id / 10 % 3 WHEN 0 THEN :one WHEN 1 THEN :two "
    "ELSE :three END, 0, {no}, 'again' FROM game WHERE league_id = :league AND id % 10 = 0"
)
LINES = (
    "INSERT INTO line (game_id, position, seat, league_id, declared, points, tally, reasons) "
    "SELECT game_id, 1, number, league_id, CASE WHEN number = 0 THEN 'out' ELSE '' END, "
    "number * 7, '{{}}', '[]' FROM seat WHERE league_id = :league AND game_id % 10 = 0"
)
MARKS = {"sqlite": {"yes": "1", "no": "0"}, "postgresql": {"yes": "true", "no": "false"}}


def make_league(games: int) -> Author:
    """Make a league with this many finished games, their sums, and everybody's form."""
    author = leagues.open_league("Twenty years", "bench")
    today = dates.today()
    first = date(today.year - YEARS + 1, 1, 1)
    with writing() as session:
        _seasons(session, author.league_id, first.year, today.year)
        person = _people(session, author.league_id)
        kind = db.engine.dialect.name
        if kind == "sqlite":
            session.execute(text("PRAGMA cache_size = -500000"))  # for the making of it alone
        words = MARKS[kind] | {
            "numbers": NUMBERS[kind],
            "day": DAY[kind],
            "variant": _chance(1, VARIANTS),
            "players": _chance(2, 5),
            "margin": _chance(8, 40),
        }
        facts = {
            "games": games,
            "days": (today - first).days,
            "first": first.isoformat(),
            "league": author.league_id,
            "person": person,
            "one": CONTRACTS[0],
            "two": CONTRACTS[1],
            "three": CONTRACTS[2],
        }
        for statement in (GAMES, SEATS, DEALS, LINES):
            session.execute(text(statement.format(**words)), facts)
        latest = update(Game).where(Game.id > games - LATEST)  # pages read the rules of these alone
        session.execute(latest.values(rules=write_rules(load("contract-rummy"))))
        totals.next_revision(session, author.league_id)
        totals.rebuild(session, author.league_id)
        _forms(session, author.league_id, person)
        _last_games(session, author.league_id)
    _look_over(kind)
    return author


def _seasons(session: Session, league_id: int, first: int, last: int) -> None:
    years = [
        {
            "league_id": league_id,
            "name": str(year),
            "starts_on": date(year, 1, 1),
            "ends_on": date(year, 12, 31),
            "own": False,
        }
        for year in range(first, last)
    ]
    session.execute(insert(Season), years)


def _people(session: Session, league_id: int) -> int:
    """Seat thirty people in the list, and tell the number of the first."""
    people = [
        {
            "league_id": league_id,
            "name": f"Person {number}",
            "name_key": f"person {number}",
            "archived": False,
        }
        for number in range(PEOPLE)
    ]
    session.execute(insert(Player), people)
    mine = Player.league_id == league_id
    session.execute(update(Player).where(mine).values(person_id=Player.id))
    return int(
        session.execute(select(Player.id).where(mine).order_by(Player.id)).scalars().all()[0]
    )


def _forms(session: Session, league_id: int, person: int) -> None:
    """Give everybody the form of some hundred games, in all seasons, as a replay leaves it."""
    rng = Random("forms")
    people = range(person, person + PEOPLE)
    games = [
        [(who, place) for place, who in enumerate(rng.sample(people, 4), 1)] for _ in range(1000)
    ]
    rated = replay(games)
    seasons = [
        0,
        *session.execute(select(Season.id).where(Season.league_id == league_id)).scalars(),
    ]
    short = {who: replace(form, series=()) for who, form in rated.items()}
    forms = {season: short if season else rated for season in seasons}
    rows = [
        {"league_id": league_id, "season_id": season, "person_id": int(who), "facts": form}
        for season, people in forms.items()
        for who, form in to_data(people).items()
    ]
    session.execute(insert(RatingRow), rows)
    last = select(Game.played_on, Game.id).where(Game.league_id == league_id)
    day, game = session.execute(last.order_by(Game.played_on.desc(), Game.id.desc()).limit(1)).one()
    facts: dict[str, Any] = {str(season): to_data(forms[season]) for season in seasons}
    session.execute(
        insert(Checkpoint).values(league_id=league_id, played_on=day, game_id=game, facts=facts)
    )
    settled = update(League).where(League.id == league_id)
    session.execute(settled.values(stale_on=None, stale_game=None))


def _last_games(session: Session, league_id: int) -> None:
    last = (
        "UPDATE player SET last_game = (SELECT max(game_id) FROM seat "
        "WHERE seat.player_id = player.id) WHERE league_id = :league"
    )
    session.execute(text(last), {"league": league_id})


def _look_over(kind: str) -> None:
    """Let PostgreSQL count what it holds, as it does by itself; SQLite never does."""
    if kind == "postgresql":
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
            keep = "SELECT setval(pg_get_serial_sequence('game', 'id'), max(id)) FROM game"
            connection.exec_driver_sql(keep)
