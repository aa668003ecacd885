"""A player's page: the record sheet, bests and worsts, contracts, rivals, ratings over time."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.league.models import db
from companion.league.person import contract_records, find_person, record_sheet, variant_records
from companion.league.replaying import person_form
from companion.league.rivals import favourite, nemesis, rivals

from .forms import place_number
from .recalculating import ratings_are_current
from .security import my_league

place = Blueprint("person", __name__, url_prefix="/league/players")
PAGE = 20
CHART = 60


@place.get("/<int:person_id>")
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
    settled = ratings_are_current(league.league_id)
    against = rivals(session, person_id)
    before = _before()
    sheet = record_sheet(session, person_id, before=before, most=CHART + 1)
    return render_template(
        "league/player.html",
        league=league,
        person=person,
        settled=settled,
        form=person_form(session, league.league_id, person_id),
        records=variant_records(session, person_id),
        contracts=contract_records(session, person_id),
        rivals=against,
        nemesis=nemesis(against),
        favourite=favourite(against),
        latest=sheet[:CHART],
        sheet=sheet[:PAGE],
        older=sheet[PAGE - 1] if len(sheet) > PAGE else None,
        is_first=before is None,
    )


def _before() -> tuple[date, int] | None:
    """Read after which game of the record sheet the page goes on."""
    day, _, number = request.args.get("before", "").partition(".")
    try:
        return date.fromisoformat(day), place_number(number) or 0
    except ValueError:
        return None
