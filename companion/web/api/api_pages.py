"""The door for programs: people, games, standings and rules as JSON, and a deal to score.

A program comes with a token in the header `Authorization: Bearer …`; cookies count for nothing
here, so that no other site can use a browser's.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, request
from msgspec.structs import asdict

from companion.cards import Refusal
from companion.files.exchange.document import from_row
from companion.files.exchange.exporting import player_facts, players_of
from companion.games.changes import play_deal
from companion.games.game_season import seasons
from companion.games.reading import StoredGame, load_game, reported_at
from companion.games.record import Record
from companion.games.shown.game_lists import ListedGame
from companion.games.shown.game_search import STATUSES, GameQuery, find_games, read_key, write_key
from companion.games.writer import DoubtError, KeyUsedError
from companion.phones.hand_reports import save_deal
from companion.rules import to_data
from companion.rules.book import load_book
from companion.rules.contracts import contract_words
from companion.rules.words import list_words
from companion.scoring import Finding, TallyError
from companion.statistics.standings import StandingsRow, standings
from companion.store.models import db
from companion.web.frame.forms import asked
from companion.web.frame.my_variants import my_variant, my_variants
from companion.web.middleware.guard import PROGRAMS, my_game, my_league, needs, public

from . import shapes
from .description import describe
from .json_answers import UnreadableError, answers, as_json, sent

blueprint = Blueprint("api", __name__, url_prefix=f"{PROGRAMS}v1")
PAGE = 50


class NoSuchPageError(Refusal):
    """A key with which no page of games begins."""

    status = 404


@blueprint.get("/openapi.json")
@public
def openapi() -> Response:
    """Describe this door as OpenAPI 3.1; needs no token."""
    return jsonify(describe(blueprint.name))


@blueprint.get("/league")
@answers()
def league() -> shapes.LeagueAnswer:
    """Return the league that the token is for."""
    mine = my_league()
    return from_row(shapes.LeagueAnswer, mine, name=mine.league_name)


@blueprint.get("/players")
@answers()
def players() -> shapes.PlayersAnswer:
    """List everybody of the league."""
    everyone = players_of(db.session(), my_league().league_id)
    numbers = {player.id: player.id for player in everyone}
    facts = [player_facts(player, numbers) for player in everyone]
    return shapes.PlayersAnswer(players=facts)


@blueprint.get("/games")
@answers(status=shapes.OfStatus, older=shapes.PageKey)
def games() -> shapes.GamesAnswer:
    """List the games of the league, the latest evening first, a page at a time."""
    status, begins = asked("status"), asked("older")
    if status and status not in STATUSES:
        raise UnreadableError(f"A game is {list_words(STATUSES, 'or')}.")
    before = read_key(begins)
    if begins and before is None:
        raise NoSuchPageError("There is no such page: send `older` as the page before gave it.")
    wanted = GameQuery(status=status)
    found = find_games(db.session(), my_league().league_id, wanted, before=before, most=PAGE)
    older = write_key(found.older) or None
    return shapes.GamesAnswer(games=[_line(game) for game in found.games], older=older)


@blueprint.get("/table")
@answers()
def table() -> shapes.GameAnswer:
    """Return the game that is being played, the latest if there are several; 404 for none."""
    league_id = my_league().league_id
    running = find_games(db.session(), league_id, GameQuery(status="running"), most=1).games
    if not running:
        abort(404)
    return _game(load_game(db.session(), league_id, running[0].game_id))


@blueprint.get("/games/<int:game_id>")
@answers()
def game(game_id: int) -> shapes.GameAnswer:
    """Return a game as it stands, with every deal."""
    found, _ = my_game(game_id)
    return _game(found)


@blueprint.post("/games/<int:game_id>/deals")
@needs("scorekeeper")
@answers(takes=shapes.DealReport)
def score(game_id: int) -> shapes.GameAnswer:
    """Score the next deal, once for each key, and return the game after it.

    409 where the game was changed since its `revision`, or another deal has the key; 422 with
    `faults` where the rules forbid what was reported, and with `doubts` where it is odd and the
    program is not `sure`.
    """
    report, (found, author) = sent(shapes.DealReport), my_game(game_id)
    saved = save_deal(
        author,
        found.game_id,
        report.revision,
        None,
        report.key,
        lambda record: play_deal(record, report.lines),
        accepted=report.sure,
    )
    # This session read the game before the save, and would answer as it was then.
    db.session.rollback()
    # The same key for other hands: answered as the first time, the sender would believe
    # that a deal was scored which was not.
    if saved.repeated and reported_at(db.session(), game_id, saved.revision) != report.lines:
        raise KeyUsedError
    return _game(load_game(db.session(), found.league_id, found.game_id))


@blueprint.get("/standings")
@answers(season=shapes.SeasonName)
def ranking() -> shapes.StandingsAnswer:
    """Rank the people of the league by wins, then by average place."""
    league_id, name = my_league().league_id, asked("season")
    known = {one.name: one.season_id for one in seasons(db.session(), league_id)} | {"": 0}
    if name not in known:
        abort(404)
    rows = standings(db.session(), league_id, known[name])
    return shapes.StandingsAnswer(season=name, rows=[_person(row) for row in rows])


@blueprint.get("/rules")
@answers()
def shelf() -> shapes.RulesIndexAnswer:
    """List the games that the league can play, its own games first."""
    return shapes.RulesIndexAnswer(rules=[from_row(shapes.RulesLine, one) for one in my_variants()])


@blueprint.get("/rules/<key>")
@answers()
def rules(key: str) -> shapes.RulesAnswer:
    """Return a game's rules as the league plays it: as data, and its book if it has one."""
    variant = my_variant(key)
    entries = load_book(variant).entries if variant.has_cards else []
    book = [from_row(shapes.RuleText, one, rule=one.id) for one in entries]
    return from_row(shapes.RulesAnswer, variant, rules=to_data(variant), book=book)


