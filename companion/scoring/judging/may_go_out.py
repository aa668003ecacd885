"""What the judge says where the first hand that is all melded ends the deal."""

from __future__ import annotations

from companion.cards import Card, Hand, Pack, Refusal
from companion.melds import Melding, MeldRules, best_after_discard, best_melds
from companion.rules import Variant

from .verdict import Verdict, drawable, draws_words, odds_words
from .verdict_words import say


def judge_going_out(variant: Variant, step: int, hand: Hand, pack: Pack) -> Verdict:
    """Judge a hand with the card drawn, or name what to draw.

    Raises `Refusal` for a hand of a size that nobody holds.
    """
    dealt, rules = variant.deal(step).dealt, variant.meld_rules(step)
    goout = variant.deal(step).goout
    if len(hand) not in (dealt, dealt + 1):
        raise Refusal(
            f"That is {len(hand)} cards: a hand has {dealt}, or {dealt + 1} once you have drawn."
        )
    if len(hand) > dealt and (way := find_way_out(hand, rules, goout)):
        melding, discard = way
        if discard is None:
            return Verdict(yes=True, answer=say("out"), groups=melding.melds)
        answer = say("out-discard", card=discard.name)
        return Verdict(yes=True, answer=answer, groups=melding.melds, loose=(discard,))
    melding = best_melds(hand, rules)
    left = say("left", points=melding.points)
    if len(hand) > dealt:
        best = best_after_discard(hand, rules)
        note = say("discarding", card=best.discard.name, points=best.melding.points)
        return Verdict(
            yes=False,
            answer=say("no", left=left),
            groups=melding.melds,
            loose=melding.loose,
            notes=(note,),
        )
    unseen = drawable(hand, rules, pack)
    helping = {card: n for card, n in unseen.items() if find_way_out((*hand, card), rules, goout)}
    shown = helping if len(helping) < len(unseen) else {}
    return Verdict(
        yes=False,
        answer=say("out-draw", draws=draws_words(helping, unseen, say("go-out"))),
        groups=melding.melds,
        loose=melding.loose,
        helping=shown,
        notes=(left, *odds_words(shown, unseen)),
    )


def find_way_out(
    hand: Hand, meld_rules: MeldRules, goout: str
) -> tuple[Melding, Card | None] | None:
    """Find melds of all cards, or of all but a discard, as the deal asks; None if there are none.

    A discard takes no more off than the dearest card counts: few hands need be asked for the best.
    """
    melding = best_melds(hand, meld_rules)
    if goout != "discard" and not melding.loose:
        return melding, None
    if goout == "no_discard" or melding.points > max(map(meld_rules.value, hand)):
        return None
    best = best_after_discard(hand, meld_rules)
    return None if best.melding.loose else (best.melding, best.discard)
