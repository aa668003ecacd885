"""A contract laid out: what is held, then what is drawn, then wilds."""

from __future__ import annotations

from typing import NamedTuple

from companion.cards import Card, Rank

from ..meld import Meld
from ..places import CARDS, SUIT_UNTOLD
from .nearest import Tie
from .runs import BITS, ranks_held
from .sets import SetsAsked
from .suit_places import FilledRun


class Drawer(NamedTuple):
    """Lays melds from the cards of the hand, by suit, its wilds, and the cards drawn.

    `known` are the cards that cannot be drawn, `draws` tells how many are to be.
    """

    suits: list[int]
    known: list[int]
    decks: int
    wilds: list[Card]
    free: frozenset[Rank]
    unseen_wilds: dict[Card, int]
    draws: int
    drawn: list[Card]

    def lay(self, tie: Tie, sets: SetsAsked) -> tuple[Meld, ...]:
        """Lay the runs of a choice and the best sets of what is left."""
        rest = self.suits.copy()
        melds = [self._run(suit, laid, rest) for suit, offer in tie[2] for laid in offer.laid]
        ranks = sets.best(sum(rest)) if sets.number else ()
        return (*melds, *[self._set(rank, sets.size, rest) for rank in ranks])

    def _run(self, suit: int, laid: FilledRun, rest: list[int]) -> Meld:
        means = laid.cards[suit]
        lie = laid.places & ranks_held(rest[suit], 1)
        rest[suit] -= lie
        if lie == laid.places:
            return Meld("run", means, means)
        cards = [
            card if lie & place else self._fill(card)
            for card, place in zip(means, laid.each, strict=True)
        ]
        return Meld("run", tuple(cards), means)

    def _set(self, rank: int, size: int, rest: list[int]) -> Meld:
        cards: list[Card] = []
        shift = BITS * rank
        for suit, held in enumerate(rest):
            many = held >> shift & 63
            if many:
                many = min(many, size - len(cards))
                rest[suit] -= many << shift
                cards += [CARDS[suit][rank]] * many
        if len(cards) == size:
            return Meld("set", tuple(cards), tuple(cards))
        while len(cards) < size:
            cards.append(self._fill(self._unseen(rank)))
        means = [card if card[0] == rank else SUIT_UNTOLD[rank] for card in cards]
        return Meld("set", tuple(cards), tuple(means))

    def _fill(self, card: Card) -> Card:
        """Draw a card as long as there are draws, then take a wild; where it is one, wilds first.

        A card that is wild is drawn as any wild that can be.
        """
        if len(self.drawn) == self.draws or (self.wilds and card[0] in self.free):
            return self.wilds.pop(0)
        if card[0] in self.free:
            left = self.unseen_wilds.items()
            card = next(wild for wild, copies in left if copies > self.drawn.count(wild))
        self.drawn.append(card)
        return card

    def _unseen(self, rank: int) -> Card:
        """Name a card of a rank of which one more can be drawn."""
        for suit, known in enumerate(self.known):
            card = CARDS[suit][rank]
            if (known >> BITS * rank & 63) + self.drawn.count(card) < self.decks:
                break
        return card
