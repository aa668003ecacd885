"""Leagues of very many games, made by the database itself in a few statements.

Their rows are what a league of thirty people leaves in twenty years, with one economy: games have
no history. Nobody could play on in them; they are there to be read past.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import insert, select, text, update
from sqlalchemy.orm import Session

from companion.games.game_season import begin_years
from companion.games.rating_replay import rate_from
from companion.games.record import write_rules
from companion.people import leagues
from companion.rules import load
from companion.store import dates
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import WIN, Game, Player, db

PEOPLE, YEARS, VARIANTS, DEALS = 30, 20, 8, 7

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


GAMES = (
    "{numbers}, dated AS (SELECT n, {day} AS played_on FROM counted) "
    "INSERT INTO game (id, league_id, variant_key, variant_name, rules, facts, status, "
    "revision, started_at, uid, played_on, note, hidden, counted, players, margin, pulse) "
    "SELECT :before + n, :league, 'variant-' || {variant}, 'Variant ' || {variant}, :rules, "
    "{facts}, 'finished', 8, '2020-01-01 20:00:00', 'made-' || n, played_on, '', "
    "{no}, {yes}, 2 + {players}, {margin}, 0 FROM dated"
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
POSITIONS = " UNION ALL ".join(f"SELECT {number} AS position" for number in range(1, DEALS + 1))
DEALT = (
    "INSERT INTO deal (game_id, position, league_id, step, contract, dealer, void, after_void) "  # noqa: S608
    "SELECT id, position, league_id, position, 'contract ' || position, 0, {no}, 'again' "
    f"FROM game CROSS JOIN ({POSITIONS}) AS dealt WHERE league_id = :league"
)
LINES = (
    "INSERT INTO line (game_id, position, seat, league_id, declared, points, tally, reasons) "  # noqa: S608
    "SELECT game_id, position, number, league_id, CASE WHEN number = 0 THEN 'out' ELSE '' END, "
    "number * 7, '{{}}', '[]' "
    f"FROM seat CROSS JOIN ({POSITIONS}) AS dealt WHERE league_id = :league"
)
FACTS = """'{"decks"\\:2,"jokers"\\:4,"first_dealer"\\:0,"stopped"\\:false}'"""
"""What a row says of a game's table; a colon would name a value."""
STATEMENTS = (GAMES, SEATS, DEALT, LINES)
MARKS = {"sqlite": {"yes": "1", "no": "0"}, "postgresql": {"yes": "true", "no": "false"}}
NEIGHBOURS = (
    (
        "{numbers} INSERT INTO league (id, name, is_sample, judge_during_deal, show_chances, "
        "created_at, confirm_hands) SELECT 1000 + n, 'League ' || n, {no}, {yes}, {yes}, "
        "'2020-01-01 20:00:00', {no} FROM counted"
    ),
    (
        "INSERT INTO season (league_id, name, starts_on, ends_on, own) "
        "SELECT id, '2020', '2020-01-01', '2020-12-31', {no} FROM league WHERE id > 1000"
    ),
    (
        "INSERT INTO player (id, league_id, name, name_key, archived, person_id) "
        "SELECT 1000000 + 2 * league.id + k, league.id, 'Player ' || k, 'player ' || k, {no}, "
        "1000000 + 2 * league.id + k FROM league "
        "CROSS JOIN (SELECT 0 AS k UNION ALL SELECT 1) AS two "
        "WHERE league.id > 1000"
    ),
    (
        "INSERT INTO game (id, league_id, variant_key, variant_name, rules, facts, status, "
        "revision, started_at, uid, played_on, note, hidden, counted, players, margin, pulse) "
        "SELECT 1000000 + id, id, 'variant-1', 'Variant 1', :rules, {facts}, 'finished', 8, "
        "'2020-01-01 20:00:00', 'made', '2020-05-05', '', {no}, {yes}, 2, 5, 0 "
        "FROM league WHERE id > 1000"
    ),
    (
        "INSERT INTO seat (game_id, number, league_id, player_id, start, start_rule, joined, "
        "placed, variant_key, played_on, counted, place, total, share, ahead, high, low) "
        "SELECT 1000000 + league_id, id % 2, league_id, id, 0, '', 1, {yes}, 'variant-1', "
        "'2020-05-05', {yes}, 1 + id % 2, 20, 0, 0, 9, 1 FROM player WHERE league_id > 1000"
    ),
)
"""Leagues of two people and one game."""


def make_league(token: str, games: int, neighbours: int = 0) -> Author:
    """Make a league with this many finished games, and other leagues beside it."""
    author = leagues.open_league("Twenty years", token)
    today = dates.today()
    first = date(today.year - YEARS + 1, 1, 1)
    with writing() as session:
        begin_years(session, author.league_id, range(first.year, today.year))
        person = _people(session, author.league_id)
        kind = db.engine.dialect.name
        if kind == "sqlite":
            session.execute(text("PRAGMA cache_size = -500000"))  # for the making of it alone
        words = MARKS[kind] | {
            "numbers": NUMBERS[kind],
            "facts": FACTS,
            "day": DAY[kind],
            "variant": _chance(1, VARIANTS),
            "players": _chance(2, 5),
            "margin": _chance(8, 40),
        }
        facts = {
            "games": games,
            "before": session.execute(text("SELECT coalesce(max(id), 0) FROM game")).scalar_one(),
            "days": (today - first).days,
            "first": first.isoformat(),
            "league": author.league_id,
            "person": person,
            "rules": write_rules(load("contract-rummy")),
        }
        for statement in STATEMENTS:
            session.execute(text(statement.format(**words)), facts)
        for statement in NEIGHBOURS if neighbours else ():
            session.execute(text(statement.format(**words)), facts | {"games": neighbours})
        rate_from(session, author.league_id)
        last = select(Game.id).where(Game.league_id == author.league_id).order_by(Game.id.desc())
        mine = update(Player).where(Player.league_id == author.league_id)
        session.execute(mine.values(last_game=last.limit(1).scalar_subquery()))
    if kind == "postgresql":
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
            keep = "SELECT setval(pg_get_serial_sequence('game', 'id'), max(id)) FROM game"
            connection.exec_driver_sql(keep)
    return author


def _people(session: Session, league_id: int) -> int:
    """Seat thirty people in the list, and return the number of the first."""
    people: list[dict[str, Any]] = [
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
