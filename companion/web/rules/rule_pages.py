"""The rules: choosing a game, the card for the table, the whole book, one rule by its id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from flask import Blueprint, Response, abort, g, redirect, render_template, request, url_for
from msgspec import Struct
from werkzeug.wrappers import Response as WerkzeugResponse

from companion.games.reading import StoredGame
from companion.games.shown.game_search import GameQuery, find_games
from companion.rules import (
    Variant,
    advice,
    all_games,
    card_games,
    compared,
    following_differences,
    house_differences,
    load_examples,
    missing_games,
)
from companion.rules.book import SECTIONS, Book, RuleEntry, load_book
from companion.rules.card_values import what_counts
from companion.rules.catalogue import games_beginning, load
from companion.rules.examples import Examples, WorkedDeal, WorkedGame, WorkedHand
from companion.rules.field_text import RuleField, rule_fields, span, tables
from companion.rules.house import book_of
from companion.rules.placeholders import counted, fill
from companion.rules.search import LONGEST, Reply
from companion.rules.search import search as search_book
from companion.rules.search import search_all as search_every_book
from companion.rules.variant import Choice
from companion.rules.words import value_rows, value_signs
from companion.scoring.knock import knock_table
from companion.store.models import db
from companion.web.frame.forms import asked, asked_number
from companion.web.frame.my_variants import is_own, my_house, my_variant, my_variants
from companion.web.frame.phone_settings import phone_setting
from companion.web.middleware.guard import i_may, my_game, my_leagues, public

from .answering import Headline, headline

Worked = TypeVar("Worked", WorkedHand, WorkedDeal, WorkedGame)
blueprint = Blueprint("rules", __name__, url_prefix="/rules")
blueprint.add_app_template_global(value_rows)
blueprint.add_app_template_global(value_signs)
blueprint.add_app_template_filter(lambda variant: (variant.key, variant.name), "key_and_name")

ON_THE_CARD = (
    ("melds.wilds",),
    ("melds.ace",),
    ("melds.same_suit_runs",),
    ("pickup.limit", "pickup.allowed"),
    ("turn.layoff",),
    ("joker_trade.when",),
    ("scoring.knock.limit",),
    ("scoring.knock.penalty", "scoring.knock.penalty_mode"),
    ("scoring.knock.rummy",),
    ("scoring.instant_win.name",),
    ("scoring.zips.min_cards",),
    ("scoring.zips.keep_discard",),
    ("turn.stock_out",),
    ("ending.eliminate.at",),
    ("ending.winner",),
)
"""What is asked most at the table: of each line the first field that the game has."""


class ShownRules(Struct, frozen=True):
    """The rules that a page shows: of a running game, or of the book and the league's house."""

    variant: Variant
    game: StoredGame | None

    @property
    def game_id(self) -> int | None:
        """The number of the running game, for links that stay with it."""
        return self.game.game_id if self.game else None

    @property
    def has_house(self) -> bool:
        """Whether there is a page of this game's house: a game put away has none."""
        return not is_own(self.variant) or my_house(self.variant.key) is not None

    @property
    def book(self) -> Book:
        """The rules in words."""
        return load_book(self.variant)


@blueprint.get("")
@public
def index() -> str:
    """Help a table to choose a game: who plays, how long, what they know already.

    Where it is asked for to `play` one, what was played last stands first.
    """
    players, length, known = asked_number("players"), asked("length"), asked("known")
    base = next((variant for variant in card_games() if variant.key == known), None)
    games = [game for game in my_variants() if _fits(game, players, length)]
    last = _played_last() if asked("play") else []
    return render_template(
        "rules/index.html",
        play=asked("play"),
        games=games,
        groups=[
            ("last", [game for key in last for game in games if game.key == key]),
            ("rummy", [game for game in games if game.has_cards and game.key not in last]),
            ("points", [game for game in games if not game.has_cards and game.key not in last]),
        ],
        differing=_differing,
        shelf=card_games(),
        players=players,
        length=length,
        known=base,
        missing=missing_games(),
    )


MOST_LAST = 3
"""So many games that were played last stand before the others."""


def _played_last() -> list[str]:
    """List the keys of what this phone's league played last, the latest first."""
    league = next(iter(my_leagues()), None)
    if league is None:
        return []
    found = find_games(db.session(), league.league_id, GameQuery(), most=12).games
    return list(dict.fromkeys(game.variant_key for game in found))[:MOST_LAST]


SHORT = 4
"""A game of at most so many deals is a short one."""


