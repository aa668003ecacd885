"""What a page says to a question: the answer in a word or a number, then the rule it rests on."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from companion.rules import Variant
from companion.rules.asking.figures import LAST, Said
from companion.rules.book import RuleEntry
from companion.rules.contracts import contract_words
from companion.rules.search import THIS_DEAL, Reply
from companion.rules.words import pack_words
from companion.scoring.knock import knock_limit

LONGEST_ANSWER = 17
"""An answer of more words is no headline: the rule is read instead."""

SURE_ENOUGH = 0.5
"""How likely a rule must be for its answer to be the headline; below, its title is."""

OPEN = frozenset({"who", "whose", "why", "when", "where", "which", "how", "what"})
"""What begins a question that Yes or No can't answer."""

CLOSED = frozenset(
    {"is", "are", "do", "does", "did", "can", "may", "must", "will", "has", "have", "am", "should"}
)
"""What begins a question that Yes or No answers, also where it says *not*."""

ONE = {"A": "an ace", "J": "a jack", "Q": "a queen", "K": "a king", "8": "an 8"}


class Headline(Struct, frozen=True):
    """A question that a rule answers, its answer, and what else the rule says."""

    asked: str
    answer: str
    rest: str


def headline(reply: Reply) -> Headline | None:
    """Answer with the best rule; None where the rule has to be read as a whole.

    The answer of a rule is that to what it is about first of all.
    """
    entry, first = reply.entries[0], reply.answers[0]
    said = reply.question.said
    if entry.step and first.likely < SURE_ENOUGH:
        return None
    for subject, figure in _BY_FIGURES.items():
        if subject in entry.about and (found := figure(reply.variant, entry, said)):
            return Headline(*found, entry.text)
    if first.likely < SURE_ENOUGH or first.subject not in (THIS_DEAL, *entry.about[:1]):
        return None
    asked = entry.ask or (entry.title if entry.section == "questions" else "")
    answer, rest = _parted(entry) if asked else ("", entry.text)
    if not answer or len(answer.split()) > LONGEST_ANSWER:
        return None
    if re.match(r"(Yes|No)\b", answer) and not _takes_yes_or_no(reply):
        return None
    return Headline(asked, answer, rest)


def _takes_yes_or_no(reply: Reply) -> bool:
    """Return whether Yes and No would say something: not to *who may*, nor to *nobody buys*."""
    signs, begin = reply.question.signs, {*reply.question.said.words[:1]}
    states = "@not" in signs and signs.keys().isdisjoint({"@may", "@must"}) and not begin & CLOSED
    return not (states or begin & OPEN)


def _parted(entry: RuleEntry) -> tuple[str, str]:
    """Return the answer of a rule, and its text without what the answer says already."""
    if entry.answer:
        yes_or_no = re.match(rf"{re.escape(entry.answer)}[.,:] ?", entry.text)
        return entry.answer, _sentence(entry.text[yes_or_no.end() :] if yes_or_no else entry.text)
    first, stop, rest = entry.text.partition(". ")
    return ("", "") if "[" in first else (first.rstrip("."), rest if stop else "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


Found = tuple[str, str] | None


def _value(variant: Variant, entry: RuleEntry, said: Said) -> Found:
    """Say what one rank costs, where no other figure was said and its colour doesn't matter."""
    points = variant.melds.values.get(said.rank or "")
    if points is None or said.count != 1 or variant.scoring.entry == "payments":
        return None
    if said.rank in variant.melds.by_colour:
        return None
    card = ONE.get(said.rank or "", f"a {said.rank}")
    return f"What does {card} count?", f"{points} point{'s'[: points != 1]}"


def _joker(variant: Variant, entry: RuleEntry, said: Said) -> Found:
    is_asked = "joker" in said.words and entry.about[0] == "joker-value"
    return (entry.title, entry.answer) if is_asked and entry.answer else None


def _dealt(variant: Variant, entry: RuleEntry, said: Said) -> Found:
    step = _step(variant, said)
    if step is None:
        return None
    word = f"{variant.deal_word} {step}"
    return f"How many cards are dealt in {word}?", f"{variant.deal(step).dealt} cards"


def _buys(variant: Variant, entry: RuleEntry, said: Said) -> Found:
    step = _step(variant, said)
    if step is None or variant.pickup.limit_scope == "game" or not variant.buys(step):
        return None
    times = f"{variant.buys(step)} time{'s'[: variant.buys(step) != 1]}"
    return f"How often may I take a discard out of turn in {variant.deal_word} {step}?", times


def _packs(variant: Variant, entry: RuleEntry, said: Said) -> Found:
    players = said.players
    if players is None or not variant.players.min <= players <= variant.players.max:
        return None
    return f"Which cards do {players} players need?", _capital(pack_words(variant.pack(players)))


def _players(variant: Variant, entry: RuleEntry, said: Said) -> Found:
    if said.players is None:
        return None
    can = variant.players.min <= said.players <= variant.players.max
    return f"Can {said.players} play?", "Yes" if can else "No"


def _limit(variant: Variant, entry: RuleEntry, said: Said) -> Found:
    """Say the knock limit at one score; among other figures that of the penalty is no score."""
    knock = variant.scoring.knock
    if said.score is None or knock is None or (said.count > 1 and said.score == knock.penalty):
        return None
    limit = knock_limit(variant, said.score)
    asked = f"With how many points left over may I knock at {said.score}?"
    return asked, "None: only rummy is left" if limit is None else f"{limit} or less"


def _contract(variant: Variant, entry: RuleEntry, said: Said) -> Found:
    contract = variant.deal(entry.step).contract if entry.step else None
    return (entry.title, _capital(contract_words(contract))) if contract else None


def _step(variant: Variant, said: Said) -> int | None:
    """Find the deal that is named; None where none is, or the game has no such one."""
    step = said.step
    last = len(variant.deals)
    if step is None or last == 1:
        return None
    step = last - LAST + step if step < 0 else step
    return step if 0 < step <= last else None


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


_BY_FIGURES: dict[str, Callable[[Variant, RuleEntry, Said], Found]] = {
    "deal": _contract,
    "cards-dealt": _dealt,
    "buy-limit": _buys,
    "decks": _packs,
    "players": _players,
    "knock-limit": _limit,
    "values": _value,
    "joker-value": _joker,
}
"""What is answered with a figure because the question says one, or names the joker."""
