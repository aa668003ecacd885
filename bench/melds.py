"""How fast the judge is: `python -m bench.melds [hands]` prints every figure it speaks of.

Hands are unseen: each is dealt anew and judged once, after others like it have been judged. The
hands that take longest are looked for by `bench.worst`.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from random import Random

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank, write_hand
from companion.melds import (
    RANKS,
    Contract,
    MeldRules,
    MeldSpec,
    best_melds,
    best_zips,
    free_cards,
    judge_contract,
)
from companion.rules import card_games, find_variant
from companion.rules.contracts import contract_words

DECK = [Card(rank, suit) for rank in NATURALS for suit in SUITS]
JOKER = Card(Rank.JOKER)
INDEX = {name: min(int(rank), 10) for name, rank in RANKS.items() if rank}
CHICAGO = MeldRules(run_size=3, ace="low", wilds=("2",), values=INDEX)
GIN = MeldRules(run_size=3, ace="low", wilds=(), values=INDEX)
ZIONCHECK = MeldRules(same_suit_runs="adjacent_needs_9", laydown="exact")
CONTRACT_RUMMY = MeldRules(same_suit_runs="gap_only")
PACK = Pack(2, 4)
Judge = Callable[[Hand], object]
Dealer = Callable[[int], list[Hand]]


@dataclass
class Times:
    """The seconds that each of some hands took."""

    seconds: list[float]
    worst: Hand

    def part(self, share: float) -> float:
        """Return the microseconds that a share of the hands stayed within."""
        return 1e6 * sorted(self.seconds)[int(share * (len(self.seconds) - 1))]

    def __str__(self) -> str:
        rate = len(self.seconds) / sum(self.seconds)
        return (
            f"{rate:>9,.0f} hands/s   p50 {self.part(0.5):>8.1f} µs"
            f"   p99 {self.part(0.99):>8.1f} µs   most {self.part(1):>8.1f} µs"
        )


def measure(judge: Judge, hands: list[Hand]) -> Times:
    """Time a judge on each hand once, by the processor: others may be at work beside it."""
    seconds = []
    for hand in hands:
        started = time.thread_time()
        judge(hand)
        seconds.append(time.thread_time() - started)
    return Times(seconds, hands[max(range(len(hands)), key=seconds.__getitem__)])


def contract(sets: int, runs: int) -> Contract:
    """So many sets of three and runs of four."""
    three, four = MeldSpec(kind="set", size=3), MeldSpec(kind="run", size=4)
    return Contract(melds=(three,) * sets + (four,) * runs)


def chicago_hands(rng: Random, number: int, size: int, wilds: int) -> list[Hand]:
    """Hands of two decks with just so many wild twos."""
    twos = [card for card in DECK if card.rank is Rank.TWO] * 2
    others = [card for card in DECK if card.rank is not Rank.TWO] * 2
    return [
        tuple(rng.sample(others, size - wilds) + rng.sample(twos, wilds)) for _ in range(number)
    ]


def contract_hands(rng: Random, number: int, size: int, wilds: int | None = None) -> list[Hand]:
    """Hands of two decks with four jokers, or with just so many jokers."""
    if wilds is None:
        cards = DECK * 2 + [JOKER] * 4
        return [tuple(rng.sample(cards, size)) for _ in range(number)]
    return [tuple(rng.sample(DECK * 2, size - wilds)) + (JOKER,) * wilds for _ in range(number)]


def deck_hands(rng: Random, number: int, size: int, suits: int = 4, ranks: int = 13) -> list[Hand]:
    """Hands of one deck, each of no more than so many suits and ranks."""
    hands = []
    for _ in range(number):
        of_suits, of_ranks = rng.sample(SUITS, suits), rng.sample(NATURALS, ranks)
        cards = [card for card in DECK if card.suit in of_suits and card.rank in of_ranks]
        hands.append(tuple(rng.sample(cards, size)))
    return hands


def tasks(rng: Random) -> Iterator[tuple[str, Judge, Dealer]]:
    """Name every task, its judge, and a dealer of so many hands for it."""
    for size in (7, 10):
        name = f"least points, one deck, no wilds, {size} cards"
        yield (
            name,
            partial(best_melds, meld_rules=GIN),
            partial(deck_hands, rng, size=size),
        )
    chicago = partial(best_melds, meld_rules=CHICAGO)
    for size, wilds in product((7, 8), range(4)):
        name = f"Chicago, {size} cards, {wilds} wild"
        yield name, chicago, partial(chicago_hands, rng, size=size, wilds=wilds)
    asked = partial(judge_contract, contract=contract(2, 2), pack=PACK)
    for size in (10, 12, 14, 16):
        for game, rules in (("Zioncheck", ZIONCHECK), ("gap only", CONTRACT_RUMMY)):
            name = f"2 runs + 2 sets, {game}, {size} cards"
            yield name, partial(asked, meld_rules=rules), partial(contract_hands, rng, size=size)
    for wilds in range(5):
        name = f"2 runs + 2 sets, gap only, 14 cards, {wilds} jokers"
        judge = partial(asked, meld_rules=CONTRACT_RUMMY)
        yield name, judge, partial(contract_hands, rng, size=14, wilds=wilds)
    for size in (10, 20):
        dealer = partial(deck_hands, rng, size=size)
        yield f"best zips, {size} cards", best_zips, dealer
    for game in ("Shanghai", "Continental", "Liverpool", "Carioca"):
        variant = find_variant(game)
        asked_last = dict.fromkeys(deal.contract for deal in variant.deals[-3:] if deal.contract)
        for last in asked_last:
            rules = variant.meld_rules(len(variant.deals))
            judge = partial(judge_contract, contract=last, meld_rules=rules, pack=PACK)
            size = max(12, last.least_cards)
            name = f"{game}, {contract_words(last)}, {size} cards"
            yield name, judge, partial(contract_hands, rng, size=size)


def whole_answer(
    hand: Hand, contract: Contract, meld_rules: MeldRules, pack: Pack
) -> tuple[object, ...]:
    """Ask all that a page shows: the distance, what helps, a layout, what is safe to discard."""
    judgement = judge_contract(hand, contract, meld_rules, pack)
    return judgement.helping, judgement.layout, free_cards(hand, contract, meld_rules, pack)


def shipped(rng: Random, number: int) -> Iterator[tuple[float, Hand]]:
    """Deal hands for every contract of every game, and time whole answers."""
    deals = [
        (variant, step, deal.contract)
        for variant in card_games()
        for step, deal in enumerate(variant.deals, start=1)
        if deal.contract
    ]
    for variant, step, asked in deals * max(1, number // len(deals)):
        row, rules = rng.choice(variant.packs), variant.meld_rules(step)
        pack = Pack(row.decks, row.jokers)
        unseen = Counter(pack.unseen(())).elements()
        cards = [card for card in unseen if card.rank or "joker" in rules.wilds]
        hand = tuple(rng.sample(cards, variant.deal(step).dealt + 1))
        started = time.thread_time()
        whole_answer(hand, asked, rules, pack)
        yield time.thread_time() - started, hand


def main() -> None:
    """Print every figure."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = Random(1)
    for name, judge, dealt in tasks(rng):
        measure(judge, dealt(number))
        print(f"{name:<48}{measure(judge, dealt(number))}", flush=True)
    gc.collect()
    gc.freeze()
    asked = [*shipped(rng, number)]
    times = Times([seconds for seconds, _ in asked], max(asked)[1])
    print(f"{'whole answers, all contracts of all games':<48}{times}")
    print(f"the slowest of them: {write_hand(times.worst)}")


if __name__ == "__main__":
    main()