def _fits(variant: Variant, players: int | None, length: str) -> bool:
    if players is not None and not variant.players.min <= players <= variant.players.max:
        return False
    if length == "short":
        return variant.deal_count is not None and variant.deal_count <= SHORT
    return length != "long" or variant.deal_count is None or variant.deal_count > SHORT


def _differing(variant: Variant, known: Variant | None) -> list[str]:
    """Say how a game differs from another that a table knows."""
    if known is None or known.key == variant.key or not variant.has_cards:
        return []
    differences = compared(variant, known).differences
    return [f"{difference.what}: {difference.ours}" for difference in differences]


@blueprint.get("/<key>")
@public
def card(key: str) -> Response:
    """Show the card for the table: this deal first, what cards count, what is asked most."""
    wanted = wanted_rules(key)
    return _rules_page("card" if wanted.variant.has_cards else "points", wanted)


def _card(wanted: ShownRules) -> str:
    variant = wanted.variant
    by_path = {fact.path: fact for fact in rule_fields(variant)}
    if any(deal.wilds is not None for deal in variant.deals):
        by_path.pop("melds.wilds", None)  # each deal has its own
    return render_template(
        "rules/card.html",
        own=is_own(variant),
        wanted=wanted,
        variant=variant,
        upcoming=wanted.game.record.standing().upcoming if wanted.game else None,
        shown=[
            by_path[first]
            for line in ON_THE_CARD
            if (first := next((path for path in line if path in by_path), None))
        ],
    )


OF_POINTS = ("scoring.points.", "ending.")
"""What there is to say of a game whose cards we don't know."""


def _points(wanted: ShownRules) -> str:
    variant = wanted.variant
    facts = [fact for fact in rule_fields(variant) if fact.path.startswith(OF_POINTS)]
    return render_template(
        "rules/points.html",
        span=span,
        own=is_own(variant),
        wanted=wanted,
        variant=variant,
        values=what_counts(variant),
        scored=fill(variant, "{scored}"),
        counted=counted(variant),
        rules=[entry for entry in wanted.book.entries if entry.own],
        choices={choice.key: choice for choice in variant.choices},
        shown=[*facts, *_bonuses(variant)],
    )


@blueprint.get("/<key>/book")
@public
def book(key: str) -> Response | WerkzeugResponse:
    """Show the whole book of a game, which prints as a booklet."""
    wanted = wanted_rules(key)
    if not wanted.variant.has_cards:
        return redirect(url_for(".card", key=key, game=wanted.game_id), 302)
    return _rules_page("book", wanted)


def _book(wanted: ShownRules) -> str:
    variant = wanted.variant
    examples = _examples(variant)
    return render_template(
        "rules/book.html",
        wanted=wanted,
        variant=variant,
        sections=SECTIONS,
        choices={choice.key: choice for choice in variant.choices},
        hands=_shown(variant, examples.hands),
        deals=_shown(variant, examples.deals),
        games=_shown(variant, examples.games),
        numbers=[*rule_fields(variant), *_bonuses(variant)],
        knock_table=knock_table,
        **house_facts(variant),
    )


def house_facts(variant: Variant) -> dict[str, Any]:
    """Say where a variant leaves its book, what follows from that, and what to know before play."""
    return {
        "differences": house_differences(variant),
        "following": following_differences(variant),
        "advice": advice(variant),
    }


@blueprint.get("/<key>/contracts")
@public
def contracts(key: str) -> Response:
    """Show the contract card alone, on one sheet for the wall."""
    wanted = wanted_rules(key)
    if not wanted.variant.has_contracts:
        abort(404)
    return _rules_page("contracts", wanted)


def _contracts(wanted: ShownRules) -> str:
    return render_template("rules/contracts.html", wanted=wanted, variant=wanted.variant)


PAGES = {"card": _card, "points": _points, "book": _book, "contracts": _contracts}
FRESH = 600
"""Seconds for which whoever has no phone in a league need not ask whether a book is still so."""


def _rules_page(page: str, wanted: ShownRules) -> Response:
    """Answer with a page of rules, or with 304 to a browser that has it."""
    # By value: under the same key a league with house rules has another variant.
    if wanted.game is None and wanted.variant in all_games():
        key = wanted.variant.key
        html = _shipped_page(page, key, request.script_root, i_may("viewer"), phone_setting("look"))
    else:
        html = PAGES[page](wanted)
    answer = Response(html, mimetype="text/html")
    # A cache on the way must not hand a member's page to a stranger.
    answer.vary.update(("Accept-Encoding", "Cookie"))
    if not request.cookies:
        answer.headers["Cache-Control"] = f"public, max-age={FRESH}"
        g.renews_cookie = False  # what may be stored for many gives nobody a cookie
    # Weak, for the same page has other bytes once it is packed.
    answer.add_etag(weak=True)
    answer.make_conditional(request)
    return answer


