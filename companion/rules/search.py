"""Answers at the table: which rules of a game a question is about, however it is asked.

Rules and questions are put into the same ideas: `synonyms.toml` names what players say for each,
endings are cut, and a misspelt word is read as one that the game knows. SQLite's FTS5, in memory,
finds the rules that speak of an idea; the fewer they are, the more it counts. What a rule is
called, and the words it can be looked up by, are phrases: the more of one a question says, the
better the rule fits.
"""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache, lru_cache
from math import log
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

import msgspec

from .book import Book, RuleEntry, stored_book
from .variant import Variant

FILE = Path(__file__).parent.parent / "variants" / "synonyms.toml"
LONGEST = 200
MOST_WORDS = 24
LONGEST_WORD = 20
SILENT = frozenset(
    re.findall(
        r"\w+",
        """a about again all allowed already also am an and another any anybody anyone are as at be
    been being but by can cant card cards could did didnt do does doesnt doing done dont else
    for from game get gets getting give go goes going got guy had happen happens has have having he
    her here him his how i if ill im in into is isnt it its ive just let like ll make makes may me
    mean must my need no not now of off oh ok on one only oops or other our ours out over own play
    played player players playing plays please put really right rule rules said say says she should
    so some somebody someone still than that thats the their them then theres there these they
    theyre thing things this those to too up us use used want wants was we well were weve what whats
    when where which while who whos why will with would yes yet you your yours""",
    )
)
"""Words that say little about which rule is meant; they still take part in sayings."""

DEFINED, TITLE, LOOKED_UP, TEXT = 1.4, 1.0, 0.85, 0.4
"""How much an idea counts in a word explained, a title, the search words and the text of a rule."""

PHRASE = 2.0
"""How much a phrase that is wholly said adds to the ideas in it."""

SECTIONS = {"questions": 1.1, "sources": 0.6, "origins": 0.7, "words": 0.8}
LEAST_SHARE = 0.3
"""The least part of what a question asks that a rule must speak of to be an answer."""

NUMBER = 0.5
"""How much a number counts, beside a word as rare."""

UNKNOWN = 0.6
"""How rare a word counts that no rule knows, beside the rarest one known."""

_WORD = re.compile(r"[a-z0-9]+")
_CARDS = re.compile(r"\[[^\]]*\]")
_IN_ORDER = re.compile(r"\b(?:a ?)?(?:[2-9]|10)(?:,? ?(?:[2-9]|10|[jqk]\b)){2,}")
_ENDING = re.compile(r"(?<=[aeiouy])([^aeiouy]*)(?:ing|ed)$")

Ideas = tuple[str, ...]
"""What one saying may mean: mostly one idea, sometimes several."""


class Answer(NamedTuple):
    """A rule that may answer a question, and how well it fits."""

    entry: RuleEntry
    score: float


def ask(variant: Variant, question: str, most: int = 5) -> list[Answer]:
    """Find the rules of a game that answer a question, the best first; none for nonsense.

    Never raises, whatever was typed.
    """
    return _index(msgspec.json.encode(variant)).ask(question, most)


def ideas(words: list[str]) -> list[Ideas]:
    """Put words into the ideas under which the rules are searched, in their order.

    >>> ideas(["may", "i", "lay", "off", "on", "those", "runs"])
    [('buy',), ('layoff',), ('run',)]
    """
    sayings, longest = _sayings()
    stems = [*map(_stem, words)]
    found, here = [], 0
    while here < len(stems):
        for size in range(longest, 0, -1):
            if meant := sayings.get(" ".join(stems[here : here + size])):
                found.append(meant)
                here += min(size, len(stems) - here)
                break
        else:
            if words[here] not in SILENT:
                found.append((stems[here],))
            here += 1
    return found


@cache
def _sayings() -> tuple[dict[str, Ideas], int]:
    """Give what each saying means, and of how many words the longest is."""
    meant: dict[str, Ideas] = {}
    for idea, sayings in tomllib.loads(FILE.read_text(encoding="utf-8")).items():
        for saying in sayings:
            key = " ".join(map(_stem, saying.split()))
            meant[key] = tuple(dict.fromkeys((*meant.get(key, ()), idea)))
    return meant, max(saying.count(" ") + 1 for saying in meant)


def _words(text: str) -> list[str]:
    """Split a text into its words, without drawn cards and apostrophes.

    Ranks in a row, as people write their cards, are a sequence.

    >>> _words("It isn't a run: [4C 5C 6C]."), _words("4567 of hearts")
    (['it', 'isnt', 'a', 'run'], ['sequence', 'of', 'hearts'])
    """
    text = re.sub("['’]", "", _CARDS.sub(" ", text.lower()))
    return _WORD.findall(_IN_ORDER.sub(" sequence ", text))


@cache
def _stem(word: str) -> str:
    """Cut the ending of a word.

    >>> [_stem(word) for word in ("trades", "trading", "swapped", "king", "sixes", "bonus")]
    ['trad', 'trad', 'swap', 'king', 'six', 'bonus']
    """
    if len(word) > 3:
        word = re.sub(r"(?<=x|h)es$|(?<![su])s$", "", word)
        word = re.sub(r"ie$", "y", word) if len(word) > 4 else word
        word = _ENDING.sub(r"\1", word) if len(word) > 4 else word
        word = re.sub(r"([^aeiou])\1$", r"\1", word)
        word = re.sub(r"(?<=...)e$", "", word)
    return word


class _Phrase(NamedTuple):
    """What a rule can be looked up by."""

    rule: str
    said: frozenset[str]
    weight: float


