"""Answers at the table: which rules of a game a question is about, however it is asked.

The rules are indexed by SQLite's FTS5, in memory, with stemmed words. Both the rules and the
question are first put into the same words (`synonyms.toml`), and a word that no rule knows is
read as the nearest one that some rule does.
"""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from threading import local
from typing import NamedTuple

import msgspec

from .book import Book, Entry, load_book
from .variant import Variant

FILE = Path(__file__).parent.parent / "variants" / "synonyms.toml"
LONGEST = 200
MOST_WORDS = 24
SILENT = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "anyone",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "done",
        "for",
        "from",
        "get",
        "gets",
        "got",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "him",
        "his",
        "how",
        "i",
        "if",
        "im",
        "in",
        "into",
        "is",
        "isnt",
        "it",
        "its",
        "just",
        "ll",
        "me",
        "my",
        "no",
        "of",
        "off",
        "oh",
        "ok",
        "on",
        "one",
        "or",
        "our",
        "please",
        "she",
        "should",
        "so",
        "some",
        "someone",
        "somebody",
        "than",
        "that",
        "thats",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "too",
        "us",
        "was",
        "we",
        "well",
        "were",
        "what",
        "whats",
        "when",
        "where",
        "which",
        "who",
        "whos",
        "why",
        "will",
        "with",
        "would",
        "yes",
        "you",
        "your",
    ]
)
"""Words that say nothing about which rule is meant."""

WEIGHTS = (3.0, 2.5, 1.0)
"""How much a word in the title, in the search words and in the text of a rule counts."""

SECTIONS = {"questions": 1.15, "sources": 0.55, "origins": 0.7, "words": 0.75}
LEAST_SHARE = 0.3
"""The least part of what a question asks that a rule must speak of to be an answer."""

_WORD = re.compile(r"[a-z0-9]+(?:['’-][a-z0-9]+)*")


class Answer(NamedTuple):
    """A rule that may answer a question, and how well it fits."""

    entry: Entry
    score: float


def ask(variant: Variant, question: str, most: int = 5) -> list[Answer]:
    """Find the rules of a game that answer a question, the best first; none for nonsense.

    Never raises, whatever was typed.
    """
    return _index(variant).ask(question, most)


def in_own_words(text: str) -> str:
    """Put a text into the words under which the rules are searched.

    >>> in_own_words("May I lay off on their runs?")
    'outofturn layoff on their run'
    """
    plain = " ".join(_WORD.findall(text.lower().replace("’", "'")))
    return " ".join(_sayings().sub(lambda found: _own_words()[found[0]], plain).split())


@cache
def _own_words() -> dict[str, str]:
    groups = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {saying: own for own, sayings in groups.items() for saying in sayings}


@cache
def _sayings() -> re.Pattern[str]:
    longest_first = sorted(_own_words(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b")


class _Index:
    """The rules of one game, indexed; one connection for each thread that asks."""

    def __init__(self, book: Book) -> None:
        self._entries = {entry.id: entry for entry in book.entries}
        self._here = local()

    def ask(self, question: str, most: int) -> list[Answer]:
        plain = [word for word in _WORD.findall(question[:LONGEST].lower()) if word]
        corrected = " ".join(map(self._known, plain[:MOST_WORDS]))
        words = dict.fromkeys(in_own_words(corrected).split())
        asked = [word for word in words if word not in SILENT]
        scores: dict[str, float] = {}
        spoken: dict[str, float] = {}
        total = 0.0
        for word in asked:
            found = self._rules_with(word)
            weight = max(found.values(), default=0.0) or 4.0
            total += weight
            for rule, score in found.items():
                scores[rule] = scores.get(rule, 0.0) + score
                spoken[rule] = spoken.get(rule, 0.0) + weight
        answers = [
            Answer(self._entries[rule], self._merit(rule, score) * (0.5 + spoken[rule] / total))
            for rule, score in scores.items()
            if spoken[rule] >= LEAST_SHARE * total
        ]
        return sorted(answers, key=lambda answer: -answer.score)[:most]

    def _merit(self, rule: str, score: float) -> float:
        return score * SECTIONS.get(self._entries[rule].section, 1.0)

    def _rules_with(self, word: str) -> dict[str, float]:
        """Give each rule that speaks of a word, and how much."""
        query = "SELECT id, -bm25(rules, 0, ?, ?, ?) FROM rules WHERE rules MATCH ?"
        rows = self._connection.execute(query, (*WEIGHTS, f'"{word}"'))
        return {rule: max(score, 0.01) for rule, score in rows}

    def _known(self, word: str) -> str:
        """Read a word that no rule knows as the nearest that one does."""
        if len(word) < 4 or word in SILENT or word in self._words or self._rules_with(word):
            return word
        near = [(_distance(word, other), other) for other in self._words if _may_be(word, other)]
        distance, nearest = min(near, default=(9, word))
        return nearest if distance <= (1 if len(word) < 8 else 2) else word

    @property
    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._here, "connection"):
            self._here.connection = _fill(self._entries.values())
        connection: sqlite3.Connection = self._here.connection
        return connection

    @property
    def _words(self) -> frozenset[str]:
        """Every word that the rules or the sayings know."""
        if not hasattr(self._here, "words"):
            texts = [f"{e.title} {e.text} {' '.join(e.search)}" for e in self._entries.values()]
            texts += _own_words()
            words = {word for text in texts for word in _WORD.findall(text.lower())}
            self._here.words = frozenset(word for word in words if len(word) > 2)
        words_known: frozenset[str] = self._here.words
        return words_known


def _fill(entries: Iterable[Entry]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    columns = "id UNINDEXED, title, search, text, tokenize = 'porter unicode61'"
    connection.execute(f"CREATE VIRTUAL TABLE rules USING fts5({columns})")
    connection.executemany(
        "INSERT INTO rules VALUES (?, ?, ?, ?)",
        [
            (e.id, in_own_words(e.title), in_own_words(" . ".join(e.search)), in_own_words(e.text))
            for e in entries
        ],
    )
    return connection


@cache
def _indexed(stored: bytes) -> _Index:
    return _Index(load_book(msgspec.json.decode(stored, type=Variant)))


def _index(variant: Variant) -> _Index:
    return _indexed(msgspec.json.encode(variant))


def _may_be(word: str, other: str) -> bool:
    """Leave out at once what is too long or too short to be meant."""
    return abs(len(word) - len(other)) <= (1 if len(word) < 8 else 2)


def _distance(a: str, b: str) -> int:
    """Count the letters added, lost, changed or exchanged with their neighbour between two words.

    >>> _distance("stael", "steal"), _distance("jokr", "joker"), _distance("meld", "mild")
    (1, 1, 1)
    """
    before, row = [0] * (len(b) + 1), list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        above, row = row, [i] + [0] * len(b)
        for j, other in enumerate(b, start=1):
            row[j] = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                row[j] = min(row[j], before[j - 2] + 1)
        before = above
    return row[-1]
