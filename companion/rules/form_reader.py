"""Reading the form of a game's rules back: a game of its own, or everything wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.melds import RANK_NAMES, RANKS
from companion.spoken import RANK_WORDS

from .contracts import LONGEST_TEXT, read_contract
from .field_text import labels
from .form_fields import NO_LIMIT, PACK, ZERO_COUNTS, Field, fields, shown
from .loader import build, merge, to_data
from .validation import MOST_DEALS
from .variant import Variant, VariantError

OWN = "our-"
"""How the keys of a family's own games begin; no game on the shelf has such a key."""

ROWS = {"deal": "Deal", "pack": "Decks, row", "bonus": "Bonus"}
LONGEST = LONGEST_TEXT + 1
NO_CONTRACT = "none"
NEVER = "Leave it blank for no limit, or say above that no discard may be taken out of turn."
_RANKS = {
    **{word: RANK_NAMES[rank] for word, rank in RANK_WORDS.items()},
    **{written.casefold(): name for name in RANKS for written in (name, f"{name}s")},
    "x": "joker",
}
"""Ranks as they are written or said: 3, 3s, three, threes."""

_BETWEEN = re.compile(r"[\s,;/&+]+")
_NO_RANK = frozenset(["", "and", "or", "none"])


class FieldFault(NamedTuple):
    """What is wrong in the form: the field's name there, and a sentence."""

    field: str
    words: str


def read_form(
    base: Variant, form: Mapping[str, str], key: str
) -> tuple[Variant | None, list[FieldFault]]:
    """Read a form into a game of its own, made from `base`; or say everything that is wrong.

    What the form does not name stays as it is in `base`.
    """
    reading = _Reading(base, form)
    data = reading.data(key)
    if reading.faults:
        return None, reading.faults
    try:
        return build(data), []
    except VariantError as fault:
        return None, [_of_path(line, form) for line in str(fault).split("\n")]


def row_numbers(form: Mapping[str, str], what: str, more: int) -> range:
    """Return which rows of packs, deals or bonuses to show: those filled in, and some more."""
    found = (re.match(rf"{what}\.(\d{{1,2}})\.", name) for name, text in form.items() if text)
    return range(1, max((int(row[1]) for row in found if row), default=0) + more + 1)


