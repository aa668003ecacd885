"""Answers at the table: which rules of which game a question is about, however it is asked.

A question is read for what it is about (`asking`), and the rules of that subject in the book of
the game answer it. A question may name another game of the shelf, or be about what only another
game has: then that game answers. What is about none of them has no answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

from msgspec import Struct

from companion.melds import Contract

from .asking.answered import answered_before, often_right
from .asking.figures import LAST, Said
from .asking.language import clauses_of
from .asking.named_game import games_elsewhere, goes_by_name, meant_games, named_games
from .asking.question import Question
from .asking.subjects import NOTHING, corrected, likely, read
from .book import Book, RuleEntry, Section, load_book
from .variant import Variant
from .wording import wording_of

LONGEST = 200

SECTIONS = {"sources": -0.8, "words": -1.0}
"""What a section adds to a rule's score, which is the logarithm of how likely it answers."""

MEANT = {"words": 0.0}
"""What a section adds where a question asks what something means."""

BRIEF = 0.4
"""What a rule adds that answers in a word, or is a question with its answer, of that subject."""

OWN = 1.8
"""What a rule adds that the game does not have from another one; notes on sources add nothing."""

THE_DEAL, ANOTHER_DEAL, NO_DEAL = 2.5, -2.8, -0.5
"""What the rule of one deal adds when that deal is named, another one, or none."""

SAID = 2.8
"""What a rule adds that says the whole question in its own words."""

ANSWERED = 6.6
"""What a rule adds that answered a question in just these words."""

RIGHT = 1.8
"""How much of what is known of a rule's being right, when its subject was asked, is heeded."""

LEAST_LIKELY = 0.001
"""How likely every subject is taken to be at least."""

SEEN = 2.0
"""What the others of a subject lose, for the places after the first, with each rule shown of it."""

SURE = 2.6
"""How certain an answer must be: as the logarithm of how much likelier it is than nothing."""

SAID_SURER, ANSWERED_SURER = 8.8, 7.3
"""How much surer it is where a rule says the question, or answered one in just these words."""

UNHEARD = 7.4
"""How much less sure where no word of the question was learned."""

ELSEWHERE = 0.25
"""How likely an answer's subject must be beside the one by which another game answers."""

NEAR = -4.0
"""What a rule's score must be to be shown among the nearest where nothing is certain."""

ONLY_ELSEWHERE = 0.7
"""How likely a subject must be that only another game has, for that game to answer."""

IN_ITS_WORDS = 0.3
"""How much of the question its rule must say, too."""

HERE = (" here ", " ours ", " our game ", " our rules ")
THIS = (" this game ", " this one ", " as this ", " to this ", " and this ", " this has ")
"""How the game of the page is spoken of beside another one that is named."""

LIKE_HERE = re.compile(
    r" (?:like|as|than|not|unlike|forget|leave|compared (?:to|with)) (?:(?:in|it is|we do) )?"
    r"(?:here|ours|this(?: one| game)?)(?= )"
)
"""How it is only compared with, or left: *in Progressive, is it like here*."""

COMPARES = re.compile(r"(?=.* this ).* (?:differ|compare |same game )")
"""What asks how two games differ of which one is this."""

NAMED = 0.05
"""What is left of the doubt that it is a question at all, where a game of the shelf is named."""

BY_THE_WAY = 0.3
"""What a subject counts that one clause of a question speaks of: the others may say it better."""

POOL, SHOWN = 12, 3
"""Of how many rules the first places are given, and how many they are."""

THIS_DEAL, LARGER = "this-contract", "larger-melds"
"""The subjects of a question that the rule of the deal it names answers first, the second where
contracts say themselves how large their melds may be."""

THE_GAME = "what-game"
NO_MORE = frozenset({"what", "is", "it", "the", "a", "of", "rules", "game", "explain", "about"})
"""Words beside a game's name that ask for no more than that game."""


class Query(NamedTuple):
    """What is asked: a question, its words beside games, and how likely each subject is."""

    question: Question
    words: Sequence[str]
    chances: Mapping[str, float]


class Answer(NamedTuple):
    """A rule that may answer: how likely its subject makes it, and which subject that is.

    `said` is how much of the question it says itself, `answered` how near the question is to those
    that it answered before. `score` decides the order.
    """

    entry: RuleEntry
    likely: float
    subject: str
    said: float
    answered: float
    score: float


