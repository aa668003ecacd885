"""Readings of every game in the catalogue: house rules and a deal drawn at random, and hands."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank
from companion.rules import Variant, card_games, with_choices
from companion.scoring.judging.practice import practice_hand

from .dealing import deal_near


class Reading(NamedTuple):
    """A deal of a game under some house rules, the cards in play, and the player's score."""

    variant: Variant
    step: int
    pack: Pack
    score: int = 0


def some_reading(rng: Random, game: Variant) -> Reading:
    """Draw house rules that say what a meld or a deal is; the book's more often than another."""
    chosen = {
        choice.key: rng.choice(choice.options).value
        for choice in game.choices
        if choice.key in _on_melds(game.key) and rng.random() < 0.5
    }
    variant = with_choices(game, chosen)
    players = rng.randint(variant.players.min, variant.players.max)
    return Reading(
        variant,
        rng.randint(1, len(variant.deals)),
        variant.pack(players),
        rng.choice((0, 0, 60, 91, 95, 99)) if variant.scoring.knock else 0,
    )


@cache
def _on_melds(key: str) -> frozenset[str]:
    """Name the choices of a game whose answers change its melds, its deals or its cards."""
    game = next(game for game in card_games() if game.key == key)
    return frozenset(
        choice.key
        for choice in game.choices
        if any(
            {"melds", "deals", "packs", "scoring"} & option.changes.keys()
            for option in choice.options
        )
    )


def some_hand(rng: Random, reading: Reading) -> Hand:
    """Draw a hand as one is held, made to be near its melds, or now and then of any size."""
    variant, step, pack, _ = reading
    size = variant.deal(step).dealt + rng.randint(0, 1)
    way = rng.random()
    if way < 0.3:
        return practice_hand(variant, step, pack, str(rng.random()))
    if way < 0.4 and not variant.scoring.knock and variant.has_contracts:
        size = rng.randint(1, 16)
    contract, rules = variant.deal(step).contract, variant.meld_rules(step)
    if way > 0.8 and contract:
        near = deal_near(rng, rules, contract, size)
        if not pack.too_many([near]):
            return near
    cards = [Card(rank, suit) for rank in NATURALS for suit in SUITS] * pack.decks
    if "joker" in rules.wilds:
        cards += [Card(Rank.JOKER)] * pack.jokers
    return tuple(rng.sample(cards, size))
