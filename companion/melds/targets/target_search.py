"""The search for a layout nearest to a hand that meets a contract, and for the cards that help.

A target names a rank for each set and a suit and a stretch of places for each run of the contract.
Natural cards of the hand fill its places, then wilds, then cards still to be drawn. So many draws
reach a target if no more of its places lack a steady card (a natural one that is not wild) than
there are wilds and draws together, and no more places lack a natural card and may not be wild than
there are draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from companion.melds.effort import spend
from companion.melds.meld import MeldRules, MeldSpec
from companion.melds.same_suit import agreement, may_be_larger

from .candidates import Candidates, is_by_card, is_in_suit
from .counts import OF_A_SUIT, SUIT_BITS, by_rank, counted, one_of_each
from .filling import Candidate, Cell, Filled, Holding, Target, fill, is_plentiful, lay_scarce
from .matching import Matching, can_be_filled
from .meld_candidates import Rated, number_steady, take
from .missing_bounds import Least
from .steps import Needing, Partial, Step, Way

MANY_RUNS = 5
"""From so many runs of one suit each on the pack is asked while they are chosen, not only then."""


@dataclass(slots=True)
class NearestTarget:
    """A nearest target: how many cards it misses, the wilds it needs, and what helps."""

    missing: int
    target: Target
    empty: int
    cells: set[Cell] = field(default_factory=set)


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
        spend()
        self._melds, self._whole = melds, whole
        self.rules = meld_rules
        self.holding = holding
        held = counted(holding.held)
        self.nothing = Partial(0, 0, 0, held, 0, Needing(0, held, 0))
        self.choices = Candidates(melds, meld_rules, held, grow=whole is None)
        self._free = frozenset(int(rank) for rank in meld_rules.free_ranks)
        self._fits: dict[tuple[int, ...], bool] = {}
        self._asks_pack = sum(map(is_in_suit, self.choices.melds)) >= MANY_RUNS
        self._useful = {meld: self._within_reach(meld) for meld in self.choices.melds}
        self.steps = self._in_order() if self._has_targets() else []
        self._most_empty: int
        self._most_short: int
        self._holding_now: Holding

    def _has_targets(self) -> bool:
        """Return whether every meld can be something, and there are suits enough."""
        runs = sum(map(is_in_suit, self.choices.melds))
        return all(self._useful.values()) and (
            runs <= 4 or self.rules.same_suit_runs != "different_suits"
        )

    def _within_reach(self, meld: MeldSpec) -> Sequence[Rated]:
        """List what a meld can be, of sets only those that the whole pack could fill."""
        choices, there = self.choices.all(meld), self.holding.of_rank
        if meld.kind == "run":
            return choices
        return [
            rated
            for rated in choices
            if there(rated[2].rank) >= meld.size or self.can_be_filled([rated[2]])
        ]

    def _in_order(self) -> list[Step]:
        """List the steps of a search."""
        steps: list[Step] = []
        short = runs = 0
        after: Counter[Least] = Counter()
        melds = self.choices.melds
        for number in reversed(range(len(melds))):
            meld = melds[number]
            found, least = self._useful[meld], self.choices.least(meld)
            alike = steps[-1].alike + 1 if steps and steps[-1].meld == meld else 0
            by_rank = not is_by_card(meld) and (not number or is_by_card(melds[number - 1]))
            others = tuple([one for one in after.items() if not alike or one[0] is not least])
            steps.append(Step(meld, found, least, alike, by_rank, short, others, runs))
            short += min([alone for _, alone, _ in found])
            runs += is_in_suit(meld)
            after[least] += 1
        return steps[::-1]

    def nearest(self, most: int) -> NearestTarget | None:
        """Find a nearest target, None where more than so many cards would have to be drawn."""
        if not self.steps or not self._may_be_whole():
            return None
        for missing in range(most + 1):
            finding = self._within(missing, self.holding, missing + self.holding.wilds)
            if finding:
                return finding if missing else self._with_fewest_wilds(finding)
        return None

    def wild_helps(self, missing: int) -> bool:
        """Return whether one more wild brings the hand nearer, which misses so many cards.

        Any does where wilds are not limited: it fills a place that a draw would have filled. Where
        they are this only says that one may: see `drawn_wild_helps`.
        """
        holding = self.holding
        if not (holding.limited and holding.unseen_wilds):
            return bool(holding.unseen_wilds)
        more = holding._replace(wilds=holding.wilds + 1)
        return self._within(missing - 1, more, missing - 1 + more.wilds) is not None

    def drawn_wild_helps(self, cell: Cell | None, missing: int) -> bool:
        """Return whether this wild does, which may also lie in its own place if it has one."""
        search = Search(self._melds, self.rules, self.holding.with_drawn_wild(cell), self._whole)
        return search.is_within(missing - 1)

    def _may_be_whole(self) -> bool:
        """Return whether melds of these sizes can have as many cards as they must have together."""
        if self._whole is None:
            return True
        sizes = [[c.size for _, _, c in self._useful[meld]] for meld in self.choices.melds]
        return sum(map(min, sizes)) <= self._whole <= sum(map(max, sizes))

    def is_within(self, missing: int) -> bool:
        """Return whether no more than so many cards have to be drawn."""
        most_empty = missing + self.holding.wilds
        return bool(self.steps) and self._within(missing, self.holding, most_empty) is not None

    def can_be_filled(self, choices: Sequence[Candidate]) -> bool:
        """Return whether the pack holds what fills the places of a target, however many draws."""
        pieces = [piece for choice in choices for piece in choice.pieces]
        return can_be_filled(pieces, self.holding, self._free)

    def _may_be_filled(self, way: Way) -> bool:
        """Return whether the pack could fill the melds chosen so far, asked once for each."""
        key = _key(way)
        if key not in self._fits:
            spend()
            self._fits[key] = self.can_be_filled([choice for _, choice in way])
        return self._fits[key]

    def _with_fewest_wilds(self, finding: NearestTarget) -> NearestTarget:
        """Find a target that is held with the fewest wilds."""
        better: NearestTarget | None = finding
        while better and better.empty:
            finding = better
            better = self._within(0, self.holding, finding.empty - 1)
        return better or finding

    def _within(self, missing: int, holding: Holding, most_empty: int) -> NearestTarget | None:
        """Find a target that so many draws can reach, with no more of its places empty."""
        self._holding_now = holding
        self.allow(missing, most_empty)
        return self._place(0, 0, self.nothing, ())

    def allow(self, missing: int, most_empty: int) -> None:
        """Say how many draws targets may ask for, and how many of their places may be empty."""
        self._most_empty, self._most_short = most_empty, missing

    def _place(self, at: int, start: int, laid: Partial, way: Way) -> NearestTarget | None:
        """Choose a meld for each step from one on, beside those chosen already."""
        spend()
        step = self.steps[at]
        rest = by_rank(laid.rest) if step.by_rank else laid.rest
        there = one_of_each(rest)
        most = self._most_empty, self._most_short
        for index, rated, _ in step.within(start, *most, laid, rest, there):
            both = self.join(step, rated, laid, rest, there, way)
            if both:
                wider = (*way, (step.meld, rated[2]))
                if self._asks_pack and not self._may_be_filled(wider):
                    continue
                if at + 1 == len(self.steps):
                    finding = self._weigh(wider)
                else:
                    finding = self._place(at + 1, index if step.alike else 0, both, wider)
                if finding:
                    return finding
        return None

    def join(
        self, step: Step, rated: Rated, laid: Partial, rest: int, there: int, way: Way
    ) -> Partial | None:
        """Lay one meld more, unless too much would be missing or it may not lie there.

        `rest` are the cards left, by rank if the step says so, and `there` one of each.
        """
        missing, alone, choice = rated
        many, left = take(choice, rest, there)
        not_wild = number_steady(rest - left, self.choices.steady)
        empty, lack = laid.empty + choice.size - not_wild, laid.lack + choice.need - many
        spare = self._most_empty - empty
        if not self._may_join(choice, way):
            return None
        if choice.rank and choice.is_by_rank and not self.rules.same_rank_sets:
            left &= ~(255 << 8 * choice.rank)
        barred: int | None = laid.barred | choice.bars
        if self.choices.lie_beside and is_in_suit(step.meld):
            barred = self._barred(way, choice, step.runs)
        if barred is None:
            return None
        missing, more = step.lacks_after(left, barred, missing)
        if missing > spare or lack + more > self._most_short:
            return None
        needing = laid.needing.and_for(choice)
        short = max(laid.short + alone, needing.lack)
        return Partial(empty, short, lack, left, barred, needing)

    def _may_join(self, choice: Candidate, way: Way) -> bool:
        """Return whether a choice may lie beside those already made."""
        rules = self.rules
        if choice.rank:
            return rules.same_rank_sets or all(other.rank != choice.rank for _, other in way)
        if rules.same_suit_runs == "any" or choice.suit < 0:
            return True
        for _, other in way:
            if other.suit == choice.suit and not agreement(
                rules.same_suit_runs, rules.ace, choice.placed, other.placed
            ):
                return False
        return True

    def _barred(self, way: Way, choice: Candidate, runs: int) -> int | None:
        """Name the cards that no run to come may have, of so many; None if they are too few.

        A run that is larger than asked must be so because of another one of its suit.
        """
        chosen = [*[run for _, run in way], choice]
        larger = [run for run in chosen if run.is_larger]
        alone = {run.suit for run in larger if not self.may_be_larger(run, chosen)}
        if len(alone) > runs:
            return None
        if len(alone) == runs:
            return _elsewhere(alone)
        return 0

    def may_be_larger(self, run: Candidate, chosen: Sequence[Candidate]) -> bool:
        """Return whether a run may be larger than asked because of another one of its suit."""
        rule, ace = self.rules.same_suit_runs, self.rules.ace
        return any(
            may_be_larger(rule, ace, run.placed, other.placed)
            for other in chosen
            if other.suit == run.suit and other is not run
        )

    def _weigh(self, way: Way) -> NearestTarget | None:
        """Return how the cards of the hand lie at a target, if so many draws do reach it."""
        spend()
        choices = [choice for _, choice in way]
        size = sum([choice.size for choice in choices])
        choices = [piece for choice in choices for piece in choice.pieces]
        if self._whole not in (None, size) or not self._fits.get(_key(way), True):
            return None
        holding = self._holding_now
        needs = [choice.need for choice in choices]
        sharing = Matching(choices, needs, holding.held)
        if sharing.short > self._most_short:
            return None
        sharing.lay_rest()
        target = _target(choices, sharing.lie)
        empty = sum([filled.empty for filled in target])
        own = sum([cell & 15 in self._free for filled in target for cell in filled.taken])
        missing = max(empty - (holding.wilds - own), sharing.short, 0)
        cells: set[Cell] = set()
        if missing and not is_plentiful(target, holding):
            if not self._may_be_filled(way):
                return None
            if fill(target, holding, missing, self._free) is None:
                lie = lay_scarce(choices, holding, missing, self._free)
                target = _target(choices, lie)
        elif missing:
            cells = {
                cell
                for filled in target
                if sharing.short < missing or filled.empty > filled.cap
                for slot in filled.slots
                for cell in slot
                if holding.unseen[cell]
            }
        return NearestTarget(missing, target, empty + own, cells)


def _key(way: Way) -> tuple[int, ...]:
    """Tell the melds chosen apart from others that a search may choose."""
    return tuple([id(choice) for _, choice in way])


def _elsewhere(suits: Collection[int]) -> int:
    """Name the cards of all suits but these."""
    return ~sum([OF_A_SUIT << SUIT_BITS * suit for suit in suits])


def _target(choices: list[Candidate], lie: list[list[Cell | None]]) -> Target:
    """Return which places of each meld are filled and which are empty."""
    return tuple(map(Filled, choices, map(tuple, lie)))