class _Reading:
    """One form being read, and the faults found so far."""

    def __init__(self, base: Variant, form: Mapping[str, str]) -> None:
        self.base = base
        self.form = form
        self.faults: list[FieldFault] = []

    def data(self, key: str) -> dict[str, Any]:
        data = to_data(self.base) | {"key": key, "choices": [], "chosen": {}, "aliases": []}
        data |= self._identity()
        for group in fields(self.base).values():
            for field in group:
                if f"f.{field.path}" in self.form:
                    _put(data, field.path, self._answer(field, self._text(f"f.{field.path}")))
        data["melds"] = merge(data["melds"], {"values": self._values("value")})
        data["deals"] = self._deals() or data["deals"]
        if (count := self._deal_count()) is not None:
            written = len(data["deals"])
            data["deals"] = data["deals"][:count]
            data["ending"] = data["ending"] | {"deals": count if count > written else 0}
        data["packs"] = self._packs() or data["packs"]
        data["players"] = data["players"] | _players(data["packs"])
        if self._names("black"):
            data["melds"] |= {"black_values": self._values("black")}
        if self._names("bonus"):
            data["scoring"] = data["scoring"] | {"bonuses": self._bonuses()}
        return data

    def _names(self, group: str) -> bool:
        return any(name.startswith(f"{group}.") for name in self.form)

    def _text(self, name: str, longest: int = LONGEST) -> str:
        return " ".join(self.form.get(name, "")[:longest].split())

    def _refuse(self, field: str, words: str) -> None:
        self.faults.append(FieldFault(field, words))

    def _identity(self) -> dict[str, Any]:
        name, summary = self._text("name", 60), self._text("summary", 160)
        if not any(letter.isalnum() for letter in name):
            self._refuse("name", "Give your game a name.")
        own = self.base.key.startswith(OWN)
        return {
            "name": name,
            "summary": summary or self.base.summary,
            "source": self.base.source if own else f"Your own rules, made from {self.base.name}.",
            "verified": "read",
            "assumed": "",
            "extends": self.base.extends if own else self.base.key,
        }

    def _answer(self, field: Field, text: str) -> Any:
        name = f"f.{field.path}"
        match field.kind:
            case "choice":
                if text not in dict(field.options):
                    self._refuse(name, f"{field.label}: choose one of the answers.")
                return text == "true" if field.options[0][0] == "true" else text
            case "ranks":
                return self._ranks(text, name, field.label)
            case "rows":
                return self._table(text, name, field.label)
            case "number" if text or field.path not in ZERO_COUNTS:
                blank_is_zero = field.blank == NO_LIMIT and field.path not in ZERO_COUNTS
                if text and blank_is_zero and _is_zero(text):
                    self._refuse(name, f"{field.label}: 0 would be never. {NEVER}")
                return self._number(text or "0", name, field.label)
            case "number":
                return None
            case _:
                return text

    def _number(self, text: str, name: str, label: str) -> int:
        plain = text.replace("−", "-").replace("–", "-")
        if not re.fullmatch(r"[+-]?[0-9]{1,5}", plain, re.ASCII):
            self._refuse(name, f"{label}: {text[:20]} isn't a whole number.")
            return 0
        return int(plain)

    def _ranks(self, text: str, name: str, label: str) -> list[str]:
        words = [word for word in _BETWEEN.split(text.casefold()) if word not in _NO_RANK]
        for word in words:
            if word not in _RANKS:
                self._refuse(name, f"{label}: “{word[:20]}” is no rank. Write, say, joker and 2.")
        return list(dict.fromkeys(_RANKS[word] for word in words if word in _RANKS))

    def _table(self, text: str, name: str, label: str) -> list[tuple[int, int]]:
        if not re.fullmatch(r"(\d{1,2}\s*:\s*\d{1,2}([\s,]+|$))*", text, re.ASCII):
            self._refuse(name, f"{label}: write such as 3:1, 5:2 (cards : wild cards).")
        return [(int(size), int(most)) for size, most in re.findall(r"(\d+)\s*:\s*(\d+)", text)]

    def _values(self, what: str) -> dict[str, int]:
        told = {rank: self._text(f"{what}.{rank}") for rank in RANKS}
        return {
            rank: self._number(text, f"{what}.{rank}", f"{rank} in hand")
            for rank, text in told.items()
            if text
        }

    def _rows(self, what: str, least: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Return the rows of a table whose `least` field is filled in, each with its name."""
        for number in row_numbers(self.form, what, 0):
            where = f"{what}.{number}"
            names = [name for name in self.form if name.startswith(f"{where}.")]
            row = {name.removeprefix(f"{where}."): self._text(name) for name in names}
            if row.get(least):
                yield where, row

    def _packs(self) -> list[dict[str, Any]]:
        found = []
        for where, row in self._rows("pack", "low"):
            texts = row | {"high": row.get("high") or row["low"]}
            low, high, decks, jokers = (
                self._number(texts.get(name) or "0", f"{where}.{name}", "Decks") for name in PACK
            )
            found.append({"players": (low, high), "decks": decks, "jokers": jokers})
        return found

    def _deals(self) -> list[dict[str, Any]]:
        rows = list(self._rows("deal", "dealt"))
        while rows and self._has_lost_its_contract(*rows[-1]):
            rows.pop()
        return [self._deal(where, row) for where, row in rows]

    def _deal_count(self) -> int | None:
        """Return how many deals are played, if that was changed: fewer than written down, or more.

        Where there are more, the last one written down is dealt again.
        """
        text = self._text("deals")
        if text in ("", shown(self.base).get("deals")):
            return None
        faults = len(self.faults)
        count = self._number(text, "deals", "How many deals")
        if len(self.faults) == faults and not 1 <= count <= MOST_DEALS:
            self._refuse("deals", f"How many deals: 1 to {MOST_DEALS}.")
        return count

    def _has_lost_its_contract(self, where: str, row: Mapping[str, str]) -> bool:
        """Return whether a contract was taken out: so a family plays fewer deals."""
        return bool(shown(self.base).get(f"{where}.contract")) and not row.get("contract")

    def _deal(self, where: str, row: Mapping[str, str]) -> dict[str, Any]:
        label = where.replace(".", " ").capitalize()
        deal: dict[str, Any] = {"dealt": self._number(row["dealt"], f"{where}.dealt", label)}
        try:
            text = row.get("contract", "")
            if text.casefold() != NO_CONTRACT and (contract := read_contract(text)):
                deal["contract"] = contract
        except VariantError as fault:
            self._refuse(f"{where}.contract", f"{label}: {fault}")
        if row.get("goout"):
            deal["goout"] = row["goout"]
        if row.get("buys"):
            deal["buys"] = self._buys(row["buys"], f"{where}.buys", f"{label}, taken out of turn")
        if row.get("wilds"):
            deal["wilds"] = self._ranks(row["wilds"], f"{where}.wilds", f"{label}, wild")
        return deal

    def _buys(self, text: str, name: str, label: str) -> int:
        if text.casefold() == NO_LIMIT:
            return 0
        if _is_zero(text):
            self._refuse(name, f"{label}: write a number, {NO_LIMIT}, or nothing.")
        return self._number(text, name, label)

    def _bonuses(self) -> list[dict[str, Any]]:
        known = {bonus["key"]: bonus for bonus in to_data(self.base)["scoring"]["bonuses"]}
        found = []
        for where, row in self._rows("bonus", "name"):
            key = row.get("key") or re.sub(r"\W+", "_", row["name"].casefold()).strip("_")
            key = key if key.isidentifier() else where.replace(".", "_")
            told = ("name", "who", "payer")
            bonus: dict[str, Any] = {name: row[name] for name in told if row.get(name)}
            bonus["points"] = self._number(row.get("points") or "0", f"{where}.points", row["name"])
            bonus |= {name: row.get(name) == "true" for name in ("counts", "doubles")}
            found.append(known.get(key, {}) | bonus | {"key": key})
        return found


def _players(packs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    numbers = [number for row in packs for number in row["players"]]
    return {"min": min(numbers), "max": max(numbers)}


def _is_zero(text: str) -> bool:
    return not text.strip("+-−–0")


def _put(data: dict[str, Any], path: str, value: Any) -> None:
    *above, last = path.split(".")
    for name in above:
        data[name] = dict(data[name])
        data = data[name]
    data[last] = value


def _of_path(line: str, form: Mapping[str, str]) -> FieldFault:
    """Put a fault of the rules beside the field of the form that it is about."""
    path, _, words = line.partition(": ")
    row = re.match(r"(?:scoring\.)?(deal|pack|bonus)(?:s|es)\[(\d+)\](?:\.(\w+))?", path)
    if row:
        what, place = row[1], int(row[2])
        first = {"deal": "dealt", "pack": "low", "bonus": "name"}[what]
        numbers = row_numbers(form, what, 0)
        filled = [n for n in numbers if form.get(f"{what}.{n}.{first}", "").strip()]
        number = filled[place] if place < len(filled) else place + 1
        name = row[3] if row[3] in ("dealt", "contract", "buys", "points") else first
        return FieldFault(f"{what}.{number}.{name}", f"{ROWS[what]} {number}: {words}.")
    if path.startswith(("melds.values", "melds.black_values")):
        what = "value" if path.startswith("melds.values") else "black"
        rank = path.rpartition(".")[2] if path.count(".") > 1 else words.split()[0]
        return FieldFault(f"{what}.{rank if rank in RANKS else 'A'}", f"Card values: {words}.")
    plain = path.replace("_", " ").replace("packs", "decks")
    label = labels().get(path, {}).get("label", plain)
    field = f"f.{path}"
    return FieldFault(field if field in form else "name", f"{label}: {words}.")
