"""The league: who leads, the records, who beats whom, and every game played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue as Page
from markupsafe import Markup
from msgspec import Struct
from werkzeug.wrappers import Response

from companion.cards import Refusal
from companion.games.game_season import SeasonRow, days_of, season_at, seasons
from companion.games.shown.game_search import GameQuery, find_games
from companion.people import leagues
from companion.statistics.ratings import is_provisional, rating_range
from companion.statistics.records import longest_nights, longest_runs, records
from companion.statistics.rivals import MOST_COMPARED, Rival, in_grid, rivalries
from companion.statistics.standings import (
    PlayedVariant,
    StandingsRow,
    played_variants,
    standings,
)
from companion.store.dates import today
from companion.store.models import db
from companion.store.names import LONGEST
from companion.web.frame.forms import (
    OrdinalField,
    SafeForm,
    TextField,
    asked,
    asked_number,
    see_other,
)
from companion.web.frame.phone_settings import PHONE_SETTINGS
from companion.web.middleware.guard import (
    author_in,
    choose_league,
    cookie_name,
    my_league,
    my_leagues,
    needs,
    remember,
)

from .game_search_form import games_page

blueprint = Blueprint("league", __name__, url_prefix="/league")
blueprint.add_app_template_global(is_provisional)
blueprint.add_app_template_global(rating_range)
blueprint.add_app_template_filter(lambda one: (one.season_id, one.name), "season_option")
blueprint.add_app_template_filter(lambda one: (one.variant_key, one.name), "variant_option")
MOST_LISTED = 300


class LeagueForm(SafeForm):
    """What a league or one of its phones chooses, each thing with the field that it needs."""

    name = TextField()
    variant = TextField()
    chosen = TextField()
    league = OrdinalField()


@blueprint.get("")
def show() -> str:
    """Show the standings of a season, a game or a number of players, and the latest games."""
    league = my_league()
    known = seasons(db.session(), league.league_id)
    played = played_variants(db.session(), league.league_id)
    season = _season(known)
    variant = _variant(played, league.standings_variant)
    players = asked_number("players") or 0
    rows = standings(
        db.session(),
        league.league_id,
        season.season_id if season else 0,
        variant.variant_key if variant else "",
        players,
    )
    return render_template(
        "league/league.html",
        league=league,
        others=my_leagues()[1:],
        seasons=known,
        season=season,
        current=season_at(known, today()),
        played=played,
        variant=variant,
        counted=_called(played, league.standings_variant),
        players=players,
        sizes=sorted({size for one in played for size in one.sizes}),
        rows=rows[:MOST_LISTED],
        everybody=len(rows),
        games=find_games(db.session(), league.league_id, _games_of(season), most=5).games,
    )


def _season(known: list[SeasonRow]) -> SeasonRow | None:
    """Find the season asked for: the running one if none is named, none for all time."""
    if not asked("season"):
        return season_at(known, today())
    number = asked_number("season")
    return next((season for season in known if season.season_id == number), None)


def _games_of(season: SeasonRow | None) -> GameQuery:
    """Look for the games within a season's days, or for every game."""
    return GameQuery(since=season.starts_on, until=season.ends_on) if season else GameQuery()


def _called(played: list[PlayedVariant], key: str) -> PlayedVariant | None:
    return next((one for one in played if one.variant_key == key), None)


def _variant(played: list[PlayedVariant], usual: str = "") -> PlayedVariant | None:
    """Find the game asked for, or the `usual` one where none is named; none for all games."""
    return _called(played, asked("variant", usual))


@blueprint.get("/records")
def best() -> str:
    """Show the records of one variant, and those of the whole league."""
    league = my_league()
    played = played_variants(db.session(), league.league_id)
    variant = _variant(played) or (played[0] if played else None)
    key = variant.variant_key if variant else ""
    return render_template(
        "league/records.html",
        played=played,
        variant=variant,
        records=records(db.session(), league.league_id, key),
        nights=longest_nights(db.session(), league.league_id),
        runs=longest_runs(db.session(), league.league_id),
    )


