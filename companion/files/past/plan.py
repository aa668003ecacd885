"""What old scores become: the games as they will be stored, and what the table must decide.

A plan is made of what was read and of the choices so far; what it shows is what is stored. Where
a choice is not made, the best guess stands for it, and a question says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from difflib import SequenceMatcher
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from companion.rules import Variant
from companion.rules.validation import MOST_PLAYERS
from companion.store.names import PlayerNameError, clean_name, name_key

from .meaning import Order, PastError
from .score_shapes import PastGame, as_points

NO_SCORES = (
    "No players with whole numbers were found. Put the players' names above their points, "
    "one column for each."
)
LEFT_OUT = "-"
MOST_GAMES = 20_000
ALIKE = 0.8
"""From here on two names may be one, from 0 (nothing alike) to 1."""
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
    doubles: bool = False
    sheet: str = ""


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


class PlannedGame(Struct, frozen=True):
    """A game as it will be stored: in the league's names, with every number that is known."""

    day: date | None
    variant: Variant | None
    name: str
    players: Sequence[str]
    deals: Sequence[Sequence[int | None]] | None
    totals: Sequence[int]
    is_double: bool = False

    @property
    def winners(self) -> list[str]:
        """Name whoever did best."""
        best = max if self.variant and self.variant.ending.winner == "highest" else min
        most = best(self.totals)
        return [
            name for name, total in zip(self.players, self.totals, strict=True) if total == most
        ]

    @property
    def mark(self) -> tuple[str, frozenset[tuple[str, int]]]:
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


class LeagueSoFar(Struct, frozen=True):
    """What the league has: its games by key, its people, the marks of games it has stored."""

    games: Mapping[str, Variant]
    find_game: FindGame
    people: Sequence[str] = ()
    there: Collection[tuple[str, frozenset[tuple[str, int]]]] = ()
    today: date = date.max


def names_of(found: Sequence[PastGame]) -> list[str]:
    """List the names of games in a file, "" for games without; a control is named by the place."""
    return list(dict.fromkeys(game.game for game in found))


def people_of(found: Sequence[PastGame]) -> list[str]:
    """List the names of people in a file; a control is named by the place."""
    return list(dict.fromkeys(name for game in found for name in game.players))


def make_plan(found: Sequence[PastGame], choices: Choices, league: LeagueSoFar) -> PastPlan:
    """Turn games that were read into games to be stored.

    Raises `PastError` where there are none, or more than a league takes at once.
    """
    if not found:
        raise PastError(NO_SCORES)
    if len(found) > MOST_GAMES:
        raise PastError(f"These are {len(found):,} games: {MOST_GAMES:,} are the most at once.")
    sheets = _sheets_asked(found, choices)
    found = [game for game in found if not choices.sheet or game.sheet == choices.sheet]
    questions = [
        *sheets,
        *_games_asked(found, choices, league),
        *_days_asked(found, choices),
        *_running_asked(found, choices),
    ]
    is_running = choices.running is not False
    read = [as_points(game) if _may_run(game) and is_running else game for game in found]
    read = [game if game.running != "yes" else as_points(game) for game in read]
    questions += [*_missing(read), *_wrong_totals(read, choices)]
    people, asked = _people_asked(read, choices, league)
    questions += asked
    order = choices.order or _order(found)
    games: list[PlannedGame] = []
    checks: list[str] = []
    for game in read:
        planned = _planned(game, choices, league, people, order)
        if planned:
            games.append(planned)
            checks += _checked(planned, game, people, league.today)
    doubles = {game.mark for game in games} & set(league.there)
    games = [replace(game, is_double=game.mark in doubles) for game in games]
    kept = [game for game in games if choices.doubles or not game.is_double]
    if doubles:
        questions.append(_doubles_asked(len(games) - len(kept) or len(doubles), choices))
    return PastPlan(kept, questions, checks[:50], len(read) - len(kept))