class Reply(Struct, frozen=True):
    """What the rules say to a question: of which game, which rules, and whether it is certain."""

    variant: Variant
    answers: tuple[Answer, ...]
    certain: bool
    question: Question

    @property
    def entries(self) -> list[RuleEntry]:
        """The rules that may answer, the best first."""
        return [answer.entry for answer in self.answers]

    @property
    def nearest(self) -> list[Section]:
        """The two sections where the answer may stand, if anywhere."""
        return [*dict.fromkeys(entry.section for entry in self.near)][:2]

    @property
    def shown(self) -> list[RuleEntry]:
        """The rules that a page shows, the best first: three near ones where none is certain."""
        return self.entries if self.certain else self.near[:3]

    @property
    def near(self) -> list[RuleEntry]:
        """The rules that come near enough to be shown where nothing is certain."""
        return [answer.entry for answer in self.answers if answer.score >= NEAR]


def ask(variant: Variant, typed: str, shelf: Sequence[Variant] = (), most: int = 5) -> Reply:
    """Answer a question from the rules of a game, or of the one on the shelf that it is about.

    Never raises, whatever was typed.
    """
    named, query = _heard(typed, (variant, *shelf))
    if not named:
        other = _reply(_the_only(variant, query.chances, shelf), query, most)
        if other.variant is variant or other.answers[0].said >= IN_ITS_WORDS:
            return other
    return _reply(_meant(variant, named, query.words), query, most)


def ask_all(typed: str, shelf: Sequence[Variant], most: int = 5) -> list[Reply]:
    """Answer a question from the game that it names, or from each that it is about.

    Of games made from one another only the first is asked. Empty where nothing is certain.
    """
    named, query = _heard(typed, shelf)
    bases = [game for game in shelf if not game.extends]
    replies = [_reply(game, query, most) for game in named[:1] or bases]
    certain = [reply for reply in replies if reply.certain]
    if certain or named:
        best = max((reply.answers[0].likely for reply in certain), default=0.0)
        return [reply for reply in certain if reply.answers[0].likely >= ELSEWHERE * best]
    others = (_reply(game, query, most) for game in shelf if game.extends)
    return [reply for reply in others if reply.certain][:1]


def _heard(typed: str, shelf: Sequence[Variant]) -> tuple[list[Variant], Query]:
    """Find the games that a question names or means, and read what it asks beside their names."""
    named, rest = meant_games(corrected(typed[:LONGEST]), shelf)
    rest, elsewhere = games_elsewhere(rest)
    question = read(rest)
    if named and NO_MORE.issuperset(rest):
        return named, Query(question, rest, {THE_GAME: 1.0, NOTHING: 0.0})
    if question.is_strange or ("@differ" not in question.signs and elsewhere):
        return named, Query(question, rest, {NOTHING: 1.0})
    clauses = [named_games(corrected(part), shelf)[1] for part in clauses_of(typed[:LONGEST])]
    chances = _chances(question, [read(words) for words in clauses])
    if named:
        chances[NOTHING] *= NAMED
    return named, Query(question, rest, chances)


def _chances(question: Question, clauses: Sequence[Question]) -> dict[str, float]:
    """Return how likely each subject is, of the whole question or of a clause of it.

    What is said in passing hides what is asked; so does what is no question about the games.
    """
    chances = likely(question.signs)
    for clause in clauses:
        if not clause.is_strange:
            said = likely(clause.signs)
            nothing = min(chances[NOTHING], said[NOTHING])
            chances = {one: max(chances[one], BY_THE_WAY * said[one]) for one in chances}
            chances[NOTHING] = nothing
    return chances


def _meant(variant: Variant, named: Sequence[Variant], rest: Sequence[str]) -> Variant:
    """Choose the game that is meant: another is, unless this one is named or spoken of too."""
    said = f" {' '.join(rest)} "
    is_named = any(goes_by_name(variant, game, said) for game in named)
    beside = LIKE_HERE.sub(" ", said)
    is_spoken_of = any(here in beside for here in (*HERE, *THIS)) or COMPARES.match(said)
    is_here = is_named or is_spoken_of
    return named[0] if named and not is_here else variant


def _the_only(variant: Variant, chances: Mapping[str, float], shelf: Sequence[Variant]) -> Variant:
    """Choose another game where the question is about what only that one and its kin have."""
    subject = max(chances, key=chances.__getitem__)
    if chances[subject] < ONLY_ELSEWHERE or subject == NOTHING or _has(variant, subject):
        return variant
    relatives = sorted(shelf, key=lambda game: game.extends != variant.key)
    having = [game for game in relatives if _has(game, subject)]
    families = {game.extends or game.key for game in having}
    return having[0] if len(families) == 1 else variant


def _has(variant: Variant, subject: str) -> bool:
    return any(subject in entry.about for entry in load_book(variant).entries)


def _reply(variant: Variant, query: Query, most: int) -> Reply:
    book = load_book(variant)
    answers = sorted(_answers(variant, book, query), key=lambda answer: -answer.score)
    certain = _is_certain(book, query, answers[0])
    spread = _with_the_deal(_spread(answers), _deal_asked(variant, query.question))
    return Reply(variant, tuple(spread[:most]), certain, query.question)


