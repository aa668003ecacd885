"""Old score sheets: who played, then a grid like the paper's, checked by its own sums and saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue as Page
from msgspec import Struct, field
from wtforms import BooleanField

from companion.files import past
from companion.games.from_paper import fits_paper
from companion.games.shown.game_lists import regulars
from companion.rules import Variant
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
    whole_number,
)
from companion.web.frame.my_variants import my_variant, my_variants
from companion.web.middleware.guard import my_league, needs
from companion.web.middleware.limits import count

from .past_pages import bring_typed

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
    """Check the sheet by its own sums and by the rules, and send it the way of all old scores."""
    form, sheet = SheetForm(request.form), _sheet(key, request.form)
    _read_who(sheet)
    if sheet.faults:
        return _who_page(sheet), 422
    if form.step.text == "rows":
        sheet.rows = min(MOST_ROWS, sheet.rows + MORE_ROWS)
        return _grid_page(sheet, form.own_key)
    if not form.validate():
        sheet.faults = form.sentences()
    game, sums = _read(sheet)
    conflicts = [] if sheet.faults else past.cross_check(sheet.variant, game, sums)
    conflicts += [] if sheet.faults else past.against_rules(sheet.variant, game)
    if not form.accepted.data:
        sheet.faults += [(_field(conflict), conflict.words) for conflict in conflicts]
    if sheet.faults:
        return _grid_page(sheet, form.own_key, conflicts), 422
    count("game")
    return bring_typed(game)


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


def _read(sheet: Sheet) -> tuple[past.PastGame, list[str]]:
    """Read the game, and the sums of its rows; empty rows at the end were not played."""
    seats = range(len(sheet.names))
    rows = [[_number(sheet, f"cell-{row}-{seat}") for seat in seats] for row in range(sheet.rows)]
    while rows and not any(rows[-1]):
        rows.pop()
    word = sheet.variant.deal_word
    for number, row in enumerate(rows):
        if not any(row):
            words = f"{word.capitalize()} {number + 1} is empty, but a later one has points."
            sheet.faults.append((f"cell-{number}-0", words))
    if not rows and not sheet.faults:
        sheet.faults.append(("cell-0-0", f"Enter at least one {word}."))
    game = past.PastGame(
        sheet.names,
        rows,
        are_totals=False,
        days={"dmy": sheet.day, "mdy": sheet.day} if sheet.day else {},
        game=sheet.variant.name,
        stated=[_number(sheet, f"total-{seat}") for seat in seats],
        deal_word=word,
        note=sheet.note,
    )
    return game, [_number(sheet, f"sum-{row}") for row in range(len(rows))]


def _number(sheet: Sheet, name: str) -> str:
    """Return what stands in a field; what is neither a number nor a dash is noted as a fault."""
    text = sheet.typed(name)
    if not text or text in DASHES:
        return text
    try:
        number = whole_number(text)
    except ValueError as fault:
        sheet.faults.append((name, str(fault)))
        return text
    if name.startswith("cell-") and abs(number) > LARGEST_TOTAL:
        sheet.faults.append((name, f"{number} points is not possible."))
    return str(number)


def _who_page(sheet: Sheet) -> str:
    return render_template(
        "league/old-scores-who.html",
        sheet=sheet,
        variant=sheet.variant,
        regulars=regulars(db.session(), my_league().league_id, teams=not sheet.variant.has_cards),
        faults=sheet.faults,
    )


def _grid_page(sheet: Sheet, key: str, conflicts: Sequence[past.Conflict] = ()) -> str:
    return render_template(
        "league/old-scores-grid.html",
        sheet=sheet,
        variant=sheet.variant,
        conflicts=conflicts,
        faults=sheet.faults,
        key=key,
    )


def _field(conflict: past.Conflict) -> str:
    """Name the field to look at first: the cell, or the sum of its row or column."""
    if conflict.deal is None:
        return "grid" if conflict.seat is None else f"total-{conflict.seat}"
    seat = conflict.seat
    return f"sum-{conflict.deal}" if seat is None else f"cell-{conflict.deal}-{seat}"
