"""What old scores become: what was read, and the choices so far, made into a plan.

Where a choice is not made, the best guess stands for it, and a question says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from unicodedata import category

from msgspec.structs import replace

from companion.games.from_paper import fits_paper
from companion.games.record import MOST_DEALS, MOST_POINTS
from companion.people.house_rules import MOST_HOUSES, own_key
from companion.rules import Variant, extend, load
from companion.rules.catalogue import ANY
from companion.rules.validation import LONGEST_NAME, MOST_PLAYERS
from companion.store.names import (
    LONGEST,
    PlayerNameError,
    all_different,
    name_key,
    one_line,
    shortened,
    team_of,
)

from .as_document import refusal
from .choices import LEFT_OUT, Choices, PlanQuestion
from .meaning import NO_YEAR, PastError, holds_number, is_nothing, number
from .odd_cells import odd_cells_asked, reader
from .past_game import PastGame, PastScores
from .places import place_of
from .plan import PastPlan, PlannedGame, Unscored
from .plan_questions import (
    AS_OURS,
    LeagueSoFar,
    by_table,
    days_asked,
    duplicates_asked,
    games_asked,
    likely_games,
    likely_order,
    likely_row,
    names_of,
    people_asked,
    people_of,
    rows_asked,
    sheets_asked,
    wins_asked,
    writings_asked,
    wrong_totals,
)
from .so_far import between_rows

NO_SCORES = (
    "No players with whole numbers were found. Put the players' names above their points, "
    "one column for each."
)
MOST_NAMES, MOST_KINDS, MOST_SAID = 200, 300, 50
AS_CHOSEN = "left out, as chosen"
Rows = list[list[int | None]]


def make_plan(scores: PastScores, choices: Choices, league: LeagueSoFar) -> PastPlan:
    """Turn what was read into games to be stored.

    Raises `PastError` where there are none, or more than a league takes at once.
    """
    if not scores.games:
        raise PastError(" ".join([NO_SCORES, *(f"{words}." for words in scores.notices[:5])]))
    for many, most, what in (
        (len(people_of(scores.games)), MOST_NAMES, "names of players"),
        (len(names_of(scores.games)), MOST_KINDS, "kinds of games"),
    ):
        if many > most:
            raise PastError(f"These are {many:,} {what}: {most} are the most. Send it in parts.")
    return _Planner(scores, choices, league).plan()


class _Planner:
    """What is decided once for all games of a file, and what became of each number so far."""

    def __init__(self, scores: PastScores, choices: Choices, league: LeagueSoFar) -> None:
        self.scores, self.choices, self.league = scores, choices, league
        self.taken = [game for game in scores.games if self._is_taken(game)]
        self.guesses = likely_games(scores.games, self.taken)
        self.order = choices.order or likely_order(self.taken)
        self.read = reader(scores.games, choices)
        self.who = _settled_names(people_of(scores.games), choices, league)
        self.keys: set[str] = set(league.games)
        self.own_names: set[str] = set()
        self.own_games: dict[str, Variant] = {}
        self.checks: list[str] = []
        self.variants = {name: self._variant(name) for name in self.guesses}
        self.questions: list[PlanQuestion] = []
        self.faults: list[str] = []
        self.unscored: dict[str, list[str]] = {}
        self.totals: list[PlanQuestion] = []
        self.scored = self.duplicates = 0

    def _is_taken(self, game: PastGame) -> bool:
        of_sheet = self.choices.sheet in ("", game.sheet)
        return of_sheet and (self.choices.wins == "keep" or not game.won_only)

    def plan(self) -> PastPlan:
        """Lay the choices over every game."""
        every, choices = self.scores.games, self.choices
        self.questions += [
            *writings_asked(self.scores.writings),
            *sheets_asked(every, choices),
            *games_asked(self.guesses, choices, self.league),
            *days_asked(self.taken, choices),
            *rows_asked(self.taken, choices),
            *wins_asked(every, choices),
            *odd_cells_asked(every, self.taken, choices),
        ]
        games = list(self._games())
        self._account_for_others()
        self.questions += [*self.totals, *people_asked(every, choices, self.league.people)]
        if self.duplicates:
            self.questions.append(duplicates_asked(self.duplicates, choices))
        self.checks += [*self.scores.notices, *_own_games_said(games)]
        plan = PastPlan(
            games,
            self.questions,
            _some(self.checks),
            len(every) - len(games),
            self.scored,
            [Unscored(reason, places) for reason, places in self.unscored.items()],
            _some(list(dict.fromkeys(self.faults))),
        )
        if plan.is_ready and (fault := refusal(plan)):
            return replace(plan, faults=[fault])
        return plan

    def _games(self) -> Iterator[PlannedGame]:
        for game, rows in self._rows():
            self._say_gaps(game, rows)
            if not game.are_totals:
                self.totals += wrong_totals(game, _sums(rows), self.choices)
            planned = self._planned(game, rows)
            if planned is None:
                continue
            self.duplicates += planned.is_duplicate
            if planned.is_duplicate and not self.choices.duplicates:
                self._leave(game, "of games that the league has already")
            else:
                self._count(game, rows)
                yield planned

    def _account_for_others(self) -> None:
        """Name the numbers of what was not taken, and those that no game has."""
        for game in self.scores.games:
            if not self._is_taken(game):
                self._leave(game, AS_CHOSEN)
        for one in self.scores.leftovers:
            self.unscored.setdefault(one.reason, []).append(place_of(one.cell, one.sheet))

    def _rows(self) -> Iterator[tuple[PastGame, Rows]]:
        """Read the points of every game; totals so far become what they were made of."""
        for games in by_table(self.taken):
            kind = self.choices.row or likely_row(games)[0]
            read = [[self._row(game, row) for row in game.rows] for game in games]
            if kind == "games so far" and all(game.are_totals for game in games):
                names = list(dict.fromkeys(name for game in games for name in game.players))
                rows = [
                    dict(zip(game.players, one[0], strict=True))
                    for game, one in zip(games, read, strict=True)
                ]
                changes = between_rows([[row.get(name) for name in names] for row in rows])
                for game, change in zip(games, changes, strict=True):
                    won = dict(zip(names, change, strict=True))
                    yield game, [[won[name] for name in game.players]]
            else:
                for game, rows_of in zip(games, read, strict=True):
                    so_far = kind == "deals so far" and not game.are_totals
                    yield game, between_rows(rows_of) if so_far else rows_of

    def _row(self, game: PastGame, row: Sequence[str]) -> list[int | None]:
        return [self.read(game.game, cell) for cell in row]

    def _say_gaps(self, game: PastGame, rows: Rows) -> None:
        """Say which numbers a sheet lacks: they count as nothing."""
        if game.are_totals:
            return
        for number_, (row, cells) in enumerate(zip(rows, game.rows, strict=True), start=1):
            for name, points, cell in zip(game.players, row, cells, strict=True):
                if points is None and is_nothing(cell) and len(self.questions) < 300:
                    words = f"{name} has no number in {game.deal_word} {number_}"
                    self.questions.append(PlanQuestion("", words, chosen="0"))

    def _planned(self, game: PastGame, rows: Rows) -> PlannedGame | None:
        """Lay the choices over a game; None where it is left out, its numbers noted."""
        variant = self.variants[game.game]
        if self.choices.games.get(game.game) == LEFT_OUT:
            self._leave(game, AS_CHOSEN)
            return None
        if game.won_only:
            variant = self._own_game(f"{game.game}, who won", "highest")
        seats = [seat for seat in range(len(game.players)) if self._plays(game, rows, seat)]
        names = [self.who[game.players[seat]] for seat in seats]
        reason = self._why_not(game, variant, names, rows)
        if reason:
            self._leave(game, reason)
            return None
        deals: Rows | None = [[row[seat] for seat in seats] for row in rows]
        totals = _sums(deals or [])
        said = [
            total
            if (stated := number(game.stated.get(game.players[seat], ""))) is None
            else round(stated)
            for seat, total in zip(seats, totals, strict=True)
        ]
        if game.are_totals or (self.choices.totals == "stated" and said != totals):
            deals, totals = None, said
        day = self._day(game)
        planned = PlannedGame(day, variant, game.game, names, deals, totals)
        planned = replace(
            planned,
            is_duplicate=planned.fingerprint in self.league.stored,
            note=self._tie_break(game, planned),
        )
        self._check(game, planned)
        return planned

    def _plays(self, game: PastGame, rows: Rows, seat: int) -> bool:
        """Return whether a seat is kept: its column is, and its only number was not left out."""
        if self.who[game.players[seat]] == LEFT_OUT:
            return False
        if not game.are_totals or rows[0][seat] is not None:
            return True
        text = game.rows[0][seat]
        is_left_out = isinstance(number(text), float) or self.choices.cells.get(text) == LEFT_OUT
        return not is_left_out

    def _why_not(
        self, game: PastGame, variant: Variant | None, names: Sequence[str], rows: Rows
    ) -> str:
        """Say why a game cannot be stored; nothing where it can."""
        if len(names) < 2:
            return "of games with fewer than two players"
        if len(names) > MOST_PLAYERS:
            return f"of games with more than {MOST_PLAYERS} players, the most a table has"
        if len(rows) > MOST_DEALS:
            return f"of games with more than {MOST_DEALS:,} deals"
        if variant and not fits_paper(variant):
            return f"of {variant.name}: a sheet doesn't say who met which contract"
        figures = [points or 0 for row in rows for points in row]
        if any(abs(points) > MOST_POINTS for points in (*figures, *_sums(rows))):
            return f"of games with more than {MOST_POINTS:,} points"
        return ""

    def _day(self, game: PastGame) -> date | None:
        day = game.days.get(self.order) or next(iter(game.days.values()), None) or self.choices.day
        if day and day.year == NO_YEAR:
            year = self.choices.year
            return day.replace(year=year) if year and (day.month, day.day) != (2, 29) else None
        return day

    def _tie_break(self, game: PastGame, planned: PlannedGame) -> str:
        """Say who of those who tie has won by the file."""
        said = [self.who.get(name, name) for name in game.winners]
        best = planned.winners
        won = [name for name in said if name in best]
        if len(best) > 1 and won and len(won) < len(best):
            return f"{' and '.join(won)} won the tie."
        return ""

    def _check(self, game: PastGame, planned: PlannedGame) -> None:
        """Say what looks wrong of a game: it is stored as it stands."""
        where = planned.day.isoformat() if planned.day else "A game"
        said = {self.who.get(name, name) for name in game.winners}
        best = " and ".join(planned.winners)
        if said and not said & set(planned.winners):
            names = " and ".join(sorted(said))
            self.checks.append(f"{where}: the file says {names} won, by points it is {best}.")
        if planned.note:
            self.checks.append(f"{where}: {best} share the best total. {planned.note}")
        if game.days and self.order not in game.days:
            self.checks.append(f"{where} can't be read in the same order as the other days.")
        if planned.day and planned.day > self.league.today:
            self.checks.append(f"{where} is still to come.")
        people = [person for name in planned.players for person in _people(name)]
        twice = [name for name, many in Counter(map(name_key, people)).items() if many > 1]
        if twice:
            name = next(name for name in people if name_key(name) == twice[0])
            self.faults.append(f"{where}: {name} plays twice. Say who is who.")

    def _count(self, game: PastGame, rows: Rows) -> None:
        """Count the numbers of a game that comes in as its points, and name its others."""
        for cells, row in zip(game.rows, rows, strict=True):
            for name, cell, points in zip(game.players, cells, row, strict=True):
                if not holds_number(cell) or game.won_only:
                    continue
                if points is not None and self.who[name] != LEFT_OUT:
                    self.scored += 1
                else:
                    is_chosen = self.who[name] == LEFT_OUT or cell in self.choices.cells
                    reason = AS_CHOSEN if is_chosen or self.choices.halves else "to be decided"
                    self.unscored.setdefault(reason, []).append(place_of(cell, game.sheet))

    def _leave(self, game: PastGame, reason: str) -> None:
        places = self.unscored.setdefault(reason, [])
        cells = [cell for row in game.rows for cell in row if holds_number(cell)]
        places += [place_of(cell, game.sheet) for cell in cells if not game.won_only]

    def _variant(self, name: str) -> Variant | None:
        """Return which game a name stands for; None where that is open or it is left out."""
        known = self.league.find_game(name) if name else None
        if known:
            return known
        key = self.choices.games.get(name, self.guesses[name])
        if key not in AS_OURS:
            return self.league.games.get(key)
        own = name or self.choices.own_name
        return self.league.find_game(own) or self._own_game(own, key) if own else None

    def _own_game(self, name: str, winner: str) -> Variant:
        """Make a game of the family's own that is kept under this name, shorter if it must be."""
        if name in self.own_games:
            return self.own_games[name]
        plain = "".join(sign for sign in one_line(name) if category(sign)[0] != "C")
        plain = plain.translate(str.maketrans("{}[]", "()()"))[:LONGEST_NAME].strip() or "Game"
        short = _free(plain, " ", LONGEST_NAME, self.own_names)
        if short != one_line(name):
            self.checks.append(f"The game {name} is kept as {short}.")
        key = _free(own_key(short), "-", 60, self.keys)
        variant = replace(_game_of_points(winner), key=key, name=short)
        self.own_games[name] = variant
        return variant


