"""What a page says to a query: the answer in a word or a number, then the rule it rests on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from companion.rules import Variant
from companion.rules.book import RuleEntry, load_book
from companion.rules.card_values import value_asked
from companion.rules.contracts import contract_words
from companion.rules.placeholders import counted
from companion.rules.search import SHOWN, THIS_DEAL, Answer, Query, Reply
from companion.rules.search.figures import deal_meant, step_said
from companion.rules.search.text import features, words_of
from companion.rules.words import many, pack_words
from companion.scoring.knock import knock_limit

LONGEST_ANSWER = 19
"""An answer of more words is no headline: the rule is read instead."""

SURE = 0.4
"""How likely a subject must be for Yes or No: at less, one in three answers another question."""

OPEN = frozenset({"who", "whose", "why", "when", "where", "which", "how", "what"})
"""What begins a question that Yes or No can't answer."""
JOINING = frozenset({"who", "whose", "when", "where", "which"})
"""Those of them that join two parts of a sentence where they aren't its first word."""

CLOSED = frozenset(
    {"is", "are", "do", "does", "did", "can", "may", "must", "will", "has", "have", "am", "should"}
)
"""What begins a question that Yes or No answers, also where it says *not*."""

MODES = frozenset({"@may", "@must"})
"""What a question is about: what one may do, or what one has to."""

BY_DEAL = frozenset({THIS_DEAL, "deal", "cards-dealt", "buy-limit"})
"""Subjects of which each deal may have its own answer, and one that isn't there has none."""

BROAD = frozenset({"a-turn", "action-cards", "bids", "feats", "layout", "partners", "tricks"})
"""Subjects by which rules are about one kind of thing, and still answer different questions."""

TIMES = {"once": 1, "twice": 2, "thrice": 3}
ONE = {"A": "an ace", "J": "a jack", "Q": "a queen", "K": "a king", "8": "an 8"}
YES_OR_NO = re.compile(r"(?:Yes|No)\b")

CLAIM = r" (?:says?|said|claims?|claimed|thinks?|reckons?|insists?) "
OF_TWO = re.compile(
    r" or (?=\w)(?!(?:not|no|so|more|less|fewer|what|something|anything) )"
    rf"| who is (?:right|correct|wrong) |{CLAIM}.*{CLAIM}"
)
"""What asks which of two things is so: Yes would be to one of them, and nobody knows to which."""

BY_TURN, LONGER = "@sameturn", re.compile(r" (?:game|deal|hand|round)s?\b")
"""What asks for one turn, and the spans of an answer that is about no turn."""

OPPOSED = frozenset({"@isdown", "@notdown"})
"""What a rule says of whoever is down it doesn't say of whoever isn't."""

OWN_TURN, OUT_OF_TURN = "@myturn", "@outofturn"
"""What asks for one's own turn, and for the others' turns, which says the first too."""

WORTH = frozenset({"@points", "much", "minus", "left", "caught", "stuck"})
"""What is asked for with one of these is answered with points; who asks in no sentence may too."""


class Headline(Struct, frozen=True):
    """A question that a rule answers, its answer, and what else the rule says."""

    rule: RuleEntry
    asked: str
    answer: str
    rest: str


def headline(reply: Reply) -> Headline | None:
    """Answer in the form of the query; None where the best rule has to be read as a whole.

    Of rules about the same, one that says Yes or No comes first where that is asked, and one that
    says who where somebody asks who.
    """
    if reply.query.names_jokers and reply.variant.has_cards and not reply.variant.has_jokers:
        return _no_jokers(reply.variant)
    shown = reply.answers[:SHOWN]
    # What the book says of its sources is read, not answered with: two of them may disagree.
    rules = [each for each in shown if each.entry.section != "sources"]
    # The best rule may be about two things at once: a knock that is beaten, and one that is tied.
    about = {shown[0].subject, *shown[0].entry.about}
    same = [each for each in rules if each is shown[0] or each.subject in about - BROAD]
    likely = sum(reply.query.odds.get(subject, 0.0) for subject in about)
    words = f" {' '.join(reply.query.words)} "
    headlines = filter(None, (_headline(reply, each, likely) for each in same))
    is_of_two = OF_TWO.search(words) is not None
    return next((h for h in headlines if not (is_of_two and YES_OR_NO.match(h.answer))), None)