def _line(game: ListedGame) -> shapes.GameLine:
    return from_row(
        shapes.GameLine,
        game,
        number=game.game_id,
        variant=game.variant_key,
        name=game.variant_name,
        players=game.names,
    )


def _game(game: StoredGame) -> shapes.GameAnswer:
    record, standing = game.record, game.record.standing()
    seats = [
        shapes.SeatAnswer(**asdict(seat), name=name, total=total, place=place)
        for seat, name, total, place in zip(
            record.seats, game.names, standing.totals, standing.places, strict=True
        )
    ]
    return from_row(
        shapes.GameAnswer,
        record,
        number=game.game_id,
        revision=game.revision,
        variant=record.variant.key,
        name=record.variant.name,
        started_at=game.started_at,
        seats=seats,
        deals=[deal.to_data() for deal in record.deals],
        winners=standing.winners,
        next=None if record.stopped else _next(record),
    )


def _next(record: Record) -> shapes.NextAnswer | None:
    standing = record.standing()
    if (upcoming := standing.upcoming) is None:
        return None
    return from_row(
        shapes.NextAnswer,
        upcoming,
        position=len(record.deals) + 1,
        contract=contract_words(upcoming.contract) if upcoming.contract else None,
        playing=standing.playing,
    )


def _person(row: StandingsRow) -> shapes.PersonAnswer:
    return from_row(
        shapes.PersonAnswer,
        row,
        number=row.person_id,
        wins=float(row.wins),
        average_place=float(row.average_place),
    )


@blueprint.errorhandler(Refusal)
def _refused(fault: Refusal) -> Response:
    return as_json(shapes.Refused(words=str(fault)), fault.status)


@blueprint.errorhandler(TallyError)
def _forbidden(fault: TallyError) -> Response:
    words = "The rules forbid what was reported."
    return as_json(shapes.Refused(words=words, faults=_findings(fault.findings)), fault.status)


@blueprint.errorhandler(DoubtError)
def _doubted(fault: DoubtError) -> Response:
    words = "This is odd. Send it as sure if it is right."
    return as_json(shapes.Refused(words=words, doubts=_findings(fault.change.doubts)), fault.status)


def _findings(found: tuple[Finding, ...]) -> list[shapes.Complaint]:
    """Say what was found with the names of the game that was asked about."""
    game, _ = my_game((request.view_args or {})["game_id"])
    return [
        shapes.Complaint(words=one.in_words(game.names), seats=list(one.seats)) for one in found
    ]
