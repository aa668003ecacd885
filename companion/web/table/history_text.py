"""What each change of a game did, as facts for `templates/parts/history.html` to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.cards import write_hand
from companion.games.reading import HistoryEntry, StoredGame
from companion.games.record import DealRecord, GameFacts, LineRecord, SeatRecord
from companion.rules.words import pack_words
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
    old, new = (of.get(units[0]) for of in (entry.before, entry.after))
    deal: Any = new or old
    fact = ChangeFact(entry.action, deal=deal.step, position=int(units[0][5:]))
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
    passed_on = [
        bonus for bonus in game.record.variant.scoring.bonuses if bonus.payer == "passed_on"
    ]
    return {
        bonus.name: game.names[seat]
        for seat, line in dict(lines).items()
        for bonus in passed_on
        if line.tally.bonuses.get(bonus.key)
    }


SAID_OF_GAME = ("joined", "left", "returned", "dealer chosen", "reseated", "deals next", "tie won")


def _game_back(entry: HistoryEntry, players: Sequence[str]) -> ChangeFact:
    """Say what the undoing of a change that touched no deal came to."""
    before, after = (units.get("game") for units in (entry.before, entry.after))
    if before and after and before.stopped != after.stopped:
        return ChangeFact("stopped" if after.stopped else "resumed")
    facts = [fact for fact in change_facts(entry, players) if fact.kind in SAID_OF_GAME]
    return facts[0] if len(facts) == 1 else ChangeFact("restored")


def _changed_points(
    old: DealRecord | None, new: DealRecord | None, names: Sequence[str]
) -> Iterator[str]:
    """List whose points of a deal are others than before, such as Ben 27 → 12."""
    was, now = (deal.lines if deal else {} for deal in (old, new))
    for seat in sorted(was.keys() & now.keys()):
        before, after = was[seat].points, now[seat].points
        if before != after:
            yield f"{names[seat]} {before} → {after}"


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
    return facts + [ChangeFact("asked", after=note.in_words(names)) for note in entry.notes]


def author_name(phone: str, person: str | None) -> str:
    """Name the phone that changed something, and whose it is.

    >>> author_name("iPhone", "Bob"), author_name("Grandma's tablet", None), author_name("", "Cleo")
    ("Bob's iPhone", "Grandma's tablet", "Cleo's phone")
    """
    return f"{person}'s {phone or 'phone'}" if person else phone


def _seats(
    before: Sequence[SeatRecord] | None, after: Sequence[SeatRecord] | None, names: Sequence[str]
) -> Iterator[ChangeFact]:
    if after is None:
        return
    if not before:
        yield ChangeFact("seated", after=", ".join(names[: len(after)]))
        return
    for seat in range(len(before), len(after)):
        yield ChangeFact("joined", names[seat], after=str(after[seat].start))
    for seat in range(len(after), len(before)):
        yield ChangeFact("unseated", names[seat])
    for seat, (old, new) in enumerate(zip(before, after, strict=False)):
        if (old.left is None) != (new.left is None):
            yield ChangeFact("returned" if new.left is None else "left", names[seat])


def _game(before: GameFacts, after: GameFacts, names: Sequence[str]) -> Iterator[ChangeFact]:
    """Tell what changed about the game itself."""
    if before.first_dealer != after.first_dealer:
        yield ChangeFact("dealer chosen", names[after.first_dealer])
    if after.order and before.order != after.order:
        yield ChangeFact("reseated", after=", ".join(names[seat] for seat in after.order))
    if after.next_dealer and before.next_dealer != after.next_dealer:
        yield ChangeFact("deals next", names[after.next_dealer[1]])
    if before.tie != after.tie:
        won = after.tie
        yield ChangeFact("tie open") if won is None else ChangeFact("tie won", names[won])
    if before.pack != after.pack:
        yield ChangeFact("decks", after=pack_words(after.pack))
    if after.played_on and before.played_on != after.played_on:
        yield ChangeFact("played on", after=say_day(after.played_on))
    if before.note != after.note:
        yield ChangeFact("note", before=before.note, after=after.note)
    if before.counts != after.counts:
        yield ChangeFact("counts" if after.counts else "uncounted")


def _deal(
    before: DealRecord | None, after: DealRecord | None, names: Sequence[str]
) -> Iterator[ChangeFact]:
    if after is None:
        yield ChangeFact("deal gone", deal=before.step if before else 0)
        return
    if after.void:
        yield ChangeFact("thrown in", deal=after.step)
        return
    old = before.lines if before else {}
    for seat, line in after.lines.items():
        if old.get(seat) != line:
            was = _line(old[seat]) if seat in old else ""
            yield ChangeFact("line", names[seat], after.step, was, _line(line))


def _line(line: LineRecord) -> str:
    cards = line.tally.cards or line.tally.hand
    return f"{line.points} ({write_hand(cards)})" if cards else f"{line.points}"