def _no_jokers(variant: Variant) -> Headline:
    """Answer whatever is asked about jokers of a game that has none."""
    decks = next(entry for entry in load_book(variant).entries if "decks" in entry.about)
    return Headline(decks, f"Are there jokers in {variant.name}?", "No", decks.text)


def _headline(reply: Reply, answer: Answer, likely: float) -> Headline | None:
    entry, query = answer.entry, reply.query
    if answer.subject in BY_DEAL and step_said(reply.variant, query.figures) == 0:
        return None
    for subject, figure in _BY_FIGURES.items():
        if subject in entry.about and (found := figure(reply.variant, entry, query)):
            return Headline(entry, *found, entry.text)
    is_likeliest = max(answer.likely, likely) >= max(query.odds.values())
    if not is_likeliest or answer.subject not in (THIS_DEAL, *entry.about[:1]):
        return None
    said, rest = _split(entry, query.words)
    title = entry.title if entry.title.endswith("?") else "may I"
    asked = words_of(entry.ask or title)
    if not said or len(said.split()) > LONGEST_ANSWER or not _suits(said, query.words, asked):
        return None
    if YES_OR_NO.match(said) and likely < SURE:
        return None
    return Headline(entry, entry.ask or entry.title, said, rest)


def is_closed(words: Sequence[str]) -> bool:
    """Whether a query asks for Yes or No: by its first word, or the first that begins a question.

    >>> is_closed("can i buy twice".split()), is_closed("i am down may i buy".split())
    (True, True)
    >>> is_closed("how often may i buy".split()), is_closed("my cards".split())
    (False, False)
    """
    return _begins(words) in CLOSED or not CLOSED.isdisjoint(words[:1])


def _begins(words: Sequence[str]) -> str:
    """Return the first word that begins a question; *when I lay down* begins none further on."""
    later = OPEN - JOINING | {"can", "may", "must"}
    found = (word for n, word in enumerate(words) if word in later or (n == 0 and word in OPEN))
    return next(found, "")