@cache
def _game_of_points(winner: str) -> Variant:
    """Build a game of one's own, once: 300 of them take a second of the processor else."""
    own = {"key": own_key("a"), "extends": ANY, "aliases": [], "verified": "read", "assumed": ""}
    return extend(load(ANY), own | {"name": "a", "ending": {"winner": winner}})


def _free(text: str, sign: str, most: int, taken: set[str]) -> str:
    """Return a name that is not taken, with a number after a sign if it must be, and take it."""
    free, count = text, 1
    while name_key(free) in taken:
        count += 1
        ending = f"{sign}{count}"
        free = text[: most - len(ending)].strip() + ending
    taken.add(name_key(free))
    return free


def _settled_names(names: Iterable[str], choices: Choices, league: LeagueSoFar) -> dict[str, str]:
    """Return who each name is: as chosen, else itself; one team is one however it is written."""
    settled: dict[str, str] = {}
    spelled: dict[frozenset[str], str] = dict(league.teams)
    taken: set[str] = set()
    for name in names:
        chosen = choices.people.get(name, "")
        if chosen == LEFT_OUT:
            settled[name] = LEFT_OUT
            continue
        members = _people(chosen or name)
        who = " + ".join(members)
        if len(members) == 1:
            who = shortened(chosen) or shortened(name) or "?"
            if not chosen and who != name:
                who = _free(who, " ", LONGEST, taken)
        taken.add(name_key(who))
        key = frozenset(map(name_key, members)) if len(members) > 1 else frozenset([who])
        settled[name] = spelled.setdefault(key, who)
    return settled


def _people(name: str) -> list[str]:
    """Return the members of a team, or the one person of a name."""
    try:
        return all_different(team_of(name)) or [name]
    except PlayerNameError:
        return [name]


def _sums(rows: Rows) -> list[int]:
    return [sum(points or 0 for points in column) for column in zip(*rows, strict=True)]


def _own_games_said(games: Sequence[PlannedGame]) -> Iterator[str]:
    """Say where more kinds of games come in than a league keeps among its own."""
    own = {game.variant.key for game in games if game.variant and game.variant.extends == ANY}
    if len(own) > MOST_HOUSES:
        yield (
            f"These are {len(own)} kinds of games of your own. All their games come in; the "
            f"{MOST_HOUSES} that were played most are kept to be played again."
        )


def _some(said: list[str]) -> list[str]:
    more = len(said) - MOST_SAID
    return said if more <= 0 else [*said[:MOST_SAID], f"and {more} more of these"]
