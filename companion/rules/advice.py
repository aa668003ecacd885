"""What a table should know before play: what cannot be, what takes buys, what is left idle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from companion.cards import Pack
from companion.melds import Contract, MeldRules, judge_contract
from companion.melds.budget import UndecidedError, limited

from .catalogue import card_games
from .contracts import contract_words
from .field_text import span
from .validation import buys_needed, can_buy
from .variant import PackRow, Variant
from .words import list_words, many, number

MOST_SECONDS = 0.3
"""How long all contracts of a game are thought about; what is harder is not called impossible."""


def advice(variant: Variant) -> list[str]:
    """Say what a table should know before play: what nobody can do first, then what is odd."""
    if not variant.has_cards:
        return []
    with limited(MOST_SECONDS):
        return [
            *_impossible(variant),
            *_contradictions(variant),
            *_deal_advice(variant),
            *_stock_advice(variant),
            *_card_advice(variant),
            *_wild_advice(variant),
            *_score_advice(variant),
        ]


@lru_cache(maxsize=512)
def least_cards(contract: Contract, meld_rules: MeldRules, pack: Pack) -> int | None:
    """Return how many cards the smallest hand has that meets a contract; None if there is none.

    The judge is asked what an empty hand still needs: it draws from the pack whatever helps.
    Raises `UndecidedError` where that takes too long.
    """
    return judge_contract((), contract, meld_rules, pack).missing


def _impossible(variant: Variant) -> Iterator[str]:
    """Find the contracts that no hand can meet, or none that a player can hold."""
    for step, deal in enumerate(variant.deals, start=1):
        if deal.contract is None:
            continue
        least = {row.players: _least(variant, step, row) for row in variant.packs}
        never = [span(*players) for players, cards in least.items() if cards is None]
        there = f"{variant.deal_word.capitalize()} {step} can't be met"
        asked = contract_words(deal.contract)
        if never:
            players = "" if len(never) == len(least) else f" by {' or '.join(never)} players"
            yield f"{there}{players}: no cards make it under these rules. ({asked}.)"
        elif cards := _too_many(variant, step):
            yield (
                f"{there}: it takes {cards} cards under these rules, and no player can have so "
                f"many to lay down. ({asked}.)"
            )


def _least(variant: Variant, step: int, row: PackRow) -> int | None:
    contract, pack = variant.deal(step).contract, Pack(row.decks, row.jokers)
    if contract is None:
        return 0
    if variant in card_games():
        return contract.least_cards  # proved by the tests: nobody waits for the judge here
    try:
        return least_cards(contract, variant.meld_rules(step), pack)
    except UndecidedError:
        return contract.least_cards


def _needed(variant: Variant, step: int) -> int:
    """Return how many cards a contract takes under these rules, where it can be met at all."""
    return max(_least(variant, step, row) or 0 for row in variant.packs)


def _too_many(variant: Variant, step: int) -> int:
    """Return how many cards a contract takes if no player can have so many to lay down, or 0."""
    cards = _needed(variant, step)
    buys = buys_needed(variant, step, cards)
    return cards if buys and not can_buy(variant, step, buys) else 0


def _contradictions(variant: Variant) -> Iterator[str]:
    """Find contracts that say otherwise than the game, and contracts that are never played."""
    melds = variant.melds
    least = {"set": melds.set_size, "run": melds.run_size}
    smaller = {
        (spec.kind, spec.size)
        for deal in variant.deals
        for spec in (deal.contract.specs if deal.contract else ())
        if spec.size < least[spec.kind] and not spec.ranks
    }
    for kind, size in sorted(smaller):
        yield (
            f"A {kind} has at least {least[kind]} cards here, but a contract asks for a {kind} "
            f"of {size}: {size} will do for the contract."
        )
    played, there = variant.ending.deals, len(variant.deals)
    if variant.has_contracts and 0 < played < there:
        yield (
            f"The game ends after {played} {variant.deal_word}{'s'[: played > 1]}: the last "
            f"{there - played} of its {there} contracts are never played."
        )


def _deal_advice(variant: Variant) -> Iterator[str]:
    word = variant.deal_word.capitalize()
    for step, deal in enumerate(variant.deals, start=1):
        cards = _needed(variant, step)
        needed = buys_needed(variant, step, cards)
        if needed and can_buy(variant, step, needed):
            discards = "a discard" if needed == 1 else f"{needed} discards"
            yield (
                f"{word} {step} asks for {cards} cards and {deal.dealt} are "
                f"dealt: going down in one turn takes {discards} bought before it."
            )
        if deal.contract and deal.contract.all_cards and deal.goout == "discard":
            yield f"{word} {step} wants every card melded at once, but also a discard."
        if deal.contract is None and variant.has_contracts:
            yield f"{word} {step} has no contract: nobody needs to go down first."


def _stock_advice(variant: Variant) -> Iterator[str]:
    most = max(deal.dealt for deal in variant.deals)
    for row in variant.packs:
        players = row.players[1]
        left = variant.pack(players).size - players * most - variant.turn.upcard
        if left < 3 * players:
            yield (
                f"With {players} players only {left} cards are left as a stock: "
                f"{_turns(left // players)} each before it runs out."
            )


def _turns(number: int) -> str:
    return "less than a turn" if number < 1 else f"{number} turn{'s'[: number > 1]}"


def _card_advice(variant: Variant) -> Iterator[str]:
    if "joker" in variant.melds.wilds and not (variant.has_jokers or _may_have_jokers(variant)):
        yield "Jokers are wild, but there are none in the decks."
    if variant.has_jokers and "joker" not in variant.melds.wilds:
        yield "There are jokers in the decks, but they aren't wild."
    worth_nothing = [name for name, value in variant.melds.values.items() if not value]
    if worth_nothing:
        yield f"Cards that count nothing in hand: {', '.join(worth_nothing)}."
    if variant.scoring.entry == "cards_left" and variant.ending.winner == "highest":
        yield "Cards left in hand count against you, but the highest total wins."


def _wild_advice(variant: Variant) -> Iterator[str]:
    """Find wild cards that cannot be, and melds that nobody can have for want of natural ones."""
    melds, most = variant.melds, max(deal.dealt for deal in variant.deals) + 1
    if variant.scoring.entry == "zips":
        return
    if melds.ace == "wild" and "A" not in melds.wilds:
        yield "The ace has no place of its own in runs, as if it were wild, but aces aren't wild."
    word = variant.deal_word
    rounds = [str(n) for n, deal in enumerate(variant.deals, 1) if "joker" in (deal.wilds or ())]
    if rounds and not variant.has_jokers:
        yield f"Jokers are wild in {word} {list_words(rounds)}, but there are none in the decks."
    may_be = variant.has_wilds or _may_have_jokers(variant)
    if variant.joker_trade.allowed and variant.has_contracts and not may_be:
        yield "Wild cards may be taken off the table, but no card is wild."
    if variant.has_wilds and melds.max_wilds == 0:
        yield "Cards are wild, but no meld may hold one."
    needed = max(melds.min_naturals, melds.set_naturals)
    if needed >= most > 1:
        yield f"A meld needs {needed} natural cards, and a hand has {most}: nobody can meld."
    elif needed > min(melds.set_size, melds.run_size):
        smallest = min(melds.set_size, melds.run_size)
        cards = f"{smallest} card{'s'[: smallest != 1]}"
        yield f"A meld of {cards} is allowed, but it needs {needed} natural cards."


def _score_advice(variant: Variant) -> Iterator[str]:
    """Find scores and endings that contradict each other."""
    scoring, ending = variant.scoring, variant.ending
    win, knock, out = scoring.instant_win, scoring.knock, ending.eliminate
    if win:
        held, there = variant.deal(1).dealt + 1, 4 * min(row.decks for row in variant.packs)
        cards = f"{number(win.count)} {many(win.rank)}"
        if win.count > held:
            yield f"Nobody can hold {cards}: a hand has {held} cards."
        elif win.count > there:
            yield f"Nobody can hold {cards}: there are {there} in the decks."
    if knock and out and out.at < knock.below:
        yield (
            f"Players are out at {out.at}, but the knock limit falls towards {knock.below}: "
            "nobody gets so far."
        )
    cost = scoring.out_points * ending.cost
    if cost > 0:
        yield f"Going out costs {cost} point{'s'[: cost != 1]}."
    if ending.floor and ending.floor > 0:
        yield f"Nobody's total can be below {ending.floor}, where all begin with nothing."


def _may_have_jokers(variant: Variant) -> bool:
    """Return whether a house rule of the game puts jokers in the packs."""
    packs = [o.changes.get("packs", ()) for choice in variant.choices for o in choice.options]
    return any(row.get("jokers") for rows in packs for row in rows if isinstance(row, Mapping))
