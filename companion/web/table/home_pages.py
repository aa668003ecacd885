"""Home and the start of a game: continue, play again, or seat the players of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.cards import Pack, Refusal
from companion.games import writer
from companion.games.changes import pack_for, stop
from companion.games.game_season import season_at, seasons
from companion.games.memberships import Membership
from companion.games.reading import load_games
from companion.games.shown.course_of_play import how_it_went
from companion.games.shown.game_lists import ListedGame, list_games, regulars
from companion.games.shown.game_search import GameQuery, find_games
from companion.games.shown.scoreboard import scoreboard
from companion.people import leagues
from companion.people.sample import add_sample
from companion.phones.links import add_game_link
from companion.rules import Variant, all_games, card_games, point_games
from companion.rules.words import dealing_words
from companion.statistics.standings import standings
from companion.store.authors import Writer
from companion.store.dates import clock_fault, today
from companion.store.models import db
from companion.web.frame.forms import (
    KeyForm,
    NewGameForm,
    SafeForm,
    new_key,
    see_other,
)
from companion.web.frame.my_variants import my_house, my_variant
from companion.web.middleware import guard
from companion.web.middleware.fault_pages import closed_page
from companion.web.middleware.gates import file_slot
from companion.web.middleware.guard import (
    author_in,
    current_writer,
    my_game,
    my_league,
    my_leagues,
    needs,
    public,
)
from companion.web.middleware.limits import count
from companion.web.middleware.newcomers import is_open, refuse_if_closed
from companion.web.middleware.server_keys import link_keys
from companion.web.middleware.user_agents import my_phone_name

blueprint = Blueprint("home", __name__)
MOST_RUNNING = 8
FIRST_GAME = "contract-rummy"
TOP = 3


@blueprint.get("/")
@public
def front() -> str:
    """Show a stranger what this is, and a family what to go on with."""
    league = next(iter(my_leagues()), None)
    return _home_page(league) if league else _front_page() if is_open() else closed_page()


def _front_page() -> str:
    variants = card_games()
    shown = [variant for variant in variants if not variant.extends]
    how_many = len(variants) + len(point_games())
    return render_template("home/front.html", variants=shown, how_many=how_many)


def _home_page(league: Membership) -> str:
    """Show the game in progress, the last evening, who leads, and the same table again."""
    session, league_id = db.session(), league.league_id
    running = list_games(session, league_id, status="running", most=MOST_RUNNING)
    all_seasons = seasons(session, league_id)
    season = season_at(all_seasons, today())
    last = next(
        iter(find_games(session, league_id, GameQuery(status="finished"), most=1).games), None
    )
    first = [game.game_id for game in (*running[:1], *([last] if last else []))]
    loaded = {game.game_id: game for game in load_games(session, first)}
    latest = loaded.get(running[0].game_id) if running else None
    ended = loaded.get(last.game_id) if last else None
    return render_template(
        "home/home.html",
        league=league,
        running=running,
        latest=latest,
        board=scoreboard(latest) if latest else None,
        last=last,
        ended=ended.record.variant if ended else None,
        how_it_went=how_it_went(ended.record) if ended else None,
        is_same_table=last is not None
        and any({*last.table[1]} <= {*game.people} for game in running),
        today=today(),
        clock_fault=clock_fault(running[0].started_at if running else None),
        next_key=_next_key([*running[:1], *([last] if last else [])]),
        season=season,
        leaders=standings(session, league_id, season.season_id, league.standings_variant)[:TOP]
        if season
        else [],
    )


def _next_key(latest: Sequence[ListedGame]) -> str:
    """Offer the game that was begun last, if it is still in the catalogue."""
    last = max(latest, key=lambda game: game.game_id, default=None)
    if last is None:
        return FIRST_GAME
    shelf = {variant.key for variant in all_games()}
    is_there = last.variant_key in shelf or my_house(last.variant_key)
    return last.variant_key if is_there else FIRST_GAME


@blueprint.post("/samples")
@public
def sample() -> Response:
    """Open a sample family of their own for a stranger."""
    if SafeForm(request.form).validate() and not my_leagues():
        # A sample is many writes: of several taps each waits its turn.
        with file_slot():
            add_sample(guard.opening_token(), my_phone_name())
    return see_other("home.example")


@blueprint.get("/samples")
@public
def example() -> Response:
    """Go to the end of one of the sample family's evenings, which is something to look at."""
    league = next((league for league in my_leagues()[:1] if league.is_sample), None)
    over = list_games(db.session(), league.league_id, status="finished") if league else []
    if over:
        return redirect(url_for("table.show", game_id=over[-1].game_id))
    return redirect(url_for("home.front"))


