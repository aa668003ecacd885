"""A league as files: taken home, brought in after a look, and taken out again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from flask import (
    Blueprint,
    Response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField

from companion.cards import Refusal
from companion.files import exchange
from companion.files.csv_tables import league_tables
from companion.files.exchange.document import Document
from companion.files.html_archive import html_archive
from companion.games.memberships import Membership
from companion.games.seals import head
from companion.statistics.rating_replay import catch_up
from companion.store.installation import COMMAND
from companion.store.models import db
from companion.store.names import name_key
from companion.web.frame.downloads import download
from companion.web.frame.forms import SEND_AGAIN, KeyForm, SafeForm, new_key, place_number
from companion.web.middleware import guard
from companion.web.middleware.gates import LARGE_FILE, filing
from companion.web.middleware.guard import author_in, my_league, my_leagues, needs
from companion.web.middleware.limits import client
from companion.web.middleware.newcomers import count_new_league

from .file_work import Work, run_import, work_of
from .uploads import drop_upload, keep_upload, read_upload, sent_file

blueprint = Blueprint("files", __name__, url_prefix="/league/files")
Page = str | AnyResponse | tuple[str, int]
LARGEST = 32 * 2**20
LARGEST_READ = 256 * 2**20
"""The largest file that is taken, and what it may hold once it is unpacked."""
PLAIN = 16
"""A league packed is a sixteenth of its text, or less."""
AT_ONCE_RATED = 1000
TOO_LARGE = (
    f"This file is too large for this page: {LARGEST // 2**20} MB at most. On the computer that "
    f"runs the server, {COMMAND} import takes larger ones."
)
ONCE_MORE = "Please choose the file again."


class BringForm(KeyForm):
    """Which file is brought in."""

    file = HiddenField()


@blueprint.get("")
@needs("owner", strangers=True)
def show() -> Page:
    """Offer the league as files, ask for a file, and list what was brought in."""
    return _page([])


def _page(faults: list[str], text: str = "") -> str:
    league = league_or_none()
    work = work_of(guard.device_token())
    brought = exchange.imports(db.session(), league.league_id) if league else []
    faults = [*faults, *(work.broke_off if work else ())]
    return render_template(
        "files/files.html",
        league=league,
        seal=head(db.session(), league.league_id) if league else None,
        imports=brought,
        work=work,
        moving=bool(work and not work.ended),
        most=LARGEST // 2**20,
        faults=[("text", words) for words in faults],
        text=text,
    )


def league_or_none() -> Membership | None:
    """Return the asking phone's league, None for a stranger's."""
    return my_league() if my_leagues() else None


@blueprint.get("/league.json")
@needs("owner")
def league_json() -> Response:
    """Return the whole league as one document, packed."""
    league = my_league()
    return download(_document(league.league_id), "application/gzip", f"{_slug(league)}.json.gz")


def _document(league_id: int) -> Iterator[bytes]:
    league = exchange.export_league(db.session(), league_id)
    yield from exchange.packed(exchange.write_document(league))


@blueprint.get("/tables.zip")
@needs("owner")
def tables() -> Response:
    """Return the league as tables for a spreadsheet."""
    league = my_league()
    # A generator: the tables are made when they are written, behind the gate of files.
    packed = (league_tables(db.session(), number) for number in [league.league_id])
    return download(packed, "application/zip", f"{_slug(league)}-tables.zip")


@blueprint.get("/league.html")
@needs("owner")
def archive() -> Response:
    """Return the league as one page that opens without a server; saved, never shown from here."""
    league = my_league()
    page = _archive_page(league.league_id)
    # As text/html a browser might show it here, with the rights of this site.
    return download(page, "application/octet-stream", f"{_slug(league)}.html")


def _archive_page(league_id: int) -> Iterator[bytes]:
    for template, shown in html_archive(db.session(), league_id):
        yield render_template(template, **shown).encode()


def _slug(league: Membership) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name_key(league.league_name)).strip("-")[:40] or "league"


@blueprint.post("/looks")
@needs("owner", strangers=True)
def look() -> Page:
    """Read a file and show what it would change; nothing is stored in the league."""
    # Pasted text counts as form memory, whose usual limit is that of a small form.
    request.max_content_length = request.max_form_memory_size = LARGEST
    try:
        with filing(request.content_length or 0):
            data = sent_file()
            if not SafeForm(request.form).validate():
                return _refused([SEND_AGAIN])
            return look_page(data)
    except RequestEntityTooLarge:
        return _page([TOO_LARGE]), 413
    except Refusal as fault:
        return _refused([str(fault)])


def look_page(data: bytes) -> str:
    """Show what an export of ours would change; raises `ExchangeError` for any other file."""
    league = league_or_none()
    document = exchange.read_document(data, LARGEST_READ)
    shown = _look_facts(league, document)
    kept = keep_upload(guard.device_token(), client(), data)
    return render_template("files/look.html", league=league, file=kept, key=new_key(), **shown)


def _look_facts(league: Membership | None, document: Document) -> dict[str, Any]:
    into = league.league_id if league else None
    difference = exchange.preview_import(db.session(), into, document)
    return {"name": document.league.name, "difference": difference}


def _refused(faults: list[str]) -> tuple[str, int]:
    return _page(faults, request.form.get("text", "")[:2000]), 422


@blueprint.post("/imports")
@needs("owner", strangers=True)
def bring() -> Page:
    """Bring in the file that was looked at, into this league or a new one."""
    league, form = league_or_none(), BringForm(request.form)
    name, key = str(form.file.data or ""), form.own_key
    data = read_upload(guard.device_token(), name)
    token = guard.device_token() if league else guard.rotated_token()
    # The file is dropped once it is in: a second tap finds none and is answered as the first.
    if form.validate() and data is None and exchange.is_imported(token, key):
        return redirect(url_for("files.show", _anchor="imports"), 303)
    if not form.validate() or data is None:
        return _refused([ONCE_MORE])
    author = author_in(league) if league and request.form.get("into") != "new" else None
    if author is None:
        count_new_league()

    def work(work: Work) -> None:
        with filing(len(data)):
            document = exchange.read_document(data, LARGEST_READ)
            # As checked: the page that asked has looked over these very bytes.
            brought = exchange.import_document(
                document, key, author=author, token=token, progress=work.note, checked=True
            )
        drop_upload(name)
        catch_up(brought.league_id, AT_ONCE_RATED)

    few = LARGE_FILE if exchange.is_packed(data) else PLAIN * LARGE_FILE
    return _imported_or_refused(run_import(token, work, in_background=len(data) > few))


def _imported_or_refused(fault: str) -> Page:
    if fault:
        return _refused([fault])
    return redirect(url_for("files.show", _anchor="imports"), 303)


@blueprint.post("/undoings")
@needs("owner")
def undo() -> Page:
    """Take out again what one file brought in."""
    league = my_league()
    number = place_number(request.form.get("act", ""))
    if not SafeForm(request.form).validate() or number is None:
        return _refused([SEND_AGAIN])
    try:
        exchange.undo_import(author_in(league), number)
    except Refusal as fault:
        return _refused([str(fault)])
    catch_up(league.league_id, AT_ONCE_RATED)
    return _imported_or_refused("")
