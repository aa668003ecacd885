"""The rules book of a game: one record for each rule, inherited, overridden, filled from the game.

The words stand in `rules.toml` beside the game's numbers. A variation inherits the records of the
game it extends and says only what differs, by id. An id is permanent: it is never used for
another rule, and a retired one names the rule that took its place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from . import catalogue
from .card_values import what_counts
from .citations import EVERY_TABLE, Ground, grounds
from .field_text import is_so
from .loader import path_first
from .placeholders import fill
from .variant import Variant, VariantError

Section = Literal[
    "setup",
    "turn",
    "melds",
    "down",
    "out",
    "scoring",
    "end",
    "mishaps",
    "questions",
    "words",
    "origins",
    "sources",
]
SECTIONS: tuple[Section, ...] = get_args(Section)
TABLE = "table.toml"
"""The file of the records that every book has, whatever the game."""

COUNTED = ("AT-4.12", "AT-4.13")
"""The rules that are filled from `card_values.toml`."""

LONGEST_TEXT = 60
"""The most words a rule may have, so that it can be read aloud at the table."""


_STEP = re.compile(r"{step\.(\d+)}")


class Rule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rule as its file has it; `text` and `title` hold placeholders.

    `about` names its subjects. `ask` is the question that it answers at the table, and `answer` the
    answer in a word or two: that of the first condition on the game which holds; `yes_or_no` is
    the one to a question that asks whether.
    `when` are conditions on the game that must all hold. `say` gives words for the values of a
    field, for this rule only. `ruling` says why we read it so where the sources are silent or
    disagree; where it stands in one, `citations` says so. `choice` is the house rule that changes
    it.
    `anchors` are the names by which reasons and older pages call it.
    """

    id: str
    section: Section
    title: str
    text: str
    about: tuple[str, ...] = ()
    ask: str = ""
    answer: tuple[tuple[str, str], ...] = ()
    yes_or_no: tuple[tuple[str, str], ...] = ()
    when: tuple[str, ...] = ()
    say: dict[str, dict[str, str]] = {}
    see: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    ruling: str = ""
    choice: str = ""
    anchors: tuple[str, ...] = ()


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[dict[str, Any], ...] = ()
    drop: tuple[str, ...] = ()
    retired: dict[str, str] = {}


class RuleEntry(Struct, frozen=True, kw_only=True):
    """One rule of one game, filled: what a page shows. Its `own` ones no other game gave it.

    Behind it stands a source, which may be one that we could not read (`unread`), or a ruling.
    Where `house` rules change its words, neither does.
    """

    id: str
    section: Section
    title: str
    text: str
    about: tuple[str, ...]
    ask: str
    answer: str
    yes_or_no: str
    step: int
    see: tuple[str, ...]
    search: tuple[str, ...]
    source: str
    ruling: str
    choice: str
    anchors: tuple[str, ...]
    unread: bool = False
    own: bool = True
    house: bool = False


class Book(Struct, frozen=True):
    """The rules of one game in order, and where retired ids lead."""

    entries: tuple[RuleEntry, ...]
    retired: dict[str, str]

    def section(self, name: str) -> list[RuleEntry]:
        """List the rules of a section."""
        return [entry for entry in self.entries if entry.section == name]

    def find(self, rule: str) -> RuleEntry | None:
        """Find a rule by its id, a retired id, or a name that reasons use for it."""
        rule = self.retired.get(rule, rule)
        return next((e for e in self.entries if rule == e.id or rule in e.anchors), None)


@lru_cache(maxsize=128)
def stored_book(stored: bytes) -> Book:
    """Write the rules of a game that is stored as JSON."""
    variant = msgspec.json.decode(stored, type=Variant)
    key = catalogue.catalogue_key(variant)
    if key is None:
        raise VariantError(f"extends: there is no game {variant.extends or variant.key}")
    rules, retired = load_rules(key)
    book = catalogue.load(key)
    given, _ = records(book.extends) if book.extends else every_table()
    entries = [
        msgspec.structs.replace(entry, own=entry.id not in given)
        for entry in _entries(variant, rules)
    ]
    # A source speaks for the book's words; house rules that change the words have only the house.
    if variant != book:
        written = {entry.id: entry for entry in load_book(book).entries}
        entries = [_house_words(entry, written.get(entry.id)) for entry in entries]
    else:
        above = load_book(catalogue.load(book.extends)).entries if book.extends else ()
        base = {entry.id: entry for entry in above}
        known = grounds(EVERY_TABLE) | _of_values(book) | grounds(book.key)
        entries = [
            _standing_on(entry, known.get(entry.id) or _inherited(entry, given, base))
            for entry in entries
        ]
        if faults := [entry.id for entry in entries if not (entry.source or entry.ruling)]:
            raise VariantError(f"{book.key}: rules.toml: {faults[0]}: needs a citation or a ruling")
    return Book(tuple(entries), retired)


def _entries(variant: Variant, rules: Iterable[Rule]) -> list[RuleEntry]:
    """Fill the rules that hold, in the order of their sections; they point at nothing else."""
    filled = (_entry(variant, rule) for rule in rules if _holds(variant, rule))
    # What is filled with nothing says nothing: not every game of points has its values looked up.
    entries = [entry for entry in filled if entry.text]
    order = {name: index for index, name in enumerate(SECTIONS)}
    there = {entry.id for entry in entries}
    offered = {choice.key for choice in variant.choices}
    return [
        msgspec.structs.replace(
            entry,
            see=tuple(other for other in entry.see if other in there),
            # An inherited rule may name a choice that only the game it comes from has.
            choice=entry.choice if entry.choice in offered else "",
        )
        for entry in sorted(entries, key=lambda entry: order[entry.section])
    ]


