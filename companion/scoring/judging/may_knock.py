"""What the judge says where hands end a deal: rummy, a knock, or what to draw (`H-3`, `H-4`).

A knock takes the place of a discard, so that a hand as it was dealt cannot knock: it draws first,
and what it draws counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.cards import Hand, Pack, Refusal
from companion.melds import Melding, MeldRules, best_after_discard, best_melds
from companion.rules import Variant
from companion.rules.variant import Knock
from companion.scoring.knock import knock_limit, wins_at_once

from .verdict import Verdict, drawable, draws_words, odds_words
from .verdict_words import say


class _Situation(NamedTuple):
    """What a hand is judged by: the game, its rules in this deal, and the asking player's limit."""

    variant: Variant
    knock: Knock
    rules: MeldRules
    score: int
    limit: int | None

    @property
    def goes_rummy_after_drawing(self) -> bool:
        """Whether a hand is shown after a draw, with one card to discard."""
        return self.knock.rummy != "start_of_turn"


def judge_knock(variant: Variant, step: int, hand: Hand, pack: Pack, score: int) -> Verdict:
    """Judge a hand of a game of knocking, its player's score at the start of the deal given.

    Raises `Refusal` for a hand of a size that nobody holds.
    """
    win, knock = variant.scoring.instant_win, variant.scoring.knock
    if knock is None:
        raise Refusal("Nobody knocks in this game.")
    if win and wins_at_once(variant, hand):
        return Verdict(yes=True, answer=say("wins", name=win.name), loose=hand)
    dealt = variant.deal(step).dealt
    limit = knock_limit(variant, score)
    situation = _Situation(variant, knock, variant.meld_rules(step), score, limit)
    if len(hand) == dealt:
        return _before_drawing(hand, situation, pack)
    if len(hand) == dealt + 1:
        return _after_drawing(hand, situation)
    raise Refusal(
        f"That is {len(hand)} cards: a hand has {dealt}, or {dealt + 1} once you have drawn."
    )


def _before_drawing(hand: Hand, situation: _Situation, pack: Pack) -> Verdict:
    """Judge a hand at the start of its turn: rummy, or which cards are worth drawing."""
    melding = best_melds(hand, situation.rules)
    if not melding.loose and situation.knock.rummy != "after_draw":
        return Verdict(yes=True, answer=say("rummy"), groups=melding.melds)
    unseen = drawable(hand, situation.rules, pack)
    helping = {
        card: copies for card, copies in unseen.items() if _ends_deal((*hand, card), situation)
    }
    ends = say("knock")
    if situation.goes_rummy_after_drawing or situation.limit is None:
        ends = say("end", deal=situation.variant.deal_word)
    first = "discard-first" if situation.knock.discards_first else "draw-first"
    shown = helping if len(helping) < len(unseen) else {}
    return Verdict(
        yes=False,
        answer=say(first, draws=draws_words(helping, unseen, ends)),
        groups=melding.melds,
        loose=melding.loose,
        helping=shown,
        notes=(_left_over(melding, situation), *odds_words(shown, unseen)),
    )


def _ends_deal(hand: Hand, situation: _Situation) -> bool:
    """Return whether a hand with the card drawn may knock or go rummy.

    A discard takes no more off than the dearest card counts: few hands need be asked for the best.
    """
    melding, may_knock = best_melds(hand, situation.rules), situation.limit is not None
    discards_first = may_knock and situation.knock.discards_first
    if situation.limit is not None and not discards_first and melding.points <= situation.limit:
        return True
    if not (discards_first or situation.goes_rummy_after_drawing):
        return False
    most = situation.limit if discards_first and situation.limit is not None else 0
    if melding.points - max(map(situation.rules.value, hand)) > most:
        return False
    best = best_after_discard(hand, situation.rules).melding
    return (discards_first and best.points <= most) or (
        situation.goes_rummy_after_drawing and not best.loose
    )


def _after_drawing(hand: Hand, situation: _Situation) -> Verdict:
    """Judge a hand with the card drawn."""
    limit, best = situation.limit, best_after_discard(hand, situation.rules)
    discard, kept_hand = best.discard, best.melding
    if situation.goes_rummy_after_drawing and not kept_hand.loose:
        answer = say("rummy-discard", card=discard.name)
        return Verdict(yes=True, answer=answer, groups=kept_hand.melds, loose=(discard,))
    melding = kept_hand if situation.knock.discards_first else best_melds(hand, situation.rules)
    may = limit is not None and melding.points <= limit
    discarding = (
        "discarding-instead" if may and not situation.knock.discards_first else "discarding"
    )
    notes = [say(discarding, card=discard.name, points=kept_hand.points)]
    return Verdict(
        yes=may,
        answer=say("yes" if may else "no", left=_left_over(melding, situation)),
        groups=melding.melds,
        loose=melding.loose,
        notes=(*notes, *(_warnings(melding.points, situation) if may else ())),
    )


def _warnings(points: int, situation: _Situation) -> Iterator[str]:
    """Say what a knock that the limit allows comes to all the same."""
    if not situation.knock.first_turn:
        yield say("first-turn")
    takes, after = situation.variant.ending.eliminate, situation.score + points
    if takes and takes.takes(after):
        yield say("knocked-out", total=after)


def _left_over(melding: Melding, situation: _Situation) -> str:
    if situation.limit is None:
        return say("left-rummy", points=melding.points)
    return say("left-limit", points=melding.points, limit=situation.limit)
