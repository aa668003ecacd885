"""Paper to write on: blank score sheets, and the form on which a player keeps a record."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.rules import Variant, house_differences
from companion.rules.field_text import rule_fields
from companion.scoring.blank_sheet import blank_sheet, sheet_sizes
from companion.web.frame.forms import asked_number
from companion.web.middleware.guard import public

from .rule_pages import wanted_rules

blueprint = Blueprint("paper", __name__, url_prefix="/rules/<key>")

AT_THE_FOOT = (
    "scoring.knock.limit",
    "scoring.knock.below",
    "scoring.knock.penalty",
    "scoring.instant_win.name",
    "ending.eliminate.at",
    "ending.target",
    "ending.winner",
)
"""What is looked up while scores are written down, beside what cards count."""
USUAL_TABLE = 4
MOST_DIFFERENCES = 12
RECORD_ROWS = 24


@blueprint.get("/sheet")
@public
def sheet(key: str) -> str:
    """Show a blank score sheet for so many players, which prints on one sheet of paper."""
    wanted = wanted_rules(key)
    variant = wanted.variant
    by_path = {fact.path: fact for fact in rule_fields(variant)}
    return render_template(
        "rules/sheet.html",
        wanted=wanted,
        variant=variant,
        sheet=blank_sheet(variant, _players(variant)),
        sizes=sheet_sizes(variant),
        shown=[by_path[path] for path in AT_THE_FOOT if path in by_path],
        differences=house_differences(variant)[:MOST_DIFFERENCES],
    )


def _players(variant: Variant) -> int:
    """Return for how many players a sheet is asked, or how many usually sit at a table."""
    sizes = sheet_sizes(variant)
    players = asked_number("players")
    if players is not None and players in sizes:
        return players
    return min(max(USUAL_TABLE, sizes[0]), sizes[-1])


@blueprint.get("/record")
@public
def record(key: str) -> str:
    """Show the form on which a player writes down every game: date, opponents, score, place."""
    wanted = wanted_rules(key)
    return render_template(
        "rules/record.html", wanted=wanted, variant=wanted.variant, rows=RECORD_ROWS
    )