def _suits(answer: str, words: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether an answer says Yes or No where that is asked for, and only there.

    No to *may I now?* is Yes to *must I wait?*: what may be done answers no question what must,
    and neither whether something is so. What holds of whoever is down, or of a whole deal, answers
    no question about whoever isn't, or about one turn.
    """
    says_yes_or_no = bool(YES_OR_NO.match(answer))
    ideas = features(words)
    modes = ideas & MODES
    asked_ideas = features(asked)
    if says_yes_or_no and modes and modes.isdisjoint(asked_ideas):
        return False
    if says_yes_or_no and (ideas ^ asked_ideas) & OPPOSED == OPPOSED:
        return False
    if says_yes_or_no and OWN_TURN in ideas and OUT_OF_TURN in asked_ideas - ideas:
        return False
    if LONGER.search(answer) and BY_TURN in ideas - asked_ideas:
        return False
    if is_closed(words):
        return says_yes_or_no
    states = "@not" in ideas and not modes
    return not (says_yes_or_no and (states or _begins(words) in OPEN))


def _split(entry: RuleEntry, words: Sequence[str]) -> tuple[str, str]:
    """Return the answer of a rule, and its text without what the answer says already.

    Who may is in the first sentence of a rule that says who; what is a question has it there too.
    """
    first, _, rest = entry.text.partition(". ")
    first = "" if "[" in first else first.rstrip(".")
    if words[:1] == ["who"]:
        return (first, rest) if entry.title.startswith("Who") else ("", "")
    answer = (is_closed(words) and entry.yes_or_no) or entry.answer
    if answer:
        said = re.match(rf"{re.escape(answer)}[.,:] ?", entry.text)
        return answer, _capital(entry.text[said.end() :] if said else entry.text)
    return (first, rest) if entry.title.endswith("?") else ("", "")


Found = tuple[str, str] | None


def _value(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    """Say what one rank costs, where no other figure was said and its colour doesn't matter."""
    if not _asks_worth(query):
        return None
    if not variant.has_cards:
        return _what_counts(variant, query)
    said = query.figures
    points = variant.melds.values.get(said.rank or "")
    if points is None or said.count != 1 or variant.scoring.entry == "payments":
        return None
    if said.rank in variant.melds.by_colour:
        return None
    card = ONE.get(said.rank or "", f"a {said.rank}")
    return f"What does {card} count?", f"{points} point{'s'[: points != 1]}"


def _what_counts(variant: Variant, query: Query) -> Found:
    """Say what the cards or the feat count that are named, in a game of points."""
    rows = counted(variant)
    value = value_asked(rows, query.words) if rows else None
    if value is None:
        return None
    points = value.points
    unit = " point" if points in ("1", "−1") else " points"
    return value.name, _capital(f"{points}{unit if points.lstrip('−').isdecimal() else ''}")


def _asks_worth(query: Query) -> bool:
    """Whether it asks how many points something is: not *do jokers count towards the 40*."""
    ideas = features(query.words)
    is_sentence = not (OPEN | CLOSED).isdisjoint(query.words)
    return not is_closed(query.words) and not (is_sentence and WORTH.isdisjoint(ideas))


def _joker(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    if not variant.has_cards or not _asks_worth(query):
        return None
    is_asked = query.names_jokers and entry.about[0] == "joker-value"
    return (entry.title, entry.answer) if is_asked and entry.answer else None


def _dealt(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    step = step_said(variant, query.figures)
    if not step:
        return None
    word = f"{variant.deal_word} {step}"
    return f"How many cards are dealt in {word}?", f"{variant.deal(step).dealt} cards"


def _buys(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    """Say the limit of the deal that is named, and No to more times than any deal allows."""
    asked, word = "How often may I take a discard out of turn", variant.deal_word
    limits = [variant.buys(step) for step in range(1, len(variant.deals) + 1)]
    step = step_said(variant, query.figures)
    if step and limits[step - 1] and variant.pickup.limit_scope != "game":
        return f"{asked} in {word} {step}?", _times(limits[step - 1])
    wanted = max((TIMES.get(each, 0) for each in query.words), default=0)
    if BY_TURN in features(query.words):
        return None
    if wanted and is_closed(query.words) and 0 < max(limits) < wanted and all(limits):
        return f"{asked}?", f"No, {_times(max(limits))} in each {word} at most"
    return None


def _times(count: int) -> str:
    return f"{count} time{'s'[: count != 1]}"


def _packs(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    players = query.figures.players
    if players is None or not variant.players.min <= players <= variant.players.max:
        return None
    return f"Which cards do {players} players need?", _capital(pack_words(variant.pack(players)))


def _players(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    players = query.figures.players
    if players is None:
        return None
    can = variant.players.min <= players <= variant.players.max
    if can and variant.players.is_unusual(players):
        return f"Can {players} play?", "Yes, though usually others do"
    return f"Can {players} play?", "Yes" if can else "No"


def _limit(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    """Say the knock limit at one score; among other figures that of the penalty is no score."""
    said, knock = query.figures, variant.scoring.knock
    if said.score is None or knock is None or (said.count > 1 and said.score == knock.penalty):
        return None
    limit = knock_limit(variant, said.score)
    asked = f"With how many points left over may I knock at {said.score}?"
    words = "None: only rummy is left" if limit is None else f"{limit} or less"
    if said.loose is None or not is_closed(query.words):
        return asked, words
    can = said.loose <= (limit or 0)
    return f"May I knock with {said.loose} left over at {said.score}?", "Yes" if can else "No"


def _wild(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    """Say whether the rank that is named is wild, in a game where all deals have the same."""
    rank = "joker" if query.names_jokers else query.figures.rank
    is_asked = "wild" in query.words and is_closed(query.words)
    if not rank or not is_asked or any(deal.wilds for deal in variant.deals):
        return None
    is_wild = rank in variant.melds.wilds
    return f"Are {many(rank)} wild?", "Yes" if is_wild else "No"


def _contract(variant: Variant, entry: RuleEntry, query: Query) -> Found:
    step = deal_meant(variant, query.figures)
    if step and (task := variant.deal(step).task):
        return f"{variant.contract_word.capitalize()} {step}", _capital(task)
    if step not in (None, entry.step):
        return None
    contract = variant.deal(entry.step).contract if entry.step else None
    return (entry.title, _capital(contract_words(contract))) if contract else None


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


_BY_FIGURES: dict[str, Callable[[Variant, RuleEntry, Query], Found]] = {
    "deal": _contract,
    "cards-dealt": _dealt,
    "buy-limit": _buys,
    "decks": _packs,
    "players": _players,
    "knock-limit": _limit,
    "values": _value,
    "joker-value": _joker,
    "which-card-wild": _wild,
}
"""What is answered with a figure because the question says one, or names the joker."""
