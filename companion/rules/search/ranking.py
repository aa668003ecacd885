"""The rules of the game that is meant, ranked by how well they answer a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from msgspec import Struct

from ..book import RuleEntry, Section, load_book
from ..variant import Variant
from .figures import Figures, deal_meant, read_figures
from .games import Mention, game_meant, mentioned_games
from .model import NOTHING, SILENT, answered_before, model, spelled, subject_odds, table_words
from .wording import wording_of

LONGEST = 200
"""More letters of a query are not read."""

SHOWN = 3

NO_QUESTION = 0.8
"""The odds of nothing from which on a query is taken for none about a game."""

UNLIKELY = 0.03
"""The odds of a subject below which its rules are no certain answer: half of them are none."""

STRANGE, SURELY = 0.5, 0.1
"""The odds from which on a subject is the query's that no rule of the game has, and those of the
likeliest that one has, below which the game then has no answer."""

LEAST = 0.001
"""The odds of whatever is not a subject of a query, so that they have a logarithm."""

THIS_DEAL, LARGER = "this-contract", "larger-melds"
"""The subjects that the rule of the deal answers which is meant, the second where contracts say
themselves how large their melds may be."""

THE_GAME = "what-game"
NO_MORE = frozenset(
    [
        *("what", "is", "it", "the", "a", "of", "to", "do", "you", "have", "know", "how", "play"),
        *("too", "rules", "game", "tell", "me", "explain", "about", "please", "show"),
    ]
)
"""Words beside a game's name that ask for no more than that game."""


class Query(Struct, frozen=True):
    """What was typed: its words beside names of games, its figures, and the odds of each subject.

    `answered` is how near it is to what each rule answered before. `heard` is the share of its
    words that are said of these games, `named` whether one is named, `meant` whether one is by
    whatever is said, and `elsewhere` whether another game is named that is not here.
    """

    words: list[str]
    figures: Figures
    odds: Mapping[str, float]
    answered: Mapping[str, float]
    heard: float
    named: bool
    meant: bool
    elsewhere: bool

    @property
    def names_jokers(self) -> bool:
        """Whether it speaks of jokers."""
        return not {"joker", "jokers"}.isdisjoint(self.words)


class Answer(NamedTuple):
    """A rule that may answer, the subject by which it does, and how likely that is the query's.

    `is_of_deal` where it is the rule of the deal that is named. `terms` are what `order` weighs,
    and `score` is their sum.
    """

    entry: RuleEntry
    subject: str
    likely: float
    is_of_deal: bool
    terms: tuple[float, ...]
    score: float


class Reply(Struct, frozen=True):
    """What the rules say to a query: of which game, which rules, and whether it is certain."""

    variant: Variant
    answers: tuple[Answer, ...]
    certain: bool
    query: Query

    @property
    def entries(self) -> list[RuleEntry]:
        """The rules that may answer, the best first."""
        return [answer.entry for answer in self.answers]

    @property
    def shown(self) -> list[RuleEntry]:
        """The rules that a page shows, the best first: the nearest where none is certain."""
        return self.entries if self.certain else self.near

    @property
    def near(self) -> list[RuleEntry]:
        """The rules to look at where none is certain; none where it is no question about a game."""
        query = self.query
        is_question = query.meant or (query.heard and query.odds[NOTHING] < NO_QUESTION)
        return self.entries[:SHOWN] if is_question else []

    @property
    def nearest(self) -> list[Section]:
        """The two sections where the answer may stand, if anywhere."""
        return [*dict.fromkeys(entry.section for entry in self.near)][:2]


def search(variant: Variant, typed: str, shelf: Sequence[Variant] = (), most: int = 5) -> Reply:
    """Answer a query from the rules of a game, or of the one in the catalogue that it names.

    Never raises, whatever was typed.
    """
    games = (variant, *shelf)
    # Cut before anything is normalised: marks in a row are sorted at the square of their number.
    mention = mentioned_games(spelled(typed[:LONGEST], games), games)
    return _reply(game_meant(variant, mention), read_query(mention), most)


