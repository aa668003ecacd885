"""The line under the scores: what was just saved, else what is at stake."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from companion.games.outcome import Outcome, outcome
from companion.games.reading import HistoryEntry, StoredGame, latest_change
from companion.scoring.certainty import Outlook, outlooks
from companion.store.models import db

from .history_text import ChangeFact, headline

CLOSE = 60
"""Who is put out by so many points or fewer is worth a word."""


@dataclass(frozen=True, slots=True)
class Story:
    """The latest change with what it led to, and what is certain of one player from now on."""

    change: ChangeFact
    at: datetime
    outcome: Outcome | None
    stake: Outlook | None


def story_of(game: StoredGame, *, shows_chances: bool) -> Story:
    """Tell what was changed last and what is at stake."""
    entry = latest_change(db.session(), game.league_id, game.game_id)
    stake = stake_of(game) if shows_chances else None
    return Story(headline(entry, game.names), entry.at, _outcome(game, entry), stake)


def _outcome(game: StoredGame, entry: HistoryEntry) -> Outcome | None:
    if entry.action != "scored" or not game.record.deals:
        return None
    before = game.record.standing(len(game.record.deals) - 1)
    return outcome(before, game.record.standing())


def stake_of(game: StoredGame) -> Outlook | None:
    """Choose what a table would want to hear: of who leads first, then of who is nearly out."""
    record = game.record
    if not record.deals or game.status != "running":
        return None
    seats, deals = [seat.seat for seat in record.seats], [deal.played for deal in record.deals]
    certain = outlooks(record.variant, seats, deals, record.first_dealer, record.pack) or ()
    sure = [one for one in certain if one.tells in ("won", "sure_with")]
    nearly_out = [one for one in certain if one.tells == "spare" and (one.spare or 0) <= CLOSE]
    nearly_out.sort(key=lambda one: one.spare or 0)
    lost = [one for one in certain if one.tells == "lost" and one.seat in _playing(game)]
    return next(iter([*sure, *nearly_out, *lost]), None)


def _playing(game: StoredGame) -> tuple[int, ...]:
    return game.record.standing().playing
