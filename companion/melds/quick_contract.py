"""How near a hand is to a contract of sets and at most two runs, where nothing limits the wilds.

Runs are chosen among the offers of the suits (`suit_places`), those first that miss least; what is
then left for the sets depends on the ranks alone, so that the best sets are known at once
(`quick_sets`). Where anything could differ from the full search (limits on wilds, named ranks,
sets of several sizes, a pack that may run out of a card), None is given and that search is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, reduce
from itertools import combinations, permutations
from operator import and_, or_
from typing import NamedTuple

from companion.cards import Card, Hand, Pack, sort_hand

from .choices import CONNECTED
from .meld import Contract, Meld, MeldRules
from .places import CARDS, MOST_CARDS, set_ranks, wild_cards, windows
from .quick_layout import Drawer, Tie
from .quick_melds import wild_units
from .quick_runs import BITS, SUIT, SUIT_BITS, ranks_held
from .quick_sets import Levels, SetsAsked, less, levels_of
from .suit_places import Alone, Both, Offer


class Nearest(NamedTuple):
    """How many cards a hand misses, the contract as it then lies, what is drawn, and what helps."""

    missing: int
    layout: tuple[Meld, ...]
    draw: Hand
    helping: Mapping[Card, int]


@lru_cache(maxsize=64)
def quick_judge(contract: Contract, meld_rules: MeldRules) -> QuickContract | None:
    """Prepare to judge hands; None where the full search must be made of every hand."""
    runs = [meld for meld in contract.melds if meld.kind == "run"]
    sets = [meld for meld in contract.melds if meld.kind == "set"]
    nine = meld_rules.same_suit_runs == "adjacent_needs_9"
    if (
        meld_rules.limits_wilds
        or meld_rules.bound_ranks
        or contract.or_melds
        or contract.all_cards
        or len(runs) > 2
        or any(meld.ranks or meld.suits == "any" for meld in contract.melds)
        or len({meld.size for meld in sets}) > 1
        or any(meld.size > min(meld_rules.run_max, 13) for meld in runs)
        or not all(windows(meld_rules.ace, meld.size) for meld in runs)
        or (nine and meld_rules.run_max < CONNECTED)
    ):
        return None
    return QuickContract(contract, meld_rules)


class QuickContract:
    """Judges hands against one contract under one game's rules."""

    def __init__(self, contract: Contract, meld_rules: MeldRules) -> None:
        runs = [meld.size for meld in contract.melds if meld.kind == "run"]
        sets = [meld.size for meld in contract.melds if meld.kind == "set"]
        of_sets = set(set_ranks(meld_rules.ace)) - meld_rules.free_ranks
        ranks = sum([1 << BITS * rank for rank in of_sets])
        size = sets[0] if sets else 1
        self._sets = SetsAsked(len(sets), size, meld_rules.same_rank_sets, ranks)
        self._runs = len(runs)
        self._alone = {size: Alone(size, meld_rules) for size in runs}
        self._sizes = sorted(runs, reverse=True)
        self._both = Both((self._sizes[0], self._sizes[1]), meld_rules) if len(runs) == 2 else None
        self._unit = wild_units(meld_rules)
        self._free = meld_rules.free_ranks
        self._wilds = wild_cards(self._free)
        self._free_places = sum([1 << BITS * rank for rank in self._free if rank])
        # Of which ranks two runs in one suit may ask for a card each.
        self._twice = 0 if self._both is None else self._both.twice
        equal = len(set(runs)) < 2
        self._suit_pairs = [*(combinations(range(4), 2) if equal else permutations(range(4), 2))]

    def judge(self, hand: Hand, pack: Pack, seen: Hand) -> Nearest | None:
        """Judge one hand, `seen` being what cannot be drawn; None where more must be looked at."""
        unit = self._unit
        try:
            cards = sum(map(unit.__getitem__, hand))
        except KeyError:
            return None
        if len(hand) > MOST_CARDS:
            return None
        suits = _suits(cards)
        known = suits if hand is seen else _suits(sum(map(unit.__getitem__, seen)))
        levels = levels_of(sum(suits), self._sets.ranks)
        if self._may_run_out(len(levels), 4 * pack.decks - len(seen) + len(hand)):
            return None
        empty, ties = self._ties(suits, levels)
        wilds = cards >> 4 * SUIT_BITS
        missing = max(0, empty - wilds)
        helping: Mapping[Card, int] = {}
        unseen_wilds = self._unseen_wilds(pack, seen) if missing else {}
        if missing:
            asked, ranks = self._asked(ties, levels, empty)
            if self._free_places:
                # The place of a rank that is wild takes nothing but wilds.
                if wilds + sum(unseen_wilds.values()) < len(self._free) * self._runs:
                    return None
                asked = [gaps & ~self._free_places for gaps in asked]
            if pack.decks < 2 or known is not suits:
                scarce = self._scarce(suits, known, pack.decks)
                if any(map(and_, asked, scarce)):
                    return None
            helping = self._name([gaps | ranks for gaps in asked], known, pack.decks, unseen_wilds)
        free = [card for card in hand if card[0] in self._free] if wilds else []
        drawer = Drawer(suits, known, pack.decks, free, self._free, unseen_wilds, missing, [])
        layout = drawer.lay(ties[0], self._sets)
        return Nearest(missing, layout, sort_hand(drawer.drawn), helping)

    def _may_run_out(self, most_held: int, left: int) -> bool:
        """Tell whether sets and runs could ask more of a rank than there is of one, at least."""
        sets, size = self._sets.number, self._sets.size
        return sets > 0 and size * max(1, -(-most_held // size)) + self._runs > left

    def _scarce(self, suits: list[int], known: list[int], decks: int) -> list[int]:
        """Tell of which cards runs could ask more than there is."""
        gone = [cards - held for cards, held in zip(known, suits, strict=True)]
        return [
            ranks_held(cards, decks) | self._twice & ranks_held(cards, decks - 1) for cards in gone
        ]

    def _ties(self, suits: list[int], levels: Levels) -> tuple[int, list[Tie]]:
        """Tell how many places stay empty at least, and every choice of offers that leaves them."""
        base = self._sets.missing(levels)
        if not self._sizes:
            return base, [()]
        lost = _Lost(self._sets, levels, sum(suits), base)
        held = [ranks_held(suit, 1) for suit in suits]
        ones = [self._alone[self._sizes[0]][suit] for suit in held]
        if self._both is None:
            return _best([((suit, offer),) for suit in range(4) for offer in ones[suit]], lost)
        others = [self._alone[self._sizes[1]][suit] for suit in held]
        best, ties = self._in_two_suits(ones, others, lost)
        for suit, cards in enumerate(suits):
            again = ranks_held(cards, 2) & self._twice
            covered = held[suit].bit_count() + again.bit_count()
            nearest = ones[suit][0].missing + others[suit][0].missing
            if base + max(nearest, self._both.size - covered) <= best:
                for offer in self._both.offers(held[suit] + again, best - base):
                    total = base + offer.missing
                    if total > best:
                        break
                    total += lost.by(offer.used, offer.twice)
                    if total < best:
                        best, ties = total, []
                    if total == best:
                        ties.append(((suit, offer),))
        return best, ties

    def _in_two_suits(
        self, ones: list[tuple[Offer, ...]], others: list[tuple[Offer, ...]], lost: _Lost
    ) -> tuple[int, list[Tie]]:
        """Choose a suit for each of two runs."""
        best, ties, base, at_stake = 99, list[Tie](), lost.base, lost.at_stake
        nearest_first = sorted(
            self._suit_pairs, key=lambda pair: ones[pair[0]][0].missing + others[pair[1]][0].missing
        )
        for first, second in nearest_first:
            nearest = base + others[second][0].missing
            for one in ones[first]:
                if one.missing + nearest > best:
                    break
                so_far, used = base + one.missing, one.used
                for other in others[second]:
                    total = so_far + other.missing
                    if total > best:
                        break
                    more = other.used
                    if used & more or (used | more) & at_stake:
                        total += lost.by(used | more, used & more)
                        if total > best:
                            continue
                    if total < best:
                        best, ties = total, []
                    ties.append(((first, one), (second, other)))
        return best, ties

    def _unseen_wilds(self, pack: Pack, seen: Hand) -> dict[Card, int]:
        """Tell how many of each wild card can still be drawn, if any can."""
        unseen = {card: pack.copies(card) - seen.count(card) for card in self._wilds}
        return {card: copies for card, copies in unseen.items() if copies > 0}

    def _name(
        self, asked: list[int], known: list[int], decks: int, unseen_wilds: dict[Card, int]
    ) -> Mapping[Card, int]:
        """Name the cards of which one helps, and all wilds, with the copies that are unseen."""
        clubs, diamonds, hearts, spades = asked
        left, helping = clubs | diamonds | hearts | spades, dict[Card, int]()
        while left:
            unit = left & -left
            left ^= unit
            shift = unit.bit_length() - 1
            for suit in range(4):
                if asked[suit] & unit:
                    copies = decks - (known[suit] >> shift & 63)
                    if copies > 0:
                        helping[CARDS[suit][shift // BITS]] = copies
        helping |= unseen_wilds
        if self._free_places:
            return {card: helping[card] for card in sort_hand(helping)}
        return helping

    def _asked(self, ties: list[Tie], levels: Levels, empty: int) -> tuple[list[int], int]:
        """Gather the places of runs that lack a card, by suit, and the ranks that sets want."""
        sets = self._sets
        base, wanted = sets.missing(levels), sets.helping(levels)
        asked, ranks = [0, 0, 0, 0], 0
        for tie in ties:
            used, twice, missing = 0, 0, base
            for suit, offer in tie:
                asked[suit] |= offer.gaps
                missing += offer.missing
                twice |= used & offer.used | offer.twice
                used |= offer.used
            if missing == empty and not twice:
                # The sets lose nothing: they want what they wanted, but no rank that lost a card.
                ranks |= wanted & ~used
            else:
                ranks |= sets.helping(less(less(levels, used), twice))
        return asked, ranks


class _Lost:
    """What the best sets lose to runs."""

    def __init__(self, sets: SetsAsked, levels: Levels, counts: int, base: int) -> None:
        self.base = base
        self._stake = sets.at_stake(levels)
        self.at_stake = reduce(or_, [ranks for _, ranks in self._stake], 0)
        self._sets, self._counts, self._most = sets, counts, len(levels)

    def by(self, used: int, twice: int) -> int:
        """Tell how many cards more the best sets lack without those that runs use."""
        if twice:
            return self._sets.missing_of(self._counts - used - twice, self._most) - self.base
        lost = 0
        for spare, ranks in self._stake:
            many = (ranks & used).bit_count()
            if many > spare:
                lost += many - spare
        return lost


def _best(choices: list[Tie], lost: _Lost) -> tuple[int, list[Tie]]:
    """Choose an offer for one run."""
    totals = [lost.base + o.missing + lost.by(o.used, 0) for ((_, o),) in choices]
    best = min(totals)
    return best, [choice for choice, total in zip(choices, totals, strict=True) if total == best]


def _suits(cards: int) -> list[int]:
    return [cards >> suit * SUIT_BITS & SUIT for suit in range(4)]
