"""What each change of a game did, as facts for `templates/parts/history.html` to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.cards import Pack
from companion.games.reading import HistoryEntry, StoredGame
from companion.rules.words import pack_words
from companion.scoring import Finding
from companion.store.dates import say_day

MOST_SEATS = 100


class ChangeFact(Struct, frozen=True):
    """One thing that a change did: what `kind` it is, to whom, and the number of its deal.

    `position` is where that deal lies in the list of deals, cancelled ones included.
    """

    kind: str
    name: str = ""
    deal: int = 0
    before: str = ""
    after: str = ""
    position: int = 0


def headline(entry: HistoryEntry, players: Sequence[str]) -> ChangeFact:
    """Sum a change up in one fact: which deal was saved, whose points were corrected, who left."""
    if entry.action in ("left", "joined", "dealer chosen", "seats changed", "tie settled"):
        return next(iter(change_facts(entry, players)), ChangeFact(entry.action))
    units = [name for name in entry.after if name.startswith("deal:")]
    if not units and entry.action == "restored":
        return _game_back(entry, players)
    if not units:
        return ChangeFact(entry.action)
    old: Any = entry.before.get(units[0])
    new: Any = entry.after[units[0]]
    fact = ChangeFact(entry.action, deal=(new or old)["step"], position=int(units[0][5:]))
    if entry.action != "corrected" and (entry.action != "restored" or len(units) > 1):
        return fact
    if changed := ", ".join(_changed_points(old, new, _with_gone(players))):
        kind = "points" if entry.action == "corrected" else "points back"
        return replace(fact, kind=kind, after=changed)
    if entry.action == "corrected":
        return fact
    kind = "deal gone" if new is None else "deal changed back" if old else "deal back"
    return replace(fact, kind=kind, position=0)


def whose(lines: Any, game: StoredGame) -> dict[str, str]:
    """Name who had each bonus of a deal that the others have points from, by its words."""
    passed_on = [one for one in game.record.variant.scoring.bonuses if one.payer == "passed_on"]
    return {
        bonus.name: game.names[seat]
        for seat, line in dict(lines).items()
        for bonus in passed_on
        if line.tally.bonuses.get(bonus.key)
    }


SAID_OF_GAME = ("joined", "left", "returned", "dealer chosen", "reseated", "deals next", "tie won")


def _game_back(entry: HistoryEntry, players: Sequence[str]) -> ChangeFact:
    """Say what the undoing of a change that touched no deal came to."""
    before, after = (units.get("game", {}).get("stopped") for units in (entry.before, entry.after))
    if before != after:
        return ChangeFact("stopped" if after else "resumed")
    facts = [fact for fact in change_facts(entry, players) if fact.kind in SAID_OF_GAME]
    return facts[0] if len(facts) == 1 else ChangeFact("restored")


def _changed_points(old: Any, new: Any, names: Sequence[str]) -> Iterator[str]:
    """List whose points of a deal are others than before, such as Ben 27 → 12."""
    was, now = ((deal or {}).get("lines", {}) for deal in (old, new))
    for seat in sorted(was.keys() & now.keys(), key=int):
        before, after = was[seat]["points"], now[seat]["points"]
        if before != after:
            yield f"{names[int(seat)]} {before} → {after}"


def _with_gone(players: Sequence[str]) -> Sequence[str]:
    """Name whoever joined and was undone as anyone."""
    return [*players, *["A player"] * MOST_SEATS]


def change_facts(entry: HistoryEntry, players: Sequence[str]) -> list[ChangeFact]:
    """List everything one change did, before and after, and what the table was asked about it."""
    names = _with_gone(players)
    facts = list(_seats(entry.before.get("seats"), entry.after.get("seats"), names))
    game = entry.after.get("game")
    if game and entry.before.get("game"):
        facts += _game(entry.before["game"], game, names)
    for name in sorted(entry.after):
        if name.startswith("deal:"):
            facts += _deal(entry.before.get(name), entry.after[name], names)
    asked = [Finding(note["words"], tuple(note["seats"])).in_words(names) for note in entry.notes]
    return facts + [ChangeFact("asked", after=words) for words in asked]


def author_name(phone: str, person: str | None) -> str:
    """Name the phone that changed something, and whose it is.

    >>> author_name("iPhone", "Bob"), author_name("Grandma's tablet", None), author_name("", "Cleo")
    ("Bob's iPhone", "Grandma's tablet", "Cleo's phone")
    """
    return f"{person}'s {phone or 'phone'}" if person else phone


def _seats(before: Any, after: Any, names: Sequence[str]) -> Iterator[ChangeFact]:
    if after is None:
        return
    if not before:
        yield ChangeFact("seated", after=", ".join(names[: len(after)]))
        return
    for seat in range(len(before), len(after)):
        yield ChangeFact("joined", names[seat], after=str(after[seat]["start"]))
    for seat in range(len(after), len(before)):
        yield ChangeFact("unseated", names[seat])
    for seat, (old, new) in enumerate(zip(before, after, strict=False)):
        if (old["left"] is None) != (new["left"] is None):
            yield ChangeFact("returned" if new["left"] is None else "left", names[seat])


def _game(before: Any, after: Any, names: Sequence[str]) -> Iterator[ChangeFact]:
    """Tell what changed about the game itself; old games have no date, note or mark."""
    if before["first_dealer"] != after["first_dealer"]:
        yield ChangeFact("dealer chosen", names[after["first_dealer"]])
    if (order := after.get("order")) and before.get("order") != order:
        yield ChangeFact("reseated", after=", ".join(names[seat] for seat in order))
    if (dealer := after.get("next_dealer")) and before.get("next_dealer") != dealer:
        yield ChangeFact("deals next", names[dealer[1]])
    if before.get("tie") != after.get("tie"):
        won = after.get("tie")
        yield ChangeFact("tie open") if won is None else ChangeFact("tie won", names[won])
    if before["decks"] != after["decks"] or before["jokers"] != after["jokers"]:
        yield ChangeFact("decks", after=pack_words(Pack(after["decks"], after["jokers"])))
    day = after.get("played_on")
    if day and before.get("played_on") != day:
        yield ChangeFact("played on", after=say_day(date.fromisoformat(day)))
    notes = before.get("note", ""), after.get("note", "")
    if notes[0] != notes[1]:
        yield ChangeFact("note", before=notes[0], after=notes[1])
    if before.get("counts", True) != after.get("counts", True):
        yield ChangeFact("counts" if after.get("counts", True) else "uncounted")


def _deal(before: Any, after: Any, names: Sequence[str]) -> Iterator[ChangeFact]:
    deal = (after or before)["step"]
    if after is None:
        yield ChangeFact("deal gone", deal=deal)
        return
    if after["void"]:
        yield ChangeFact("thrown in", deal=deal)
        return
    old = (before or {}).get("lines", {})
    for seat, line in after["lines"].items():
        if old.get(seat) != line:
            was = _line(old[seat]) if seat in old else ""
            yield ChangeFact("line", names[int(seat)], deal, was, _line(line))


def _line(line: Mapping[str, Any]) -> str:
    cards = line["tally"]["cards"] or line["tally"].get("hand")
    return f"{line['points']} ({cards})" if cards else f"{line['points']}"
