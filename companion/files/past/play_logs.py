"""Logs of plays of board games, of BG Stats and of BoardGameGeek: each play as a game of totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree.ElementTree import ParseError, XMLParser

import msgspec

from companion.store.names import one_line

from . import cell_values
from .cell_values import PastError
from .cells import Cell
from .past_game import PastGame, PastScores
from .score_shapes import MOST_GAMES
from .tables import MOST_BYTES, MOST_CELLS, TOO_LARGE

NOT_OURS = "This is neither an export of ours nor one of BG Stats or BoardGameGeek."


NO_POINTS = "no points"


class _Game(msgspec.Struct):
    id: int
    name: str = ""
    highestWins: bool | None = None  # noqa: N815


class _Person(msgspec.Struct):
    id: int
    name: str = ""


class _Score(msgspec.Struct):
    playerRefId: int = 0  # noqa: N815  # the file's own name
    score: str | int | float | None = None
    winner: bool | int | None = False
    anonymousName: str | None = None  # noqa: N815


class _Play(msgspec.Struct):
    playDate: str = ""  # noqa: N815
    gameRefId: int = 0  # noqa: N815
    playerScores: list[_Score] = []  # noqa: N815
    ignored: bool | int | None = False


class _Export(msgspec.Struct):
    games: list[_Game]
    players: list[_Person]
    plays: list[_Play]


class _Item(msgspec.Struct, frozen=True):
    name: str = ""


class _BggPlayer(msgspec.Struct):
    name: str = ""
    username: str | None = ""
    score: str | int | float | None = None
    win: str | int | bool | None = None


class _BggPlay(msgspec.Struct):
    date: str = ""
    item: _Item = _Item()
    players: list[_BggPlayer] = []


class _BggExport(msgspec.Struct):
    plays: list[_BggPlay]


class _Seat(msgspec.Struct, frozen=True):
    name: str
    score: Cell
    won: bool


class _Log(msgspec.Struct, frozen=True):
    """A play of either program."""

    day: str
    game: str
    seats: list[_Seat]
    highest_wins: bool | None = None
    is_ignored: bool = False


def is_log(data: bytes) -> bool:
    """Return whether a file is JSON or XML, which nobody keeps a table in."""
    return data[:100].lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"<")


def read_plays(data: bytes) -> PastScores:
    """Read all plays; those without points know who won, and the others are named.

    Raises `PastError` for any other JSON or XML.
    """
    if len(data) > MOST_BYTES:
        raise PastError(TOO_LARGE)
    text = data.lstrip(b"\xef\xbb\xbf \r\n\t")
    try:
        return _scores(_plays(text))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ParseError):
        raise PastError(NOT_OURS) from None


def _plays(text: bytes) -> Iterator[_Log]:
    if text[:1] == b"<":
        return _bgg(_of_xml(text.decode()))
    if b'"playerScores"' in text or b'"playerRefId"' in text or b'"plays"' not in text[:2000]:
        return _bg_stats(msgspec.json.decode(text, type=_Export))
    return _bgg(msgspec.json.decode(text, type=_BggExport, strict=False))


def _bg_stats(export: _Export) -> Iterator[_Log]:
    names = {person.id: one_line(person.name) for person in export.players}
    games = {game.id: game for game in export.games}
    for number, play in enumerate(export.plays, start=1):
        game = games.get(play.gameRefId, _Game(0))
        seats = [
            _Seat(
                names.get(one.playerRefId)
                or one_line(one.anonymousName or "")
                or f"Player {one.playerRefId}",
                _cell(one.score, number, seat),
                bool(one.winner),
            )
            for seat, one in enumerate(play.playerScores)
        ]
        name, is_ignored = one_line(game.name), bool(play.ignored)
        yield _Log(play.playDate, name, seats, game.highestWins, is_ignored)


def _bgg(export: _BggExport) -> Iterator[_Log]:
    for number, play in enumerate(export.plays, start=1):
        seats = [
            _Seat(
                one_line(one.name or one.username or "") or "?",
                _cell(one.score, number, seat),
                str(one.win).casefold() in ("1", "true"),
            )
            for seat, one in enumerate(play.players)
        ]
        yield _Log(play.date, one_line(play.item.name), seats)


def _of_xml(text: str) -> _BggExport:
    """Read the XML of BoardGameGeek, which declares no entities of its own."""
    plays: list[dict[str, Any]] = []

    class Plays:
        """Takes elements as they begin: no tree of all of them is kept."""

        def start(self, tag: str, attributes: dict[str, str]) -> None:
            if tag == "play":
                plays.append({**attributes, "players": []})
            elif tag == "item" and plays:
                plays[-1]["item"] = attributes
            elif tag == "player" and plays:
                plays[-1]["players"].append(attributes)

    # As text: of bytes the parser would take an encoding in which this isn't seen.
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise PastError(NOT_OURS)
    parser = XMLParser(target=Plays())  # noqa: S314  # without a document type there are no entities
    parser.feed(text)
    if not plays:
        raise PastError(NOT_OURS)
    return msgspec.convert({"plays": plays}, _BggExport, strict=False)


def _cell(score: str | float | None, number: int, seat: int) -> Cell:
    if isinstance(score, float):
        score = f"{score:.4f}" if score % 1 else f"{score:.0f}"
    return Cell("" if score is None else str(score).strip(), number, -seat)


def _scores(plays: Iterable[_Log]) -> PastScores:
    scores = PastScores([], [], [])
    left: dict[str, list[str]] = {}
    cells = 0
    for number, play in enumerate(plays, start=1):
        cells += len(play.seats)
        if cells > MOST_CELLS or len(scores.games) > MOST_GAMES:
            raise PastError(f"{MOST_GAMES:,} plays and {MOST_CELLS:,} scores are the most at once.")
        game = _game(play)
        why = "" if isinstance(game, PastGame) else game
        scores.numbers += [
            (seat.score, f"of plays {why}" if why else "of a play of which few points are known")
            for seat in play.seats
            if cell_values.holds_number(seat.score)
        ]
        if isinstance(game, PastGame):
            scores.games.append(game)
        else:
            left.setdefault(game, []).append(f"{number} ({play.day[:10] or 'no day'})")
    for why, numbers in left.items():
        more = [f"and {len(numbers) - 6} more"] if len(numbers) > 6 else []
        which = ", ".join([*numbers[:6], *more])
        many = "1 play" if len(numbers) == 1 else f"{len(numbers)} plays"
        scores.notices.append(f"{many} {why}: {which}.")
    return scores


def _game(play: _Log) -> PastGame | str:
    """Make a game of a play; or return why there is none."""
    if play.is_ignored:
        return "that the app itself ignores can't be kept"
    if len(play.seats) < 2:
        return "with fewer than two players can't be kept"
    names = _numbered([seat.name for seat in play.seats])
    winners = tuple(name for name, seat in zip(names, play.seats, strict=True) if seat.won)
    scores = [seat.score for seat in play.seats]
    won_only = sum(not cell_values.is_nothing(score) for score in scores) < 2
    if won_only and len(winners) in (0, len(names)):
        return "without points were won or lost together, or have no winner"
    row: list[str]
    if won_only:
        row = ["1" if seat.won else "0" for seat in play.seats]
    else:
        # Asked about like any cell that cannot be read: whoever has no points may have played.
        row = [
            Cell(NO_POINTS, score.row, score.column) if cell_values.is_nothing(score) else score
            for score in scores
        ]
    return PastGame(
        names,
        [row],
        are_totals=True,
        days=cell_values.days(play.day),
        game=play.game,
        winners=winners,
        highest_wins=True if won_only else play.highest_wins,
        is_certain=True,
        won_only=won_only,
    )


def _numbered(names: list[str]) -> list[str]:
    """Tell apart whoever has the same name in one play, by a number."""
    return [
        f"{name} {before + 1}" if (before := names[:place].count(name)) else name
        for place, name in enumerate(names)
    ]
