"""Logs of plays of board games, of BG Stats and of BoardGameGeek: each play as a game of totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import ParseError, XMLParser

import msgspec

from companion.store.names import one_line

from . import meaning
from .meaning import PastError
from .past_game import PastGame, PastScores
from .score_shapes import MOST_GAMES
from .tables import MOST_BYTES, MOST_CELLS, TOO_LARGE, Cell

NOT_OURS = "This is neither an export of ours nor one of BG Stats or BoardGameGeek."


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
    score: str
    won: bool


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
        plays = _bgg(_xml_plays(text)) if text[:1] == b"<" else _json_plays(text)
        return _scores(plays)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ParseError):
        raise PastError(NOT_OURS) from None


_Said = tuple[str, str, bool | None, list[_Seat]]


def _json_plays(text: bytes) -> Iterator[_Said]:
    if b'"playerScores"' not in text and b'"playerRefId"' not in text and b'"plays"' in text[:2000]:
        yield from _bgg(msgspec.json.decode(text, type=_BggExport, strict=False).plays)
        return
    export = msgspec.json.decode(text, type=_Export)
    names = {person.id: one_line(person.name) for person in export.players}
    games = {game.id: game for game in export.games}
    for play in export.plays:
        if play.ignored:
            continue
        game = games.get(play.gameRefId, _Game(0))
        seats = [
            _Seat(
                names.get(one.playerRefId)
                or one_line(one.anonymousName or "")
                or f"Player {one.playerRefId}",
                _text(one.score),
                bool(one.winner),
            )
            for one in play.playerScores
        ]
        yield play.playDate, game.name, game.highestWins, seats


def _xml_plays(text: bytes) -> list[_BggPlay]:
    """Read the XML of BoardGameGeek, which declares no entities of its own."""
    plays: list[_BggPlay] = []

    class Plays:
        """Takes elements as they begin: no tree of all of them is kept."""

        def start(self, tag: str, said: dict[str, str]) -> None:
            if tag == "play":
                plays.append(_BggPlay(said.get("date", ""), _Item(), []))
            elif tag == "item" and plays:
                plays[-1].item = _Item(said.get("name", ""))
            elif tag == "player" and plays:
                player = {key: said.get(key, "") for key in ("name", "username", "score", "win")}
                plays[-1].players.append(_BggPlayer(**player))

    # As text: of bytes the parser would take an encoding in which this isn't seen.
    said = text.decode()
    if "<!DOCTYPE" in said or "<!ENTITY" in said:
        raise PastError(NOT_OURS)
    parser = XMLParser(target=Plays())  # noqa: S314  # without a document type there are no entities
    parser.feed(said)
    if not plays:
        raise PastError(NOT_OURS)
    return plays


def _bgg(plays: Iterable[_BggPlay]) -> Iterator[_Said]:
    for play in plays:
        seats = [
            _Seat(
                one_line(one.name or one.username or "") or "?",
                _text(one.score),
                str(one.win).casefold() in ("1", "true"),
            )
            for one in play.players
        ]
        yield play.date, play.item.name, None, seats


def _text(score: Any) -> str:
    if isinstance(score, float):
        return f"{score:.4f}" if score % 1 else f"{score:.0f}"
    return "" if score is None else str(score).strip()


def _scores(plays: Iterable[_Said]) -> PastScores:
    scores = PastScores([], [], [])
    left: dict[str, list[str]] = {}
    cells = 0
    for number, (day, name, highest, seats) in enumerate(plays, start=1):
        cells += len(seats)
        if cells > MOST_CELLS or len(scores.games) > MOST_GAMES:
            raise PastError(f"{MOST_GAMES:,} plays and {MOST_CELLS:,} scores are the most at once.")
        game, why = _game(number, meaning.days(day), one_line(name), highest, seats)
        if game is None:
            left.setdefault(why, []).append(f"{number} ({day[:10] or 'no day'})")
        else:
            scores.games.append(game)
    for why, numbers in left.items():
        more = [f"and {len(numbers) - 6} more"] if len(numbers) > 6 else []
        which = ", ".join([*numbers[:6], *more])
        many = "1 play" if len(numbers) == 1 else f"{len(numbers)} plays"
        scores.notices.append(f"{many} {why}: {which}")
    return scores


def _game(
    number: int,
    days: Mapping[meaning.Order, Any],
    name: str,
    highest: bool | None,
    seats: list[_Seat],
) -> tuple[PastGame | None, str]:
    """Make a game of a play; or say why there is none."""
    names = _numbered([seat.name for seat in seats])
    winners = tuple(who for who, seat in zip(names, seats, strict=True) if seat.won)
    if len(seats) < 2:
        return None, "with fewer than two players can't be kept"
    scored = [seat for seat in seats if not meaning.is_nothing(seat.score)]
    won_only = len(scored) < 2
    if won_only and len(winners) in (0, len(seats)):
        together = "were won or lost together, or have no winner"
        return None, f"without points {together}"
    pairs = list(zip(names, seats, strict=True))
    if won_only:
        players, row = names, ["1" if seat.won else "0" for seat in seats]
    else:
        players = [who for who, seat in pairs if seat in scored]
        row = [Cell(seat.score, number, 0) for seat in scored]
    return (
        PastGame(
            players,
            [row],
            True,
            days,
            name,
            winners=winners,
            highest_wins=True if won_only else highest,
            won_only=won_only,
        ),
        "",
    )


def _numbered(names: list[str]) -> list[str]:
    """Tell apart whoever has the same name in one play, by a number."""
    return [
        f"{name} {before + 1}" if (before := names[:place].count(name)) else name
        for place, name in enumerate(names)
    ]
