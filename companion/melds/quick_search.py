"""The search of `targets` by bits, for contracts whose wilds have no limits: the usual ones.

The runs are chosen one by one; what is then left for the sets depends on the ranks alone, so that
the best sets are found at once and remembered. Where anything here could differ from the full
search (limits on wilds, named ranks, sets of several sizes, a pack that may run out of a rank,
three runs that may connect), `quick_search` gives None and the full search is made.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from .filling import Choice, Filled, Holding
from .meld import MeldRules, MeldSpec
from .places import Window, windows
from .targets import CONNECTED, Finding, agreement

RANK_BITS = range(1, 14)


class _Run(NamedTuple):
    """A stretch of places for a run: its suit, its ranks as bits."""

    suit: int
    mask: int
    window: Window


_Chosen = tuple[tuple[_Run, int], ...]
"""Runs chosen, each with its empty places as bits."""


class _Sets(NamedTuple):
    """The best sets: cards missing, ranks that help as bits, and the ranks of one best choice."""

    missing: int
    helping: int
    ranks: tuple[int, ...]
    reaches_none: bool


def quick_search(
    melds: tuple[MeldSpec, ...], meld_rules: MeldRules, holding: Holding
) -> Finding | None:
    """Search as `targets.Search` does; None where that search must be made."""
    runs = sorted((meld for meld in melds if meld.kind == "run"), key=lambda meld: -meld.size)
    sets = [meld for meld in melds if meld.kind == "set"]
    nine = meld_rules.same_suit_runs == "adjacent_needs_9"
    if (
        meld_rules.limits_wilds
        or meld_rules.bound_ranks
        or any(meld.ranks for meld in melds)
        or len({meld.size for meld in sets}) > 1
        or any(meld.size > min(meld_rules.run_max, 13) for meld in runs)
        or (nine and (len(runs) > 2 or meld_rules.run_max < CONNECTED))
    ):
        return None
    return _QuickSearch(runs, sets, meld_rules, holding).run()


class _QuickSearch:
    def __init__(
        self, runs: list[MeldSpec], sets: list[MeldSpec], meld_rules: MeldRules, holding: Holding
    ) -> None:
        self._runs, self._rules, self._holding = runs, meld_rules, holding
        self._size = sets[0].size if sets else 0
        self._sets = len(sets)
        self._barred = sum(1 << rank for rank in meld_rules.free_ranks)
        self._once, self._twice, self._thrice = [0] * 4, [0] * 4, [0] * 4
        self._gone, self._last = [0] * 4, [0] * 4
        self._counts = 0
        self._look(holding)
        by_size = {size: self._list_runs(size) for size in {spec.size for spec in runs}}
        self._places = [by_size[spec.size] for spec in runs]
        self._least = [0] * (len(runs) + 1)
        for step in reversed(range(len(runs))):
            self._least[step] = self._least[step + 1] + self._places[step][0][0]
        self._best = 99
        self._ties: list[tuple[_Chosen, _Sets]] = []
        self._needs_full = False

    def _look(self, holding: Holding) -> None:
        """Read the cards held and unseen into bits."""
        held, unseen = holding.held, holding.unseen
        for suit in range(4):
            once = twice = thrice = gone = last = 0
            for rank, (number, rest) in enumerate(
                zip(
                    held[16 * suit : 16 * suit + 14],
                    unseen[16 * suit : 16 * suit + 14],
                    strict=True,
                )
            ):
                if number:
                    bit = 1 << rank
                    once |= bit
                    self._counts += number << 4 * rank
                    if number > 1:
                        twice |= bit
                        thrice |= bit if number > 2 else 0
                if rest < 2:
                    last |= 1 << rank
                    gone |= 1 << rank if rest < 1 else 0
            self._once[suit], self._twice[suit], self._thrice[suit] = once, twice, thrice
            self._gone[suit], self._last[suit] = gone, last

    def run(self) -> Finding | None:
        """Search, and tell what was found, or None where the full search must be made."""
        if self._may_run_out():
            return None
        self._set_part = _set_finder(
            self._size, self._sets, self._rules.same_rank_sets, self._barred
        )
        self._sets_at_best = self._set_part(self._counts).missing
        self._place(0, 0, 0, self._counts, ())
        self._place_connected()
        if self._needs_full or not self._ties:
            return None
        return self._finding()

    def _may_run_out(self) -> bool:
        """Tell whether sets and runs together could ask more of a rank than there is."""
        size, runs = self._size, len(self._runs)
        for rank in RANK_BITS:
            held = self._counts >> 4 * rank & 15
            if held and size and not self._barred >> rank & 1:
                unseen = sum(self._holding.unseen[16 * suit + rank] for suit in range(4))
                if size * -(-held // size) + runs > held + unseen:
                    return True
        return False

    def _list_runs(self, size: int) -> tuple[list[int], list[_Run]]:
        """List the cards missing in each place for a run, the fewest first, and the places."""
        ace = self._rules.ace
        suits = [_runs_by_missing(ace, size, suit, once) for suit, once in enumerate(self._once)]
        numbers, runs = [], []
        for missing, found in enumerate(zip(*suits, strict=True)):
            for some in found:
                numbers += [missing] * len(some)
                runs += some
        return numbers, runs

    def _place(self, step: int, start: int, empty: int, counts: int, chosen: _Chosen) -> None:
        """Choose a run for each step from one on; each is kept with its empty places."""
        if step == len(self._runs):
            self._weigh(empty, counts, chosen)
            return
        rest = self._least[step + 1] + self._sets_at_best
        repeats = step + 1 < len(self._runs) and self._runs[step + 1] == self._runs[step]
        numbers, runs = self._places[step]
        for index in range(start, len(runs)):
            missing = numbers[index]
            if empty + missing + rest > self._best:
                break
            run = runs[index]
            covered = run.mask & self._once[run.suit]
            if chosen:
                before = [other for other in chosen if other[0].suit == run.suit]
                if before:
                    if not self._agree(run, before, step):
                        continue
                    covered = self._covered(run, before)
                    missing = run.window.size - covered.bit_count()
                    if empty + missing + rest > self._best:
                        continue
            gaps = run.mask & ~covered
            self._place(
                step + 1,
                index if repeats else 0,
                empty + missing,
                counts - _spread(covered),
                (*chosen, (run, gaps)),
            )

    def _agree(self, run: _Run, before: list[tuple[_Run, int]], step: int) -> bool:
        rule, ace = self._rules.same_suit_runs, self._rules.ace
        if rule == "any":
            return True
        if rule == "different_suits":
            return False
        size = run.window.size
        own = (run.window.start, size, size, True)
        return all(
            agreement(rule, ace, (o.window.start, o.window.size, o.window.size, True), own)
            for o, _ in before
        )

    def _covered(self, run: _Run, before: list[tuple[_Run, int]]) -> int:
        """Tell which ranks of a run are held beside those that earlier runs of the suit took."""
        suit = run.suit
        levels = [self._once[suit], self._twice[suit], self._thrice[suit], 0]
        for other, gaps in before:
            taken = other.mask & ~gaps
            levels = [
                (level & ~taken) | (above & taken)
                for level, above in zip(levels, (*levels[1:], 0), strict=True)
            ]
        return run.mask & levels[0]

    def _place_connected(self) -> None:
        """Choose nine places in a suit for two runs that connect (`Z-5`)."""
        if self._rules.same_suit_runs != "adjacent_needs_9" or len(self._runs) != 2:
            return
        if self._runs[0].size + self._runs[1].size >= CONNECTED:
            return
        for missing, run in zip(*self._list_runs(CONNECTED), strict=True):
            if missing + self._sets_at_best > self._best:
                break
            covered = run.mask & self._once[run.suit]
            self._weigh(missing, self._counts - _spread(covered), ((run, run.mask & ~covered),))

    def _weigh(self, empty: int, counts: int, chosen: _Chosen) -> None:
        """Keep a target if none before it was nearer."""
        sets = self._set_part(counts)
        total = empty + sets.missing
        if total > self._best:
            return
        if sets.reaches_none and self._asks_too_much():
            self._needs_full = True
        wilds = self._holding.wilds
        if total > wilds:
            for run, gaps in chosen:
                if gaps & self._last[run.suit]:
                    if self._short(chosen) > wilds + self._holding.unseen_wilds:
                        return
                    break
        if total < self._best:
            self._ties.clear()
        # A hand that holds the contract needs but one layout, one that lacks cards needs them all.
        self._best = total if total > wilds else total - 1
        self._ties.append((chosen, sets))

    def _asks_too_much(self) -> bool:
        """Tell whether all sets of one rank not held could ask more of it than there is."""
        unseen = self._holding.unseen
        least = min(
            sum(unseen[16 * suit + rank] for suit in range(4)) + (self._counts >> 4 * rank & 15)
            for rank in RANK_BITS
            if not self._barred >> rank & 1
        )
        return self._size * self._sets + len(self._runs) > least

    def _short(self, chosen: _Chosen) -> int:
        """Tell how many empty places of runs no natural card of the rest of the pack can fill."""
        asked = Counter(
            16 * run.suit + rank for run, gaps in chosen for rank in RANK_BITS if gaps >> rank & 1
        )
        return sum(max(0, number - self._holding.unseen[cell]) for cell, number in asked.items())

    def _finding(self) -> Finding:
        """Gather the empty places of all nearest targets, and lay out one."""
        unseen, wilds = self._holding.unseen, self._holding.wilds
        chosen, sets = self._ties[0]
        empty = sum(gaps.bit_count() for _, gaps in chosen) + sets.missing
        missing = max(0, empty - wilds)
        target = self._target(chosen, sets)
        finding = Finding(missing, target, empty)
        if missing:
            finding.wild_helps = self._holding.unseen_wilds > 0
            asked, ranks = [0] * 4, 0
            for chosen, sets in self._ties:
                ranks |= sets.helping
                for run, gaps in chosen:
                    asked[run.suit] |= gaps
            finding.cells = {
                16 * suit + rank
                for suit in range(4)
                for rank in RANK_BITS
                if (asked[suit] | ranks) >> rank & 1 and unseen[16 * suit + rank]
            }
        return finding

    def _target(self, chosen: _Chosen, sets: _Sets) -> tuple[Filled, ...]:
        """Tell a target card by card."""
        held = self._holding.held.copy()
        filled = []
        for run, mask in self._single(chosen):
            cells = tuple(16 * run.suit + rank for rank in run.window.ranks)
            taken = tuple(cell for cell in cells if not mask >> (cell & 15) & 1)
            rest = tuple(cell for cell in cells if mask >> (cell & 15) & 1)
            for cell in taken:
                held[cell] -= 1
            size = run.window.size
            choice = Choice(len(rest), cells, size, run.suit, run.window, 0)
            filled.append(Filled(choice, taken, len(rest), rest, size))
        for rank in sets.ranks:
            cells = tuple(16 * suit + rank for suit in range(4))
            taken = tuple(cell for cell in cells for _ in range(held[cell]))[: self._size]
            for cell in taken:
                held[cell] -= 1
            empty = self._size - len(taken)
            choice = Choice(empty, cells, self._size, -1, None, rank)
            filled.append(Filled(choice, taken, empty, cells if empty else (), self._size))
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
            run = _Run(nine.suit, window.mask, window)
            parts.append((run, gaps & window.mask))
        return tuple(parts)


@lru_cache
def _every_run(ace: str, size: int, suit: int) -> tuple[_Run, ...]:
    return tuple(_Run(suit, window.mask, window) for window in windows(ace, size))


@lru_cache(maxsize=20_000)
def _runs_by_missing(ace: str, size: int, suit: int, once: int) -> tuple[tuple[_Run, ...], ...]:
    """List the places for a run in one suit, by the number of ranks that are missing."""
    found: list[list[_Run]] = [[] for _ in range(size + 1)]
    for run in _every_run(ace, size, suit):
        found[(run.mask & ~once).bit_count()].append(run)
    return tuple(map(tuple, found))


@lru_cache(maxsize=20_000)
def _spread(mask: int) -> int:
    """One card of each rank of a mask, four bits for each rank."""
    return sum(1 << 4 * rank for rank in RANK_BITS if mask >> rank & 1)


@lru_cache(maxsize=256)
def _set_finder(size: int, sets: int, same_rank: bool, barred: int) -> SetFinder:
    return SetFinder(size, sets, same_rank, barred)


class SetFinder:
    """Finds the best sets for the cards of each rank, remembered from hand to hand."""

    def __init__(self, size: int, sets: int, same_rank: bool, barred: int) -> None:
        self._size, self._sets, self._same_rank = size, sets, same_rank
        self._ranks = [rank for rank in RANK_BITS if not barred >> rank & 1]
        self._known: dict[int, _Sets] = {}

    def __call__(self, counts: int) -> _Sets:
        """Find the best sets, where `counts` holds four bits for each rank."""
        found = self._known.get(counts)
        if found is None:
            if len(self._known) > 5_000:
                self._known.clear()
            found = self._known[counts] = self._find(counts)
        return found

    def _find(self, counts: int) -> _Sets:
        size = self._size
        if not self._sets:
            return _Sets(0, 0, (), False)
        by_gain: list[list[int]] = [[] for _ in range(size + 1)]
        for rank in self._ranks:
            held = counts >> 4 * rank & 15
            while held >= size:
                by_gain[size].append(rank)
                held -= size
                if not self._same_rank:
                    break
            else:
                by_gain[held].append(rank)
        chosen: list[int] = []
        helping = missing = gain = 0
        for gain in range(size, -1, -1):
            taken = by_gain[gain][: self._sets - len(chosen)]
            chosen += taken
            missing += len(taken) * (size - gain)
            if taken and gain < size:
                helping |= sum(1 << rank for rank in by_gain[gain])
            if len(chosen) == self._sets:
                break
        return _Sets(missing, helping, tuple(chosen), gain == 0)
