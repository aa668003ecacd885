"""Reading a document that anybody may have written: all of it is right, or it is refused.

What could be very much of very little is counted before objects are made of it, and games, which
are most of a document, are read one at a time, each whenever somebody asks for it.
"""

from __future__ import annotations

import gzip
import re
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from io import BytesIO
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from tempfile import TemporaryFile
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta, Raw

from companion.cards import Refusal
from companion.games.record import LARGEST
from companion.store.names import PlayerNameError, clean_name, name_key

from .document import (
    FORMAT,
    MOST_GAMES,
    VERSION,
    Document,
    DocumentHead,
    GameData,
    PlayerData,
    SeasonData,
    from_row,
)

LONGEST = 128 * 2**20
DEEPEST = 20
MOST_PARTS = 500_000
"""How many lists, objects and items one game may have, or one of the document's other lists."""
PIECE = 64 * 1024
FREE_PARTS = ("houses", "rules", "acts")
TOO_LARGE = f"The file is too large: unpacked it may have {LONGEST // 2**20} MiB at most."
CUT_SHORT = "The file is damaged or not all there. Export it again, or copy it again."
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\r"})
_BEYOND = "".join(chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
# JSON may escape half of a surrogate pair, which no database can store.
_UNTYPED = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{_BEYOND}]")


class ExchangeError(Refusal):
    """A file that cannot be brought in, in a sentence; nothing of it was stored."""


class _Head(msgspec.Struct):
    """What tells one of our documents from any other."""

    format: str = ""
    version: int = 0


class _GameHead(msgspec.Struct):
    """What every game has, so that a list of nothing is refused before anything is made of it."""

    uid: str
    rules: int
    status: str
    started_at: str
    played_on: str
    note: str
    history: Raw


class _Outline(DocumentHead, frozen=True, kw_only=True):
    """A document as it is read first: what is free in its shape is only found, not read."""

    houses: Raw
    rules: Raw
    games: Raw
    acts: Raw


class Games(msgspec.Struct, frozen=True):
    """The games of a document, each read anew whenever it is asked for: none stays in memory."""

    found: list[Raw]

    def __iter__(self) -> Iterator[GameData]:
        """Read one after the other; raises `ExchangeError` where one is no game."""
        for number, game in enumerate(self.found):
            yield _decode_bounded(f"games[{number}]", game, GameData)


def read_document(file: bytes) -> Document:
    """Read a document whose parts are all known, of their kind, in bounds and of one piece.

    A file of gzip is unpacked, `LONGEST` bytes at most. What its games say is not looked at yet.
    Raises `ExchangeError` in a sentence.
    """
    data = _unpack(file) if is_packed(file) else file
    if len(data) > LONGEST:
        raise ExchangeError(TOO_LARGE)
    _check_head(_decode(data, _Head))
    outline: _Outline = _decode(data, _Outline)
    kinds = get_type_hints(Document, include_extras=True)
    free = {name: _decode_bounded(name, getattr(outline, name), kinds[name]) for name in FREE_PARTS}
    document = from_row(Document, outline, games=_games(outline.games), **free)
    _check_plain(document, data)
    _check_names(document)
    for fault in _faults(document):
        raise ExchangeError(f"The file does not hold together: {fault}.")
    return document


def is_packed(file: bytes) -> bool:
    """Return whether a file is one of gzip."""
    return file.startswith(b"\x1f\x8b")


def _unpack(file: bytes) -> mmap | bytes:
    """Unpack a file beside the memory, piece by piece; all of it must be there."""
    with TemporaryFile() as plain:
        try:
            with gzip.open(BytesIO(file)) as packed:
                while piece := packed.read(PIECE):
                    plain.write(piece)
                    if plain.tell() > LONGEST:
                        raise ExchangeError(TOO_LARGE)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise ExchangeError(CUT_SHORT) from None
        plain.flush()
        # An empty file cannot be mapped.
        return mmap(plain.fileno(), 0, access=ACCESS_READ) if plain.tell() else b""


