"""Every rule has its id for good, and every gap of a source our reading."""

import re

import pytest

from companion.rules import (
    Variant,
    card_games,
    catalogue,
    load,
)
from companion.rules.book import TABLE, load_book, load_rules
from tests.support.every_game import EVERY_GAME

ID = re.compile(r"([A-Z]{2})-(?:\d+\.\d+|Q\d+[a-z]?|s\.\d+)|[A-Z]-\d+")


def table_ids() -> set[str]:
    """The records that every book has."""
    return set(re.findall(r'(?m)^id = "(.+)"$', (catalogue.VARIANTS / TABLE).read_text("utf-8")))


def own_ids(variant: Variant) -> set[str]:
    inherited = load_rules(variant.extends)[0] if variant.extends else ()
    there = {rule.id for rule in load_rules(variant.key)[0]} - table_ids()
    return there - {rule.id for rule in inherited}


def test_what_holds_at_every_table_has_its_own_prefix() -> None:
    assert table_ids()
    assert all(name.startswith("AT-") and ID.fullmatch(name) for name in table_ids())


@EVERY_GAME
def test_ids_have_their_form_and_one_prefix(variant: Variant) -> None:
    found = {name: ID.fullmatch(name) for name in own_ids(variant)}
    assert not [name for name, match in found.items() if match is None]
    assert len({match[1] for match in found.values() if match and match[1]}) <= 1


def test_no_two_games_have_an_id_of_their_own_in_common() -> None:
    ids = [name for variant in card_games() for name in own_ids(variant)]
    assert len(ids) == len(set(ids))


def test_the_prefixes_of_the_seed_games() -> None:
    prefixes = {
        "contract-rummy": {"CR", "C"},
        "zioncheck": {"ZC", "Z"},
        "chicago-rummy": {"CH", "H"},
        "zip-zilch-zero": {"ZZ", "P"},
    }
    for key, expected in prefixes.items():
        assert {name.partition("-")[0] for name in own_ids(load(key))} == expected


@pytest.mark.parametrize(
    ("key", "letter", "gaps"),
    [
        ("zioncheck", "Z", 21),
        ("contract-rummy", "C", 22),
        ("chicago-rummy", "H", 24),
        ("zip-zilch-zero", "P", 13),
    ],
)
def test_every_gap_of_a_source_has_our_reading_with_its_reason(
    key: str, letter: str, gaps: int
) -> None:
    book = load_book(load(key))
    read = {entry.id: entry for entry in book.section("sources")}
    for number in range(1, gaps + 1):
        assert read[f"{letter}-{number}"].ruling
