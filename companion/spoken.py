"""Cards in words, as a phone's dictation writes them: "two kings, seven of hearts and a joker".

What stands in the notation of `cards` is read as there, so that both may be mixed. Words that could
mean two things are asked back, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from .cards import MOST_CARDS, SUITS, Card, Hand, NotationError, Rank, Suit, read_each, read_hand

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
"""How a small number is said."""

_NAMES = {rank: NUMBERS[rank] if rank.word.isdigit() else rank.word for rank in Rank}
_PLURALS = {rank: name + ("es" if name == "six" else "s") for rank, name in _NAMES.items()}
_ONE = {name: rank for rank, name in _NAMES.items()} | {
    "deuce": Rank.TWO,
    "trey": Rank.THREE,
    "knave": Rank.JACK,
}
_MANY = {name: rank for rank, name in _PLURALS.items()} | {
    "deuces": Rank.TWO,
    "treys": Rank.THREE,
    "knaves": Rank.JACK,
}
RANK_WORDS = _ONE | _MANY
"""How a rank is said, one card of it or several: ace, aces, deuce, jokers."""

_SUITS = {name: suit for suit in SUITS for name in (suit.word, suit.word[:-1])}
_COLOURS = {suit.word: suit for suit in (Suit.RED, Suit.BLACK)}
_COUNTS = {word: number for number, word in enumerate(NUMBERS) if number} | dict.fromkeys(
    ("both", "pair", "a pair", "couple", "a couple"), 2
)
_FILLERS = frozenset(
    [
        "and",
        "then",
        "plus",
        "also",
        "the",
        "with",
        "i",
        "have",
        "got",
        "ive",
        "still",
        "please",
        "my",
        "hand",
        "is",
    ]
)
_MISHEARD = {
    "ase": "ace",
    "ases": "aces",
    "duece": "deuce",
    "dueces": "deuces",
    "tray": "trey",
    "sicks": "six",
    "nein": "nine",
    "jak": "jack",
    "jaks": "jacks",
    "quin": "queen",
    "quinn": "queen",
    "quins": "queens",
    "quinns": "queens",
    "jocker": "joker",
    "jockers": "jokers",
    "choker": "joker",
    "chokers": "jokers",
    "poker": "joker",
    "off": "of",
    "ov": "of",
    "dimond": "diamond",
    "dimonds": "diamonds",
    "diamons": "diamonds",
    "hart": "heart",
    "harts": "hearts",
    "hards": "hearts",
    "hurts": "hearts",
    "hertz": "hearts",
    "clups": "clubs",
    "clubbs": "clubs",
    "spayed": "spade",
    "spaids": "spades",
    "spates": "spades",
    "read": "red",
}
"""What dictation and quick fingers make of words, where it is no other word of a hand."""

_SOUNDS_LIKE = {
    "to": "two",
    "too": "two",
    "tree": "three",
    "free": "three",
    "for": "four",
    "fore": "four",
    "sex": "six",
    "ate": "eight",
    "mine": "nine",
    "tin": "ten",
}
"""Common words that are numbers only before a plural, or before "of" and a suit."""


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_A_SUIT = f"(?:{_any_of(_SUITS)})"
_COLOUR = rf"(?:(?P<colour>{_any_of(_COLOURS)}) )?"
_OF_SUITS = rf"(?: (?:of )?(?P<suits>{_A_SUIT}(?: (?:and )?{_A_SUIT})*))?(?!\S)"
_COUNT = rf"(?P<count>{_any_of({*_COUNTS, *_SOUNDS_LIKE})}|\d+)(?: of)?(?: the)? "
_SEVERAL = re.compile(rf"(?:{_COUNT})?{_COLOUR}(?P<rank>{_any_of(_MANY)}|\d+'s){_OF_SUITS}")
_SINGLE = re.compile(rf"(?:(?:a|an|one|1) )?{_COLOUR}(?P<rank>{_any_of(_ONE)}){_OF_SUITS}")
_DIGITS = re.compile(rf"(?:(?P<article>an?|one) )?{_COLOUR}(?P<rank>10|[2-9]){_OF_SUITS}")
_LIKE = re.compile(rf"(?P<rank>{_any_of(_SOUNDS_LIKE)})(?= of {_A_SUIT}\b){_OF_SUITS}")
_TYPED = re.compile(r"(?P<typed>a (?!and\b)\S+|\S+)")

# The notation has `joker` too: that word alone does not make a hand a spoken one.
_SPOKEN = {*_ONE, *_MANY, *_SUITS, *_COLOURS, *_COUNTS, *_FILLERS, "an", "of"} - {"joker"}
_SEPARATORS = re.compile(
    r"[\s,;]+|[.!?:]+(?=\s|$)|(?<=[a-z][a-z])-(?=\w)|(?<=\w)-(?=[a-z][a-z])", re.IGNORECASE
)


def hear_hand(text: str) -> Hand:
    """Read a hand in words, in the notation of `read_hand`, or in both.

    >>> from companion.cards import write_hand
    >>> write_hand(hear_hand("Two kings, a joker, 7 of hearts and 10S"))
    'K K X 7H 10S'

    Raises `NotationError` as `read_hand` does, and where words could mean two things.
    """
    words = [_plain(word) for word in _SEPARATORS.split(text) if word]
    if not _SPOKEN.intersection(words) and not any("'" in word for word in words):
        if len(words) > 2 and ("a", "joker") in pairwise(words):
            raise NotationError(_could_be("a joker", "an ace and a joker", "one joker"))
        return (
            (Card(Rank.JOKER),) if words == ["a", "joker"] else read_hand(" ".join(words) or text)
        )
    return read_each(_items(" ".join(words)), _cards_of)


def _plain(word: str) -> str:
    """Return a word as the tables have it: small, mended, `King's` without its apostrophe."""
    # A capital makes it a spade; 7s could be several sevens as well and is asked back.
    if re.fullmatch(r"\d+S", word):
        return word
    plain = word.lower().replace("\u2019", "'").replace("\ufe0e", "").replace("\ufe0f", "")
    # 7's are sevens: without the apostrophe they would be a spade.
    if not plain[:1].isdigit():
        plain = plain.replace("'", "")
    return _MISHEARD.get(plain, plain)


def _items(said: str) -> Iterator[re.Match[str]]:
    """Cut what was said into items: cards in words, or one word that is typed."""
    at = 0
    while at < len(said):
        matches = (
            pattern.match(said, at) for pattern in (_SEVERAL, _SINGLE, _DIGITS, _LIKE, _TYPED)
        )
        found = next(match for match in matches if match)
        at = found.end() + 1
        if found[0] not in _FILLERS:
            yield found


def _cards_of(found: re.Match[str]) -> Hand:
    """Return the cards of one item."""
    said = found.groupdict("")
    if word := said.get("typed"):
        return _typed(word)
    rank, suits = said["rank"], [_SUITS[s] for s in said["suits"].split() if s in _SUITS]
    if said.get("article") == "a" and not suits and not said.get("colour"):
        return _typed(found[0])
    if colour := _COLOURS.get(said.get("colour", "")):
        if any(suit.is_red != colour.is_red for suit in suits):
            raise NotationError(f"\u201c{found[0]}\u201d is red and black at once.")
        suits = suits or [colour]
    if suits and _rank_of(rank) is Rank.JOKER:
        raise NotationError("A joker has no suit.")
    kinds = [Card(_rank_of(rank), suit) for suit in suits or (None,)]
    return tuple(kinds * _times(found, len(kinds)))


def _times(found: re.Match[str], kinds: int) -> int:
    """Return how often each card named is meant: kings of hearts and spades are one of each."""
    if found.re is not _SEVERAL or (not found["count"] and kinds > 1):
        return 1
    if not found["count"]:
        raise NotationError(f"How many {found['rank']}? Say such as two {found['rank']}.")
    count = _SOUNDS_LIKE.get(found["count"], found["count"])
    # int() fails with another error for a number of thousands of digits.
    number = _COUNTS[count] if count in _COUNTS else int(count[:4])
    if not 1 <= number <= MOST_CARDS or (kinds > 1 and number != kinds):
        raise NotationError(f"\u201c{found[0]}\u201d cannot be: how many of each?")
    return number if kinds == 1 else 1


def _rank_of(name: str) -> Rank:
    named = RANK_WORDS.get(_SOUNDS_LIKE.get(name, name))
    return read_hand(name.removesuffix("'s"))[0].rank if named is None else named


def _typed(word: str) -> Hand:
    """Read a word in notation, unless beside words it could be something else."""
    if word.startswith("a "):
        raise NotationError(_could_be(word, f"an ace and {word[2:]}", f"just {word[2:]}"))
    if re.fullmatch(r"\d+s", word):
        raise NotationError(_could_be(word, "several cards", "a card of spades"))
    return read_hand(word)


def _could_be(words: str, *meanings: str) -> str:
    return f"\u201c{words}\u201d could be {' or '.join(meanings)}: say which."
