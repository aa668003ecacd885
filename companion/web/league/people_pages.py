"""The people of a league: what they are called, who still plays, who was entered twice."""

from __future__ import annotations

from math import ceil

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue as Page
from wtforms import BooleanField

from companion.cards import Refusal
from companion.people import merging, roster
from companion.people.actions import league_actions
from companion.people.roster import PeopleError, RosterRow, find_in_roster
from companion.store.models import db
from companion.web.frame.forms import (
    SEND_AGAIN,
    KeyForm,
    OrdinalField,
    TextField,
    asked_number,
    see_other,
)
from companion.web.frame.undoing import offer_undo
from companion.web.middleware.guard import author_in, my_league, needs

blueprint = Blueprint("people", __name__, url_prefix="/league/people")
offer_undo(blueprint, merging.undo)
MOST_LISTED = 300


class PersonForm(KeyForm):
    """What is changed about a person: the name, whether they still play, who else they are."""

    name = TextField()
    seen = TextField()
    archived = BooleanField(false_values=("", "0"))
    other = OrdinalField()


@blueprint.get("")
def show() -> Page:
    """List the people of the league, and what was done to them lately."""
    league = my_league()
    page = max(1, asked_number("page") or 1)
    first = (page - 1) * MOST_LISTED
    listed = roster.part_of_people(db.session(), league.league_id, first, MOST_LISTED)
    # Where the first page is not full, it is the only one.
    is_only = page == 1 and len(listed) < MOST_LISTED
    count = 0 if is_only else roster.count_people(db.session(), league.league_id)
    return render_template(
        "league/people.html",
        league=league,
        playing=[row for row in listed if not row.archived],
        archived=[row for row in listed if row.archived],
        page=page,
        pages=1 if is_only else ceil(count / MOST_LISTED),
        acts=league_actions(db.session(), league.league_id, merging.UNDOING),
    )


@blueprint.get("/<int:person_id>")
@needs("owner")
def edit(person_id: int) -> Page:
    """Offer to rename a person, to put them away, or to make them one with another."""
    return _person_page(*_person(person_id))


@blueprint.post("/<int:person_id>/name")
@needs("owner")
def rename(person_id: int) -> Page:
    """Call a person by another name."""
    person, others = _person(person_id)
    form = PersonForm(request.form)
    name = form.name.text
    try:
        key = form.checked().own_key
        roster.rename(author_in(my_league()), key, person_id, form.seen.text, name)
    except Refusal as fault:
        other = fault.other if isinstance(fault, PeopleError) else None
        return _person_page(person, others, str(fault), name, other), fault.status
    return see_other("people.show")


@blueprint.post("/<int:person_id>/archive")
@needs("owner")
def archive(person_id: int) -> Page:
    """Offer a person no more when a game begins, or again."""
    _person(person_id)
    form = PersonForm(request.form)
    if form.validate():
        roster.archive(author_in(my_league()), person_id, archived=form.archived.data)
    return see_other("people.show")


@blueprint.get("/<int:person_id>/merge")
@needs("owner")
def look_at_merge(person_id: int) -> Page:
    """Show what making two people one would come to."""
    number = asked_number("other")
    person, others = _person(person_id, number or 0)
    other = next((row for row in others if row.person_id == number), None)
    if other is None:
        return _person_page(person, others, "Choose who the same person is."), 422
    return render_template(
        "league/merge.html",
        merge=merging.look_at_merge(db.session(), my_league().league_id, person, other),
    )


@blueprint.post("/<int:person_id>/merge")
@needs("owner")
def merge(person_id: int) -> Page:
    """Make two people one, who keeps the name of the first."""
    form = PersonForm(request.form).checked()
    if form.other.number is None:
        raise Refusal(SEND_AGAIN)
    try:
        merging.merge(author_in(my_league()), form.own_key, person_id, form.other.number)
    except LookupError:
        abort(404)
    return see_other("people.show")


def _person(person_id: int, *also: int) -> tuple[RosterRow, list[RosterRow]]:
    """Find a person of the league, and whom else a form offers; 404 for nobody."""
    listed = roster.people_offered(db.session(), my_league().league_id, person_id, *also)
    try:
        person = find_in_roster(listed, person_id)
    except LookupError:
        abort(404)
    return person, [row for row in listed if row != person]


def _person_page(
    person: RosterRow,
    others: list[RosterRow],
    fault: str = "",
    typed: str | None = None,
    other: int | None = None,
) -> str:
    return render_template(
        "league/person.html",
        person=person,
        choices=[(row.person_id, row.name) for row in others if not row.is_team],
        faults=[("other-id" if typed is None else "name", fault)] if fault else [],
        name=person.name if typed is None else typed,
        other=other,
    )
