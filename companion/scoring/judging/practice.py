"""Hands to practise on: about half of them say yes, and each is the same for the same seed.

A hand that holds a contract is made from melds that are that contract, so that nothing needs to
be searched; one that does not is such a hand with a few of these cards exchanged.
"""

from __future__ import annotations

from random import Random

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank, sort_hand
from companion.melds import Contract, MeldRules, MeldSpec, is_contract, judge_contract
from companion.melds.slots import windows
from companion.rules import Variant

from .judge import judge_hand

TRIES = 60
ZIP_CARDS = 5
MOST_EXCHANGED = 3
WITH_A_WILD = 0.3
"""How often a meld is given a wild card in place of one of its own."""


def practice_hand(variant: Variant, step: int, pack: Pack, seed: str) -> Hand:
    """Make a hand for a deal of the game, the same for the same seed."""
    random = Random(f"{variant.key} {step} {seed}")  # noqa: S311  (a game, not a secret)
    says_yes = random.random() < 0.5
    hand: Hand = ()
    for _ in range(TRIES):
        deck = _deck(random, variant, step, pack)
        made = _hand(random, variant, step, deck, says_yes=says_yes)
        hand = made or hand
        if made and _says_yes(variant, step, made, pack, says_yes=says_yes) == says_yes:
            break
    return sort_hand(
        hand or tuple(_deck(random, variant, step, pack)[: variant.deal(step).dealt + 1])
    )


def _deck(random: Random, variant: Variant, step: int, pack: Pack) -> list[Card]:
    """Shuffle the packs; jokers only where they are wild, for otherwise they are no cards."""
    single = [Card(rank, suit) for rank in NATURALS for suit in SUITS]
    jokers = pack.jokers if "joker" in variant.meld_rules(step).wilds else 0
    deck = [*single * pack.decks, *[Card(Rank.JOKER)] * jokers]
    random.shuffle(deck)
    return deck


def _says_yes(variant: Variant, step: int, hand: Hand, pack: Pack, *, says_yes: bool) -> bool:
    contract = variant.deal(step).contract
    if contract is None:
        return judge_hand(variant, step, hand, pack).yes
    return says_yes or judge_contract(hand, contract, variant.meld_rules(step), pack).holds


def _hand(
    random: Random, variant: Variant, step: int, deck: list[Card], *, says_yes: bool
) -> Hand | None:
    """Draw a hand; for a contract one that holds it or nearly does, None where that failed."""
    deal = variant.deal(step)
    if deal.contract is None:
        return tuple(deck[: ZIP_CARDS if variant.scoring.zips else deal.dealt + 1])
    size = max(deal.dealt + 1, deal.contract.least_cards + (deal.goout == "discard"))
    melds = _melds(random, deal.contract, variant.meld_rules(step), deck, size)
    if melds is None:
        return None
    cards = [card for meld in melds for card in meld]
    if not says_yes:
        random.shuffle(cards)
        del cards[: random.randint(1, MOST_EXCHANGED)]
    return tuple([*cards, *deck][:size])


def _melds(
    random: Random, contract: Contract, rules: MeldRules, deck: list[Card], size: int
) -> list[Hand] | None:
    """Take the melds of a contract out of the deck, by one of the ways to meet it."""
    alternative = random.choice((contract.melds, *contract.or_melds))
    sizes = [spec.size for spec in alternative]
    while contract.all_cards and sum(sizes) < size:
        sizes[random.randrange(len(sizes))] += 1
    melds = []
    for spec, cards in zip(alternative, sizes, strict=True):
        wished = _wished(random, spec, rules, cards)
        wild = wished and random.random() < WITH_A_WILD
        meld = _take(deck, wished, random.randrange(len(wished)) if wild else None, rules)
        if meld is None:
            return None
        melds.append(meld)
    return None if is_contract(melds, contract, rules) else melds


def _wished(random: Random, spec: MeldSpec, rules: MeldRules, size: int) -> list[list[Card]]:
    """Name a meld's places, each with the cards that may lie there."""
    if spec.kind == "set":
        rank = random.choice(sorted(spec.named_ranks))
        if spec.suits == "different":
            return [[Card(rank, suit)] for suit in random.sample(SUITS, len(SUITS))[:size]]
        return [[Card(rank, suit) for suit in SUITS]] * size
    places = windows(rules.ace, size)
    suits = SUITS if spec.suits == "any" else (random.choice(SUITS),)
    ranks = random.choice(places).ranks if places else ()
    return [[Card(Rank(rank), suit) for suit in suits] for rank in ranks]


def _take(
    deck: list[Card], wished: list[list[Card]], wild_at: int | None, rules: MeldRules
) -> Hand | None:
    meld = []
    for index, cards in enumerate(wished):
        match = next((card for card in deck if card in cards), None)
        if index == wild_at:
            match = next((card for card in deck if rules.is_wild(card)), match)
        if match is None:
            return None
        deck.remove(match)
        meld.append(match)
    return tuple(meld) or None
