"""Which game each name in a file is: one of the league's, or one that the family makes with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from unicodedata import category

from msgspec.structs import replace

from companion.people.house_rules import own_key
from companion.rules import Variant, extend, load
from companion.rules.catalogue import ANY
from companion.rules.validation import LONGEST_NAME
from companion.store.names import one_line

from .league_so_far import MOST_OFFERED, LeagueSoFar
from .past_game import PastGame
from .questions import LEFT_OUT, Answer, Question, Questionnaire
from .row_kinds import by_name, counts_wins
from .who_is_who import free_name

OWN = ("lowest", "highest")
"""Which total wins in a game that is kept under its own name, as one whose deals are points."""
LONGEST_KEY = 60


class WhichGame:
    """The game that each name is; None where that is open, or it is left out."""

    def __init__(
        self,
        every: Sequence[PastGame],
        games: Sequence[PastGame],
        league: LeagueSoFar,
        form: Questionnaire,
    ) -> None:
        """Ask which game it is where nothing says so, or where the name is none that we know."""
        self.league = league
        self.notices: list[str] = []
        self.keys, self.names = set(league.games), set[str]()
        self.own: dict[str, Variant] = {}
        self.left_out: set[str] = set()
        named: dict[str, list[PastGame]] = {game.game: [] for game in every}
        for game in games:
            named[game.game].append(game)
        shelf = league.games if len(named) * len(league.games) <= MOST_OFFERED else {}
        known = [Answer(key, variant.name) for key, variant in shelf.items()]
        self.variants = {
            name: self._variant(name, number, games, known, form)
            for number, (name, games) in enumerate(named.items())
        }

    def _variant(
        self,
        name: str,
        number: int,
        games: Sequence[PastGame],
        known: Sequence[Answer],
        form: Questionnaire,
    ) -> Variant | None:
        if name and (variant := self.league.find_game(name)):
            return variant
        chosen = form.ask(_question(name, number, games, known))
        own = name
        if not name:
            typed = Question(
                "own-name",
                "what the game is called",
                is_asked=chosen in OWN,
                label="If it is another game: its name",
                typed="text",
            )
            own = form.ask(typed)
        if chosen == LEFT_OUT:
            self.left_out.add(name)
        if chosen not in OWN or not own:
            return self.league.games.get(chosen)
        of_league = None if name else self.league.find_game(own)
        return of_league or self.own_game(own, chosen)

    def own_game(self, name: str, winner: str) -> Variant:
        """Make a game of the family's own that is kept under this name, shorter if it must be."""
        if name in self.own:
            return self.own[name]
        plain = "".join(sign for sign in one_line(name) if category(sign)[0] != "C")
        plain = plain.translate(str.maketrans("{}[]", "()()"))[:LONGEST_NAME].strip() or "Game"
        short = free_name(plain, " ", LONGEST_NAME, self.names)
        if short != one_line(name):
            self.notices.append(f"The game {name} is kept as {short}.")
        key = free_name(own_key(short), "-", LONGEST_KEY, self.keys)
        self.own[name] = replace(_game_of_points(winner), key=key, name=short)
        return self.own[name]


def _question(
    name: str, number: int, games: Sequence[PastGame], known: Sequence[Answer]
) -> Question:
    is_titled = any(game.is_titled for game in games)
    own = name or "Another game"
    ours = [
        Answer("lowest", f"{own}, fewest points win"),
        Answer("highest", f"{own}, most points win"),
    ]
    leave = Answer(LEFT_OUT, "Leave these games out")
    if name:
        options, words = [*ours, *known, leave], f"which game {name} is"
        guess = "" if is_titled else _likely(games)
    else:
        # A game without a name is more likely on the shelf.
        options, words = [*known, *ours, leave], "which game"
        guess = "highest" if _are_wins(games) else ""
    return Question(f"game-{number}", words, options, guess, is_asked=is_titled or not name)


def _likely(games: Sequence[PastGame]) -> str:
    """Guess which total wins: as the file says, or as its winners have it."""
    stated = [game.highest_wins for game in games if game.highest_wins is not None]
    if stated:
        return "highest" if stated[0] else "lowest"
    high = low = 0
    for game in filter(lambda game: game.winners, games):
        totals = dict(zip(game.players, game.sums, strict=True))
        won = {totals[winner] for winner in game.winners if winner in totals}
        high += max(totals.values()) in won
        low += min(totals.values()) in won
    return "highest" if high > low else "lowest"


def _are_wins(games: Sequence[PastGame]) -> bool:
    """Return whether no number is larger than one win, or each row has one win more."""
    most = (max(p or 0 for p in row) for game in games for row in game.points)
    return bool(games) and (all(p in (0, 1) for p in most) or counts_wins(by_name(games)[1]))


@cache
def _game_of_points(winner: str) -> Variant:
    """Build a game of one's own, once: 300 of them take a second of the processor else."""
    own = {"key": own_key("a"), "extends": ANY, "aliases": [], "verified": "read", "assumed": ""}
    return extend(load(ANY), own | {"name": "a", "ending": {"winner": winner}})