@blueprint.get("/rivals")
def rivals() -> str:
    """Show who finishes above whom, everybody against everybody."""
    league = my_league()
    played = played_variants(db.session(), league.league_id)
    variant = _variant(played)
    key = variant.variant_key if variant else ""
    everybody = standings(db.session(), league.league_id, 0, key)
    people, known = in_grid(everybody), seasons(db.session(), league.league_id)
    are_many = sum(row.games for row in everybody) > MOST_COMPARED
    season = season_at(known, today()) if are_many else None
    days = days_of(season, known) if season else []
    grid = rivalries(db.session(), league.league_id, people, key, days)
    return render_template(
        "league/rivals.html",
        played=played,
        variant=variant,
        people=people,
        everybody=len(everybody),
        season=season,
        # A page for each game would be a further look at the evidence, which the bet did not count.
        grid=RivalGrid(people, grid, 0 if variant or season else len(everybody)),
    )


class RivalGrid(Struct, frozen=True):
    """Everybody against everybody; leads are proved among `compared` people, none where it is 0."""

    people: Sequence[StandingsRow]
    met: Mapping[int, Mapping[int, Rival]]
    compared: int

    def cells(self, row: StandingsRow, shapes: Mapping[str, str]) -> Markup:
        """Put one person's figures against each other into the shapes that the page draws."""
        met = self.met.get(row.person_id, {})
        plain = {name: str(shape) for name, shape in shapes.items()}
        cells = []
        for other in self.people:
            if rival := met.get(other.person_id):
                cells.append(plain[self._shape(rival)] % (rival.above, rival.games))
            else:
                cells.append(plain["self" if other is row else "never met"])
        return Markup("".join(cells))  # noqa: S704 - the page's own shapes and whole numbers

    def _shape(self, rival: Rival) -> str:
        if not rival.is_ahead:
            return "few" if rival.is_few else "level"
        if rival.is_few:
            return "few, ahead"
        return "proved" if self.compared and rival.is_proved(self.compared) else "ahead"


@blueprint.get("/games")
def games() -> str | tuple[str, int]:
    """List every game, or those that are looked for."""
    return games_page(my_league())


@blueprint.get("/settings")
def settings() -> str:
    """Show what this phone chose for itself, and to owners what the league did for its table."""
    league = my_league()
    played = played_variants(db.session(), league.league_id)
    return render_template("league/settings.html", league=league, played=played)


@blueprint.post("/standings")
@needs("owner")
def count_games() -> Response:
    """Choose the game that standings and ratings count, or all."""
    form = LeagueForm(request.form)
    if form.validate():
        leagues.choose_standings(author_in(my_league()), form.variant.text)
    return see_other("league.settings")


@blueprint.post("/settings/<what>")
@needs("owner")
def change_setting(what: str) -> Response:
    """Change one of the things that a league chooses for itself."""
    if what not in leagues.CHOICES:
        abort(404)
    form = LeagueForm(request.form)
    if form.validate():
        leagues.choose(author_in(my_league()), what, chosen=form.chosen.text == "1")
    return see_other("league.settings")


@blueprint.post("/phone/<what>")
@needs("viewer")
def change_phone_setting(what: str) -> Response:
    """Let a phone's browser remember what it chose for itself."""
    if what not in PHONE_SETTINGS:
        abort(404)
    form, answer = LeagueForm(request.form), see_other("league.settings")
    # A form may come without a chosen value; it changes nothing, and is no fault.
    if form.validate() and form.chosen.text in PHONE_SETTINGS[what]:
        remember(answer, cookie_name(what), form.chosen.text)
    return answer


@blueprint.get("/name")
@needs("owner")
def name() -> str:
    """Offer to rename the league, and to take back that it was."""
    league = my_league()
    before = asked("before")[:LONGEST]
    return _name_page(league.league_name, before if before != league.league_name else "")


def _name_page(name: str, before: str = "", *faults: Refusal) -> str:
    listed = [("name", str(fault)) for fault in faults]
    return render_template("league/name.html", name=name, before=before, faults=listed)


@blueprint.post("/name")
@needs("owner")
def rename() -> Page:
    """Give the league another name."""
    form = LeagueForm(request.form)
    try:
        before = leagues.rename_league(author_in(my_league()), form.checked().name.text)
    except Refusal as fault:
        return _name_page(form.name.text, "", fault), fault.status
    return see_other("league.name", before=before)


@blueprint.post("/choices")
@needs("viewer")
def choose() -> Response:
    """Look at another of this device's leagues from now on."""
    form, answer = LeagueForm(request.form), see_other("league.show")
    number = form.league.number
    if number in [league.league_id for league in my_leagues()] and form.validate():
        return choose_league(answer, number)
    return answer
