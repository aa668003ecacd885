"""What keeps melds, as they are laid, from being the contract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from companion.cards import SUITS, Card, Rank, Suit, write_hand

from .meld import Contract, Kind, MeldRules, MeldSpec, of_table
from .slots import CARDS, SUITLESS, agreement, set_ranks, windows


class Reading(NamedTuple):
    """One thing that laid cards can be: a set of a rank, or a run in a suit from a slot on.

    The suit of a run whose cards are of any suits is -1. It is told which cards are `natural`, and
    of a set whether it is `unlike`, read as one in which no suit is there twice.
    """

    kind: Kind
    rank: int
    suit: int
    start: int
    ranks: frozenset[int]
    natural: tuple[bool, ...]
    unlike: bool = False


Readings = list[Reading]


def is_contract(
    melds: Sequence[Sequence[Card]], contract: Contract, meld_rules: MeldRules
) -> list[str]:
    """Return what keeps these melds from being the contract; nothing, if they are.

    Runs are given in ascending order, so that a wild's slot says what it stands for; the order
    of the melds does not matter.

    >>> from companion.cards import read_hand
    >>> contract = Contract(melds=(MeldSpec(kind="set", size=3),))
    >>> is_contract([read_hand("7H 7S X")], contract, MeldRules())
    []
    >>> is_contract([read_hand("7H 8S X")], contract, MeldRules())
    ['7H 8S X is neither a set nor a run.']
    """
    readings = [_readings(meld, contract, meld_rules) for meld in melds]
    faults = [
        f"{write_hand(meld) or 'No card'} is neither a set nor a run."
        for meld, possible in zip(melds, readings, strict=True)
        if not possible
    ]
    if faults:
        return faults
    limited = [_within_limits(possible, meld_rules) for possible in readings]
    faults = [
        f"{write_hand(meld)} has {_wild_fault(meld_rules, len(meld))}."
        for meld, possible in zip(melds, limited, strict=True)
        if not possible
    ]
    if faults:
        return faults
    alternatives = [
        _faults_as(melds, limited, specs, meld_rules)
        for specs in (contract.melds, *contract.or_melds)
    ]
    return min(alternatives, key=len)


def _readings(meld: Sequence[Card], contract: Contract, meld_rules: MeldRules) -> Readings:
    """Everything that cards can be for a contract, limits on wilds aside."""
    free = meld_rules.free_ranks
    fixed = [card for card in meld if card.rank not in free]
    if not meld or any(card.rank is Rank.JOKER for card in fixed):
        return []
    asks_unlike = any(spec.is_unlike for spec in contract.specs)
    found: Readings = []
    for rank in set_ranks(meld_rules):
        if all(card.rank == rank for card in fixed):
            found.append(_set(rank, tuple(card.rank == rank for card in meld)))
            natural = _unlike(meld, rank, meld_rules) if asks_unlike else None
            if natural:
                found.append(_set(rank, natural)._replace(unlike=True))
    return found + list(_runs(meld, contract, meld_rules))


def _set(rank: int, natural: tuple[bool, ...]) -> Reading:
    return Reading("set", rank, -1, 0, frozenset({rank}), natural)


def _unlike(meld: Sequence[Card], rank: int, meld_rules: MeldRules) -> tuple[bool, ...] | None:
    """Return which cards of a set are natural if no suit may be twice, None if one must."""
    there, natural = set[Suit | None](), []
    # Natural cards first: a wild takes a suit that they leave free. In a set no order counts.
    for card in sorted(meld, key=meld_rules.is_wild):
        is_bound = card.rank in meld_rules.bound_ranks
        natural.append(card.rank == rank and (is_bound or card.suit not in there))
        if not natural[-1] and card.rank not in meld_rules.free_ranks:
            return None
        there |= set() if is_bound else {card.suit}
    return tuple(natural) if len(meld) <= len(SUITS) else None


def _runs(meld: Sequence[Card], contract: Contract, meld_rules: MeldRules) -> Iterator[Reading]:
    if len(meld) > meld_rules.run_max:
        return
    mixed = any(spec.suits == "any" for spec in contract.specs)
    suits = range(-1 if mixed else 0, 4)
    for window, suit in product(windows(meld_rules.ace, len(meld)), suits):
        of_suit = SUITLESS if suit < 0 else CARDS[suit]
        meant = [of_suit[rank] for rank in window.ranks]
        natural = tuple(map(meld_rules.is_natural, meld, meant))
        if all(
            own or card.rank in meld_rules.free_ranks
            for card, own in zip(meld, natural, strict=True)
        ):
            yield Reading("run", 0, suit, window.start, frozenset(window.ranks), natural)


def _within_limits(readings: Readings, meld_rules: MeldRules) -> Readings:
    return [one for one in readings if meld_rules.may_be_wild(one.kind, one.natural)]


_SHARE_FAULTS = {
    "half": "at most half of a meld may be wild",
    "less_than_half": "fewer than half of a meld may be wild",
}


def _wild_fault(meld_rules: MeldRules, size: int) -> str:
    """Say which limits a meld of so many cards has to keep."""
    limits = []
    if (most := meld_rules.max_wilds) is not None:
        limits.append(f"no more than {most} {'wild is' if most == 1 else 'wilds are'} allowed")
    if least := meld_rules.min_naturals:
        limits.append(f"at least {least} natural card{' is' if least == 1 else 's are'} needed")
    if (least := meld_rules.set_naturals) > meld_rules.min_naturals:
        limits.append(f"a set needs at least {least} natural card{'s'[: least != 1]}")
    if meld_rules.wilds_apart:
        limits.append("no two neighbours of a run may be wild")
    if meld_rules.wild_share != "any":
        limits.append(_SHARE_FAULTS[meld_rules.wild_share])
    for most in of_table(meld_rules.wild_table, size):
        limits.append(f"a meld of {size} may have {most} wild")
    return "too many wilds: " + " and ".join(limits)


def _faults_as(
    melds: Sequence[Sequence[Card]],
    readings: list[Readings],
    specs: tuple[MeldSpec, ...],
    meld_rules: MeldRules,
) -> list[str]:
    """Return what keeps melds from being one list of melds that the contract allows."""
    if len(melds) != len(specs):
        return [f"The contract is {len(specs)} melds; these are {len(melds)}."]
    fitting = [
        [[reading for reading in possible if _is_asked(reading, spec)] for spec in specs]
        for possible in readings
    ]
    orders = [
        order
        for order in permutations(range(len(specs)))
        if all(fitting[meld][at] for at, meld in enumerate(order))
    ]
    if not orders:
        return [f"These are not {_words(specs)}."]
    sizes = {order: _size_faults(order, melds, specs, meld_rules) for order in orders}
    for order in orders:
        chosen = [fitting[meld][at] for at, meld in enumerate(order)]
        if not sizes[order] and _agree(
            [len(melds[meld]) for meld in order], chosen, specs, meld_rules
        ):
            return []
    if all(sizes.values()):
        return min(sizes.values(), key=len)
    return [_side_fault(specs, meld_rules)]


def _is_asked(reading: Reading, spec: MeldSpec) -> bool:
    if reading.kind != spec.kind or not reading.ranks <= spec.named_ranks:
        return False
    if spec.wilds is not None and reading.natural.count(False) > spec.wilds:
        return False
    if spec.kind == "set":
        return reading.unlike == spec.is_unlike
    return (reading.suit >= 0) == (spec.suits == "same")


def _size_faults(
    order: Sequence[int],
    melds: Sequence[Sequence[Card]],
    specs: tuple[MeldSpec, ...],
    meld_rules: MeldRules,
) -> list[str]:
    """Return what is wrong with the sizes, runs that could make nine together left aside."""
    faults = []
    for meld, spec in zip(order, specs, strict=True):
        size = len(melds[meld])
        may_connect = (
            spec.kind == "run"
            and spec.suits == "same"
            and meld_rules.same_suit_runs == "adjacent_needs_9"
        )
        exact = spec.is_exact(meld_rules)
        if size < spec.size or (exact and size > spec.size and not may_connect):
            asked = f"{'exactly' if exact else 'at least'} {spec.size}"
            faults.append(f"{write_hand(melds[meld])} has {size} cards: {asked} are asked.")
    return faults


def _agree(
    sizes: Sequence[int],
    readings: Sequence[Readings],
    specs: tuple[MeldSpec, ...],
    meld_rules: MeldRules,
) -> bool:
    """Return whether the melds, in some reading of each, may lie side by side."""
    return any(_lie_together(chosen, sizes, specs, meld_rules) for chosen in product(*readings))


def _lie_together(
    chosen: Sequence[Reading],
    sizes: Sequence[int],
    specs: tuple[MeldSpec, ...],
    meld_rules: MeldRules,
) -> bool:
    ranks = [reading.rank for reading in chosen if reading.kind == "set"]
    if not meld_rules.same_rank_sets and len(set(ranks)) < len(ranks):
        return False
    connected = set()
    placed = [
        (reading.start, size, spec.size, spec.is_exact(meld_rules))
        for reading, size, spec in zip(chosen, sizes, specs, strict=True)
    ]
    for step, reading in enumerate(chosen):
        for before in range(step):
            if reading.kind == "run" and reading.suit == chosen[before].suit >= 0:
                how = agreement(
                    meld_rules.same_suit_runs, meld_rules.ace, placed[before], placed[step]
                )
                if not how:
                    return False
                if how == 2:
                    connected |= {before, step}
    return all(
        size == spec.size or not spec.is_exact(meld_rules) or step in connected
        for step, (size, spec) in enumerate(zip(sizes, specs, strict=True))
    )


_SIDE_FAULTS = {
    "different_suits": "Runs must be of different suits",
    "not_adjacent": "Runs in one suit may not follow one another directly",
    "gap_only": "Runs in one suit need at least one rank between them",
    "adjacent_needs_9": (
        "A run is larger than asked, or two runs in one suit connect without being nine cards"
    ),
    "any": "These melds may not lie side by side",
}


def _side_fault(specs: tuple[MeldSpec, ...], meld_rules: MeldRules) -> str:
    fault = _SIDE_FAULTS[meld_rules.same_suit_runs]
    if sum(spec.kind == "set" for spec in specs) > 1 and not meld_rules.same_rank_sets:
        fault = "Sets must be of different ranks, or: " + fault
    return fault + "."


def _words(specs: tuple[MeldSpec, ...]) -> str:
    """Say what a contract asks: `2 sets of 3 and 1 run of 4`."""
    kinds = Counter((spec.kind, spec.size, spec.ranks, spec.suits, spec.wilds) for spec in specs)
    words = []
    for (kind, size, ranks, suits, wilds), number in kinds.items():
        named = f" ({', '.join(ranks)})" if ranks else ""
        named += _SUIT_WORDS.get(suits, "")
        if wilds is not None:
            named += f" with at most {wilds} wild" if wilds else " without wild cards"
        words.append(f"{number} {kind}{'s' if number > 1 else ''} of {size}{named}")
    return " and ".join(words)


_SUIT_WORDS = {"any": " in any suits", "different": " in different suits"}
