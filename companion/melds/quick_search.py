"""The search of `targets` by bits, for contracts whose wilds have no limits: the usual ones.

The runs are chosen one by one; what is then left for the sets depends on the ranks alone, so that
the best sets are found at once (`quick_sets`). Where anything here could differ from the full
search (limits on wilds, named ranks, sets of several sizes, a pack that may run out of a rank,
three runs that may connect), `quick_search` gives None and the full search is made.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .choices import CONNECTED, agreement
from .filling import Choice, Filled, Holding
from .meld import MeldRules, MeldSpec
from .places import Window, set_ranks, windows
from .quick_runs import BITS, ONES, SUIT, SUIT_BITS, lowest, ranks_held, units
from .quick_sets import Levels, SetsAsked, less, levels_of
from .targets import Finding


class _Run(NamedTuple):
    """A stretch of places for a run: its suit, and one card of each of its ranks."""

    suit: int
    places: int
    window: Window


class _Missing(NamedTuple):
    """A place for a run, how many of its cards are missing, and those that are held."""

    missing: int
    run: _Run
    held: int


_Chosen = tuple[tuple[_Run, int], ...]
"""Runs chosen, each with its empty places."""


def quick_search(
    melds: tuple[MeldSpec, ...], meld_rules: MeldRules, holding: Holding
) -> Finding | None:
    """Search as `targets.Search` does; None where that search must be made."""
    runs = sorted([meld for meld in melds if meld.kind == "run"], key=_largest_first)
    sets = [meld for meld in melds if meld.kind == "set"]
    nine = meld_rules.same_suit_runs == "adjacent_needs_9"
    if (
        meld_rules.limits_wilds
        or len(runs) > 2
        or meld_rules.bound_ranks
        or any(meld.ranks or meld.suits == "any" for meld in melds)
        or len({meld.size for meld in sets}) > 1
        or any(meld.size > min(meld_rules.run_max, 13) for meld in runs)
        or not all(windows(meld_rules.ace, meld.size) for meld in runs)
        or (nine and meld_rules.run_max < CONNECTED)
    ):
        return None
    return _QuickSearch(runs, sets, meld_rules, holding).run()


def _largest_first(meld: MeldSpec) -> int:
    return -meld.size


class _QuickSearch:
    def __init__(
        self, runs: list[MeldSpec], sets: list[MeldSpec], meld_rules: MeldRules, holding: Holding
    ) -> None:
        self._runs, self._rules, self._holding = runs, meld_rules, holding
        of_sets = set(set_ranks(meld_rules.ace)) - meld_rules.free_ranks
        ranks = sum([1 << BITS * rank for rank in of_sets])
        size = sets[0].size if sets else 1
        self._sets = SetsAsked(len(sets), size, meld_rules.same_rank_sets, ranks)
        self._suits = [holding.cards >> suit * SUIT_BITS & SUIT for suit in range(4)]
        self._levels = levels_of(sum(self._suits), self._sets.ranks)
        seen = [holding.seen >> suit * SUIT_BITS & SUIT for suit in range(4)]
        # At least 1, 2 … of a card can be drawn unless all but none, one … are seen.
        left = [min(holding.decks - many, 32) for many in range(min(holding.decks, len(runs) + 1))]
        self._unseen = [
            tuple([self._sets.ranks & ~ranks_held(cards, most) for most in left]) for cards in seen
        ]
        # Runs that overlap may ask for as many of a card as there are runs.
        enough = ONES if holding.decks >= len(runs) else 0
        self._scarce = [
            ONES & ~(levels[-1] & enough) if levels else ONES for levels in self._unseen
        ]
        by_size = {size: self._list_runs(size) for size in {spec.size for spec in runs}}
        self._places = [by_size[spec.size] for spec in runs]
        self._least = [0]
        for places in reversed(self._places):
            self._least.insert(0, self._least[0] + places[0].missing)
        self._equal = [runs[step + 1 :].count(run) for step, run in enumerate(runs)]
        self._best = 99
        self._ties: list[tuple[_Chosen, Levels, int]] = []
        self._needs_full = False

    def run(self) -> Finding | None:
        """Search, and tell what was found, or None where the full search must be made."""
        holding = self._holding
        most = self._sets.size * -(-len(self._levels) // self._sets.size) + len(self._runs)
        if (
            self._sets.number
            and (holding.cards != holding.seen or most > 4 * holding.decks)
            and self._may_run_out()
        ):
            return None
        missing = self._sets.missing(self._levels)
        if self._runs:
            self._place(0, 0, missing, self._levels, ())
            self._place_connected(missing)
        else:
            self._weigh(missing, self._levels, 0, ())
        if self._needs_full or not self._ties:
            return None
        return self._finding()

    def _may_run_out(self) -> bool:
        """Tell whether sets and runs together could ask more of a rank than there is."""
        size, runs, held = self._sets.size, len(self._runs), self._holding.held
        unseen, ranks = self._holding.unseen, self._levels[0] if self._levels else 0
        for rank in range(1, 14):
            if ranks >> BITS * rank & 1:
                number = held[rank] + held[16 + rank] + held[32 + rank] + held[48 + rank]
                rest = unseen[rank] + unseen[16 + rank] + unseen[32 + rank] + unseen[48 + rank]
                if size * -(-number // size) + runs > number + rest:
                    return True
        return False

    def _list_runs(self, size: int) -> list[_Missing]:
        """List the places for a run, those first of which the fewest cards are missing."""
        found: list[list[_Missing]] = [[] for _ in range(size + 1)]
        for suit, cards in enumerate(self._suits):
            places = _by_missing(self._rules.ace, size, suit, ranks_held(cards, 1))
            for some, more in zip(found, places, strict=True):
                some += more
        return [place for some in found for place in some]

    def _place(self, step: int, start: int, empty: int, levels: Levels, chosen: _Chosen) -> None:
        """Choose a run for each step from one on; each is kept with its empty places.

        `empty` counts the slots that are empty so far, those of the best sets among them.
        """
        # Of equal runs those that follow miss as many cards at least: each is chosen but once.
        equal = self._equal[step]
        last, least = step + 1 == len(self._runs), self._least[step + 1 + equal] + empty
        places, taken = self._places[step], [run.suit for run, _ in chosen]
        at_stake = self._sets.at_stake(levels)
        for index in range(start, len(places)):
            missing, run, held = places[index]
            rest = least + equal * missing
            if missing + rest > self._best:
                break
            if run.suit in taken:
                if not self._agree(run, chosen):
                    continue
                held = self._still_held(run, chosen)
                missing = run.window.size - held.bit_count()
            for spare, ranks in at_stake:
                lost = (ranks & held).bit_count()
                if lost > spare:
                    missing += lost - spare
            if missing + rest > self._best:
                continue
            both = (*chosen, (run, run.places ^ held))
            if last:
                self._weigh(empty + missing, levels, held, both)
            else:
                left = less(levels, held)
                self._place(step + 1, index if equal else 0, empty + missing, left, both)

    def _still_held(self, run: _Run, chosen: _Chosen) -> int:
        """Tell which ranks of a run are held beside those that earlier runs of the suit took."""
        cards = self._suits[run.suit]
        for other, gaps in chosen:
            if other.suit == run.suit:
                cards -= other.places ^ gaps
        return run.places & ranks_held(cards, 1)

    def _agree(self, run: _Run, chosen: _Chosen) -> bool:
        """Tell whether a run may lie beside those of its suit."""
        rule, ace = self._rules.same_suit_runs, self._rules.ace
        if rule == "any":
            return True
        if rule == "different_suits":
            return False
        own = run.window
        for other, _ in chosen:
            if other.suit == run.suit:
                beside = other.window
                if not _may_lie(rule, ace, beside.start, beside.size, own.start, own.size):
                    return False
        return True

    def _place_connected(self, empty: int) -> None:
        """Choose nine places in a suit for two runs that connect (`Z-5`)."""
        if self._rules.same_suit_runs != "adjacent_needs_9" or len(self._runs) != 2:
            return
        if self._runs[0].size + self._runs[1].size >= CONNECTED:
            return
        for missing, run, held in self._list_runs(CONNECTED):
            if missing + empty > self._best:
                break
            total = missing + self._sets.missing(less(self._levels, held))
            if total <= self._best:
                self._weigh(total, self._levels, held, ((run, run.places ^ held),))

    def _weigh(self, total: int, levels: Levels, held: int, chosen: _Chosen) -> None:
        """Keep a target that misses so many cards: none before it was nearer.

        `levels` are the cards before the last run took those that are held of it.
        """
        if self._sets.may_reach_none(levels, held) and self._asks_too_much():
            self._needs_full = True
        wilds = self._holding.wilds
        if total > wilds:
            for run, gaps in chosen:
                if gaps & self._scarce[run.suit]:
                    if self._short(chosen) > wilds + self._holding.unseen_wilds:
                        return
                    break
        if total < self._best:
            self._ties.clear()
        # A hand that holds the contract needs but one layout, one that lacks cards needs them all.
        self._best = total if total > wilds else total - 1
        self._ties.append((chosen, levels, held))

    def _asks_too_much(self) -> bool:
        """Tell whether all sets of one rank not held could ask more of it than there is."""
        held, unseen = self._holding.held, self._holding.unseen
        least = min(
            sum([held[16 * suit + rank] + unseen[16 * suit + rank] for suit in range(4)])
            for rank in range(1, 14)
            if self._sets.ranks >> BITS * rank & 1
        )
        return self._sets.size * self._sets.number + len(self._runs) > least

    def _short(self, chosen: _Chosen) -> int:
        """Tell how many empty places of runs no natural card of the rest of the pack can fill."""
        unseen, short = self._unseen, 0
        for step, (run, gaps) in enumerate(chosen):
            levels = unseen[run.suit]
            for other, others in chosen[:step]:
                if other.suit == run.suit:
                    levels = less(levels, others)
            short += (gaps & ~levels[0]).bit_count() if levels else gaps.bit_count()
        return short

    def _finding(self) -> Finding:
        """Gather the empty places of all nearest targets, and lay out one."""
        wilds = self._holding.wilds
        chosen, levels, held = self._ties[0]
        target = self._target(chosen, self._sets.best(less(levels, held)))
        empty = sum([filled.empty for filled in target])
        missing = max(0, empty - wilds)
        finding = Finding(missing, target, empty, set())
        if missing:
            finding.wild_helps = self._holding.unseen_wilds > 0
            asked = [0, 0, 0, 0]
            for chosen, _, _ in self._ties:
                for run, gaps in chosen:
                    asked[run.suit] |= gaps
            ranks = 0
            for levels in {less(levels, held) for _, levels, held in self._ties}:
                ranks |= self._sets.helping(levels)
            for suit, unseen in enumerate(self._unseen):
                helps = (asked[suit] | ranks) & unseen[0] if unseen else 0
                while helps:
                    rank = lowest(helps)
                    helps ^= 1 << BITS * rank
                    finding.cells.add(16 * suit + rank)
        return finding

    def _target(self, chosen: _Chosen, sets: tuple[int, ...]) -> tuple[Filled, ...]:
        """Tell a target card by card."""
        held = self._holding.held.copy()
        filled = []
        for run, gaps in self._single(chosen):
            first = 16 * run.suit
            places = tuple([(first + rank,) for rank in run.window.ranks])
            taken, slots = [], []
            for place in places:
                if gaps >> BITS * (place[0] & 15) & 1:
                    slots.append(place)
                else:
                    taken.append(place[0])
                    held[place[0]] -= 1
            size = run.window.size
            choice = Choice(len(slots), places, size, run.suit, run.window, 0)
            filled.append(Filled(choice, tuple(taken), tuple(slots), size))
        size = self._sets.size
        for rank in sets:
            cells = (rank, 16 + rank, 32 + rank, 48 + rank)
            taken = [cell for cell in cells for _ in range(held[cell])][:size]
            for cell in taken:
                held[cell] -= 1
            empty = size - len(taken)
            choice = Choice(empty, (cells,) * size, size, -1, None, rank)
            filled.append(Filled(choice, tuple(taken), (cells,) * empty, size))
        return tuple(filled)

    def _single(self, chosen: _Chosen) -> _Chosen:
        """Part nine connected places into the two runs they are."""
        if len(chosen) == len(self._runs):
            return chosen
        nine, gaps = chosen[0]
        start, _, ranks = nine.window
        size, parts = self._runs[0].size, []
        for begin, end in ((0, size), (size, CONNECTED)):
            window = Window(start + begin, end - begin, ranks[begin:end])
            parts.append((_Run(nine.suit, units(window), window), gaps & units(window)))
        return tuple(parts)


@lru_cache
def _every_run(ace: str, size: int, suit: int) -> tuple[_Run, ...]:
    return tuple(_Run(suit, units(window), window) for window in windows(ace, size))


@lru_cache(maxsize=5_000)
def _by_missing(ace: str, size: int, suit: int, cards: int) -> tuple[tuple[_Missing, ...], ...]:
    """List the places for a run in one suit, by the number of cards that are missing."""
    found: list[list[_Missing]] = [[] for _ in range(size + 1)]
    for run in _every_run(ace, size, suit):
        held = run.places & cards
        missing = size - held.bit_count()
        found[missing].append(_Missing(missing, run, held))
    return tuple(map(tuple, found))


@lru_cache(maxsize=4_096)
def _may_lie(rule: str, ace: str, start: int, size: int, other: int, other_size: int) -> bool:
    """Tell whether two runs of just the sizes asked may lie side by side in a suit."""
    first, second = (start, size, size, True), (other, other_size, other_size, True)
    return agreement(rule, ace, first, second) > 0