def _of_values(book: Variant) -> dict[str, Ground]:
    """Return the source of what counts in a game of points, by the rules that say it."""
    values = what_counts(book)
    return dict.fromkeys(COUNTED, Ground(source=values.source)) if values else {}


def _house_words(entry: RuleEntry, written: RuleEntry | None) -> RuleEntry:
    """Take the book's source and ruling from a rule that says something else than the book."""
    if written and (entry.title, entry.text) == (written.title, written.text):
        return _standing_on(entry, written)
    return _standing_on(entry, Ground(), house=True)


def _inherited(
    entry: RuleEntry, given: Mapping[str, Mapping[str, Any]], base: Mapping[str, RuleEntry]
) -> Ground | RuleEntry:
    """Find what stands behind a rule that was not looked up for this game.

    A source of the game it comes from speaks only for the words it has there.
    """
    above, ruling = base.get(entry.id), given.get(entry.id, {}).get("ruling", "")
    is_as_there = entry.ruling == ruling and _says_the_same(entry, above)
    return above if above and is_as_there else Ground(ruling=entry.ruling)


def _standing_on(entry: RuleEntry, ground: Ground | RuleEntry, *, house: bool = False) -> RuleEntry:
    return msgspec.structs.replace(
        entry, source=ground.source, ruling=ground.ruling, unread=ground.unread, house=house
    )


def _says_the_same(entry: RuleEntry, base: RuleEntry | None) -> bool:
    own = entry.title, entry.text, entry.answer
    return base is not None and own == (base.title, base.text, base.answer)


def load_book(variant: Variant) -> Book:
    """Write the rules of a game, its house rules included; the same rules are written once.

    A family's own game reads the records of the game it was made from.
    Raises `VariantError` with the path to each fault of the files.
    """
    # By its JSON, since a variant holds dicts and can't be a key itself.
    return stored_book(msgspec.json.encode(variant))


@cache
def load_rules(key: str) -> tuple[tuple[Rule, ...], dict[str, str]]:
    """Load the records of a game in the catalogue, inherited ones included, and its retired ids.

    Raises `VariantError` with the path to each fault.
    """
    raw, retired = records(key)
    rules = []
    for record in raw.values():
        try:
            rules.append(msgspec.convert(record, Rule))
        except msgspec.ValidationError as fault:
            name = record.get("id", "?")
            raise VariantError(f"{key}: rules.toml: {name}.{path_first(str(fault))}") from None
    if faults := [f"{key}: rules.toml: {fault}" for fault in _faults(rules, retired)]:
        raise VariantError("\n".join(faults))
    return tuple(rules), retired


@cache
def records(key: str) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Lay a game's records over those of the game it extends, or of every table."""
    parent = catalogue.load(key).extends
    below, retired = records(parent) if parent else every_table()
    return _laid_over(below, retired, catalogue.VARIANTS / key / "rules.toml")


@cache
def every_table() -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Read the records that every book has."""
    return _laid_over({}, {}, catalogue.VARIANTS / TABLE)


def _laid_over(
    below: dict[str, dict[str, Any]], retired: dict[str, str], path: Path
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    if not path.is_file():
        return below, retired
    where = ": ".join(path.relative_to(catalogue.VARIANTS).parts)
    try:
        file = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File)
    except tomllib.TOMLDecodeError as fault:
        raise VariantError(f"{where}: {fault}") from None
    except msgspec.ValidationError as fault:
        raise VariantError(f"{where}: {path_first(str(fault))}") from None
    kept = {
        # Rules inherited may point at one that is dropped here.
        name: record | {"see": [other for other in record.get("see", ()) if other not in file.drop]}
        for name, record in below.items()
        if name not in file.drop
    }
    seen = set()
    for record in file.rules:
        name = str(record.get("id", ""))
        if name in seen:
            raise VariantError(f"{where}: {name} is there twice")
        seen.add(name)
        kept[name] = kept.get(name, {}) | record
    return kept, retired | file.retired


def _faults(rules: list[Rule], retired: Mapping[str, str]) -> Iterator[str]:
    there = {rule.id for rule in rules}
    for rule in rules:
        for other in rule.see:
            if other not in there and other not in retired:
                yield f"{rule.id}.see: there is no rule {other}"
    for old, new in retired.items():
        if old in there or new not in there:
            yield f"retired.{old}: must be no rule any more, and {new} one that is"


def _holds(variant: Variant, rule: Rule) -> bool:
    return all(is_so(variant, when) for when in rule.when)


def _entry(variant: Variant, rule: Rule) -> RuleEntry:
    try:
        return RuleEntry(
            id=rule.id,
            section=rule.section,
            title=fill(variant, rule.title, rule.say),
            text=fill(variant, rule.text, rule.say),
            about=rule.about,
            ask=fill(variant, rule.ask, rule.say),
            answer=_answer(variant, rule.answer),
            yes_or_no=_answer(variant, rule.yes_or_no),
            step=int(found.group(1)) if (found := _STEP.search(rule.title)) else 0,
            see=rule.see,
            search=rule.search,
            source="",
            ruling=rule.ruling,
            choice=rule.choice,
            anchors=rule.anchors,
        )
    except (VariantError, ValueError, StopIteration) as fault:
        # int() fails where a pack has no number, next() where the game has no such bonus.
        raise VariantError(f"{variant.key}: rules.toml: {rule.id}: {fault}") from None


def _answer(variant: Variant, answers: Iterable[tuple[str, str]]) -> str:
    """Return the answer that holds in this game; it begins with a capital letter."""
    held = (words for when, words in answers if not when or is_so(variant, when))
    answer = fill(variant, next(held, ""))
    return answer[:1].upper() + answer[1:]
