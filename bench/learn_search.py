"""Learn the search of the rules from `questions.tsv.bz2`: `make search`, some minutes.

One asker in four is held back while the classifier of subjects learns; on their questions the
weights of a rule's score and of certainty are fitted, so that they too hold for questions that
nobody has learned from. Then the classifier learns from all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from msgspec import msgpack
from msgspec.structs import replace
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from bench.forgetting import forget
from bench.questions import Asked, Written, digest, read_questions
from companion.rules import card_games, load
from companion.rules.book import Book, load_book
from companion.rules.search import games, model, ranking
from companion.rules.search.model import ANSWERED_PARTS, FEATURE_PARTS, NOTHING, WEIGHTS, Model
from companion.rules.search.text import features, words_of

SHELF = card_games()

FREEDOM, ROUNDS = 20.0, 100
"""How freely weights grow, and how often all examples are gone through: by half as often, an
answer in twenty hangs on chance."""

RARE, RARE_PAIR = 2, 4
"""In how many examples a feature must be, and a pair of stems."""

SMALL, SMALL_PAIR = 1.3, 1.9
"""Weights below are left out, and those of pairs, for the file would pass 600 KB."""

COMMON = 5
"""How often a word is said that is known, and as which a misspelt one may be read."""

ASKED, UNANSWERED = 3.0, 2.0
"""How many written questions one counts that was asked, and one that no rule answers."""

FEW = 8
"""Of how many questions a rule is known in full by their stems."""

BLOCK, HELD = 150, 4
"""About as many questions as one asker put, of which one in four is held back."""

NONSENSE = 0.05
"""Which share of what has no answer may be answered: half of it sounds like a question."""

Labelled = tuple[str, Sequence[str], float]


def main() -> None:
    """Learn, and write the weights."""
    learned = learn(*read_questions())
    size = WEIGHTS.write_bytes(msgpack.encode(learned))
    print(f"{len(learned.features)} features, {size} bytes")


def learn(written: Sequence[Written], asked: Sequence[Asked]) -> Model:
    """Return what these questions teach, and print how those held back were answered."""
    held = [each for number, each in enumerate(asked) if number // BLOCK % HELD == HELD - 1]
    rest = [each for number, each in enumerate(asked) if number // BLOCK % HELD < HELD - 1]
    with TemporaryDirectory() as folder:
        model.WEIGHTS = Path(folder) / WEIGHTS.name
        try:
            learned = _use(_classifier(written, rest))
            learned = _use(replace(learned, order=_order(learned, held)))
            certainty = _certainty(held)
            return replace(_classifier(written, asked), order=learned.order, certainty=certainty)
        finally:
            model.WEIGHTS = WEIGHTS
            forget("companion.rules.search")


def _use(learned: Model) -> Model:
    """Let the search use what is learned so far, and leave that of the product as it is."""
    model.WEIGHTS.write_bytes(msgpack.encode(learned))
    forget("companion.rules.search")
    print(f"{len(learned.features)} features, {learned.order}")
    return learned


def _classifier(written: Sequence[Written], asked: Sequence[Asked]) -> Model:
    """Fit the classifier of subjects (softmax regression), and each rule's mean question."""
    # Questions that were asked name games, whose names would become words of the table.
    said = _common(words_of(each.text) for each in written if each.subject != NOTHING)
    others = [each.text for each in written if each.subject == NOTHING]
    others += [each.text for each in asked if not each.rules]
    strange = sorted(_common(map(words_of, others)).keys() - said.keys())
    blank = [1.0] * 6
    learned = _use(Model(digest(), said, strange, [], [], {}, [], {}, blank, [*blank, 1.0]))
    read = [(each, _words(each)) for each in asked]
    labelled: list[Labelled] = [(each.subject, words_of(each.text), 1.0) for each in written]
    labelled += [each for question, words in read for each in _labels(question, words)]
    rules, answered = _answered([(each.rules, words) for each, words in read if each.rules])
    return replace(learned, rules=rules, answered=answered, **_weights(labelled))


def _common(texts: Iterable[Sequence[str]]) -> dict[str, int]:
    said = Counter(word for words in texts for word in words)
    return {word: times for word, times in sorted(said.items()) if times >= COMMON}


def _words(question: Asked) -> list[str]:
    return games.mentioned_games(words_of(question.text), SHELF).words


def _labels(question: Asked, words: Sequence[str]) -> Iterator[Labelled]:
    """Label a question with the subjects that most of its right rules have."""
    if not question.rules:
        yield NOTHING, words, UNANSWERED
        return
    subjects = _subjects(load_book(load(question.about)), question.rules)
    yield from ((subject, words, ASKED / len(subjects)) for subject in subjects)


def _subjects(book: Book, right: Collection[str]) -> list[str]:
    """Return the subjects that most right rules have; of several, those of which most is right."""
    subjects = Counter(s for e in book.entries if e.id in right for s in e.about)
    rules = Counter(s for e in book.entries for s in e.about)
    ranks = {subject: (many, many / rules[subject]) for subject, many in subjects.items()}
    return [subject for subject, rank in ranks.items() if rank == max(ranks.values())]


