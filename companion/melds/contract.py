"""Whether a hand holds a contract, how far it is from it, and which cards help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import NamedTuple

from companion.cards import Card, Hand, Pack, Rank, sort_hand

from .judgement import Judgement
from .meld import Contract, MeldRules, MeldSpec
from .places import CELLS, MOST_CARDS, sort_out, suit_index, wild_cards
from .quick.quick_contract import quick_judge
from .targets.alike_runs import SuitsApart
from .targets.drawing import lay_out_nearest, unseen_copies
from .targets.filling import Cell, Holding, cell_of
from .targets.helping import helping_cells
from .targets.target_search import NearestTarget, Search


def judge_contract(hand: Hand, contract: Contract, meld_rules: MeldRules, pack: Pack) -> Judgement:
    """Judge how near a hand is to a contract; cards beyond it may stay in hand.

    >>> from companion.cards import read_hand, write_hand
    >>> contract = Contract(melds=(MeldSpec(kind="set", size=3), MeldSpec(kind="run", size=4)))
    >>> hand = read_hand("7H 7S 7D 3C 4C 6C KD")
    >>> judgement = judge_contract(hand, contract, MeldRules(), Pack(2, 2))
    >>> judgement.missing, write_hand(judgement.helping), judgement.helping[Card(Rank.JOKER)]
    (1, '5C X', 2)

    Raises `Refusal` for more than 20 cards, an untold suit, or a joker where there is none.
    """
    return _judge(hand, _Asked(contract, meld_rules, pack, hand))


def free_cards(hand: Hand, contract: Contract, meld_rules: MeldRules, pack: Pack) -> Hand:
    """Name the cards of which one can be discarded without moving away from the contract.

    Where all cards must be melded a discard may bring the hand nearer: then only those are free.
    """
    found = judge_contract(hand, contract, meld_rules, pack)
    asked = _Asked(contract, meld_rules, pack, hand)
    held = Counter(hand)
    if found.missing is None:
        return sort_hand(held)
    if contract.all_cards:
        for missing in (found.missing - 1, found.missing):
            free = [card for card in held if _is_as_near(hand, card, asked, missing)]
            if free:
                return sort_hand(free)
        return ()
    # A card that the nearest layout does without is free; of every other one it must be asked.
    used = Counter(card for meld in found.layout for card in meld.cards)
    used.subtract(found.draw)
    return sort_hand(
        card
        for card in held
        if held[card] > used[card] or _is_as_near(hand, card, asked, found.missing)
    )


class _Asked(NamedTuple):
    """What is asked of a hand, under which rules, and the cards that cannot be drawn."""

    contract: Contract
    meld_rules: MeldRules
    pack: Pack
    seen: Hand


class _Nearest(NamedTuple):
    """The nearest target of one way to meet a contract, and the search that knows what helps."""

    finding: NearestTarget
    search: Search


def _judge(hand: Hand, asked: _Asked) -> Judgement:
    """Judge a hand, by the full search where no quicker one will do."""
    contract, meld_rules, pack, seen = asked
    quick = quick_judge(contract, meld_rules)
    if quick and (answer := quick.judge(hand, pack, seen)):
        return answer
    naturals, wilds = sort_out(hand, meld_rules)
    holding = _holding(naturals, wilds, asked)
    found = _nearest(hand, holding, asked, MOST_CARDS)
    if not found:
        return Judgement(False, None, {}, lambda: ((), ()))
    whole = len(hand) if contract.all_cards else 0
    nearest = min(found, key=lambda way: _distance(way.finding, whole))
    missing = nearest.finding.missing
    as_near = [other for other in found if other.finding.missing == missing]
    laying = lay_out_nearest(nearest.finding, holding, hand, wilds, meld_rules, pack, seen)
    holds = missing == 0 and sum(len(meld.cards) for meld in laying[0]) >= whole
    helping = _helping(as_near, meld_rules, pack, seen) if missing else {}
    return Judgement(holds, missing, helping, lambda: laying)


def _is_as_near(hand: Hand, card: Card, asked: _Asked, missing: int) -> bool:
    """Return whether a hand without one of its cards misses no more than so many."""
    contract, meld_rules, pack, seen = asked
    at = hand.index(card)
    rest = hand[:at] + hand[at + 1 :]
    quick = quick_judge(contract, meld_rules)
    if quick and (answer := quick.judge(rest, pack, seen)):
        return answer.missing is not None and answer.missing <= missing
    holding = _holding(*sort_out(rest, meld_rules), asked)
    return any(
        Search(melds, meld_rules, holding).is_within(missing)
        for melds in _ways(contract, len(rest), meld_rules)
    )


def _nearest(hand: Hand, holding: Holding, asked: _Asked, most: int) -> list[_Nearest]:
    """Find the nearest targets of the ways to meet a contract that miss at most so many cards."""
    found: list[_Nearest] = []
    whole = len(hand) if asked.contract.all_cards else None
    for melds in _ways(asked.contract, len(hand), asked.meld_rules):
        nearest = _search(melds, asked.meld_rules, holding, whole, most)
        if nearest:
            found.append(nearest)
            most = min(most, nearest.finding.missing)
    return found


def _search(
    melds: tuple[MeldSpec, ...],
    meld_rules: MeldRules,
    holding: Holding,
    whole: int | None,
    most: int,
) -> _Nearest | None:
    """Search the nearest targets; of those held, one that melds the most comes first."""
    search = Search(melds, meld_rules, holding)
    finding = search.nearest(most)
    if finding and whole is not None and not finding.missing:
        sizes = range(whole, _size(finding), -1)
        larger = (Search(melds, meld_rules, holding, size).nearest(0) for size in sizes)
        finding = next(filter(None, larger), finding)
    return _Nearest(finding, search) if finding else None


def _size(finding: NearestTarget) -> int:
    return sum(filled.choice.size for filled in finding.target)


def _distance(finding: NearestTarget, whole: int) -> tuple[int, int, int]:
    """Return the cards missing, those of a whole hand that lie over, and the wilds needed."""
    return finding.missing, max(0, whole - _size(finding)), finding.empty


def _holding(naturals: list[Card], wilds: list[Card], asked: _Asked) -> Holding:
    """Return what is held and what can be drawn."""
    contract, meld_rules, pack, seen = asked
    limited = meld_rules.limits_wilds or any(spec.wilds is not None for spec in contract.specs)
    bound = frozenset(int(rank) for rank in meld_rules.bound_ranks)
    held, rest = [0] * 64, _rest_of_pack(pack, seen)
    # Under limits it matters that a wild may lie in its own place, as a natural card.
    own = [card for card in wilds if card in CELLS] if limited else []
    for card in naturals + own:
        cell = CELLS.get(card)
        if cell is None:
            cell = 16 * suit_index(card) + card.rank
        held[cell_of(cell >> 4, card.rank, bound) if bound else cell] += 1
    # Without limits a wild drawn for its own place is no other than one that stands for it.
    barred = frozenset() if limited else meld_rules.free_ranks
    unseen = [0] * 64
    for cell in CELLS.values():
        if cell & 15 not in barred:
            unseen[cell_of(cell >> 4, cell & 15, bound)] += rest[cell]
    wild = [unseen_copies(card, pack, seen) for card in wild_cards(meld_rules.free_ranks)]
    return Holding(held, unseen, len(wilds), sum(wild), limited)


def _rest_of_pack(pack: Pack, seen: Hand) -> list[int]:
    """Return how many of each natural card are unseen."""
    rest = [pack.decks] * 64
    for card in seen:
        cell = CELLS.get(card)
        if cell is not None and rest[cell]:
            rest[cell] -= 1
    return rest


def _ways(
    contract: Contract, hand_size: int, meld_rules: MeldRules
) -> Iterator[tuple[MeldSpec, ...]]:
    """List the melds that meet the contract, enlarged where all cards must be melded."""
    for way in dict.fromkeys((contract.melds, *contract.or_melds)):
        over = hand_size - sum(meld.size for meld in way) if contract.all_cards else 0
        open_ended = [step for step, meld in enumerate(way) if not meld.is_exact(meld_rules)]
        if over <= 0 or not open_ended:
            yield way
            continue
        enlarged = [
            tuple(
                replace(meld, size=meld.size + steps.count(step)) for step, meld in enumerate(way)
            )
            for steps in combinations_with_replacement(open_ended, over)
        ]
        yield from {frozenset(Counter(melds).items()): melds for melds in enlarged}.values()


def _helping(
    found: list[_Nearest], meld_rules: MeldRules, pack: Pack, seen: Hand
) -> dict[Card, int]:
    """Name the cards that help, in the order of a hand, with the copies unseen of each."""
    cells: set[Cell] = set()
    wilds: set[Card] = set()
    unseen_wilds = [
        card for card in wild_cards(meld_rules.free_ranks) if unseen_copies(card, pack, seen)
    ]
    for finding, search in found:
        if search.choices.may_be_apart():
            apart = SuitsApart(search, finding.missing)
            cells |= apart.cells
            wilds |= set(unseen_wilds) if apart.wild_helps else set()
        else:
            cells |= finding.cells
            wilds |= _wilds_that_help(search, finding.missing, unseen_wilds)
            cells |= helping_cells(search, finding.missing, cells)
    bound = frozenset(int(rank) for rank in meld_rules.bound_ranks)
    rest = _rest_of_pack(pack, seen)
    helping = {
        card: rest[cell]
        for card, cell in CELLS.items()
        if (cell_of(cell >> 4, cell & 15, bound) if bound else cell) in cells or card in wilds
    }
    helping = {card: copies for card, copies in helping.items() if copies}
    joker = Card(Rank.JOKER)
    return helping | {joker: unseen_copies(joker, pack, seen)} if joker in wilds else helping


def _wilds_that_help(search: Search, missing: int, unseen: list[Card]) -> set[Card]:
    """Name the wilds of which one brings a hand nearer as a wild.

    Under limits the last of its kind may be wanted in its own place: each is looked at by itself.
    """
    if not search.wild_helps(missing):
        return set()
    if not search.holding.limited:
        return set(unseen)
    return {card for card in unseen if search.drawn_wild_helps(CELLS.get(card), missing)}