def _games(raw: Raw) -> Games:
    """Find where each game begins and ends, once it is known that they are so many at most."""
    _decode(raw, Annotated[list[_GameHead], Meta(max_length=MOST_GAMES)], "games")
    return Games(_decode(raw, list[Raw], "games"))


def _decode_bounded(part: str, data: Raw, kind: Any) -> Any:
    """Read a part of a document, unless it is made of more pieces than any league needs."""
    pieces = sum(bytes(data).count(sign) for sign in (b"{", b"[", b","))
    if pieces > MOST_PARTS:
        raise ExchangeError(f"The file cannot be read at {part}: no league has so much there.")
    return _decode(data, kind, part)


def _decode(data: bytes | mmap | Raw, kind: Any, part: str = "") -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as fault:
        raise ExchangeError(f"The file cannot be read at {said_of(fault, part)}.") from None
    except RecursionError:
        raise ExchangeError("No league is so deep: this is another file.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, OverflowError):
        raise ExchangeError("This isn't one of our export files.") from None


def said_of(fault: msgspec.ValidationError, within: str = "") -> str:
    """Say what is wrong with data, the place first."""
    sentence, _, path = str(fault).partition(" - at `$")
    where = f"{within}{path.rstrip('`')}".lstrip(".")[:80] or "its beginning"
    # What ours say is a sentence already.
    first = sentence[:1] if sentence.endswith(".") else sentence[:1].lower()
    return f"{where}: {first}{sentence[1:160].rstrip('.')}"


def _check_head(head: _Head) -> None:
    if head.format != FORMAT:
        raise ExchangeError("This file holds no league.")
    if head.version != VERSION:
        raise ExchangeError(
            f"This file is of version {head.version}; versions up to {VERSION} can be read here."
        )


def _check_plain(document: Document, data: bytes | mmap) -> None:
    """Refuse signs that no key types, numbers that no game needs, and what is too deep.

    Games, which are most of a document, are only walked where something in it is escaped: what
    they say is read strictly later.
    """
    if _has_unseen(data):
        raise ExchangeError("The file cannot be read: there are signs that cannot be seen.")
    for part in ("league", "seasons", "players", "houses", "rules", "acts"):
        _refuse_strange(part, getattr(document, part))
    for game in document.games if data.find(b"\\u") >= 0 else ():
        _refuse_strange("games", game)


def _has_unseen(data: bytes | mmap) -> bool:
    """Look for signs that no key types, piece by piece: one search would keep all others out."""
    # Incremental, for a piece may end in the middle of a letter.
    decoder = getincrementaldecoder("utf-8")("replace")
    for start in range(0, len(data), PIECE):
        piece = data[start : start + PIECE]
        text = decoder.decode(piece)
        if text.isascii() and len(piece.translate(None, _CONTROLS)) == len(piece):
            continue
        if _UNTYPED.search(text):
            return True
    return False


def _refuse_strange(name: str, part: object) -> None:
    if fault := _find_fault(msgspec.to_builtins(part)):
        raise ExchangeError(f"The file cannot be read at {name}: {fault}.")


def _find_fault(value: object) -> str:
    """Find the first fault in plain data; the document is walked with a list, not by recursion."""
    waiting = [(value, DEEPEST)]
    while waiting:
        item, left = waiting.pop()
        if fault := _fault_of(item, left):
            return fault
        if isinstance(item, dict):
            waiting += ((part, left - 1) for pair in item.items() for part in pair)
        elif isinstance(item, list):
            waiting += ((part, left - 1) for part in item)
    return ""


def _fault_of(item: object, left: int) -> str:
    if isinstance(item, str):
        return "there are signs that cannot be seen" if _UNTYPED.search(item) else ""
    if isinstance(item, float):
        return "there are only whole numbers"
    if isinstance(item, int):
        return "no number is so large" if abs(item) > LARGEST else ""
    return "" if left > 0 else "no league is so deep"


def _check_names(document: Document) -> None:
    # A team is called by its people, and may be longer than a name.
    people = (player.name for player in document.players if not player.members)
    for name in (document.league.name, *people):
        try:
            clean = clean_name(name)
        except PlayerNameError as fault:
            raise ExchangeError(f"The file has a name that cannot be used: {fault}") from None
        if clean != name:
            raise ExchangeError(f"The file has a name that cannot be used: {clean} has odd signs.")


def _faults(document: Document) -> Iterator[str]:
    """Find numbers that lead nowhere and what stands twice."""
    for what, numbers in (
        ("players", [player.number for player in document.players]),
        ("devices", [device.number for device in document.devices]),
    ):
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"its {what} are not numbered 1, 2, 3 …"
    people = (player.name for player in document.players if not player.members)
    yield from _duplicates("the player", map(name_key, people))
    yield from _duplicates("the season", [season.name for season in document.seasons])
    yield from _duplicates("the house", [house.key for house in document.houses])
    yield from _duplicates("the act", [act.key for act in document.acts])
    yield from _dangling_numbers(document)
    yield from _game_faults(document)
    yield from _season_faults(document.seasons)


def _season_faults(seasons: Sequence[SeasonData]) -> Iterator[str]:
    """Find seasons that no league has: own ones do not overlap, and every other one is a year."""
    for season in seasons:
        if season.ends_on is not None and season.ends_on < season.starts_on:
            yield f"the season {season.name} ends before it begins"
        first, last = date(season.starts_on.year, 1, 1), date(season.starts_on.year, 12, 31)
        if not season.own and (season.starts_on, season.ends_on) != (first, last):
            yield f"the season {season.name} is neither a year nor the league's own"
    for is_own in (True, False):
        kind = [season for season in seasons if season.own == is_own]
        for earlier, later in pairwise(sorted(kind, key=lambda season: season.starts_on)):
            if earlier.ends_on is None or later.starts_on <= earlier.ends_on:
                yield f"the seasons {earlier.name} and {later.name} overlap"


def _duplicates(what: str, keys: Iterable[str], seen: set[str] | None = None) -> Iterator[str]:
    """Find what stands twice, or is among those seen already."""
    seen = set() if seen is None else seen
    for key in keys:
        if key in seen:
            yield f"{what} {key[:80]} stands twice"
        seen.add(key)


def _team_faults(document: Document, team: PlayerData) -> Iterator[str]:
    members = [number for number in team.members if number <= len(document.players)]
    if len({*members}) < len(team.members):
        yield f"{team.name} is a team of nobody"
    elif any(document.players[number - 1].members for number in members):
        yield f"{team.name} is a team of teams"


def _dangling_numbers(document: Document) -> Iterator[str]:
    phones, people = len(document.devices), len(document.players)
    for player in document.players:
        into = player.merged_into
        if into is not None and (into > people or into == player.number):
            yield f"{player.name} was merged into nobody"
        elif into is not None and document.players[into - 1].merged_into is not None:
            yield f"{player.name} was merged into someone who was merged as well"
        yield from _team_faults(document, player)
    if any(act.device > phones for act in document.acts):
        yield "nobody did one of its acts"


def _game_faults(document: Document) -> Iterator[str]:
    """Look at each game once: what it names is there, and nothing stands twice."""
    games: set[str] = set()
    changes: set[str] = set()
    for number, game in enumerate(document.games, start=1):
        yield from _duplicates("the game", [game.uid], games)
        yield from _duplicates("the change", (change.key for change in game.history), changes)
        if game.rules > len(document.rules):
            yield f"game {number} has no rules"
        if any(change.device > len(document.devices) for change in game.history):
            yield f"nobody wrote game {number}"
