"""What a document would bring to a league: a dry run, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.record import read_units
from companion.rules import VariantError, load
from companion.store.database import AnyRow
from companion.store.models import Game, History, House, Player, Season
from companion.store.names import name_key

from .document import ChangeData, Document, GameData, HouseData
from .exporting import with_players
from .import_check import check_document
from .import_seats import refuse_seated_twice, refuse_seating_twice

BATCH = 200
MOST_NAMED = 30
GAMES = {
    "new": ("{0} game is new.", "{0} games are new."),
    "back": (
        "{0} game was taken out here before and comes back.",
        "{0} games were taken out here before and come back.",
    ),
    "anew": (
        "{0} game was taken out here before and comes back as it is in the file.",
        "{0} games were taken out here before and come back as they are in the file.",
    ),
    "same": ("{0} game is here already.", "{0} games are here already."),
    "ahead": (
        "{0} game was changed here since: it stays as it is here.",
        "{0} games were changed here since: they stay as they are here.",
    ),
    "newer": (
        "{0} game went on in the file: it stays as it is here.",
        "{0} games went on in the file: they stay as they are here.",
    ),
    "other": (
        "{0} game is different here: it stays as it is here.",
        "{0} games are different here: they stay as they are here.",
    ),
}
"""How a game of a document may stand to those of a league, and how that is said of one and many.

`back` are games taken out of the league before that would be there again, `anew` those of them
that would be as the document has them, which went on elsewhere; `ahead` are games that were
changed here since, `newer` those that went on in the file, `other` those that are different here.
None of these is touched.
"""
NAMES = {
    "players": "New in the list of players",
    "known_players": "Here already",
    "houses": "House rules that are new",
    "known_houses": "House rules that stay as they are here",
    "seasons_left": "Seasons that are not taken over",
}
Names = dict[str, list[str]]


class ImportPreview(Struct, frozen=True):
    """How a document differs from a league: games by `uid` for each of `GAMES`, names by `NAMES`.

    `new_league` is the name of one that would be made.
    """

    new_league: str = ""
    games: Mapping[str, set[str]] = {}
    names: Names = {}

    def uids(self, *kinds: str) -> set[str]:
        """Return the games that stand so to those of the league."""
        return {uid for kind in kinds for uid in self.games.get(kind, ())}

    @property
    def is_nothing(self) -> bool:
        """Whether there is nothing to bring in."""
        names = self.names.get("players") or self.names.get("houses")
        return not (self.new_league or names or self.uids("new", "back", "anew"))

    def sentences(self) -> list[str]:
        """Say it for people."""
        lines = [f"A new league, {self.new_league}."] if self.new_league else []
        for kind, (singular, plural) in GAMES.items():
            if uids := self.games.get(kind):
                lines.append((singular if len(uids) == 1 else plural).format(len(uids)))
        for kind, words in NAMES.items():
            if names := self.names.get(kind):
                more = len(names) - MOST_NAMED
                others = f" and {more} more" if more > 0 else ""
                lines.append(f"{words}: {', '.join(names[:MOST_NAMED])}{others}.")
        return lines if not self.is_nothing else [*lines, "There is nothing new in this file."]


def preview_import(session: Session, league_id: int | None, document: Document) -> ImportPreview:
    """Say what bringing a document into a league, or into a new one, would change.

    Raises `ExchangeError` that names what cannot be brought in at all.
    """
    check_document(document)
    return import_preview(session, league_id, document)


def import_preview(session: Session, league_id: int | None, document: Document) -> ImportPreview:
    """Compare a document that was looked over already.

    Raises `ExchangeError` where one person would sit at one table twice.
    """
    names = _compare_names(session, league_id or 0, document)
    if league_id is None:
        games = {"new": {game.uid for game in document.games}}
        return ImportPreview(document.league.name, games, names | {"seasons_left": []})
    games = _compare_games(session, league_id, document.games)
    refuse_seating_twice(session, league_id, document, games["new"] | games["anew"])
    back = (Game.league_id == league_id, Game.hidden, Game.uid.in_(sorted(games["back"])))
    numbers = session.execute(select(Game.id).where(*back)).scalars()
    refuse_seated_twice(session, league_id, list(numbers))
    return ImportPreview("", games, names)


def _compare_names(session: Session, league_id: int, document: Document) -> Names:
    """Sort people, house rules and seasons by whether the league has them; it may be none."""

    def known(column: Any, of: Any) -> set[str]:
        return set(session.execute(select(column).where(of.league_id == league_id)).scalars())

    players, houses = known(Player.name_key, Player), known(House.key, House)
    seasons = known(Season.name, Season)
    names: Names = {kind: [] for kind in NAMES}
    for player in (one for one in document.players if not one.members):
        is_here = name_key(player.name) in players
        names["known_players" if is_here else "players"].append(player.name)
    for house in document.houses:
        names["known_houses" if house.key in houses else "houses"].append(_name_of(house))
    names["seasons_left"] = [s.name for s in document.seasons if s.own and s.name not in seasons]
    return names


def _name_of(house: HouseData) -> str:
    """Return the name of the game that a house plays."""
    if house.rules is not None:
        return str(house.rules["name"])
    try:
        return load(house.key).name
    except VariantError:
        return house.key


def _compare_games(
    session: Session, league_id: int, games: Iterable[GameData]
) -> dict[str, set[str]]:
    by_kind: dict[str, set[str]] = {kind: set() for kind in GAMES}
    following = iter(games)
    while batch := list(islice(following, BATCH)):
        ours = _histories(session, league_id, [game.uid for game in batch])
        for game in batch:
            by_kind[_kind(game, ours.get(game.uid, []))].add(game.uid)
    return by_kind


def _kind(game: GameData, ours: Sequence[AnyRow]) -> str:
    if not ours:
        return "new"
    theirs, own_changes = list(_changes(game.history)), list(_changes(ours))
    hidden = ours[0].hidden
    # Two histories are never woven into one: where they part, ours stays.
    if own_changes[: len(theirs)] != theirs:
        newer = theirs[: len(own_changes)] == own_changes
        return "anew" if hidden else "newer" if newer else "other"
    if hidden:
        return "back"
    return "same" if len(own_changes) == len(theirs) else "ahead"


def _histories(session: Session, league_id: int, uids: Sequence[str]) -> dict[str, list[AnyRow]]:
    """Read the histories of some games of ours in one query."""
    columns = (History.revision, History.action, History.at, History.after)
    rows = session.execute(
        select(Game.uid, Game.hidden, *columns)
        .join(History, History.game_id == Game.id)
        .where(Game.league_id == league_id, Game.uid.in_(uids))
        .order_by(Game.id, History.revision)
    )
    by_uid: dict[str, list[AnyRow]] = {}
    for row in rows:
        by_uid.setdefault(row.uid, []).append(row)
    return by_uid


def _changes(history: Iterable[ChangeData | AnyRow]) -> Iterator[Any]:
    """Read what each change led to, to compare; people are numbered as they come: ids differ."""
    people: dict[int, int] = {}
    for change in history:
        for seat in change.after.get("seats") or ():
            people.setdefault(seat["player_id"], len(people) + 1)
        units = read_units(with_players(change.after, people))
        yield (change.revision, change.action, change.at, units)