def _spread(answers: list[Answer]) -> list[Answer]:
    """Put rules of the next likely subjects among the first, where those of the best say it twice.

    After each rule that is shown, the others of its subject count less: it has had its chance.
    """
    pool, shown, lost = answers[:POOL], answers[:1], defaultdict[str, float](float)
    for _ in range(SHOWN - 1):
        lost[shown[-1].subject] += SEEN
        others = [answer for answer in pool if answer not in shown]
        shown.append(max(others, key=lambda answer: answer.score - lost[answer.subject]))
    return [*shown, *(answer for answer in answers if answer not in shown)]


def _with_the_deal(answers: list[Answer], step: int | None) -> list[Answer]:
    """Put what the deal asks that is named in the last place shown, unless it stands before."""
    of_deal = [answer for answer in answers if step and answer.entry.step == step]
    if not of_deal or of_deal[0] in answers[:SHOWN]:
        return answers
    others = [answer for answer in answers if answer is not of_deal[0]]
    return [*others[: SHOWN - 1], of_deal[0], *others[SHOWN - 1 :]]


def _is_certain(book: Book, query: Query, first: Answer) -> bool:
    """Whether the best subject of a book is surer than nothing, or its first rule is sure."""
    here = {subject for entry in book.entries for subject in entry.about}
    likely = max(query.chances.get(subject, 0.0) for subject in here) + LEAST_LIKELY
    sure = log(likely / (query.chances[NOTHING] + LEAST_LIKELY / 10))
    sure += SAID_SURER * first.said + ANSWERED_SURER * first.answered
    return sure - UNHEARD * query.question.unheard >= SURE


def _answers(variant: Variant, book: Book, query: Query) -> Iterator[Answer]:
    step = _deal_asked(variant, query.question)
    of_deal = (THIS_DEAL, LARGER) if variant.has_own_sizes else (THIS_DEAL,)
    said = wording_of(variant).said(query.words)
    answered = answered_before(query.words)
    sections = SECTIONS | (MEANT if "@define" in query.question.signs else {})
    for entry in book.entries:
        about = (*of_deal, *entry.about) if entry.step and entry.step == step else entry.about
        chance, subject = max(
            ((_chance(query, entry, subject), subject) for subject in about),
            default=(log(LEAST_LIKELY), ""),
        )
        before = answered.get(entry.id, 0.0)
        score = chance + SAID * said[entry.id] + ANSWERED * sqrt(before)
        score += sections.get(entry.section, 0.0) + _of_deal(entry, step)
        is_brief = bool(entry.answer) or entry.section == "questions"
        score += BRIEF * (is_brief and subject in entry.about[:1])
        score += OWN * (entry.own and entry.section != "sources")
        likely = query.chances.get(subject, 0.0)
        yield Answer(entry, likely, subject, said[entry.id], before, score)


def _chance(query: Query, entry: RuleEntry, subject: str) -> float:
    """Weigh how likely a rule answers by this subject: more where it mostly did before."""
    likely = query.chances.get(subject, 0.0) + LEAST_LIKELY
    return log(likely) + RIGHT * log(often_right(entry.id, subject))


def _of_deal(entry: RuleEntry, step: int | None) -> float:
    """Weigh the rule of one deal by the deal that is named."""
    if not entry.step:
        return 0.0
    return NO_DEAL if step is None else THE_DEAL if entry.step == step else ANOTHER_DEAL


def _deal_asked(variant: Variant, question: Question) -> int | None:
    """Find the deal that is meant: by its number, as the last, by its cards or its contract."""
    said = question.said
    if said.step is not None and said.step < 0:
        return len(variant.deals) - LAST + said.step
    if said.step:
        return said.step
    if said.dealt:
        steps = [step for step, deal in enumerate(variant.deals, 1) if deal.dealt == said.dealt]
        return steps[0] if len(steps) == 1 else None
    if not said.sets + said.runs:
        return None
    contracts = ((step, deal.contract) for step, deal in enumerate(variant.deals, 1))
    return next(
        (
            step + said.beside
            for step, contract in contracts
            if contract and _is_said(contract, said)
        ),
        None,
    )


def _is_said(contract: Contract, said: Said) -> bool:
    """Whether a contract has as many sets and runs as are said, and in the sizes that are said."""
    kinds = [meld.kind for meld in contract.melds]
    sizes = {meld.size for meld in contract.melds}
    return (kinds.count("set"), kinds.count("run")) == (said.sets, said.runs) and sizes.issuperset(
        said.sizes
    )
