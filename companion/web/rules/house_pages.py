"""House rules: what a family plays otherwise, and the games it makes itself."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue as Page
from werkzeug.wrappers import Response

from companion.cards import Refusal
from companion.games.writer import StaleError
from companion.melds import RANKS
from companion.people import house_rules
from companion.people.house_rules import SavedRules
from companion.rules import (
    Variant,
    VariantError,
    load,
)
from companion.rules.field_text import offered
from companion.rules.form_fields import GROUPS, fields, shown
from companion.rules.form_reader import OWN, FieldFault, read_form, row_numbers
from companion.rules.house import LONGEST_FILE, as_own, book_of, read_toml, write_toml
from companion.rules.variant import Choice
from companion.web.frame.forms import SEND_AGAIN, OrdinalField, SafeForm, see_other
from companion.web.frame.my_variants import is_own, my_house, my_variant
from companion.web.middleware.guard import current_author, current_writer, needs, public

from .rule_pages import house_facts

blueprint = Blueprint("house", __name__, url_prefix="/house")


class HouseForm(SafeForm):
    """The rules of a game of one's own, as many fields as the game has; read by `read_form`."""

    revision = OrdinalField()


ASKED_MOST = 5
"""So many choices, the first of a game's, are what families change; the others are folded."""
OTHER_SUBJECTS = "Players, decks and deals"


def _folded(choices: Sequence[Choice], chosen: Container[str]) -> dict[str, list[Choice]]:
    """Sort choices by what they change; those asked most, and those taken, come first under ""."""
    found: dict[str, list[Choice]] = {"": []}
    for number, choice in enumerate(choices):
        changed = next((key for option in choice.options for key in option.changes), "")
        is_first = number < ASKED_MOST or choice.key in chosen
        subject = "" if is_first else GROUPS.get(changed, OTHER_SUBJECTS)
        found.setdefault(subject, []).append(choice)
    return found


@blueprint.get("/<key>")
@public
def show(key: str) -> Page:
    """Show what this house plays otherwise, and let it choose."""
    return _house_page(key)


def _house_page(key: str, notice: str = "") -> str:
    variant = my_variant(key)
    return render_template(
        "house/house.html",
        variant=variant,
        notice=notice,
        is_saved="saved" in request.args,
        folded=_folded(offered(variant), variant.chosen),
        own=is_own(variant),
        book=book_of(variant),
        **house_facts(variant),
    )


@blueprint.post("/<key>")
@needs("scorekeeper", strangers=True)
def choose(key: str) -> Page:
    """Keep the house's choices in a game of the catalogue."""
    try:
        book = load(key)
    except VariantError:
        abort(404)
    if not SafeForm(request.form).validate():
        return _house_page(key, notice=SEND_AGAIN), 422
    sent = {choice.key: request.form.get(f"rule-{choice.key}") for choice in book.choices}
    chosen = {key: text for key, text in sent.items() if text}
    house_rules.keep_choices(current_writer(), key, chosen)
    return see_other("house.show", key=key, saved=1)


@blueprint.get("/<key>/new")
@needs("scorekeeper", strangers=True)
def new(key: str) -> Page:
    """Open the form of a new game, filled in from the game it begins with."""
    base = my_variant(key)
    if not base.has_cards:
        return redirect(url_for("any_game.new"), 302)
    return _form_page(base, _begun(base), [])


@blueprint.post("/<key>/new")
@needs("scorekeeper", strangers=True)
def create(key: str) -> Page:
    """Look a new game over, then keep it."""
    base = my_variant(key)
    if not base.has_cards:
        abort(404)
    return _checked_or_saved(base)


@blueprint.get("/<key>/edit")
@needs("scorekeeper")
def edit(key: str) -> Page:
    """Open the form of a game of one's own as it stands."""
    house = _own(key)
    if not house.variant.has_cards:
        return redirect(url_for("any_game.edit", key=key), 302)
    return _form_page(house.variant, shown(house.variant), [], house=house)


@blueprint.post("/<key>/edit")
def change(key: str) -> Page:
    """Look a changed game over, then keep it; games in progress keep their rules."""
    house = _own(key)
    if not house.variant.has_cards:
        abort(404)

    return _checked_or_saved(house.variant, house)


