"""Games taken out of their league: out of every list, total and rating, kept, and brought back."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.cards import Refusal
from companion.games.reading import load_game
from companion.store.authors import Author
from companion.store.models import Game, LeagueAction

from .actions import Facts, Undo, do_once, undo_once
from .bulk_games import REMOVED, hide_games, note_last_games, show_games


class RemovedGameError(Refusal):
    """A game that can't come back as things are, in a sentence."""


def remove_game(author: Author, key: str, game_id: int) -> None:
    """Take a game out of its league, whatever its state.

    Raises `LookupError` where the league shows no such game.
    """

    def remove(session: Session) -> Facts:
        game = load_game(session, author.league_id, game_id)
        hide_games(session, author.league_id, [game_id])
        note_last_games(session, author.league_id)
        day = game.record.played_on
        return {
            "game": game_id,
            "variant": game.record.variant.name,
            "played_on": day and day.isoformat(),
            "names": list(game.names),
        }

    do_once(author, key, REMOVED, remove)


def undo(author: Author, act_id: int) -> None:
    """Bring a game back into every list, total and rating.

    Raises `RemovedGameError` where the import that it came with was undone since, and
    `LookupError` for no such act.
    """
    undo_once(author, act_id, UNDOING)


def _back(session: Session, league_id: int, facts: Facts) -> None:
    number = facts["game"]
    hidden_game = (Game.league_id == league_id, Game.id == number, Game.hidden)
    came_with = session.execute(select(Game.act_id).where(*hidden_game)).scalar()
    import_ = session.get(LeagueAction, came_with) if came_with else None
    if import_ and import_.undone_at:
        raise RemovedGameError("The import that this game came with was undone. Import it again.")
    # Still part of its import, so that undoing that takes it out again.
    show_games(session, league_id, [number], came_with)
    note_last_games(session, league_id)


UNDOING: Mapping[str, Undo] = {REMOVED: _back}
"""A removed game, and how it is brought back."""
