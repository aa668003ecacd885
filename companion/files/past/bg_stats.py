"""The export of BG Stats, a log of board games: its plays as games of totals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from . import meaning
from .meaning import PastError
from .score_shapes import PastGame

NOT_OURS = "This JSON is neither an export of ours nor one of BG Stats."


class _Game(msgspec.Struct):
    id: int
    name: str
    highestWins: bool | None = None  # noqa: N815


class _Person(msgspec.Struct):
    id: int
    name: str


class _Score(msgspec.Struct):
    playerRefId: int  # noqa: N815  # the file's own name
    score: str | int | None = None
    winner: bool = False


class _Play(msgspec.Struct):
    playDate: str  # noqa: N815
    gameRefId: int  # noqa: N815
    playerScores: list[_Score]  # noqa: N815
    ignored: bool = False


class _Export(msgspec.Struct):
    games: list[_Game]
    players: list[_Person]
    plays: list[_Play]


def read_plays(data: bytes) -> list[PastGame]:
    """Read the plays that count and have points; raises `PastError` for any other JSON."""
    try:
        export = msgspec.json.decode(data, type=_Export)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise PastError(NOT_OURS) from None
    names = {person.id: person.name for person in export.players}
    games = {game.id: game for game in export.games}
    found = (_game(play, names, games) for play in export.plays if not play.ignored)
    return [game for game in found if len(game.players) > 1]


def _game(play: _Play, names: Mapping[int, str], games: Mapping[int, _Game]) -> PastGame:
    scores: dict[str, Any] = {
        names[one.playerRefId]: total
        for one in play.playerScores
        # As text, whatever it is: BG Stats gives scores as text, but a 0 as a number.
        if one.playerRefId in names and (total := meaning.number(str(one.score))) is not None
    }
    winners = tuple(names.get(one.playerRefId, "") for one in play.playerScores if one.winner)
    game = games.get(play.gameRefId)
    return PastGame(
        list(scores),
        None,
        list(scores.values()),
        meaning.days(play.playDate),
        game.name if game else "",
        winners=winners,
        highest_wins=game.highestWins if game else None,
    )
