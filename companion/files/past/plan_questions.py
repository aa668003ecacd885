"""What the table must decide about old scores: each question with its guess, and who asks it when.

Where a choice is not made, the guess stands for it; what was only guessed is a control as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct, field

from companion.rules import Variant
from companion.store.names import name_key

from .meaning import Order
from .score_shapes import PastGame

LEFT_OUT = "-"
AS_OURS = ("lowest", "highest")
"""Which total wins in a game that is kept under its own name, as one whose deals are points."""
ALIKE = 0.65
"""From this share of their pairs of letters on two names may be one."""
MOST_OFFERED = 4_000
"""Answers that all lists of names, or of games, may have: the page would be megabytes else."""
Marks = tuple[frozenset[str], frozenset[str]]
Fingerprint = tuple[str, frozenset[tuple[str, int]]]
"""What tells a game from others: its day, and who had how many points."""
FindGame = Callable[[str], Variant | None]


class Choices(Struct):
    """What was decided so far; empty where the guess stands.

    `games` says which game each name in the file is, "" those without a name; `people` who each
    name is; `LEFT_OUT` leaves either out. `totals` tells which is right where both don't fit.
    """

    games: dict[str, str] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    day: date | None = None
    order: Order | None = None
    running: bool | None = None
    totals: str = "deals"
    duplicates: bool = False
    sheet: str = ""

    def who(self, name: str) -> str:
        """Return who a name in the file is: themselves, where nothing else was chosen."""
        return self.people.get(name, name)


class PlanAnswer(NamedTuple):
    """One answer to a question."""

    value: str
    words: str


class PlanQuestion(Struct, frozen=True):
    """Something that the file does not say, with the guess; `field` names its control.

    `is_asked` is False for what was only guessed; `is_about` names the column it speaks of.
    """

    field: str
    words: str
    options: Sequence[PlanAnswer] = ()
    chosen: str = ""
    is_asked: bool = True
    is_about: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nothing can be stored before it is answered."""
        return self.is_asked and not self.chosen


class LeagueSoFar(Struct, frozen=True):
    """What the league has: its games by key, its people, the marks of games it has stored."""

    games: Mapping[str, Variant]
    find_game: FindGame
    people: Sequence[str] = ()
    stored: Collection[Fingerprint] = ()
    today: date = date.max


def names_of(found: Sequence[PastGame]) -> list[str]:
    """List the names of games in a file, "" for games without; a control is named by the place."""
    return list(dict.fromkeys(game.game for game in found))


def people_of(found: Sequence[PastGame]) -> list[str]:
    """List the names of people in a file; a control is named by the place."""
    return list(dict.fromkeys(name for game in found for name in game.players))


def sheets_asked(found: Sequence[PastGame], choices: Choices) -> list[PlanQuestion]:
    """Offer to take one sheet of several, and to read rows otherwise than they were."""
    questions = []
    sheets = list(dict.fromkeys(game.sheet for game in found))
    if len(sheets) > 1:
        answers = [PlanAnswer("", "All of them"), *(PlanAnswer(one, one) for one in sheets)]
        questions.append(
            PlanQuestion("sheet", "which sheet", answers, choices.sheet, is_asked=False)
        )
    if kind := found[0].row_kind:
        answers = [PlanAnswer("games", "A game"), PlanAnswer("deals", "A deal of one game")]
        questions.append(PlanQuestion("row", "what one row is", answers, kind, is_asked=False))
    return questions


def likely_game(name: str, found: Sequence[PastGame]) -> str:
    """Guess what a game is that we don't know: one of the family's own, won as the file says."""
    if not name:
        return ""
    games = [game for game in found if game.game == name]
    stated = [game.highest_wins for game in games if game.highest_wins is not None]
    if stated:
        return "highest" if stated[0] else "lowest"
    scores = [dict(zip(game.players, game.totals, strict=True)) for game in games]
    won = [
        {totals[name] for name in game.winners if name in totals}
        for game, totals in zip(games, scores, strict=True)
    ]
    high = sum(max(game.totals) in best for game, best in zip(games, won, strict=True))
    low = sum(min(game.totals) in best for game, best in zip(games, won, strict=True))
    return "highest" if high > low else "lowest"


def games_asked(
    guesses: Mapping[str, str], choices: Choices, league: LeagueSoFar
) -> Iterable[PlanQuestion]:
    """Ask which game it is where nothing says so, or where the name is none that we know.

    `guesses` holds every game's name and what `likely_game` says of it.
    """
    shelf = league.games if len(guesses) * len(league.games) <= MOST_OFFERED else {}
    known = [PlanAnswer(key, variant.name) for key, variant in shelf.items()]
    for number, (name, guess) in enumerate(guesses.items()):
        variant = league.find_game(name) if name else None
        if variant:
            continue
        leave = PlanAnswer(LEFT_OUT, "Leave these games out")
        chosen = choices.games.get(name, guess)
        ours = [
            PlanAnswer("lowest", f"{name}, fewest points win"),
            PlanAnswer("highest", f"{name}, most points win"),
        ]
        words = f"which game {name} is" if name else "which game"
        answers = [*(ours if name else []), *known, leave]
        yield PlanQuestion(f"game-{number}", words, answers, chosen, is_asked=not name)


