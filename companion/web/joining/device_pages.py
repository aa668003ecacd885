"""The owner's page of phones: whose each is, what it may do, and the links that let phones in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue as Page
from wtforms import BooleanField

from companion.cards import Refusal
from companion.phones import links, phone_list, programs, rights
from companion.phones.links import LINK_ROLES, LinkError
from companion.phones.phone_list import PhoneError
from companion.phones.programs import PROGRAM_ROLES
from companion.store.authors import ROLES, Author
from companion.store.models import db
from companion.web.frame.codes import code_of
from companion.web.frame.forms import SafeForm, TextField, read_ordinal, see_other
from companion.web.middleware.guard import author_in, my_league, needs
from companion.web.middleware.security import keep_no_copy
from companion.web.middleware.server_keys import link_keys

blueprint = Blueprint("devices", __name__, url_prefix="/league")
LASTS = {"day": timedelta(days=1), "week": timedelta(days=7), "": None}
FIELDS = {
    "devices.change": "name-{device_id}",
    "devices.let_in_program": "program",
    "devices.make": "uses",
}
"""The field of the page beside which a view's refusals stand; those of others stand above."""


class DeviceForm(SafeForm):
    """What is changed about a phone, or is to be about a program or a link."""

    name = TextField()
    program = TextField()
    role = TextField()
    lasts = TextField()
    uses = TextField()
    links = BooleanField()
    answer = TextField()


@blueprint.get("/devices")
@needs("owner")
def show() -> Page:
    """List the phones of the league and its links."""
    return _page()


def _page(*faults: tuple[str, str]) -> str:
    league = my_league()
    return render_template(
        "league/devices.html",
        league=league,
        phones=phone_list.phones(db.session(), league.league_id),
        links=links.links(db.session(), league.league_id),
        events=rights.events(db.session(), league.league_id),
        guesses=rights.wrong_passphrases(db.session(), league.league_id),
        faults=faults,
        sent=request.form,
    )


@blueprint.post("/devices/<int:device_id>")
@needs("owner")
def change(device_id: int) -> Page:
    """Call a phone otherwise, and change what it may do."""
    form = DeviceForm(request.form)
    role = form.role.text
    if role not in ROLES:
        abort(400)
    return _done(lambda author: phone_list.change_phone(author, device_id, form.name.text, role))


@blueprint.post("/devices/<int:device_id>/departures")
@needs("owner")
def revoke(device_id: int) -> Page:
    """Put a phone out of the league, at once, with the links it has unless they are to stay."""
    ends = DeviceForm(request.form).links.data
    return _done(lambda author: phone_list.revoke_phone(author, device_id, ends_links=ends))


@blueprint.get("/departure")
@needs("viewer")
def ask_to_leave() -> Page:
    """Ask whether this phone is to leave the league, if others own it too."""
    league = my_league()
    stays = phone_list.is_last_owner(db.session(), league.league_id, league.device_id)
    return render_template("league/leave.html", league=league, stays=stays)


@blueprint.post("/departure")
@needs("viewer")
def leave() -> Page:
    """Let this phone leave the league; where it has to stay, the page that asks says why."""
    try:
        if SafeForm(request.form).validate():
            phone_list.leave(author_in(my_league()))
            return see_other("home.front")
    except PhoneError:
        pass
    return see_other("devices.ask_to_leave")


@blueprint.post("/devices/<int:device_id>/person")
@needs("owner")
def forget(device_id: int) -> Page:
    """Let a phone be nobody's."""
    return _done(lambda author: phone_list.forget_person(author, device_id))


@blueprint.post("/devices/<int:device_id>/answer")
@needs("owner")
def answer(device_id: int) -> Page:
    """Say whether a phone is somebody's second one."""
    yes = DeviceForm(request.form).answer.text == "yes"
    return _done(lambda author: phone_list.answer(author, device_id, yes=yes))


@blueprint.post("/programs")
@needs("owner")
def let_in_program() -> Page:
    """Let a program in, and show its token this one time."""
    form = DeviceForm(request.form)
    if form.role.text not in PROGRAM_ROLES:
        abort(400)
    name = form.checked().program.text
    made = programs.let_in_program(author_in(my_league()), name, form.role.text)
    keep_no_copy()
    return render_template("league/program.html", name=name, made=made)


@blueprint.post("/links")
@needs("owner")
def make() -> Page:
    """Make a link into the league, and show its code."""
    form = DeviceForm(request.form)
    role, lasts = form.role.text, form.lasts.text
    if role not in LINK_ROLES or lasts not in LASTS:
        abort(400)
    uses = read_ordinal(form.checked().uses.text.strip() or "0")
    if uses is None:
        raise LinkError("Enter how many phones the link lets in, or leave it empty for any number.")
    made = links.make_link(author_in(my_league()), link_keys()[0], role, LASTS[lasts], uses or None)
    return see_other("devices.link", link_id=made)


@blueprint.get("/links/<int:link_id>")
@needs("owner")
def link(link_id: int) -> Page:
    """Show a link as a code to scan and as text to send."""
    try:
        found = links.find_in_league(db.session(), my_league().league_id, link_id)
    except LookupError:
        abort(404)
    looks_on = found.role == "viewer" and found.game_id is None
    token = found.token(*link_keys()) if looks_on else ""
    calendar = url_for("calendar.evenings", token=token, _external=True) if looks_on else ""
    return render_template("league/link.html", code=code_of(found), calendar=calendar)


@blueprint.post("/links/<int:link_id>/departures")
@needs("owner")
def end(link_id: int) -> Page:
    """End a link, at once."""
    return _done(lambda author: links.revoke_link(author, link_id))


def _done(act: Callable[[Author], None]) -> Page:
    """Do this and go back to the list; 404 for what the league has not."""
    SafeForm(request.form).checked()
    try:
        act(author_in(my_league()))
    except LookupError:
        abort(404)
    return see_other("devices.show")


@blueprint.errorhandler(Refusal)
def refuse(fault: Refusal) -> Page:
    """Say why something was not done, beside the field that it is about."""
    field = FIELDS.get(request.endpoint or "", "phones").format(**request.view_args or {})
    return _page((field, str(fault))), 422
