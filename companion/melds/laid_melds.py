"""The best melds laid out card by card, once it is decided what lies in which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from companion.cards import Card, Hand, Rank, sort_hand

from .meld import RANK_NAMES, Kind, Meld, Melding, MeldRules
from .places import CARDS, SUIT_UNTOLD, Window, set_ranks, windows


class Run(NamedTuple):
    """A run in a suit and, as bits by step, which of its places wilds fill."""

    suit: int
    window: Window
    empty: int

    @property
    def wilds(self) -> int:
        """How many wilds it takes."""
        return self.empty.bit_count()


class Sets(NamedTuple):
    """Natural cards of a rank and wilds that lie together in as few sets as hold them all.

    Without a natural card the rank is 0: wilds lie alone.
    """

    rank: int
    naturals: int
    wilds: int


Placed = tuple[Run | Sets, list[Card]]
"""What lies there, and its natural cards in order."""


@lru_cache(maxsize=4096)
def parted(meld_rules: MeldRules, naturals: int, wilds: int) -> tuple[tuple[int, int], ...] | None:
    """Part cards of a rank and wilds into as few melds as can hold them all; None if none can.

    Each is told by its natural cards and its wilds; wilds alone may be a run as well.

    >>> parted(MeldRules(max_wilds=2), 4, 3)
    ((3, 1), (1, 2))
    """
    if naturals == wilds == 0:
        return ()
    ways = [
        ((own, lent), *rest)
        for own, lent in product(range(naturals, -1, -1), range(wilds, -1, -1))
        if _kind(meld_rules, own, lent)
        if (rest := parted(meld_rules, naturals - own, wilds - lent)) is not None
    ]
    return min(ways, key=len, default=None)


def _kind(meld_rules: MeldRules, naturals: int, wilds: int) -> Kind | None:
    """Return as what cards of a rank and wilds lie in one meld, None if they cannot."""
    size, there = naturals + wilds, [True] * naturals + [False] * wilds
    if size >= meld_rules.set_size and meld_rules.may_be_wild("set", there):
        return "set"
    is_run = meld_rules.run_size <= size <= meld_rules.run_max and windows(meld_rules.ace, size)
    may = is_run and not naturals and meld_rules.may_be_wild("run", there)
    return "run" if may else None


def lay_out(hand: Hand, laid: Iterable[Run | Sets], meld_rules: MeldRules, roomy: bool) -> Melding:
    """Lay out what is to lie, sets first; where there is room, wilds left over join it.

    Natural cards lie first; then the wilds that count the most, from the first place on.
    """
    rest = [*sort_hand(hand)]
    # Runs take their own cards first: for sets any suit will do.
    runs = sorted(each for each in laid if isinstance(each, Run))
    sets = sorted(each for each in laid if isinstance(each, Sets))
    placed: list[Placed] = [(run, _of_run(run, rest, meld_rules)) for run in runs]
    placed = [*((each, _of_rank(each, rest)) for each in sets), *placed]
    values = [meld_rules.values.get(RANK_NAMES[rank], 0) for rank in Rank]
    wilds = [card for card in rest if card.rank in meld_rules.free_ranks]
    wilds.sort(key=lambda card: values[card.rank], reverse=True)
    spare = len(wilds) - sum(each.wilds for each, _ in placed)
    if roomy and placed and spare:
        _join(spare, placed, meld_rules)
    melds = []
    for each, naturals in placed:
        lent = [wilds.pop(0) for _ in range(each.wilds)]
        if isinstance(each, Run):
            melds.append(_lay_run(each, naturals, lent))
        else:
            melds += _lay_sets(each, naturals, lent, meld_rules)
    held = Counter(card for meld in melds for card in meld.cards)
    loose = sort_hand((Counter(hand) - held).elements())
    return Melding(sum(values[card.rank] for card in loose), tuple(melds), loose)


def _of_run(run: Run, rest: list[Card], meld_rules: MeldRules) -> list[Card]:
    """Take the natural cards of a run, one that is its rank in any suit where there is no other."""
    taken = []
    for step, rank in enumerate(run.window.ranks):
        if not run.empty >> step & 1:
            card = CARDS[run.suit][rank]
            if card not in rest:
                card = next(other for other in rest if meld_rules.is_natural(other, card))
            rest.remove(card)
            taken.append(card)
    return taken


def _of_rank(sets: Sets, rest: list[Card]) -> list[Card]:
    taken = [card for card in rest if card.rank == sets.rank][: sets.naturals]
    for card in taken:
        rest.remove(card)
    return taken


def _join(spare: int, placed: list[Placed], meld_rules: MeldRules) -> None:
    """Let wilds join the first set, else lie alone, else join a run: behind it, then before."""
    each, naturals = placed[0]
    if isinstance(each, Sets) and parted(meld_rules, each.naturals, each.wilds + spare):
        placed[0] = each._replace(wilds=each.wilds + spare), naturals
    elif parted(meld_rules, 0, spare):
        placed.insert(0, (Sets(0, 0, spare), []))
    elif isinstance(each, Run):
        window = each.window
        longer = windows(meld_rules.ace, window.size + spare)
        grown = max(one for one in longer if one.start <= window.start)
        before = window.start - grown.start
        there = (1 << window.size) - 1 & ~each.empty
        empty = (1 << grown.size) - 1 & ~(there << before)
        placed[0] = Run(each.suit, grown, empty), naturals


def _lay_run(run: Run, naturals: list[Card], lent: list[Card]) -> Meld:
    cards, wilds = iter(naturals), iter(lent)
    laid = [next(wilds if run.empty >> step & 1 else cards) for step in range(run.window.size)]
    return Meld("run", tuple(laid), tuple(CARDS[run.suit][rank] for rank in run.window.ranks))


def _lay_sets(
    sets: Sets, naturals: list[Card], lent: list[Card], meld_rules: MeldRules
) -> Iterator[Meld]:
    """Lay one set or several.

    Wilds alone are a set of their own rank, where they have none of the lowest, or the lowest run
    of clubs.
    """
    ranks = set_ranks(meld_rules.ace)
    for own, wild in parted(meld_rules, len(naturals), len(lent)) or ():
        there, naturals, wilds, lent = naturals[:own], naturals[own:], lent[:wild], lent[wild:]
        if _kind(meld_rules, own, wild) == "run":
            yield _lay_run(Run(0, windows(meld_rules.ace, wild)[0], -1), [], wilds)
            continue
        own_ranks = [card.rank for card in wilds if card.rank in ranks]
        rank = sets.rank or next(iter(own_ranks), ranks[0])
        yield Meld("set", (*there, *wilds), (*there, *[SUIT_UNTOLD[rank]] * wild))
