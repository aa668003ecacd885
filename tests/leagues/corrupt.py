"""Documents that went wrong: cut, flipped, exchanged, blown up. Each is made from its number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

Path = list[Any]
ODD: list[Any] = [
    *(None, True, -1, 0, 1.5, 10**9, 10**30, -(10**18), "", "x" * 5000, "\x00", "\u202e", "12"),
    *([], {}, [[]], {"": ""}, "2026-02-30", "{0.__class__}", "{0:>999999999}", "NaN", "0001-01-01"),
]
FOREIGN = [
    *(b"", b"{", b"[]", b"null", b"7", b'"league"', b"name = 7", b"<html></html>", b"PK\x03\x04"),
    *(b"[" * 100_000, b'{"a":' * 50_000, b"\xff\xfe", b"\x1f\x8b\x08", b"1" * 10_000, b"{}" * 9),
    *(b'{"format": "card-table-companion league"}', b'{"format": 7, "version": "1"}'),
    *(b'{"format": "card-table-companion league", "version": 2}', b'{"players": [], "games": []}'),
    b'{"format": "card-table-companion league", "version": 99999999999999999999999999}',
]


def spoiled(text: bytes, count: int) -> Iterator[bytes]:
    """Spoil a document in many ways, the same ones every time."""
    yield from FOREIGN
    whole = json.loads(text)
    paths = list(_paths(whole, []))
    for number in range(count):
        chance = Random(number)
        if number % 3:
            yield json.dumps(_spoiled_data(whole, paths, chance), ensure_ascii=False).encode(
                errors="surrogatepass"
            )
        else:
            yield _spoiled_bytes(text, chance)


def _spoiled_bytes(text: bytes, chance: Random) -> bytes:
    where, size = chance.randrange(len(text)), chance.randrange(1, 200)
    match chance.randrange(5):
        case 0:
            return text[:where]
        case 1:
            return (
                text[:where] + bytes([text[where] ^ 1 << chance.randrange(8)]) + text[where + 1 :]
            )
        case 2:
            return text[:where] + text[where + size :]
        case 3:
            return text[:where] + chance.randbytes(size) + text[where:]
        case _:
            return text[:where] + text[where : where + size] + text[where:]


def _spoiled_data(whole: Any, paths: list[Path], chance: Random) -> Any:
    data = deepcopy(whole)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        _spoil(data, chance.choice(paths), paths, chance)
    return data


def _spoil(data: Any, path: Path, paths: list[Path], chance: Random) -> None:
    try:
        parent, value = _at(data, path[:-1]), _at(data, path)
    except (LookupError, TypeError):
        return  # taken away by an earlier change
    match chance.randrange(7):
        case 0:
            del parent[path[-1]]
        case 1 if isinstance(parent, dict):
            parent[chance.choice(["odd", "deal:99", "__class__", "7"])] = value
        case 2 if isinstance(parent, list):
            parent.append(deepcopy(value))
        case 3 if isinstance(value, int):
            parent[path[-1]] = value + chance.choice([-1, 1, 5, 10**6, 2**31, 2**70])
        case 4:
            deep: Any = value
            for _ in range(chance.choice([3, 30, 400])):
                deep = chance.choice([[deep], {"a": deep}])
            parent[path[-1]] = deep
        case 5:
            parent[path[-1]] = deepcopy(_at_or(data, chance.choice(paths)))
        case _:
            parent[path[-1]] = deepcopy(chance.choice(ODD))


def _paths(value: Any, path: Path) -> Iterator[Path]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield [*path, key]
        if isinstance(item, dict | list):
            yield from _paths(item, [*path, key])


def _at(data: Any, path: Path) -> Any:
    for key in path:
        if isinstance(data, str):
            raise LookupError(key)  # of a text put there since, no sign can be exchanged
        data = data[key]
    return data


def _at_or(data: Any, path: Path) -> Any:
    try:
        return _at(data, path)
    except (LookupError, TypeError):
        return None
