"""Old scores from a spreadsheet: given, looked at with the guesses as controls, and brought in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue as Page
from msgspec import Struct

from companion.files import exchange, past
from companion.files.exchange.document import FORMAT, Document
from companion.files.past.league_so_far import stored_games, stored_people, stored_teams, years_of
from companion.files.past.tables import MOST_BYTES, TOO_LARGE
from companion.games.memberships import Membership
from companion.rules import Variant, VariantError, find_variant
from companion.store.dates import today
from companion.store.models import db
from companion.store.names import LONGEST, name_key, shortened
from companion.web.frame.my_variants import my_variants
from companion.web.middleware.gates import file_slot
from companion.web.middleware.guard import NEW_LEAGUE, device_token, needs
from companion.web.middleware.limits import client

from .file_pages import (
    ONCE_MORE,
    FileForm,
    brought_in,
    give_page,
    import_,
    league_or_none,
    look_page,
    to_imports,
    token_of,
    undo_import,
)
from .uploads import keep_upload, read_upload, say_refusals, sent_file

blueprint = Blueprint("past", __name__, url_prefix="/league/past")
NOTHING_SENT = "Choose a file, or paste your table."
MOST_LABEL = 200
SHOWN = 40
"""How many games a preview draws; of the others it says how many they are."""
MANY = 50
"""From so many games on they come in behind the page, which says how far it is."""


class Landing(Struct, frozen=True):
    """What an import brought in, by its act."""

    act: int
    games: int
    years: str


class Given(Struct):
    """Scores that were given: what is kept of them, what they are called, what they come to."""

    file: str
    label: str
    plan: past.PastPlan


@blueprint.get("")
@needs("scorekeeper", strangers=True)
def show() -> Page:
    """Ask for a file or for pasted cells, and list what was brought in."""
    return _page()


def _page(fault: str = "", text: str = "") -> str:
    return give_page("past/give.html", MOST_BYTES, fault, text, landed=_landed())


def _landed() -> Landing | None:
    """Return what came in just now; None before it has, and where nothing new did."""
    league = league_or_none()
    brought = brought_in(league) if league and "landed" in request.args else []
    if not brought or brought[0].undone_at:
        return None
    act = brought[0]
    return Landing(act.act_id, act.games, years_of(db.session(), act.act_id))


@blueprint.post("/looks")
@needs("scorekeeper", strangers=True)
def look() -> Page:
    """Show what scores were understood as; nothing is stored in the league."""
    request.max_content_length = request.max_form_memory_size = MOST_BYTES + 2**16
    form = FileForm(request.form).checked()
    data = sent_file()
    if exchange.is_packed(data) or FORMAT.encode() in data[:500]:
        with file_slot(len(data)):
            return _export_page(data)
    return _look_page(_given(form, data))


def _export_page(data: bytes) -> str:
    league = league_or_none()
    if league and not league.may("owner"):
        raise past.PastError("This is an export of a whole league: only an owner can import it.")
    return look_page(data)


@blueprint.post("/imports")
@needs("scorekeeper", strangers=True)
def bring() -> Page:
    """Store just what was looked at, as one act that can be undone."""
    league, form = league_or_none(), FileForm(request.form)
    token = token_of(league)
    if exchange.is_imported(token, form.checked().own_key):
        return to_imports("past", landed=1)
    given = _given(form)
    if not given.plan.is_ready:
        return _look_page(given, is_asked=True), 422
    return _store(form, given, league, token)


def bring_typed(sheet: past.PastGame) -> Page:
    """Store a sheet that was typed in, which has been looked at; what is open is asked first."""
    form = FileForm(request.form)
    if exchange.is_imported(device_token(), form.own_key):
        return to_imports("past", landed=1)
    data = past.write_typed(sheet)
    given = Given(keep_upload(device_token(), client(), data), sheet.game, _plan(data))
    if given.plan.checks or not given.plan.is_ready:
        return _look_page(given)
    return _store(form, given, league_or_none(), device_token())


def _store(form: FileForm, given: Given, league: Membership | None, token: str) -> Page:
    label = _label(given) if league else NEW_LEAGUE
    # Let go of as soon as it is written: 20,000 games are a lot to keep while they come in.
    plans = [given.plan]

    def read() -> Document:
        return exchange.read_document(past.write_plan(plans.pop(), label))

    is_large = len(given.plan.games) >= MANY
    # Not as checked: no preview has looked at the document that is made here.
    import_(form, league, token, read, given.file, is_large=is_large)
    return to_imports("past", landed=1)


def _label(given: Given) -> str:
    """Say what was brought in, for the list of what can be undone."""
    plan = given.plan
    about = "".join(f", {part}" for part in (plan.span, f"{len(plan.people)} players") if part)
    return (shortened(given.label, LONGEST - len(about)) or "Old scores") + about


@blueprint.post("/undoings")
@needs("scorekeeper")
def undo() -> Page:
    """Take out again what was brought in at once."""
    return undo_import("past")


say_refusals(blueprint, _page, TOO_LARGE)


def _given(form: FileForm, data: bytes = b"") -> Given:
    """Read what was sent, or what was kept of it before.

    Raises `PastError` where there is nothing to read.
    """
    token, name = device_token(), form.file.text
    if name:
        kept = read_upload(token, name)
        if kept is None:
            raise past.PastError(ONCE_MORE)
        return Given(name, form.label.text[:MOST_LABEL], _plan(kept))
    if not data.strip():
        raise past.PastError(NOTHING_SENT)
    plan = _plan(data)
    uploaded = request.files.get("file")
    label = PurePath((uploaded.filename if uploaded else "") or "").name[:MOST_LABEL]
    return Given(keep_upload(token, client(), data), label, plan)


def _plan(data: bytes) -> past.PastPlan:
    with file_slot(len(data)):
        scores = past.read_games(data, request.form)
        return past.make_plan(scores, request.form, _league(scores.games))


def _league(games: Sequence[past.PastGame]) -> past.LeagueSoFar:
    """Gather what the league has: its games, its people, and what it stored of those days."""
    variants = {variant.key: variant for variant in my_variants()}
    names = {name_key(variant.name): variant for variant in variants.values()}

    def find(name: str) -> Variant | None:
        if found := names.get(name_key(name)):
            return found
        try:
            return variants.get(find_variant(name).key)
        except VariantError:
            return None

    league = league_or_none()
    if league is None:
        return past.LeagueSoFar(variants, find, today=today())
    people = stored_people(db.session(), league.league_id)
    days = [day for game in games for day in game.days.values()] or [today()]
    stored = stored_games(db.session(), league.league_id, min(days), max(days))
    teams = stored_teams(db.session(), league.league_id)
    return past.LeagueSoFar(variants, find, people, teams, stored, today())


def _look_page(given: Given, *, is_asked: bool = False) -> str:
    plan = given.plan
    faults = [(question.field, f"Say {question.words}.") for question in plan.open if is_asked]
    return render_template(
        "past/look.html",
        given=given,
        plan=plan,
        shown=plan.games[:SHOWN],
        faults=[*faults, *(("", words) for words in plan.faults)],
    )
