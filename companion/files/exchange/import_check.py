"""Looking every game of a document over: its rules, its rows, and that its history led to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.cards import Refusal
from companion.games.record import (
    DealRecord,
    Record,
    Units,
    read_units,
    replay,
    units_of,
    write_rules,
)
from companion.games.results import GameResults, game_results
from companion.rules import Variant, build
from companion.rules.form_reader import OWN
from companion.scoring.tally import Note

from .document import ChangeData, Document, GameData
from .document_reader import ExchangeError, said_of

_KEY = re.compile(r"[a-z0-9-]{1,80}")
_DEAL = re.compile(r"deal:[1-9][0-9]{0,3}")


class CheckedGame(Struct, frozen=True):
    """A game that may be stored; its players are numbers of the document, its rules as stored."""

    facts: GameData
    record: Record
    rules: str
    earned: GameResults


def check_document(document: Document) -> None:
    """Look over a whole document.

    Raises `ExchangeError` that names the first thing which cannot be.
    """
    for _ in checked_games(document):
        pass


def checked_games(document: Document) -> Iterator[CheckedGame]:
    """Look over a whole document, and yield its games, each when the one before may be stored.

    Raises as `check_document` does.
    """
    for house in document.houses:
        if (house.rules is not None) != house.key.startswith(OWN):
            raise ExchangeError(f"The house {house.key} is neither a choice nor a game of its own.")
        if house.rules is not None:
            _build_rules(f"The house {house.key}", house.rules, house.key)
    rules = [_build_rules(f"Rules {n}", rules) for n, rules in enumerate(document.rules, start=1)]
    yield from _checked_games(document, [(variant, write_rules(variant)) for variant in rules])


def _build_rules(what: str, rules: Mapping[str, Any], key: str = "") -> Variant:
    try:
        variant = build(rules)
    except Refusal as fault:
        raise ExchangeError(f"{what} can't be imported: {_first_line(fault)}.") from None
    if not _KEY.fullmatch(variant.key) or key not in ("", variant.key):
        raise ExchangeError(f"{what} can't be imported: the game's key is {variant.key[:80]}.")
    return variant


def _checked_games(
    document: Document, rules: Sequence[tuple[Variant, str]]
) -> Iterator[CheckedGame]:
    persons = [player.merged_into or player.number for player in document.players]
    for number, game in enumerate(document.games, start=1):
        try:
            yield _checked(game, *rules[game.rules - 1], persons)
        except (Refusal, msgspec.ValidationError) as fault:
            sentence = (
                said_of(fault) if isinstance(fault, msgspec.ValidationError) else _first_line(fault)
            )
            raise ExchangeError(
                f"Game {number}, of {game.played_on}, can't be imported: {sentence}."
            ) from None


def _first_line(fault: Refusal) -> str:
    """Return the first sentence of what is wrong, to stand in another one."""
    return str(fault).split("\n")[0][:200].rstrip(".")


def _checked(game: GameData, variant: Variant, rules: str, persons: Sequence[int]) -> CheckedGame:
    for deal in game.deals:
        _check_deal(deal)
    units = _follow_history(game.history, len(persons))
    record = Record.from_units(variant, units)
    record = replace(record, played_on=record.played_on or game.played_on)
    if record.units() != units_of(game, game.seats, game.deals):
        raise ExchangeError("its history does not lead to its deals")
    if bool(record.pack.decks) != variant.has_cards:
        raise ExchangeError("its decks are not those of its rules")
    _check_persons(record, persons)
    _check_course(record)
    try:
        return CheckedGame(game, record, rules, game_results(record))
    # A stranger's deals can be anything that has the right shape: no fault of this program.
    except (ArithmeticError, LookupError, TypeError, ValueError):
        raise ExchangeError("its deals cannot be followed") from None


def _follow_history(history: Sequence[ChangeData], people: int) -> Units:
    """Play a history from its first change to its last: every state on the way must be a game."""
    units: Units = {}
    for number, change in enumerate(history, start=1):
        if change.revision != number:
            raise ExchangeError(f"change {number} is missing from its history")
        before, after = (_read(units) for units in (change.before, change.after))
        if before.keys() - after.keys() or not all(
            _was_so(units, *unit) for unit in before.items()
        ):
            raise ExchangeError(f"change {number} of its history does not follow the one before")
        units = replay([units, after])
        _check_table(units, people)
        for note in change.notes:
            _check_words(note)
    return units


def _was_so(units: Units, name: str, before: Any) -> bool:
    """Return whether a unit was so; histories older than dates do not tell theirs."""
    unit = units.get(name)
    if name == "game" and unit and before and unit.played_on is None:
        return bool(before == replace(unit, played_on=before.played_on))
    return bool(unit == before)


def _read(data: Mapping[str, Any]) -> Units:
    """Read units of a history as strictly as everything else."""
    for name in data.keys() - {"game", "seats"}:
        if not _DEAL.fullmatch(name):
            raise ExchangeError(f"its history names {name[:20]}, which no game has")
    units = read_units(data)
    for unit in units.values():
        if isinstance(unit, DealRecord):
            _check_deal(unit)
    return units


def _check_deal(deal: DealRecord) -> None:
    """Make sure that a deal's lines add up, that at most one ends it, and a void one has none."""
    if deal.void and deal.lines:
        raise ExchangeError("a deal that does not count has points")
    if sum(line.tally.declared != "" for line in deal.lines.values()) > 1:
        raise ExchangeError("two players ended the same deal")
    for line in deal.lines.values():
        if line.reasons and sum(reason.points for reason in line.reasons) != line.points:
            raise ExchangeError("the reasons of a deal do not add up to its points")