@lru_cache(maxsize=200)
def _shipped_page(page: str, key: str, script_root: str, is_member: bool, look: str) -> str:
    """Draw a page of a shipped game once: its rules stay as they are while the server runs.

    `script_root`, `is_member` and `look` stand in its links, its navigation and its frame.
    """
    return PAGES[page](ShownRules(load(key), None))


@blueprint.get("/<key>/rule/<rule>")
@public
def rule(key: str, rule: str) -> WerkzeugResponse:
    """Lead to a rule in the book by its permanent id, a retired one, or a reason's name for it."""
    wanted = wanted_rules(key)
    found = wanted.book.find(rule) if wanted.variant.has_cards else None
    if found is None:
        abort(404)
    return redirect(url_for(".book", key=key, game=wanted.game_id, _anchor=found.id), 302)


def wanted_rules(key: str) -> ShownRules:
    """Return the rules that a page asks for: the asking league's, or those of a running game."""
    number = asked_number("game")
    if number is not None and my_leagues():
        game, _ = my_game(number)
        return ShownRules(game.record.variant, game)
    return ShownRules(my_variant(key), None)


def _examples(variant: Variant) -> Examples:
    """Find a game's worked examples; one of the family's own shows none, for none was worked."""
    known = book_of(variant)
    return load_examples(known.key) if known and known.key == variant.key else Examples()


def _bonuses(variant: Variant) -> list[RuleField]:
    return [fact for fact in tables(variant) if fact.path.startswith("bonuses.")]


def _shown(variant: Variant, examples: Iterable[Worked]) -> list[tuple[Worked, list[str]]]:
    """Pick the examples to show, each with the house rules under which it was worked.

    A game with house rules of its own shows what was worked under exactly these; the book shows
    everything, what other houses play included.
    """
    if variant.chosen:
        return [(example, []) for example in examples if example.house == variant.chosen]
    return [(example, _house_words(variant, example.house)) for example in examples]


def _house_words(variant: Variant, house: Mapping[str, str | int | bool]) -> list[str]:
    choices = {choice.key: choice for choice in variant.choices}
    return [
        f"{choices[k].question} {choices[k].option(value).label}." for k, value in house.items()
    ]


@blueprint.get("/search")
@public
def search_all() -> str:
    """Answer a question from the game that it names, else from all."""
    question = asked("q")[:LONGEST]
    replies = search_every_book(question, _shelf())
    of_points = [reply.variant for reply in replies if not reply.variant.has_cards]
    return render_template(
        "rules/search_all.html",
        asked=question,
        named=games_beginning(question, my_variants()) or of_points,
        replies=[ShownReply(reply) for reply in replies],
    )


@blueprint.get("/<key>/search")
@public
def search(key: str) -> str:
    """Answer a question from the rules of this game, or of the one it is about."""
    wanted = wanted_rules(key)
    question = asked("q")[:LONGEST]
    return render_template(
        "rules/search.html",
        wanted=wanted,
        variant=wanted.variant,
        asked=question,
        reply=ShownReply(search_book(wanted.variant, question, _shelf())),
    )


def _shelf() -> list[Variant]:
    """List the games that have rules to ask, as this league plays them."""
    return [variant for variant in my_variants() if book_of(variant)]


class ShownReply(Struct, frozen=True, dict=True):
    """A reply as a page shows it."""

    reply: Reply

    @property
    def variant(self) -> Variant:
        """The game that answers."""
        return self.reply.variant

    @cached_property
    def best(self) -> RuleEntry:
        """The rule that answers."""
        return self.headline.rule if self.headline else self.reply.entries[0]

    @property
    def others(self) -> list[RuleEntry]:
        """The rules that come next."""
        return [entry for entry in self.reply.entries if entry != self.best]

    @cached_property
    def headline(self) -> Headline | None:
        """The answer in a few words, if it has one."""
        return headline(self.reply)

    @property
    def choices(self) -> dict[str, Choice]:
        """The house rules that this game offers, by their keys."""
        return {choice.key: choice for choice in self.variant.choices}
