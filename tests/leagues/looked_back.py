"""What a league looks back on, as plain data, and whether what is kept of it is right."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from companion.games.game_season import seasons
from companion.statistics.evenings import evenings
from companion.statistics.profile import contract_records, variant_records
from companion.statistics.records import longest_nights, longest_runs, records
from companion.statistics.rivals import rivals
from companion.statistics.standings import played_variants, season_standings, variant_standings
from companion.store.models import Player, Rating, db
from companion.store.progress import silent
from companion.upkeep.recount import recount


def looked_back(league_id: int) -> dict[str, Any]:
    """Everything that the pages of a league count, and every rating."""
    db.session.rollback()
    session = db.session()
    names = {season.season_id: season.name for season in seasons(session, league_id)} | {0: "all"}
    tables = season_standings(session, league_id)
    mine = select(Player.id).where(Player.league_id == league_id, Player.person_id == Player.id)
    people = session.execute(mine.order_by(Player.id)).scalars().all()
    rated = select(Rating.__table__).where(Rating.league_id == league_id)
    return {
        "standings": {names[season]: rows for season, rows in tables.items() if rows},
        "games": variant_standings(session, league_id),
        "people": {
            person: (rivals(session, person), contract_records(session, person), bests)
            for person in people
            if (bests := variant_records(session, person))
        },
        "records": {
            one.variant_key: records(session, league_id, one.variant_key)
            for one in played_variants(session, league_id)
        },
        "nights": [longest_nights(session, league_id), evenings(session, league_id)],
        "runs": longest_runs(session, league_id),
        "ratings": sorted(map(tuple, session.execute(rated))),
    }


def check_league(league_id: int) -> None:
    """Prove that results and ratings of a league are what its deals come to."""
    db.session.rollback()
    assert list(recount(league_id, silent)) == []
