"""What old scores become: the games as they will be stored, and what the table must decide.

A plan is made of what was read and of the choices so far; what it shows is what is stored. Where
a choice is not made, the best guess stands for it, and a question says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.people.house_rules import own_key
from companion.rules import Variant, VariantError, extend, load
from companion.rules.catalogue import ANY
from companion.rules.validation import MOST_PLAYERS
from companion.store.names import PlayerNameError, clean_line, name_key

from .meaning import Order, PastError
from .plan_questions import (
    AS_OURS,
    LEFT_OUT,
    Choices,
    Fingerprint,
    LeagueSoFar,
    PlanQuestion,
    days_asked,
    duplicates_asked,
    games_asked,
    likely_game,
    likely_order,
    missing_numbers,
    names_of,
    people_asked,
    people_of,
    running_asked,
    sheets_asked,
    wrong_totals,
)
from .score_shapes import PastGame, as_points

NO_SCORES = (
    "No players with whole numbers were found. Put the players' names above their points, "
    "one column for each."
)
MOST_NAMES, MOST_KINDS, MOST_CHECKS = 200, 300, 50


class PlannedGame(Struct, frozen=True):
    """A game as it will be stored: in the league's names, with every number that is known."""

    day: date | None
    variant: Variant | None
    name: str
    players: Sequence[str]
    deals: Sequence[Sequence[int | None]] | None
    totals: Sequence[int]
    is_duplicate: bool = False

    @property
    def winners(self) -> list[str]:
        """Name whoever did best."""
        best = max if self.variant and self.variant.ending.winner == "highest" else min
        most = best(self.totals)
        return [
            name for name, total in zip(self.players, self.totals, strict=True) if total == most
        ]

    @property
    def fingerprint(self) -> Fingerprint:
        """What tells a game from others: its day, and who had how many points."""
        scores = zip(map(name_key, self.players), self.totals, strict=True)
        return str(self.day), frozenset(scores)


class PastPlan(Struct, frozen=True):
    """The games to be stored, what is to be decided about them, and what the checks say."""

    games: Sequence[PlannedGame]
    questions: Sequence[PlanQuestion]
    checks: Sequence[str]
    left_out: int = 0

    @property
    def asks(self) -> list[PlanQuestion]:
        """The questions that the file leaves open."""
        return [question for question in self.questions if question.is_asked]

    @property
    def controls(self) -> list[PlanQuestion]:
        """One question for each control: what several ask of one stands in its words."""
        found: dict[str, PlanQuestion] = {}
        asked = (one for one in self.questions if one.field and not one.is_about)
        for one in asked:
            same = found.get(one.field)
            found[one.field] = replace(one, words=f"{same.words}; {one.words}") if same else one
        return sorted(found.values(), key=lambda question: not question.is_asked)

    @property
    def columns(self) -> list[PlanQuestion]:
        """Who each column is, where nothing had to be asked."""
        return [question for question in self.questions if question.is_about]

    @property
    def notices(self) -> list[str]:
        """What is only said."""
        return [question.words for question in self.questions if not question.field]

    @property
    def open(self) -> list[PlanQuestion]:
        """The questions without which nothing can be stored."""
        return [question for question in self.questions if question.is_open]

    @property
    def people(self) -> list[str]:
        """Everybody who plays in these games, as often as they first come."""
        return list(dict.fromkeys(name for game in self.games for name in game.players))

    @property
    def years(self) -> tuple[int, int] | None:
        """The first and the last year; None where no day is known."""
        years = [game.day.year for game in self.games if game.day]
        return (min(years), max(years)) if years else None

    @property
    def span(self) -> str:
        """Say over which years it goes: `2004–2023`, or one of them; nothing without a day."""
        if not self.years:
            return ""
        first, last = self.years
        return str(first) if first == last else f"{first}–{last}"


