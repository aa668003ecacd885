"""Learn the search of the rules from `questions.tsv.bz2`: `make search`, some minutes.

One asker in four is held back while the classifier of subjects learns, each of them in turn; on
their questions the weights of a rule's score and of certainty are fitted, so that they too hold for
questions that nobody has learned from. Then the classifier learns from all.
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
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from companion.rules import card_games, load
from companion.rules.book import Book, load_book
from companion.rules.search import Reply, games, model, ranking
from companion.rules.search.model import (
    ANSWERED_PARTS,
    FEATURE_PARTS,
    NOTHING,
    SILENT,
    WEIGHTS,
    Model,
)
from companion.rules.search.text import features, words_of
from tools.forgetting import forget
from tools.questions import Asked, Written, digest, read_questions

SHELF = card_games()

ROUNDS, BATCH = 10, 256
"""How often all examples are gone through, and how many at once."""

LEFT_OUT = 0.3
"""Which share of an example's features is left out each time, for the next asker says less."""

RARE, RARE_PAIR = 2, 10
"""In how many examples a feature must be, and a pair of stems."""

KEPT = 145_000
"""How many weights are kept, the largest: the file would pass 800 KB."""

COMMON = 5
"""How often a word is said that is known, and as which a misspelt one may be read."""

ASKED, UNANSWERED = 3.0, 2.0
"""How many written questions one counts that was asked, and one that no rule answers."""

FEW = 8
"""Of how many questions a rule is known in full by their stems."""

BLOCK, HELD = 150, 4
"""About as many questions as one asker put, of which one in four is held back."""

NEAREST = 15
"""How many wrong rules a right one is compared with."""

NONSENSE = 0.028
"""Which share of what is no question about the games may be answered."""

Labelled = tuple[str, Sequence[str], float]


def main() -> None:
    """Learn, and write the weights."""
    learned = learn(*read_questions())
    size = WEIGHTS.write_bytes(msgpack.encode(learned))
    print(f"{len(learned.features)} features, {size} bytes")


