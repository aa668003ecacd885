"""Answers at the table: which rules of which game a question is about, however it is asked.

A question is read for what it is about (`asking`), and the rules of that subject in the book of
the game answer it. A question may name another game of the shelf, or be about what only another
game has: then that game answers. What is about none of them has no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from companion.melds import Contract

from .asking.figures import LAST
from .asking.language import language
from .asking.named_game import named_games
from .asking.question import Question
from .asking.subjects import NOTHING, corrected, likely, read
from .book import RuleEntry, Section, load_book
from .variant import Variant

LONGEST = 200
PLACES = (1.0, 0.97, 0.95, 0.93)
"""What a subject counts that a rule names first, second, third and later."""

SECTIONS = {"questions": 0.995, "sources": 0.8, "origins": 0.97, "words": 0.96}
OWN = 1.01
"""What a rule counts that the game does not have from another one."""

ASKED = 1.02
"""What the first subject of a question-and-answer counts when a question was asked."""

THE_DEAL, ANOTHER_DEAL, NO_DEAL = 1.2, 0.5, 0.8
"""What the rule of one deal counts when that deal is named, another one, or none."""

LEAST, SURE = 0.2, 0.65
"""How likely the best subject must be, and what share beside nothing and what only others have."""

SURER = 0.85
"""That share where half of the question is said in words that were never learned."""

ELSEWHERE = 0.3
"""What a subject that only other games have counts against: the page names the game."""

NEAR = 0.01
"""How likely a rule must be for two sections to be shown where nothing is certain."""

ONLY_ELSEWHERE = 0.6
"""How likely a subject must be that only another game has, for that game to answer."""

ASKING = frozenset({"@may", "@must", "@who", "@when", "@why", "@whatif", "@howmany", "@define"})
HERE = frozenset({"this", "here", "our", "ours"})
NAMED = 0.2
"""What is left of the doubt that it is a question at all, where a game of the shelf is named."""

FEW_WORDS = 3
THE_GAME = "what-game"
NO_MORE = frozenset({"what", "is", "it", "the", "a", "of", "rules", "game", "explain", "about"})
"""Words beside a game's name that ask for no more than that game."""


class Answer(NamedTuple):
    """A rule that may answer a question, and how likely it does."""

    entry: RuleEntry
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
        if not self.answers or self.answers[0].score < NEAR:
            return []
        return [*dict.fromkeys(answer.entry.section for answer in self.answers)][:2]


def ask(variant: Variant, typed: str, shelf: Sequence[Variant] = (), most: int = 5) -> Reply:
    """Answer a question from the rules of a game, or of the one on the shelf that it is about.

    Never raises, whatever was typed.
    """
    words = corrected(typed[:LONGEST])
    named, rest = named_games(words, (variant, *shelf))
    question = read(rest)
    chances = _chances(question, rest, named)
    game = _meant(variant, named, rest)
    if game is variant and not named:
        game = _the_only(variant, chances, shelf)
    return _reply(game, question, chances, most)


def ask_all(typed: str, shelf: Sequence[Variant], most: int = 5) -> list[Reply]:
    """Answer a question from the game that it names, or from each that it is about.

    Of games made from one another only the first is asked. Empty where nothing is certain.
    """
    words = corrected(typed[:LONGEST])
    named, rest = named_games(words, shelf)
    question = read(rest)
    chances = _chances(question, rest, named)
    bases = [game for game in shelf if not game.extends]
    asked = named[:1] or bases
    replies = [_reply(game, question, chances, most) for game in asked]
    certain = [reply for reply in replies if reply.certain]
    if certain or named:
        return certain
    others = (_reply(game, question, chances, most) for game in shelf if game.extends)
    return [reply for reply in others if reply.certain][:1]


def _chances(
    question: Question, rest: Sequence[str], named: Sequence[Variant]
) -> Mapping[str, float]:
    """Return how likely each subject is; who only names a game asks what that game is."""
    if named and NO_MORE.issuperset(rest):
        return {THE_GAME: 1.0, NOTHING: 0.0}
    if question.is_strange or ("@differ" not in question.signs and _is_elsewhere(rest)):
        return {NOTHING: 1.0}
    chances = likely(question.signs)
    return chances | {NOTHING: chances[NOTHING] * NAMED} if named else chances


def _meant(variant: Variant, named: Sequence[Variant], rest: Sequence[str]) -> Variant:
    """Choose the game that is meant: another is, unless this one is named or spoken of too."""
    is_here = variant.key in {game.key for game in named} or not HERE.isdisjoint(rest)
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


def _reply(variant: Variant, question: Question, chances: Mapping[str, float], most: int) -> Reply:
    book = load_book(variant)
    here = {subject for entry in book.entries for subject in entry.about}
    best = max((chances.get(subject, 0.0) for subject in here), default=0.0)
    beside = max(
        (
            chance if subject == NOTHING else ELSEWHERE * chance
            for subject, chance in chances.items()
            if subject not in here
        ),
        default=0,
    )
    sure = SURER if question.is_half_strange else SURE
    certain = best >= LEAST and best >= sure * (best + beside)
    answers = sorted(_answers(variant, question, chances), key=lambda answer: -answer.score)
    return Reply(variant, tuple(answers[:most]), certain, question)


def _answers(
    variant: Variant, question: Question, chances: Mapping[str, float]
) -> Iterator[Answer]:
    step = _deal_asked(variant, question)
    asked = _is_asked(question)
    for entry in load_book(variant).entries:
        places = (ASKED if entry.section == "questions" and asked else PLACES[0], *PLACES[1:])
        likely_about = (
            chances.get(subject, 0.0) * place
            for subject, place in zip(entry.about, places, strict=False)
        )
        score = max(likely_about, default=0.0) * SECTIONS.get(entry.section, 1.0)
        score *= OWN if entry.own else 1.0
        if entry.step:
            score *= NO_DEAL if step is None else THE_DEAL if entry.step == step else ANOTHER_DEAL
        yield Answer(entry, score)


def _deal_asked(variant: Variant, question: Question) -> int | None:
    """Find the deal that is meant: by its number, as the last, or by the contract that is said."""
    said = question.said
    if said.step is not None and said.step < 0:
        return len(variant.deals) - LAST + said.step
    if said.step or not said.sets + said.runs:
        return said.step
    contracts = ((step, deal.contract) for step, deal in enumerate(variant.deals, 1))
    return next(
        (
            step + said.beside
            for step, contract in contracts
            if contract and (said.sets, said.runs) == _sets_and_runs(contract)
        ),
        None,
    )


def _sets_and_runs(contract: Contract) -> tuple[int, int]:
    kinds = [meld.kind for meld in contract.melds]
    return kinds.count("set"), kinds.count("run")


def _is_asked(question: Question) -> bool:
    return len(question.said.words) > FEW_WORDS or not ASKING.isdisjoint(question.signs)


def _is_elsewhere(words: Sequence[str]) -> bool:
    """Whether a game is named that is not on this shelf."""
    said = f" {' '.join(words)} "
    return any(f" {name} " in said for name in language().elsewhere)
