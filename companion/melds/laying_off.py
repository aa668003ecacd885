"""A hand beside melds that lie on the table: its own melds, and what it lays off (`H-16`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product, repeat
from typing import NamedTuple

from companion.cards import Card, Hand, sort_hand

from .best_melds import best_melds
from .meld import Meld, Melding, MeldRules
from .slots import CARDS, SUIT_INDEX, SUITLESS, windows

Lying = tuple[Meld, ...]


class Beside(NamedTuple):
    """The best of a hand: the melds of its own, the cards laid off, and the melds they lie on."""

    melding: Melding
    laid_off: Hand
    lying: Lying


def best_beside(hand: Hand, lying: Sequence[Meld], meld_rules: MeldRules) -> Beside:
    """Find what leaves the least points of a hand that may add its cards to melds on the table.

    A card added lies at an end of a run or in a set of its rank; those that lie there stay what
    they are. Of ways that leave as little, the one with the fewest cards left, then with the
    fewest laid off is taken.

    >>> from companion.cards import read_hand, write_hand
    >>> from companion.melds import RANK_NAMES
    >>> rules = MeldRules(run_size=3, wilds=("2",), values=dict.fromkeys(RANK_NAMES.values(), 5))
    >>> sevens = best_melds(read_hand("7C 7D 7H"), rules).melds
    >>> beside = best_beside(read_hand("7S KC KD KH 9D"), sevens, rules)
    >>> write_hand(beside.laid_off), beside.melding.points
    ('7S', 5)
    """
    options = [
        Beside(best_melds(_rest(hand, used), meld_rules), used, melds)
        for used, melds in _layings_off(hand, tuple(lying), meld_rules).items()
    ]
    return min(
        options, key=lambda one: (one.melding.points, len(one.melding.loose), len(one.laid_off))
    )


def _rest(hand: Hand, used: Hand) -> Hand:
    return tuple((Counter(hand) - Counter(used)).elements())


def _layings_off(hand: Hand, lying: Lying, meld_rules: MeldRules) -> dict[Hand, Lying]:
    """List the cards that can be laid off together, each with one way for the melds to lie then."""
    layings: dict[Hand, Lying] = {(): ()}
    for meld in lying:
        wider: dict[Hand, Lying] = {}
        for used, melds in layings.items():
            rest = Counter(_rest(hand, used))
            for added, grown in _grown(meld, rest, meld_rules):
                wider.setdefault(sort_hand((*used, *added)), (*melds, grown))
        layings = wider
    return layings


def _grown(meld: Meld, rest: Counter[Card], meld_rules: MeldRules) -> Iterator[tuple[Hand, Meld]]:
    """List what can be added to a meld, nothing first, and the meld with it."""
    grow = _grown_set if meld.kind == "set" else _grown_run
    for added, grown in grow(meld, rest, meld_rules):
        natural = list(map(meld_rules.is_natural, grown.cards, grown.stands_for))
        if not added or meld_rules.may_be_wild(grown.kind, natural):
            yield added, grown


def _grown_set(
    meld: Meld, rest: Counter[Card], meld_rules: MeldRules
) -> Iterator[tuple[Hand, Meld]]:
    rank = next(meant.rank for meant in meld.stands_for)
    fitting = [card for card in rest if card.rank in (rank, *meld_rules.free_ranks)]
    for numbers in product(*(range(rest[card] + 1) for card in fitting)):
        added = tuple(chain.from_iterable(map(repeat, fitting, numbers)))
        meant = tuple(card if card.rank == rank else SUITLESS[rank] for card in added)
        yield added, Meld("set", meld.cards + added, meld.stands_for + meant)


def _grown_run(
    meld: Meld, rest: Counter[Card], meld_rules: MeldRules
) -> Iterator[tuple[Hand, Meld]]:
    """Add cards before a run and after it."""
    suit = next(meant.suit for meant in meld.stands_for)
    of_suit = CARDS[SUIT_INDEX[suit]] if suit else SUITLESS
    ranks = tuple(meant.rank for meant in meld.stands_for)
    held = len(ranks)
    for size in range(held, min(meld_rules.run_max, held + rest.total()) + 1):
        for window in windows(meld_rules.ace, size):
            for at, _ in enumerate(window.ranks):
                if window.ranks[at : at + held] != ranks:
                    continue
                meant = tuple(of_suit[rank] for rank in window.ranks)
                for added in _filled((*meant[:at], *meant[at + held :]), rest, meld_rules):
                    yield added, Meld("run", (*added[:at], *meld.cards, *added[at:]), meant)


def _filled(slots: Sequence[Card], rest: Counter[Card], meld_rules: MeldRules) -> Iterator[Hand]:
    """Fill slots with cards that lie there as themselves, or with wilds."""
    if not slots:
        yield ()
        return
    slot, *others = slots
    for card in rest:
        if rest[card] and (meld_rules.is_natural(card, slot) or card.rank in meld_rules.free_ranks):
            rest[card] -= 1
            for filled in _filled(others, rest, meld_rules):
                yield (card, *filled)
            rest[card] += 1
