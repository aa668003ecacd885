"""What the judge says of one hand: an answer in words, and the cards that prove it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import Card, Hand, Pack, Refusal, sort_hand
from companion.melds import (
    Contract,
    Meld,
    best_zips,
    free_cards,
    go_out_discards,
    judge_contract,
    useful_discards,
)
from companion.melds.slots import MOST_CARDS
from companion.rules import DealRules, Variant

from .may_go_out import judge_going_out
from .may_knock import judge_knock
from .verdict import Verdict, drawable, odds_words
from .verdict_words import say, say_many


def question(variant: Variant) -> str:
    """Say what the judge is asked in this game."""
    match variant.scoring.entry:
        case "cards_left":
            return "Can I go down?"
        case "unmelded" if variant.scoring.knock:
            return "May I knock?"
        case _:
            return "Can I go out?"


def judge_hand(
    variant: Variant,
    step: int,
    hand: Hand,
    pack: Pack,
    *,
    score: int = 0,
    pile: Sequence[Card] = (),
) -> Verdict:
    """Judge a hand for a deal of the game; every card with its suit, in Zip at least its colour.

    `score` is the player's at the start of the deal, `pile` Zip's discards with the top last.
    Raises `Refusal` for a hand that this game cannot have.
    """
    _check(variant, hand, pack)
    match variant.scoring.entry:
        case "cards_left" | "payments":
            return _contract(variant, step, hand, pack)
        case "unmelded":
            if variant.scoring.knock is None:
                return judge_going_out(variant, step, hand, pack)
            return judge_knock(variant, step, hand, pack, score)
        case _:
            return _zips(variant, hand, pile)


def _check(variant: Variant, hand: Hand, pack: Pack) -> None:
    if not hand:
        raise Refusal("Enter the cards of your hand.")
    if len(hand) > MOST_CARDS:
        raise Refusal(f"That is {len(hand)} cards: more than any hand of this game.")
    if any(not card.rank for card in hand) and not pack.jokers:
        raise Refusal("There are no jokers in this game.")
    untold = [c for c in hand if c.rank and (c.suit is None or _too_vague(variant, c))]
    if untold:
        how = "7R or 7B" if variant.scoring.zips else "7H or 10S"
        raise Refusal(f"Say the {'colour' if variant.scoring.zips else 'suit'} too: {how}.")
    if over := pack.too_many([hand]):
        copies = pack.copies(over[0])
        are = "is" if copies == 1 else "are"
        raise Refusal(f"Of the {over[0].name} there {are} only {copies} in play.")


def _too_vague(variant: Variant, card: Card) -> bool:
    return card.suit is not None and card.suit.is_colour and variant.scoring.zips is None


def _contract(variant: Variant, step: int, hand: Hand, pack: Pack) -> Verdict:
    deal = variant.deal(step)
    contract = deal.contract
    if contract is None:
        raise Refusal("This deal has no contract.")
    rules = variant.meld_rules(step)
    judged = judge_contract(hand, contract, rules, pack)
    if judged.holds:
        loose = _without(hand, judged.layout)
        answer, *notes = _going_down(deal, contract, len(loose))
        return Verdict(
            yes=True, answer=answer, groups=judged.layout, loose=loose, notes=tuple(notes)
        )
    if judged.missing is None:
        return Verdict(yes=False, answer=say("never"))
    free = free_cards(hand, contract, rules, pack)
    if not judged.missing:
        over = len(_without(hand, judged.layout))
        return Verdict(yes=False, answer=say_many("over", over), groups=judged.layout, free=free)
    help_words = say_many("help", len(judged.helping))
    return Verdict(
        yes=False,
        answer=say_many("short", judged.missing, help=help_words),
        draw=sort_hand(judged.draw),
        helping=judged.helping,
        free=free,
        groups=judged.layout,
        notes=tuple(odds_words(judged.helping, drawable(hand, rules, pack))),
    )


def _going_down(deal: DealRules, contract: Contract, loose: int) -> list[str]:
    """Return the answer to a hand that holds the contract, and what else the turn needs."""
    keep = [say("keep")] if deal.goout == "discard" and not loose else []
    if not contract.only_out:
        return [say("holds"), *keep]
    to_place = loose - (deal.goout != "no_discard")
    if to_place > 0:
        return [say("holds-out"), say_many("place", to_place)]
    return [say("holds-both"), *keep]


def _without(hand: Hand, melds: Sequence[Meld]) -> Hand:
    left = list(hand)
    for meld in melds:
        for card in meld.cards:
            left.remove(card)
    return sort_hand(left)


def _zips(variant: Variant, hand: Hand, pile: Sequence[Card]) -> Verdict:
    rules = variant.scoring.zips
    keep = rules is None or rules.keep_discard
    best = best_zips(hand, keep_one=keep)
    discards = go_out_discards(hand) if keep else ()
    out = bool(discards) if keep else not best.left
    notes = [say("zip", points=best.value) if best.zips else say("zip-none")]
    if discards:
        names = say("or").join(card.name for card in discards)
        notes.append(say("zip-discard", cards=names))
    useful = [pile[index].name for index in useful_discards(hand, pile)]
    if useful:
        notes.append(say("zip-pile", cards=say("and").join(useful)))
    yes = "zip-out-discard" if keep else "zip-out"
    return Verdict(
        yes=out,
        answer=say(yes if out else "zip-no"),
        zips=best.zips,
        loose=best.left,
        notes=tuple(notes),
    )
