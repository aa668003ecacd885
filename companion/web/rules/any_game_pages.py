"""Another game: one that we don't know, named and played in three taps, and kept in the league."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue as Page
from wtforms import StringField
from wtforms.validators import AnyOf, InputRequired, Length, ValidationError

from companion.cards import Refusal
from companion.people import house_rules
from companion.people.house_rules import SavedRules
from companion.rules import Variant, extend, load
from companion.rules.catalogue import ANY
from companion.rules.form_reader import OWN
from companion.rules.validation import LONGEST_NAME, MOST_DEALS, MOST_TOTAL
from companion.web.frame.forms import OrdinalField, SafeForm, TextField, read_ordinal, see_other
from companion.web.frame.my_variants import my_house
from companion.web.middleware.guard import current_author, current_writer, needs

blueprint = Blueprint("any_game", __name__, url_prefix="/games/another")
WRITTEN = {"points": "Points", "winner": "Just who won", "worth": "Who, and what it was worth"}
BEST = {"lowest": "Fewest points", "highest": "Most points"}
ENDS = {
    "until_stopped": "When we stop",
    "until_score": "At a score",
    "fixed": "After rounds",
    "until_one_left": "One is left under a score",
}
NO_CHOICE = "Not a valid choice."


class AnyGameForm(SafeForm):
    """What must be known of a game to keep its score: its name, who wins, how it ends."""

    name = StringField(
        validators=[InputRequired("Enter the name of the game."), Length(max=LONGEST_NAME)],
        filters=[lambda text: " ".join((text or "").split())],
    )
    written = TextField(default="points", validators=[AnyOf(WRITTEN, NO_CHOICE)])
    winner = TextField(default="lowest", validators=[AnyOf(BEST, NO_CHOICE)])
    ends = TextField(default="until_stopped", validators=[AnyOf(ENDS, NO_CHOICE)])
    number = TextField()
    revision = OrdinalField()

    def validate_number(self, field: StringField) -> None:
        """Ask for a number where the end needs one."""
        most = MOST_DEALS if self.ends.text == "fixed" else MOST_TOTAL
        if self.ends.text == "until_one_left" and self.written.text != "points":
            raise ValidationError("Without points nobody is out by them. Choose another end.")
        if self.ends.text != "until_stopped" and not 1 <= self.count <= most:
            raise ValidationError(f"Enter how many: 1 to {most:,}.")

    @property
    def count(self) -> int:
        """The number that was typed; 0 for none."""
        return read_ordinal(self.number.text.strip()) or 0

    @property
    def variant(self) -> Variant:
        """The game as it was described."""
        counted: dict[str, dict[str, Any]] = {
            "until_score": {"target": self.count},
            "fixed": {"deals": self.count},
            "until_one_left": {"winner": "last_standing", "eliminate": {"at": self.count}},
        }
        asks_points = self.written.text == "points"
        winner = self.winner.text if asks_points else "highest"
        ending = {"length": self.ends.text, "winner": winner}
        ending |= counted.get(self.ends.text, {})
        own = {"key": f"{OWN}new", "extends": ANY, "aliases": [], "verified": "read", "assumed": ""}
        points = int(self.written.text == "winner")
        won = {"key": "won", "name": "Won", "points": points, "who": "each"}
        scoring = {"entry": self.written.text, "bonuses": [] if asks_points else [won]}
        said = {"name": self.name.data, "summary": self._summary}
        return extend(load(ANY), own | said | {"ending": ending, "scoring": scoring})

    @property
    def _summary(self) -> str:
        is_of_winners = self.written.text == "winner"
        points = f"{self.count:,} {'wins' if is_of_winners else 'points'}"
        over = {
            "until_stopped": "It is over when you stop.",
            "until_score": f"It is over when someone has {points}.",
            "fixed": f"It has {self.count} rounds.",
            "until_one_left": f"The last one under {points} wins.",
        }[self.ends.text]
        has_rank = self.ends.text != "until_one_left"
        if self.written.text != "points":
            return f"{WRITTEN[self.written.text]}. {over}"
        return f"{BEST[self.winner.text]} win. {over}" if has_rank else over


@blueprint.get("")
@needs("scorekeeper", strangers=True)
def new() -> Page:
    """Ask what must be known of the game."""
    return _page(AnyGameForm())


@blueprint.post("")
@needs("scorekeeper", strangers=True)
def create() -> Page:
    """Keep the game in the league, and go on to who plays it."""
    return _saved(AnyGameForm(request.form))


@blueprint.get("/<key>")
@needs("scorekeeper")
def edit(key: str) -> Page:
    """Ask again, with what is known of one of the league's games."""
    house = _own(key)
    ending = house.variant.ending
    counts = {"until_score": ending.target, "fixed": ending.deals}
    count = counts.get(ending.length) or (ending.eliminate.at if ending.eliminate else 0)
    winner = "lowest" if ending.winner == "last_standing" else ending.winner
    form = AnyGameForm(
        name=house.variant.name,
        written=house.variant.scoring.entry,
        winner=winner,
        ends=ending.length,
        number=str(count or ""),
        revision=house.revision,
    )
    return _page(form, house)


@blueprint.post("/<key>")
@needs("scorekeeper")
def change(key: str) -> Page:
    """Change the game; games in progress keep the rules they began with."""
    return _saved(AnyGameForm(request.form), _own(key))


def _saved(form: AnyGameForm, house: SavedRules | None = None) -> Page:
    """Keep a game as it was described, or ask again with what stands in the way."""
    if form.validate():
        try:
            if house:
                key, revision = house.key, form.revision.number or 0
                house_rules.change_house(current_author(), key, revision, form.variant)
                return see_other("rules.card", key=key)
            house_rules.refuse_known_name(form.name.data or "")
            made = house_rules.add_house(current_writer(), form.variant)
            return see_other("home.new_game", key=made)
        except Refusal as fault:
            form.name.errors = [str(fault)]
    return _page(form, house), 422


def _own(key: str) -> SavedRules:
    house = my_house(key)
    if house is None or not house.is_own or house.variant.has_cards:
        abort(404)
    return house


def _page(form: AnyGameForm, house: SavedRules | None = None) -> str:
    return render_template(
        "rules/any_game.html",
        form=form,
        house=house,
        best=BEST,
        written=WRITTEN,
        ends=ENDS,
        faults=form.sentences(),
    )
