"""The least points unmelded where a meld may take any number of wilds: the usual rules.

Only ranks held often enough for a set are branched on: which of their cards lie in the set, which
stay for runs (`set_choices`). Everything else is looked up suit by suit (`runs`); only the
way that wins is laid out (`laid_suits`). As soon as one meld lies, every wild left over joins it,
so that the fewest loose natural cards decide.
"""

from __future__ import annotations

from companion.cards import Card, Hand, Rank, Suit, sort_hand

from ..layout import lay_wilds_alone, wild_melds
from ..meld import RANK_NAMES, Meld, Melding, MeldRules
from ..places import MOST_CARDS, set_ranks, sort_out, suit_index, windows
from .laid_melds import Laid, laid_set, lay_wilds
from .laid_suits import LaidSuits
from .runs import BITS, SUIT, SUIT_BITS, UNITS, Costs, Openings, Useful, ranks_held
from .set_choices import COLUMN, SetAsked, SetChoices
from .wild_shares import NO_SHARES, Shares, share

DIAMONDS, HEARTS, SPADES, WILDS = (suit * SUIT_BITS for suit in (1, 2, 3, 4))
"""Where each suit but clubs, and then the wilds, begin in the number that is a hand."""
WILD = 1 << WILDS
POINT = 1 << 5
"""Loose points weigh more than loose cards, of which there are fewer than this."""

_Way = tuple[int, int, int, int, int, tuple[SetAsked, ...]]
"""The cards left to each suit, the wilds that the sets need, and the sets."""

NEVER = 1 << 60
_NO_WAY: _Way = (0, 0, 0, 0, 0, ())


def is_unlimited(meld_rules: MeldRules) -> bool:
    """Tell whether under these rules wilds left over always find room in any meld."""
    longest = 2 * meld_rules.run_size + meld_rules.set_size - 2
    return not (
        meld_rules.limits_wilds
        or meld_rules.bound_ranks
        or longest > min(meld_rules.run_max, 13)
        or not windows(meld_rules.ace, longest)
        or min(meld_rules.set_size, meld_rules.run_size) < 2
        or min(meld_rules.values.values(), default=0) < 0
    )