def _sheets_asked(found: Sequence[PastGame], choices: Choices) -> list[PlanQuestion]:
    """Offer to take one sheet of several, and to read rows otherwise than they were."""
    questions = []
    sheets = list(dict.fromkeys(game.sheet for game in found))
    if len(sheets) > 1:
        answers = [PlanAnswer("", "All of them"), *(PlanAnswer(one, one) for one in sheets)]
        questions.append(
            PlanQuestion("sheet", "which sheet", answers, choices.sheet, is_asked=False)
        )
    kept = found[0].kept
    if kept in ("games", "deals"):
        answers = [PlanAnswer("games", "A game"), PlanAnswer("deals", "A deal of one game")]
        questions.append(PlanQuestion("kept", "what one row is", answers, kept, is_asked=False))
    return questions


def _games_asked(
    found: Sequence[PastGame], choices: Choices, league: LeagueSoFar
) -> Iterable[PlanQuestion]:
    """Ask which game it is where nothing says so, or where the name is none that we know."""
    known = [PlanAnswer(key, variant.name) for key, variant in league.games.items()]
    for number, name in enumerate(names_of(found)):
        variant = league.find_game(name) if name else None
        if variant:
            continue
        leave = PlanAnswer(LEFT_OUT, "Leave these games out")
        chosen = choices.games.get(name, LEFT_OUT if name else "")
        words = f"which game {name} is" if name else "which game"
        yield PlanQuestion(f"game-{number}", words, [*known, leave], chosen, is_asked=not name)


def _days_asked(found: Sequence[PastGame], choices: Choices) -> Iterable[PlanQuestion]:
    if any(not game.days for game in found):
        yield PlanQuestion("day", "which day", chosen=str(choices.day or ""))
    if any(len(set(game.days.values())) > 1 for game in found):
        orders = [order for order in ("dmy", "mdy") if all(_has(game, order) for game in found)]
        if len(orders) > 1:
            options = [PlanAnswer("dmy", "Day, month, year"), PlanAnswer("mdy", "Month, day, year")]
            words = "how the dates are written"
            yield PlanQuestion("order", words, options, choices.order or _order(found))


def _has(game: PastGame, order: Order) -> bool:
    return not game.days or order in game.days


def _order(found: Sequence[PastGame]) -> Order:
    """Guess how days are written: as all can be read, then as they follow one another."""
    orders: list[Order] = ["dmy", "mdy"]
    can: list[Order] = [one for one in orders if all(_has(game, one) for game in found)]
    for order in can:
        days = [game.days[order] for game in found if game.days]
        if days == sorted(days):
            return order
    return (can or orders)[0]


def _may_run(game: PastGame) -> bool:
    return game.running == "maybe"


def _running_asked(found: Sequence[PastGame], choices: Choices) -> Iterable[PlanQuestion]:
    if any(map(_may_run, found)):
        options = [
            PlanAnswer("running", "Totals so far"),
            PlanAnswer("points", "Points of each deal"),
        ]
        chosen = "points" if choices.running is False else "running"
        yield PlanQuestion("running", "points or running totals", options, chosen)


def _missing(read: Sequence[PastGame]) -> Iterable[PlanQuestion]:
    """Say which numbers a sheet lacks: they count as nothing."""
    for game in read:
        for number, deal in enumerate(game.deals or (), start=1):
            for name, points in zip(game.players, deal, strict=True):
                if points is None:
                    words = f"{name} has no number in {game.deal_word} {number}"
                    yield PlanQuestion("", words, chosen="0")


def _wrong_totals(read: Sequence[PastGame], choices: Choices) -> Iterable[PlanQuestion]:
    """Say which totals of a sheet its deals do not make."""
    options = [
        PlanAnswer("deals", "Take the deals"),
        PlanAnswer("told", "Take the totals, without deals"),
    ]
    for game in read:
        for name, total in zip(game.players, game.totals, strict=True):
            off = game.told.get(name, total) - total
            if off:
                than = f"{abs(off)} {'more' if off > 0 else 'less'} than the deals"
                words = f"the total of {name}: {than}"
                yield PlanQuestion("totals", words, options, choices.totals)


