"""What is wrong in the form of a family's game stands beside its field."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import (
    Variant,
    advice,
    build,
    compared,
    to_data,
)
from companion.rules.form_fields import shown
from companion.rules.form_reader import read_form, row_numbers
from companion.rules.house import read_toml, write_toml
from tests.support.doses import doses
from tests.support.reports import CONTRACT

from .edited_games import houses


def refusal(base: Variant, **changed: str) -> list[tuple[str, str]]:
    form = {name.replace("__", "."): text for name, text in changed.items()}
    made, faults = read_form(base, shown(base) | form, "our-game")
    assert made is None
    return [(fault.field, fault.words) for fault in faults]


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"name": " — "}, "name", "Give your game a name."),
        ({"f.turn.draw": "both"}, "f.turn.draw", "choose one of the answers."),
        ({"f.turn.upcard": "maybe"}, "f.turn.upcard", "choose one of the answers."),
        ({"f.pickup.limit": "few"}, "f.pickup.limit", "few isn't a whole number."),
        ({"f.pickup.limit": "1.5"}, "f.pickup.limit", "1.5 isn't a whole number."),
        ({"f.pickup.limit": "٣"}, "f.pickup.limit", "٣ isn't a whole number."),
        ({"f.pickup.limit": "-1"}, "f.pickup.limit", "must be 0 to 99."),
        ({"f.pickup.penalty_cards": "-1"}, "f.pickup.penalty_cards", "must be 0 to 19."),
        ({"f.melds.set_size": "99999"}, "f.melds.set_size", "must be 1 to 14."),
        ({"f.melds.run_max": "0"}, "f.melds.run_max", "must be 1 to 14."),
        ({"f.melds.wilds": "joker 11"}, "f.melds.wilds", "“11” is no rank"),
        ({"f.melds.wild_table": "3-1"}, "f.melds.wild_table", "write such as 3:1, 5:2"),
        ({"f.melds.wild_table": "3:12:4"}, "f.melds.wild_table", "write such as 3:1, 5:2"),
        ({"value.Q": "much"}, "value.Q", "Q in hand: much isn't a whole number."),
        ({"value.Q": "1001"}, "value.Q", "must be 0 to 1000 points."),
        ({"deal.3.dealt": "0"}, "deal.3.dealt", "Deal 3: must be at least 1 and at most 19."),
        ({"deal.3.dealt": "x"}, "deal.3.dealt", "Deal 3: x isn't a whole number."),
        ({"deal.3.contract": "full house"}, "deal.3.contract", "full house is no meld"),
        ({"deal.3.contract": "R15"}, "deal.3.contract", "a meld has at least 1 and at most 14"),
        ({"deal.3.goout": "maybe"}, "deal.3.dealt", "Deal 3: invalid enum value 'maybe'."),
        ({"deal.3.buys": "-1"}, "deal.3.buys", "Deal 3: must be 0 to 99."),
        ({"deal.3.wilds": "11"}, "deal.3.wilds", "Deal 3, wild: “11” is no rank"),
        (
            {"pack.2.decks": "1"},
            "pack.2.low",
            "Decks, row 2: 8 players need 97 cards, there are 54.",
        ),
        (
            {"pack.2.jokers": "-1"},
            "pack.2.low",
            "Decks, row 2: 1 to 100 decks, and 0 to 400 jokers.",
        ),
        (
            {"pack.2.decks": "101"},
            "pack.2.low",
            "Decks, row 2: 1 to 100 decks, and 0 to 400 jokers.",
        ),
        ({"pack.2.low": "7"}, "name", "decks: must name each number of players"),
        ({"bonus.1.name": "Cut", "bonus.1.points": "9999"}, "name", "at most 1000 points."),
        ({"bonus.1.name": "Cut", "bonus.1.who": "all"}, "bonus.1.name", "invalid enum value 'all'"),
    ],
)
def test_a_fault_stands_beside_its_field(typed: dict[str, str], field: str, words: str) -> None:
    made, faults = read_form(CONTRACT, shown(CONTRACT) | typed, "our-game")
    assert made is None
    assert field in [fault.field for fault in faults]
    assert words in " ".join(fault.words for fault in faults if fault.field == field)


def test_a_fault_stands_beside_its_row_also_below_an_empty_one() -> None:
    """The second deal was cleared: the fault of the fourth is still the fourth's."""
    typed = {"deal__2__dealt": "", "deal__4__dealt": "40"}
    assert [field for field, _ in refusal(CONTRACT, **typed)][-1:] == ["deal.4.dealt"]


def test_every_fault_of_a_form_is_told_at_once() -> None:
    typed = {"name": "", "f__pickup__limit": "x", "deal__1__contract": "?", "value__A": "?"}
    assert [field for field, _ in refusal(CONTRACT, **typed)] == [
        "name",
        "f.pickup.limit",
        "value.A",
        "deal.1.contract",
    ]


def test_a_form_shows_its_filled_rows_and_some_more() -> None:
    assert row_numbers(shown(CONTRACT), "deal", 2) == range(1, 10)
    assert row_numbers({"deal.3.dealt": "7", "deal.9.dealt": ""}, "deal", 0) == range(1, 4)
    assert row_numbers({}, "bonus", 1) == range(1, 2)
    assert row_numbers({"deal.999.dealt": "7", "deals.5": "1"}, "deal", 0) == range(1, 1)


TEXTS = st.text(max_size=40) | st.sampled_from(
    [
        "-1",
        "0",
        "99999",
        "99999999999999999999",
        "true",
        "none",
        "3:1",
        "9:9,1:1",
        "R14 or",
        "joker",
    ]
)


@doses("examples", 50, 300)
def test_whatever_is_typed_is_a_game_or_faults(examples: int) -> None:
    @settings(max_examples=examples)
    @given(houses(), st.data())
    def type_in(variant: Variant, data: st.DataObject) -> None:
        form = shown(variant)
        names = st.sampled_from(
            [*form, "deal.41.dealt", "deal.99.dealt", "bonus.1.name", "pack.9.low", "deal.x.dealt"]
        )
        form |= data.draw(st.dictionaries(names | st.text(max_size=9), TEXTS, max_size=4))
        began = time.thread_time()
        made, faults = read_form(variant, form, "our-game")
        assert (made is None) == bool(faults)
        assert all(fault.words and fault.field for fault in faults)
        if made:
            assert build(to_data(made)) == made
            assert read_toml(write_toml(made)) == made
            compared(made, variant)
            advice(made)
        assert time.thread_time() - began < 2

    type_in()
