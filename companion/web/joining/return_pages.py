"""The owner's ways back: a passphrase, and a code from the server's own terminal."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.cards import Refusal
from companion.phones.owner_links import claim_league, claimed_league
from companion.phones.passphrase import come_back, has_passphrase, set_passphrase
from companion.store.models import db
from companion.web.frame.forms import SEND_AGAIN, SafeForm
from companion.web.middleware.guard import (
    author_in,
    choose_league,
    device_token,
    my_league,
    needs,
    public,
    rotated_token,
)
from companion.web.middleware.limits import client
from companion.web.middleware.security import keep_no_copy
from companion.web.middleware.user_agents import my_phone_name

blueprint = Blueprint("returning", __name__)
Page = str | Response | tuple[str, int]


class ReturnForm(SafeForm):
    """Which league, and the words that open it."""

    league = StringField("League")
    passphrase = StringField("Passphrase")


@blueprint.get("/return")
@public
def ask() -> Page:
    """Ask for the league and its passphrase."""
    return _return_page("", [])


@blueprint.post("/return")
@public
def enter() -> Page:
    """Let this phone own the league whose passphrase it knows."""
    form = ReturnForm(request.form)
    name, words = str(form.league.data or "")[:400], str(form.passphrase.data or "")
    if not form.validate():
        return _return_page(name, [SEND_AGAIN]), 422
    try:
        league_id = come_back(name, words, rotated_token(), client(), device_token())
    except Refusal as fault:
        return _return_page(name, [str(fault)]), 422
    return choose_league(redirect(url_for("league.show"), 303), league_id)


def _return_page(name: str, faults: list[str]) -> str:
    keep_no_copy()
    listed = [("league-name", words) for words in faults]
    return render_template("returning/return.html", name=name, faults=listed)


@blueprint.get("/league/passphrase")
@needs("owner")
def show() -> Page:
    """Show whether the league has a passphrase, and ask for a new one."""
    return _passphrase_page([])


@blueprint.post("/league/passphrase")
@needs("owner")
def keep() -> Page:
    """Set the passphrase of the league, or take it away."""
    words = "" if request.form.get("clear") == "1" else request.form.get("passphrase", "")
    if not SafeForm(request.form).validate():
        return _passphrase_page([SEND_AGAIN]), 422
    if not words.strip() and request.form.get("clear") != "1":
        return _passphrase_page(["Enter a passphrase."]), 422
    try:
        others_out = bool(words.strip()) and request.form.get("others") == "out"
        set_passphrase(author_in(my_league()), words, others_out=others_out)
    except Refusal as fault:
        return _passphrase_page([str(fault)]), 422
    return redirect(url_for("league.show"), 303)


def _passphrase_page(faults: list[str]) -> str:
    keep_no_copy()
    league = my_league()
    return render_template(
        "returning/passphrase.html",
        league=league,
        held=has_passphrase(db.session(), league.league_id),
        faults=[("pass-phrase", words) for words in faults],
    )


@blueprint.get("/claims/<code>")
@public
def claim(code: str) -> Page:
    """Ask a phone whether it is to own the league that waits under a code."""
    try:
        _, name = claimed_league(db.session(), code)
    except LookupError:
        abort(404)
    return render_template("returning/claim.html", name=name)


@blueprint.post("/claims/<code>")
@public
def take_over(code: str) -> Page:
    """Let this phone own the league; the address works once."""
    if not SafeForm(request.form).validate():
        return redirect(url_for("returning.claim", code=code), 303)
    try:
        league_id = claim_league(code, rotated_token(), my_phone_name())
    except LookupError:
        abort(404)
    return choose_league(redirect(url_for("home.front"), 303), league_id)
