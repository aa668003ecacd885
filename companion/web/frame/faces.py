"""How a player is shown: a colour, an initial, and a name short enough for a tab."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import combining

from msgspec import Struct

from companion.store.names import normalised

HUES = 8

KINSHIP = frozenset(
    [
        "grandma",
        "grandpa",
        "granny",
        "grandad",
        "nana",
        "nan",
        "gran",
        "aunt",
        "auntie",
        "uncle",
        "oma",
        "opa",
        "tante",
        "onkel",
    ]
)
"""Words before a name that tell nobody apart at a table of two grandmothers."""
EMOJI = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"  # the two letters of a flag
    "|[\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]"
    "(?:[\ufe0f\U0001f3fb-\U0001f3ff]|\u200d[\u2600-\u27bf\U0001f300-\U0001faff])*"
)
"""One emoji of a name, with its colour of skin and what is joined to it."""
MOST = 200
"""Tables whose faces are kept; a page asks for them more than once."""


class Face(Struct, frozen=True):
    """One player on a page: `hue` is one of the colours of the style sheet, from 1."""

    name: str
    short: str
    initial: str
    hue: int


@lru_cache(MOST)
def faces(names: tuple[str, ...], people: tuple[int, ...]) -> tuple[Face, ...]:
    """Show the players of one table, no two of eight in one colour.

    A person's colour follows from their number, so that it is the same on every page; whose
    colour is taken by a seat before takes the next free one.

    >>> [(face.short, face.initial, face.hue) for face in faces(("Ann Lee", "Ann Moe"), (1, 9))]
    [('Ann L.', 'A', 1), ('Ann M.', 'A', 2)]
    """
    hues: list[int] = []
    for person in people:
        free = [hue for hue in range(1, HUES + 1) if hue not in hues[-HUES + 1 :]]
        wanted = _hue(person)
        hues.append(min(free, key=lambda hue: (hue - wanted) % HUES) if free else wanted)
    shorts = short_names(names)
    return tuple(
        Face(name, short, _mark(name, short), hue)
        for name, short, hue in zip(names, shorts, hues, strict=True)
    )


def face_of(name: str, person: int) -> Face:
    """Show one person by themselves.

    >>> face_of("Élodie", 10)
    Face(name='Élodie', short='Élodie', initial='É', hue=2)
    >>> face_of("Rose 🦊 Lee", 10)
    Face(name='Rose 🦊 Lee', short='Rose', initial='🦊', hue=2)
    """
    (face,) = faces((name,), (person,))
    return face


def _mark(name: str, short: str) -> str:
    """Return what stands in a player's circle: the first emoji of their name, or the initial."""
    emoji = EMOJI.search(name)
    return emoji[0] if emoji else initial(short)


def _hue(person: int) -> int:
    return (person - 1) % HUES + 1


def initial(name: str) -> str:
    r"""Take the first letter of a name with its accents.

    >>> initial("ann"), initial("e\u0301va")
    ('A', 'É')
    """
    whole = normalised("NFC", name)
    marks = 1
    while marks < len(whole) and combining(whole[marks]):
        marks += 1
    return whole[:marks].upper()


def short_names(names: Sequence[str]) -> list[str]:
    """Call each player by their first name, with the initial of the last where two share it.

    >>> short_names(["Grandma Rosemarie", "Ann Lee", "Ann", "Bob", "Grandma"])
    ['Rosemarie', 'Ann L.', 'Ann', 'Bob', 'Grandma']
    >>> short_names(["🦊 Ann", "Ann Lee 👩🏽‍🚀", "🐻"])
    ['Ann', 'Ann L.', '🐻']
    """
    spoken = [EMOJI.sub(" ", name).strip() or name for name in names]
    shared = Counter(map(_first, spoken))
    return [_short(name, is_shared=shared[_first(name)] > 1) for name in spoken]


def _short(name: str, *, is_shared: bool) -> str:
    first, others = _first(name), name.split()[1:]
    return f"{first} {initial(others[-1])}." if others and is_shared else first


def _first(name: str) -> str:
    """Return a name's first word, after what somebody is to the family."""
    first, *others = name.split()
    return others[0] if others and first.casefold() in KINSHIP else first
