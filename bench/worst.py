"""The hand that takes the judge longest in each game: `python -m bench.worst [seconds] [games …]`.

Readings that a game's house rules offer are asked of some crowded hands; then the longest of a
game are climbed from: a card or two are changed, and what takes longer is kept. Before each hand
all that is remembered is forgotten, as in a process of its own, and what is in memory already is
kept from Python's garbage collector, so that no pause but the judge's own counts.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from random import Random

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank, write_hand
from companion.melds import RANKS, Contract, MeldRules, best_melds, judge_contract
from companion.rules import Variant
from companion.rules.catalogue import card_games, with_choices
from tools.forgetting import forget

Judge = Callable[[Hand], object]
MOST = 16
SLOWEST = 4
"""From so many readings of a game is climbed."""
SOME = 150
"""At most so many of them, drawn by lot, are asked of crowded hands before."""


@dataclass(frozen=True)
class Reading:
    """What a game's house rules make of its melds, for one deal, with the packs in play."""

    game: str
    rules: MeldRules
    contract: Contract | None
    pack: Pack

    @property
    def judge(self) -> Judge:
        """Return what judges a hand."""
        if self.contract is None:
            return partial(best_melds, meld_rules=self.rules)
        contract, rules, pack = self.contract, self.rules, self.pack
        return lambda hand: judge_contract(hand, contract, rules, pack).layout

    def __str__(self) -> str:
        plain = MeldRules()
        told = [
            f"{name}={getattr(self.rules, name)}"
            for name in plain.__slots__
            if name != "values" and getattr(self.rules, name) != getattr(plain, name)
        ]
        melds = self.contract.melds if self.contract else ()
        asked = [f"{meld.kind} {meld.size}" for meld in melds]
        whole = ["whole hand"] if self.contract and self.contract.all_cards else []
        return f"{self.game}: {', '.join([*told, *asked, *whole])}"


def readings(variant: Variant) -> list[Reading]:
    """List every reading that a game's house rules offer."""
    found: dict[tuple[MeldRules, Contract | None, Pack], Reading] = {}
    book = _melds(variant)
    matter = [
        [(choice.key, option.value) for option in choice.options]
        for choice in variant.choices
        if any(_melds(with_choices(variant, {choice.key: o.value})) != book for o in choice.options)
    ]
    for taken in product(*matter):
        played = with_choices(variant, dict(taken))
        for step, deal in enumerate(played.deals, start=1):
            rules, asked = played.meld_rules(step), deal.contract
            if asked:
                rules = replace(rules, values={})
            for row in played.packs[:1] + played.packs[-1:]:
                pack = Pack(row.decks, row.jokers)
                found[rules, asked, pack] = Reading(variant.name, rules, asked, pack)
    return [*found.values()]


def _melds(variant: Variant) -> object:
    deals = [(deal.contract, deal.wilds) for deal in variant.deals]
    return replace(variant.melds, values={}), deals, variant.packs


def crowded_hand(rng: Random, reading: Reading) -> Hand:
    """Deal cards of few ranks that follow one another, of some suits, and many that are wild."""
    cards = _cards(reading.pack)
    wild_ranks = {RANKS[name] for name in reading.rules.wilds}
    low, span = rng.randint(1, 10), rng.choice((3, 4, 5, 6, 13))
    suits = rng.sample(SUITS, rng.choice((1, 2, 3, 4, 4)))
    wilds = rng.sample(cards, len(cards))
    wilds = [card for card in wilds if card.rank in wild_ranks][: rng.choice((0, 1, 2, 4, 6, 8))]
    near = [
        card
        for card in cards
        if card.rank not in wild_ranks and (card.rank - low) % 13 < span and card.suit in suits
    ]
    near = rng.sample(near, min(len(near), MOST - len(wilds)))
    return _filled(rng, [*wilds, *near], cards)


def changed(rng: Random, hand: Hand, reading: Reading) -> Hand:
    """Change a card or two."""
    kept = rng.sample(hand, MOST - rng.choice((1, 1, 2, 3)))
    return _filled(rng, kept, _cards(reading.pack))


def _filled(rng: Random, hand: Sequence[Card], cards: list[Card]) -> Hand:
    rest = cards.copy()
    for card in hand:
        rest.remove(card)
    return (*hand, *rng.sample(rest, MOST - len(hand)))


def _cards(pack: Pack) -> list[Card]:
    deck = [Card(rank, suit) for rank in NATURALS for suit in SUITS]
    return deck * pack.decks + [Card(Rank.JOKER)] * pack.jokers


def took(judge: Judge, hand: Hand) -> float:
    """Return the seconds of the processor for a hand, with nothing remembered."""
    forget()
    started = time.thread_time()
    judge(hand)
    return time.thread_time() - started


def slowest(rng: Random, variant: Variant, hands: int) -> list[tuple[float, Hand, Reading]]:
    """Find a game's slowest readings, with the hand that took longest of some."""
    found, every = [], readings(variant)
    for reading in rng.sample(every, min(SOME, len(every))):
        dealt = [crowded_hand(rng, reading) for _ in range(hands)]
        times = [took(reading.judge, hand) for hand in dealt]
        longest = max(times)
        found.append((longest, dealt[times.index(longest)], reading))
    return sorted(found, key=lambda row: -row[0])[:SLOWEST]


def climb(rng: Random, reading: Reading, hand: Hand, seconds: float) -> tuple[float, Hand]:
    """Change cards for some seconds, and keep what takes longer."""
    longest, until = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        other = changed(rng, hand, reading) if longest else hand
        # The least of three: a pause of the machine is not the hand's fault.
        seconds_taken = took(reading.judge, other)
        if seconds_taken > longest:
            seconds_taken = min(seconds_taken, *[took(reading.judge, other) for _ in range(2)])
        if seconds_taken > longest:
            longest, hand = seconds_taken, other
    return longest, hand


def worst(rng: Random, seconds: float, games: Sequence[str]) -> Iterator[str]:
    """Yield for each game the reading and the hand that take longest."""
    gc.collect()
    gc.freeze()
    for variant in card_games():
        if variant.scoring.zips or (games and variant.key not in games):
            continue
        found = [
            (*climb(rng, reading, hand, seconds / SLOWEST), reading)
            for _, hand, reading in slowest(rng, variant, hands=3)
        ]
        longest, hand, reading = max(found, key=lambda row: row[0])
        yield f"{1e3 * longest:.1f} ms: {reading}: {write_hand(hand)}"


def main() -> None:
    """Print the longest of every game."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    for line in worst(Random(1), seconds, sys.argv[2:]):
        print(line, flush=True)


if __name__ == "__main__":
    main()
