"""What stands behind a rule: looked up for its own game, and never where the game only assumes."""

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from companion.rules import Variant, card_games, load
from companion.rules.book import LONGEST_TEXT, load_book
from companion.rules.catalogue import point_games
from companion.rules.citations import assumed_fields, grounds, looked_up
from companion.rules.field_text import labels
from companion.rules.variant import DealRules

GAMES = card_games()
GOING_OUT = get_args(get_type_hints(DealRules)["goout"])
EVERY_GAME = pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.key)


def others(value: Any, path: str) -> Iterator[Any]:
    """Give other values that a field may have, all numbers below it moved together."""
    if isinstance(value, dict):
        # Rows of packs go on covering the same players.
        moved = [name for name in value if name != "players"]
        yield value | {
            name: next(others(value[name], f"{path}.{name}"), value[name]) for name in moved
        }
    elif isinstance(value, list):
        yield [next(others(one, path), one) for one in value]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    else:
        known = GOING_OUT if path.endswith("goout") else labels().get(path, {})
        yield from (other for other in known if other not in ("label", "when", value))


def changed(variant: Variant, path: str) -> Iterator[Variant]:
    """Change a field in every way that we know of."""
    *above, last = path.split(".")
    data = msgspec.json.decode(msgspec.json.encode(variant))
    place: Any = data
    for name in above:
        place = place[int(name) - 1] if isinstance(place, list) else place[name]
    key: Any = int(last) - 1 if isinstance(place, list) else last
    before = place[key]
    for other in others(before, path):
        place[key] = other
        yield msgspec.convert(data, Variant)
    place[key] = before


def about(variant: Variant, path: str) -> set[str]:
    """Find the rules that say something else, or are gone, where a field is changed."""
    book, found = words(variant), set()
    for other in changed(variant, path):
        there = words(other)
        found |= {rule for rule, said in book.items() if there.get(rule) != said}
    return found


def words(variant: Variant) -> dict[str, tuple[str, ...]]:
    """Give the words of every rule."""
    return {e.id: (e.title, e.text, e.answer) for e in load_book(variant).entries}


@EVERY_GAME
def test_no_rule_about_an_assumed_field_has_a_source(variant: Variant) -> None:
    for path in assumed_fields(variant.key):
        rules = about(variant, path)
        assert rules, path
        sourced = {entry.id for entry in load_book(variant).entries if entry.source}
        assert not rules & sourced, path


@EVERY_GAME
def test_what_is_assumed_is_said_and_named(variant: Variant) -> None:
    # The closing rounds of the Chilean Carioca are choices, and no part of its book.
    assert bool(variant.assumed and variant.key != "carioca-chile") == bool(
        assumed_fields(variant.key)
    )


@EVERY_GAME
def test_every_rule_that_was_looked_up_is_in_the_book(variant: Variant) -> None:
    assert not set(grounds(variant.key)) - {entry.id for entry in load_book(variant).entries}


def test_an_inherited_rule_keeps_the_source_of_its_parent() -> None:
    """The page on the Chilean Carioca says nothing of exchanging jokers."""
    book = load_book(load("carioca-chile"))
    for rule in ("CR-2.6", "CR-2.8", "CR-2.9", "CR-2.14", "CR-4.8", "CR-4.9", "CR-4.12"):
        entry = book.find(rule)
        assert entry
        assert not entry.source


CITED = looked_up()


@pytest.mark.parametrize("key", CITED)
def test_the_counts_of_what_was_looked_up_are_those_of_the_entries(key: str) -> None:
    game = CITED[key]
    entries = [
        rule for group in (game.seen, game.unread, game.ruled) for r in group.values() for rule in r
    ]
    unread = {rule for rules in game.unread.values() for rule in rules}
    mended = {*game.mended}
    assert mended <= {*entries} - unread
    assert len(mended) == len(game.mended)
    assert msgspec.to_builtins(game.audit) == {
        "looked_up": len(entries),
        "right": len(entries) - len(mended) - len(unread),
        "mended": len(mended),
        "unreadable": len(unread),
    }


def test_every_game_with_rules_of_its_own_was_looked_up() -> None:
    """The two of which all is another game's, and those of points that have only numbers, aside."""
    games = (*card_games(), *point_games())
    own = {
        game.key
        for game in games
        if any(e.own and not e.id.startswith("AT-") for e in load_book(game).entries)
    }
    assert own <= {*CITED}


@pytest.mark.parametrize("variant", point_games(), ids=lambda variant: variant.key)
def test_every_rule_of_a_game_of_points_has_a_source_or_a_ruling(variant: Variant) -> None:
    for entry in load_book(variant).entries:
        assert bool(entry.source) != bool(entry.ruling), entry.id
        assert len(entry.text.split()) <= LONGEST_TEXT or entry.id == "AT-4.3", entry.id
        assert not {"{", "}"} & {*entry.title, *entry.text, *entry.answer}, entry.id


def test_a_page_says_where_a_source_could_not_be_read() -> None:
    entry = load_book(load("telefunken")).find("CR-6.2")
    assert entry
    assert entry.unread


def test_jo_says_that_its_source_counts_a_joker_less() -> None:
    """Cats at Cards: fifteen for a joker in the game of which Jo is a form."""
    entry = load_book(load("jo")).find("CR-Q3")
    assert entry
    assert entry.ruling.startswith("Cats at Cards counts a joker 15")
