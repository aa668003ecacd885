"""A league's past deals of one game, for whoever asks what may come."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.reading import StoredGame
from companion.games.record import write_rules
from companion.scoring.chances import PastDeal
from companion.store.models import Deal, Game, Line

MOST_GAMES = 300


def past_deals(session: Session, game: StoredGame) -> list[PastDeal]:
    """Return the deals of the league's latest counted games under exactly these rules."""
    variant = game.record.variant
    latest = (
        select(Game.id)
        .where(
            Game.league_id == game.league_id,
            Game.hidden.is_(False),
            Game.variant_key == variant.key,
            Game.counted,
            Game.rules == write_rules(variant),
        )
        .order_by(Game.played_on.desc(), Game.id.desc())
        .limit(MOST_GAMES)
        .subquery()
    )
    rows = session.execute(
        select(Line.game_id, Line.position, Deal.step, Line.points, Line.declared)
        .join(Deal, (Deal.game_id == Line.game_id) & (Deal.position == Line.position))
        .join(latest, latest.c.id == Line.game_id)
        .where(Deal.void.is_(False))
        .order_by(Line.game_id, Line.position, Line.declared.desc(), Line.seat)
    )
    by_deal: dict[tuple[int, int], tuple[int, list[int], bool]] = {}
    for game_id, position, step, points, declared in rows:
        deal = by_deal.setdefault((game_id, position), (step, [], bool(declared)))
        # Whole deals: what one player is caught with goes with what the others are.
        deal[1].append(points)
    return [PastDeal(step, tuple(points), ended) for step, points, ended in by_deal.values()]
