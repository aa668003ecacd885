"""Reading a document that anybody may have written: all of it is right, or it is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

import msgspec

from companion.cards import Refusal
from companion.store.names import PlayerNameError, clean_name, name_key

from .document import FORMAT, LARGEST, VERSION, Document, SeasonFacts

LONGEST = 512 * 1024 * 1024
DEEPEST = 20
_BEYOND = "".join(chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
_UNTYPED = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{_BEYOND}]")


class ExchangeError(Refusal):
    """A file that cannot be brought in, in a sentence; nothing of it was stored."""


class _Head(msgspec.Struct):
    """What tells one of our documents from any other."""

    format: str = ""
    version: int = 0


def read_document(data: bytes) -> Document:
    """Read a document whose parts are all known, of their kind, in bounds and of one piece.

    What its games say is not looked at yet. Raises `ExchangeError` in a sentence.
    """
    if len(data) > LONGEST:
        raise ExchangeError(f"The file is too large: {LONGEST // 2**20} MiB are the most.")
    _check_head(_decoded(data, _Head))
    document: Document = _decoded(data, Document)
    _check_plain(document, data)
    _check_names(document)
    for fault in _faults(document):
        raise ExchangeError(f"The file does not hold together: {fault}.")
    return document


def _decoded(data: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as fault:
        raise ExchangeError(f"The file cannot be read at {said_of(fault)}.") from None
    except RecursionError:
        raise ExchangeError("No league is so deep: this is another file.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, OverflowError):
        raise ExchangeError("This is no JSON, or only a part of it.") from None


def said_of(fault: msgspec.ValidationError) -> str:
    """Say what is wrong with data, the place first."""
    said, _, path = str(fault).partition(" - at `$")
    place = path.rstrip("`").lstrip(".")[:80] or "its beginning"
    return f"{place}: {said[:1].lower()}{said[1:160]}"


def _check_head(head: _Head) -> None:
    if head.format != FORMAT:
        raise ExchangeError("This file holds no league.")
    if head.version != VERSION:
        raise ExchangeError(
            f"This file is of version {head.version}; versions up to {VERSION} can be read here."
        )


def _check_plain(document: Document, data: bytes) -> None:
    """Refuse signs that no key types, numbers that no game needs, and what is too deep.

    Games, which are most of a document, are only walked where something in it is escaped: what
    they say is read strictly later.
    """
    if _UNTYPED.search(data.decode(errors="replace")):
        raise ExchangeError("The file cannot be read: there are signs that cannot be seen.")
    places = ["league", "seasons", "players", "houses", "rules", "acts"]
    for place in [*places, "games"] if b"\\u" in data else places:
        value = msgspec.to_builtins(getattr(document, place))
        if fault := next(_strange(value, DEEPEST), None):
            raise ExchangeError(f"The file cannot be read at {place}: {fault}.")


def _strange(value: object, levels: int) -> Iterator[str]:
    """Find the first fault in plain data; the document is walked with a list, not by recursion."""
    waiting = [(value, levels)]
    while waiting:
        item, left = waiting.pop()
        if fault := _fault_of(item, left):
            yield fault
            return
        if isinstance(item, dict):
            waiting += ((part, left - 1) for pair in item.items() for part in pair)
        elif isinstance(item, list):
            waiting += ((part, left - 1) for part in item)


def _fault_of(item: object, left: int) -> str:
    if isinstance(item, str):
        return "there are signs that cannot be seen" if _UNTYPED.search(item) else ""
    if isinstance(item, float):
        return "there are only whole numbers"
    if isinstance(item, int):
        return "no number is so large" if abs(item) > LARGEST else ""
    return "" if left > 0 else "no league is so deep"


def _check_names(document: Document) -> None:
    for name in (document.league.name, *(player.name for player in document.players)):
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
    yield from _twice("the player", [name_key(p.name) for p in document.players])
    yield from _twice("the season", [season.name for season in document.seasons])
    yield from _twice("the house", [house.key for house in document.houses])
    yield from _twice("the game", [game.uid for game in document.games])
    yield from _twice("the change", [c.key for game in document.games for c in game.history])
    yield from _twice("the act", [act.key for act in document.acts])
    yield from _lost(document)
    yield from _season_faults(document.seasons)


def _season_faults(seasons: Sequence[SeasonFacts]) -> Iterator[str]:
    """Find seasons that no league has: own ones do not overlap, and every other one is a year."""
    for season in seasons:
        if season.ends_on is not None and season.ends_on < season.starts_on:
            yield f"the season {season.name} ends before it begins"
        first, last = date(season.starts_on.year, 1, 1), date(season.starts_on.year, 12, 31)
        if not season.own and (season.starts_on, season.ends_on) != (first, last):
            yield f"the season {season.name} is neither a year nor the league's own"
    for own in (True, False):
        kind = [season for season in seasons if season.own == own]
        for one, then in pairwise(sorted(kind, key=lambda season: season.starts_on)):
            if one.ends_on is None or then.starts_on <= one.ends_on:
                yield f"the seasons {one.name} and {then.name} overlap"


def _twice(what: str, keys: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            yield f"{what} {key[:80]} stands twice"
        seen.add(key)


def _lost(document: Document) -> Iterator[str]:
    phones, people = len(document.devices), len(document.players)
    for player in document.players:
        into = player.merged_into
        if into is not None and (into > people or into == player.number):
            yield f"{player.name} was merged into nobody"
        elif into is not None and document.players[into - 1].merged_into is not None:
            yield f"{player.name} was merged into somebody who was merged as well"
    for number, game in enumerate(document.games, start=1):
        if game.rules > len(document.rules):
            yield f"game {number} has no rules"
        if any(change.device > phones for change in game.history):
            yield f"nobody wrote game {number}"
    if any(act.device > phones for act in document.acts):
        yield "nobody did one of its acts"
