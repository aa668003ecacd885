"""A hand that a phone reported is stored as a tally; text stays only where it could not be read."""

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

REPORT = sa.table(
    "report",
    *(sa.column(name) for name in ("game_id", "position", "seat", "device_id")),
    sa.column("told", sa.JSON),
)
GAME = sa.table("game", sa.column("id"), sa.column("rules"))
KEYS = [REPORT.c[name] for name in ("game_id", "position", "seat", "device_id")]
CARDS = re.compile(r"(?:A|[2-9]|10|J|Q|K)[CDHSRB]?|X")
SUM = re.compile(r"[+-]?[0-9]{1,5}([+-][0-9]{1,5})*")


def upgrade() -> None:
    _rewrite(lambda told, _: _tally(told))


def downgrade() -> None:
    connection = op.get_bind()
    rules = dict(connection.execute(sa.select(GAME.c.id, GAME.c.rules)).all())
    _rewrite(lambda told, game: _fields(told, json.loads(rules[game])))


def _rewrite(change) -> None:
    connection = op.get_bind()
    for *place, told in connection.execute(sa.select(*KEYS, REPORT.c.told)).all():
        here = (key == value for key, value in zip(KEYS, place, strict=True))
        changed = change(told, place[0])
        connection.execute(sa.update(REPORT).where(*here).values(told=changed))


def _tally(told) -> dict:
    """Read the fields of a form, as they were stored until now."""
    tally, bonuses, typed = {}, {}, {}
    for name, text in told.items():
        if name not in READ:
            bonuses |= _bonus(name, text)
            continue
        value = READ[name](text)
        tally |= {} if value is None else {name: value}
        shown = " / ".join(value) if name == "zips" and value else str(value)
        if name != "met" and (text != shown or (name == "zipped" and "zips" in told)):
            typed[name] = text
    return {"tally": {**tally, "bonuses": bonuses}, "typed": typed}


def _bonus(name, text) -> dict:
    kind, _, key = name.partition("-")
    if kind == "group":
        return {text: 1}
    number = 1 if kind == "one" else _number(text) if kind == "bonus" or name in BIDS else None
    return {} if number is None else {key or name: number}


def _number(text) -> int | None:
    plain = "".join(text.replace("−", "-").replace("–", "-").split())
    found = re.findall(r"[+-]?[0-9]+", plain) if SUM.fullmatch(plain) else None
    return None if found is None else sum(map(int, found))


def _cards(text) -> str | None:
    words = re.split(r"[\s,;]+", text.strip().upper())
    return " ".join(words) if all(map(CARDS.fullmatch, words)) else None


def _zips(text) -> list[str] | None:
    zips = [_cards(zipped) for zipped in text.split("/") if zipped.strip()]
    return None if None in zips else zips


READ = {
    "met": lambda text: text == "1",
    "total": _number,
    "zipped": _number,
    "cards": _cards,
    "hand": _cards,
    "zips": _zips,
}
BIDS = ("bid", "tricks")


def _fields(told, rules) -> dict:
    """Write a report as the fields of its form again."""
    tally, bonuses = told["tally"], {one["key"]: one for one in rules["scoring"]["bonuses"]}
    numbers = {name: tally.get(name) for name in ("total", "zipped")}
    fields = {name: str(number) for name, number in numbers.items() if number is not None}
    fields |= {name: tally[name] for name in ("cards", "hand") if tally.get(name)}
    fields |= {"zips": " / ".join(tally["zips"])} if tally.get("zips") else {}
    fields |= {"asks-met": "1"} | ({"met": "1"} if tally.get("met") else {})
    for key, times in tally["bonuses"].items():
        bonus = bonuses.get(key, {})
        if key not in bonuses:
            fields[key] = str(times)
        elif bonus.get("group"):
            fields[f"group-{bonus['group']}"] = key
        else:
            fields[f"{'one' if bonus.get('who') == 'one' else 'bonus'}-{key}"] = str(times)
    return fields | told["typed"]
