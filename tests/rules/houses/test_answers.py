"""House rules laid over a game: the answers that change something, in any order."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import (
    Variant,
    VariantError,
    build,
    house_differences,
    to_data,
    with_choices,
)
from companion.rules.loader import merge
from tests.support.every_game import EVERY_GAME
from tests.support.reports import CHICAGO, CONTRACT, SEEDS


@EVERY_GAME
def test_the_books_own_answers_change_nothing(variant: Variant) -> None:
    book = {choice.key: choice.options[0].value for choice in variant.choices}
    assert with_choices(variant, {}) == variant
    assert with_choices(variant, book) == variant
    assert house_differences(variant) == []


@EVERY_GAME
def test_every_option_of_every_choice_builds(variant: Variant) -> None:
    for choice in variant.choices:
        for option in choice.options[1:]:
            house = with_choices(variant, {choice.key: option.value})
            assert house.chosen == {choice.key: option.value}
            assert to_data(house) != to_data(variant) | {"chosen": house.chosen}
            assert house_differences(house) == [
                (choice.question, option.label, choice.options[0].label),
            ]


@EVERY_GAME
def test_an_option_changes_only_what_it_says(variant: Variant) -> None:
    for choice in variant.choices:
        for option in choice.options[1:]:
            house = to_data(with_choices(variant, {choice.key: option.value}))
            plain = to_data(build(merge(to_data(variant), option.changes)))
            assert house == plain | {"chosen": house["chosen"]}


def houses() -> st.SearchStrategy[tuple[Variant, dict[str, Any]]]:
    """One of our games, and an answer to some of its questions."""
    return st.sampled_from(SEEDS).flatmap(
        lambda variant: st.tuples(
            st.just(variant),
            st.fixed_dictionaries(
                {},
                optional={
                    choice.key: st.sampled_from([option.value for option in choice.options])
                    for choice in variant.choices
                },
            ),
        )
    )


@given(houses())
def test_reading_what_we_wrote_gives_it_back(house: tuple[Variant, dict[str, Any]]) -> None:
    variant = with_choices(*house)
    assert build(to_data(variant)) == variant
    assert build(json.loads(json.dumps(to_data(variant)))) == variant


@given(houses(), st.randoms())
def test_the_order_of_the_answers_never_matters(
    house: tuple[Variant, dict[str, Any]], random: Any
) -> None:
    variant, chosen = house
    keys = list(chosen)
    random.shuffle(keys)
    assert with_choices(variant, {key: chosen[key] for key in keys}) == with_choices(*house)


@given(houses(), st.randoms())
def test_house_rules_added_later_are_as_if_taken_at_once(
    house: tuple[Variant, dict[str, Any]], random: Any
) -> None:
    variant, chosen = house
    first = {key: value for key, value in chosen.items() if random.random() < 0.5}
    rest = {key: value for key, value in chosen.items() if key not in first}
    assert with_choices(with_choices(variant, first), rest) == with_choices(*house)


@pytest.mark.parametrize(
    "order", [("number_cards", "deuces_wild"), ("deuces_wild", "number_cards")]
)
def test_wild_twos_count_25_also_where_numbers_count_5(order: tuple[str, str]) -> None:
    """Decision 8, whichever house rule the family took first."""
    answers = {"number_cards": 5, "deuces_wild": 25}
    house = CONTRACT
    for key in order:
        house = with_choices(house, {key: answers[key]})
    assert house == with_choices(CONTRACT, answers)
    assert house.melds.values["2"] == 25
    assert [house.melds.values[name] for name in "3456789"] == [5] * 7
    assert house.melds.values["10"] == 10


def test_a_house_rule_is_taken_back_from_the_book_only() -> None:
    house = with_choices(CONTRACT, {"joker": 15})
    assert with_choices(house, {"joker": 15}) == house
    with pytest.raises(VariantError, match="15 is taken; begin from the book"):
        with_choices(house, {"joker": 25})


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        ({"jester": 15}, "choices.jester: Contract Rummy has no such choice"),
        ({"joker": 16}, "choices.joker: 16 is not one of 25, 15, 20, 50"),
        ({"deuces_wild": "maybe"}, "choices.deuces_wild: maybe is not one of False, 25, 15"),
    ],
)
def test_what_a_game_does_not_offer_is_refused(chosen: dict[str, Any], fault: str) -> None:
    with pytest.raises(VariantError, match=f"^{fault}$"):
        with_choices(CONTRACT, chosen)


def test_answers_may_come_from_a_form_as_text() -> None:
    assert with_choices(CONTRACT, {"joker": "15", "deuces_wild": "False"}) == with_choices(
        CONTRACT, {"joker": 15}
    )


def test_what_a_house_rule_says_of_our_table() -> None:
    house = with_choices(CHICAGO, {"knock_tie": "penalty", "eliminate_at": ">="})
    assert house_differences(house) == [
        (
            "The knocker ties for the lowest count: is there a penalty?",
            "The penalty applies",
            "No penalty",
        )
    ]