class QuickMelds:
    """Finds the best melds under one game's rules."""

    def __init__(self, meld_rules: MeldRules) -> None:
        self._rules = meld_rules
        self._values = [meld_rules.values.get(RANK_NAMES[rank], 0) for rank in Rank]
        weights = tuple(value * POINT + 1 for value in self._values)
        openings = Openings(meld_rules, weights)
        self._known = [_Known(meld_rules, openings, wilds) for wilds in range(MOST_CARDS + 1)]
        self._of_sets = sum(1 << BITS * rank for rank in set_ranks(meld_rules.ace))
        self._lie_alone = [bool(wild_melds(meld_rules, n)) for n in range(MOST_CARDS + 1)]
        self._unit = wild_units(meld_rules)
        self._is_wild = frozenset(c for c, unit in self._unit.items() if unit == WILD).__contains__

    def solve(self, hand: Hand) -> Melding:
        """Find the best melds of one hand."""
        cards = self.number(hand)
        least, way, shares = self.best_way(cards)
        wilds = list(filter(self._is_wild, hand)) if cards >= WILD else []
        melds = self._lay(way, shares, wilds)
        points = least // POINT
        if wilds and not melds:
            points += sum([self._values[card.rank] for card in wilds])
        elif not least:
            return Melding(0, melds, ())
        loose = list(hand)
        for meld in melds:
            for card in meld.cards:
                loose.remove(card)
        return Melding(points, melds, sort_hand(loose))

    def number(self, hand: Hand) -> int:
        """Tell the number that is a hand: how many of each card, suit by suit, then the wilds."""
        if len(hand) > MOST_CARDS:
            sort_out(hand, self._rules)
        try:
            return sum(map(self._unit.__getitem__, hand))
        except KeyError:
            for card in sort_out(hand, self._rules)[0]:
                suit_index(card)
            raise

    def best_way(self, cards: int) -> tuple[int, _Way, Shares]:
        """Find the way that leaves the least loose, what that is, and each suit's wilds."""
        wilds = cards >> WILDS
        known = self._known[wilds]
        costs = known.costs
        least, best, shares = NEVER, _NO_WAY, NO_SHARES
        for way in self._ways(cards, wilds, known):
            clubs, diamonds, hearts, spades, needed, _ = way
            some = costs[clubs]
            more = costs[diamonds]
            much = costs[hearts]
            most = costs[spades]
            rest = wilds - needed
            cost = some[rest] + more[rest] + much[rest] + most[rest]
            if cost >= least:
                continue
            shared = NO_SHARES
            if rest:
                cost, shared = share((some, more, much, most), rest)
            if cost < least:
                least, best, shares = cost, way, shared
                if not cost:
                    break
        return least, best, shares

    def _ways(self, cards: int, wilds: int, known: _Known) -> list[_Way]:
        """List every choice of sets worth a look."""
        clubs = cards & SUIT
        diamonds = cards >> DIAMONDS & SUIT
        hearts = cards >> HEARTS & SUIT
        spades = cards >> SPADES & SUIT
        ways: list[_Way] = [(clubs, diamonds, hearts, spades, 0, ())]
        often = ranks_held(clubs + diamonds + hearts + spades, known.least_in_set) & self._of_sets
        if not often:
            return ways
        useful = known.useful
        cards |= (
            useful[clubs]
            | useful[diamonds] << DIAMONDS
            | useful[hearts] << HEARTS
            | useful[spades] << SPADES
        )
        while often:
            rank = often & -often
            often -= rank
            choices, is_certain = known.choices[cards & COLUMN * rank]
            found = [
                (clubs - c, diamonds - d, hearts - h, spades - s, before + needed, (*sets, asked))
                for c, d, h, s, needed, asked in choices
                for clubs, diamonds, hearts, spades, before, sets in ways
                if before + needed <= wilds
            ]
            ways = found if is_certain else found + ways
        return ways

    def _lay(self, way: _Way, shares: Shares, wilds: list[Card]) -> tuple[Meld, ...]:
        """Lay out the melds of a way, sets first; the runs take the first wilds."""
        *suits, needed, sets = way
        known, spare = self._known[len(wilds)], len(wilds) - needed
        asked: list[tuple[int, int, int, int]] = []
        runs: list[Laid] = []
        for index, suit, most in zip(range(4), suits, shares, strict=True):
            costs = known.costs[suit]
            if costs[most] < costs[-1]:
                asked.append((index, suit, most, 0))
                found = known.laid_suits[index, suit, most, 0]
                runs += found.runs
                spare -= found.wilds
        # Wilds left over join a set, each other, or a run.
        alone: list[Meld] = []
        if spare and sets:
            (rank, by_suit, lent), *others = sets
            sets = ((rank, by_suit, lent + spare), *others)
        elif spare and self._lie_alone[spare]:
            alone = [*lay_wilds_alone(wilds[-spare:], self._rules)]
        elif spare and asked:
            (index, suit, most, _), *rest = asked
            longer = (index, suit, most, spare), *rest
            runs = [run for suit in longer for run in known.laid_suits[suit].runs]
        left = iter(wilds)
        laid_runs = [lay_wilds(run, left) for run in runs]
        return (*[lay_wilds(laid_set(*each), left) for each in sets], *alone, *laid_runs)


class _Known:
    """What is remembered of hands with so many wilds."""

    def __init__(self, meld_rules: MeldRules, openings: Openings, wilds: int) -> None:
        # A card alone with wilds lies as well in a run, if that needs no more of them.
        alone = meld_rules.set_size < meld_rules.run_size
        self.least_in_set = max(1 if alone else 2, meld_rules.set_size - wilds)
        self.costs = Costs(openings, wilds)
        self.useful = Useful(openings, wilds)
        self.choices = SetChoices(meld_rules.set_size, self.least_in_set)
        self.laid_suits = LaidSuits(openings, self.costs, meld_rules)


def wild_units(meld_rules: MeldRules) -> dict[Card, int]:
    """Tell what each card adds to the number that is a hand: four suits, then the wilds."""
    free = meld_rules.free_ranks
    return UNITS | {Card(rank, suit): WILD for rank in free for suit in (None, *Suit)}
