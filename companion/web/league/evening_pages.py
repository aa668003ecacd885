"""Evenings and years to look back on."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, abort, render_template

from companion.games.shown.game_search import GameQuery, find_games
from companion.statistics.evenings import evenings, parts, year_in_review, years
from companion.store.models import db
from companion.web.frame.forms import asked
from companion.web.middleware.guard import my_league

blueprint = Blueprint("evenings", __name__, url_prefix="/league")
PAGE = 20
MOST_GAMES = 100


@blueprint.get("/evenings")
def index() -> str:
    """List the evenings, a page at a time by the last date shown, and the years."""
    league = my_league()
    found = evenings(db.session(), league.league_id, before=_day(asked("before")), most=PAGE + 1)
    return render_template(
        "league/evenings.html",
        evenings=found[:PAGE],
        older=found[PAGE - 1].played_on if len(found) > PAGE else None,
        years=years(db.session(), league.league_id),
    )


@blueprint.get("/evenings/<day>")
def show(day: str) -> str:
    """Show one evening: its games, and who won how many."""
    league = my_league()
    on = _day(day)
    if on is None:
        abort(404)
    wanted = GameQuery(since=on, until=on)
    games = find_games(db.session(), league.league_id, wanted, most=MOST_GAMES).games
    if not games:
        abort(404)
    return render_template(
        "league/evening.html",
        day=on,
        games=games,
        parts=parts(db.session(), league.league_id, on, on),
    )


@blueprint.get("/years/<int:year>")
def review(year: int) -> str:
    """Show a year in review; it prints on one sheet."""
    league = my_league()
    if year not in years(db.session(), league.league_id):
        abort(404)
    return render_template(
        "league/year.html",
        league=league,
        review=year_in_review(db.session(), league.league_id, year),
    )


def _day(text: str) -> date | None:
    """Read a date as addresses hold it; None for anything else."""
    try:
        return date.fromisoformat(text) if text.isascii() and len(text) == 10 else None
    except ValueError:
        return None
