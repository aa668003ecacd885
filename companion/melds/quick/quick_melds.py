"""The least points unmelded where a meld may take any number of wilds: the usual rules.

Only ranks held often enough for a set are branched on: which of their cards lie in the set, which
stay for runs (`set_choices`). Everything else is looked up suit by suit (`runs`); only the
way that wins is laid out (`laid_suits`). As soon as one meld lies, every wild left over joins it,
so that the fewest loose natural cards decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from companion.cards import Card, Hand, Rank, Suit, sort_hand
from companion.melds.effort import spend
from companion.melds.meld import RANK_NAMES, Meld, Melding, MeldRules
from companion.melds.melds_layout import lay_wilds_alone, wild_melds
from companion.melds.places import MOST_CARDS, has_room, set_ranks, sort_out, suit_index

from .laid_melds import NATURAL_CARDS, LaidMeld, laid_set, lay_wilds
from .laid_suits import LaidSuits
from .runs import BITS, SUIT, SUIT_BITS, UNITS, Costs, Openings, Useful, ranks_held
from .set_choices import COLUMN, SetAsked, SetChoices
from .wild_shares import Shares, share

DIAMONDS, HEARTS, SPADES, WILDS = (suit * SUIT_BITS for suit in (1, 2, 3, 4))
"""Where each suit but clubs, and then the wilds, begin in the number that is a hand."""
WILD = 1 << WILDS
POINT = 1 << 5
"""Loose points weigh more than loose cards, of which there are fewer than this."""

AT_A_STEP = 32
"""How many ways are looked at in the time that a step of other searches takes."""

_Suits = tuple[int, int, int, int]
_Way = tuple[_Suits, int, tuple[SetAsked, ...]]
"""The cards left to each suit, the wilds that the sets need, and the sets."""

NEVER = 1 << 60
_NO_WAY: _Way = ((0, 0, 0, 0), 0, ())
_NO_SHARES: Shares = ()


def is_unlimited(meld_rules: MeldRules) -> bool:
    """Return whether wilds left over always find room in any meld, and none is bound to a rank."""
    return has_room(meld_rules) and not meld_rules.bound_ranks


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
        unit = wild_units(meld_rules)
        self._cards = (*NATURAL_CARDS, *[card for card in unit if unit[card] == WILD])
        self._numbers = {card: number for number, card in enumerate(self._cards)}
        self._units = [unit[card] for card in self._cards]

    def solve(self, hand: Hand) -> Melding:
        """Find the best melds of one hand."""
        numbers = self.numbers(hand)
        cards = self.number(numbers)
        least, way, shares = self.best_way(cards)
        naturals = len(hand) - (cards >> WILDS)
        loose = numbers[:naturals]
        wilds = map(self._cards.__getitem__, numbers[naturals:])
        melds = self._lay(way, shares, cards >> WILDS, wilds, loose)
        points = least // POINT
        if not melds:
            points += sum([self._values[card.rank] for card in wilds])
            return Melding(points, (), sort_hand(hand))
        return Melding(points, melds, tuple(map(self._cards.__getitem__, loose)))

    def numbers(self, hand: Hand) -> list[int]:
        """Return the number of each card, in the order of a hand, those of the wilds last."""
        if len(hand) > MOST_CARDS:
            sort_out(hand, self._rules)
        try:
            return sorted(map(self._numbers.__getitem__, hand))
        except KeyError:
            for card in sort_out(hand, self._rules)[0]:
                suit_index(card)
            raise

    def number(self, numbers: list[int]) -> int:
        """Return the number that is a hand: how many of each card, suit by suit, then the wilds."""
        return sum(map(self._units.__getitem__, numbers))

    def best_way(self, cards: int) -> tuple[int, _Way, Shares]:
        """Find the way that leaves the least loose, what that is, and the shares of its wilds."""
        wilds = cards >> WILDS
        known = self._known[wilds]
        costs = known.costs
        least, best, shares = NEVER, _NO_WAY, _NO_SHARES
        for way in self._ways(cards, wilds, known):
            (clubs, diamonds, hearts, spades), needed, _ = way
            some = costs[clubs]
            more = costs[diamonds]
            much = costs[hearts]
            most = costs[spades]
            rest = wilds - needed
            cost, shared = some[rest] + more[rest] + much[rest] + most[rest], _NO_SHARES
            if rest and cost < least:
                cost, shared = share(some, more, much, most, rest)
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
        ways: list[_Way] = [((clubs, diamonds, hearts, spades), 0, ())]
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
            found: list[_Way] = []
            spend(len(choices) * len(ways) // AT_A_STEP)
            for c, d, h, s, needed, asked in choices:
                for (clubs, diamonds, hearts, spades), used, sets in ways:
                    if used + needed <= wilds:
                        left = clubs - c, diamonds - d, hearts - h, spades - s
                        found.append((left, used + needed, (*sets, asked)))
            ways = found if is_certain else found + ways
        return ways

    def _lay(
        self, way: _Way, shares: Shares, held: int, wilds: Iterator[Card], loose: list[int]
    ) -> tuple[Meld, ...]:
        """Lay out the melds of a way, sets first, with all the wilds that are held.

        The natural cards in them are taken from the loose ones.
        """
        suits, needed, sets = way
        known, spare = self._known[held], held - needed
        shares = shares if spare else known.natural_runs(suits)
        runs: list[LaidMeld] = []
        for index, most in shares:
            found = known.laid_suits[index, suits[index], most, 0]
            runs += found.runs
            spare -= found.wilds
        # Wilds left over join a set, each other, or a run.
        melds: list[Meld] = []
        laid: list[LaidMeld] = []
        for rank, by_suit, lent in sets:
            laid.append(laid_set(rank, by_suit, lent + spare))
            spare = 0
        if spare and self._lie_alone[spare]:
            melds += lay_wilds_alone([*islice(wilds, spare)], self._rules)
        elif spare:
            runs = []
            for index, most in shares:
                runs += known.laid_suits[index, suits[index], most, spare].runs
                spare = 0
        for each in laid + runs:
            melds.append(lay_wilds(each, wilds))
            for natural in each.naturals:
                loose.remove(natural)
        return tuple(melds)


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

    def natural_runs(self, suits: _Suits) -> Shares:
        """Return the suits in which runs lie without wilds."""
        return tuple([(n, 0) for n, suit in enumerate(suits) if not self.costs[suit][-1]])


def wild_units(meld_rules: MeldRules) -> dict[Card, int]:
    """Return what each card adds to the number that is a hand: four suits, then the wilds."""
    free = meld_rules.free_ranks
    return UNITS | {Card(rank, suit): WILD for rank in free for suit in (None, *Suit)}
