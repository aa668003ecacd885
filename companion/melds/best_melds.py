"""The least points unmelded in a hand, and the melds that prove it (`H-1` to `H-11`, `H-23`).

Everything is a table: by the wilds used and the cards taken of each rank, the most that what lies
is worth. A suit's tells its runs, a rank's the sets that the cards left by runs make; tables are
joined by adding their keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.cards import Card, Hand, Pack, Refusal, sort_hand

from .budget import check, searching
from .layout import ANY_SUIT, Filling, MeldSlot, Part, cells_of, run_part
from .meld import RANK_NAMES, Melding, MeldRules
from .meld_tables import (
    NOTHING,
    POINT,
    WILDS,
    Conditions,
    Laid,
    LaidRun,
    LaidSets,
    MeldTables,
    Table,
    joined,
    kind_of,
    number_taken,
    parted,
    taken,
)
from .slots import set_ranks, sort_out, suit_index, windows


def best_melds(hand: Hand, meld_rules: MeldRules) -> Melding:
    """Find the melds that leave the least points unmelded.

    Among melds that leave as little, those with the most cards, then the fewest wilds are taken;
    of those, the ones with most in runs.

    >>> from companion.cards import read_hand, write_hand
    >>> values = dict.fromkeys(RANK_NAMES.values(), 5)
    >>> rules = MeldRules(run_size=3, wilds=("2",), values=values)
    >>> melding = best_melds(read_hand("7H 8H 2C KS KD KC 4D"), rules)
    >>> melding.points, [write_hand(meld.cards) for meld in melding.melds]
    (5, ['KC KD KS', '2C 7H 8H'])

    Raises `Refusal` for more than 20 cards, an untold suit, or a joker where there is none.
    """
    with searching():
        return _solver(meld_rules).solve(hand)


class Discarded(NamedTuple):
    """The discard that leaves the least points unmelded, and the melds that are left then."""

    discard: Card
    melding: Melding


def best_after_discard(hand: Hand, meld_rules: MeldRules) -> Discarded:
    """Find the discard after which the least points are unmelded (`H-3`).

    Raises `Refusal` for an empty hand.
    """
    if not hand:
        raise Refusal("There is no card to discard.")
    discards = []
    for card in dict.fromkeys(hand):
        rest = list(hand)
        rest.remove(card)
        discards.append(Discarded(card, best_melds(tuple(rest), meld_rules)))
    return min(discards, key=lambda left: (left.melding.points, len(left.melding.loose)))


class _Held(NamedTuple):
    """A hand: how many of each rank in each suit, how many in all, and the wilds, dearest first.

    Where wilds are limited, a wild is counted in its own slot too. Cards that are their rank in
    any suit are `lent` to each.
    """

    suits: list[tuple[int, ...]]
    lent: tuple[int, ...]
    of_rank: list[int]
    wilds: list[Card]


class _Solver:
    """Finds the best melds under one game's rules."""

    def __init__(self, meld_rules: MeldRules) -> None:
        self._rules = meld_rules
        self._tables = MeldTables(meld_rules)
        self._bound = tuple(map(int, meld_rules.bound_ranks))

    def solve(self, hand: Hand) -> Melding:
        """Find the best melds of one hand."""
        held = self._held(hand)
        given = self._conditions(held)
        runs = self._joined_runs(held, given)
        sets, costs = _SetTables(self._tables, held, given), dict[int, int]()
        least = POINT**3, 0
        best: tuple[Laid, int] = (), 0
        for key, (worth, laid) in runs.items():
            check()
            for more, (gain, beside) in sets[0, key].items():
                used = (key & self._tables.free_mask) + more
                if used & WILDS > given.wilds:
                    continue
                if used not in costs:
                    costs[used] = self._loose_wilds(used, held)
                loose = 0 if given.roomy and (laid or beside) else costs[used]
                cost = loose - worth - gain, -worth
                if cost < least:
                    least, best = cost, (laid + beside, used & WILDS)
        spare = given.wilds - best[1] if given.roomy else 0
        return self._laid_out(hand, best[0], spare, held.wilds)

    def _held(self, hand: Hand) -> _Held:
        # In whatever order a hand is held, of wilds that count alike the same ones are melded.
        naturals, wilds = sort_out(sort_hand(hand), self._rules)
        wilds.sort(key=lambda card: self._tables.weights[card.rank], reverse=True)
        suits, lent = [[0] * 14 for _ in range(4)], [0] * 14
        for card in [*naturals, *[card for card in wilds if card.rank in self._tables.free]]:
            of = lent if card.rank in self._bound else suits[suit_index(card)]
            of[card.rank] += 1
        of_rank = [*map(sum, zip(lent, *suits, strict=True))]
        return _Held([*map(tuple, suits)], tuple(lent), of_rank, wilds)

    def _conditions(self, held: _Held) -> Conditions:
        """Find out which ranks may be sets, and where a wild may lie for a card that is held."""
        of_rank, wilds = held.of_rank, len(held.wilds)
        roomy = wilds <= self._tables.most_roomy
        sets = [
            rank
            for rank in set_ranks(self._rules)
            if of_rank[rank]
            and (
                rank in self._bound
                or self._tables.of_rank(rank, of_rank[rank], wilds, roomy) != NOTHING
            )
        ]
        lone = [rank for rank in sets if of_rank[rank] == 1 and rank not in self._bound]
        sets = [rank for rank in sets if rank not in lone]
        may_leave, needs = -1, self._rules.naturals("set")
        if roomy:
            # Only where the card is wild itself, or a set needs it: else it lies there as well.
            leave = [n for n in sets if n in self._tables.free or 2 <= needs <= of_rank[n]]
            may_leave = sum(1 << rank for rank in leave)
        return Conditions(wilds, tuple(sets), tuple(lone), may_leave, roomy)

    def _joined_runs(self, held: _Held, given: Conditions) -> Table:
        """Join the four suits; cards lent to several of them are there only once."""
        runs = NOTHING
        for suit, cards in enumerate(held.suits):
            if self._bound:
                cards = tuple(map(sum, zip(cards, held.lent, strict=True)))
            runs = joined(runs, self._tables.of_suit(suit, cards, given), given.wilds)
            runs = {
                key: laid
                for key, laid in runs.items()
                if all(number_taken(key, rank) <= held.lent[rank] for rank in self._bound)
            }
        return runs

    def _loose_wilds(self, used: int, held: _Held) -> int:
        """Return what the wilds in no meld cost: not those in their own slot, nor the dearest."""
        rest, many = [self._tables.weights[card.rank] for card in held.wilds], used & WILDS
        for rank in self._tables.free:
            for _ in range(number_taken(used, rank)):
                rest.remove(self._tables.weights[rank])
                many -= 1
        return sum(rest[many:])

    # Laid out ---

    def _laid_out(self, hand: Hand, laid: Laid, spare: int, wilds: list[Card]) -> Melding:
        """Lay melds out, sets first; the wilds that count the most lie first, spare ones join."""
        melds: list[LaidRun | LaidSets] = []
        for kind in (LaidSets, LaidRun):
            melds += sorted(each for each in laid if isinstance(each, kind))
        if melds and spare:
            melds = self._with_spare(melds, spare)
        parts = [part for each in melds for part in self._parts(each, wilds)]
        # Wilds are laid in the order of the hand, and the dearest must lie in a meld.
        held = [card for card in hand if card not in wilds] + wilds
        # Nothing is drawn here, so that any pack will do.
        lying, _ = Filling(parts, 0, tuple(held), self._rules, Pack(1, 0)).melds()
        used = Counter(card for meld in lying for card in meld.cards)
        loose = sort_hand((Counter(hand) - used).elements())
        values = [self._rules.values.get(RANK_NAMES[card.rank], 0) for card in loose]
        return Melding(sum(values), lying, loose)

    def _with_spare(self, melds: list[LaidRun | LaidSets], spare: int) -> list[LaidRun | LaidSets]:
        """Let wilds join the first set, else lie alone, else join a run: behind it, then before."""
        first, *others = melds
        if isinstance(first, LaidSets) and parted(self._rules, first.naturals, first.wilds + spare):
            return [first._replace(wilds=first.wilds + spare), *others]
        if isinstance(first, LaidSets) or parted(self._rules, 0, spare):
            return [LaidSets(0, 0, spare), *melds]
        longer = windows(self._rules.ace, first.window.size + spare)
        grown = max(one for one in longer if one.start <= first.window.start)
        there = (1 << first.window.size) - 1 & ~first.empty
        there <<= first.window.start - grown.start
        return [LaidRun(first.suit, grown, (1 << grown.size) - 1 & ~there), *others]

    def _parts(self, each: LaidRun | LaidSets, wilds: list[Card]) -> Iterator[Part]:
        """Return the slots of a run, or of one set or several.

        Wilds alone are a set of their own rank, where they have none of the lowest, or the lowest
        run of clubs.
        """
        rules = self._rules
        if isinstance(each, LaidRun):
            lies = [not each.empty >> step & 1 for step in range(each.window.size)]
            yield run_part(each.suit, each.window.ranks, lies, rules)
            return
        ranks = set_ranks(rules)
        own = [card.rank for card in wilds[: each.wilds] if card.rank in ranks]
        rank = each.rank or next(iter(own), ranks[0])
        for naturals, lent in parted(rules, each.naturals, each.wilds) or ():
            if kind_of(rules, naturals, lent) == "run":
                yield run_part(0, windows(rules.ace, lent)[0].ranks, [False] * lent, rules)
            else:
                slots = [MeldSlot(cells_of(rank), at < naturals) for at in range(naturals + lent)]
                yield Part("set", ANY_SUIT, slots, len(slots))


class _SetTables(dict[tuple[int, int], Table]):
    """The sets that may lie, of all ranks from one on: by what runs have taken."""

    def __init__(self, tables: MeldTables, held: _Held, given: Conditions) -> None:
        super().__init__()
        self._tables, self._of_rank, self._conditions = tables, held.of_rank, given

    def __missing__(self, at_and_taken: tuple[int, int]) -> Table:
        at, key = at_and_taken
        _, ranks, _, _, roomy = self._conditions
        wilds = self._conditions.wilds
        if at == len(ranks):
            return self._tables.of_wilds(wilds)
        left = self._of_rank[ranks[at]] - number_taken(key, ranks[at])
        own = self._tables.of_rank(ranks[at], left, wilds, roomy)
        # What was taken of this rank makes no difference to those after it.
        later = self[at + 1, key & -taken(ranks[at] + 1)]
        self[at_and_taken] = found = joined(later, own, wilds)
        return found


@lru_cache(maxsize=8)
def _solver(meld_rules: MeldRules) -> _Solver:
    return _Solver(meld_rules)
