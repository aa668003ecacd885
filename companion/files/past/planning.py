"""What old scores become: what was read, and the answers so far, made into a plan.

Where an answer is missing, the best guess takes its place, and a question says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from companion.people.house_rules import MOST_HOUSES
from companion.rules.catalogue import ANY
from companion.rules.validation import MOST_PLAYERS
from companion.scoring.played import MOST_DEALS
from companion.scoring.tally import MOST_POINTS
from companion.store.names import name_key

from .as_document import refusal
from .cell_reader import AS_CHOSEN, CellReader, Reading
from .cell_values import PastError, is_nothing, number
from .cells import Cell
from .day_reader import DayReader
from .league_so_far import Fingerprint, LeagueSoFar
from .past_game import PastGame, PastScores
from .plan import PastPlan, PlannedGame, Unscored
from .questions import LEFT_OUT, Answer, Question, Questionnaire
from .row_kinds import between_rows, tables_so_far
from .which_game import WhichGame
from .who_is_who import names_in, people_of, who_is_who

NO_SCORES = (
    "No players with whole numbers were found. Put the players' names above their points, "
    "one column for each."
)
MOST_NAMES, MOST_KINDS, MOST_SAID, MOST_GAPS = 200, 300, 50, 10
Rows = list[list[int | None]]


def make_plan(scores: PastScores, answers: Mapping[str, str], league: LeagueSoFar) -> PastPlan:
    """Turn what was read into games to be stored; `answers` are by the fields of the questions.

    Raises `PastError` where there are none, or more than a league takes at once.
    """
    if not scores.games:
        raise PastError(" ".join([NO_SCORES, *scores.notices[:5]]))
    for many, most, what in (
        (len(names_in(scores.games)), MOST_NAMES, "names of players"),
        (len({game.game for game in scores.games}), MOST_KINDS, "kinds of games"),
    ):
        if many > most:
            raise PastError(f"These are {many:,} {what}: {most} are the most. Send it in parts.")
    return _Planner(scores, answers, league).plan()


class _Planner:
    """Asks once what is the same for all games of a file, and notes what each number becomes."""

    def __init__(self, scores: PastScores, answers: Mapping[str, str], league: LeagueSoFar) -> None:
        self.scores, self.league = scores, league
        self.form = Questionnaire(answers)
        self.checks: list[str] = []
        self.gaps: list[str] = []
        self.faults: list[str] = []
        self.equals: Counter[Fingerprint] = Counter()
        self.reasons = {cell.position: reason for cell, reason in scores.numbers}
        """Why each number is no score, by its place; "" for one that is."""

    def plan(self) -> PastPlan:
        """Ask, and lay the answers over every game."""
        every, form = self.scores.games, self.form
        for question in _about_the_file(self.scores):
            form.ask(question)
        sheet, wins = form.answers.get("sheet"), form.answers.get("wins")
        taken = self._without(
            [
                (game, sheet in ("", None, game.sheet) and (wins == "keep" or not game.won_only))
                for game in every
            ]
        )
        self.which = WhichGame(every, taken, self.league, form)
        self.checks += self.which.notices
        taken = self._without([(game, game.game not in self.which.left_out) for game in taken])
        self.days = DayReader(taken, form)
        people = who_is_who(every, self.scores, self.league, form)
        if any(name != who for name, who in people.items()):
            taken = [self._renamed(game, people) for game in taken]
        self.cells = CellReader(every, taken, form)
        games = list(self._planned_games(taken))
        self.checks += [*self.scores.notices, *_own_games_said(games)]
        unscored: dict[str, list[Cell]] = {}
        for cell, _ in self.scores.numbers:
            unscored.setdefault(self.reasons[cell.position], []).append(cell)
        scored = len(unscored.pop("", ()))
        plan = PastPlan(
            games,
            form.questions,
            _some(self.checks),
            len(every) - len(games),
            scored,
            [Unscored(reason, cells) for reason, cells in unscored.items()],
            _some(self.gaps, MOST_GAPS),
            _some(list(dict.fromkeys(self.faults))),
        )
        if plan.is_ready and (fault := refusal(plan)):
            return replace(plan, faults=[fault])
        return plan

    def _without(self, games: Sequence[tuple[PastGame, bool]]) -> list[PastGame]:
        """Return the games that are taken; the numbers of the others are noted."""
        for game, is_taken in games:
            if not is_taken:
                self._note(game.rows, AS_CHOSEN)
        return [game for game, is_taken in games if is_taken]

    def _renamed(self, game: PastGame, people: Mapping[str, str]) -> PastGame:
        """Call everybody by their name in the league; the columns of nobody are left out."""
        seats = [n for n, name in enumerate(game.players) if people[name] != LEFT_OUT]
        if len(seats) < len(game.players):
            self._note(game.rows, AS_CHOSEN)
        winners = [people.get(name, name) for name in game.winners]
        return replace(
            game,
            players=[people[game.players[seat]] for seat in seats],
            rows=[[row[seat] for seat in seats] for row in game.rows],
            stated=[game.stated[seat] for seat in seats] if game.stated else [],
            winners=tuple(name for name in winners if name != LEFT_OUT),
        )

    def _planned_games(self, games: Sequence[PastGame]) -> Iterator[PlannedGame]:
        played = [
            game_and_rows
            for table, is_so_far in tables_so_far(games, self.form)
            for game_and_rows in self._points(table, is_so_far=is_so_far)
        ]
        takes_stated = self._takes_stated(played)
        planned = [
            (game, rows, planned)
            for game, rows in played
            if (planned := self._planned(game, rows, takes_stated=takes_stated))
        ]
        takes_duplicates = self._takes_duplicates(sum(one.is_duplicate for *_, one in planned))
        for game, _, one in planned:
            if one.is_duplicate and not takes_duplicates:
                self._note(game.rows, "of games that the league has already")
            elif takes_duplicates and (stored := self.league.stored.get(one.fingerprint, 0)):
                yield replace(one, copy=one.copy + stored)
            else:
                yield one

    def _points(
        self, table: Sequence[PastGame], *, is_so_far: bool
    ) -> Iterator[tuple[PastGame, Rows]]:
        """Read the points of every game; totals so far become what they were made of."""
        last: dict[str, int] = {}
        for game in table:
            readings = [[self.cells.read(game.game, cell) for cell in row] for row in game.rows]
            self._note_readings(game, readings)
            if game.are_totals:
                # Who has no points of a game was not there.
                seats = [n for n, one in enumerate(readings[0]) if one.reason != AS_CHOSEN]
                players = [game.players[seat] for seat in seats]
                row = [readings[0][seat].points for seat in seats]
                cells = [game.rows[0][seat] for seat in seats]
                before = [last.get(name, 0) if is_so_far else 0 for name in players]
                last |= {name: p for name, p in zip(players, row, strict=True) if p is not None}
                row = [p if p is None else p - b for p, b in zip(row, before, strict=True)]
                yield replace(game, players=players, rows=[cells]), [row]
            else:
                rows = [[reading.points for reading in row] for row in readings]
                yield game, between_rows(rows) if is_so_far else rows

    def _note_readings(self, game: PastGame, readings: Sequence[Sequence[Reading]]) -> None:
        """Note what every cell became, and which numbers a sheet lacks: they count as nothing."""
        for number_, (cells, row) in enumerate(zip(game.rows, readings, strict=True), start=1):
            for name, cell, reading in zip(game.players, cells, row, strict=True):
                if isinstance(cell, Cell):
                    self.reasons[cell.position] = reading.reason
                if is_nothing(cell) and not game.are_totals:
                    where = f"{game.sheet}: {name}" if game.sheet else name
                    self.gaps.append(f"{where} has no number in {game.deal_word} {number_}")

    def _takes_stated(self, played: Sequence[tuple[PastGame, Rows]]) -> bool:
        """Ask which is right where totals of a sheet are not what its deals make."""
        off = [
            f"the total of {name}: {abs(more):g} {'more' if more > 0 else 'less'} than the deals"
            for game, rows in played
            for name, cell, total in zip(game.players, game.stated, _sums(rows), strict=False)
            if (stated := number(cell)) is not None and (more := stated - total)
        ]
        options = [
            Answer("deals", "Take the deals"),
            Answer("stated", "Take the totals, without deals"),
        ]
        words = "; ".join(_some(off))
        return bool(off) and self.form.ask(Question("totals", words, options, "deals")) == "stated"

    def _takes_duplicates(self, count: int) -> bool:
        options = [Answer("no", "Leave them out"), Answer("yes", "Add them again")]
        words = f"the league has {count} of these games already"
        question = Question("duplicates", words, options, "no", is_asked=False)
        return bool(count) and self.form.ask(question) == "yes"

    def _planned(self, game: PastGame, rows: Rows, *, takes_stated: bool) -> PlannedGame | None:
        """Lay the answers over a game; None where it cannot be kept."""
        variant = self.which.variants[game.game]
        if game.won_only:
            variant = self.which.own_game(f"{game.game}, who won", "highest")
        totals = _sums(rows)
        if reason := _why_not(game, rows, totals):
            self._note(game.rows, reason)
            return None
        stated = [
            total if (said := number(cell)) is None else round(said)
            for cell, total in zip(game.stated or [""] * len(totals), totals, strict=True)
        ]
        is_stated = takes_stated and stated != totals
        if is_stated:
            self._note(game.rows, "of deals that do not make the totals")
            self._note([game.stated], "")
        planned = PlannedGame(
            self.days.day(game),
            variant,
            game.game,
            game.players,
            None if game.are_totals or is_stated else rows,
            stated if is_stated else totals,
            game.note,
            is_stopped=game.is_stopped,
        )
        if tie_break := _tie_break(game, planned):
            planned = replace(planned, note=" ".join(filter(None, (game.note, tie_break))))
        fingerprint = planned.fingerprint
        earlier, stored = self.equals[fingerprint], self.league.stored.get(fingerprint, 0)
        self.equals[fingerprint] += 1
        if earlier or stored:
            # Each game of the league answers for one of those that are equal.
            planned = replace(planned, is_duplicate=earlier < stored, copy=earlier)
        self._check(game, planned)
        return planned

    def _check(self, game: PastGame, planned: PlannedGame) -> None:
        """Note what looks wrong of a game, which is stored as it is."""
        where = planned.day.isoformat() if planned.day else "A game"
        best = " and ".join(planned.winners) if game.winners else ""
        if game.winners and not {*game.winners} & {*planned.winners}:
            names = " and ".join(sorted(set(game.winners)))
            self.checks.append(f"{where}: the file says {names} won, by points it is {best}.")
        if said := _tie_break(game, planned):
            self.checks.append(f"{where}: {best} share the best total. {said}")
        if game.days and self.days.order not in game.days:
            self.checks.append(f"{where} can't be read in the same order as the other days.")
        if planned.day and planned.day > self.league.today:
            self.checks.append(f"{where} is still to come.")
        if twice := _twice(tuple(planned.players)):
            self.faults.append(f"{where}: {twice} plays twice. Say who is who.")

    def _note(self, rows: Sequence[Sequence[str]], reason: str) -> None:
        for row in rows:
            for cell in row:
                if isinstance(cell, Cell):
                    self.reasons[cell.position] = reason


def _about_the_file(scores: PastScores) -> Iterator[Question]:
    """Ask how its letters are written, which sheet is taken, and what becomes of mere winners."""
    if len(scores.encodings) > 1:
        options = [Answer(one.name, one.words) for one in scores.encodings]
        is_unsure = scores.encodings[0].is_unsure
        words = "how these names are written"
        yield Question("encoding", words, options, options[0].value, is_unsure)
    sheets = list(dict.fromkeys(game.sheet for game in scores.games))
    if len(sheets) > 1:
        options = [Answer("", "All of them"), *(Answer(one, one) for one in sheets)]
        yield Question("sheet", "which sheet", options, is_asked=False)
    if scores.columns:
        options = [Answer(one, one) for one in dict.fromkeys(scores.columns)]
        yield Question("column", "which column has the points", options)
    if plays := sum(game.won_only for game in scores.games):
        words = f"{plays} play has no points" if plays == 1 else f"{plays} plays have no points"
        options = [
            Answer("leave", "Leave them out"),
            Answer("keep", "Keep who won: 1 for the winner, 0 for the others"),
        ]
        yield Question("wins", words, options, "leave", is_asked=False)


def _why_not(game: PastGame, rows: Rows, totals: Sequence[int]) -> str:
    """Return why a game cannot be stored; nothing where it can."""
    if len(game.players) < 2:
        return "of games with fewer than two players"
    if len(game.players) > MOST_PLAYERS:
        return f"of games with more than {MOST_PLAYERS} players, the most a table has"
    if len(rows) > MOST_DEALS:
        return f"of games with more than {MOST_DEALS:,} deals"
    figures = [points or 0 for row in rows for points in row]
    if any(abs(points) > MOST_POINTS for points in (*figures, *totals)):
        return f"of games with more than {MOST_POINTS:,} points"
    return ""


def _tie_break(game: PastGame, planned: PlannedGame) -> str:
    """Say who of those who tie has won by the file."""
    won = [name for name in game.winners if name in planned.winners]
    if 0 < len(won) < len(planned.winners):
        return f"{' and '.join(won)} won the tie."
    return ""


@lru_cache(256)
def _twice(players: tuple[str, ...]) -> str:
    """Return who sits in two places, as members of teams too; nothing for nobody."""
    people = [person for name in players for person in people_of(name)]
    seen = Counter(map(name_key, people))
    return next((name for name in people if seen[name_key(name)] > 1), "")


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


def _some(words: list[str], most: int = MOST_SAID) -> list[str]:
    more = len(words) - most
    return words if more <= 0 else [*words[:most], f"and {more} more of these"]
