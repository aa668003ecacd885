"""The search for the layouts nearest to a hand that meet a contract.

A target names a rank for each set and a suit and a stretch of places for each run of the contract.
The slots that the hand's natural cards leave empty are filled by its wilds, then by cards still to
be drawn. Every target that needs the fewest draws is looked at, because their empty slots together
are exactly the cards that help.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from .filling import Cell, Choice, Filled, Holding, Slot, Target, cell_of, fill
from .meld import MeldRules, MeldSpec
from .places import MOST_CARDS, Window, set_ranks, windows

Placed = tuple[int, int, int, bool]

CONNECTED = 9
"""How many cards two runs that connect must hold together (`Z-5`)."""


@dataclass(slots=True)
class Finding:
    """The nearest targets: how many cards they miss, one of them, and what helps."""

    missing: int | None = None
    target: Target = ()
    empty: int = 0
    cells: set[Cell] = field(default_factory=set)
    wild_helps: bool = False


@lru_cache(maxsize=4096)
def agreement(rule: str, ace: str, first: Placed, second: Placed) -> int:
    """Tell whether two runs in one suit may lie together: 0 no, 1 yes, 2 as a connected pair.

    A run is its start, its size, the size that the contract asks, and whether it may be no larger.
    """
    if rule == "any":
        return 1
    if rule == "different_suits":
        return 0
    between = _between(ace, first, second)
    if rule == "gap_only":
        return int(between > 0)
    if between != 0:
        return 1
    needed = max(CONNECTED, first[2] + second[2])
    total = first[1] + second[1]
    enough = total == needed if first[3] and second[3] else total >= needed
    return 2 if rule == "adjacent_needs_9" and enough else 0


def _between(ace: str, first: Placed, second: Placed) -> int:
    """Tell how many places lie between two runs; 0 where they touch, less where they overlap."""
    starts = (first[0], second[0])
    gaps = [starts[1] - starts[0] - first[1], starts[0] - starts[1] - second[1]]
    if ace != "corner":
        return max(gaps)
    # Round the corner both gaps count, each taken the short way round the thirteen ranks.
    ahead, behind = (
        ((starts[1] - starts[0]) % 13) - first[1],
        ((starts[0] - starts[1]) % 13) - second[1],
    )
    return min(ahead, behind)


def _order(meld: MeldSpec) -> tuple[int, int, tuple[str, ...]]:
    """Bring runs of one suit first: to all that follow only the rank of a card matters."""
    bound = meld.kind == "run" and meld.suits == "same"
    return (0 if bound else 1 if meld.kind == "run" else 2), -meld.size, meld.ranks


class Search:
    """Looks at the targets of one list of melds, nearest first, and keeps the nearest."""

    def __init__(
        self,
        melds: tuple[MeldSpec, ...],
        meld_rules: MeldRules,
        holding: Holding,
        whole: int | None = None,
        most_missing: int = 99,
        most_empty: int = 99,
    ) -> None:
        """Prepare a search; with `whole` only targets of so many cards count.

        Targets that miss more cards than `most_missing` are of no use, nor those of which the
        naturals held leave more slots empty than `most_empty`.
        """
        self._whole = whole
        self._melds = sorted(melds, key=_order)
        self._rules = meld_rules
        self._bound = frozenset(int(rank) for rank in meld_rules.bound_ranks)
        self._held = holding.held.copy()
        self._holding = holding
        self._choices = [self._list_choices(meld) for meld in self._melds]
        self._least = [0] * (len(melds) + 1)
        for step in reversed(range(len(melds))):
            first = self._choices[step][0].missing if self._choices[step] else 99
            self._least[step] = self._least[step + 1] + first
        self._most_missing = most_missing
        self._most_empty = min(most_empty, most_missing + holding.wilds)
        self.finding = Finding()

    def run(self) -> Finding:
        """Search and tell what was found."""
        self._place(0, 0, 0, 0, ())
        return self.finding

    def _list_choices(self, meld: MeldSpec) -> list[Choice]:
        ranks = frozenset(int(rank) for rank in meld.named_ranks)
        if meld.kind == "set":
            choices = [
                self._set_choice(rank, size)
                for size in self._set_sizes(meld)
                for rank in set_ranks(self._rules.ace)
                if rank in ranks
            ]
        else:
            choices = [
                self._run_choice(suit, window)
                for size in self._run_sizes(meld)
                for window in windows(self._rules.ace, size)
                if ranks.issuperset(window.ranks)
                for suit in (range(4) if meld.suits == "same" else (-1,))
            ]
        return sorted(choices, key=lambda choice: choice.missing)

    def _set_sizes(self, meld: MeldSpec) -> list[int]:
        """Tell how large a set may be: larger than asked if it then needs fewer naturals."""
        if not self._may_grow(meld):
            return [meld.size] if meld.size >= self._rules.min_naturals else []
        sizes: list[int] = []
        fewest = 99
        for size in range(max(meld.size, self._rules.min_naturals), MOST_CARDS + 1):
            needed = size - self._rules.wild_cap(size)
            if needed < fewest:
                sizes.append(size)
                fewest = needed
        return sizes

    def _run_sizes(self, meld: MeldSpec) -> Sequence[int]:
        """Tell how large a run may be: larger than asked to connect, or to take more wilds."""
        longest = meld.size
        if self._may_grow(meld):
            return self._grown_sizes(meld)
        if self._rules.same_suit_runs == "adjacent_needs_9" and meld.suits == "same":
            others = [o.size for o in self._melds if o.kind == "run" and o.suits == "same"]
            others.remove(meld.size)
            longest = max(longest, CONNECTED - min(others, default=CONNECTED))
        return range(
            max(meld.size, self._rules.min_naturals), min(longest, self._rules.run_max) + 1
        )

    def _grown_sizes(self, meld: MeldSpec) -> list[int]:
        """Tell which sizes are of use, where larger runs may take more wilds.

        One that may take no more than the next smaller can lose its first or last card, unless
        it then follows another run directly and may not.
        """
        rules = self._rules
        sizes = range(max(meld.size, rules.min_naturals), min(14, rules.run_max) + 1)
        if rules.same_suit_runs in ("not_adjacent", "adjacent_needs_9"):
            return list(sizes)
        return [
            size
            for size in sizes
            if size == sizes[0] or rules.wild_cap(size) > rules.wild_cap(size - 1)
        ]

    def _may_grow(self, meld: MeldSpec) -> bool:
        """Tell whether a larger meld could be allowed what one of this size is not."""
        rules, size = self._rules, meld.size
        takes_more = rules.wild_cap(size) < min(size, rules.wild_cap(MOST_CARDS))
        if self._whole is not None or meld.is_exact(rules):
            return False
        return takes_more or size < rules.min_naturals

    def _set_choice(self, rank: int, size: int) -> Choice:
        place = self._cells_of(rank)
        held = sum(self._held[cell] for cell in place)
        return Choice(max(0, size - held), (place,) * size, size, -1, None, rank)

    def _run_choice(self, suit: int, window: Window) -> Choice:
        places = tuple(
            self._cells_of(rank) if suit < 0 else (cell_of(suit, rank, self._bound),)
            for rank in window.ranks
        )
        missing = sum(not any(self._held[cell] for cell in place) for place in places)
        return Choice(missing, places, window.size, suit, window, 0)

    def _cells_of(self, rank: int) -> Slot:
        return tuple(sorted({cell_of(suit, rank, self._bound) for suit in range(4)}))

    def _place(self, step: int, start: int, empty: int, drawn: int, target: Target) -> None:
        """Choose a meld for each step from one on.

        `empty` slots wait for wilds or draws so far, of which `drawn` can take no wild.
        """
        if step == len(self._melds):
            self._weigh_if_legal(empty, target)
            return
        meld = self._melds[step]
        rest = self._least[step + 1]
        choices = self._choices[step]
        repeats = step + 1 < len(self._melds) and self._melds[step + 1] == meld
        for index in range(start, len(choices)):
            choice = choices[index]
            if empty + choice.missing + rest > self._most_empty:
                break
            if not self._may_join(choice, target):
                continue
            for filled in self._fillings(choice, empty + rest):
                must_draw = drawn + max(0, filled.empty - filled.cap)
                if empty + filled.empty + rest > self._most_empty or must_draw > self._most_missing:
                    continue
                for cell in filled.taken:
                    self._held[cell] -= 1
                following = index if repeats else 0
                both = (*target, filled)
                self._place(step + 1, following, empty + filled.empty, must_draw, both)
                for cell in filled.taken:
                    self._held[cell] += 1

    def _weigh_if_legal(self, empty: int, target: Target) -> None:
        size = sum(filled.choice.size for filled in target)
        if self._whole in (None, size) and all(
            self._is_justified(own, target) for own in range(len(target))
        ):
            self._weigh(empty, target)

    def _may_join(self, choice: Choice, target: Target) -> bool:
        """Tell whether the choice may lie beside those already made."""
        if choice.window is None:
            return self._rules.same_rank_sets or all(
                filled.choice.rank != choice.rank for filled in target
            )
        asked = self._melds[len(target)]
        return all(
            self._agreement(choice, asked, step, filled.choice)
            for step, filled in enumerate(target)
            if filled.choice.suit == choice.suit >= 0
        )

    def _agreement(self, choice: Choice, meld: MeldSpec, step: int, other: Choice) -> int:
        if choice.window is None or other.window is None:
            return 1
        beside = self._melds[step]
        return agreement(
            self._rules.same_suit_runs,
            self._rules.ace,
            (choice.window.start, choice.size, meld.size, meld.is_exact(self._rules)),
            (other.window.start, other.size, beside.size, beside.is_exact(self._rules)),
        )

    def _is_justified(self, own: int, target: Target) -> bool:
        """Tell whether a meld is as large as asked, or larger to make nine with a neighbour."""
        choice, meld = target[own].choice, self._melds[own]
        asked = meld.size
        return (
            choice.size == asked
            or self._may_grow(meld)
            or any(
                self._agreement(choice, meld, step, other.choice) == 2
                for step, other in enumerate(target)
                if step != own and other.choice.suit == choice.suit >= 0
            )
        )

    def _fillings(self, choice: Choice, others: int) -> Iterator[Filled]:
        """Ways to fill a meld from the hand: with all that fit, or leaving some to other melds.

        Leaving cards makes a difference only where a meld may not take any number of wilds.
        `others` counts the slots that other melds leave empty at least.
        """
        cap = self._rules.wild_cap(choice.size)
        taken = self._takable(choice)
        spare = cap if self._rules.limits_wilds else 0
        for left in range(min(len(taken), spare) + 1):
            if others + choice.size - len(taken) + left > self._most_empty:
                return
            for kept in dict.fromkeys(combinations(taken, len(taken) - left)):
                slots = list(choice.places)
                for _, place in kept:
                    slots.remove(place)
                yield Filled(choice, tuple([cell for cell, _ in kept]), tuple(slots), cap)

    def _takable(self, choice: Choice) -> list[tuple[Cell, Slot]]:
        """Find for each place a card held that can lie there, for as many as there are cards."""
        found, used = [], Counter[Cell]()
        for place in choice.places:
            for cell in place:
                if self._held[cell] > used[cell]:
                    used[cell] += 1
                    found.append((cell, place))
                    break
        return found

    def _weigh(self, empty: int, target: Target) -> None:
        """Keep a target if none before it was nearer."""
        wilds = self._holding.wilds
        takes = [min(filled.empty, filled.cap) for filled in target]
        missing = empty - min(wilds, sum(takes))
        finding = self.finding
        if finding.missing is not None and missing > finding.missing:
            return
        helping = self._helping(target, takes, missing)
        if helping is None:
            return
        if finding.missing is None or missing < finding.missing:
            finding = self.finding = Finding(missing, target, empty)
        elif empty < finding.empty:
            finding.target, finding.empty = target, empty
        self._most_missing = min(self._most_missing, missing)
        finding.cells |= helping
        finding.wild_helps |= self._holding.unseen_wilds > 0 and sum(takes) > wilds
        self._most_empty = min(self._most_empty, missing + wilds) if missing else empty - 1

    def _helping(self, target: Target, takes: list[int], missing: int) -> set[Cell] | None:
        """Find the cells of which one, drawn, brings this target nearer; None if out of reach."""
        if missing == 0:
            return set()
        unseen, wilds = self._holding.unseen, self._holding.wilds
        short = self._short(target)
        if short and self._rules.limits_wilds:
            return self._helping_when_short(target, missing)
        if short > wilds + self._holding.unseen_wilds:
            return None
        # A meld that must take a wild into each of its empty slots has none left for a draw.
        lent, used = sum(takes), min(wilds, sum(takes))
        return {
            cell
            for filled, take in zip(target, takes, strict=True)
            if filled.empty and lent - take + min(filled.empty - 1, filled.cap) >= used
            for slot in filled.slots
            for cell in slot
            if unseen[cell]
        }

    def _short(self, target: Target) -> int:
        """Tell how many empty slots no natural card of the rest of the pack can fill."""
        unseen, short = self._holding.unseen, 0
        slots = Counter(slot for filled in target for slot in filled.slots)
        # What one cell alone can fill takes its cards first; other slots ask of a whole rank.
        for slot, asked in slots.items():
            if len(slot) > 1:
                free = sum(max(0, unseen[cell] - slots[cell,]) for cell in slot)
            else:
                free = unseen[slot[0]]
            short += max(0, asked - free)
        return short

    def _helping_when_short(self, target: Target, missing: int) -> set[Cell] | None:
        """Find what helps where both wilds are limited and the pack runs out: try each card."""
        if fill(target, self._holding, missing) is None:
            return None
        cells = {cell for filled in target for slot in filled.slots for cell in slot}
        return {cell for cell in cells if fill(target, self._holding, missing, cell) is not None}
