"""What the table must decide about old scores: each question with its guess, and who asks it when.

Where a choice is not made, the guess stands for it; what was only guessed is a control as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, pairwise

from msgspec import Struct

from companion.rules import Variant
from companion.store.names import LONGEST, length, name_key, shortened

from . import meaning
from .choices import LEFT_OUT, Choices, PlanAnswer, PlanQuestion
from .meaning import NO_YEAR, Order
from .past_game import PastGame, RowKind
from .so_far import counts_wins, likely_so_far
from .tables import Writing

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


class LeagueSoFar(Struct, frozen=True):
    """What the league has: its games by key, its people, the marks of games it has stored.

    `teams` are the names of teams by the keys of their members' names.
    """

    games: Mapping[str, Variant]
    find_game: FindGame
    people: Sequence[str] = ()
    teams: Mapping[frozenset[str], str] = {}
    stored: Collection[Fingerprint] = ()
    today: date = date.max


def names_of(found: Sequence[PastGame]) -> list[str]:
    """List the names of games in a file, "" for games without; a control is named by the place."""
    return list(dict.fromkeys(game.game for game in found))


def people_of(found: Sequence[PastGame]) -> list[str]:
    """List the names of people in a file; a control is named by the place."""
    return list(dict.fromkeys(name for game in found for name in game.players))


def sheets_asked(found: Sequence[PastGame], choices: Choices) -> Iterator[PlanQuestion]:
    """Offer to take one sheet of several."""
    sheets = list(dict.fromkeys(game.sheet for game in found))
    if len(sheets) > 1:
        answers = [PlanAnswer("", "All of them"), *(PlanAnswer(one, one) for one in sheets)]
        yield PlanQuestion("sheet", "which sheet", answers, choices.sheet, is_asked=False)


def writings_asked(writings: Sequence[Writing]) -> Iterator[PlanQuestion]:
    """Offer to read the letters otherwise; asked only where two readings are as likely."""
    if len(writings) > 1:
        answers = [PlanAnswer(one.encoding, one.words) for one in writings]
        yield PlanQuestion(
            "encoding",
            "how these names are written",
            answers,
            writings[0].encoding,
            is_asked=writings[0].is_unsure,
        )


def likely_games(found: Sequence[PastGame], taken: Sequence[PastGame]) -> dict[str, str]:
    """Guess what each game is that we don't know: one of the family's own, won as the file says."""
    named: dict[str, list[PastGame]] = {game.game: [] for game in found}
    for game in taken:
        named[game.game].append(game)
    guesses = {name: _likely_winner(games) for name, games in named.items()}
    if "" in guesses:
        guesses[""] = "highest" if are_wins(taken) else ""
    return guesses


def _likely_winner(games: Sequence[PastGame]) -> str:
    stated = [game.highest_wins for game in games if game.highest_wins is not None]
    if stated:
        return "highest" if stated[0] else "lowest"
    high = low = 0
    for game in games:
        totals = dict(zip(game.players, game.sums, strict=True))
        won = {totals[winner] for winner in game.winners if winner in totals}
        high += max(totals.values()) in won
        low += min(totals.values()) in won
    return "highest" if high > low else "lowest"


def games_asked(
    guesses: Mapping[str, str], choices: Choices, league: LeagueSoFar
) -> Iterable[PlanQuestion]:
    """Ask which game it is where nothing says so, or where the name is none that we know.

    `guesses` holds every game's name and what `likely_games` says of it.
    """
    shelf = league.games if len(guesses) * len(league.games) <= MOST_OFFERED else {}
    known = [PlanAnswer(key, variant.name) for key, variant in shelf.items()]
    for number, (name, guess) in enumerate(guesses.items()):
        variant = league.find_game(name) if name else None
        if variant:
            continue
        leave = PlanAnswer(LEFT_OUT, "Leave these games out")
        chosen = choices.games.get(name, guess)
        own = name or "Another game"
        ours = [
            PlanAnswer("lowest", f"{own}, fewest points win"),
            PlanAnswer("highest", f"{own}, most points win"),
        ]
        words = f"which game {name} is" if name else "which game"
        # Its own name stands first in the list; a game without one is more likely on the shelf.
        answers = [*ours, *known, leave] if name else [*known, *ours, leave]
        yield PlanQuestion(f"game-{number}", words, answers, chosen, is_asked=not name)
        if not name:
            yield PlanQuestion(
                "own-name",
                "what the game is called",
                chosen=choices.own_name,
                is_asked=chosen in AS_OURS,
                takes_text=True,
                label="If it is another game: its name",
            )


def days_asked(found: Sequence[PastGame], choices: Choices) -> Iterable[PlanQuestion]:
    """Ask for a day or year where none stands, and for the order where all have two readings."""
    if any(day.year == NO_YEAR for game in found for day in game.days.values()):
        year = str(choices.year or "")
        yield PlanQuestion("year", "of which year the days are", (), year, takes_text=True)
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
    days = {order: [game.days[order] for game in found if game.days] for order in can}
    rising = [order for order in can if days[order] and days[order] == sorted(days[order])]
    # Evenings a week apart are likelier than the same on the first of two months.
    rising.sort(key=lambda order: days[order][-1] - days[order][0])
    return (rising or can or orders)[0]


def are_wins(found: Sequence[PastGame]) -> bool:
    """Return whether no number is larger than one win, or each row has one win more."""
    rows = [row for game in found if not game.game for row in game.numbers]
    most = {max(row, default=0) for row in rows}
    same = {tuple(game.players) for game in found}
    return bool(most) and (most <= {0, 1} or (len(same) == 1 and counts_wins(rows)))


def by_table(found: Sequence[PastGame]) -> Iterator[list[PastGame]]:
    """Gather what stands or falls together when rows are totals so far."""
    for _, games in groupby(found, lambda game: (game.table, game.sheet)):
        gathered = list(games)
        if gathered[0].row_kind == "games":
            yield gathered
        else:
            yield from ([game] for game in gathered)


def rows_so_far(games: Sequence[PastGame]) -> tuple[list[str], list[list[int | None]]]:
    """Return the rows of some games under the same names; None for who was not there."""
    names = list(dict.fromkeys(name for game in games for name in game.players))
    rows = []
    for game in games:
        for row in game.numbers:
            points = dict(zip(game.players, row, strict=True))
            rows.append([points.get(name) for name in names])
    return names, rows


def likely_row(games: Sequence[PastGame]) -> tuple[RowKind, bool]:
    """Guess what a row of one table is, and whether that must be asked."""
    game = games[0]
    names, rows = rows_so_far(games)
    if game.row_kind == "games":
        is_so_far = counts_wins(rows)
        return ("games so far" if is_so_far else "games"), is_so_far
    if game.are_totals:
        return "games", False
    stated = [int(meaning.number(game.stated.get(name, "")) or 0) for name in names]
    guess = likely_so_far(rows, stated if len(game.stated) == len(names) else ())
    return ("deals" if guess == "no" else "deals so far"), guess == "maybe"


def rows_asked(found: Sequence[PastGame], choices: Choices) -> Iterator[PlanQuestion]:
    """Ask what each row is: points, totals so far, or a game; the totals stand with each."""
    rows = [game for game in found if game.row_kind or not game.are_totals]
    guesses = [
        (games, *likely_row(games))
        for games in by_table(rows)
        if sum(len(game.rows) for game in games) > 1
    ]
    if not guesses:
        return
    asked = [one for one in guesses if one[2]]
    games, guess, is_asked = (asked or guesses)[0]
    game = games[0]
    first, last = game.sums, game.numbers[-1]
    kinds: dict[RowKind, str] = {}
    if not game.are_totals:
        kinds |= {
            "deals": f"Points of a {game.deal_word}: {_totals(game.players, first)}",
            "deals so far": f"Totals so far: {_totals(game.players, last)}",
        }
    elif game.row_kind:
        kinds["deals"] = "Points of a deal of one game"
    if game.row_kind:
        kinds["games"] = "A game"
    if game.are_totals:
        kinds["games so far"] = "A game, with totals so far"
    answers = [PlanAnswer(kind, words) for kind, words in kinds.items()]
    chosen = choices.row if choices.row in kinds else guess
    words = "points or running totals"
    yield PlanQuestion("row", words, answers, chosen, is_asked=is_asked, label="Each row is")


def _totals(names: Sequence[str], totals: Sequence[int]) -> str:
    some = ", ".join(f"{name} {total}" for name, total in list(zip(names, totals, strict=True))[:4])
    return f"{some} …" if len(names) > 4 else some


def wins_asked(found: Sequence[PastGame], choices: Choices) -> Iterator[PlanQuestion]:
    """Offer to keep plays of which only the winner is known."""
    plays = sum(game.won_only for game in found)
    if plays:
        has = f"{plays} play has" if plays == 1 else f"{plays} plays have"
        answers = [
            PlanAnswer("leave", "Leave them out"),
            PlanAnswer("keep", "Keep who won: 1 for the winner, 0 for the others"),
        ]
        yield PlanQuestion("wins", f"{has} no points", answers, choices.wins, is_asked=False)


def wrong_totals(game: PastGame, totals: Sequence[int], choices: Choices) -> Iterator[PlanQuestion]:
    """Say which totals of a sheet its deals do not make."""
    for name, total in zip(game.players, totals, strict=True):
        stated = meaning.number(game.stated.get(name, ""))
        off = 0 if stated is None else stated - total
        if off:
            than = f"{abs(off):g} {'more' if off > 0 else 'less'} than the deals"
            words = f"the total of {name}: {than}"
            options = [
                PlanAnswer("deals", "Take the deals"),
                PlanAnswer("stated", "Take the totals, without deals"),
            ]
            yield PlanQuestion("totals", words, options, choices.totals)


def people_asked(
    found: Sequence[PastGame], choices: Choices, people: Sequence[str]
) -> list[PlanQuestion]:
    """Ask who each name is, in their order; other letters than the league's are only proposed."""
    names = people_of(found)
    twins = {name for game in found for name in game.twins}
    keys = {name_key(name): name for name in people}
    marks = {name: _letter_pairs(name) for name in (*people, *names)}
    others = people if len(names) * len(people) <= MOST_OFFERED else ()
    questions = []
    for place, name in enumerate(names):
        field, chosen = f"who-{place}", choices.people.get(name, "")
        same = keys.get(name_key(name))
        where = "where the league has" if same is None or same in people else "where the file has"
        alike = [same] if same else [p for p in people if _are_alike(marks[name], marks[p])][:9]
        keys.setdefault(name_key(name), name)
        if name in twins:
            first = name.rpartition(" ")[0]
            words = f"who the second {first} is" if name.endswith(" 2") else f"who {name} is"
            answers = [
                PlanAnswer(name, f"{name}, someone else than {first}"),
                *(PlanAnswer(one, one) for one in others if one != name),
                PlanAnswer(LEFT_OUT, "Leave this column out"),
            ]
            questions.append(PlanQuestion(field, words, answers, chosen))
            continue
        if length(name) > LONGEST:
            words = f"a shorter name for {name}"
            cut = chosen or shortened(name)
            questions.append(PlanQuestion(field, words, (), cut, takes_text=True))
            continue
        if not alike or same == name:
            questions.append(_column_asked(field, name, chosen or name, others))
            continue
        new = f"{name} 2" if same else name
        answers = [
            *(PlanAnswer(one, one) for one in alike),
            PlanAnswer(new, f"{new}, a new player"),
            PlanAnswer(LEFT_OUT, "Leave them out"),
        ]
        words = f"who {name} is, {where} {' and '.join(alike)}"
        guess = "" if same else name  # nobody is joined with another unasked
        label = f"Is {name} the same as {' or '.join(alike)}?"
        questions.append(PlanQuestion(field, words, answers, chosen or guess, label=label))
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
