"""Other solvers of the same questions, or of the nearest one solved: each where it is installed.

A peer is prepared with a hand outside the time that is taken: it gets the hand as it likes it best.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import product
from typing import Any, NamedTuple

from companion.cards import SUITS, Card, Hand, Rank


class Peer(NamedTuple):
    """A solver: `prepare` makes of a hand what `solve` then answers in the time taken."""

    name: str
    prepare: Callable[[Hand], Any]
    solve: Callable[[Any], Any]


def gin_peers(size: int) -> Iterator[Peer]:
    """Find gin rummy's least deadwood by open_spiel in C++; by rlcard, for ten cards only."""
    if find_spec("pyspiel"):
        import pyspiel  # type: ignore[import-not-found]

        utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
        yield Peer(
            "open_spiel",
            lambda hand: [SUITS.index(card.suit) * 13 + card.rank - 1 for card in hand],
            utils.min_deadwood,
        )
    if size == 10 and find_spec("rlcard"):
        from rlcard.games.base import Card as TheirCard  # type: ignore[import-not-found]
        from rlcard.games.gin_rummy.utils import melding  # type: ignore[import-not-found]

        letters = "XA23456789TJQK"
        yield Peer(
            "rlcard",
            lambda hand: [
                TheirCard(card.suit.value, letters[card.rank]) for card in hand if card.suit
            ],
            melding.get_best_meld_clusters,
        )


def chicago_peers() -> Iterator[Peer]:
    """Find the least points unmelded with wild twos by CP-SAT; only its solving counts.

    It is asked with every run stated, as one would write it, and with only those in reach.
    """
    if find_spec("ortools"):
        yield Peer("CP-SAT, every run stated", partial(_chicago_model, in_reach=False), _solve)
        yield Peer("CP-SAT, runs in reach", partial(_chicago_model, in_reach=True), _solve)


def contract_peers() -> Iterator[Peer]:
    """Find by CP-SAT the distance alone, by mahjong what helps in its own game, the nearest one."""
    if find_spec("ortools"):
        yield Peer("CP-SAT, distance alone", _contract_model, _solve)
    if find_spec("mahjong"):
        yield Peer("mahjong, its own ukeire", _tiles, _ukeire)


def _solve(model: Any) -> int:
    from ortools.sat.python import cp_model  # type: ignore[import-not-found]

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.solve(model)
    return int(solver.objective_value + 0.5)


def _held(hand: Hand, suit: int, rank: int) -> int:
    return hand.count(Card(Rank(rank), SUITS[suit]))


_Cell = tuple[int, int]
"""A suit and a rank."""

_EVERY_RUN = [
    [(suit, rank) for rank in range(first, first + size)]
    for suit, size in product(range(4), (3, 4, 5))
    for first in range(1, 15 - size)
]


def _chicago_model(hand: Hand, in_reach: bool) -> Any:
    """State that a rank may be one set, and that runs of three to five places cover cards.

    Only melds in reach of the hand are stated, or all: the fewer, the sooner it is solved.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    held = Counter((SUITS.index(card.suit), int(card.rank)) for card in hand if card.suit)
    held = Counter({cell: many for cell, many in held.items() if cell[1] != Rank.TWO})
    twos, lent, melds = len(hand) - held.total(), [], []
    if not in_reach:
        held.update(dict.fromkeys(product(range(4), range(1, 14)), 0))
    covered: dict[_Cell, list[Any]] = {}
    for cells in _runs_in_reach(held, twos) if in_reach else _EVERY_RUN:
        melds.append(model.new_int_var(0, 2, ""))
        for cell in cells:
            covered.setdefault(cell, []).append(melds[-1])
    lent += [sum(runs) for cell, runs in covered.items() if cell not in held]
    loose, in_sets = [], defaultdict(list, {int(Rank.TWO): []})
    for cell, many in held.items():
        in_set, in_runs = model.new_int_var(0, many, ""), model.new_int_var(0, many, "")
        lent.append(model.new_int_var(0, twos, ""))
        model.add(in_runs + lent[-1] == sum(covered.get(cell, [])))
        model.add(in_runs + in_set <= many)
        loose.append(min(cell[1], 10) * (many - in_runs - in_set))
        in_sets[cell[1]].append(in_set)
    for cards in in_sets.values():
        is_set, wild = model.new_bool_var(""), model.new_int_var(0, twos, "")
        model.add(sum(cards) + wild >= 3).only_enforce_if(is_set)
        model.add(sum(cards) == 0).only_enforce_if(is_set.negated())
        lent.append(wild)
        melds.append(is_set)
    model.add(sum(lent) <= twos)
    melded = model.new_bool_var("")
    model.add(melded <= sum(melds))
    model.minimize(sum(loose) + 2 * twos * (1 - melded))
    return model


def _runs_in_reach(held: Counter[_Cell], twos: int) -> Iterator[list[_Cell]]:
    """List the cards of every run that some cards held and the twos could be."""
    for cells in _EVERY_RUN:
        if 0 < sum(cell in held for cell in cells) >= len(cells) - twos:
            yield cells


def _contract_model(hand: Hand) -> Any:
    """State two sets of three and two runs of four, a rank at least between runs of a suit."""
    from ortools.sat.python import cp_model

    model, covered, wilds = cp_model.CpModel(), [], hand.count(Card(Rank.JOKER))
    runs = [[model.new_bool_var("") for _ in range(11)] for _ in range(4)]
    sets = [model.new_int_var(0, 2, "") for _ in range(13)]
    model.add(sum(map(sum, runs)) == 2)
    model.add(sum(sets) == 2)
    in_sets: dict[int, list[Any]] = {rank: [] for rank in range(1, 14)}
    for suit in range(4):
        for first in range(7):
            model.add(sum(runs[suit][first : first + 5]) <= 1)
        for rank in range(1, 14):
            held = _held(hand, suit, rank)
            if held:
                in_run, in_set = model.new_int_var(0, held, ""), model.new_int_var(0, held, "")
                places = (1, 14) if rank == 1 else (rank,)
                model.add(
                    in_run
                    <= sum(
                        run
                        for start, run in enumerate(runs[suit], 1)
                        if any(start <= place < start + 4 for place in places)
                    )
                )
                model.add(in_run + in_set <= held)
                in_sets[rank].append(in_set)
                covered += [in_run, in_set]
    for rank, cards in in_sets.items():
        model.add(sum(cards) <= 3 * sets[rank - 1])
    missing = model.new_int_var(0, 14, "")
    model.add(missing >= 14 - wilds - sum(covered))
    model.minimize(missing)
    return model


def _tiles(hand: Hand) -> list[int]:
    """Give thirteen tiles for thirteen cards: four suits folded into 34 kinds of tiles."""
    tiles = [0] * 34
    for number, card in enumerate(hand[:13]):
        kind = (SUITS.index(card.suit) * 13 + card.rank - 1) % 34 if card.suit else number
        while tiles[kind] == 4:
            kind = (kind + 1) % 34
        tiles[kind] += 1
    return tiles


def _ukeire(tiles: list[int]) -> list[int]:
    """Name every tile that brings the hand nearer, in the way their users do: try each."""
    from mahjong.shanten import Shanten  # type: ignore[import-not-found]

    shanten = Shanten()
    now, better = shanten.calculate_shanten(tiles), []
    for kind in range(34):
        if tiles[kind] < 4:
            tiles[kind] += 1
            if shanten.calculate_shanten(tiles) < now:
                better.append(kind)
            tiles[kind] -= 1
    return better
