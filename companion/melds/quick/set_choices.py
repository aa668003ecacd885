"""Which cards of a rank may lie in a set, where a meld may take any number of wilds."""

from __future__ import annotations

from itertools import product

from companion.melds.remembered import Remembered

from .runs import BITS, SUIT_BITS, WANTED

COLUMN = sum((1 << BITS) - 1 << suit * SUIT_BITS for suit in range(4))
"""All that is said of one rank in the number that is a hand: how many, and whether wanted."""


SetAsked = tuple[int, tuple[int, ...], int]
"""The rank of a set, how many cards of each suit lie in it, and how many wilds."""


SetChoice = tuple[int, int, int, int, int, SetAsked]
"""The cards of each suit that lie in a set, the wilds that it needs, and the set."""


class SetChoices(Remembered[int, tuple[list[SetChoice], bool]]):
    """Every choice of the cards of a rank worth a look, by the column that tells of the rank.

    Cards that no run wants go along: they lie in the set at no cost. Where that is all, and no
    wild is needed, it is certain that there is a set.
    """

    MOST = 1_000

    def __init__(self, set_size: int, least: int) -> None:
        super().__init__()
        self._set_size, self._least = set_size, least

    def find(self, column: int) -> tuple[list[SetChoice], bool]:
        """List the choices of one rank, and tell whether one of them is certain."""
        place = (column & -column).bit_length() - 1
        rank = place // BITS % 14
        held = [column >> BITS * rank + suit * SUIT_BITS & 2 * WANTED - 1 for suit in range(4)]
        numbers = [range(n % WANTED, -1 if n & WANTED else n - 1, -1) for n in held]
        found = [
            self._choice(rank, taken) for taken in product(*numbers) if sum(taken) >= self._least
        ]
        return found, max(held) < WANTED and not found[0][4]

    def _choice(self, rank: int, taken: tuple[int, ...]) -> SetChoice:
        clubs, diamonds, hearts, spades = (number << BITS * rank for number in taken)
        needed = max(0, self._set_size - sum(taken))
        return clubs, diamonds, hearts, spades, needed, (rank, taken, needed)
