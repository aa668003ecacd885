"""Reading the form of a game's rules back: a game of its own, or everything wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from companion.melds import RANK_NAMES, RANKS, Contract
from companion.spoken import RANK_WORDS

from .contracts import LONGEST_TEXT, read_contract
from .field_text import labels
from .form_fields import NO_LIMIT, PACK, ZERO_COUNTS, Field, Kind, fields, shown
from .loader import build, merge, to_data
from .validation import LONGEST_NAME, LONGEST_SUMMARY, MOST_DEALS
from .variant import Variant, VariantError

OWN = "our-"
"""How the keys of a family's own games begin; no game in the catalogue has such a key."""

ROWS = {"deal": "Deal", "pack": "Decks, row", "bonus": "Bonus"}
# One more, so that it is refused: cut off, one run of 14 might become one run of 1.
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
    sent = _Sent(form)
    data = _data(base, sent, key)
    if sent.faults:
        return None, sent.faults
    try:
        return build(data), []
    except VariantError as fault:
        return None, [_of_path(line, form) for line in str(fault).split("\n")]


def row_numbers(form: Mapping[str, str], what: str, more: int) -> range:
    """Return which rows of packs, deals or bonuses to show: those filled in, and some more."""
    # Two digits: a field that names row 999 draws no thousand rows.
    found = (re.match(rf"{what}\.(\d{{1,2}})\.", name) for name, text in form.items() if text)
    return range(1, max((int(row[1]) for row in found if row), default=0) + more + 1)


class _Sent:
    """A form as it was sent, and what of it could not be read so far."""

    def __init__(self, form: Mapping[str, str]) -> None:
        self.form = form
        self.faults: list[FieldFault] = []

    def text(self, name: str, longest: int = LONGEST) -> str:
        return " ".join(self.form.get(name, "")[:longest].split())

    def read(self, name: str, label: str, reader: Callable[[str], Any]) -> Any:
        """Read a field; None where that cannot be, with the fault noted beside it."""
        try:
            return reader(self.text(name))
        except VariantError as fault:
            self.faults.append(FieldFault(name, f"{label}: {fault}"))
            return None

    def numbers(self, names: Iterable[str], label: str) -> list[int]:
        return [self.read(name, label, _number) or 0 for name in names]

    def has(self, group: str) -> bool:
        return any(name.startswith(f"{group}.") for name in self.form)

    def rows(self, what: str, least: str) -> list[str]:
        """Name the rows of a table whose `least` field is filled in."""
        rows = [f"{what}.{number}" for number in row_numbers(self.form, what, 0)]
        return [row for row in rows if self.text(f"{row}.{least}")]


def _data(base: Variant, sent: _Sent, key: str) -> dict[str, Any]:
    """Lay what was sent over the data of the game that it began with."""
    data = to_data(base) | {"key": key, "choices": [], "chosen": {}, "aliases": []}
    data |= _identity(base, sent)
    for field in (field for group in fields(base).values() for field in group):
        name = f"f.{field.path}"
        if name in sent.form:
            _put(data, field.path, sent.read(name, field.label, _reader(field)))
    data["melds"] = merge(data["melds"], {"values": _values(sent, "value")})
    data["deals"] = _deals(base, sent) or data["deals"]
    if (count := _deal_count(base, sent)) is not None:
        written = len(data["deals"])
        data["deals"] = data["deals"][:count]
        data["ending"] = data["ending"] | {"deals": count if count > written else 0}
    data["packs"] = _packs(sent) or data["packs"]
    data["players"] = data["players"] | _players(data["packs"])
    if sent.has("black"):
        data["melds"] |= {"black_values": _values(sent, "black")}
    if sent.has("bonus"):
        known = {bonus["key"]: bonus for bonus in data["scoring"]["bonuses"]}
        rows = sent.rows("bonus", "name")
        data["scoring"] = data["scoring"] | {"bonuses": [_bonus(sent, row, known) for row in rows]}
    return data


def _identity(base: Variant, sent: _Sent) -> dict[str, Any]:
    name, summary = sent.text("name", LONGEST_NAME), sent.text("summary", LONGEST_SUMMARY)
    if not any(letter.isalnum() for letter in name):
        sent.faults.append(FieldFault("name", "Give your game a name."))
    own = base.key.startswith(OWN)
    return {
        "name": name,
        "summary": summary or base.summary,
        "source": base.source if own else f"Your own rules, made from {base.name}.",
        "verified": "read",
        "assumed": "",
        "extends": base.extends if own else base.key,
    }


def _reader(field: Field) -> Callable[[str], Any]:
    """Choose how a field is read, by its kind."""
    readers: dict[Kind, Callable[[str], Any]] = {
        "choice": partial(_choice, field.options),
        "ranks": _ranks,
        "rows": _wild_table,
        "number": partial(_number_or_blank, field),
        "text": str,
    }
    return readers[field.kind]


def _choice(options: Sequence[tuple[str, str]], text: str) -> str | bool:
    if text not in dict(options):
        raise VariantError("choose one of the answers.")
    return text == "true" if options[0][0] == "true" else text


