"""Tables of what may be laid: what it lacks and takes, and beside it the cards that help.

What may be laid of a suit, or of a rank, is a table. Its *code* numbers the melds laid there. For
each code it holds keys, and by key the cards wanted. A key is one number made of fields, so that
two tables are joined by adding their keys:

* bits 0 to 7: natural cards that the melds are *short* of, by the limits on wilds,
* from `EMPTY` on: slots *empty*, in which no card lies that is never wild,
* from `BEYOND` on: slots that no such card of the pack can fill,
* from `SIZE` on: cards laid in all, where the whole hand must be melded,
* from `TAKEN` on, four bits a rank: the cards that runs take of ranks that could be sets,
* from `ASKED` on, four bits a rank: slots of runs for cards of a rank of which the pack has few.

The value has as bits the cells that would fill an empty slot, and from `SHORT` on those that
would make one natural card fewer missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from operator import add
from typing import NamedTuple

from .budget import check

FIELD = 255
EMPTY, BEYOND, SIZE, TAKEN, ASKED = 8, 16, 24, 32, 96
SHORT = 64
_LOW = (1 << SHORT) - 1
NEVER = 99
"""More than any hand may lack."""

Keys = dict[int, int]
Table = dict[int, Keys]
"""By code: by key, the cards wanted."""


class Codes(NamedTuple):
    """Ways to have no more than so many melds of each kind: the last one has all of them.

    A code is an index of `many`; what is left of all has the index counted from the end. `splits`
    are pairs of codes and their sum; `following` tells by code and kind what one meld more makes
    of it, -1 where that is too many.
    """

    many: tuple[tuple[int, ...], ...]
    splits: tuple[tuple[int, int, int], ...]
    following: tuple[tuple[int, ...], ...]

    @property
    def last(self) -> int:
        """The code of all melds."""
        return len(self.many) - 1


def codes_of(counts: Sequence[int]) -> Codes:
    """Return numbers for the ways to have no more than so many melds of each kind.

    >>> codes_of([2]).many, codes_of([1]).splits
    (((0,), (1,), (2,)), ((0, 0, 0), (0, 1, 1), (1, 0, 1)))
    """
    codes = tuple(product(*[range(count + 1) for count in counts]))
    number = {many: at for at, many in enumerate(codes)}
    pairs = ((one, two, tuple(map(add, one, two))) for one in codes for two in codes)
    following = tuple(
        tuple(
            number.get((*many[:kind], many[kind] + 1, *many[kind + 1 :]), -1)
            for kind in range(len(counts))
        )
        for many in codes
    )
    return Codes(
        codes,
        tuple(
            (number[one], number[two], number[both]) for one, two, both in pairs if both in number
        ),
        following,
    )


class Most(NamedTuple):
    """How much may be lacking at most: by code empty slots and natural cards; slots `beyond`.

    Where `beyond` is -1 the pack has enough of every card.
    """

    empty: tuple[int, ...]
    short: tuple[int, ...]
    beyond: int


def joined(some: Table, others: Table, codes: Codes, most: Most) -> Table:
    """Add two tables."""
    found: Table = {}
    for code, other, both in codes.splits:
        own, more = some.get(code), others.get(other)
        if own and more and most.empty[both] >= 0 and most.short[both] >= 0:
            check()
            _add(found.setdefault(both, {}), own, more, both, most)
    return {code: undominated(keys) for code, keys in found.items()}


def _add(found: Keys, own: Keys, others: Keys, code: int, most: Most) -> None:
    """Add every key to every other, and unite the cards wanted of what ties."""
    most_empty, most_short, most_beyond = most.empty[code], most.short[code], most.beyond
    for key, value in own.items():
        for more, wanted in others.items():
            both = key + more
            if both >> EMPTY & FIELD > most_empty or both & FIELD > most_short:
                continue
            if most_beyond >= 0 and both >> BEYOND & FIELD > most_beyond:
                continue
            found[both] = found.get(both, 0) | value | wanted


def undominated(found: Keys) -> Keys:
    """Leave out what lacks more than others like it and names no card that they do not."""
    if len(found) < 4:
        return found
    alike: dict[int, list[tuple[int, int]]] = {}
    kept = {}
    for key in sorted(found, key=lambda key: key & 0xFFFF):  # those that lack least come first
        value, short = found[key], key & FIELD
        others = alike.setdefault(key >> BEYOND, [])
        any_ = same = 0
        for other, wanted in others:
            if other < short:
                any_ |= wanted & _LOW
            elif other == short:
                same |= wanted
        # One with less to spare is of use only if it wants both a card for an empty slot that
        # none with more to spare wants, and any card that none as short wants.
        if not others or (value & _LOW & ~any_ and value & ~(same | any_)):
            kept[key] = value
            others.append((short, value))
    return kept