def learn(written: Sequence[Written], asked: Sequence[Asked]) -> Model:
    """Return what these questions teach, and print how those held back were answered."""
    askers = [number // BLOCK % HELD for number in range(len(asked))]
    replies: list[tuple[Asked, Reply]] = []
    with TemporaryDirectory() as folder:
        model.WEIGHTS = Path(folder) / WEIGHTS.name
        try:
            for part in range(HELD):
                pairs = [*zip(asked, askers, strict=True)]
                _use(_classifier(written, [each for each, asker in pairs if asker != part]))
                held = [each for each, asker in pairs if asker == part]
                replies += [(each, _every_rule(each)) for each in held]
            order = _order(replies)
            ordered = [(each, _in_order(reply, order)) for each, reply in replies]
            learned = _classifier(written, asked)
            return replace(learned, order=order, certainty=_certainty(ordered))
        finally:
            model.WEIGHTS = WEIGHTS
            forget("companion.rules.search")


def _every_rule(question: Asked) -> Reply:
    return ranking.search(load(question.game), question.text, SHELF, 999)


def _in_order(reply: Reply, order: Sequence[float]) -> Reply:
    best = sorted(reply.answers, key=lambda answer: -np.dot(order, answer.terms))
    return replace(reply, answers=tuple(best))


def _use(learned: Model) -> Model:
    """Let the search use what is learned so far, and leave that of the product as it is."""
    model.WEIGHTS.write_bytes(msgpack.encode(learned))
    forget("companion.rules.search")
    return learned


def _classifier(written: Sequence[Written], asked: Sequence[Asked]) -> Model:
    """Fit the classifier of subjects, and each rule's mean question."""
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
        yield SILENT if question.kind == SILENT else NOTHING, words, UNANSWERED
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
    examples = normalize(names.fit_transform(weighed)).tocsr()
    subjects, right = np.unique([subject for subject, *_ in labelled], return_inverse=True)
    counts = np.array([count for *_, count in labelled], np.float32)
    weights, bias = _softmax(examples, right, counts, len(subjects))
    # What a feature says of every subject alike decides nothing.
    weights -= np.median(weights, axis=1, keepdims=True)
    least = np.partition(np.abs(weights), -KEPT, axis=None)[-KEPT]
    columns = zip(map(str, names.feature_names_), weights, strict=True)
    rows = {name: (idf[name], _row(each, least)) for name, each in columns}
    return {
        "subjects": [*map(str, subjects)],
        "bias": [round(float(each), 2) for each in bias],
        "features": {name: row for name, row in rows.items() if row[1]},
    }


def _softmax(
    examples: Any, right: NDArray[Any], counts: NDArray[Any], classes: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Fit a softmax regression by AdaGrad; return what each feature says of each class, and bias.

    Ten rounds of it do better than a hundred of L-BFGS, in a tenth of the time.
    """
    chance = np.random.default_rng(1928)
    weights = np.zeros((examples.shape[1], classes), np.float32)
    grown = np.ones_like(weights)
    bias, bias_grown = np.zeros(classes, np.float32), np.ones(classes, np.float32)
    for _ in range(ROUNDS):
        order = chance.permutation(len(right))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            rows = examples[batch]
            rows.data *= (chance.random(len(rows.data)) >= LEFT_OUT) / np.float32(1 - LEFT_OUT)
            said = np.unique(rows.indices)
            rows = rows[:, said]
            errors = rows @ weights[said] + bias
            errors = np.exp(errors - errors.max(axis=1, keepdims=True))
            errors /= errors.sum(axis=1, keepdims=True)
            errors[np.arange(len(batch)), right[batch]] -= 1
            errors *= counts[batch, None]
            slopes, bias_slope = rows.T @ errors, errors.sum(axis=0)
            grown[said] += slopes**2
            weights[said] -= slopes / np.sqrt(grown[said])
            bias_grown += bias_slope**2
            bias -= bias_slope / np.sqrt(bias_grown)
    return weights, bias


def _row(weights: NDArray[Any], least: float) -> list[int]:
    large = ((index, float(each)) for index, each in enumerate(weights) if abs(each) >= least)
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


def _order(replies: Iterable[tuple[Asked, Reply]]) -> list[float]:
    """Fit by which sum of its terms a right rule beats the wrong ones that come nearest to it."""
    choices = [*_choices(replies)]
    order = np.ones(len(choices[0][0][0]))
    for _ in range(3):
        lead = [
            max(right, key=order.dot) - wrong
            for right, wrongs in choices
            for wrong in wrongs[np.argsort(wrongs @ -order)[:NEAREST]]
        ]
        both = np.vstack([lead, np.negative(lead)])
        signs = [1] * len(lead) + [-1] * len(lead)
        order = LogisticRegression(fit_intercept=False).fit(both, signs).coef_[0]
    return [round(float(each), 2) for each in order]


def _choices(replies: Iterable[tuple[Asked, Reply]]) -> Iterator[tuple[list[Any], NDArray[Any]]]:
    """Yield the terms of the right rules and of the others, where the right game is found."""
    for question, reply in replies:
        if question.rules and reply.variant.key == question.about:
            terms = {each.entry.id: np.array(each.terms) for each in reply.answers}
            right = [terms.pop(rule) for rule in question.rules if rule in terms]
            yield right, np.array([*terms.values()])


def _certainty(replies: Sequence[tuple[Asked, Reply]]) -> list[float]:
    """Fit how an answer differs from none, and how certain it must be."""
    terms = np.array([ranking.certainty_terms(each.query, each.answers) for _, each in replies])
    is_question = np.array([bool(each.rules) for each, _ in replies])
    is_nonsense = np.array([not each.rules and each.kind != SILENT for each, _ in replies])
    fitted = LogisticRegression(fit_intercept=False, C=20.0).fit(terms, is_question).coef_[0]
    fitted[-1] -= np.quantile((terms @ fitted)[is_nonsense], 1 - NONSENSE)
    _print_rates(replies, terms @ fitted > 0)
    return [round(float(each), 3) for each in fitted]


def _print_rates(replies: Iterable[tuple[Asked, Reply]], certain: Iterable[bool]) -> None:
    rates: defaultdict[str, list[bool]] = defaultdict(list)
    for (question, reply), is_sure in zip(replies, certain, strict=True):
        is_certain = bool(is_sure and not reply.query.elsewhere)
        if not question.rules:
            kind = "silent" if question.kind == SILENT else "nonsense"
            rates[f"{kind} answered"].append(is_certain)
            continue
        is_game = reply.variant.key == question.about
        right = [is_game and entry.id in question.rules for entry in reply.entries[:3]]
        rates["right rule first"].append(is_certain and right[0])
        rates["among three"].append(any(right))
        if question.game != question.about:
            rates["other game named"].append(is_certain and is_game)
    for name, found in rates.items():
        print(f"{name:18} {sum(found) / len(found):6.1%} of {len(found)} held back")


if __name__ == "__main__":
    main()