def _number_or_blank(field: Field, text: str) -> int | None:
    """Read a number; a blank is 0, but where 0 is a limit of its own."""
    zero_counts = field.path in ZERO_COUNTS
    if not text:
        return None if zero_counts else 0
    # A 0 would be read as no limit, and whoever writes 0 means never.
    if field.blank == NO_LIMIT and not zero_counts and _is_zero(text):
        raise VariantError(f"0 would be never. {NEVER}")
    return _number(text)


def _number(text: str) -> int:
    # Pages write a true minus, and a phone's keyboard makes a dash of it. More than five digits no
    # bound allows, and int() fails for thousands.
    plain = text.replace("−", "-").replace("–", "-")
    if text and not re.fullmatch(r"[+-]?[0-9]{1,5}", plain, re.ASCII):
        raise VariantError(f"{text[:20]} isn't a whole number.")
    return int(plain or "0")


def _ranks(text: str) -> list[str]:
    words = [word for word in _BETWEEN.split(text.casefold()) if word not in _NO_RANK]
    for word in words:
        if word not in _RANKS:
            raise VariantError(f"“{word[:20]}” is no rank. Write, say, joker and 2.")
    return list(dict.fromkeys(_RANKS[word] for word in words))


def _wild_table(text: str) -> list[tuple[int, int]]:
    if not re.fullmatch(r"(\d{1,2}\s*:\s*\d{1,2}([\s,]+|$))*", text, re.ASCII):
        raise VariantError("write such as 3:1, 5:2 (cards : wild cards).")
    return [(int(size), int(most)) for size, most in re.findall(r"(\d+)\s*:\s*(\d+)", text)]


def _values(sent: _Sent, what: str) -> dict[str, int]:
    return {
        rank: sent.read(f"{what}.{rank}", f"{rank} in hand", _number)
        for rank in RANKS
        if sent.text(f"{what}.{rank}")
    }


def _packs(sent: _Sent) -> list[dict[str, Any]]:
    found = []
    for row in sent.rows("pack", "low"):
        low, high, decks, jokers = sent.numbers([f"{row}.{name}" for name in PACK], "Decks")
        players = (low, high if sent.text(f"{row}.high") else low)
        found.append({"players": players, "decks": decks, "jokers": jokers})
    return found


def _deal_count(base: Variant, sent: _Sent) -> int | None:
    """Return how many deals are played, if that was changed: fewer than written down, or more.

    Where there are more, the last one written down is dealt again.
    """

    def count(text: str) -> int:
        number = _number(text)
        if not 1 <= number <= MOST_DEALS:
            raise VariantError(f"1 to {MOST_DEALS}.")
        return number

    # Sent as it was, the number must not cut off deals that were added below it.
    if sent.text("deals") in ("", shown(base).get("deals")):
        return None
    found: int | None = sent.read("deals", "How many deals", count)
    return found


def _deals(base: Variant, sent: _Sent) -> list[dict[str, Any]]:
    """Read the deals; those at the end whose contract was taken out are not played."""
    before, rows = shown(base), sent.rows("deal", "dealt")
    while rows and before.get(f"{rows[-1]}.contract") and not sent.text(f"{rows[-1]}.contract"):
        rows.pop()
    return [_deal(sent, row) for row in rows]


def _deal(sent: _Sent, row: str) -> dict[str, Any]:
    label = row.replace(".", " ").capitalize()
    columns: dict[str, tuple[str, Callable[[str], Any]]] = {
        "dealt": (label, _number),
        "contract": (label, _contract),
        "goout": (label, str),
        "buys": (f"{label}, taken out of turn", _buys),
        "wilds": (f"{label}, wild", _ranks),
    }
    return {
        name: value
        for name, (title, reader) in columns.items()
        if sent.text(f"{row}.{name}")
        and (value := sent.read(f"{row}.{name}", title, reader)) is not None
    }


def _contract(text: str) -> Contract | None:
    return None if text.casefold() == NO_CONTRACT else read_contract(text)


def _buys(text: str) -> int:
    if text.casefold() == NO_LIMIT:
        return 0
    if _is_zero(text):
        raise VariantError(f"write a number, {NO_LIMIT}, or nothing.")
    return _number(text)


def _bonus(sent: _Sent, row: str, known: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    name = sent.text(f"{row}.name")
    key = sent.text(f"{row}.key") or re.sub(r"\W+", "_", name.casefold()).strip("_")
    # A name such as `50 more` makes no key that rules allow.
    key = key if key.isidentifier() else row.replace(".", "_")
    (points,) = sent.numbers([f"{row}.points"], name)
    texts = {
        part: text for part in ("name", "who", "payer") if (text := sent.text(f"{row}.{part}"))
    }
    is_so = {part: sent.text(f"{row}.{part}") == "true" for part in ("counts", "doubles")}
    # The form doesn't ask when a bonus is given and for its group: these stay as they were.
    return known.get(key, {}) | texts | is_so | {"key": key, "points": points}


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
        what, index = row[1], int(row[2])
        first = {"deal": "dealt", "pack": "low", "bonus": "name"}[what]
        numbers = row_numbers(form, what, 0)
        # Rules count the rows that were read, the form also those left blank between them.
        filled = [n for n in numbers if form.get(f"{what}.{n}.{first}", "").strip()]
        number = filled[index] if index < len(filled) else index + 1
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
