"""Learn which words speak for which subject, and write it down: `make search`, some minutes.

The examples are the ways of asking in `questions.toml` and the open question files of the tests,
never the sealed one. What is learned is one weight for each sign and subject (softmax regression,
Adagrad). Weights that say little are left out, and the others are learned on without them.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from math import exp, sqrt
from pathlib import Path

from companion.rules import load
from companion.rules.asking.language import words_of
from companion.rules.asking.question import Signs, known_signs, signs_of_words
from companion.rules.asking.subjects import (
    PART,
    SCALE,
    WEIGHTS,
    corrected,
    digest,
    ways_of_asking,
)
from companion.rules.book import load_book

TESTS = Path(__file__).parent.parent / "tests" / "rules"
OPEN = ("fresh_questions", "questions", "more_questions", "table_questions")
SEED = 1928
ROUNDS, ROUNDS_AFTER = 12, 3
STEP, SHRINK = 0.35, 0.1
"""How far an example moves a weight at first, and how much every round takes back of each."""

RARE = 1
"""A sign that so few examples have is learned as an unknown word."""

MOVED = 0.1
"""How far a weight counts as moved before it was; the more it has moved, the less it moves."""

SMALLEST = 1e-3
"""Subjects less likely than this are left as they are by an example."""

Example = tuple[int, Signs]
Learned = dict[str, dict[int, float]]


def main() -> None:
    """Learn, and write the weights."""
    labelled = [*_ways(), *_open_questions()]
    subjects = sorted({subject for subject, _ in labelled})
    seen = Counter(sign for _, words in labelled for sign in signs_of_words(words))
    learned_signs = {sign for sign, times in seen.items() if times > RARE}
    examples = [
        (subjects.index(subject), _to_size(known_signs(words, learned_signs)))
        for subject, words in labelled
    ]
    learner = Learner(len(subjects))
    learner.learn(examples, ROUNDS)
    learner.settle(examples, ROUNDS_AFTER)
    WEIGHTS.write_text(_written(subjects, learner), encoding="utf-8")
    right = sum(learner.best(signs) == subject for subject, signs in examples)
    count = sum(map(len, learner.weights.values()))
    print(f"{len(examples)} examples, {len(subjects)} subjects, {count} weights")
    print(
        f"{right / len(examples):.1%} of what was learned is known, {WEIGHTS.stat().st_size} bytes"
    )


def _ways() -> Iterator[tuple[str, list[str]]]:
    for subject, ways in ways_of_asking().items():
        for way in ways:
            yield subject, words_of(way)


def _open_questions() -> Iterator[tuple[str, list[str]]]:
    """Give the open questions, each with the subject that most of its right rules are about.

    Where several are as frequent, each is right.
    """
    topics = tomllib.loads((TESTS / "question_topics.toml").read_text(encoding="utf-8"))
    for name in OPEN:
        file = tomllib.loads((TESTS / f"{name}.toml").read_text(encoding="utf-8"))
        for question in file["questions"]:
            words = corrected(question["ask"])
            if question.get("kind") == "nothing":
                yield "nothing", words
                continue
            right = question.get("answers") or topics[question["topic"]]
            book = load_book(load(question.get("about", question["game"])))
            subjects = Counter(e.about[0] for e in book.entries if e.id in right and e.about)
            most = max(subjects.values(), default=0)
            yield from ((subject, words) for subject, many in subjects.items() if many == most)
        yield from (("nothing", corrected(each["ask"])) for each in file.get("nonsense", ()))


def _to_size(signs: Signs) -> Signs:
    size = sqrt(sum(counts * counts for counts in signs.values())) or 1.0
    return {sign: SCALE * counts / size for sign, counts in signs.items()}


class Learner:
    """One layer of weights, learned example by example."""

    def __init__(self, subjects: int) -> None:
        self.bias = [0.0] * subjects
        self.weights: Learned = defaultdict(dict)
        self._moved: Learned = defaultdict(dict)
        self._bias_moved = [MOVED] * subjects
        self._settling = False

    def learn(self, examples: list[Example], rounds: int) -> None:
        """Go through all examples so many times, in an order that is always the same."""
        order, rng = [*examples], random.Random(SEED)
        for _ in range(rounds):
            rng.shuffle(order)
            for subject, signs in order:
                self._learn_one(subject, signs)
            if not self._settling:
                self._shrink()

    def settle(self, examples: list[Example], rounds: int) -> None:
        """Learn on with the weights that are there: none is added, none shrinks."""
        self._settling = True
        self.learn(examples, rounds)

    def _learn_one(self, right: int, signs: Signs) -> None:
        chances = self._chances(signs)
        chances[right] -= 1.0
        wrong = [(place, part) for place, part in enumerate(chances) if abs(part) > SMALLEST]
        for place, part in wrong:
            self._bias_moved[place] += part * part
            self.bias[place] -= STEP * part / sqrt(self._bias_moved[place])
        for sign, counts in signs.items():
            row, moved = self.weights[sign], self._moved[sign]
            for place, part in wrong:
                if self._settling and place not in row:
                    continue
                slope = part * counts
                moved[place] = moved.get(place, MOVED) + slope * slope
                row[place] = row.get(place, 0.0) - STEP * slope / sqrt(moved[place])

    def _shrink(self) -> None:
        """Take a little from every weight; those that were less are left out."""
        for sign, row in self.weights.items():
            self.weights[sign] = {
                place: weight - SHRINK if weight > 0 else weight + SHRINK
                for place, weight in row.items()
                if abs(weight) > SHRINK
            }

    def _chances(self, signs: Signs) -> list[float]:
        sums = [*self.bias]
        for sign, counts in signs.items():
            for place, weight in self.weights[sign].items():
                sums[place] += weight * counts
        most = max(sums)
        parts = [exp(each - most) for each in sums]
        whole = sum(parts)
        return [part / whole for part in parts]

    def best(self, signs: Signs) -> int:
        """Give the likeliest subject."""
        chances = self._chances(signs)
        return chances.index(max(chances))


def _written(subjects: list[str], learner: Learner) -> str:
    signs = {
        sign: [part for place in sorted(row) for part in (place, round(row[place] * PART))]
        for sign, row in sorted(learner.weights.items())
    }
    bias = [round(each * PART) for each in learner.bias]
    head = {"learned_from": digest(), "subjects": subjects, "bias": bias}
    rows = ",\n".join(
        f"{json.dumps(sign)}:{json.dumps(row, separators=(',', ':'))}"
        for sign, row in signs.items()
    )
    return json.dumps(head)[:-1] + ',\n"signs":{\n' + rows + "\n}}\n"


if __name__ == "__main__":
    main()
