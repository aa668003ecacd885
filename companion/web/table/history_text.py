"""The history of a game in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from companion.cards import Pack
from companion.games.reading import HistoryEntry
from companion.rules.words import pack_words
from companion.scoring import Finding
from companion.store.dates import say_day

MOST_SEATS = 100


def history_sentence(entry: HistoryEntry, players: Sequence[str], word: str = "deal") -> list[str]:
    """Say what one change did, before and after, and what the table was asked about it."""
    names = [*players, *["Somebody"] * MOST_SEATS]
    told = _tell_seats(entry.before.get("seats"), entry.after.get("seats"), names)
    game = entry.after.get("game")
    if game and entry.before.get("game"):
        told += _tell_game(entry.before["game"], game, names)
    for name in sorted(entry.after):
        if name.startswith("deal:"):
            told += _tell_deal(
                f"{word.capitalize()} {name[5:]}", entry.before.get(name), entry.after[name], names
            )
    told += [Finding(note["words"], tuple(note["seats"])).told(names) for note in entry.notes]
    return told


def author_name(phone: str, person: str | None) -> str:
    """Name the phone that changed something, and whose it is.

    >>> author_name("iPhone", "Bob"), author_name("Grandma's tablet", None), author_name("", "Cleo")
    ("Bob's iPhone", "Grandma's tablet", "Cleo's phone")
    """
    return f"{person}'s {phone or 'phone'}" if person else phone


def _tell_seats(before: Any, after: Any, names: Sequence[str]) -> list[str]:
    if after is None:
        return []
    if not before:
        return [", ".join(names[: len(after)])]
    told = [f"{names[n]} joined with {after[n]['start']}" for n in range(len(before), len(after))]
    told += [f"{names[n]} is not in the game" for n in range(len(after), len(before))]
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        if (old["left"] is None) != (new["left"] is None):
            told.append(f"{names[number]} {'came back' if new['left'] is None else 'left'}")
    return told


def _tell_game(before: Any, after: Any, names: Sequence[str]) -> list[str]:
    told = []
    if before["first_dealer"] != after["first_dealer"]:
        told.append(f"{names[after['first_dealer']]} deals first")
    if before["decks"] != after["decks"] or before["jokers"] != after["jokers"]:
        told.append(f"Cards in play: {pack_words(Pack(after['decks'], after['jokers']))}")
    return told + _tell_about(before, after)


def _tell_about(before: Any, after: Any) -> list[str]:
    """Describe the date, the note and whether the game counts; old games have none of these."""
    told = []
    day = after.get("played_on")
    if day and before.get("played_on") != day:
        told.append(f"Played on {say_day(date.fromisoformat(day))}")
    old, new = before.get("note", ""), after.get("note", "")
    if old != new:
        told.append(f"Note: {old or 'none'} → {new or 'none'}")
    if before.get("counts", True) != after.get("counts", True):
        counts = after.get("counts", True)
        told.append("Counts in the standings" if counts else "Does not count in the standings")
    return told


def _tell_deal(deal: str, before: Any, after: Any, names: Sequence[str]) -> list[str]:
    if after is None:
        return [f"{deal} taken back"]
    if after["void"]:
        return [f"{deal} does not count"]
    old, new = (before or {}).get("lines", {}), after["lines"]
    told = []
    for seat, line in new.items():
        was = f"{_line(old[seat])} → " if seat in old else ""
        if old.get(seat) != line:
            told.append(f"{names[int(seat)]}: {was}{_line(line)}")
    return told


def _line(line: Mapping[str, Any]) -> str:
    cards = line["tally"]["cards"] or line["tally"].get("hand")
    return f"{line['points']} ({cards})" if cards else f"{line['points']}"
