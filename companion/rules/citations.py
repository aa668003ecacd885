"""What was looked up: for each game its rules by the source in which they stand.

`variants/citations.toml` is the whole of it. A rule that stands there under no source cites none.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec import Struct

from . import catalogue
from .loader import path_first
from .variant import VariantError

FILE = "citations.toml"
EVERY_TABLE = "table"
"""Stands for the records that every book has."""

Grouped = Mapping[str, tuple[str, ...]]
"""Ids of rules by the words that stand behind them all."""


class Ground(Struct, frozen=True):
    """What stands behind a rule: a source, or a ruling where no source has it.

    An `unread` source is one of which no copy could be read when its rules were looked up.
    """

    source: str = ""
    ruling: str = ""
    unread: bool = False


class Audit(Struct, frozen=True, forbid_unknown_fields=True):
    """How many citations of a game were looked up, and what came of it.

    `right` stood as they are, `mended` were changed, `unreadable` have no copy to be read.
    """

    looked_up: int = 0
    right: int = 0
    mended: int = 0
    unreadable: int = 0


class CitedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a game by the sources they were `seen` in, or are said to stand in `unread`.

    Those `ruled` stand in none; `assumed` are the paths of fields that no source has. `mended` are
    the rules whose source or ruling was changed when they were compared, which `audit` counts.
    """

    audit: Audit = Audit()
    mended: tuple[str, ...] = ()

    seen: Grouped = {}
    unread: Grouped = {}
    ruled: Grouped = {}
    assumed: tuple[str, ...] = ()


@cache
def looked_up() -> dict[str, CitedGame]:
    """Read what was looked up, by game.

    Raises `VariantError` with the path to the fault of the file.
    """
    path = catalogue.VARIANTS / FILE
    try:
        raw = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
        return msgspec.convert(raw, dict[str, CitedGame])
    except tomllib.TOMLDecodeError as fault:
        raise VariantError(f"{FILE}: {fault}") from None
    except msgspec.ValidationError as fault:
        raise VariantError(f"{FILE}: {path_first(str(fault))}") from None


def assumed_fields(key: str) -> tuple[str, ...]:
    """List the fields of a game that no source has: the paths of what we took from elsewhere."""
    return looked_up().get(key, CitedGame()).assumed


def grounds(key: str) -> dict[str, Ground]:
    """Find what stands behind the rules of a game, by their ids.

    Raises `VariantError` for a rule that has two.
    """
    game = looked_up().get(key, CitedGame())
    found: dict[str, Ground] = {}
    for group, field, unread in (
        (game.seen, "source", False),
        (game.unread, "source", True),
        (game.ruled, "ruling", False),
    ):
        for words, rules in group.items():
            for rule in rules:
                if rule in found:
                    raise VariantError(f"{FILE}: {key}: {rule} is there twice")
                found[rule] = Ground(**{field: words}, unread=unread)
    return found
