"""What the judge says of one hand: an answer in words, and the cards that prove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, RuleError, Suit, sort_hand
from companion.melds import (
    Meld,
    best_after_discard,
    best_melds,
    best_zips,
    free_cards,
    go_out_discards,
    judge_contract,
    useful_discards,
)
from companion.melds.places import MOST_CARDS
from companion.rules import Variant

from .knock import knock_limit, wins_at_once

FEW_HELP = 12
"""So many cards that help are shown one by one."""


class SuitSpread(NamedTuple):
    """The cards of a suit, low to high, with how many of each help and can still be unseen."""

    suit: Suit
    cards: tuple[tuple[Card, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judge's answer to a game's question, with its proof.

    `groups` are melds or zips, `loose` the cards in none. Short of a contract, `draw` is one way
    there and `helping` names every card that brings it nearer with the copies still unseen;
    `free` are cards whose discard costs nothing.
    """

    yes: bool
    answer: str
    groups: tuple[Meld, ...] = ()
    zips: tuple[Hand, ...] = ()
    loose: Hand = ()
    draw: Hand = ()
    helping: Mapping[Card, int] = field(default_factory=dict)
    free: Hand = ()
    notes: tuple[str, ...] = ()

    @property
    def spread(self) -> Sequence[SuitSpread]:
        """Spread the cards that help by suit and rank, where there are too many for a row."""
        if len(self.helping) <= FEW_HELP:
            return ()
        rows = [(suit, [Card(rank, suit) for rank in NATURALS]) for suit in SUITS]
        return [
            SuitSpread(suit, tuple((card, self.helping.get(card, 0)) for card in cards))
            for suit, cards in rows
        ]

    @property
    def one_by_one(self) -> Mapping[Card, int]:
        """The cards that help, but for those that are spread."""
        spread = bool(self.spread)
        return {card: copies for card, copies in self.helping.items() if not (spread and card.suit)}


def question(variant: Variant) -> str:
    """Say what the judge is asked in this game."""
    match variant.scoring.entry:
        case "cards_left":
            return "Can I go down?"
        case "unmelded":
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
    Raises `RuleError` for a hand that this game cannot have.
    """
    _check(variant, hand, pack)
    match variant.scoring.entry:
        case "cards_left" | "payments":
            return _contract(variant, step, hand, pack)
        case "unmelded":
            return _knock(variant, hand, score)
        case _:
            return _zips(variant, hand, pile)


def _check(variant: Variant, hand: Hand, pack: Pack) -> None:
    if not hand:
        raise RuleError("Enter the cards of your hand.")
    if len(hand) > MOST_CARDS:
        raise RuleError(f"That is {len(hand)} cards: more than any hand of this game.")
    if any(not card.rank for card in hand) and not pack.jokers:
        raise RuleError("There are no jokers in this game.")
    untold = [c for c in hand if c.rank and (c.suit is None or _too_vague(variant, c))]
    if untold:
        how = "7R or 7B" if variant.scoring.zips else "7H or 10S"
        raise RuleError(f"Say the {'colour' if variant.scoring.zips else 'suit'} too: {how}.")
    if over := pack.too_many([hand]):
        there = pack.copies(over[0])
        are = "is" if there == 1 else "are"
        raise RuleError(f"Of the {over[0].name} there {are} only {there} in play.")


def _too_vague(variant: Variant, card: Card) -> bool:
    return card.suit is not None and card.suit.is_colour and variant.scoring.zips is None


def _contract(variant: Variant, step: int, hand: Hand, pack: Pack) -> Verdict:
    contract = variant.deal(step).contract
    if contract is None:
        raise RuleError("This deal has no contract.")
    rules = variant.meld_rules(step)
    found = judge_contract(hand, contract, rules, pack)
    if found.holds:
        loose = _without(hand, found.layout)
        answer = "Yes, you hold the contract."
        return Verdict(yes=True, answer=answer, groups=found.layout, loose=loose)
    if found.missing is None:
        return Verdict(yes=False, answer="No, and no cards you draw can make it.")
    free = free_cards(hand, contract, rules, pack)
    if not found.missing:
        over = len(_without(hand, found.layout))
        left = "1 card is" if over == 1 else f"{over} cards are"
        answer = f"Not yet: the melds are there, but {left} left over, and all must be melded."
        return Verdict(yes=False, answer=answer, groups=found.layout, free=free)
    short = f"{found.missing} card{'s'[: found.missing > 1]} short"
    return Verdict(
        yes=False,
        answer=f"Not yet: {short}. {_helping_words(found.helping)}",
        draw=sort_hand(found.draw),
        helping=found.helping,
        free=free,
        groups=found.layout,
    )


def _helping_words(helping: Mapping[Card, int]) -> str:
    count = len(helping)
    if not count:
        return "No single card brings it nearer."
    return "One card helps." if count == 1 else f"These {count} cards help."


def _without(hand: Hand, melds: Sequence[Meld]) -> Hand:
    left = list(hand)
    for meld in melds:
        for card in meld.cards:
            left.remove(card)
    return sort_hand(left)


def _knock(variant: Variant, hand: Hand, score: int) -> Verdict:
    win, knock = variant.scoring.instant_win, variant.scoring.knock
    if win and wins_at_once(variant, hand):
        return Verdict(yes=True, answer=f"You hold {win.name}: they win the game.", loose=hand)
    dealt, notes = variant.deals[0].dealt, []
    melding = best_melds(hand, variant.melds)
    if len(hand) == dealt and not melding.loose:
        answer = "Rummy: every card is melded. Declare it at the start of your turn."
        return Verdict(yes=True, answer=answer, groups=melding.melds)
    if len(hand) > dealt:
        best = best_after_discard(hand, variant.melds)
        notes.append(f"Discarding {best.discard.name} leaves {best.melding.points}.")
        if knock and knock.discards_first:
            melding = best.melding
    limit = knock_limit(variant, score)
    may = limit is not None and melding.points <= limit
    bound = "only rummy is left to you" if limit is None else f"your limit is {limit}"
    return Verdict(
        yes=may,
        answer=f"{'Yes' if may else 'No'}: {melding.points} points in no meld, {bound}.",
        groups=melding.melds,
        loose=melding.loose,
        notes=tuple(notes),
    )


def _zips(variant: Variant, hand: Hand, pile: Sequence[Card]) -> Verdict:
    rules = variant.scoring.zips
    keep = rules is None or rules.keep_discard
    best = best_zips(hand, keep_one=keep)
    discards = go_out_discards(hand) if keep else ()
    out = bool(discards) if keep else not best.left
    notes = [f"You can zip {best.value} points."] if best.zips else ["There is no zip here."]
    if discards:
        notes.append(f"Go out by discarding {' or '.join(card.name for card in discards)}.")
    useful = [pile[place].name for place in useful_discards(hand, pile)]
    if useful:
        notes.append(f"Worth taking from the pile: {', '.join(useful)}.")
    answer = (
        "Yes, all but your discard sums to zero." if out and keep else "Yes, it all sums to zero."
    )
    return Verdict(
        yes=out,
        answer=answer if out else "No, not all of it sums to zero.",
        zips=best.zips,
        loose=best.left,
        notes=tuple(notes),
    )
