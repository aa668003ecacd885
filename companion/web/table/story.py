"""What a game tells: what was just saved or is at stake, and how it went in the end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct

from companion.games.reading import HistoryEntry, StoredGame, last_change
from companion.games.seating import can_settle
from companion.games.shown.course_of_play import CourseOfPlay, course_of_play
from companion.games.shown.game_search import GameQuery, find_games
from companion.games.shown.outcome import Outcome, outcome
from companion.games.shown.scoreboard import totals_course
from companion.rules import Variant
from companion.scoring.certainty import Outlook, outlooks
from companion.store.models import db
from companion.web.charts import LineChart, totals_chart

from .history_text import ChangeFact, headline

CLOSE = 60
"""Who is put out by so many points or fewer is worth a word."""

LIKELY = 5
"""Points in a deal; where fewer must do for each deal that is left, first place is not near."""


DONE_AGAIN = ("deal back", "joined", "left", "stopped")
"""What a version that was restored shows of a change that was undone before."""


class Story(Struct, frozen=True):
    """The latest change with what it led to, and what is certain of a player from now on.

    `is_undone`: that change took another one back, and not the taking back.

    `stakes` are several where the same is certain of several.

    `undo` is what *Undo last change* takes back, with its entry of the history.
    """

    change: ChangeFact
    is_undone: bool
    undo: tuple[ChangeFact, HistoryEntry] | None
    outcome: Outcome | None
    stakes: Sequence[Outlook]


def story_of(game: StoredGame, *, shows_chances: bool) -> Story:
    """Tell what was changed last and what is at stake."""
    entry, last = last_change(db.session(), game.league_id, game.game_id)
    change = headline(entry, game.names)
    return Story(
        change,
        entry.action == "restored" and change.kind not in DONE_AGAIN,
        (headline(last, game.names), last) if last else None,
        _outcome(game, entry),
        stakes_of(game) if shows_chances else (),
    )


def _outcome(game: StoredGame, entry: HistoryEntry) -> Outcome | None:
    if entry.action != "scored" or not game.record.deals:
        return None
    before = game.record.standing(len(game.record.deals) - 1)
    return outcome(before, game.record.standing())


def stakes_of(game: StoredGame) -> Sequence[Outlook]:
    """Choose what a table would want to hear: of who leads first, then of who is nearly out.

    Where the same is certain of others, it is theirs too.
    """
    record, standing = game.record, game.record.standing()
    if not record.deals or game.status != "running":
        return ()
    deals = [deal.played for deal in record.deals]
    certain = outlooks(record.variant, standing, deals, record.pack) or ()
    sure = [
        outlook
        for outlook in certain
        if outlook.tells == "won" or _is_near(outlook, record.variant)
    ]
    nearly_out = [
        outlook for outlook in certain if outlook.tells == "spare" and (outlook.spare or 0) <= CLOSE
    ]
    nearly_out.sort(key=lambda outlook: outlook.spare or 0)
    lost = [
        outlook
        for outlook in certain
        if outlook.tells == "lost" and outlook.seat in standing.playing
    ]
    kind = sure or nearly_out or lost
    return [outlook for outlook in kind if _said(outlook) == _said(kind[0])]


def _said(outlook: Outlook) -> tuple[str, int | None]:
    """Return what is said of a player: what is certain, and with which points."""
    points = {"sure_with": outlook.sure_with, "spare": outlook.spare}
    return outlook.tells, points.get(outlook.tells)


def _is_near(outlook: Outlook, variant: Variant) -> bool:
    """Return whether what makes a first place sure may well happen; before, it is no news."""
    if outlook.tells != "sure_with" or outlook.sure_with is None or outlook.deals_left is None:
        return False
    likely = variant.ending.winner == "lowest" and outlook.sure_with >= LIKELY * outlook.deals_left
    return likely or outlook.deals_left == 1


MOST_WINS = 12
"""A longer run of wins is not counted out."""


def streak(game: StoredGame) -> int:
    """Count how many games in a row a sole winner has won with this one."""
    standing = game.record.standing()
    if len(standing.winners) != 1 or game.record.played_on is None:
        return 1
    seat = standing.winners[0]
    query = GameQuery(people=(game.people[seat],), status="finished")
    before = find_games(
        db.session(),
        game.league_id,
        query,
        before=(game.record.played_on, game.game_id),
        most=MOST_WINS,
    )
    won = [game_before.winners == (game.lines[seat],) for game_before in before.games]
    return 1 + len(list(takewhile(bool, won)))


ENOUGH = 2
"""Fewer deals make no chart."""


class EndOfGame(Struct, frozen=True):
    """What the table shows of a game that is over; `tie` where it can still be settled."""

    chart: LineChart | None
    course: CourseOfPlay
    streak: int
    tie: bool


def end_of(game: StoredGame) -> EndOfGame:
    """Look back on a game that is over."""
    record = game.record
    return EndOfGame(chart_of(game), course_of_play(record), streak(game), can_settle(record))


def chart_of(game: StoredGame) -> LineChart | None:
    """Draw the totals deal by deal."""
    if len(game.record.deals) < ENOUGH:
        return None
    return totals_chart(game.names, totals_course(game))
