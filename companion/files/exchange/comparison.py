"""What a document would bring to a league: a dry run, told in sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.rules import VariantError, load
from companion.store.models import Game, History, House, Player, Season
from companion.store.names import name_key

from .document import Document, GameFacts, HouseFacts
from .import_check import check_document
from .import_seats import refuse_seated_twice, refuse_seating_twice

BATCH = 200
KINDS = ("new", "back", "anew", "same", "ahead", "other")


class ImportPreview(Struct, frozen=True):
    """How a document differs from a league: people and houses by name, games by `uid`.

    `back` are games taken out of the league before that would be there again, `anew` those of them
    that would be as the document has them, which went on elsewhere; `ahead` are games that were
    changed here since, `other` those that are different here. Neither is touched.
    """

    into: str
    new_players: tuple[str, ...] = ()
    known_players: tuple[str, ...] = ()
    new_games: frozenset[str] = frozenset()
    back: frozenset[str] = frozenset()
    anew: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    ahead: frozenset[str] = frozenset()
    other: frozenset[str] = frozenset()
    new_houses: tuple[str, ...] = ()
    kept_houses: tuple[str, ...] = ()
    seasons_left: tuple[str, ...] = ()
    is_new_league: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether there is nothing to bring in."""
        new = self.new_games or self.back or self.anew or self.new_players or self.new_houses
        return not (self.is_new_league or new)

    def sentences(self) -> list[str]:
        """Say it for people."""
        told = [f"A new league, {self.into}."] if self.is_new_league else []
        told += _counted(self.new_games, "{0} game is new.", "{0} games are new.")
        told += _counted(
            self.back,
            "{0} game was taken out here before and comes back.",
            "{0} games were taken out here before and come back.",
        )
        told += _counted(
            self.anew,
            "{0} game was taken out here before and comes back as it is in the file.",
            "{0} games were taken out here before and come back as they are in the file.",
        )
        told += _counted(self.same, "{0} game is here already.", "{0} games are here already.")
        told += _counted(
            self.ahead,
            "{0} game was changed here since: it stays as it is here.",
            "{0} games were changed here since: they stay as they are here.",
        )
        told += _counted(
            self.other,
            "{0} game is different here: it stays as it is here.",
            "{0} games are different here: they stay as they are here.",
        )
        told += _named("New in the list of players", self.new_players)
        told += _named("Here already", self.known_players)
        told += _named("House rules that are new", self.new_houses)
        told += _named("House rules that stay as they are here", self.kept_houses)
        told += _named("Seasons that are not taken over", self.seasons_left)
        return told if not self.is_nothing else [*told, "There is nothing new in this file."]


def _counted(games: frozenset[str], one: str, many: str) -> Iterator[str]:
    if games:
        yield (one if len(games) == 1 else many).format(len(games))


MOST_NAMED = 30


def _named(what: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        more = len(names) - MOST_NAMED
        yield f"{what}: {', '.join(names[:MOST_NAMED])}{f' and {more} more' if more > 0 else ''}."


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
    names = {name_key(player.name): player.name for player in document.players}
    if league_id is None:
        return ImportPreview(
            into=document.league.name,
            new_players=tuple(names.values()),
            new_games=frozenset(game.uid for game in document.games),
            new_houses=tuple(_called(house) for house in document.houses),
            is_new_league=True,
        )
    known = set(
        session.execute(select(Player.name_key).where(Player.league_id == league_id)).scalars()
    )
    houses = set(session.execute(select(House.key).where(House.league_id == league_id)).scalars())
    seasons = set(
        session.execute(select(Season.name).where(Season.league_id == league_id)).scalars()
    )
    games = _compare_games(session, league_id, document.games)
    _refuse_twice(session, league_id, document, games)
    return ImportPreview(
        into="",
        new_players=tuple(name for key, name in names.items() if key not in known),
        known_players=tuple(name for key, name in names.items() if key in known),
        new_houses=tuple(_called(h) for h in document.houses if h.key not in houses),
        kept_houses=tuple(_called(h) for h in document.houses if h.key in houses),
        seasons_left=tuple(s.name for s in document.seasons if s.own and s.name not in seasons),
        new_games=frozenset(games["new"]),
        back=frozenset(games["back"]),
        anew=frozenset(games["anew"]),
        same=frozenset(games["same"]),
        ahead=frozenset(games["ahead"]),
        other=frozenset(games["other"]),
    )


def _refuse_twice(
    session: Session, league_id: int, document: Document, games: Mapping[str, set[str]]
) -> None:
    """Raise `ExchangeError` where a game that is new or comes back would seat a person twice."""
    refuse_seating_twice(session, league_id, document, games["new"] | games["anew"])
    back = select(Game.id).where(
        Game.league_id == league_id, Game.hidden, Game.uid.in_(sorted(games["back"]))
    )
    refuse_seated_twice(session, league_id, list(session.execute(back).scalars()))


def _called(house: HouseFacts) -> str:
    """Return the name of the game that a house plays."""
    if house.rules is not None:
        return str(house.rules["name"])
    try:
        return load(house.key).name
    except VariantError:
        return house.key


def _compare_games(
    session: Session, league_id: int, games: Sequence[GameFacts]
) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for start in range(0, len(games), BATCH):
        batch = games[start : start + BATCH]
        ours = _our_prints(session, league_id, [game.uid for game in batch])
        for game in batch:
            found[_kind(game, ours.get(game.uid))].add(game.uid)
    return found


class _Ours(Struct):
    """A game of the league: whether it was taken out, and a print of each of its changes."""

    hidden: bool
    prints: list[bytes] = field(default_factory=list)


def _kind(game: GameFacts, ours: _Ours | None) -> str:
    if ours is None:
        return "new"
    theirs = list(_prints(msgspec.to_builtins(change) for change in game.history))
    if ours.prints[: len(theirs)] != theirs:
        return "anew" if ours.hidden else "other"
    if ours.hidden:
        return "back"
    return "same" if len(ours.prints) == len(theirs) else "ahead"


def _our_prints(session: Session, league_id: int, uids: Sequence[str]) -> dict[str, _Ours]:
    """Read the histories of some games of ours in one query."""
    mine = (Game.league_id == league_id, Game.uid.in_(uids))
    rows = session.execute(
        select(
            Game.uid,
            Game.hidden,
            History.revision,
            History.action,
            History.at,
            History.notes,
            History.before,
            History.after,
        )
        .join(History, History.game_id == Game.id)
        .where(*mine)
        .order_by(Game.id, History.revision)
    )
    changes: dict[str, list[dict[str, Any]]] = {}
    hidden: dict[str, bool] = {}
    for row in rows:
        hidden[row.uid] = row.hidden
        changes.setdefault(row.uid, []).append(dict(row._mapping) | {"at": row.at.isoformat()})
    return {uid: _Ours(hidden[uid], list(_prints(told))) for uid, told in changes.items()}


def _prints(changes: Iterator[Mapping[str, Any]] | Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    """Return a print of each change; people are numbered as they come, so ids do not matter."""
    people: dict[int, int] = {}

    def canonical(units: Mapping[str, Any]) -> dict[str, Any]:
        seats = units.get("seats")
        if not seats:
            return dict(units)
        own = [s | {"player_id": people.setdefault(s["player_id"], len(people))} for s in seats]
        return {**units, "seats": own}

    for change in changes:
        facts = [change[key] for key in ("revision", "action", "at", "notes")]
        facts += [canonical(change["before"]), canonical(change["after"])]
        yield hashlib.sha256(msgspec.json.encode(facts, order="sorted")).digest()
