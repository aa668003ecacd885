"""Old score sheets: who played, then a grid like the paper's, checked by its own sums and saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue as Page
from msgspec import Struct, field
from wtforms import BooleanField

from companion.cards import Refusal
from companion.games import writer
from companion.games.from_paper import PaperRow, fits_paper, write_down
from companion.games.paper_check import Conflict, PaperSheet, cross_check
from companion.games.shown.game_lists import regulars
from companion.rules import Variant
from companion.scoring import TallyError
from companion.scoring.cards_left import LARGEST_TOTAL
from companion.store.dates import DateError, read_day, today
from companion.store.models import db
from companion.store.names import LONGEST_TYPED, PlayerNameError, read_names
from companion.store.notes import clean_note
from companion.web.frame.forms import (
    Faults,
    KeyForm,
    TextField,
    new_key,
    noting,
    read_ordinal,
    see_other,
    whole_number,
)
from companion.web.frame.my_variants import my_variant, my_variants
from companion.web.middleware.guard import author_in, my_league, needs
from companion.web.middleware.limits import count

blueprint = Blueprint("old_scores", __name__, url_prefix="/league/old-scores")
DASHES = ("-", "–", "—", "−")
MOST_ROWS, OPEN_ROWS, EXTRA_ROWS, MORE_ROWS = 60, 20, 3, 10


class SheetForm(KeyForm):
    """What is to be done with a sheet: more rows, or saved though its sums are wrong."""

    step = TextField()
    accepted = BooleanField()


class Sheet(Struct):
    """An old score sheet: its fields as they were sent, and what was read of them."""

    variant: Variant
    sent: Mapping[str, str]
    rows: int
    names: list[str] = field(default_factory=list)
    day: date | None = None
    note: str = ""
    faults: Faults = field(default_factory=list)

    def contract(self, row: int) -> Any:
        """Return the contract of a row, if it has one of its own."""
        last = self.variant.deal_count
        return self.variant.deal(row + 1).contract if last and row < last else None

    def typed(self, name: str) -> str:
        """Return what stands in a field, as it was typed; what is too long stays so."""
        return self.sent.get(name, "")[: LONGEST_TYPED + 1].strip()


@blueprint.get("")
@needs("scorekeeper")
def index() -> Page:
    """List the games whose old score sheets can be typed in."""
    shown = [variant for variant in my_variants() if fits_paper(variant)]
    return render_template("league/old-scores.html", variants=shown)


@blueprint.get("/<key>")
@needs("scorekeeper")
def show(key: str) -> Page:
    """Ask who played and when, then show the grid to type in."""
    sheet = _sheet(key, request.args)
    if not request.args:
        return _who_page(sheet)
    _read_who(sheet)
    return (_who_page(sheet), 422) if sheet.faults else _grid_page(sheet, new_key())


@blueprint.post("/<key>")
def create(key: str) -> Page:
    """Check the sheet by its own sums, and save it as one game."""
    form, sheet = SheetForm(request.form), _sheet(key, request.form)
    _read_who(sheet)
    if sheet.faults:
        return _who_page(sheet), 422
    if form.step.text == "rows":
        sheet.rows = min(MOST_ROWS, sheet.rows + MORE_ROWS)
        return _grid_page(sheet, form.own_key)
    if not form.validate():
        sheet.faults = form.sentences()
    paper = _read(sheet)
    clashes = [] if sheet.faults else cross_check(sheet.variant, paper)
    if not form.accepted.data:
        sheet.faults += [(_field(clash), clash.words) for clash in clashes]
    saved = None if sheet.faults else _save(sheet, paper, form.own_key)
    if saved is None:
        return _grid_page(sheet, form.own_key, clashes), 422
    return see_other("table.show", game_id=saved.game_id)


def _sheet(key: str, sent: Mapping[str, str]) -> Sheet:
    variant = my_variant(key)
    if not fits_paper(variant):
        abort(404)
    return Sheet(variant, sent, _row_count(variant, read_ordinal(sent.get("rows", "")) or 0))


def _read_who(sheet: Sheet) -> None:
    """Read who played, when, and what to remember of it."""
    players = sheet.variant.players
    with noting(sheet.faults, "names"):
        sheet.names = read_names(sheet.typed("names"))
        if not players.min <= len(sheet.names) <= players.max:
            raise PlayerNameError(sheet.variant.wrong_players(len(sheet.names)))
    with noting(sheet.faults, "day-played"):
        sheet.day = read_day(sheet.typed("day"))
        if sheet.day > today():
            raise DateError("That day is in the future.")
    with noting(sheet.faults, "note"):
        sheet.note = clean_note(sheet.typed("note"))


def _row_count(variant: Variant, wanted: int) -> int:
    """Return how many deals the grid has room for."""
    if not variant.deal_count:
        return min(max(OPEN_ROWS, wanted), MOST_ROWS)
    return variant.deal_count + (EXTRA_ROWS if variant.ending.tiebreak == "extra_deal" else 0)


def _read(sheet: Sheet) -> PaperSheet:
    """Read every field; empty rows at the end were not played."""
    rows = [_row(sheet, row) for row in range(sheet.rows)]
    played = max((number for number, row in enumerate(rows, start=1) if row), default=0)
    word = sheet.variant.deal_word
    for number, row in enumerate(rows[:played]):
        if not row:
            words = f"{word.capitalize()} {number + 1} is empty, but a later one has points."
            sheet.faults.append((f"cell-{number}-0", words))
    if not played and not sheet.faults:
        sheet.faults.append(("cell-0-0", f"Enter at least one {word}."))
    totals = _numbers(sheet, {seat: f"total-{seat}" for seat in range(len(sheet.names))})
    sums = _numbers(sheet, {row: f"sum-{row}" for row in range(played)})
    return PaperSheet(sheet.names, rows[:played], totals, sums)


def _row(sheet: Sheet, row: int) -> PaperRow:
    cells = {seat: f"cell-{row}-{seat}" for seat in range(len(sheet.names))}
    return {seat: _number(sheet, name) for seat, name in cells.items() if sheet.typed(name)}


def _numbers(sheet: Sheet, fields: dict[int, str]) -> dict[int, int]:
    found = {index: _number(sheet, name) for index, name in fields.items()}
    return {index: number for index, number in found.items() if number is not None}


def _number(sheet: Sheet, name: str) -> int | None:
    """Read a field; None for a dash, for nothing, and for what is noted as a fault."""
    text = sheet.typed(name)
    if not text or text in DASHES:
        return None
    try:
        number = whole_number(text)
    except ValueError as fault:
        sheet.faults.append((name, str(fault)))
        return None
    if name.startswith("cell-") and abs(number) > LARGEST_TOTAL:
        sheet.faults.append((name, f"{number} points is not possible."))
    return number


def _save(sheet: Sheet, paper: PaperSheet, key: str) -> writer.Saved | None:
    try:
        count("game")
        return writer.start_game(
            author_in(my_league()),
            key,
            sheet.variant,
            sheet.names,
            played_on=sheet.day,
            then=lambda record: write_down(record, paper.rows, sheet.note),
        )
    except TallyError as fault:
        sheet.faults = [("grid", found.in_words(sheet.names)) for found in fault.findings]
    except Refusal as fault:
        sheet.faults = [("grid", str(fault))]
    return None


def _who_page(sheet: Sheet) -> str:
    return render_template(
        "league/old-scores-who.html",
        sheet=sheet,
        variant=sheet.variant,
        regulars=regulars(db.session(), my_league().league_id, teams=not sheet.variant.has_cards),
        faults=sheet.faults,
    )


def _grid_page(sheet: Sheet, key: str, clashes: Sequence[Conflict] = ()) -> str:
    return render_template(
        "league/old-scores-grid.html",
        sheet=sheet,
        variant=sheet.variant,
        clashes=clashes,
        faults=sheet.faults,
        key=key,
    )


def _field(clash: Conflict) -> str:
    """Name the field to look at first: the cell, or the sum of its row or column."""
    if clash.deal is None:
        return f"total-{clash.seat}"
    return f"sum-{clash.deal}" if clash.seat is None else f"cell-{clash.deal}-{clash.seat}"
