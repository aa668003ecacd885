"""The nearest melds laid out: found by going back through the tables, then filled card by card.

Of ways that miss as few cards the one that needs the fewest wilds is laid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from companion.cards import SUITS, Card, Hand, Pack, sort_hand

from .contract_search import Search
from .hand import CELL_CARDS, CELLS
from .key_tables import ASKED, EMPTY, FIELD, SIZE, TAKEN, Codes, Table
from .loose import Mixed
from .meld import Kind, Meld, MeldRules
from .meld_plan import LegalRun
from .ranks import kinds_of
from .shortage import least_short
from .slots import wild_cards
from .suits import find_runs

ANY_SUIT = -1
Laying = tuple[tuple[Meld, ...], Hand]
"""Melds as they lie, and the cards drawn for them."""


class MeldSlot(NamedTuple):
    """A slot of a meld: the cells of which any may lie there, and whether a natural card does."""

    cells: tuple[int, ...]
    lies: bool


class Part(NamedTuple):
    """A meld to be laid out: its suit, its slots, and how many of them may be wild."""

    kind: Kind
    suit: int
    slots: list[MeldSlot]
    cap: int
    apart: bool = False

    def short(self, cards: list[Card | None]) -> int:
        """Return how many more of its slots must be natural."""
        return least_short(
            self.cap, self.apart, sum(1 << at for at, card in enumerate(cards) if card is None)
        )


def lay_out(
    search: Search, missing: int, hand: Hand, meld_rules: MeldRules, pack: Pack
) -> Laying | None:
    """Lay out melds that lack so many cards, and name the cards to be drawn for them.

    None where wilds lie apart and the melds that were found share the last card of the pack: each
    could do without it, but for another one.
    """
    filling = Filling(_parts(search), missing, hand, meld_rules, pack)
    return filling.melds() if filling.draw_naturals() else None


# Going back ---


def _parts(search: Search) -> list[Part]:
    """Choose the melds."""
    totals = (
        (key + more, key, more, mixed)
        for key in search.joined[-1].get(search.plan.run_codes.last, {})
        for more, _, mixed in search.on_what_is_left(key >> TAKEN)
        if search.may(key + more)
    )
    _, key, more, mixed = min(totals, key=lambda total: total[0] >> EMPTY & FIELD)
    taken, asked, sets = key >> TAKEN & CELLS, key >> ASKED, more - search.aside.key
    return [
        *_runs(search, key),
        *(_run(search, one.run, ANY_SUIT, one.there, one.again) for one in mixed),
        *_sets_aside(search),
        *_sets(search, taken, asked, sets, mixed),
    ]


def _split(before: Table, own: Table, codes: Codes, code: int, key: int) -> tuple[int, ...]:
    """Part a code and a key into those of a table, and those of the tables before it."""
    for one, other, both in codes.splits:
        if both == code and one in before and other in own:
            for own_key in own[other]:
                if key - own_key in before[one]:
                    return other, own_key, one, key - own_key
    raise AssertionError("A way through the tables was lost.")


def _runs(search: Search, key: int) -> Iterator[Part]:
    """Find the runs of each suit, the last suit first."""
    plan, code = search.plan, search.plan.run_codes.last
    for suit in range(3, -1, -1):
        here, own, code, key = _split(
            search.joined[suit], search.tables[suit], plan.run_codes, code, key
        )
        if not here:
            continue
        cards, pack = search.held.suits[suit], search.pack.suits[suit]
        for run, there, again in find_runs(
            plan, cards, pack, search.most[suit], search.track, here, own
        ):
            yield _run(search, run, suit, there, again)


def _run(search: Search, run: LegalRun, suit: int, there: int, again: int) -> Part:
    lies = [
        bool((again if rank in run.ranks[:at] else there) >> rank & 1)
        for at, rank in enumerate(run.ranks)
    ]
    part = run_part(suit, run.ranks, lies, search.plan.rules)
    return part._replace(cap=run.cap, apart=run.apart)


def run_part(suit: int, ranks: Sequence[int], lies: Sequence[bool], rules: MeldRules) -> Part:
    """Return the slots of a run, and at which of them natural cards lie.

    A card that is its rank in any suit comes from its own one first.
    """
    suits = sorted(range(4), key=lambda other: other != suit)
    slots = []
    for rank, there in zip(ranks, lies, strict=True):
        of_any = suit == ANY_SUIT or rank in rules.bound_ranks
        cells = tuple([16 * other + rank for other in (suits if of_any else suits[:1])])
        slots.append(MeldSlot(cells, there))
    # No limit: the least points have kept it in their tables, and a contract's run sets its own.
    return Part("run", suit, slots, len(slots))


def _sets_aside(search: Search) -> Iterator[Part]:
    for rank, suits, natural, cap in search.aside.laid:
        is_bound = rank in search.plan.rules.bound_ranks
        slots = [
            MeldSlot(cells_of(rank) if is_bound else (16 * suit + rank,), suit in natural)
            for suit in suits
        ]
        yield Part("set", ANY_SUIT, slots, cap)


def cells_of(rank: int) -> tuple[int, ...]:
    """Name the cells of a rank."""
    return tuple(16 * suit + rank for suit in range(4))


def _sets(
    search: Search, taken: int, asked: int, key: int, mixed: tuple[Mixed, ...]
) -> Iterator[Part]:
    """Find the sets of each rank, the first rank first."""
    tables, codes = search.sets, search.plan.set_codes
    for one in mixed:
        taken, asked, key = one.taken, asked + search.asked_by(one), key - one.key
    code = codes.last
    for at, rank in enumerate(tables.tracked):
        own = tables.of_rank(rank, taken >> 4 * rank & 15, asked >> 4 * rank & 15)
        rest = tables.between(at + 1, len(tables.tracked), taken, asked)
        here, own_key, code, key = _split(rest, own, codes, code, key)
        if here:
            yield from _sets_of_rank(search, rank, taken >> 4 * rank & 15, here, own_key)


def _sets_of_rank(search: Search, rank: int, taken: int, code: int, key: int) -> Iterator[Part]:
    """Lay the sets of one rank: each first takes the natural cards that it needs."""
    left = max(0, search.held.natural_of[rank] - taken)
    steady = 0 if search.plan.free >> rank & 1 else left
    sizes = next(
        sizes
        for sizes in product(*[kind.sizes for kind in kinds_of(search.plan, code)])
        for size, need in [map(sum, zip(*sizes, strict=True))]
        if max(0, need - left) == key & FIELD
        and max(0, size - steady) == key >> EMPTY & FIELD
        and (not search.whole or size == key >> SIZE & FIELD)
    )
    natural = []
    for _, need in sizes:
        natural.append(min(need, left))
        left -= natural[-1]
    for (size, need), own in zip(sizes, natural, strict=True):
        more = min(size - own, left)
        left -= more
        slots = [MeldSlot(cells_of(rank), at < own + more) for at in range(size)]
        yield Part("set", ANY_SUIT, slots, size - need)


# Card by card ---


class Filling:
    """Fills the slots of melds: with cards held, with cards drawn, then with wilds."""

    def __init__(
        self, parts: list[Part], missing: int, hand: Hand, meld_rules: MeldRules, pack: Pack
    ) -> None:
        self.parts, self.left = parts, missing
        self.hand, self.free = hand, meld_rules.free_ranks
        self.rest, self.drawn = Counter(hand), Counter[Card]()
        self.unseen = Counter(pack.unseen(hand))
        self.cards: list[list[Card | None]] = [[None] * len(part.slots) for part in parts]

        for at, step, slot in self._slots():
            if slot.lies:
                card = next(CELL_CARDS[cell] for cell in slot.cells if self.rest[CELL_CARDS[cell]])
                self.rest[card] -= 1
                self.cards[at][step] = card

    def draw_naturals(self) -> bool:
        """Draw for the slots that no wild may fill; False where the pack has no card for one."""
        return all(self._draw_for(part, at) for at, part in enumerate(self.parts))

    def melds(self) -> Laying:
        """Fill the other slots; return the melds and the cards drawn."""
        for at, step, slot in self._slots():
            if self.left and self.cards[at][step] is None:
                rank = CELL_CARDS[slot.cells[0]].rank
                # A card of a wild rank is a wild: those are drawn last, of whatever suit is left.
                if rank not in self.free:
                    self._draw(at, step)
        wilds = self._wilds()
        melds = []
        for part, cards in zip(self.parts, self.cards, strict=True):
            melds.append(_meld(part, [card or next(wilds) for card in cards]))
        return tuple(melds), sort_hand(self.drawn.elements())

    def _slots(self) -> list[tuple[int, int, MeldSlot]]:
        """List all slots; those of one suit come before those that any suit fills."""
        slots = [
            (at, step, slot)
            for at, part in enumerate(self.parts)
            for step, slot in enumerate(part.slots)
        ]
        # A run of any suits that was filled first took the only card of a set of different suits.
        return sorted(slots, key=lambda one: len(one[2].cells))

    def _draw_for(self, part: Part, at: int) -> bool:
        cards = self.cards[at]
        while short := part.short(cards):
            for step, card in enumerate(cards):
                if card is None:
                    filled = [*cards[:step], _ANY_CARD, *cards[step + 1 :]]
                    if part.short(filled) < short and self._draw(at, step):
                        break
            else:
                return False
        return True

    def _draw(self, at: int, step: int) -> bool:
        """Draw a card for a slot, if one is unseen: rather one that no run still waits for."""
        wanted = {
            slot.cells[0]
            for other, here, slot in self._slots()
            if len(slot.cells) == 1 and self.cards[other][here] is None
        }
        cells = self.parts[at].slots[step].cells
        for cell in sorted(cells, key=lambda cell: cell in wanted):
            card = CELL_CARDS[cell]
            if self.unseen[card] > self.drawn[card]:
                self.drawn[card] += 1
                self.cards[at][step] = card
                self.left -= 1
                return True
        return False

    def _wilds(self) -> Iterator[Card]:
        """Yield wilds held, in the order of the hand, then wilds drawn."""
        for card in self.hand:
            if card.rank in self.free and self.rest[card]:
                self.rest[card] -= 1
                yield card
        for card in wild_cards(self.free):
            while self.left and self.unseen[card] > self.drawn[card]:
                self.drawn[card] += 1
                self.left -= 1
                yield card


# Asked of it is only that a natural card lies in a slot, never which.
_ANY_CARD = CELL_CARDS[1]


def _meld(part: Part, cards: list[Card]) -> Meld:
    """Say what each card stands for; in a set natural cards come first."""
    ranks = [CELL_CARDS[slot.cells[0]].rank for slot in part.slots]
    if part.kind == "set":
        cards.sort(key=lambda card: card.rank != ranks[0])
    if part.suit != ANY_SUIT:
        means = [Card(rank, SUITS[part.suit]) for rank in ranks]
    else:
        means = [
            card if card.rank == rank else Card(rank)
            for card, rank in zip(cards, ranks, strict=True)
        ]
    return Meld(part.kind, tuple(cards), tuple(means))