def _weights(labelled: Sequence[Labelled]) -> dict[str, Any]:
    """Return the subjects, how likely each is beforehand, and what each feature says of them."""
    found = [features(words) for _, words, _ in labelled]
    seen = Counter(each for one in found for each in one)
    idf = {
        each: round(10 * model.rarity(len(found), times))
        for each, times in seen.items()
        if times >= (RARE, RARE_PAIR)[" " in each]
    }
    names = DictVectorizer(dtype=np.float32)
    weighed = ({each: float(idf[each]) for each in one if each in idf} for one in found)
    examples = normalize(names.fit_transform(weighed))
    classifier = LogisticRegression(C=FREEDOM, max_iter=ROUNDS)
    counts = [count for *_, count in labelled]
    classifier.fit(examples, [subject for subject, *_ in labelled], sample_weight=counts)
    columns = zip(map(str, names.feature_names_), classifier.coef_.T, strict=True)
    rows = {name: (idf[name], _row(name, weights)) for name, weights in columns}
    return {
        "subjects": [*map(str, classifier.classes_)],
        "bias": [round(float(each), 2) for each in classifier.intercept_],
        "features": {name: row for name, row in rows.items() if row[1]},
    }


def _row(name: str, weights: Iterable[float]) -> list[int]:
    small = SMALL_PAIR if " " in name else SMALL
    large = ((index, float(each)) for index, each in enumerate(weights) if abs(each) >= small)
    return model.pack(large, FEATURE_PARTS)


def _answered(
    questions: Iterable[tuple[Collection[str], Sequence[str]]],
) -> tuple[list[str], dict[str, list[int]]]:
    """Return the rules, and for each stem those whose questions said it, with its weight there."""
    said: defaultdict[str, Counter[str]] = defaultdict(Counter)
    often = Counter[str]()
    for rules, words in questions:
        for rule in rules:
            said[rule].update(model.stems_of(words))
            often[rule] += 1
    having = Counter(stem for stems in said.values() for stem in stems)
    rows: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for index, rule in enumerate(sorted(said)):
        tf_idf = {
            stem: sqrt(times / often[rule]) * model.rarity(len(said), having[stem])
            for stem, times in said[rule].items()
        }
        size = sqrt(sum(each**2 for each in tf_idf.values())) / min(1.0, sqrt(often[rule] / FEW))
        for stem, each in tf_idf.items():
            rows[stem].append((index, each / size))
    return sorted(said), {stem: model.pack(rows[stem], ANSWERED_PARTS) for stem in sorted(rows)}


def _order(learned: Model, held: Iterable[Asked]) -> list[float]:
    """Fit by which sum of its terms a right rule beats every other one of its book."""
    choices = [*_choices(held)]
    order = np.array(learned.order)
    for _ in range(3):
        lead = [max(right, key=order.dot) - wrong for right, wrongs in choices for wrong in wrongs]
        both = np.vstack([lead, np.negative(lead)])
        signs = [1] * len(lead) + [-1] * len(lead)
        order = LogisticRegression(fit_intercept=False).fit(both, signs).coef_[0]
    return [round(float(each), 2) for each in order]


def _choices(held: Iterable[Asked]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield the terms of the right rules and of the others, where the right game is found."""
    for question in held:
        reply = ranking.search(load(question.game), question.text, SHELF, 999)
        if question.rules and reply.variant.key == question.about:
            terms = {each.entry.id: np.array(each.terms) for each in reply.answers}
            right = [terms.pop(rule) for rule in question.rules if rule in terms]
            yield right, [*terms.values()]


def _certainty(held: Sequence[Asked]) -> list[float]:
    """Fit how an answer differs from none, and how certain it must be."""
    replies = [ranking.search(load(each.game), each.text, SHELF) for each in held]
    terms = np.array([ranking.certainty_terms(each.query, each.answers) for each in replies])
    is_question = np.array([bool(each.rules) for each in held])
    fitted = LogisticRegression(fit_intercept=False, C=FREEDOM).fit(terms, is_question).coef_[0]
    sure = terms @ fitted
    fitted[-1] -= np.quantile(sure[~is_question], 1 - NONSENSE)
    _print_rates(held, replies, terms @ fitted > 0)
    return [round(float(each), 3) for each in fitted]


def _print_rates(held: Sequence[Asked], replies: Iterable[Any], certain: Iterable[bool]) -> None:
    rates: defaultdict[str, list[bool]] = defaultdict(list)
    for question, reply, is_certain in zip(held, replies, certain, strict=True):
        if not question.rules:
            rates["nonsense answered"].append(is_certain)
            continue
        is_game = reply.variant.key == question.about
        right = [is_game and entry.id in question.rules for entry in reply.entries[:3]]
        rates["right rule first"].append(bool(is_certain and right[0]))
        rates["among three"].append(any(right))
        if question.game != question.about:
            rates["other game named"].append(bool(is_certain and is_game))
    for name, found in rates.items():
        print(f"{name:18} {sum(found) / len(found):6.1%} of {len(found)} held back")


if __name__ == "__main__":
    main()
