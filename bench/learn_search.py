"""Learn which words speak for which subject, and write it down: `make search`, some minutes.

The examples are the ways of asking in `questions`, by several writers, and the open question files
of the tests, never the sealed one. What is learned is one weight for each sign and subject (softmax
regression). Weights that say little are left out. Each example is learned once more with a word in
it that nobody knows, so that no answer hangs by one word. A question that was asked of the search
before it was learned from counts more than a way of asking that was written for it.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from msgspec import json
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from bench.ways import OPEN, digest, ways_of_asking
from companion.rules import load
from companion.rules.asking.answered import USUAL, rarity, stems_that_tell
from companion.rules.asking.language import language, words_of
from companion.rules.asking.question import is_pair, known_signs, signs_of_words
from companion.rules.asking.spelling import Speller
from companion.rules.asking.subjects import (
    NOTHING,
    PART,
    SCALE,
    SIGN_PART,
    WEIGHTS,
    WORD_PART,
    Weights,
    packed,
    put_right,
    speller_of,
)
from companion.rules.book import Book, load_book

TESTS = Path(__file__).parent.parent / "tests" / "rules"
FREEDOM, ROUNDS = 3.0, 200
"""How freely weights grow, and how often all examples are gone through: until nothing moves, for
after sixty times a thousand more examples had tipped answers that had nothing to do with them."""

RARE, RARE_PAIR = 1, 3
"""A sign that so few examples have is learned as an unknown word, a pair of words not at all."""

ASKED = 3.0
"""How many ways of asking an open question counts."""

COMMON = 5
"""How often a word must be said for a misspelt one to be read as it."""

UNHEARD = "qqq"
SEED = 1928

LITTLE, LITTLE_PAIR = 0.5, 1.0
"""A weight below this is left out, and that of a pair of words."""

DOUBT = 4
"""As many questions as which a rule is first held to be right as often as usual."""

FEW = 8
"""Of how many questions a rule is known in full by their words."""

LITTLE_SAID = 0.05
"""What a stem of these questions counts that is left out."""

Labelled = tuple[str, list[str]]
Answered = tuple[Book, Collection[str], list[str]]
OpenFile = dict[str, Any]


def main() -> None:
    """Learn, and write the weights."""
    WEIGHTS.write_text(learned(open_files()), encoding="utf-8")


def learned(files: Sequence[OpenFile]) -> str:
    """Learn from the ways of asking and these files, and return the weights as text."""
    ways = ways_of_asking()
    said = _often(way for subject in ways.keys() - {NOTHING} for way in ways[subject])
    strange = sorted(_often(ways[NOTHING]).keys() - said.keys())
    written = [(subject, words_of(way)) for subject, asked in ways.items() for way in asked]
    by = speller_of(said, strange)
    asked = [*_open_questions(by, files)]
    subjects, bias, signs = _weights(written, asked)
    answers = [*_answers(by, files)]
    rules, stems = _answered(answers)
    learned = Weights(
        digest(),
        dict(sorted(said.items())),
        strange,
        subjects,
        bias,
        _right(answers),
        rules,
        stems,
        dict(sorted(signs.items())),
    )
    many = len(written) + len(asked)
    print(f"{many} examples, {len(signs)} signs, {sum(map(len, signs.values())) // 2} weights")
    return _written(learned)


def _weights(
    written: Sequence[Labelled], asked: Sequence[Labelled]
) -> tuple[list[str], list[int], dict[str, bytes]]:
    """Return the subjects, how likely each is beforehand, and what each sign says of them."""
    labelled = [*written, *asked]
    seen = Counter(sign for _, words in labelled for sign in signs_of_words(words))
    learned = {sign for sign, times in seen.items() if times > (RARE, RARE_PAIR)[is_pair(sign)]}
    all_words = [words for _, words in (*labelled, *_with_gaps(labelled))]
    names = DictVectorizer()
    examples = normalize(names.fit_transform(known_signs(words, learned) for words in all_words))
    counts = [1.0] * len(written) + [ASKED] * len(asked)
    model = LogisticRegression(C=FREEDOM, max_iter=ROUNDS)
    model.fit(SCALE * examples, 2 * [subject for subject, _ in labelled], sample_weight=2 * counts)
    bias = [round(each * PART) for each in model.intercept_]
    columns = zip(map(str, names.feature_names_), model.coef_.T, strict=True)
    rows = {sign: _row(sign, row) for sign, row in columns}
    told = {sign: row for sign, row in rows.items() if row or not is_pair(sign)}
    return [*map(str, model.classes_)], bias, told


def _row(sign: str, weights: Iterable[float]) -> bytes:
    """Write the weights that say something, each with the place of its subject."""
    little = LITTLE_PAIR if is_pair(sign) else LITTLE
    telling = ((place, each) for place, each in enumerate(weights) if abs(each) >= little)
    return packed(telling, SIGN_PART)


def _often(texts: Iterable[str]) -> dict[str, int]:
    said = Counter(word for text in texts for word in words_of(text))
    return {word: times for word, times in said.items() if times >= COMMON}


def _with_gaps(labelled: Sequence[Labelled]) -> Iterator[Labelled]:
    """Give each example with a word that nobody knows instead of one that means something."""
    rng, silent = random.Random(SEED), language().silent
    for subject, words in labelled:
        places = [place for place, word in enumerate(words) if word not in silent]
        gap = rng.choice(places) if len(places) > 1 else None
        yield subject, [UNHEARD if place == gap else word for place, word in enumerate(words)]


def _open_questions(by: Speller, files: Sequence[OpenFile]) -> Iterator[Labelled]:
    """Give the open questions, each with the subject that most of its right rules name.

    Of several that are as frequent, the one counts of which most rules are right.
    """
    yield from (
        (subject, words)
        for book, right, words in _answers(by, files)
        for subject in _subjects(book, right)
    )
    for file in files:
        nothing = (each for each in file["questions"] if each.get("kind") == "nothing")
        yield from (
            (NOTHING, put_right(each["ask"], by)) for each in (*nothing, *file.get("nonsense", ()))
        )


def _answers(by: Speller, files: Sequence[OpenFile]) -> Iterator[Answered]:
    """Give the open questions that have an answer: the book, its right rules, and the words."""
    topics = tomllib.loads((TESTS / "question_topics.toml").read_text(encoding="utf-8"))
    for file in files:
        for question in file["questions"]:
            if question.get("kind") != "nothing":
                right = question.get("answers") or topics[question["topic"]]
                book = load_book(load(question.get("about", question["game"])))
                yield book, right, put_right(question["ask"], by)


def open_files() -> list[OpenFile]:
    """Read the open question files of the tests."""
    return [tomllib.loads((TESTS / f"{name}.toml").read_text(encoding="utf-8")) for name in OPEN]


def _subjects(book: Book, right: Collection[str]) -> list[str]:
    """Return the subjects that most right rules name; of several, those of which most is right."""
    subjects = Counter(s for e in book.entries if e.id in right for s in e.about)
    rules = Counter(s for e in book.entries for s in e.about)
    ranks = {subject: (many, many / rules[subject]) for subject, many in subjects.items()}
    return [subject for subject, rank in ranks.items() if rank == max(ranks.values())]


def _right(answers: Iterable[Answered]) -> dict[str, dict[str, int]]:
    """Return for each rule how often it was right when a subject of it was asked.

    What was asked seldom is drawn towards the usual. The rule of one deal is right for that deal.
    """
    right, asked = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for book, rules, _ in answers:
        for subject in _subjects(book, rules)[:1]:
            for entry in book.entries:
                if subject in entry.about and not entry.step:
                    asked[entry.id, subject] += 1
                    right[entry.id, subject] += entry.id in rules
    shares: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for (rule, subject), times in sorted(asked.items()):
        share = (right[rule, subject] + DOUBT * USUAL) / (times + DOUBT)
        shares[rule][subject] = max(1, round(share * PART))
    return dict(shares)


def _answered(answers: Iterable[Answered]) -> tuple[list[str], dict[str, bytes]]:
    """Return the rules, and for each stem those whose questions said it, with what it counts."""
    said: defaultdict[str, Counter[str]] = defaultdict(Counter)
    often = Counter[str]()
    for _, rules, words in answers:
        for rule in rules:
            said[rule].update(stems_that_tell(words))
            often[rule] += 1
    having = Counter(word for words in said.values() for word in words)
    counts: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for place, rule in enumerate(sorted(said)):
        for word, each in _telling(said[rule], often[rule], len(said), having):
            counts[word].append((place, each))
    return sorted(said), {word: packed(counts[word], WORD_PART) for word in sorted(counts)}


def _telling(
    said: Mapping[str, int], often: int, rules: int, having: Mapping[str, int]
) -> Iterator[tuple[str, float]]:
    counts = {
        word: sqrt(times / often) * rarity(rules, having[word]) for word, times in said.items()
    }
    size = sqrt(sum(each**2 for each in counts.values())) / min(1.0, sqrt(often / FEW))
    for word, each in sorted(counts.items()):
        if each >= LITTLE_SAID * size:
            yield word, each / size


def _written(learned: Weights) -> str:
    """Write one line for each sign, so that changes can be read."""
    return json.encode(learned).decode().replace(",", ",\n") + "\n"


if __name__ == "__main__":
    main()
