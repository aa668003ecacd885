"""A league to keep without a server: everything that one file of paper and ink would show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from companion.games.game_season import seasons
from companion.games.reading import load_games
from companion.games.shown.game_search import GameQuery, find_games
from companion.games.shown.scoreboard import scoreboard
from companion.people.roster import people
from companion.rules import house_differences
from companion.statistics.records import longest_nights, longest_runs, records
from companion.statistics.rivals import in_grid, rivalries
from companion.statistics.standings import played_variants, season_standings, variant_standings
from companion.store.dates import today
from companion.store.models import Game, League
from companion.store.progress import Progress, silent

AT_ONCE = 100
Part = tuple[str, dict[str, Any]]
"""A template of the archive and what it shows."""


def html_archive(session: Session, league_id: int, progress: Progress = silent) -> Iterator[Part]:
    """Return a league part by part, the games last and a hundred at a time, the latest first."""
    yield "keepsake/top.html", _league(session, league_id)
    shown = select(func.count()).where(Game.league_id == league_id, Game.hidden.is_(False))
    of, done, key = session.execute(shown).scalar_one(), 0, None
    while True:
        found = find_games(session, league_id, GameQuery(), before=key, most=AT_ONCE)
        games = load_games(session, [game.game_id for game in found.games])
        yield "keepsake/games.html", {"games": [_game(game) for game in games]}
        # Otherwise every game of the league would stay in memory until the last is written.
        session.expunge_all()
        done, key = done + len(games), found.older
        # Games may be added while this is written.
        progress(done, max(of, done))
        if key is None:
            break
    yield "keepsake/bottom.html", {}


def _league(session: Session, league_id: int) -> dict[str, Any]:
    played = played_variants(session, league_id)
    tables = season_standings(session, league_id)
    years = [(season.name, tables.get(season.season_id)) for season in seasons(session, league_id)]
    everyone = people(session, league_id)
    often = in_grid(tables.get(0, []))
    of_variant = variant_standings(session, league_id)
    of_person: dict[int, list[Any]] = {person.person_id: [] for person in everyone}
    for variant in played:
        for row in of_variant.get(variant.variant_key, ()):
            of_person[row.person_id].append((variant.name, row))
    return {
        "name": session.execute(select(League.name).where(League.id == league_id)).scalar_one(),
        "day": today(),
        "standings": [(name, rows) for name, rows in ((None, tables.get(0)), *years) if rows],
        "people": everyone,
        "of_person": of_person,
        "grid": rivalries(session, league_id, often),
        "records": [(one.name, records(session, league_id, one.variant_key)) for one in played],
        "runs": longest_runs(session, league_id),
        "nights": longest_nights(session, league_id),
    }


def _game(game: Any) -> tuple[Any, ...]:
    return game, scoreboard(game), house_differences(game.record.variant)
