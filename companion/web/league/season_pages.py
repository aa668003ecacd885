"""The seasons of a league: years by themselves, and stretches of dates that its owner makes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue as Page
from wtforms import Form

from companion.cards import Refusal
from companion.games.game_season import SeasonRow, seasons
from companion.people import season_dates
from companion.people.actions import league_actions, was_done
from companion.people.season_dates import SeasonDates
from companion.store.authors import Author
from companion.store.dates import DateError, read_day
from companion.store.models import db
from companion.web.frame.forms import Faults, KeyForm, TextField, see_other
from companion.web.frame.undoing import offer_undo
from companion.web.middleware.guard import author_in, my_league, needs

blueprint = Blueprint("seasons", __name__, url_prefix="/league/seasons")
offer_undo(blueprint, season_dates.undo)


class DatesError(Refusal):
    """Days that cannot be read, with a sentence for each of their fields."""

    def __init__(self, faults: Faults) -> None:
        super().__init__(faults[0][1])
        self.faults = faults


class DatesForm(Form):
    """The name and the days of a season, as they are typed."""

    name = TextField()
    starts = TextField()
    ends = TextField()

    def dates(self) -> SeasonDates:
        """Read the dates; raises `DatesError`."""
        days: dict[str, date | None] = {}
        faults = []
        for field, text in (("starts", self.starts.text), ("ends", self.ends.text)):
            try:
                days[field] = read_day(text) if text or field == "starts" else None
            except DateError as fault:
                words = str(fault) if text else "Enter the first day of the season."
                faults.append((f"{field}-on", words))
        if faults or not (starts := days["starts"]):
            raise DatesError(faults)
        return SeasonDates(self.name.text, starts, days["ends"])


class SeasonForm(KeyForm, DatesForm):
    """A season as it is to be."""


def _typed(season: SeasonRow) -> DatesForm:
    """Show a season as it would be typed."""
    ends = season.ends_on.isoformat() if season.ends_on else ""
    return DatesForm(name=season.name, starts=season.starts_on.isoformat(), ends=ends)


@blueprint.get("")
def show() -> Page:
    """List the seasons, and let the owner make one."""
    return _list_page(DatesForm())


@blueprint.post("")
@needs("owner")
def create() -> Page:
    """Make a season of the league's own."""
    form = SeasonForm(request.form)
    try:
        key = form.checked().own_key
        season_dates.make_season(author_in(my_league()), key, form.dates())
    except Refusal as fault:
        return _list_page(form, fault), 422
    return see_other("seasons.show")


@blueprint.get("/<int:season_id>")
@needs("owner")
def edit(season_id: int) -> Page:
    """Offer to change a season of the league's own, or to take it away."""
    season = _find(season_id)
    if season is None:
        abort(404)
    return _season_page(season, _typed(season))


@blueprint.post("/<int:season_id>")
@needs("owner")
def change(season_id: int) -> Page:
    """Change the name or dates of a season of the league's own."""
    form = SeasonForm(request.form)

    def save(author: Author, seen: SeasonDates) -> None:
        season_dates.change_season(author, form.own_key, season_id, seen, form.dates())

    return _saved(season_id, form, save, form)


@blueprint.post("/<int:season_id>/drop")
@needs("owner")
def drop(season_id: int) -> Page:
    """Take a season of the league's own away."""
    form = KeyForm(request.form)

    def save(author: Author, seen: SeasonDates) -> None:
        season_dates.drop_season(author, form.own_key, season_id, seen)

    return _saved(season_id, form, save)


def _saved(
    season_id: int,
    form: KeyForm,
    save: Callable[[Author, SeasonDates], None],
    typed: DatesForm | None = None,
) -> Page:
    """Change a season as it was seen, or show it again with what stands in the way.

    Where it was taken away meanwhile, what was done before is done, and the rest stays.
    """
    league, season = my_league(), _find(season_id)
    if season is None and not was_done(db.session(), league.league_id, form.own_key):
        words = "Someone else removed this season. You can save what you entered as a new one."
        return _list_page(typed or DatesForm(), Refusal(words)), 409
    if season:
        try:
            form.checked()
            save(author_in(league), DatesForm(request.form, prefix="seen_").dates())
        except LookupError:
            abort(404)
        except Refusal as fault:
            return _season_page(season, typed or _typed(season), fault), fault.status
    return see_other("seasons.show")


def _find(season_id: int) -> SeasonRow | None:
    """Find a season of the league's own."""
    known = seasons(db.session(), my_league().league_id)
    return next((row for row in known if row.own and row.season_id == season_id), None)


def _list_page(typed: DatesForm, fault: Refusal | None = None) -> str:
    league = my_league()
    known = seasons(db.session(), league.league_id)
    return render_template(
        "league/seasons.html",
        league=league,
        own=[row for row in known if row.own],
        years=[row for row in known if not row.own],
        acts=league_actions(db.session(), league.league_id, season_dates.UNDOING),
        typed=typed,
        faults=_faults(fault),
    )


def _season_page(season: SeasonRow, typed: DatesForm, fault: Refusal | None = None) -> str:
    return render_template(
        "league/season.html",
        season=season,
        seen=_typed(season),
        typed=typed,
        faults=_faults(fault),
    )


def _faults(fault: Refusal | None) -> Faults:
    """List the sentences of a refusal with the field that each is about."""
    if isinstance(fault, DatesError):
        return fault.faults
    return [("name", str(fault))] if fault else []
