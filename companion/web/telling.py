"""The history of a game in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.league.archive import HistoryEntry
from companion.scoring import Finding


def tell(entry: HistoryEntry, names: Sequence[str]) -> list[str]:
    """Say what one change did, before and after, and what the table was asked about it."""
    told = []
    for name in sorted(entry.after):
        if name.startswith("deal:"):
            told += _tell_deal(int(name[5:]), entry.before.get(name), entry.after[name], names)
    told += [Finding(note["words"], tuple(note["seats"])).told(names) for note in entry.notes]
    return told


def _tell_deal(position: int, before: Any, after: Any, names: Sequence[str]) -> list[str]:
    if after is None:
        return [f"Deal {position} taken back"]
    if after["void"]:
        return [f"Deal {position} does not count"]
    old, new = (before or {}).get("lines", {}), after["lines"]
    return [
        f"{names[int(seat)]}: {_line(old.get(seat))}{_line(new.get(seat))}"
        if old.get(seat) is None
        else f"{names[int(seat)]}: {_line(old[seat])} → {_line(new.get(seat))}"
        for seat in new
        if old.get(seat) != new[seat]
    ]


def _line(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return ""
    cards = line["tally"]["cards"]
    return f"{line['points']} ({cards})" if cards else f"{line['points']}"
