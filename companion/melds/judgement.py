"""What is told of a hand that a contract is asked of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.cards import Card, Hand

from .meld import Meld

Laying = tuple[tuple[Meld, ...], Hand]
"""Melds as they lie, and the cards drawn for them."""


class Judgement:
    """Whether a hand holds a contract, and if not, how far it is.

    `missing` is the least number of cards still to be drawn from the rest of the pack, None where
    no draws lead there. `helping` holds every card of which one brings the hand nearer, and how
    many of it can still be unseen. Where the whole hand must be melded at once, a hand that misses
    no card may still have some over: then it does not hold the contract.

    `layout` shows the contract as it then lies, `draw` being the cards drawn for it: laid out when
    it is looked at, for most questions end with the number.
    """

    __slots__ = ("_laid", "_lay", "helping", "holds", "missing")

    def __init__(
        self,
        holds: bool,
        missing: int | None,
        helping: Mapping[Card, int],
        lay: Callable[[], Laying],
    ) -> None:
        self.holds = holds
        self.missing = missing
        self.helping = helping
        self._lay = lay
        self._laid: Laying | None = None

    @property
    def layout(self) -> tuple[Meld, ...]:
        """The contract as it lies with the cards drawn."""
        return self._look()[0]

    @property
    def draw(self) -> Hand:
        """The cards to be drawn for the layout."""
        return self._look()[1]

    def _look(self) -> Laying:
        if self._laid is None:
            self._laid = self._lay()
        return self._laid

    def __repr__(self) -> str:
        return (
            f"Judgement(holds={self.holds}, missing={self.missing}, helping={self.helping}, "
            f"layout={self.layout}, draw={self.draw})"
        )