@blueprint.post("/games/<int:game_id>/put-away")
def put_away(game_id: int) -> Response:
    """End a game that nobody goes on with; it can be taken up again at any time."""
    game, author = my_game(game_id)
    form = KeyForm(request.form)
    if form.validate() and game.status == "running":
        writer.change_game(
            author,
            game_id,
            game.revision,
            form.own_key,
            "stopped",
            lambda record: stop(record, stopped=True),
        )
    return see_other("home.front")


@blueprint.post("/departures")
@needs("viewer")
def leave_sample() -> Response:
    """Leave the sample family to start a league of one's own."""
    league = my_league()
    if SafeForm(request.form).validate() and league.is_sample:
        leagues.leave_league(author_in(league))
    return see_other("home.front")


@blueprint.get("/games/new/<key>")
@public
def new_game(key: str) -> str:
    """Ask who plays."""
    if not guard.current_league():
        refuse_if_closed()
    variant = my_variant(key)
    form = NewGameForm(variant, key=new_key())
    return _new_game_page(variant, form)


@blueprint.post("/games/new/<key>")
@public
def start_game(key: str) -> str | Response | tuple[str, int]:
    """Start the game."""
    variant = my_variant(key)
    form = NewGameForm(variant, request.form)
    if not form.validate():
        return _new_game_page(variant, form), 422
    names, jokers = form.players, form.jokers.data
    book = variant.pack(len(names))
    pack = Pack(form.decks.data or book.decks, book.jokers if jokers is None else jokers)
    dealer = (form.dealer.number or 0) % len(names)
    try:
        who = current_writer(form.league_name.data or "")
        return _begin(who, form.own_key, variant, names, dealer, pack)
    except Refusal as fault:
        form.names.errors = [*form.names.errors, str(fault)]
        return _new_game_page(variant, form), 422


def _begin(
    who: Writer, key: str, variant: Variant, names: list[str], dealer: int, pack: Pack
) -> Response:
    """Start a game with the link by which its players sit down, and go to its table."""
    count("game")
    also = [partial(add_game_link, link_keys()[0])]
    saved = writer.start_game(who, key, variant, names, dealer, pack, also=also)
    return see_other("table.show", game_id=saved.game_id)


def _new_game_page(variant: Variant, form: NewGameForm) -> str:
    league = guard.current_league()
    teams = not variant.has_cards
    names = regulars(db.session(), league.league_id, teams=teams) if league else []
    return render_template(
        "home/new.html",
        dealing=dealing_words([deal.dealt for deal in variant.deals], variant.deal_word),
        variant=variant,
        form=form,
        regulars=names,
        league=league,
        watched=next((other for other in my_leagues()[:1] if other != league), None),
        faults=form.sentences(),
    )


@blueprint.post("/games/<int:game_id>/rematch")
def rematch(game_id: int) -> Response:
    """Start the same game again: same table and rules, the deal passes on to the left."""
    game, author = my_game(game_id)
    form = KeyForm(request.form)
    if not form.validate():
        return see_other("home.front")
    record = game.record
    stays = [seat for seat, stay in enumerate(record.seats) if stay.left is None]
    last = record.deals[-1].dealer if record.deals else record.first_dealer
    dealer = next((n for n, seat in enumerate(stays) if seat > last), 0)
    names = [game.lines[seat] for seat in stays]
    # The rules of old scores are cut to the deals that were played of them.
    variant = my_variant(record.variant.key) if record.variant.is_as_played else record.variant
    pack = pack_for(variant, record.pack, len(names))
    return _begin(author, form.own_key, variant, names, dealer, pack)
