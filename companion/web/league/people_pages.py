"""The people of a league: what they are called, who still plays, who was entered twice."""

from __future__ import annotations

from math import ceil

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.cards import Refusal
from companion.games.memberships import Membership
from companion.people import merging, roster
from companion.people.actions import league_actions
from companion.people.roster import PeopleError, RosterRow, find_in_roster
from companion.store.models import db
from companion.web.frame.forms import SEND_AGAIN, KeyForm, SafeForm, new_key, place_number
from companion.web.frame.undoing import undone
from companion.web.middleware.fault_pages import refusal_page
from companion.web.middleware.guard import author_in, my_league, needs

blueprint = Blueprint("people", __name__, url_prefix="/league/people")
Page = str | Response | tuple[str, int]
MOST_LISTED = 300


@blueprint.get("")
def show() -> Page:
    """List the people of the league, and what was done to them lately."""
    league = my_league()
    page = max(1, place_number(request.args.get("page", "")) or 1)
    first = (page - 1) * MOST_LISTED
    listed = roster.part_of_people(db.session(), league.league_id, first, MOST_LISTED)
    return render_template(
        "league/people.html",
        league=league,
        playing=[row for row in listed if not row.archived],
        archived=[row for row in listed if row.archived],
        page=page,
        pages=_pages(league, len(listed) if page == 1 else MOST_LISTED),
        acts=league_actions(db.session(), league.league_id, merging.UNDOING),
    )


@blueprint.get("/<int:person_id>")
@needs("owner")
def edit(person_id: int) -> Page:
    """Offer to rename a person, to put them away, or to make them one with another."""
    league = my_league()
    return _person_page(league, *_person(league, person_id))


@blueprint.post("/<int:person_id>/name")
@needs("owner")
def rename(person_id: int) -> Page:
    """Call a person by another name."""
    league = my_league()
    person, others = _person(league, person_id)
    form, name = KeyForm(request.form), request.form.get("name", "")
    if not form.validate():
        return _person_page(league, person, others, SEND_AGAIN, name), 422
    try:
        seen = request.form.get("seen", "")
        roster.rename(author_in(league), form.own_key, person_id, seen, name)
    except Refusal as fault:
        other = fault.other if isinstance(fault, PeopleError) else None
        return _person_page(league, person, others, str(fault), name, other), fault.status
    return redirect(url_for("people.show"), 303)


@blueprint.post("/<int:person_id>/archive")
@needs("owner")
def archive(person_id: int) -> Page:
    """Offer a person no more when a game begins, or again."""
    league = my_league()
    _person(league, person_id)
    if SafeForm(request.form).validate():
        roster.archive(author_in(league), person_id, archived=request.form.get("archived") == "1")
    return redirect(url_for("people.show"), 303)


@blueprint.get("/<int:person_id>/merge")
@needs("owner")
def look_at_merge(person_id: int) -> Page:
    """Show what making two people one would come to."""
    league = my_league()
    number = place_number(request.args.get("other", ""))
    person, others = _person(league, person_id, number or 0)
    other = next((row for row in others if row.person_id == number), None)
    if other is None:
        return _person_page(league, person, others, "Choose who the same person is."), 422
    return _merge_page(league, person, other)


@blueprint.post("/<int:person_id>/merge")
@needs("owner")
def merge(person_id: int) -> Page:
    """Make two people one, who keeps the name of the first."""
    league, form = my_league(), KeyForm(request.form)
    gone = place_number(request.form.get("other", ""))
    if gone is None or not form.validate():
        return refusal_page(SEND_AGAIN, url_for("people.show"))
    try:
        merging.merge(author_in(league), form.own_key, person_id, gone)
    except LookupError:
        abort(404)
    except Refusal as fault:
        return refusal_page(str(fault), url_for("people.show"), fault.status)
    return redirect(url_for("people.show"), 303)


@blueprint.post("/acts/<int:act_id>/undo")
@needs("owner")
def undo(act_id: int) -> Page:
    """Undo a renaming or a merge."""
    return undone(merging.undo, act_id, url_for("people.show"))


def _pages(league: Membership, on_the_first: int) -> int:
    """Count the pages of the list; where the first is not full, it is the only one."""
    if on_the_first < MOST_LISTED:
        return 1
    return ceil(roster.count_people(db.session(), league.league_id) / MOST_LISTED)


def _person(league: Membership, person_id: int, *also: int) -> tuple[RosterRow, list[RosterRow]]:
    """Find a person of the league, and whom else a form offers; 404 for nobody."""
    listed = roster.people_offered(db.session(), league.league_id, person_id, *also)
    try:
        person = find_in_roster(listed, person_id)
    except LookupError:
        abort(404)
    return person, [row for row in listed if row != person]


def _person_page(
    league: Membership,
    person: RosterRow,
    others: list[RosterRow],
    fault: str = "",
    typed: str | None = None,
    other: int | None = None,
) -> str:
    return render_template(
        "league/person.html",
        league=league,
        person=person,
        choices=[(row.person_id, row.name) for row in others],
        faults=[("other-id" if typed is None else "name", fault)] if fault else [],
        name=person.name if typed is None else typed[:400],
        other=other,
        key=new_key(),
    )


def _merge_page(league: Membership, person: RosterRow, other: RosterRow) -> str:
    return render_template(
        "league/merge.html",
        league=league,
        merge=merging.look_at_merge(db.session(), league.league_id, person, other),
        key=new_key(),
    )