def _check_table(units: Units, people: int) -> None:
    """Make sure that seats, players and deals of one state fit together."""
    if "game" not in units or not units.get("seats"):
        raise ExchangeError("it has no seats")
    facts, seated = units["game"], [seat.player_id for seat in units["seats"]]
    if len(set(seated)) != len(seated) or max(seated) > people:
        raise ExchangeError("someone sits in two seats, or is nobody of this league")
    beside = [seat.sits_after for seat in units["seats"]]
    if any(after is not None and after >= number for number, after in enumerate(beside)):
        raise ExchangeError("someone sits beside a seat that came later")
    deals = {int(name[5:]): unit for name, unit in units.items() if name.startswith("deal:")}
    if deals and max(deals) != len(deals):
        raise ExchangeError("a deal is missing")
    used = {facts.first_dealer, *facts.order, *(deal.dealer for deal in deals.values())}
    used.update(seat for deal in deals.values() for seat in deal.lines)
    used.update(facts.next_dealer[1:] if facts.next_dealer else ())
    used.update(() if facts.tie is None else [facts.tie])
    if len(set(facts.order)) != len(facts.order):
        raise ExchangeError("someone sits in two places")
    if max(used) >= len(seated):
        raise ExchangeError("a seat is missing")


def _check_persons(record: Record, persons: Sequence[int]) -> None:
    """Make sure that nobody sits twice by two names; before a merge they may have, by mistake."""
    seated = [persons[seat.player_id - 1] for seat in record.seats]
    if len(set(seated)) != len(seated):
        raise ExchangeError("someone sits in two seats, by two names")


def _check_course(record: Record) -> None:
    """Make sure that everybody came and left in the course of the game."""
    last = len(record.deals) + 1
    for seat in record.seats:
        left = last if seat.left is None else seat.left
        if not 1 <= seat.joined <= left <= last:
            raise ExchangeError("someone came or left after the last deal")


def _check_words(note: Note) -> None:
    """Make sure that a note says nothing but words and names."""
    # The words are filled by str.format: {0.__class__} would show the inside of the program.
    try:
        fields = list(Formatter().parse(note.words))
    except ValueError:
        raise ExchangeError("its history has a note with stray brackets") from None
    numbers = {str(number) for number in range(len(note.seats))}
    if any(
        name is not None and (name not in numbers or how or as_) for _, name, how, as_ in fields
    ):
        raise ExchangeError("its history has a note that names nobody")
