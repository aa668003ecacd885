"""Home and the start of a game: continue, play again, or seat the players of a new one."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response
from wtforms import HiddenField

from companion.cards import Pack, Refusal
from companion.games import reading, writer
from companion.games.changes import pack_for
from companion.games.game_search import GameQuery, find_games
from companion.people import house_rules, leagues
from companion.people.sample import add_sample
from companion.phones.links import player_link
from companion.rules import Variant, house_differences, load, with_choices
from companion.store.models import db
from companion.web.frame import guard
from companion.web.frame.fault_pages import refusal_page
from companion.web.frame.forms import NewGameForm, SafeForm, new_key, place_number, whole_number
from companion.web.frame.guard import (
    author_in,
    my_game,
    my_league,
    my_leagues,
    my_writer,
    needs,
    public,
)
from companion.web.frame.my_variants import is_own, my_variant, my_variants
from companion.web.frame.server_keys import link_keys
from companion.web.frame.user_agents import my_phone_name

place = Blueprint("home", __name__)
MOST_RUNNING = 8


class AgainForm(SafeForm):
    """Play again with the same table."""

    key = HiddenField()


@place.get("/")
@public
def front() -> str:
    """Show what to continue, what to play again, and the games."""
    leagues = my_leagues()
    running: list[reading.ListedGame] = []
    last: reading.ListedGame | None = None
    if leagues:
        mine = leagues[0].league_id
        running = reading.list_games(db.session(), mine, status="running", most=MOST_RUNNING)
        last = next(iter(find_games(db.session(), mine, GameQuery(), most=1).games), None)
    variants = my_variants()
    return render_template(
        "home/front.html",
        league=leagues[0] if leagues else None,
        running=running,
        last=last,
        variants=[variant for variant in variants if not variant.extends or is_own(variant)],
        how_many=len(variants),
        key=new_key(),
    )


@place.post("/samples")
@public
def sample() -> Response:
    """Open a sample family of their own for a stranger."""
    if SafeForm(request.form).validate() and not my_leagues():
        add_sample(guard.gaining_token(), my_phone_name())
    return redirect(url_for("home.front"), 303)


@place.post("/departures")
@needs("viewer")
def leave_sample() -> Response:
    """Leave the sample family to start a league of one's own."""
    league = my_league()
    if SafeForm(request.form).validate() and league.is_sample:
        leagues.leave_league(author_in(league))
    return redirect(url_for("home.front"), 303)


@place.get("/healthz")
@public
def healthz() -> Response:
    """Answer that the process is alive."""
    return Response("ok", mimetype="text/plain")


@place.get("/readyz")
@public
def readyz() -> Response:
    """Answer that the database can be reached."""
    db.session.connection()
    return Response("ok", mimetype="text/plain")


@place.get("/games/new/<key>")
@public
def new_game(key: str) -> str:
    """Ask who plays."""
    variant = my_variant(key)
    form = NewGameForm(variant, MultiDict({"key": new_key()}))
    return _new_game_page(variant, form, {key: str(value) for key, value in variant.chosen.items()})


@place.post("/games/new/<key>")
@public
def start_game(key: str) -> str | Response | tuple[str, int]:
    """Start the game."""
    variant = my_variant(key)
    form = NewGameForm(variant, request.form)
    sent = {choice.key: request.form.get(f"rule-{choice.key}", "") for choice in variant.choices}
    chosen: dict[str, Any] = {choice: value for choice, value in sent.items() if value}
    if not form.validate():
        return _new_game_page(variant, form, chosen), 422
    try:
        played = with_choices(load(key), chosen) if variant.choices else variant
        remembers = bool(variant.choices) and played.chosen != variant.chosen
        saved = _start(form, played, remembers=remembers)
    except Refusal as fault:
        form.names.errors = [*form.names.errors, str(fault)]
        return _new_game_page(variant, form, chosen), 422
    return redirect(url_for("table.show", game_id=saved.game_id), 303)


def _start(form: NewGameForm, variant: Variant, *, remembers: bool) -> writer.Saved:
    """Start the game; house rules that are new are remembered in the same transaction."""
    names = form.names.names()
    book = variant.pack(len(names))
    decks, jokers = form.decks.data, form.jokers.data
    pack = Pack(
        whole_number(decks) if decks else book.decks,
        whole_number(jokers) if jokers else book.jokers,
    )
    seat = (place_number(str(form.dealer.data)) or 0) % len(names)
    key = str(form.key.data or "")[:64] or new_key()
    also = [player_link(link_keys()[0])]
    if remembers:
        keep = house_rules.choices_kept(variant.key, variant.chosen)
        also.append(lambda session, author, _: keep(session, author))
    who = my_writer(form.league_name.data or "")
    return writer.start_game(who, key, variant, names, seat, pack, also=also)


def _new_game_page(variant: Variant, form: NewGameForm, chosen: dict[str, Any]) -> str:
    kept = guard.kept_league()
    names = reading.regulars(db.session(), kept.league_id) if kept else []
    return render_template(
        "home/new.html",
        variant=variant,
        form=form,
        chosen=chosen,
        regulars=names,
        league=kept,
        watched=next((one for one in my_leagues()[:1] if one != kept), None),
        faults=form.sentences(),
        differences=house_differences(variant),
    )


@place.post("/games/<int:game_id>/rematch")
def rematch(game_id: int) -> Response | tuple[str, int]:
    """Start the same game again: same table and rules, the deal passes on to the left."""
    game, author = my_game(game_id)
    form = AgainForm(request.form)
    if not form.validate():
        return redirect(url_for("home.front"), 303)
    record = game.record
    stays = [seat for seat, stay in enumerate(record.seats) if stay.left is None]
    last = record.deals[-1].dealer if record.deals else record.first_dealer
    dealer = next((n for n, seat in enumerate(stays) if seat > last), 0)
    key = str(form.key.data or "")[:64] or new_key()
    names = [game.names[seat] for seat in stays]
    pack = pack_for(record.variant, record.pack, len(names))
    try:
        also = [player_link(link_keys()[0])]
        saved = writer.start_game(author, key, record.variant, names, dealer, pack, also=also)
    except Refusal as fault:
        return refusal_page(str(fault), url_for("table.show", game_id=game_id), fault.status)
    return redirect(url_for("table.show", game_id=saved.game_id), 303)
