"""Old scores from a spreadsheet: given, looked at with the guesses as controls, and brought in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import PurePath
from typing import cast

from flask import Blueprint, redirect, render_template, request, url_for
from msgspec import Struct
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response
from wtforms import HiddenField

from companion.cards import Refusal
from companion.files import exchange, past
from companion.files.exchange.document import FORMAT
from companion.files.exchange.exporting import players_of
from companion.files.past.meaning import Order
from companion.files.past.stored import stored_games
from companion.files.past.tables import MOST_BYTES, TOO_LARGE
from companion.games.memberships import Membership
from companion.rules import Variant, VariantError, find_variant
from companion.statistics.rating_replay import catch_up
from companion.store.dates import DateError, read_day, today
from companion.store.models import db
from companion.store.names import name_key
from companion.web.frame.forms import SEND_AGAIN, KeyForm, SafeForm, new_key, place_number
from companion.web.frame.my_variants import my_variants
from companion.web.middleware import guard
from companion.web.middleware.gates import filing
from companion.web.middleware.guard import author_in, my_league, needs
from companion.web.middleware.limits import client
from companion.web.middleware.newcomers import count_new_league

from .file_pages import AT_ONCE_RATED, ONCE_MORE, league_or_none, look_page
from .file_work import Work, run_import, work_of
from .uploads import drop_upload, keep_upload, read_upload, sent_file

blueprint = Blueprint("past", __name__, url_prefix="/league/past")
Page = str | Response | tuple[str, int]
NOTHING_SENT = "Choose a file, or paste your table."
SHOWN = 40
"""How many games a preview draws; of the others it says how many they are."""
MANY = 50
"""From so many games on they come in behind the page, which says how far it is."""


class PastForm(KeyForm):
    """Which scores are meant, as they were kept when they were looked at first."""

    file = HiddenField()
    label = HiddenField()


class Given(Struct):
    """Scores that were given: what is kept of them, what they are called, the games in them."""

    file: str
    label: str
    games: Sequence[past.PastGame]


@blueprint.get("")
@needs("scorekeeper", strangers=True)
def show() -> Page:
    """Ask for a file or for pasted cells, and list what was brought in."""
    return _give_page([])


@blueprint.post("/looks")
@needs("scorekeeper", strangers=True)
def look() -> Page:
    """Show what scores were understood as; nothing is stored in the league."""
    request.max_content_length = request.max_form_memory_size = MOST_BYTES + 2**16
    try:
        form = PastForm(request.form)
        if not form.validate():
            return _give_page([SEND_AGAIN]), 422
        with filing(request.content_length or 0):
            data = sent_file()
            if _is_export(data):
                return _export_page(data)
            given = _given(form, data)
            choices = _choices(given.games)
            plan = past.make_plan(given.games, choices, _league(given.games))
    except RequestEntityTooLarge:
        return _give_page([TOO_LARGE]), 413
    except Refusal as fault:
        return _give_page([str(fault)]), 422
    return _look_page(given, plan)


def _export_page(data: bytes) -> str:
    league = league_or_none()
    if league and not league.may("owner"):
        raise past.PastError("This is an export of a whole league: only an owner can import it.")
    return look_page(data)


@blueprint.post("/imports")
@needs("scorekeeper", strangers=True)
def bring() -> Page:
    """Store just what was looked at, as one act that can be undone."""
    league, form = league_or_none(), PastForm(request.form)
    token = guard.device_token() if league else guard.rotated_token()
    key = form.own_key
    if form.validate() and exchange.is_imported(token, key):
        return redirect(url_for("past.show", _anchor="imports"), 303)
    try:
        if not form.validate():
            return _give_page([SEND_AGAIN]), 422
        given = _given(form)
        plan = past.make_plan(given.games, _choices(given.games), _league(given.games))
        if plan.open or not plan.games:
            return _look_page(given, plan, is_asked=True), 422
    except Refusal as fault:
        return _give_page([str(fault)]), 422
    author = author_in(league) if league else None
    if author is None:
        count_new_league()
    label = _label(given, plan) if league else guard.NEW_LEAGUE
    are_many = len(plan.games) >= MANY

    def work(work: Work) -> None:
        with filing() if are_many else filing(0):
            # Not as checked: no preview has looked at the document that is made here.
            document = exchange.read_document(past.write_plan(plan, label))
            brought = exchange.import_document(
                document, key, author=author, token=token, progress=work.note
            )
        drop_upload(given.file)
        catch_up(brought.league_id, AT_ONCE_RATED)

    return _imported_or_refused(run_import(token, work, in_background=are_many))


def _label(given: Given, plan: past.PastPlan) -> str:
    """Say what was brought in, for the list of what can be undone."""
    parts = [given.label or "Old scores", plan.span, f"{len(plan.people)} players"]
    return ", ".join(filter(None, parts))


def _imported_or_refused(fault: str) -> Page:
    if fault:
        return _give_page([fault]), 422
    return redirect(url_for("past.show", _anchor="imports"), 303)


@blueprint.post("/undoings")
@needs("scorekeeper")
def undo() -> Page:
    """Take out again what was brought in at once."""
    league, number = my_league(), place_number(request.form.get("act", ""))
    # Otherwise a scorekeeper could undo an owner's import of a whole league by this page.
    may_undo = {one.act_id for one in _imports(league)}
    if not SafeForm(request.form).validate() or number not in may_undo:
        return _give_page([SEND_AGAIN]), 422
    try:
        exchange.undo_import(author_in(league), number)
    except Refusal as fault:
        return _give_page([str(fault)]), 422
    catch_up(league.league_id, AT_ONCE_RATED)
    return _imported_or_refused("")


def _imports(league: Membership) -> list[exchange.Import]:
    """List what this phone may take back: an owner all of it, others what they brought."""
    brought = exchange.imports(db.session(), league.league_id)
    mine = league.device_id
    return [one for one in brought if league.may("owner") or one.device_id == mine]


def _is_export(data: bytes) -> bool:
    """Return whether this is an export of ours, of a whole league."""
    return exchange.is_packed(data) or FORMAT.encode() in data[:500]


def _given(form: PastForm, data: bytes = b"") -> Given:
    """Read what was sent, or what was kept of it before.

    Raises `PastError` where there is nothing to read.
    """
    name = str(form.file.data or "")
    if name:
        kept, label = read_upload(guard.device_token(), name), str(form.label.data or "")[:40]
        if kept is None:
            raise past.PastError(ONCE_MORE)
        return Given(name, label, past.read_games(kept, _row_kind()))
    uploaded = request.files.get("file")
    label = PurePath((uploaded.filename if uploaded else "") or "").name[:40]
    if not data.strip():
        raise past.PastError(NOTHING_SENT)
    games = past.read_games(data, _row_kind())
    return Given(keep_upload(guard.device_token(), client(), data), label, games)


def _row_kind() -> past.RowKind:
    kind = request.form.get("row", "")
    return cast("past.RowKind", kind) if kind in ("games", "deals") else ""


def _choices(games: Sequence[past.PastGame]) -> past.Choices:
    """Read what was chosen on the page; what it did not ask is left to the guess."""
    sent = request.form
    # Numbered over all sheets: by the sheet that was taken a choice would become another's.
    names = past.names_of(games)
    people = past.people_of(games)
    order = sent.get("order", "")
    return past.Choices(
        games={name: sent[f"game-{n}"] for n, name in enumerate(names) if f"game-{n}" in sent},
        people={name: sent[f"who-{n}"] for n, name in enumerate(people) if sent.get(f"who-{n}")},
        day=_day(sent.get("day", "")),
        order=cast("Order", order) if order in ("dmy", "mdy") else None,
        running=sent["running"] == "running" if "running" in sent else None,
        totals=sent.get("totals", "deals"),
        duplicates=sent.get("duplicates") == "yes",
        sheet=sent.get("sheet", ""),
    )


def _day(text: str) -> date | None:
    try:
        return read_day(text)
    except DateError:
        return None


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
    people = [player.name for player in players_of(db.session(), league.league_id)]
    days = [day for game in games for day in game.days.values()] or [today()]
    stored = stored_games(db.session(), league.league_id, min(days), max(days))
    return past.LeagueSoFar(variants, find, people, stored, today())


def _give_page(faults: list[str]) -> str:
    league, work = league_or_none(), work_of(guard.device_token())
    brought = _imports(league) if league else []
    faults = [*faults, *(work.broke_off if work else ())]
    return render_template(
        "past/give.html",
        league=league,
        imports=brought,
        work=work,
        moving=bool(work and not work.ended),
        most=MOST_BYTES // 2**20,
        faults=[("text", words) for words in faults],
        text=request.form.get("text", "")[:2000] if faults else "",
    )


def _look_page(given: Given, plan: past.PastPlan, *, is_asked: bool = False) -> str:
    asked = [(question.field, f"Say {question.words}.") for question in plan.open]
    return render_template(
        "past/look.html",
        league=league_or_none(),
        given=given,
        plan=plan,
        shown=plan.games[:SHOWN],
        faults=asked if is_asked else [],
        key=new_key(),
    )
