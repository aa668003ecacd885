"""What makes a set, a run and a wild card, and what a contract demands: plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from companion.cards import Card, Hand, Rank

Kind = Literal["set", "run"]

RANKS: dict[str, Rank] = {
    "joker" if rank is Rank.JOKER else rank.letter: rank for rank in (*list(Rank)[1:], Rank.JOKER)
}
"""Ranks by the names that rule files use: `A`, `2` … `K`, `joker`."""

RANK_NAMES = {rank: name for name, rank in RANKS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldRules:
    """What makes a set, a run and a wild card in one game, and what each card counts.

    Sizes are in cards, values in points and never below zero. `wilds` and `values` name ranks as
    `RANKS` does; `black_values` are those of black cards where they differ.
    A wild that lies in its own slot (a wild two of hearts as the two of hearts, or in a set of
    twos) is natural: `min_naturals` counts it, the limits on wilds do not. Where they are not
    `natural_wilds`, one that stands for any card is wild there as well, and there are no sets of
    its rank. Under `own_rank_any_suit` a wild of a rank is that rank in any suit, always natural; a
    joker still stands for any card. Where the ace is `wild`, it has no slot of its own: runs go
    from the two to the king, and there is no set of aces.

    `wild_share` is the part of a meld that may be wild; each row of `wild_table` tells from which
    size on a meld may hold how many wilds, the last row that is not too large for it counting, or
    the first. `set_naturals` is what a set needs where it is more than `min_naturals`. With
    `wilds_apart` no two neighbouring cards of a run may be wild. All limits hold together. Raises
    `ValueError` if larger melds may hold fewer wilds.
    """

    set_size: int = 3
    run_size: int = 4
    run_max: int = 13
    ace: Literal["low", "high", "either", "corner", "wild"] = "either"
    wilds: tuple[str, ...] = ("joker",)
    wild_scope: Literal["any_card", "own_rank_any_suit"] = "any_card"
    min_naturals: int = 0
    set_naturals: int = 0
    wilds_apart: bool = False
    natural_wilds: bool = True
    max_wilds: int | None = None
    wild_share: Literal["any", "half", "less_than_half"] = "any"
    wild_table: tuple[tuple[int, int], ...] = ()
    same_suit_runs: Literal[
        "different_suits", "not_adjacent", "gap_only", "adjacent_needs_9", "any"
    ] = "any"
    same_rank_sets: bool = True
    laydown: Literal["at_least", "exact"] = "at_least"
    # A dict has no hash; rules that differ in these alone are still not equal.
    values: Mapping[str, int] = field(hash=False, default_factory=dict)
    black_values: Mapping[str, int] = field(hash=False, default_factory=dict)

    def __post_init__(self) -> None:
        # A larger meld never takes fewer wilds: otherwise one more natural card could spoil a meld,
        # which no game knows.
        for (size, wilds), (larger, more) in pairwise(self.wild_table):
            if size >= larger or wilds > more:
                raise ValueError("Name sizes upwards; a larger meld may not hold fewer wild cards.")

    def value(self, card: Card) -> int:
        """Return the price in points of a card left in hand, a joker too; sign aside.

        It is one of `[melds.values]` in the `game.toml` of a game, or of a choice of the house.
        """
        name = RANK_NAMES[card.rank]
        if name in self.black_values and card.suit and not card.suit.is_red:
            return self.black_values[name]
        return self.values[name]

    @property
    def by_colour(self) -> list[str]:
        """The ranks of which a black card counts otherwise than a red one."""
        return [name for name, points in self.black_values.items() if points != self.values[name]]

    def is_wild(self, card: Card) -> bool:
        """Return whether the card may stand for others."""
        return RANK_NAMES[card.rank] in self.wilds

    def is_natural(self, card: Card, meant: Card) -> bool:
        """Return whether a card lies as itself; a wild bound to its rank does in any suit."""
        if not self.natural_wilds and card.rank in self.free_ranks:
            return False
        if card == meant:
            return True
        return card.rank == meant.rank and (meant.suit is None or card.rank in self.bound_ranks)

    @property
    def free_ranks(self) -> frozenset[Rank]:
        """The wild ranks that stand for any card."""
        return _wild_ranks(self.wilds, self.wild_scope)[0]

    @property
    def bound_ranks(self) -> frozenset[Rank]:
        """The wild ranks of which only the suit is free (`H-6`)."""
        return _wild_ranks(self.wilds, self.wild_scope)[1]

    @property
    def limits_wilds(self) -> bool:
        """Whether there is a limit on the wilds of one meld."""
        return bool(
            self.min_naturals > 0
            or self.set_naturals > 0
            or self.wilds_apart
            or self.max_wilds is not None
            or self.wild_share != "any"
            or self.wild_table
        )

    def naturals(self, kind: Kind) -> int:
        """Return how many cards of a meld of this kind must be natural."""
        return max(self.min_naturals, self.set_naturals) if kind == "set" else self.min_naturals

    def wild_cap(self, size: int, kind: Kind = "run") -> int:
        """Return how many wilds a meld of so many cards may take, every limit on their number kept.

        >>> MeldRules(wild_share="half").wild_cap(7)
        3
        >>> shanghai = MeldRules(wild_table=((3, 1), (4, 1), (5, 2), (7, 3), (10, 4)))
        >>> [shanghai.wild_cap(size) for size in (3, 6, 7, 12)]
        [1, 2, 3, 4]
        >>> MeldRules(set_naturals=2).wild_cap(3, "set")
        1
        """
        most = size - self.naturals(kind)
        if self.max_wilds is not None:
            most = min(most, self.max_wilds)
        return _wild_cap(size, most, self.wild_share, self.wild_table)

    def may_be_wild(self, kind: Kind, natural: Sequence[bool]) -> bool:
        """Return whether a meld keeps every limit if just these of its slots are natural.

        >>> apart = MeldRules(wilds_apart=True)
        >>> apart.may_be_wild("run", [True, False, True, False])
        True
        >>> apart.may_be_wild("run", [True, False, False, True])
        False
        """
        apart = kind == "set" or all(one or other for one, other in pairwise(natural))
        size, kept = len(natural), sum(natural)
        within = size - kept <= self.wild_cap(size, kind) and kept >= self.naturals(kind)
        return within and (apart or not self.wilds_apart)


@lru_cache(maxsize=4096)
def _wild_cap(size: int, most: int, share: str, table: tuple[tuple[int, int], ...]) -> int:
    """Return the least of what the limits allow."""
    caps = [most, {"any": size, "half": size // 2, "less_than_half": (size - 1) // 2}[share]]
    return max(0, min([*caps, *of_table(table, size)]))


def of_table(table: tuple[tuple[int, int], ...], size: int) -> list[int]:
    """List the limit on wilds of the row for a meld of this size; empty where there is no table."""
    rows = [wilds for least, wilds in table if least <= size]
    # The first row holds for smaller melds too, or these could hold more wilds than larger ones.
    return rows[-1:] or [wilds for _, wilds in table[:1]]


@lru_cache
def _wild_ranks(wilds: tuple[str, ...], scope: str) -> tuple[frozenset[Rank], frozenset[Rank]]:
    """Part the wild ranks into those that stand for any card and those bound to their rank."""
    wild = frozenset(RANKS[name] for name in wilds)
    free = wild if scope == "any_card" else wild & {Rank.JOKER}
    return free, wild - free


class Meld(NamedTuple):
    """Cards melded together, a run in ascending order, and the card that each one stands for.

    A wild in a set stands for a card of that rank, its suit untold.
    """

    kind: Kind
    cards: Hand
    stands_for: Hand


class Melding(NamedTuple):
    """The least points unmelded, the melds that leave no more, and the cards left over."""

    points: int
    melds: tuple[Meld, ...]
    loose: Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldSpec:
    """One meld that a contract demands; `exact`, `ranks` and `wilds` only where the deal says so.

    A run of `any` suits needs no common suit, and is in no suit: whatever lies beside it, it
    neither touches nor overlaps. In a set of `different` suits none is there twice; a wild takes
    one that is free. No more than so many cards of the meld may be `wilds`.
    """

    kind: Kind
    size: int
    exact: bool | None = None
    ranks: tuple[str, ...] = ()
    suits: Literal["same", "any", "different"] = "same"
    wilds: int | None = None

    @property
    def named_ranks(self) -> frozenset[Rank]:
        """The ranks of which the meld may be: all natural ones unless the deal names some."""
        return frozenset(RANKS[name] for name in self.ranks or RANKS if name != "joker")

    @property
    def is_unlike(self) -> bool:
        """Whether this is a set in which no suit may be there twice."""
        return self.kind == "set" and self.suits == "different"

    def wild_cap(self, size: int, meld_rules: MeldRules) -> int:
        """Return how many wilds the meld may take if it has so many cards."""
        cap = meld_rules.wild_cap(size, self.kind)
        return cap if self.wilds is None else min(cap, self.wilds)

    def is_exact(self, meld_rules: MeldRules) -> bool:
        """Return whether the meld must have this size when it is laid down, and no larger one."""
        return meld_rules.laydown == "exact" if self.exact is None else self.exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """The melds that a deal demands, or other ways to meet it.

    `all_cards`: the whole hand must be melded at once, nothing is left to discard. `only_out`: it
    may be laid down only in the turn in which its player goes out.
    """

    melds: tuple[MeldSpec, ...]
    or_melds: tuple[tuple[MeldSpec, ...], ...] = ()
    all_cards: bool = False
    only_out: bool = False

    @property
    def specs(self) -> tuple[MeldSpec, ...]:
        """Every meld of every way to meet it."""
        return tuple(spec for specs in (self.melds, *self.or_melds) for spec in specs)

    @property
    def least_cards(self) -> int:
        """The fewest cards that meet the contract.

        >>> Contract(melds=(MeldSpec(kind="set", size=3), MeldSpec(kind="run", size=4))).least_cards
        7
        """
        return min(sum(meld.size for meld in specs) for specs in (self.melds, *self.or_melds))
