"""The files of books: inherited, overridden, dropped, retired, refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules import (
    VariantError,
    extend,
    load,
)
from companion.rules.book import Book, load_book
from tests.support.reports import CONTRACT
from tests.support.variant_shelf import Shelf, shelf_in


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """A shelf with Contract Rummy, a small book of its own, and a variation."""
    with shelf_in(tmp_path, monkeypatch) as made:
        made.copy("contract-rummy")
        made.put("contract-rummy", BASE, "rules.toml")
        made.cite(CITED)
        made.put("child", 'extends = "contract-rummy"\nname = "Child"')
        yield made


CITED = """
[contract-rummy.seen]
"Contract Rummy rules" = ["CR-6.1", "CR-6.2", "CR-1.1"]
"""
BASE = """
[[rules]]
id = "CR-6.1"
section = "scoring"
title = "Values"
text = "{values}."
see = ["CR-1.1", "CR-6.2"]
choice = "joker"
anchors = ["values"]
[[rules]]
id = "CR-6.2"
section = "scoring"
title = "Jokers"
text = "A joker costs {value.joker}."
when = ["has_jokers"]
[[rules]]
id = "CR-1.1"
section = "setup"
title = "Players"
text = "For {players} players."
"""


CHILD = 'extends = "contract-rummy"\nname = "Child"\nmelds = { values = { joker = 50 } }'


def book_of(key: str) -> Book:
    return load_book(load(key))


def test_a_book_is_in_order_of_its_sections(shelf: Shelf) -> None:
    assert [entry.id for entry in book_of("contract-rummy").entries] == [
        "CR-1.1",
        "CR-6.1",
        "CR-6.2",
    ]


def test_a_variation_inherits_with_its_own_numbers(shelf: Shelf) -> None:
    shelf.put("child", CHILD)
    shelf.cite(f'{CITED}[child.unread]\n"Rosa\'s notes" = ["CR-6.1", "CR-6.2"]')
    rule, players = book_of("child").find("CR-6.2"), book_of("child").find("CR-1.1")
    assert rule
    assert players
    assert (rule.text, rule.source) == ("A joker costs 50.", "Rosa's notes")
    assert (rule.unread, players.unread) == (True, False)
    assert players.source == "Contract Rummy rules"


def test_a_rule_that_nobody_looked_up_cites_nothing(shelf: Shelf) -> None:
    shelf.put("child", CHILD)
    with pytest.raises(VariantError, match=r"child: rules\.toml: CR-6\.1: needs a citation"):
        book_of("child")
    shelf.cite(f'{CITED}[child.ruled]\n"As at home." = ["CR-6.1", "CR-6.2"]')
    rule = book_of("child").find("CR-6.2")
    assert rule
    assert (rule.source, rule.ruling) == ("", "As at home.")


def test_a_variation_says_only_what_differs(shelf: Shelf) -> None:
    own = '[[rules]]\nid = "CR-1.1"\ntext = "For a family."\nruling = "Ours."'
    shelf.put("child", own, "rules.toml")
    rule, values = book_of("child").find("CR-1.1"), book_of("child").find("values")
    assert rule
    assert values
    assert (rule.title, rule.text, values.id) == ("Players", "For a family.", "CR-6.1")


def test_a_dropped_rule_is_no_longer_pointed_at(shelf: Shelf) -> None:
    shelf.put("child", 'drop = ["CR-6.2"]', "rules.toml")
    values = book_of("child").find("CR-6.1")
    assert book_of("child").find("CR-6.2") is None
    assert values
    assert values.see == ("CR-1.1",)


def test_a_rule_that_does_not_hold_is_not_pointed_at(shelf: Shelf) -> None:
    shelf.put(
        "child",
        'extends = "contract-rummy"\nname = "Child"\npacks = [{ players = [3, 8], decks = 3 }]',
    )
    shelf.cite(f'{CITED}[child.ruled]\n"Without jokers." = ["CR-6.1", "CR-1.1"]')
    values = book_of("child").find("values")
    assert values
    assert values.see == ("CR-1.1",)


def test_a_retired_rule_leads_to_the_one_in_its_place(shelf: Shelf) -> None:
    shelf.put("child", 'retired = { "CR-9.9" = "CR-6.1" }', "rules.toml")
    rule = book_of("child").find("CR-9.9")
    assert rule
    assert rule.id == "CR-6.1"


def test_a_choice_that_is_not_offered_is_not_named(shelf: Shelf) -> None:
    shelf.put("child", 'extends = "contract-rummy"\nname = "Child"\n[choices]\njoker = false')
    rule = book_of("child").find("CR-6.1")
    assert rule
    assert rule.choice == ""


def test_a_familys_own_game_reads_the_book_it_was_made_from(shelf: Shelf) -> None:
    own = extend(
        load("contract-rummy"),
        {"key": "our-own", "extends": "contract-rummy", "name": "Ours", "players": {"max": 8}},
    )
    assert load_book(own).find("CR-1.1")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[[rules]", "child: rules.toml: "),
        ('[[rules]]\nid = "CR-1.1"\nwhy = "x"', "CR-1.1.rules: object contains unknown field"),
        ('[[rules]]\nid = "CR-1.1"\nsection = "cellar"', "CR-1.1.section: invalid enum value"),
        ('[[rules]]\nid = "CR-1.1"\nsee = ["CR-5.5"]', "CR-1.1.see: there is no rule CR-5.5"),
        ('[[rules]]\nid = "CR-1.1"\ntext = "x"', "CR-1.1: needs a citation or a ruling"),
        ('[[rules]]\nid = "CR-1.1"\n[[rules]]\nid = "CR-1.1"', "CR-1.1 is there twice"),
        ('retired = { "CR-1.1" = "CR-6.1" }', "retired.CR-1.1: must be no rule any more"),
        ('retired = { "CR-9.9" = "CR-8.8" }', "retired.CR-9.9: must be no rule any more"),
        ("rulez = []", "rules.toml: rules: object contains unknown field"),
    ],
)
def test_a_faulty_book_is_refused_with_its_path(shelf: Shelf, text: str, fault: str) -> None:
    shelf.put("child", text, "rules.toml")
    with pytest.raises(VariantError) as refused:
        book_of("child")
    assert fault in str(refused.value)


def test_a_text_that_cannot_be_filled_names_its_rule(shelf: Shelf) -> None:
    shelf.put("child", '[[rules]]\nid = "CR-1.1"\ntext = "{need.9}"', "rules.toml")
    with pytest.raises(VariantError, match=r"child: rules\.toml: CR-1\.1: .* no deal 9"):
        book_of("child")


def test_a_game_of_no_shelf_has_no_book() -> None:
    stray = extend(CONTRACT, {"key": "stray", "extends": ""})
    with pytest.raises(VariantError, match="there is no game stray"):
        load_book(stray)
