"""The search for a layout nearest to a hand that meets a contract, and for the cards that help.

A target names a rank for each set and a suit and a stretch of places for each run of the contract.
Natural cards of the hand fill its places, then wilds, then cards still to be drawn. So many draws
reach a target if no more of its places lack a steady card (a natural one that is not wild) than
there are wilds and draws together, and no more places lack a natural card and may not be wild than
there are draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .choices import Choices, agreement
from .filling import Cell, Choice, Filled, Holding, Target, fill, is_plentiful, lay_scarce
from .meld import MeldRules, MeldSpec
from .sharing import Sharing


@dataclass(slots=True)
class Finding:
    """A nearest target: how many cards it misses, the wilds it needs, and what helps."""

    missing: int
    target: Target
    empty: int
    cells: set[Cell] = field(default_factory=set)
    wild_helps: bool = False


class _Step(NamedTuple):
    """A meld to be chosen: what it can be, and whether the next is alike and follows in order.

    `empty` and `short` tell how many places the steps after it lack at least.
    """

    meld: MeldSpec
    choices: Sequence[Choice]
    repeats: bool
    empty: int
    short: int


_Way = tuple[tuple[MeldSpec, Choice], ...]


class Search:
    """Searches the targets of one list of melds, those with the fewest cards missing first."""

    def __init__(
        self,
        melds: tuple[MeldSpec, ...],
        meld_rules: MeldRules,
        holding: Holding,
        whole: int | None = None,
    ) -> None:
        """Prepare a search; with `whole` only targets of so many cards count."""
        self._whole = whole
        self._rules = meld_rules
        self._holding = holding
        self._choices = Choices(melds, meld_rules, holding.held, grow=whole is None)
        self._list_useful()
        self._free = frozenset(int(rank) for rank in meld_rules.free_ranks)
        self._steps: list[_Step] = []
        self._steady: list[int] = []
        self._most_empty = self._most_short = 0
        self._holding_now = holding
        self._is_scarce = False

    def _list_useful(self) -> None:
        self._useful = {meld: self._choices.useful(meld) for meld in self._choices.melds}
        self._least = {
            meld: (found[0].missing, min([choice.short for choice in found]))
            for meld, found in self._useful.items()
            if found
        }

    def nearest(self, most: int) -> Finding | None:
        """Find a nearest target, None where more than so many cards would have to be drawn."""
        if not all(self._useful.values()):
            return None
        steps = self._in_order()
        for missing in range(most + 1):
            finding = self._within(steps, missing, self._holding)
            if not finding and self._needs_all():
                return self.nearest(most)
            if finding:
                return finding if missing else self._with_fewest_wilds(steps, finding)
        return None

    def wild_helps(self, missing: int) -> bool:
        """Tell whether one more wild brings the hand nearer, which misses so many cards."""
        holding = self._holding
        if not holding.unseen_wilds:
            return False
        more = holding._replace(wilds=holding.wilds + 1, unseen_wilds=holding.unseen_wilds - 1)
        helps = self._within(self._in_order(), missing - 1, more) is not None
        return helps or (self._needs_all() and self.wild_helps(missing))

    def helping(self, missing: int, known: set[Cell]) -> set[Cell]:
        """Find the cards, beside those known, that bring the hand nearer."""
        found = {
            cell
            for cell, unseen in enumerate(self._holding.unseen)
            if unseen and cell not in known and self._helps(cell, missing - 1)
        }
        return self.helping(missing, known) if self._needs_all() else found

    def _needs_all(self) -> bool:
        """Tell whether to search anew, because the pack held too little for a target."""
        again = self._is_scarce and not self._choices.all_alike
        if again:
            self._choices.all_alike = True
            self._list_useful()
        return again

    def _with_fewest_wilds(self, steps: list[_Step], finding: Finding) -> Finding:
        """Find a target that is held with the fewest wilds."""
        better: Finding | None = finding
        while better and better.empty:
            finding = better
            better = self._within(steps, 0, self._holding, finding.empty - 1)
        return better or finding

    def _helps(self, cell: Cell, missing: int) -> bool:
        """Tell whether so many draws reach a target in which one card more has a place."""
        holding = self._holding
        held, unseen = holding.held.copy(), holding.unseen.copy()
        held[cell] += 1
        unseen[cell] -= 1
        is_wild = cell & 15 in self._free
        holding = holding._replace(
            held=held,
            unseen=unseen,
            wilds=holding.wilds + is_wild,
            unseen_wilds=holding.unseen_wilds - is_wild,
        )
        melds = self._choices.melds
        for step, meld in enumerate(melds):
            if not step or melds[step - 1] != meld:
                others = [self._least[other] for other in melds[:step] + melds[step + 1 :]]
                most = missing + holding.wilds - sum([empty for empty, _ in others])
                short = missing - sum([short for _, short in others])
                choices = self._choices.with_card(meld, cell, most, short)
                if choices and self._within(self._in_order(step, choices), missing, holding):
                    return True
        return False

    def _in_order(self, only: int = -1, choices: Sequence[Choice] = ()) -> list[_Step]:
        """List the steps of a search; one of them may have only certain choices."""
        steps: list[_Step] = []
        empty = short = 0
        melds = self._choices.melds
        for step in reversed(range(len(melds))):
            meld = melds[step]
            if step == only:
                steps.append(_Step(meld, choices, False, empty, short))
                empty += choices[0].missing
                short += min([choice.short for choice in choices])
            else:
                repeats = bool(steps) and steps[-1].meld == meld
                steps.append(_Step(meld, self._useful[meld], repeats, empty, short))
                empty += self._least[meld][0]
                short += self._least[meld][1]
        return steps[::-1]

    def _within(
        self, steps: list[_Step], missing: int, holding: Holding, most_empty: int = 99
    ) -> Finding | None:
        """Find a target that so many draws can reach."""
        self._steps, self._holding_now = steps, holding
        self._most_empty, self._most_short = min(most_empty, missing + holding.wilds), missing
        self._steady = [
            0 if cell & 15 in self._free else many for cell, many in enumerate(holding.held)
        ]
        return self._place(0, 0, 0, 0, ())

    def _place(self, at: int, start: int, empty: int, short: int, way: _Way) -> Finding | None:
        """Choose a meld for each step from one on, beside those chosen already.

        `empty` places of these lack a steady card, `short` a natural one and may not be wild.
        """
        step = self._steps[at]
        most_empty, most_short = self._most_empty - step.empty, self._most_short - step.short
        for index in range(start, len(step.choices)):
            choice = step.choices[index]
            if empty + choice.missing > most_empty:
                break
            if short + choice.short > most_short:
                continue
            if way and not self._may_join(choice, way):
                continue
            taken = self._take(choice)
            lacks = empty + choice.size - len(taken)
            if lacks <= most_empty:
                both = (*way, (step.meld, choice))
                if at + 1 == len(self._steps):
                    finding = self._weigh(both)
                else:
                    following = index if step.repeats else 0
                    finding = self._place(at + 1, following, lacks, short + choice.short, both)
                if finding:
                    return finding
            for cell in taken:
                self._steady[cell] += 1
        return None

    def _take(self, choice: Choice) -> list[Cell]:
        """Take a steady card for each place that one is left for."""
        steady, taken = self._steady, []
        for slot in choice.places:
            for cell in slot:
                if steady[cell]:
                    steady[cell] -= 1
                    taken.append(cell)
                    break
        return taken

    def _may_join(self, choice: Choice, way: _Way) -> bool:
        """Tell whether a choice may lie beside those already made."""
        rules = self._rules
        if choice.window is None:
            return rules.same_rank_sets or all(other.rank != choice.rank for _, other in way)
        if rules.same_suit_runs == "any" or choice.suit < 0:
            return True
        for _, other in way:
            if other.suit == choice.suit and not agreement(
                rules.same_suit_runs, rules.ace, choice.placed, other.placed
            ):
                return False
        return True

    def _is_justified(self, own: int, way: _Way) -> bool:
        """Tell whether a meld is as large as asked, or larger to make nine with a neighbour."""
        (meld, choice), rules = way[own], self._rules
        return (
            choice.size == meld.size
            or self._choices.may_grow(meld)
            or any(
                agreement(rules.same_suit_runs, rules.ace, choice.placed, other.placed) == 2
                for step, (_, other) in enumerate(way)
                if step != own and other.suit == choice.suit >= 0
            )
        )

    def _weigh(self, way: _Way) -> Finding | None:
        """Tell how the cards of the hand lie at a target, if so many draws do reach it."""
        choices = [choice for _, choice in way]
        size = sum([choice.size for choice in choices])
        if self._whole not in (None, size):
            return None
        if not all(self._is_justified(own, way) for own in range(len(way))):
            return None
        holding, caps = self._holding_now, [self._rules.wild_cap(c.size) for c in choices]
        needs = [choice.size - cap for choice, cap in zip(choices, caps, strict=True)]
        sharing = Sharing(choices, needs, holding.held)
        if sharing.short > self._most_short:
            return None
        sharing.lay_rest()
        target = _target(choices, sharing.lie, caps)
        empty = sum([filled.empty for filled in target])
        own = sum([cell & 15 in self._free for filled in target for cell in filled.taken])
        missing = max(empty - (holding.wilds - own), sharing.short, 0)
        cells: set[Cell] = set()
        if missing and not is_plentiful(target, holding):
            if fill(target, holding, missing) is None:
                lie = lay_scarce(choices, caps, holding, missing, self._free)
                if lie is None:
                    self._is_scarce = True
                    return None
                target = _target(choices, lie, caps)
        elif missing:
            cells = {
                cell
                for filled in target
                if sharing.short < missing or filled.empty > filled.cap
                for slot in filled.slots
                for cell in slot
                if holding.unseen[cell]
            }
        return Finding(missing, target, empty + own, cells)


def _target(choices: list[Choice], lie: list[list[Cell | None]], caps: list[int]) -> Target:
    """Tell which places of each meld are filled and which are empty."""
    return tuple(
        Filled(
            choice,
            tuple([cell for cell in cells if cell is not None]),
            tuple([slot for slot, cell in zip(choice.places, cells, strict=True) if cell is None]),
            cap,
        )
        for choice, cells, cap in zip(choices, lie, caps, strict=True)
    )
