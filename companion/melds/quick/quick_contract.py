"""How near a hand is to a contract of sets and at most two runs, where nothing limits the wilds.

What is missing are the places that the nearest runs and sets leave empty (`search`), less the
wilds held; a card helps if and only if one of those choices has an empty place for it, so that no
card needs to be tried. Where anything could differ from the full search (limits on wilds, named
ranks, sets of several sizes, a pack that may run out of a card), None is given and that search is
made.
"""

from __future__ import annotations

from functools import lru_cache, partial

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, sort_hand
from companion.melds.judgement import Judgement, Laying
from companion.melds.meld import Contract, MeldRules
from companion.melds.places import CARDS, MOST_CARDS, set_ranks, wild_cards, windows
from companion.melds.same_suit import CONNECTED

from .laying import Drawer
from .nearest import RunsAsked, Tie
from .quick_melds import wild_units
from .runs import BITS, SUIT, SUIT_BITS, ranks_held
from .sets import SetsAsked, Step, wanted

_NAMED = [
    (
        BITS * rank,
        [
            [of_suit[rank] for suit, of_suit in enumerate(CARDS) if suits >> suit & 1]
            for suits in range(16)
        ],
    )
    for rank in NATURALS
]
"""Where it is told, by a bit for each, of which suits a rank is meant, and the cards meant."""


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
        or any(meld.ranks or meld.is_unlike or meld.wilds is not None for meld in contract.melds)
        or any(meld.suits == "any" for meld in runs)
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
        self._runs = RunsAsked(runs, meld_rules)
        self._unit = wild_units(meld_rules)
        self._free = meld_rules.free_ranks
        self._wilds = wild_cards(self._free)
        self._free_places = sum([1 << BITS * rank for rank in self._free if rank])

    def judge(self, hand: Hand, pack: Pack, seen: Hand) -> Judgement | None:
        """Judge one hand, `seen` being what cannot be drawn; None where more must be looked at."""
        try:
            cards = self._cards(hand)
        except KeyError:
            return None
        if len(hand) > MOST_CARDS:
            return None
        suits, wilds = _by_suit(cards), cards >> 4 * SUIT_BITS
        counts, left = sum(suits), 4 * pack.decks - len(seen) + len(hand)
        if self._sets.may_run_out(counts, left - self._runs.number):
            return None
        empty, ties, steps = self._runs.nearest(suits, self._sets.steps(counts))
        missing = max(0, empty - wilds)
        helping: dict[Card, int] = {}
        if missing:
            asked, ranks = _asked(ties, steps)
            helping = self._named(asked | ranks * 15, pack, seen)
            if pack.decks < 2 or hand is not seen or self._free_places:
                left = wilds + sum([helping.get(card, 0) for card in self._wilds])
                if self._may_lack(asked, hand, seen, pack.decks, left):
                    return None
        lay = partial(self._lay, ties[0], hand, seen, pack.decks, missing, helping)
        return Judgement(not missing, missing, helping, lay)

    def _cards(self, hand: Hand) -> int:
        return sum(map(self._unit.__getitem__, hand))

    def _may_lack(self, asked: int, hand: Hand, seen: Hand, decks: int, wilds: int) -> bool:
        """Return whether runs could ask for more of a card than there is.

        The place of a rank that is wild takes nothing but wilds.
        """
        if self._free_places and wilds < len(self._free) * self._runs.number:
            return True
        twice, gone = self._runs.twice, _by_suit(self._cards(seen) - self._cards(hand))
        return any(
            asked >> suit
            & ~self._free_places
            & (ranks_held(cards, decks) | twice & ranks_held(cards, decks - 1))
            for suit, cards in enumerate(gone)
        )

    def _named(self, suits: int, pack: Pack, seen: Hand) -> dict[Card, int]:
        """Name the cards told by rank and suit, and all wilds, with the copies that are unseen."""
        cards: list[Card] = []
        for shift, named in _NAMED:
            cards += named[suits >> shift & 15]
        helping = dict.fromkeys(cards, pack.decks)
        for card in self._wilds:
            if copies := pack.copies(card):
                helping[card] = copies
        for card in seen:
            if card in helping:
                helping[card] -= 1
                if not helping[card]:
                    del helping[card]
        if self._free_places:
            return {card: helping[card] for card in sort_hand(helping)}
        return helping

    def _lay(
        self,
        tie: Tie,
        hand: Hand,
        seen: Hand,
        decks: int,
        missing: int,
        helping: dict[Card, int],
    ) -> Laying:
        """Lay out the nearest contract."""
        wilds = [card for card in hand if card[0] in self._free]
        left = {card: helping[card] for card in self._wilds if card in helping}
        suits, known = (_by_suit(self._cards(cards)) for cards in (hand, seen))
        drawer = Drawer(suits, known, decks, wilds, self._free, left, missing, [])
        return drawer.lay(tie, self._sets), sort_hand(drawer.drawn)


def _asked(ties: list[Tie], steps: list[Step]) -> tuple[int, int]:
    """Gather the places of runs that lack a card, a bit for each suit, and the ranks of sets."""
    asked, ranks = 0, 0
    for used, twice, offers in ties:
        for suit, offer in offers:
            asked |= offer.gaps << suit
        ranks |= wanted(steps, used, twice)
    return asked, ranks


def _by_suit(cards: int) -> list[int]:
    return [cards >> suit * SUIT_BITS & SUIT for suit in range(len(SUITS))]
