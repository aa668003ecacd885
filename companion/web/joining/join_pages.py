"""Joining: the page behind a code that was scanned, a game's own code, and who waits for a yes."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request
from flask import url_for as address_of
from flask.typing import ResponseReturnValue as Page

from companion.cards import Refusal
from companion.games.reading import load_game
from companion.phones import links, phone_list
from companion.phones.joining import Phone, join_by_link, offered
from companion.phones.links import DeadLinkError, LinkRow, find_link
from companion.store.models import db
from companion.web.frame.codes import count_dead_link
from companion.web.frame.forms import KeyForm, OrdinalField, SafeForm, TextField, see_other
from companion.web.middleware.guard import (
    choose_league,
    my_game,
    my_leagues,
    needs,
    public,
    rotated_token,
)
from companion.web.middleware.server_keys import link_keys
from companion.web.middleware.user_agents import my_phone_name

blueprint = Blueprint("join", __name__)


class JoinForm(KeyForm):
    """Who is behind a phone: whom it is to be, or whether it is somebody's second one."""

    name = TextField()
    person = OrdinalField()
    answer = TextField()
    page = TextField(name="from")


@blueprint.get("/j/<token>")
@public
def show(token: str) -> Page:
    """Ask whoever scanned a code who they are; changes nothing."""
    try:
        link = find_link(db.session(), token)
    except DeadLinkError:
        return _dead()
    return _page(link)


@blueprint.post("/j/<token>")
@public
def sit_down(token: str) -> Page:
    """Let the phone in as whom was tapped or typed, or to look on."""
    form = JoinForm(request.form)
    name, person = form.name.text, form.person.number
    try:
        link = find_link(db.session(), token)
        if not form.validate():
            return _page(link, form.sentences()[0][1], name), 422
        phone = Phone(rotated_token(), my_phone_name())
        joined = join_by_link(token, phone, form.own_key, person=person, name=name)
    except DeadLinkError:
        return _dead()
    except Refusal as fault:
        return _page(link, str(fault), name), 422
    return choose_league(
        redirect(_page_of(joined.game_id, sits=joined.sits), 303), joined.league_id
    )


def _dead() -> tuple[str, int]:
    """Say that a link does not work."""
    if request.method != "HEAD":  # whoever asks only for the headers changes nothing
        count_dead_link()
    return render_template("join/dead.html", is_in=bool(my_leagues())), 404


def _page(link: LinkRow, fault: str = "", name: str = "") -> str:
    mine = next((one for one in my_leagues() if one.league_id == link.league_id), None)
    game = load_game(db.session(), link.league_id, link.game_id) if link.game_id else None
    people = offered(db.session(), link, mine.device_id if mine else None)
    me = next((person for person in people if person.mine), None)
    return render_template(
        "join/join.html",
        link=link,
        game=game,
        upcoming=game.record.standing().upcoming if game else None,
        people=[] if link.role == "viewer" else people,
        me=me,
        on=_page_of(link.game_id, sits=me is not None),
        fault=fault,
        name=name,
    )


def _page_of(game_id: int | None, *, sits: bool) -> str:
    """Return where a phone belongs: its own page of the game, the table, or the league."""
    if game_id is None:
        return address_of("league.show")
    return address_of("hand.show" if sits else "table.show", game_id=game_id)


@blueprint.post("/games/<int:game_id>/link")
@needs("scorekeeper")
def make_link(game_id: int) -> Page:
    """Make the link by which players of a game sit down with their own phones."""
    game, author = my_game(game_id)
    if SafeForm(request.form).validate():
        links.make_game_link(author, link_keys()[0], game.game_id)
    return see_other("table.show", game_id=game_id, phones=1, _anchor="phones")


@blueprint.post("/games/<int:game_id>/asks/<int:device_id>")
@needs("player")
def answer(game_id: int, device_id: int) -> Page:
    """Say whether a phone is somebody's second one."""
    _, author = my_game(game_id)
    form = JoinForm(request.form)
    try:
        if form.validate():
            phone_list.answer(author, device_id, yes=form.answer.text == "yes")
    except LookupError:
        abort(404)
    return redirect(_page_of(game_id, sits=form.page.text == "mine"), 303)


@blueprint.post("/games/<int:game_id>/guests/<int:device_id>")
@needs("scorekeeper")
def let_look_on(game_id: int, device_id: int) -> Page:
    """Let a guest without a seat only look on."""
    _, author = my_game(game_id)
    try:
        if SafeForm(request.form).validate():
            phone_list.forget_person(author, device_id)
    except LookupError:
        abort(404)
    return see_other("table.show", game_id=game_id)