def _checked_or_saved(base: Variant, house: SavedRules | None = None) -> Page:
    """Show what the rules that were sent mean, or save them; their faults stand beside them."""
    form, sent = HouseForm(request.form), request.form.to_dict()
    try:
        revision = form.checked().revision.number or 0
        variant, faults = read_form(base, sent, house.key if house else f"{OWN}new")
        if variant is None:
            return _form_page(base, sent, faults, house=house), 422
        house_rules.refuse_known_name(variant.name)
        if sent.get("step") != "save":
            return _form_page(base, sent, [], variant, house)
        if house:
            house_rules.change_house(current_author(), house.key, revision, variant)
            return see_other("rules.card", key=house.key)
        return see_other("rules.card", key=house_rules.add_house(current_writer(), variant))
    except Refusal as fault:
        words = str(fault)
        if house and isinstance(fault, StaleError):
            words = f"{fault} Check yours again, or reload the page to see theirs."
            # Who has read the sentence and saves once more means it.
            sent["revision"] = str(house.revision)
        return _form_page(base, sent, [FieldFault("name", words)], house=house), fault.status


@blueprint.post("/<key>/drop")
def drop(key: str) -> Page:
    """Put a game of one's own away, or go back to the book."""
    if SafeForm(request.form).validate() and my_house(key):
        house_rules.drop_house(current_author(), key)
    return see_other("rules.index")


@blueprint.get("/<key>/file")
@public
def file(key: str) -> Response:
    """Return the game as a file to pass on."""
    variant = my_variant(key)
    name = f'attachment; filename="{variant.key}.toml"'
    headers = {"Content-Disposition": name}
    return Response(write_toml(variant), mimetype="application/toml", headers=headers)


@blueprint.get("/files")
@needs("scorekeeper", strangers=True)
def import_page() -> Page:
    """Ask for the file of a game that somebody passed on."""
    return render_template("house/import.html", text="", faults=[])


@blueprint.post("/files")
@needs("scorekeeper", strangers=True)
def take_file() -> Page:
    """Read a game that somebody passed on, and show it before it is kept."""
    uploaded = request.files.get("file")
    # The limit counts letters, and a letter of UTF-8 has up to four bytes.
    raw = uploaded.read(LONGEST_FILE * 4) if uploaded else b""
    text = raw.decode("utf-8", errors="replace") or request.form.get("text", "")
    try:
        SafeForm(request.form).checked()
        variant = as_own(read_toml(text))
        house_rules.refuse_known_name(variant.name)
        made = house_rules.add_house(current_writer(), variant)
    except Refusal as fault:
        faults = [("text", words) for words in str(fault).split("\n")]
        page = render_template("house/import.html", text=text[:LONGEST_FILE], faults=faults)
        return page, 422
    return see_other("house.show", key=made)


def _own(key: str) -> SavedRules:
    house = my_house(key)
    if house is None or not house.is_own:
        abort(404)
    return house


def _form_page(
    base: Variant,
    sent: Mapping[str, str],
    faults: list[FieldFault],
    variant: Variant | None = None,
    house: SavedRules | None = None,
) -> str:
    """Show the form as it was sent, with its faults, or with what the new rules mean.

    What was changed, or is wrong, is open; the rest is opened by whoever wants it.
    """
    before = shown(base) if house else _begun(base)
    wrong = dict(faults)
    groups = fields(base)
    changed = _changed(before, sent)
    return render_template(
        "house/form.html",
        base=base,
        form=sent,
        groups={
            title: [field for field in group if field.path not in ELSEWHERE]
            for title, group in groups.items()
        },
        wilds=next((f for group in groups.values() for f in group if f.path == WILDS), None),
        rows={what: row_numbers(sent, what, more) for what, more in MORE.items()},
        more=MORE,
        changed=changed,
        touched=[name.removeprefix("f.") for name in [*changed, *wrong]],
        faults=faults,
        wrong=wrong,
        variant=variant,
        house=house,
        ranks=list(RANKS),
        **(house_facts(variant) if variant else {}),
    )


def _begun(base: Variant) -> dict[str, str]:
    """Return the form of a new game: its nearest game, whose summary may not hold for it."""
    return shown(base) | {"name": "", "summary": f"Made from {base.name}."}


def _changed(before: Mapping[str, str], sent: Mapping[str, str]) -> list[str]:
    """Name the fields that were changed; what a bonus without a name would be is none."""
    return [
        name
        for name, text in sent.items()
        if name != "name"
        and text != before.get(name, "")
        and (name in before or _is_filled(name, sent))
    ]


def _is_filled(name: str, form: Mapping[str, str]) -> bool:
    row = name.rpartition(".")[0]
    return not row.startswith("bonus.") or bool(
        form.get(f"{row}.name") or form.get(f"{row}.points")
    )


MORE = {"pack": 1, "deal": 3, "bonus": 2}
WILDS = "melds.wilds"
ELSEWHERE = (WILDS, "ending.deals")
"""Asked beside what cards count, and above the deals."""
