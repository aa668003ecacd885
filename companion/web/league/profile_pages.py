"""A player's page: the record sheet, bests and worsts, contracts, rivals, ratings over time."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response

from companion.games.rating_model import RatingState
from companion.games.rating_replay import person_form
from companion.games.shown.game_search import read_key
from companion.statistics.profile import (
    GameContracts,
    SheetLine,
    contract_records,
    contracts_by_game,
    find_person,
    record_sheet,
    variant_records,
)
from companion.statistics.ratings import rating_range, rating_series
from companion.statistics.rivals import favourites, nemeses, rivals
from companion.store.dates import say_briefly
from companion.store.models import db
from companion.web.charts import (
    Average,
    BarChart,
    LineChart,
    Series,
    bar_chart,
    line_chart,
)
from companion.web.frame.forms import asked
from companion.web.middleware.guard import my_league

blueprint = Blueprint("person", __name__, url_prefix="/league/players")
PAGE = 20
CHART = 24
ENOUGH_TO_DRAW = 3


@blueprint.get("/<int:person_id>")
def show(person_id: int) -> str | Response:
    """Show a person's years at the table; an entry merged into another leads there."""
    league = my_league()
    session = db.session()
    try:
        person = find_person(session, league.league_id, person_id)
    except LookupError:
        abort(404)
    if person.person_id != person_id:
        return redirect(url_for("person.show", person_id=person.person_id))
    against = rivals(session, person_id)
    before = read_key(asked("before"))
    form = person_form(session, person_id)
    course = rating_series(session, form, person_id) if form else []
    records = variant_records(session, person_id)
    contracts = contracts_by_game(contract_records(session, person_id), records)
    sheet = record_sheet(session, person_id, before=before, most=CHART)
    return render_template(
        "league/player.html",
        person=person,
        form=form,
        records=records,
        rivals=against,
        nemeses=nemeses(against),
        favourites=favourites(against),
        places=_places(person.name, sheet),
        ratings=_ratings(person.name, course),
        by_contract=[(mine, _by_contract(mine)) for mine in contracts],
        sheet=sheet[:PAGE],
        older=sheet[PAGE - 1] if len(sheet) > PAGE else None,
        is_first=before is None,
    )


def _places(name: str, latest: Sequence[SheetLine]) -> LineChart | None:
    """Draw the places of the latest games, the oldest first."""
    played = [line for line in reversed(latest) if line.place and line.counted]
    if len(played) < ENOUGH_TO_DRAW:
        return None
    labels = [say_briefly(line.played_on) for line in played]
    return line_chart([Series(name, [line.place for line in played])], labels, downward=True)


def _ratings(name: str, course: Sequence[RatingState]) -> LineChart | None:
    """Draw how the rating went, with its range."""
    if len(course) < ENOUGH_TO_DRAW:
        return None
    ranges = [rating_range(form) for form in course]
    series = Series(
        name, [one.middle for one in ranges], [(float(one.low), float(one.high)) for one in ranges]
    )
    return line_chart([series], [str(form.games) for form in course])


def _by_contract(mine: GameContracts) -> BarChart:
    """Draw the points of a deal on average under each contract of a game, the worst first."""
    return bar_chart(
        [Average(one.contract, float(one.average), one.deals) for one in mine.contracts]
    )
