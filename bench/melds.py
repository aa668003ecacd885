"""How fast the judge is: `python -m bench.melds [hands]` prints every figure it speaks of.

Hands are unseen: each is dealt anew and judged once, after others like it have been judged.
Peers are measured in the same run, some hands at a time in turn with the judge, where they are
installed.
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
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank, write_hand
from companion.melds import (
    RANKS,
    Contract,
    MeldRules,
    MeldSpec,
    best_melds,
    best_zips,
    judge_contract,
    most_zipped,
)
from companion.rules import find_variant
from companion.rules.contracts import contract_words

from .crowded import crowded
from .peers import Peer, chicago_peers, contract_peers, gin_peers
from .worst import worst

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
        """Tell the microseconds that a share of the hands stayed within."""
        return 1e6 * sorted(self.seconds)[int(share * (len(self.seconds) - 1))]

    def __str__(self) -> str:
        rate = len(self.seconds) / sum(self.seconds)
        return (
            f"{rate:>9,.0f} hands/s   p50 {self.part(0.5):>8.1f} µs"
            f"   p99 {self.part(0.99):>8.1f} µs   most {self.part(1):>8.1f} µs"
        )


def measure(judge: Judge, hands: list[Hand]) -> Times:
    """Time a judge on each hand once, by the clock: asking for processor time takes longer."""
    seconds = []
    for hand in hands:
        started = time.perf_counter()
        judge(hand)
        seconds.append(time.perf_counter() - started)
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
        yield f"most zipped, {size} cards", most_zipped, dealer
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


def search_worst(rng: Random, seconds: float) -> Iterator[tuple[str, float, Hand]]:
    """Climb towards the slowest hand of up to 16 cards: change cards, keep what takes longer."""
    asked = contract(2, 2)
    judges: dict[str, tuple[Judge, list[Card]]] = {
        "least points, twos wild": (
            lambda hand: best_melds(hand, CHICAGO),
            DECK * 2,
        ),
        "2 runs + 2 sets, Zioncheck": (
            lambda hand: judge_contract(hand, asked, ZIONCHECK, PACK),
            DECK * 2 + [JOKER] * 4,
        ),
        "2 runs + 2 sets, gap only": (
            lambda hand: judge_contract(hand, asked, CONTRACT_RUMMY, PACK),
            DECK * 2 + [JOKER] * 4,
        ),
    }
    for name, (judge, cards) in judges.items():
        worst, longest = tuple(rng.sample(cards, 16)), 0.0
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            order = rng.sample(cards, len(cards))
            changed = [*worst[: 16 - rng.choice((1, 2, 4, 16))]]
            for card in order:
                if len(changed) < 16 and changed.count(card) < cards.count(card):
                    changed.append(card)
            hand = tuple(rng.sample(changed, 16))
            # The least of three: a pause of the machine is not the hand's fault.
            took = min(sum(measure(judge, [hand]).seconds) for _ in range(3))
            if took > longest:
                worst, longest = hand, took
        yield name, longest, worst


class Race(NamedTuple):
    """A task that peers answer too, the ratios to them that are the goals, and how ours is told."""

    name: str
    judge: Peer
    dealer: Dealer
    peers: list[Peer]
    goals: dict[str, float]
    told: Callable[[Any], int]


def races(rng: Random) -> Iterator[Race]:
    """List every task that peers answer too."""
    yield from gin_races(rng)
    chicago = Peer("best_melds", tuple, partial(best_melds, meld_rules=CHICAGO))
    for size, wilds in product((7, 8), (1, 2, 3)):
        dealer = partial(chicago_hands, rng, size=size, wilds=wilds)
        name = f"Chicago, {size} cards, {wilds} wild"
        goals = {"CP-SAT, every run stated": 40.0, "CP-SAT, runs in reach": 40.0}
        yield Race(name, chicago, dealer, [*chicago_peers()], goals, attrgetter("points"))
    how = partial(judge_contract, contract=contract(2, 2), meld_rules=CONTRACT_RUMMY, pack=PACK)
    goals = {"CP-SAT, distance alone": 70.0, "mahjong, its own ukeire": 12.0}
    dealer = partial(contract_hands, rng, size=14)
    judge, told = Peer("judge_contract", tuple, how), attrgetter("missing")
    yield Race("2 runs + 2 sets, 14 cards", judge, dealer, [*contract_peers()], goals, told)


def gin_races(rng: Random) -> Iterator[Race]:
    """List the tasks without wilds."""
    judge = Peer("best_melds", tuple, partial(best_melds, meld_rules=GIN))
    kinds: dict[str, dict[str, int]] = {
        "": {},
        " of two suits": {"suits": 2},
        " of four ranks": {"ranks": 4},
    }
    for size, (kind, few) in product((7, 10), kinds.items()):
        goals = {"open_spiel": 1.3 if few else 0.8, "rlcard": 8.0}
        dealer = partial(deck_hands, rng, size=size, **few)
        name = f"least points, {size} cards{kind}"
        yield Race(name, judge, dealer, [*gin_peers(size)], goals, attrgetter("points"))


TURN = 100
"""How many hands each solver gets before it is another's turn.