def search_all(typed: str, shelf: Sequence[Variant], most: int = 5) -> list[Reply]:
    """Answer a query from the game that it names, or from each that it may be about.

    Only one that names a game has a reply that is not certain. Of games made from one another only
    the first is searched.
    """
    mention = mentioned_games(spelled(typed[:LONGEST], shelf), shelf)
    query = read_query(mention)
    if mention.games:
        return [_reply(mention.games[0], query, most)]
    replies = (_reply(game, query, most) for game in shelf if game.has_cards and not game.extends)
    if certain := [reply for reply in replies if reply.certain]:
        return certain
    others = (_reply(game, query, most) for game in shelf if game.has_cards and game.extends)
    return [reply for reply in others if reply.certain][:1]


def read_query(mention: Mention) -> Query:
    """Read what is searched for beside the names of games."""
    words = mention.words
    odds = subject_odds(words)
    if mention.games and NO_MORE.issuperset(words):
        odds = {THE_GAME: 1.0, NOTHING: 0.0}
    heard = sum(word in table_words() for word in words) / (len(words) or 1)
    figures, answered = read_figures(words), answered_before(words)
    named, meant = mention.named, bool(mention.games)
    return Query(words, figures, odds, answered, heard, named, meant, mention.elsewhere)


def _reply(variant: Variant, query: Query, most: int) -> Reply:
    answers = sorted(ranked(variant, query), key=lambda answer: -answer.score)
    # A rule comes before the note on why it is so.
    subject = answers[0].subject
    answers[:SHOWN] = sorted(
        answers[:SHOWN],
        key=lambda each: each.entry.section == "sources" and each.subject == subject,
    )
    terms = certainty_terms(query, answers)
    has_none = query.names_jokers and variant.has_cards and not variant.has_jokers
    is_likely = has_none or any(answer.likely >= UNLIKELY for answer in answers)
    is_sure = sum(map(float.__mul__, model().certainty, terms)) > 0
    is_elsewhere = query.elsewhere or (not has_none and _is_of_others(variant, query))
    certain = is_sure and is_likely and not is_elsewhere
    return Reply(variant, tuple(_with_deal(answers)[:most]), certain, query)


def _is_of_others(variant: Variant, query: Query) -> bool:
    """Whether a query is about what only other games have: a trick, asked of a game of melds."""
    here = {subject for entry in load_book(variant).entries for subject in entry.about}
    others = query.odds.keys() - here - {NOTHING, SILENT}
    of_others = max((query.odds[subject] for subject in others), default=0.0)
    of_game = max((query.odds.get(subject, 0.0) for subject in here), default=0.0)
    return of_others > STRANGE and of_game < SURELY


def _with_deal(answers: list[Answer]) -> list[Answer]:
    """Put the rule of the deal that is named last of those shown, where it stands behind them."""
    found = next((each for each in answers if each.is_of_deal), None)
    if found is None or found in answers[:SHOWN]:
        return answers
    others = [each for each in answers if each is not found]
    return [*others[: SHOWN - 1], found, *others[SHOWN - 1 :]]


def ranked(variant: Variant, query: Query) -> Iterator[Answer]:
    """Score every rule of a game by what was learned."""
    step = deal_meant(variant, query.figures)
    of_deal = (THIS_DEAL, LARGER) if variant.has_own_sizes else (THIS_DEAL,)
    said = wording_of(variant).said(query.words)
    for entry in load_book(variant).entries:
        is_meant = bool(entry.step) and entry.step == step
        about = (*of_deal, *entry.about) if is_meant else entry.about
        odds = {subject: query.odds.get(subject, 0.0) for subject in about}
        subject = max(odds, key=odds.__getitem__, default="")
        likely = odds.get(subject, 0.0)
        terms = (
            log(likely + LEAST),
            said[entry.id],
            query.answered.get(entry.id, 0.0),
            float(entry.own and entry.section != "sources"),
            float(is_meant),
            float(bool(entry.step) and not is_meant),
        )
        score = sum(map(float.__mul__, model().order, terms))
        yield Answer(entry, subject, likely, is_meant, terms, score)


def certainty_terms(query: Query, answers: Sequence[Answer]) -> tuple[float, ...]:
    """Return what tells an answer from none: odds of its subject, likeness of its rule, words."""
    first = answers[0]
    likely = max(answer.likely for answer in answers)
    nothing = query.odds[NOTHING] + query.odds.get(SILENT, 0.0)
    odds = (log(likely + LEAST), log(nothing + LEAST))
    return (*odds, *first.terms[1:3], query.heard, float(query.named), 1.0)
