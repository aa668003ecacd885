"""The rules a league made its own: choices in a game of the catalogue, and games of its own.

The only reader and writer of them. A game in progress is never touched: it keeps its own rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from companion.cards import Refusal
from companion.games.locking import in_league, in_own_league
from companion.games.record import read_rules, write_rules
from companion.games.writer import StaleError
from companion.rules import (
    Variant,
    VariantError,
    all_games,
    extend,
    find_variant,
    load,
    with_choices,
)
from companion.rules.form_reader import OWN
from companion.store.authors import Author, Writer
from companion.store.models import House
from companion.store.names import name_key

MOST_HOUSES = 60


class SavedRules(Struct, frozen=True):
    """The rules of one league's house: its choices in a game, or a game of its own."""

    key: str
    revision: int
    variant: Variant

    @property
    def is_own(self) -> bool:
        """Whether the family made this game itself."""
        return self.key.startswith(OWN)


class HouseError(Refusal):
    """House rules that cannot be kept, in a sentence."""


def refuse_known_name(name: str) -> None:
    """Raise `HouseError` where a game of the catalogue answers to this name."""
    try:
        game = find_variant(name).name
    except VariantError:
        return
    raise HouseError(f"There is a game called {game} already: choose another name.")


def list_houses(session: Session, league_id: int) -> list[SavedRules]:
    """List the rules a league made its own, by name; what cannot be read any more is left out."""
    rows = session.execute(select(House).where(House.league_id == league_id)).scalars()
    houses = [house for row in rows if (house := _read(row))]
    return sorted(houses, key=lambda house: house.variant.name.casefold())


def find_house(session: Session, league_id: int, key: str) -> SavedRules | None:
    """Find a league's own rules by their key."""
    row = session.get(House, (league_id, key[:80]))
    return _read(row) if row else None


def _read(row: House) -> SavedRules | None:
    try:
        if row.rules:
            return SavedRules(row.key, row.revision, read_rules(row.rules))
        book = load(row.key)
        # A later version may not offer all of it any more: the rest still holds.
        offered = {choice.key: choice for choice in book.choices}
        still_offered = {
            key: value
            for key, value in row.chosen.items()
            if key in offered and str(value) in {str(o.value) for o in offered[key].options}
        }
        return SavedRules(row.key, row.revision, with_choices(book, still_offered))
    except ValueError:  # rules that cannot be read, or no JSON at all
        return None


Choices = Mapping[str, str | int | bool]


def keep_choices(writer: Writer, key: str, chosen: Choices) -> None:
    """Keep a league's choices in a game of the catalogue; none at all is the book again.

    Raises `VariantError` for a game or a choice that there is not.
    """
    choices = with_choices(load(key), chosen).chosen

    def keep(session: Session, author: Author) -> None:
        row = session.get(House, (author.league_id, key))
        if row is None:
            _add(session, author, key, "", choices)
        else:
            row.chosen, row.revision = dict(choices), row.revision + 1

    in_own_league(writer, keep)


def add_house(writer: Writer, variant: Variant) -> str:
    """Keep a new game of the league's own and give its key; the very same game is kept once.

    Raises `HouseError` where a game has that name already, or there are too many.
    """

    def add(session: Session, author: Author) -> str:
        for house in list_houses(session, author.league_id):
            if house.is_own and house.variant == extend(variant, {"key": house.key}):
                return house.key
        _check_name(session, author, variant.name, "")
        key = _free_key(session, author, variant.name)
        _add(session, author, key, write_rules(extend(variant, {"key": key})), {})
        return key

    return in_own_league(writer, add)


def change_house(author: Author, key: str, revision: int, variant: Variant) -> None:
    """Change a game of the league's own; games in progress keep the rules they began with.

    Raises `StaleError` where somebody else changed it meanwhile, `HouseError` as `add_house`.
    """

    def change(session: Session) -> None:
        _check_name(session, author, variant.name, key)
        of_revision = (
            House.league_id == author.league_id,
            House.key == key,
            House.revision == revision,
        )
        facts = {"rules": write_rules(extend(variant, {"key": key})), "revision": revision + 1}
        if not session.execute(update(House).where(*of_revision).values(facts)).rowcount:  # type: ignore[attr-defined]
            raise StaleError("Someone else has changed these rules since.")

    in_league(author, change)


def drop_house(author: Author, key: str) -> None:
    """Put a league's own rules away; every game played under them keeps them."""
    house = (House.league_id == author.league_id, House.key == key)
    in_league(author, lambda session: session.execute(delete(House).where(*house)))


def _add(
    session: Session, author: Author, key: str, rules: str, chosen: Mapping[str, str | int | bool]
) -> None:
    keys = select(House.key).where(House.league_id == author.league_id)
    if len(session.execute(keys).all()) >= MOST_HOUSES:
        raise HouseError(f"A league can have at most {MOST_HOUSES} games of its own.")
    row = {"rules": rules, "chosen": dict(chosen), "revision": 1}
    session.execute(insert(House).values(league_id=author.league_id, key=key, **row))


def _check_name(session: Session, author: Author, name: str, but: str) -> None:
    """Refuse a name that another game answers to: in the catalogue, or of the league's own."""
    refuse_known_name(name)
    others = list_houses(session, author.league_id)
    same = [h.key for h in others if h.is_own and name_key(h.variant.name) == name_key(name)]
    if any(key != but for key in same):
        raise HouseError(f"There is a game called {name} already: choose another name.")


def own_key(name: str) -> str:
    """Return the key that a game of the family's own has by its name.

    >>> own_key("Büroblitz!")
    'our-buroblitz'
    """
    return OWN + (re.sub(r"[^a-z0-9]+", "-", name_key(name)).strip("-")[:40] or "game")


def _free_key(session: Session, author: Author, name: str) -> str:
    plain = own_key(name)
    keys = select(House.key).where(House.league_id == author.league_id)
    in_use = {*session.execute(keys).scalars(), *(variant.key for variant in all_games())}
    return next(
        key for key in (plain, *(f"{plain}-{n}" for n in range(2, 100))) if key not in in_use
    )