Handed one by one, a judge would find the processor's caches full of what the peer before it needed,
which takes it several times as long: each is measured as it runs after others of its kind.
"""


def race(run: Race, hands: list[Hand]) -> dict[str, tuple[float, int]]:
    """Time a judge and its peers in turn: the ratio to each, and unlike answers."""
    # What the peers keep in memory is looked through now, and not when it is someone's turn.
    gc.collect()
    gc.freeze()
    own, times, unlike = 0.0, Counter[str](), Counter[str]()
    for start in range(0, len(hands), TURN):
        turn = hands[start : start + TURN]
        spent, answers = solve_all(run.judge, turn)
        own += spent
        for peer in run.peers:
            spent, theirs = solve_all(peer, turn)
            times[peer.name] += spent
            unlike[peer.name] += sum(
                isinstance(their, int) and their != run.told(answer)
                for their, answer in zip(theirs, answers, strict=True)
            )
    return {name: (spent / own, unlike[name]) for name, spent in times.items()}


def solve_all(solver: Peer, hands: list[Hand]) -> tuple[float, list[Any]]:
    """Time a solver on hands that it is prepared with: the seconds, and its answers."""
    given = [solver.prepare(hand) for hand in hands]
    started = time.process_time()
    answers = [solver.solve(one) for one in given]
    return time.process_time() - started, answers


def main() -> None:
    """Print every figure."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = Random(1)
    for name, judge, dealt in tasks(rng):
        measure(judge, dealt(number))
        print(f"{name:<48}{measure(judge, dealt(number))}", flush=True)
    # Before the peers are loaded: what they keep in memory makes every pause of Python's longer.
    asked = [contract(*many) for many in ((2, 2), (3, 0), (0, 3), (1, 2))]
    for line in crowded(rng, CHICAGO, CONTRACT_RUMMY, asked, number // 20):
        print(line, flush=True)
    for run in races(rng):
        if not run.peers:
            print(f"{run.name}: none of its peers is installed (requirements-bench.txt).")
        solve_all(run.judge, run.dealer(number))
        for peer, (ratio, unlike) in race(run, run.dealer(number // 4)).items():
            goal = run.goals[peer]
            print(
                f"{run.name}: {ratio:.2f} times as fast as {peer} (goal {goal:g}), {unlike} unlike"
            )
    for name, seconds, hand in search_worst(rng, 6):
        print(f"slowest found, {name}: {1e3 * seconds:.2f} ms for {write_hand(hand)}")
    for line in worst(rng, 8, ()):
        print(f"worst of a game, alone, {line}", flush=True)


if __name__ == "__main__":
    main()
