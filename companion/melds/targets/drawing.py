"""The nearest target of a contract laid out card by card, with the cards to be drawn for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from companion.cards import Card, Hand, Pack, Rank, sort_hand

from ..meld import Meld, MeldRules
from ..places import CARDS, CELLS, SUIT_UNTOLD, wild_cards
from .filling import DRAWN_WILD, HELD_WILD, Cell, Filled, Holding, Slot, fill
from .target_search import NearestTarget


def unseen_copies(card: Card, pack: Pack, seen: Hand) -> int:
    """Return how many of a card can still be drawn."""
    return max(0, pack.copies(card) - seen.count(card))


def lay_out_nearest(
    finding: NearestTarget,
    holding: Holding,
    hand: Hand,
    wilds: list[Card],
    meld_rules: MeldRules,
    pack: Pack,
    seen: Hand,
) -> tuple[tuple[Meld, ...], Hand]:
    """Lay out the nearest target, and name the cards drawn for it."""
    free_ranks = frozenset(map(int, meld_rules.free_ranks))
    fillings = fill(finding.target, holding, finding.missing, free_ranks)
    if fillings is None:
        raise AssertionError("A target in reach could not be filled.")
    bound = [card for card in hand if card.rank in meld_rules.bound_ranks]
    own = Counter(cell for filled in finding.target for cell in filled.taken)
    natural = Counter({card: own[CELLS[card]] for card in wilds if card in CELLS})
    free = list((Counter(wilds) - natural).elements())
    kept = Counter(CARDS[how // 16][how & 15] for own in fillings for how in own if how >= 0)
    drawer = _Drawer(bound, free, pack, seen, [], kept, meld_rules, meld_rules.bound_ranks)
    melds = _whole([(filled, fillings.pop(0)) for filled in finding.target])
    layout = tuple([drawer.lay(*one) for one in melds])
    return layout, sort_hand(drawer.drawn)


def _whole(laid: list[tuple[Filled, list[int]]]) -> Iterator[tuple[Filled, list[int]]]:
    """Put the parts of runs together, in the order of their places."""
    while laid:
        filled, how = laid.pop(0)
        if filled.choice.steps:
            filled, how = _joined((filled, how), laid.pop(0))
        yield filled, how


def _joined(
    first: tuple[Filled, list[int]], second: tuple[Filled, list[int]]
) -> tuple[Filled, list[int]]:
    there: list[tuple[int, Slot, Cell | None, int]] = []
    for filled, fillings in (first, second):
        rest = iter(fillings)
        for at, cell in enumerate(filled.lie):
            step, slot = filled.choice.steps[at], filled.choice.places[at]
            there.append((step, slot, cell, next(rest) if cell is None else HELD_WILD))
    there.sort(key=lambda place: place[0])
    places, lie = tuple([place[1] for place in there]), tuple([place[2] for place in there])
    how = [fill for _, _, cell, fill in there if cell is None]
    return Filled(first[0].choice._replace(places=places), lie), how


def _as_itself(card: Card, meant: Card) -> Card:
    """Return what a card stands for where any card of a rank will do."""
    return card if card.rank == meant.rank else meant


class _Drawer(NamedTuple):
    """Lays melds from the cards held and those drawn, of which some are `kept` for their place."""

    bound: list[Card]
    wilds: list[Card]
    pack: Pack
    seen: Hand
    drawn: list[Card]
    kept: Counter[Card]
    meld_rules: MeldRules
    bound_ranks: frozenset[Rank]

    def lay(self, filled: Filled, fillings: list[int]) -> Meld:
        """Lay one meld."""
        choice, rest = filled.choice, fillings.copy()
        if choice.rank:
            held = [self._held(cell, choice.rank) for cell in filled.taken]
            others = [self._fill(how, choice.rank) for how in rest]
            others.sort(key=lambda card: card.rank != choice.rank)
            cards = (*held, *others)
            untold = SUIT_UNTOLD[choice.rank]
            means = tuple([card if card[0] == choice.rank else untold for card in cards])
            return Meld("set", cards, means)
        mixed = choice.is_by_rank
        assert choice.window is not None  # noqa: S101  (only sets have none)
        of_suit = SUIT_UNTOLD if mixed else CARDS[choice.suit]
        means = tuple([of_suit[rank] for rank in choice.window.ranks])
        if not (filled.slots or self.bound or mixed):
            return Meld("run", means, means)
        cards = ()
        for at, card in enumerate(means):
            cell = filled.lie[at]
            if cell is None:
                wished = CARDS[max(0, choice.suit)][card.rank]
                cards += (self._fill(rest.pop(0), card.rank, wished),)
            else:
                cards += (self._held(cell, card.rank, card),)
        if mixed:
            means = tuple(map(_as_itself, cards, means))
        return Meld("run", cards, means)

    def _held(self, cell: Cell, rank: int, wished: Card | None = None) -> Card:
        if rank not in self.bound_ranks:
            return CARDS[cell // 16][rank]
        card = next(
            (card for card in self.bound if card == wished),
            next(card for card in self.bound if card.rank == rank),
        )
        self.bound.remove(card)
        return card

    def _fill(self, how: int, rank: int, wished: Card | None = None) -> Card:
        if how == HELD_WILD:
            return self.wilds.pop(0)
        if how == DRAWN_WILD:
            wilds = wild_cards(self.meld_rules.free_ranks)
            card = next(wild for wild in wilds if self._is_unseen(wild, self.kept[wild]))
        elif rank in self.bound_ranks:
            same = sorted([of[rank] for of in CARDS], key=lambda card: card != wished)
            card = next(card for card in same if self._is_unseen(card))
        else:
            card = CARDS[how // 16][rank]
            self.kept[card] -= 1
        self.drawn.append(card)
        return card

    def _is_unseen(self, card: Card, kept: int = 0) -> bool:
        return unseen_copies(card, self.pack, self.seen) > self.drawn.count(card) + kept