def _people_asked(
    read: Sequence[PastGame], choices: Choices, league: LeagueSoFar
) -> tuple[dict[str, str], list[PlanQuestion]]:
    """Say who each name is; other letters than the league's are proposed, never joined unasked."""
    people: dict[str, str] = {}
    questions: list[PlanQuestion] = []
    keys = {name_key(name): name for name in league.people}
    for number, name in enumerate(people_of(read)):
        is_known = name in league.people
        same = None if is_known else keys.get(name_key(name))
        alike = [same] if same else [one for one in league.people if _are_alike(name, one)]
        alike = [] if is_known else alike
        people[name] = choices.people.get(name, name)
        if not alike:
            questions.append(_column_asked(number, name, people[name], league.people))
        if alike:
            new = f"{name} 2" if same else name
            options = [PlanAnswer(one, one) for one in alike]
            options += [
                PlanAnswer(new, f"{new}, a new player"),
                PlanAnswer(LEFT_OUT, "Leave them out"),
            ]
            words = f"who {name} is, where the league has {' and '.join(alike)}"
            chosen = choices.people.get(name, "" if same else name)
            questions.append(PlanQuestion(f"who-{number}", words, options, chosen))
    return people, sorted(questions, key=lambda question: not question.is_open)


def _column_asked(number: int, name: str, chosen: str, people: Sequence[str]) -> PlanQuestion:
    """Offer to leave a column out, or to call it by another name of the league."""
    others = [PlanAnswer(one, one) for one in people if one != name]
    answers = [PlanAnswer(name, name), PlanAnswer(LEFT_OUT, "Nobody: leave it out"), *others]
    return PlanQuestion(f"who-{number}", f"who {name} is", answers, chosen, False, name)


def _are_alike(name: str, other: str) -> bool:
    """Return whether two names may be one person: a word in common, or nearly the same letters."""
    one, two = name_key(name), name_key(other)
    shared = set(one.split()) & set(two.split())
    return bool(shared) or SequenceMatcher(None, one, two).ratio() >= ALIKE


def _doubles_asked(count: int, choices: Choices) -> PlanQuestion:
    options = [PlanAnswer("no", "Leave them out"), PlanAnswer("yes", "Add them again")]
    words = f"the league has {count} of these games already"
    return PlanQuestion(
        "doubles", words, options, "yes" if choices.doubles else "no", is_asked=False
    )


def _planned(
    game: PastGame,
    choices: Choices,
    league: LeagueSoFar,
    people: Mapping[str, str],
    order: Order,
) -> PlannedGame | None:
    """Lay the choices over a game; None where it is left out."""
    variant = league.find_game(game.game) if game.game else None
    key = choices.games.get(game.game, LEFT_OUT if game.game else "")
    if variant is None and key == LEFT_OUT:
        return None
    variant = variant or league.games.get(key)
    seats = [seat for seat, name in enumerate(game.players) if people[name] != LEFT_OUT]
    if len(seats) < 2:
        return None
    day = game.days.get(order) or next(iter(game.days.values()), None) or choices.day
    deals = None if game.deals is None else [[row[seat] for seat in seats] for row in game.deals]
    totals = [game.totals[seat] for seat in seats]
    names = [game.players[seat] for seat in seats]
    if choices.totals == "told" and any(
        game.told.get(n, t) != t for n, t in zip(names, totals, strict=True)
    ):
        deals, totals = None, [game.told.get(n, t) for n, t in zip(names, totals, strict=True)]
    return PlannedGame(day, variant, game.game, [people[name] for name in names], deals, totals)


def _checked(
    planned: PlannedGame, game: PastGame, people: Mapping[str, str], today: date
) -> Iterable[str]:
    """Say what looks wrong of a game: it is stored as it stands."""
    where = planned.day.isoformat() if planned.day else "A game"
    told = {people.get(name, name) for name in game.winners}
    if told & set(planned.players) and not told & set(planned.winners):
        says = " and ".join(sorted(told))
        yield f"{where}: the file says {says} won, by points it is {' and '.join(planned.winners)}."
    if planned.day and planned.day > today:
        yield f"{where} is still to come."
    if len({name_key(name) for name in planned.players}) < len(planned.players):
        yield f"{where}: someone plays twice."
    for name in planned.players:
        try:
            clean_name(name)
        except PlayerNameError as fault:
            yield f"{where}: {fault}"
    if len(planned.players) > MOST_PLAYERS:
        yield f"{where}: {len(planned.players)} players are more than a table has."
