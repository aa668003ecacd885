"""The longest that crowded hands of 16 cards take, each judged once and unprepared."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank, write_hand
from companion.melds import RANKS, Contract, MeldRules, MeldSpec, best_melds, judge_contract

DECKS = [Card(rank, suit) for rank in NATURALS for suit in SUITS] * 2
JOKER = Card(Rank.JOKER)
Judge = Callable[[Hand], object]


def readings_of_chicago(rules: MeldRules) -> dict[str, MeldRules]:
    """Name other readings under which the least points are asked."""
    return {
        "Chicago": rules,
        "Chicago, twos that are twos in any suit": replace(rules, wild_scope="own_rank_any_suit"),
        "Chicago, two naturals in each meld": replace(rules, min_naturals=2),
        "Chicago, one wild in a meld": replace(rules, max_wilds=1),
        "Chicago, ace at either end": replace(rules, ace="either"),
        "Chicago, runs round the corner": replace(rules, ace="corner"),
        "Chicago, half of a meld": replace(rules, wild_share="half"),
    }


def readings_of_contracts(rules: MeldRules) -> dict[str, MeldRules]:
    """Name other readings under which a contract is asked."""
    deuces = replace(rules, wilds=("joker", "2"))
    return {
        "contract, deuces wild": deuces,
        "contract, deuces wild, two naturals in each meld": replace(deuces, min_naturals=2),
        "contract, a natural in each meld": replace(rules, min_naturals=1),
        "contract, one wild in a meld": replace(rules, max_wilds=1),
        "contract, sets of different ranks": replace(rules, same_rank_sets=False),
        "contract, runs round the corner": replace(rules, ace="corner"),
        "contract, deuces wild, half of a meld": replace(deuces, wild_share="half"),
        "contract, aces wild, a natural in each meld": replace(
            rules, ace="wild", wilds=("A",), min_naturals=1
        ),
        "contract, deuces wild, two naturals, runs not adjacent": replace(
            deuces, min_naturals=2, same_suit_runs="not_adjacent"
        ),
    }


def other_games(rules: MeldRules) -> dict[str, tuple[MeldRules, Contract]]:
    """Name contracts of long runs and of many, under the rules of their games."""
    shanghai = replace(rules, wild_table=((3, 1), (4, 1), (5, 2), (7, 3), (10, 4)))
    deuces = replace(rules, wilds=("joker", "2"))
    crummy = replace(deuces, ace="high", wild_share="half")
    anywhere = replace(deuces, same_suit_runs="any", laydown="exact")
    other_ways = (_runs(4, 4, 4, 3), _runs(5, 4, 3, 3))
    return {
        "Continental": (anywhere, Contract(melds=_runs(*[3] * 5), or_melds=other_ways)),
        "Shanghai, three runs of five": (shanghai, Contract(melds=_runs(5, 5, 5))),
        "Shanghai, deuces wild, a run of ten": (
            replace(shanghai, wilds=("joker", "2")),
            Contract(melds=(MeldSpec(kind="set", size=3), *_runs(10))),
        ),
        "Crummy, all cards in three runs": (
            crummy,
            Contract(melds=_runs(4, 4, 4), all_cards=True),
        ),
        "runs of five and six, deuces wild": (deuces, Contract(melds=_runs(6, 5))),
    }


def _runs(*sizes: int) -> tuple[MeldSpec, ...]:
    return tuple(MeldSpec(kind="run", size=size) for size in sizes)


def crowded(
    rng: Random,
    chicago: MeldRules,
    contract_rummy: MeldRules,
    contracts: list[Contract],
    hands: int,
) -> Iterator[str]:
    """Tell for each reading the longest of some hands.

    What was kept in memory before is not looked through in their time.
    """
    gc.collect()
    gc.freeze()
    for name, rules in readings_of_chicago(chicago).items():
        judge: Judge = partial(best_melds, meld_rules=rules)
        yield _longest(name, [_time(judge, _hand(rng, 2)) for _ in range(hands)])
    for name, rules in readings_of_contracts(contract_rummy).items():
        times = []
        for _ in range(hands):
            asked = rng.choice(contracts)
            judge = partial(judge_contract, contract=asked, meld_rules=rules, pack=Pack(2, 4))
            times.append(_time(judge, _hand(rng, _wild_rank(rng, rules))))
        yield _longest(name, times)
    for name, (rules, asked) in other_games(contract_rummy).items():
        judge = partial(judge_contract, contract=asked, meld_rules=rules, pack=Pack(2, 4))
        dealt = [_hand(rng, _wild_rank(rng, rules)) for _ in range(hands)]
        yield _longest(name, [_time(judge, hand) for hand in dealt])


def _hand(rng: Random, wild: int) -> Hand:
    """Deal 16 cards of few ranks that follow one another, and up to eight that are wild."""
    low, span = rng.randint(1, 10), rng.choice((3, 4, 5, 13))
    wilds = rng.choice((0, 2, 4, 6, 8)) if wild else rng.choice((0, 1, 2, 4))
    others = [card for card in DECKS if (card.rank - low) % 13 < span and card.rank != wild]
    free = [card for card in DECKS if card.rank == wild] or [JOKER] * 4
    return tuple(rng.sample(others, min(len(others), 16 - wilds)) + rng.sample(free, wilds))


def _wild_rank(rng: Random, rules: MeldRules) -> int:
    """Choose one of the wild ranks to deal more of; 0 are the jokers."""
    return int(RANKS[rng.choice(rules.wilds)])


def _time(judge: Judge, hand: Hand) -> tuple[float, str]:
    started = time.thread_time()
    judge(hand)
    return time.thread_time() - started, write_hand(hand)


def _longest(name: str, times: list[tuple[float, str]]) -> str:
    seconds, hand = max(times)
    return f"longest, unprepared, {name}: {1e3 * seconds:.1f} ms for {hand}"
