"""The owner's ways back: a passphrase, and a code from the server's own terminal."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue as Page
from wtforms import BooleanField, StringField

from companion.cards import Refusal
from companion.phones.owner_links import claim_league, claimed_league
from companion.phones.passphrase import PassphraseError, come_back, has_passphrase, set_passphrase
from companion.store.models import db
from companion.web.frame.forms import SafeForm, TextField, see_other
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


class PassphraseForm(SafeForm):
    """The words that open a league, and which league that is or what becomes of it."""

    league = TextField()
    passphrase = StringField()
    clear = BooleanField()
    others = BooleanField()


@blueprint.get("/return")
@public
def ask() -> Page:
    """Ask for the league and its passphrase."""
    return _return_page()


@blueprint.post("/return")
@public
def enter() -> Page:
    """Let this phone own the league whose passphrase it knows."""
    form = PassphraseForm(request.form)
    name = form.league.text
    try:
        words = form.checked().passphrase.data or ""
        league_id = come_back(name, words, rotated_token(), client(), device_token())
    except Refusal as fault:
        return _return_page(name, fault), 422
    return choose_league(see_other("league.show"), league_id)


def _return_page(name: str = "", *faults: Refusal) -> str:
    keep_no_copy()
    listed = [("league-name", str(fault)) for fault in faults]
    return render_template("returning/return.html", name=name, faults=listed)


@blueprint.get("/league/passphrase")
@needs("owner")
def show() -> Page:
    """Show whether the league has a passphrase, and ask for a new one."""
    return _passphrase_page()


@blueprint.post("/league/passphrase")
@needs("owner")
def keep() -> Page:
    """Set the passphrase of the league, or take it away."""
    form = PassphraseForm(request.form)
    words = "" if form.clear.data else (form.passphrase.data or "").strip()
    try:
        if not form.checked().clear.data and not words:
            raise PassphraseError("Enter a passphrase.")
        others_out = bool(words) and form.others.data
        set_passphrase(author_in(my_league()), words, others_out=others_out)
    except Refusal as fault:
        return _passphrase_page(fault), 422
    return see_other("league.show")


def _passphrase_page(*faults: Refusal) -> str:
    keep_no_copy()
    league = my_league()
    return render_template(
        "returning/passphrase.html",
        league=league,
        held=has_passphrase(db.session(), league.league_id),
        faults=[("pass-phrase", str(fault)) for fault in faults],
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
        return see_other("returning.claim", code=code)
    try:
        league_id = claim_league(code, rotated_token(), my_phone_name())
    except LookupError:
        abort(404)
    return choose_league(see_other("home.front"), league_id)
