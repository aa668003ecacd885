"""A league as files: taken home, brought in after a look, and taken out again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue as Page

from companion.cards import Refusal
from companion.files import exchange
from companion.files.csv_tables import league_tables
from companion.files.exchange.document import Document
from companion.files.html_archive import html_archive
from companion.games.memberships import Membership
from companion.store.installation import COMMAND
from companion.store.models import db
from companion.store.names import name_key
from companion.web.frame.downloads import download
from companion.web.frame.forms import (
    SEND_AGAIN,
    KeyForm,
    OrdinalField,
    SafeForm,
    TextField,
    see_other,
)
from companion.web.middleware.gates import LARGE_FILE, file_slot
from companion.web.middleware.guard import (
    author_in,
    device_token,
    my_league,
    my_leagues,
    needs,
    rotated_token,
)
from companion.web.middleware.limits import client
from companion.web.middleware.newcomers import count_new_league

from .file_work import Work, run_import, work_of
from .uploads import drop_upload, keep_upload, read_upload, say_refusals, sent_file

blueprint = Blueprint("files", __name__, url_prefix="/league/files")
LARGEST = 32 * 2**20
"""The largest file that is taken."""
PLAIN = 16
"""A league packed is a sixteenth of its text, or less."""
TOO_LARGE = (
    f"This file is too large for this page: {LARGEST // 2**20} MB at most. On the computer that "
    f"runs the server, {COMMAND} import takes larger ones."
)
ONCE_MORE = "Please choose the file again."


class FileForm(KeyForm):
    """A file that was looked at and is brought in, or the act that brought one in."""

    file = TextField()
    label = TextField()
    into = TextField()
    act = OrdinalField()


@blueprint.get("")
@needs("owner", strangers=True)
def show() -> Page:
    """Offer the league as files, ask for a file, and list what was brought in."""
    return _page()


def _page(fault: str = "", text: str = "") -> str:
    return give_page("files/files.html", LARGEST, fault, text)


def give_page(template: str, most: int, fault: str, text: str, **other: Any) -> str:
    """Ask for a file of `most` bytes, and say what became of those before."""
    league, work = league_or_none(), work_of(device_token())
    faults = [fault, work.fault if work else ""]
    return render_template(
        template,
        league=league,
        imports=brought_in(league) if league else [],
        work=work,
        most=most // 2**20,
        faults=[("text", words) for words in faults if words],
        text=text,
        **other,
    )


def brought_in(league: Membership) -> list[exchange.Import]:
    """List what this phone may take back: an owner all of it, others what they brought."""
    brought = exchange.imports(db.session(), league.league_id)
    mine = league.device_id
    return [one for one in brought if league.may("owner") or one.device_id == mine]


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
    with file_slot(request.content_length or 0):
        SafeForm(request.form).checked()
        return look_page(sent_file())


def look_page(data: bytes) -> str:
    """Show what an export of ours would change; raises `ExchangeError` for any other file."""
    league = league_or_none()
    document = exchange.read_document(data)
    into = league.league_id if league else None
    return render_template(
        "files/look.html",
        league=league,
        name=document.league.name,
        difference=exchange.preview_import(db.session(), into, document),
        file=keep_upload(device_token(), client(), data),
    )


@blueprint.post("/imports")
@needs("owner", strangers=True)
def bring() -> Page:
    """Bring in the file that was looked at, into this league or a new one."""
    league, form = league_or_none(), FileForm(request.form)
    token = token_of(league)
    is_ours = form.validate()
    data = read_upload(device_token(), form.file.text) if is_ours else None
    # The file is dropped once it is in: a second tap finds none and is answered as the first.
    if is_ours and data is None and exchange.is_imported(token, form.own_key):
        return to_imports("files")
    if data is None:
        raise Refusal(ONCE_MORE)
    few = LARGE_FILE if exchange.is_packed(data) else PLAIN * LARGE_FILE
    import_(
        form,
        None if form.into.text == "new" else league,
        token,
        lambda: exchange.read_document(data),
        form.file.text,
        size=len(data),
        is_large=len(data) > few,
        # The page that asked has looked over these very bytes.
        checked=True,
    )
    return to_imports("files")


def token_of(league: Membership | None) -> str:
    """Return the token of whoever brings something in: a new one for a new league's owner."""
    return device_token() if league else rotated_token()


def import_(
    form: FileForm,
    league: Membership | None,
    token: str,
    read: Callable[[], Document],
    file: str,
    *,
    size: int = 0,
    is_large: bool,
    checked: bool = False,
) -> None:
    """Bring in what is read of a kept file, into a league or a new one, a large one behind."""
    author = author_in(league) if league else None
    if author is None:
        count_new_league()

    def work(work: Work) -> None:
        with file_slot() if is_large else file_slot(size):
            exchange.import_document(
                read(),
                form.own_key,
                author=author,
                token=token,
                progress=work.note,
                checked=checked,
            )
        drop_upload(file)

    run_import(token, work, in_background=is_large)


def to_imports(page: str, **shown: int) -> Page:
    """Go to what was brought in, on one of the pages that list it."""
    return see_other(f"{page}.show", **shown, _anchor=None if shown else "imports")


@blueprint.post("/undoings")
@needs("owner")
def undo() -> Page:
    """Take out again what one file brought in."""
    return undo_import("files")


def undo_import(page: str) -> Page:
    """Take out again what was brought in by one act of those that the phone may take back."""
    league, number = my_league(), FileForm(request.form).checked().act.number
    # Otherwise a scorekeeper could undo an owner's import of a whole league.
    if number is None or number not in [one.act_id for one in brought_in(league)]:
        raise Refusal(SEND_AGAIN)
    exchange.undo_import(author_in(league), number)
    return to_imports(page)


say_refusals(blueprint, _page, TOO_LARGE)
