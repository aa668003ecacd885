"""The judge: can I go down, may I knock, can I go out; and hands to practise on."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, abort, render_template, request
from msgspec import Struct

from companion.cards import Pack, Refusal
from companion.games.reading import StoredGame
from companion.games.shown.game_lists import list_games
from companion.rules import Variant
from companion.scoring.judging.judge import judge_hand
from companion.scoring.judging.practice import practice_hand
from companion.scoring.judging.verdict import Verdict
from companion.scoring.played import NextDeal
from companion.spoken import hear_hand
from companion.store.models import db
from companion.web.frame.forms import Faults, asked, asked_number, new_key, noting
from companion.web.frame.my_variants import is_own
from companion.web.middleware.gates import JUDGE_SECONDS, OWN_GAME_SECONDS, judge_slot
from companion.web.middleware.guard import my_leagues, public

from .judge_offline import offline_page
from .rule_pages import wanted_rules

blueprint = Blueprint("judge", __name__, url_prefix="/rules/<key>")
NO_CARDS = "Tap the cards that you hold first."


class Bench(Struct, frozen=True):
    """What is judged: a game's rules, the deal, the cards in play and the asking player's seat."""

    variant: Variant
    step: int
    pack: Pack
    game: StoredGame | None = None
    seat: int = 0

    @property
    def seconds(self) -> float:
        """How long the judge may think about a hand."""
        return OWN_GAME_SECONDS if is_own(self.variant) else JUDGE_SECONDS

    @property
    def scores(self) -> Sequence[int]:
        """The scores of all seats, or of a player who begins."""
        return self.game.record.standing().totals if self.game else (0,)


# By GET, so that an answer can be reloaded and its address passed on.
@blueprint.get("/judge")
@public
def judge(key: str) -> str:
    """Judge a hand; without one, ask for it."""
    bench = _bench(key)
    if _must_wait():
        return render_template("rules/wait.html", variant=bench.variant)
    typed, piled = asked("hand"), asked("pile")
    verdict, faults = None, Faults()
    with noting(faults, "hand"):
        if typed:
            verdict = _judged(bench, typed, piled)
        elif "hand" in request.args:
            raise Refusal(NO_CARDS)
    return render_template(
        "rules/judge.html",
        bench=bench,
        variant=bench.variant,
        hand=typed,
        pile=piled,
        verdict=verdict,
        faults=faults,
        offline=offline_page(bench.variant, bench.pack, bench.scores),
    )


def _judged(bench: Bench, typed: str, piled: str) -> Verdict:
    hand, pile = hear_hand(typed), hear_hand(piled)
    score = bench.scores[bench.seat]
    with judge_slot(bench.seconds):
        return judge_hand(bench.variant, bench.step, hand, bench.pack, score=score, pile=pile)


@blueprint.get("/practice")
@public
def practice(key: str) -> str:
    """Show a hand to practise on, and the proof after an answer."""
    bench = _bench(key)
    seed = asked("hand")[:24] or new_key()
    answer = asked("answer")
    verdict = None
    try:
        with judge_slot(bench.seconds):
            hand = practice_hand(bench.variant, bench.step, bench.pack, seed)
            if answer in ("yes", "no"):
                verdict = judge_hand(bench.variant, bench.step, hand, bench.pack)
    except Refusal as fault:
        return render_template("rules/unjudged.html", variant=bench.variant, words=str(fault))
    return render_template(
        "rules/practice.html",
        bench=bench,
        variant=bench.variant,
        seed=seed,
        hand=hand,
        verdict=verdict,
        right=verdict is not None and verdict.yes == (answer == "yes"),
    )


def _bench(key: str) -> Bench:
    """Find the rules and the deal that are asked about: of a game, or of the book."""
    wanted = wanted_rules(key)
    variant, game = wanted.variant, wanted.game
    if not variant.has_cards:
        abort(404)
    if game is None:
        players = max(variant.players.min, min(4, variant.players.max))
        return Bench(variant, _number("deal", len(variant.deals), 1), variant.pack(players))
    seat = _number("seat", len(game.names) - 1, 0, least=0)
    usual = _step(game.record.standing().upcoming, seat)
    step = _number("deal", len(variant.deals), usual)
    return Bench(variant, step, game.record.pack, game, seat)


def _step(upcoming: NextDeal | None, seat: int) -> int:
    """Return which contract a seat is on: that of the deal, or one of its own."""
    if upcoming is None:
        return 1
    return upcoming.steps[seat] if upcoming.steps else upcoming.step


def _number(name: str, most: int, default: int, *, least: int = 1) -> int:
    number = asked_number(name)
    return default if number is None else max(least, min(number, most))


def _must_wait() -> bool:
    """Return whether this league's judge answers only after the deal, and one is being played."""
    return any(
        not league.judge_during_deal
        and list_games(db.session(), league.league_id, status="running", most=1)
        for league in my_leagues()[:1]
    )
