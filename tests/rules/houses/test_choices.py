"""Every house rule that is offered changes something; what could not is not offered."""

from collections.abc import Iterator

import pytest

from companion.rules import (
    Variant,
    VariantError,
    advice,
    extend,
    find_variant,
    with_choices,
)
from companion.rules.book import load_book
from companion.rules.field_text import offered, rule_fields, tables
from tests.support.every_game import EVERY_GAME
from tests.visits.phones import Phone

CARIOCA = find_variant("carioca")
OF_THE_BOOK = "AT-1.11"
ABOUT_JOKERS = {"joker", "min_naturals", "no_wild_bonus", "joker_trade", "joker_suit"}


def said(variant: Variant) -> tuple[object, ...]:
    """Everything a game says of itself: its book, its facts and tables, what is scored.

    But not the summary of the book as it is printed: it leaves with the first choice, whichever.
    """
    entries = [entry for entry in load_book(variant).entries if entry.id != OF_THE_BOOK]
    book = [(entry.id, entry.title, entry.text) for entry in entries]
    return book, rule_fields(variant), tables(variant), variant.scoring, variant.counted


def houses(variant: Variant) -> Iterator[Variant]:
    """The book, and the book with each single house rule."""
    yield variant
    for choice in variant.choices:
        for option in choice.options[1:]:
            yield with_choices(variant, {choice.key: option.value})


@EVERY_GAME
def test_every_answer_offered_changes_a_sentence_or_a_score(variant: Variant) -> None:
    for choice in offered(variant):
        answers = [with_choices(variant, {choice.key: o.value}) for o in choice.options]
        told = [said(answer) for answer in answers]
        same = [o.label for place, o in enumerate(choice.options) if told[place] in told[:place]]
        assert not same, choice.key


@EVERY_GAME
def test_what_is_not_offered_would_change_nothing(variant: Variant) -> None:
    for house in houses(variant):
        there = offered(house)
        for choice in house.choices:
            # A bonus without what nobody can hold would only be another one for going out.
            if choice not in there and choice.key != "no_wild_bonus":
                told = said(house)
                for option in choice.options[1:]:
                    other = with_choices(variant, house.chosen | {choice.key: option.value})
                    assert said(other) == told, (house.chosen, choice.key)


def test_carioca_asks_about_jokers_where_there_are_some() -> None:
    asked = {choice.key for choice in offered(CARIOCA)}
    with_two = {choice.key for choice in offered(with_choices(CARIOCA, {"jokers": 2}))}
    assert not asked & ABOUT_JOKERS
    assert with_two >= ABOUT_JOKERS


def test_what_was_chosen_can_be_taken_back_though_it_changes_nothing() -> None:
    house = with_choices(CARIOCA, {"joker": 15})
    assert "joker" in {choice.key for choice in offered(house)}


def test_a_game_without_jokers_gives_no_advice_about_them() -> None:
    assert not [words for words in advice(CARIOCA) if "oker" in words]


def test_a_condition_that_asks_for_nothing_is_refused() -> None:
    choice = {"when": ["turn.luck"]}
    with pytest.raises(VariantError, match=r"choices\[1\].when: turn.luck asks for no field"):
        extend(CARIOCA, {"choices": {"2": choice}})


def test_the_page_asks_what_matters(lone: Phone) -> None:
    page = lone.show("/house/carioca")
    assert "What does a joker left in hand count?" not in page.text
    page = lone.press(page.form("/carioca").fill("rule-jokers", "2"))
    assert "What does a joker left in hand count?" in page.text
    assert "1 difference from the book" in lone.show("/games/new/carioca").text
    assert "What does a joker left in hand count?" in lone.show("/rules/carioca/book").text