def make_plan(found: Sequence[PastGame], choices: Choices, league: LeagueSoFar) -> PastPlan:
    """Turn games that were read into games to be stored.

    Raises `PastError` where there are none, or more than a league takes at once.
    """
    if not found:
        raise PastError(NO_SCORES)
    people = people_of(found)
    for count, most, what in (
        (len(people), MOST_NAMES, "names of players"),
        (len(names_of(found)), MOST_KINDS, "kinds of games"),
    ):
        if count > most:
            raise PastError(f"These are {count:,} {what}: {most} are the most. Send it in parts.")
    questions = sheets_asked(found, choices)
    found = [game for game in found if not choices.sheet or game.sheet == choices.sheet]
    read = [_in_points(game, choices) for game in found]
    guesses = {name: likely_game(name, found) for name in names_of(found)}
    questions += [
        *games_asked(guesses, choices, league),
        *days_asked(found, choices),
        *running_asked(found, choices),
        *missing_numbers(read),
        *wrong_totals(read, choices),
        *people_asked(people, choices, league.people),
    ]
    order = choices.order or likely_order(found)
    variants = {name: _variant(name, guess, choices, league) for name, guess in guesses.items()}
    games: list[PlannedGame] = []
    checks: list[str] = []
    for game in read:
        planned = _planned(game, variants[game.game], choices, league, order)
        if planned:
            games.append(planned)
            checks += _checked(planned, game, choices, order, league.today)
    duplicates = sum(game.is_duplicate for game in games)
    if duplicates:
        questions.append(duplicates_asked(duplicates, choices))
    taken = [game for game in games if choices.duplicates or not game.is_duplicate]
    return PastPlan(taken, questions, checks[:MOST_CHECKS], len(read) - len(taken))


def _in_points(game: PastGame, choices: Choices) -> PastGame:
    """Turn running totals into points, where they are or may be such."""
    is_running = game.running == "yes" or (game.running == "maybe" and choices.running is not False)
    return as_points(game) if is_running else game


def _variant(
    name: str, guess: str, choices: Choices, league: LeagueSoFar
) -> Variant | Literal["-"] | None:
    """Return which game a name stands for; None where that is open, `LEFT_OUT` for none."""
    known = league.find_game(name) if name else None
    if known:
        return known
    key = choices.games.get(name, guess)
    if not key:
        return None
    return (_own_game(name, key) if key in AS_OURS else league.games.get(key)) or "-"


def _planned(
    game: PastGame,
    variant: Variant | Literal["-"] | None,
    choices: Choices,
    league: LeagueSoFar,
    order: Order,
) -> PlannedGame | None:
    """Lay the choices over a game; None where it is left out."""
    if variant == "-":
        return None
    seats = [seat for seat, name in enumerate(game.players) if choices.who(name) != LEFT_OUT]
    if len(seats) < 2:
        return None
    names = [game.players[seat] for seat in seats]
    totals = [game.totals[seat] for seat in seats]
    deals = None if game.deals is None else [[row[seat] for seat in seats] for row in game.deals]
    stated = [game.stated.get(name, total) for name, total in zip(names, totals, strict=True)]
    if choices.totals == "stated" and stated != totals:
        deals, totals = None, stated
    day = game.days.get(order) or next(iter(game.days.values()), None) or choices.day
    planned = PlannedGame(
        day,
        variant,
        game.game,
        list(map(choices.who, names)),
        deals,
        totals,
    )
    return replace(planned, is_duplicate=planned.fingerprint in league.stored)


def _own_game(name: str, winner: str) -> Variant | None:
    """Make a game of the family's own that is kept under this name; None where none can be."""
    own = {"key": own_key(name), "extends": ANY, "aliases": [], "verified": "read", "assumed": ""}
    try:
        return extend(load(ANY), own | {"name": name, "ending": {"winner": winner}})
    except VariantError:
        return None


def _checked(
    planned: PlannedGame, game: PastGame, choices: Choices, order: Order, today: date
) -> Iterable[str]:
    """Say what looks wrong of a game: it is stored as it stands."""
    where = planned.day.isoformat() if planned.day else "A game"
    said = {choices.who(name) for name in game.winners}
    if said & set(planned.players) and not said & set(planned.winners):
        names = " and ".join(sorted(said))
        best = " and ".join(planned.winners)
        yield f"{where}: the file says {names} won, by points it is {best}."
    if game.days and order not in game.days:
        yield f"{where} can't be read in the same order as the other days."
    if planned.day and planned.day > today:
        yield f"{where} is still to come."
    if len({name_key(name) for name in planned.players}) < len(planned.players):
        yield f"{where}: someone plays twice."
    for name in planned.players:
        try:
            clean_line(name)
        except PlayerNameError as fault:
            yield f"{where}: {fault}"
    if len(planned.players) > MOST_PLAYERS:
        yield f"{where}: {len(planned.players)} players are more than a table has."
