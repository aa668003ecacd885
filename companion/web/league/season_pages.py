"""The seasons of a league: years by themselves, and stretches of dates that its owner makes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import Form, StringField

from companion.cards import Refusal
from companion.games.game_season import SeasonRow, seasons
from companion.games.memberships import Membership
from companion.people import season_dates
from companion.people.actions import league_actions, was_done
from companion.people.season_dates import SeasonDates
from companion.store.dates import DateError, read_day
from companion.store.models import db
from companion.web.frame.forms import LONGEST_FIELD, SEND_AGAIN, KeyForm, new_key
from companion.web.frame.undoing import undone
from companion.web.middleware.guard import author_in, my_league, needs

blueprint = Blueprint("seasons", __name__, url_prefix="/league/seasons")
Page = str | Response | tuple[str, int]


def short(text: str | None) -> str:
    """Cut what was typed to what a field may have: the page of a refusal sends it back."""
    return (text or "")[:LONGEST_FIELD]


class DatesForm(Form):
    """The name and the days of a season, as they are typed."""

    name = StringField(filters=[short])
    starts = StringField(filters=[short])
    ends = StringField(filters=[short])

    def read(self) -> tuple[SeasonDates | None, list[tuple[str, str]]]:
        """Read the dates, or say what is wrong with each."""
        days: dict[str, date | None] = {}
        faults = []
        for field, text in (("starts", self.starts.data or ""), ("ends", self.ends.data or "")):
            try:
                days[field] = read_day(text) if text or field == "starts" else None
            except DateError as fault:
                words = "Enter the first day of the season."
                faults.append((f"{field}-on", str(fault) if text else words))
        starts = days.get("starts")
        if starts is None or faults:
            return None, faults
        return SeasonDates(self.name.data or "", starts, days["ends"]), []


class SeasonForm(KeyForm, DatesForm):
    """A season as it is to be."""


def _typed(season: SeasonRow) -> DatesForm:
    """Show a season as it would be typed."""
    ends = season.ends_on.isoformat() if season.ends_on else ""
    return DatesForm(name=season.name, starts=season.starts_on.isoformat(), ends=ends)


@blueprint.get("")
def show() -> Page:
    """List the seasons, and let the owner make one."""
    return _list_page(my_league(), DatesForm())


@blueprint.post("")
@needs("owner")
def create() -> Page:
    """Make a season of the league's own."""
    league, form = my_league(), SeasonForm(request.form)
    wanted, faults = form.read()
    if not form.validate():
        faults = [("name", SEND_AGAIN)]
    if faults or wanted is None:
        return _list_page(league, form, faults), 422
    try:
        season_dates.make_season(author_in(league), form.own_key, wanted)
    except Refusal as fault:
        return _list_page(league, form, [("name", str(fault))]), 422
    return redirect(url_for("seasons.show"), 303)


@blueprint.get("/<int:season_id>")
@needs("owner")
def edit(season_id: int) -> Page:
    """Offer to change a season of the league's own, or to take it away."""
    season = _own(my_league(), season_id)
    return _season_page(season, _typed(season))


@blueprint.post("/<int:season_id>")
@needs("owner")
def change(season_id: int) -> Page:
    """Change the name or dates of a season of the league's own."""
    league, form = my_league(), SeasonForm(request.form)
    season = _find(league, season_id)
    if season is None:
        return _already_removed(league, form, form)
    wanted, faults = form.read()
    if faults or wanted is None:
        return _season_page(season, form, faults), 422
    return _saved(
        season,
        form,
        form,
        lambda seen: season_dates.change_season(
            author_in(league), form.own_key, season_id, seen, wanted
        ),
    )


@blueprint.post("/<int:season_id>/drop")
@needs("owner")
def drop(season_id: int) -> Page:
    """Take a season of the league's own away."""
    league, form = my_league(), KeyForm(request.form)
    season = _find(league, season_id)
    if season is None:
        return _already_removed(league, form, DatesForm())
    return _saved(
        season,
        form,
        _typed(season),
        lambda seen: season_dates.drop_season(author_in(league), form.own_key, season_id, seen),
    )


@blueprint.post("/acts/<int:act_id>/undo")
@needs("owner")
def undo(act_id: int) -> Page:
    """Undo what was done to a season."""
    return undone(season_dates.undo, act_id, url_for("seasons.show"))


def _saved(
    season: SeasonRow, form: KeyForm, typed: DatesForm, save: Callable[[SeasonDates], None]
) -> Page:
    """Change a season as it was seen, or show it again with what stands in the way."""
    seen, _ = DatesForm(request.form, prefix="seen_").read()
    if not form.validate():
        return _season_page(season, typed, [("name", SEND_AGAIN)]), 422
    try:
        save(seen or SeasonDates("", season.starts_on))
    except LookupError:
        abort(404)
    except Refusal as fault:
        return _season_page(season, typed, [("name", str(fault))]), fault.status
    return redirect(url_for("seasons.show"), 303)


def _own(league: Membership, season_id: int) -> SeasonRow:
    """Find a season of the league's own; 404 where there is none."""
    found = _find(league, season_id)
    if found is None:
        abort(404)
    return found


def _find(league: Membership, season_id: int) -> SeasonRow | None:
    known = seasons(db.session(), league.league_id)
    return next((row for row in known if row.own and row.season_id == season_id), None)


def _already_removed(league: Membership, form: KeyForm, typed: DatesForm) -> Page:
    """Answer for a season taken away meanwhile: what was done before is done, the rest stays."""
    if was_done(db.session(), league.league_id, form.own_key):
        return redirect(url_for("seasons.show"), 303)
    words = "Someone else removed this season. You can save what you entered as a new one."
    return _list_page(league, typed, [("name", words)]), 409


def _list_page(
    league: Membership, typed: DatesForm, faults: list[tuple[str, str]] | None = None
) -> str:
    known = seasons(db.session(), league.league_id)
    return render_template(
        "league/seasons.html",
        league=league,
        own=[row for row in known if row.own],
        years=[row for row in known if not row.own],
        acts=league_actions(db.session(), league.league_id, season_dates.UNDOING),
        typed=typed.data,
        faults=faults or [],
        key=new_key(),
    )


def _season_page(
    season: SeasonRow, typed: DatesForm, faults: list[tuple[str, str]] | None = None
) -> str:
    return render_template(
        "league/season.html",
        season=season,
        seen=_typed(season).data,
        typed=typed.data,
        faults=faults or [],
        key=new_key(),
    )