class _Index:
    """The rules of one game, ready to be asked; it only remembers what was found."""

    def __init__(self, book: Book) -> None:
        self._entries = {entry.id: entry for entry in book.entries}
        self._weights: dict[str, dict[str, float]] = {}
        self._indexed = _empty_table()
        self._phrases: list[_Phrase] = []
        self._known: Counter[str] = Counter([*_said_words(), *SILENT])
        for rule, text, weight in _fields(book):
            words = _words(text)
            self._known.update(words)
            said = frozenset(idea for meant in ideas(words) for idea in meant)
            self._indexed.execute(
                "INSERT INTO said (rule, weight, ideas) VALUES (?, ?, ?)",
                (rule, weight, " ".join(said)),
            )
            if weight > TEXT and said:
                self._phrases.append(_Phrase(rule, said, weight))
        self._stems = frozenset(map(_stem, self._known))
        self._like: dict[str, list[str]] = {}
        for word in self._known:
            self._like.setdefault(word[:2], []).append(word)
        self._rarest = log(1 + len(self._entries))

    def ask(self, question: str, most: int) -> list[Answer]:
        typed = _words(question[:LONGEST])[:MOST_WORDS]
        words = [*map(self._read, typed)]
        strange = sum(not self._knows(word) for word in words)
        if strange > sum(self._knows(word) and word not in SILENT for word in typed):
            return []
        asked = [*dict.fromkeys(ideas(words))]
        total = sum(map(self._weight, asked))
        fits: defaultdict[str, float] = defaultdict(float)
        spoken: defaultdict[str, float] = defaultdict(float)
        for meant in asked:
            for rule, fit in self._speaking(meant).items():
                fits[rule] += self._weight(meant) * fit
                spoken[rule] += self._weight(meant)
        for rule, fit in self._said(frozenset(idea for meant in asked for idea in meant)).items():
            fits[rule] += PHRASE * fit
        answers = [
            Answer(entry, fits[rule] * SECTIONS.get(entry.section, 1.0) * (0.4 + share))
            for rule, entry in self._entries.items()
            if total and (share := spoken[rule] / total) >= LEAST_SHARE
        ]
        return sorted(answers, key=lambda answer: -answer.score)[:most]

    def _speaking(self, meant: Ideas) -> dict[str, float]:
        """Give each rule that speaks of what may be meant, and how plainly."""
        found: dict[str, float] = {}
        for idea in meant:
            for rule, weight in self._rules_with(idea).items():
                found[rule] = max(found.get(rule, 0.0), weight)
        return found

    def _rules_with(self, idea: str) -> dict[str, float]:
        """Find the rules that speak of an idea, each with its plainest way; asked once for each."""
        if idea not in self._weights:
            query = "SELECT rule, max(weight) FROM said WHERE said MATCH ? GROUP BY rule"
            self._weights[idea] = dict(self._indexed.execute(query, (f'ideas : "{idea}"',)))
        return self._weights[idea]

    def _said(self, said: frozenset[str]) -> dict[str, float]:
        """Give each rule the phrase of it that a question says best."""
        best: dict[str, float] = {}
        for phrase in self._phrases:
            if common := phrase.said & said:
                there = sum(self._rarity(idea) for idea in common)
                whole = sum(self._rarity(idea) for idea in phrase.said)
                fit = phrase.weight * there * (there / whole) ** 2
                best[phrase.rule] = max(best.get(phrase.rule, 0.0), fit)
        return best

    def _weight(self, meant: Ideas) -> float:
        return max(map(self._rarity, meant))

    def _rarity(self, idea: str) -> float:
        """Count an idea for more, the fewer rules speak of it."""
        if rules := self._rules_with(idea):
            known = log(1 + len(self._entries) / (0.5 + sum(rules.values())))
            return known * NUMBER if idea.isdigit() else known
        return UNKNOWN * self._rarest

    def _knows(self, word: str) -> bool:
        return word in self._known or _stem(word) in self._stems or word.isdigit()

    def _read(self, word: str) -> str:
        """Read a word that the game does not know as the nearest that it does."""
        if not 4 <= len(word) <= LONGEST_WORD or self._knows(word):
            return word
        near = [other for other in _misspelt(word) if other in self._known]
        if not near and len(word) > 7:
            near = get_close_matches(word, self._like.get(word[:2], ()), n=1, cutoff=0.8)
        return max(near, key=lambda other: (other[0] == word[0], self._known[other]), default=word)


def _empty_table() -> sqlite3.Connection:
    """Make the table of what is said of each rule; SQLite lets all threads share it."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    columns = "rule UNINDEXED, weight UNINDEXED, ideas, tokenize = 'porter ascii'"
    connection.execute(f"CREATE VIRTUAL TABLE said USING fts5({columns})")
    return connection


def _fields(book: Book) -> Iterator[tuple[str, str, float]]:
    """Give what is searched of each rule, and how much it counts."""
    for entry in book.entries:
        yield entry.id, entry.title, TITLE
        yield from ((entry.id, phrase, LOOKED_UP) for phrase in entry.search)
        yield entry.id, entry.text, TEXT
        if entry.section == "words":
            yield entry.id, f"what is a {entry.title}", DEFINED


@cache
def _said_words() -> tuple[str, ...]:
    """List every word of the sayings."""
    groups = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return tuple(word for group in groups.values() for saying in group for word in _words(saying))


def _misspelt(word: str) -> Iterator[str]:
    """Give every word that differs by a letter added, lost, changed or put the wrong way round.

    >>> sorted({"steal", "stale", "stolen"} & {*_misspelt("stael")})
    ['stale', 'steal']
    """
    for i in range(len(word) + 1):
        head, tail = word[:i], word[i:]
        yield from (head + letter + tail for letter in ascii_lowercase)
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in ascii_lowercase)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]


@lru_cache(maxsize=128)
def _index(stored: bytes) -> _Index:
    return _Index(stored_book(stored))
