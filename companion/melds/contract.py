"""Whether a hand holds a contract, how far it is from it, and which cards help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.cards import Card, Hand, Pack, Rank, sort_hand

from .budget import searching
from .contract_search import Search, in_play_without
from .hand import CELL_CARDS, CELLS, RANK_CELLS, held_as
from .key_tables import EMPTY, FIELD, SHORT, Keys
from .layout import Laying, lay_out
from .loose import Aside
from .meld import Contract, Meld, MeldRules
from .meld_plan import plans
from .slots import MOST_CARDS, wild_cards

_JOKER = Card(Rank.JOKER)


@dataclass(eq=False)
class Judgement:
    """Whether a hand holds a contract, and if not, how far it is.

    `missing` is the least number of cards still to be drawn from the rest of the pack, None where
    no draws lead there. `helping` holds every card of which one brings the hand nearer, and how
    many of it can still be unseen. Where the whole hand must be melded at once, a hand that misses
    no card may still have some over: then it does not hold the contract.

    `layout` shows the contract as it then lies, `draw` being the cards drawn for it: laid out when
    it is looked at, for most questions end with the number.
    """

    holds: bool
    missing: int | None
    helping: Mapping[Card, int]
    lay: Callable[[], Laying] = field(repr=False)

    @cached_property
    def _laid(self) -> Laying:
        with searching():
            return self.lay()

    @property
    def layout(self) -> tuple[Meld, ...]:
        """The contract as it lies with the cards drawn."""
        return self._laid[0]

    @property
    def draw(self) -> Hand:
        """The cards to be drawn for the layout."""
        return self._laid[1]


class _Asked(NamedTuple):
    """What is asked of a hand, under which rules, and with which packs."""

    hand: Hand
    contract: Contract
    meld_rules: MeldRules
    pack: Pack
    gone: Card | None = None
    """A card discarded, which cannot be drawn again."""


@searching()
def judge_contract(hand: Hand, contract: Contract, meld_rules: MeldRules, pack: Pack) -> Judgement:
    """Judge how near a hand is to a contract; cards beyond it may stay in hand.

    >>> from companion.cards import read_hand, write_hand
    >>> from companion.melds import MeldSpec
    >>> contract = Contract(melds=(MeldSpec(kind="set", size=3), MeldSpec(kind="run", size=4)))
    >>> hand = read_hand("7H 7S 7D 3C 4C 6C KD")
    >>> judgement = judge_contract(hand, contract, MeldRules(), Pack(2, 2))
    >>> judgement.missing, write_hand(judgement.helping), judgement.helping[Card(Rank.JOKER)]
    (1, '5C X', 2)

    Raises `Refusal` for more than 20 cards, an untold suit, or a joker where there is none.
    """
    return _judged(_Asked(hand, contract, meld_rules, pack))


# One page asks how near a hand is and what is safe to discard: it is judged once for both.
@lru_cache(maxsize=8)
def _judged(asked: _Asked) -> Judgement:
    searches = _searches(asked)
    for missing in range(MOST_CARDS + 1):
        if found := _reached(searches, missing):
            return _judgement(found, asked, missing)
    return Judgement(False, None, {}, lambda: ((), ()))


def _searches(asked: _Asked) -> list[Search]:
    """List the ways to meet a contract: by other melds, and with other suits lent to wilds."""
    hand, contract, rules, pack, gone = asked
    found = []
    in_runs = any(spec.kind == "run" for spec in contract.specs)
    for held in held_as(hand, rules, in_runs):
        for plan, whole in plans(contract, len(hand), rules):
            cards = in_play_without(plan, pack, gone)
            # Families mix packs (`I8`): what is held may lie, though no pack has so many of it.
            if pack.too_many([hand]):
                unseen = Counter(pack.unseen(hand if gone is None else (*hand, gone)))
                wilds = sum(unseen[card] for card in wild_cards(rules.free_ranks))
                cards = cards.beside(held, unseen, held.wilds + wilds)
            found.append(Search(plan, whole, Aside(held, cards)))
    return found


def _reached(searches: Iterable[Search], missing: int) -> list[tuple[Search, Keys]]:
    """Return the searches whose melds lack no more than so many cards, and what they find."""
    near = [
        part for search in searches if search.least <= missing for part in search.parts(missing)
    ]
    found = [(search, search.within(missing)) for search in near if search.least <= missing]
    return [(search, keys) for search, keys in found if keys]


def _judgement(found: list[tuple[Search, Keys]], asked: _Asked, missing: int) -> Judgement:
    hand, contract, rules, pack, _ = asked
    whole = len(hand) if contract.all_cards else 0
    holds = not missing
    if whole and not missing:
        found = _whole(found, whole)
        holds = any(max(search.whole, search.plan.size) >= whole for search, _ in found)
    search = min(found, key=lambda one: min(key >> EMPTY for key in one[1]))[0]
    helping = _helping(found, asked, missing) if missing else {}

    def lay() -> Laying:
        if laying := lay_out(search, missing, hand, rules, pack):
            return laying
        # Runs A234 twice and 2345 want one three each, and two packs have two: to go back over
        # what was drawn for each run was not enough, so a card that helps is drawn first.
        return _lay_with(next(iter(helping)), asked)

    return Judgement(holds, missing, helping, lay)


def _lay_with(card: Card, asked: _Asked) -> Laying:
    """Draw a card that helps, and lay out the hand with it: it lacks one card less."""
    # Of twenty cards this makes one too many, which is refused; 27,000 such hands never came here.
    melds, draw = _judged(asked._replace(hand=(*asked.hand, card))).lay()
    return melds, sort_hand((*draw, card))


def _whole(found: list[tuple[Search, Keys]], whole: int) -> list[tuple[Search, Keys]]:
    """Prefer melds that leave the fewest over: runs that connect may hold more than is asked."""
    for size in range(whole, 0, -1):
        for search, keys in found:
            if max(search.whole, search.plan.size) >= size:
                return [(search, keys)]
            larger = Search(search.plan, size, search.aside)
            if not larger.least and (more := larger.within(0)):
                return [(larger, more)]
    return found


def _helping(found: list[tuple[Search, Keys]], asked: _Asked, missing: int) -> dict[Card, int]:
    """Name the cards that help, in the order of a hand, with the copies unseen of each.

    What is short of as many natural cards as are missing comes nearer by such a card only; what is
    not, by any card for an empty slot, and by any wild.
    """
    hand, _, rules, pack, _ = asked
    cells = 0
    wild_helps = False
    for _, keys in found:
        for key, wanted in keys.items():
            is_short = key & FIELD == missing
            cells |= wanted >> SHORT if is_short else wanted & CELLS
            wild_helps |= not is_short
    # `H-6`: its suit is free, so that it helps in every suit wherever the slot is.
    for rank in rules.bound_ranks:
        cells |= RANK_CELLS[rank] if cells & RANK_CELLS[rank] else 0
    if not rules.natural_wilds:
        for rank in rules.free_ranks - {Rank.JOKER}:
            cells &= ~RANK_CELLS[rank]
    unseen = Counter(pack.unseen(hand))
    wilds = set(wild_cards(rules.free_ranks)) if wild_helps else set()
    helping = [card for cell, card in CELL_CARDS.items() if cells >> cell & 1 or card in wilds]
    if _JOKER in wilds:
        helping.append(_JOKER)
    return {card: unseen[card] for card in helping if unseen[card]}


@searching()
def free_cards(hand: Hand, contract: Contract, meld_rules: MeldRules, pack: Pack) -> Hand:
    """Name the cards of which one can be discarded without moving away from the contract.

    Where all cards must be melded a discard may bring the hand nearer: then only those are free.
    """
    asked = _Asked(hand, contract, meld_rules, pack)
    found = _judged(asked)
    held = Counter(hand)
    if found.missing is None:
        return sort_hand(held)
    if contract.all_cards:
        for missing in (found.missing - 1, found.missing):
            free = [card for card in held if missing >= 0 and _is_as_near(card, asked, missing)]
            if free:
                return sort_hand(free)
        return ()
    # A card that the nearest layout does without is free; of every other one it must be asked.
    used = Counter(card for meld in found.layout for card in meld.cards)
    used.subtract(found.draw)
    return sort_hand(
        card for card in held if held[card] > used[card] or _is_as_near(card, asked, found.missing)
    )


def _is_as_near(card: Card, asked: _Asked, missing: int) -> bool:
    """Return whether a hand without one of its cards, not to be drawn again, misses no more."""
    at = asked.hand.index(card)
    rest = asked._replace(hand=asked.hand[:at] + asked.hand[at + 1 :], gone=card)
    return bool(_reached(_searches(rest), missing))
