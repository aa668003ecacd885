"""One list of melds held against one hand: the tables of all suits and ranks, joined."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.cards import Card, Pack, Rank

from .hand import ALL_RANKS, CELLS, LEVELS, InPlay, SuitCards, spread
from .key_tables import (
    ASKED,
    BEYOND,
    EMPTY,
    FIELD,
    NEVER,
    SIZE,
    TAKEN,
    Keys,
    Most,
    Table,
    joined,
)
from .loose import Aside, Mixed, asides, least_of_mixed, mixed_runs
from .meld_plan import Plan
from .ranks import SetTables, least_lacking
from .slots import suit_index
from .suits import Tracking, lone, moved, suit_table


class Bounds(NamedTuple):
    """What the runs of all suits lack at least, and of a suit by what the others must.

    By suit and code of what lies in it, `beside` is what all others lack at least; `later`, by code
    of what lies up to a suit, what those after it do.
    """

    least: int
    beside: list[tuple[int, ...]]
    later: list[tuple[int, ...]]


@lru_cache(maxsize=1024)
def bounds(plan: Plan, by_suit: tuple[tuple[int, ...], ...]) -> Bounds:
    """Add up what the suits lack at least, by code."""
    nothing = (0,) + (NEVER,) * plan.run_codes.last
    before, after = [nothing], [nothing]
    for suit in range(4):
        before.append(_least_of_both(plan, before[-1], by_suit[suit]))
        after.insert(0, _least_of_both(plan, by_suit[3 - suit], after[0]))
    # What is left of all melds has the code counted from the end.
    beside = [_least_of_both(plan, before[suit], after[suit + 1])[::-1] for suit in range(4)]
    return Bounds(after[0][-1], beside, [after[suit + 1][::-1] for suit in range(4)])


def _least_of_both(plan: Plan, some: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    found = [NEVER] * len(some)
    for code, other, both in plan.run_codes.splits:
        lacks = some[code] + others[other]
        if lacks < found[both]:
            found[both] = lacks
    return tuple(found)


class Search:
    """One list of melds held against one hand, some of them set aside.

    Of the hand `whole` cards must be melded at least. No fewer than `least` cards are missing.
    """

    def __init__(self, plan: Plan, whole: int, aside: Aside) -> None:
        self.plan, self.whole, self.aside = plan, whole, aside
        self.held, self.pack = aside.held, aside.pack
        self.of_sets = least_lacking(plan, self.held)
        mixed_empty, mixed_short = least_of_mixed(plan, self.held)
        # What all melds but runs of one suit lack at least.
        self.beside_empty = self.of_sets[0][-1] + mixed_empty + (aside.key >> EMPTY & FIELD)
        self.beside_short = self.of_sets[1][-1] + mixed_short + (aside.key & FIELD)
        of_suits = [lone(plan, cards) for cards in self.held.suits]
        self.by_empty = bounds(plan, tuple([empty.by_code for empty, _ in of_suits]))
        self.by_short = bounds(plan, tuple([short.by_code for _, short in of_suits]))
        self.least_empty = self.by_empty.least + self.beside_empty
        self.least_short = self.by_short.least + self.beside_short
        laid_aside = (aside.key >> SIZE & FIELD) - (aside.key >> EMPTY & FIELD)
        cards = self.held.wilds + sum(self.held.steady_of) + laid_aside
        self.most_over = max(0, cards - whole)
        self.least = max(
            0, self.least_empty - self.held.wilds, self.least_short, whole - cards if whole else 0
        )

    def parts(self, missing: int) -> list[Search]:
        """Part the search by the sets of unlike suits that are set aside."""
        if not self.plan.unlike_sets:
            return [self]
        spare = missing + self.held.wilds - self.least_empty
        found = asides(self.plan, self.aside, spare, missing - self.least_short)
        return [Search(self.plan, self.whole, aside) for aside in found]

    def within(self, missing: int) -> Keys:
        """Return each way to lack no more than so many cards: by what is lacking, the cards wanted.

        Of a hand that misses none only the ways that need the fewest wilds are given: tables of
        many wilds are large.
        """
        most, spare = missing + self.held.wilds, 0
        while not missing and self.least_empty + spare < most:
            if found := self._within(self.least_empty + spare, 0):
                return found
            spare = 2 * spare + 1
        return self._within(most, missing)

    def _within(self, most_empty: int, most_short: int) -> Keys:
        """Join the runs of all suits, and each way that they lie with sets on what they leave."""
        self.most_empty, self.most_short = most_empty, most_short
        self.sets = self._set_tables()
        self._run_tables()
        by_taken: dict[int, Keys] = {}
        for key, value in self.joined[-1].get(self.plan.run_codes.last, {}).items():
            by_taken.setdefault(key >> TAKEN, {})[key & (1 << TAKEN) - 1] = value
        found: Keys = {}
        for taken, laid in by_taken.items():
            beside = self.on_what_is_left(taken)
            for key, value in laid.items():
                for more, wanted, _ in beside:
                    both = key + more
                    if self.may(both):
                        # Nothing else of a key is asked from here on, so that fewer are kept.
                        both &= 0xFFFF
                        found[both] = found.get(both, 0) | value | wanted
        return found

    def may(self, key: int) -> bool:
        """Return whether all melds together lack no more than is asked, and hold enough cards."""
        return (
            key & FIELD <= self.most_short
            and key >> EMPTY & FIELD <= self.most_empty
            and (self.pack.beyond < 0 or key >> BEYOND & FIELD <= self.pack.beyond)
            and (not self.whole or key >> SIZE & FIELD >= self.whole)
        )

    def on_what_is_left(self, taken: int) -> list[tuple[int, int, tuple[Mixed, ...]]]:
        """Return every way to lay what lies beside runs: its key, the cards wanted, the mixed runs.

        `taken` tells the cards that runs take, and from its bit 64 on those that they ask.
        """
        asked = taken >> ASKED - TAKEN
        found = []
        for laid in mixed_runs(self.plan, self.held, taken & CELLS):
            key, value, both, slots = self.aside.key, self.aside.wanted, taken & CELLS, asked
            for mixed in laid:
                key, value, both = key + mixed.key, value | mixed.wanted, mixed.taken
                slots += self.asked_by(mixed)
            for more, wanted in self.sets.all(both, slots).items():
                found.append((key + more, value | wanted, laid))
        return found

    def asked_by(self, mixed: Mixed) -> int:
        """Return the slots of a run of any suits for cards of which the pack has few."""
        return spread(mixed.run.mask & self.sets.asked)

    def _set_tables(self) -> SetTables:
        run_empty, run_short = self.by_empty.least, self.by_short.least
        empty, short = self.of_sets
        beside_empty, beside_short = self.beside_empty - empty[-1], self.beside_short - short[-1]
        most = Most(
            tuple([self.most_empty - run_empty - beside_empty - least for least in empty[::-1]]),
            tuple([self.most_short - run_short - beside_short - least for least in short[::-1]]),
            self.pack.beyond,
        )
        barred = 0 if self.plan.rules.same_rank_sets else self.aside.ranks
        return SetTables(self.plan, self.held, most, self.pack.of_rank, bool(self.whole), barred)

    def _run_tables(self) -> None:
        """Make the tables of each suit, and of the suits up to it."""
        plan = self.plan
        empty, short = self.most_empty - self.beside_empty, self.most_short - self.beside_short
        most_left = (
            self.most_short + self.most_over + sum(plan.set_counts) + 13 * len(plan.mixed_runs)
        )
        # A run of any suits lies on what the other runs leave, of whatever rank.
        tracked = ALL_RANKS if plan.mixed_runs else self.sets.ranks
        self.track = Tracking(tracked, self.sets.asked, bool(self.whole), most_left)
        self.most = [
            Most(
                tuple([empty - least for least in self.by_empty.beside[suit]]),
                tuple([short - least for least in self.by_short.beside[suit]]),
                self.pack.beyond,
            )
            for suit in range(4)
        ]
        self.tables: list[Table] = []
        self.joined: list[Table] = [{0: {0: 0}}]
        for suit, cards in enumerate(self.held.suits):
            own = suit_table(plan, cards, self.pack.suits[suit], self.most[suit], self.track)
            self.tables.append(moved(own, suit))
        for suit, own in enumerate(self.tables):
            most = Most(
                tuple([empty - least for least in self.by_empty.later[suit]]),
                tuple([short - least for least in self.by_short.later[suit]]),
                self.pack.beyond,
            )
            self.joined.append(joined(self.joined[-1], own, plan.run_codes, most))


@lru_cache(maxsize=1024)
def in_play(plan: Plan, pack: Pack) -> InPlay:
    """Return the cards of a pack, and how many slots at most it cannot fill."""
    bound = sum(1 << rank for rank in plan.rules.bound_ranks)
    levels = [
        ALL_RANKS if at < pack.decks else bound * (at < 4 * pack.decks) for at in range(LEVELS)
    ]
    steady = tuple([level & ~plan.free for level in levels])
    suit = SuitCards(steady, tuple(levels) if plan.rules.natural_wilds else steady)
    return InPlay((suit,) * 4, (4 * pack.decks,) * 14, _most_beyond(plan, pack, None))


@lru_cache(maxsize=4096)
def in_play_without(plan: Plan, pack: Pack, card: Card | None) -> InPlay:
    """Return the cards of a pack of which one may be gone."""
    found = in_play(plan, pack)
    if not card:
        return found
    found = found._replace(beyond=_most_beyond(plan, pack, card.rank))
    if not card.rank:
        return found
    # Where the suit is free each suit has all copies of the card, so that each has one fewer.
    is_bound = card.rank in plan.rules.bound_ranks
    return found.without(card.rank, range(4) if is_bound else (suit_index(card),))


@lru_cache(maxsize=1024)
def _most_beyond(plan: Plan, pack: Pack, gone: Rank | None) -> int:
    """Return how many slots at most only wilds may fill, -1 where there are cards for all.

    A card of one rank may be gone, and one slot more be beyond the pack.
    """
    free = plan.rules.free_ranks
    jokers = pack.jokers if Rank.JOKER in free else 0
    wilds = jokers + 4 * pack.decks * plan.free.bit_count()
    if gone in free:
        jokers, wilds = jokers - (gone is Rank.JOKER), wilds - 1
    runs, twice = plan.run_sizes, plan.has_again
    is_alone = plan.rules.same_suit_runs in ("different_suits", "gap_only")
    crowded = ((1 if is_alone else len(runs)) if runs else 0) + len(plan.unlike_sets)
    # How many slots of runs, and of sets, may be beyond the pack at most.
    excess = 0 if is_alone else sum(runs[pack.decks :])
    if twice and pack.decks < 2 * crowded:
        excess += crowded
    if crowded > pack.decks:
        excess += 4 * len(plan.unlike_sets)
    last = 1 if gone else 0
    if last and (1 + twice) * crowded >= pack.decks:
        excess += 1
    sizes, needs = plan.most_of_a_rank
    beside = len(runs) * (1 + twice) + len(plan.mixed_runs) + 4 * len(plan.unlike_sets)
    over = max(0, sizes + beside + last - 4 * pack.decks)
    beyond = excess + len(runs) * plan.free.bit_count() + max(over, sizes if plan.free else 0)
    is_tight = plan.limited and (
        crowded + last > pack.decks or needs + beside + last > 4 * pack.decks
    )
    if min(beyond - wilds, excess + over - jokers) <= 0 and not is_tight:
        return -1
    return wilds
