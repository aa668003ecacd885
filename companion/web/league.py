"""The league: who leads, and every game played."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.league import keeper
from companion.league.archive import list_games
from companion.league.keeper import Author, today
from companion.league.models import db
from companion.league.seasons import season_at, seasons
from companion.league.standings import standings

from .finding import games_page
from .forms import SafeForm
from .security import my_league

place = Blueprint("league", __name__, url_prefix="/league")


@place.get("")
def show() -> str:
    """Show the standings of the season or of all time, and the latest games."""
    league = my_league()
    season = season_at(seasons(db.session(), league.league_id), today())
    all_time = request.args.get("season") == "all" or season is None
    return render_template(
        "league/league.html",
        league=league,
        season=season.name if season else "",
        all_time=all_time,
        rows=standings(
            db.session(), league.league_id, 0 if all_time or not season else season.season_id
        ),
        games=list_games(db.session(), league.league_id, most=5),
    )


@place.get("/games")
def games() -> str | tuple[str, int]:
    """List every game, or those that are looked for."""
    return games_page(my_league())


@place.post("/judge")
def judge() -> Response:
    """Say whether the judge answers while a deal is played."""
    league = my_league()
    if SafeForm(request.form).validate():
        author = Author(league.league_id, league.device_id)
        keeper.allow_judge(author, during_deal=request.form.get("during_deal") == "1")
    return redirect(url_for("league.show"), 303)