def days_asked(found: Sequence[PastGame], choices: Choices) -> Iterable[PlanQuestion]:
    """Ask for a day where none stands, and for the order where all days have two readings."""
    if any(not game.days for game in found):
        yield PlanQuestion("day", "which day", chosen=str(choices.day or ""))
    if any(len(set(game.days.values())) > 1 for game in found):
        orders = [order for order in ("dmy", "mdy") if all(_has(game, order) for game in found)]
        if len(orders) > 1:
            options = [PlanAnswer("dmy", "Day, month, year"), PlanAnswer("mdy", "Month, day, year")]
            words = "how the dates are written"
            yield PlanQuestion("order", words, options, choices.order or likely_order(found))


def _has(game: PastGame, order: Order) -> bool:
    return not game.days or order in game.days


def likely_order(found: Sequence[PastGame]) -> Order:
    """Guess how days are written: as all can be read, then as they follow one another."""
    orders: list[Order] = ["dmy", "mdy"]
    can: list[Order] = [one for one in orders if all(_has(game, one) for game in found)]
    for order in can:
        days = [game.days[order] for game in found if game.days]
        if days == sorted(days):
            return order
    return (can or orders)[0]


def running_asked(found: Sequence[PastGame], choices: Choices) -> Iterable[PlanQuestion]:
    """Ask what rows are that never fall, where no total at their foot says it."""
    if any(game.running == "maybe" for game in found):
        options = [
            PlanAnswer("running", "Totals so far"),
            PlanAnswer("points", "Points of each deal"),
        ]
        chosen = "points" if choices.running is False else "running"
        yield PlanQuestion("running", "points or running totals", options, chosen)


def missing_numbers(read: Sequence[PastGame]) -> Iterable[PlanQuestion]:
    """Say which numbers a sheet lacks: they count as nothing."""
    for game in read:
        for number, deal in enumerate(game.deals or (), start=1):
            for name, points in zip(game.players, deal, strict=True):
                if points is None:
                    words = f"{name} has no number in {game.deal_word} {number}"
                    yield PlanQuestion("", words, chosen="0")


def wrong_totals(read: Sequence[PastGame], choices: Choices) -> Iterable[PlanQuestion]:
    """Say which totals of a sheet its deals do not make."""
    options = [
        PlanAnswer("deals", "Take the deals"),
        PlanAnswer("stated", "Take the totals, without deals"),
    ]
    for game in read:
        for name, total in zip(game.players, game.totals, strict=True):
            off = game.stated.get(name, total) - total
            if off:
                than = f"{abs(off)} {'more' if off > 0 else 'less'} than the deals"
                words = f"the total of {name}: {than}"
                yield PlanQuestion("totals", words, options, choices.totals)


def people_asked(
    names: Sequence[str], choices: Choices, people: Sequence[str]
) -> list[PlanQuestion]:
    """Ask who each name is, in their order; other letters than the league's are only proposed."""
    keys = {name_key(name): name for name in people}
    marks = {name: _letter_pairs(name) for name in (*people, *names)}
    others = people if len(names) * len(people) <= MOST_OFFERED else ()
    questions = []
    for number, name in enumerate(names):
        field, chosen = f"who-{number}", choices.people.get(name, "")
        same = keys.get(name_key(name))
        alike = [same] if same else [p for p in people if _are_alike(marks[name], marks[p])][:9]
        if not alike or same == name:
            questions.append(_column_asked(field, name, chosen or name, others))
            continue
        new = f"{name} 2" if same else name
        answers = [
            *(PlanAnswer(one, one) for one in alike),
            PlanAnswer(new, f"{new}, a new player"),
            PlanAnswer(LEFT_OUT, "Leave them out"),
        ]
        words = f"who {name} is, where the league has {' and '.join(alike)}"
        guess = "" if same else name  # nobody is joined with another unasked
        questions.append(PlanQuestion(field, words, answers, chosen or guess))
    return sorted(questions, key=lambda question: not question.is_open)


def _column_asked(field: str, name: str, chosen: str, people: Sequence[str]) -> PlanQuestion:
    """Offer to leave a column out, or to call it by another name of the league."""
    others = [PlanAnswer(one, one) for one in people if one != name]
    answers = [PlanAnswer(name, name), PlanAnswer(LEFT_OUT, "Nobody: leave it out"), *others]
    return PlanQuestion(field, f"who {name} is", answers, chosen, is_asked=False, is_about=name)


def _letter_pairs(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a name, and its pairs of letters, ends included."""
    key = name_key(name)
    return frozenset(key.split()), frozenset(map("".join, pairwise(f"^{key}$")))


def _are_alike(name: Marks, other: Marks) -> bool:
    """Return whether two names may be one person: a word in common, or nearly the same letters."""
    (words, pairs), (other_words, other_pairs) = name, other
    shared = 2 * len(pairs & other_pairs)
    return not words.isdisjoint(other_words) or shared >= ALIKE * (len(pairs) + len(other_pairs))


def duplicates_asked(count: int, choices: Choices) -> PlanQuestion:
    """Offer to add games once more that the league has."""
    options = [PlanAnswer("no", "Leave them out"), PlanAnswer("yes", "Add them again")]
    words = f"the league has {count} of these games already"
    return PlanQuestion(
        "duplicates", words, options, "yes" if choices.duplicates else "no", is_asked=False
    )
