"""Variations that say only what differs, and changes laid over lists."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cards import read_hand
from companion.rules import (
    VariantError,
    card_games,
    extend,
    find_variant,
    load,
    to_data,
    with_choices,
)
from companion.scoring.cards_left import sum_of_values
from tests.support.reports import CONTRACT
from tests.support.variant_shelf import Shelf, shelf_in

# Variations that say only what differs

DEUCES = """
extends = "contract-rummy"
name = "Deuces Wild"
aliases = ["Deuces"]
melds = { wilds = ["joker", "2"], values = { 2 = 25 } }
"""
FIVES = """
extends = "contract-rummy"
name = "Fives"
melds = { values = { 2 = 5, 3 = 5, 4 = 5, 5 = 5, 6 = 5, 7 = 5, 8 = 5, 9 = 5 } }
"""
CHEAP_JOKER = 'extends = "contract-rummy"\nname = "Joker 15"\nmelds = { values = { joker = 15 } }'


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    with shelf_in(tmp_path, monkeypatch) as made:
        made.copy("contract-rummy")
        yield made


@pytest.mark.parametrize(
    ("text", "choices", "hand_points"),
    [
        (DEUCES, {"deuces_wild": 25}, 94),
        (FIVES, {"number_cards": 5}, 70),
        (CHEAP_JOKER, {"joker": 15}, 61),
    ],
    ids=["deuces wild 25", "numbers 2-9 = 5", "joker 15"],
)
def test_a_variation_is_its_parent_with_what_differs(
    shelf: Shelf, text: str, choices: dict[str, Any], hand_points: int
) -> None:
    """The variations of Contract Rummy, against A5 and against the same rules as choices."""
    shelf.put("variation", text)
    child = load("variation")
    assert sum_of_values(child.melds, read_hand("A X 10 K 9 2")) == hand_points
    assert child.melds == with_choices(CONTRACT, choices).melds
    named = {"key", "name", "aliases", "extends", "melds"}
    inherited = {field for field in to_data(CONTRACT) if field not in named}
    assert all(getattr(child, field) == getattr(CONTRACT, field) for field in inherited)
    assert child.extends == "contract-rummy"
    assert load("contract-rummy") == CONTRACT


def test_a_variation_has_its_own_names_only(shelf: Shelf) -> None:
    """A parent's aliases keep meaning the parent, wherever the variation stands in it."""
    shelf.put("a-first-on-the-shelf", DEUCES)
    shelf.put("another", CHEAP_JOKER)
    assert find_variant("deuces").name == "Deuces Wild"
    assert load("another").aliases == ()
    assert find_variant("combination").key == "contract-rummy"
    assert [v.key for v in card_games()] == ["contract-rummy", "a-first-on-the-shelf", "another"]


def test_a_variation_of_a_variation(shelf: Shelf) -> None:
    shelf.put("deuces", DEUCES)
    shelf.put(
        "both", 'extends = "deuces"\nname = "Both"\nmelds = { values = { joker = 15, K = 11 } }'
    )
    both = load("both").melds.values
    assert (both["2"], both["joker"], both["K"], both["Q"]) == (25, 15, 11, 10)


def test_extend_makes_the_same_from_plain_data() -> None:
    made = extend(CONTRACT, {"melds": {"wilds": ["joker", "2"], "values": {"2": 25}}})
    assert made.melds == with_choices(CONTRACT, {"deuces_wild": 25}).melds
    assert extend(CONTRACT, {}) == CONTRACT


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('extends = "odd"\nname = "Odd"', "odd: extends: odd → odd goes round in a circle"),
        ('extends = "nowhere"', "odd: extends: there is no game nowhere"),
        ("extends = 3", "odd: extends: must be the key of a game"),
        ('extends = "contract-rummy"\ndeals = []', "odd: deals: a game needs at least one"),
        (
            'extends = "contract-rummy"\nmelds = { values = { Z = 1 } }',
            "odd: melds.values.Z: there",
        ),
        ("name = ", "odd: game.toml: Invalid value"),
        ("", "odd: rules: object missing required field"),
    ],
)
def test_a_faulty_file_is_refused_by_name(shelf: Shelf, text: str, fault: str) -> None:
    shelf.put("odd", text)
    with pytest.raises(VariantError) as refused:
        load("odd")
    assert fault in str(refused.value)


def test_a_longer_circle_is_shown(shelf: Shelf) -> None:
    shelf.put("hen", 'extends = "egg"')
    shelf.put("egg", 'extends = "hen"')
    with pytest.raises(VariantError, match="hen → egg → hen goes round in a circle"):
        load("hen")


# Changes laid over lists: choices and bonuses by their key, other items by number

CUT = {"name": "Exact cut", "points": -50, "who": "one"}


def test_a_choice_is_changed_added_or_taken_away_by_its_key() -> None:
    answers = [{"value": 1, "label": "Few"}, {"value": 2, "label": "Many"}]
    asked = {"question": "Cards?", "rule": "CR-1.7", "options": answers}
    made = extend(CONTRACT, {"choices": {"joker": False, "floor": {"question": "?"}, "own": asked}})
    keys = [choice.key for choice in CONTRACT.choices]
    assert [choice.key for choice in made.choices] == [k for k in keys if k != "joker"] + ["own"]
    (floor,) = (choice for choice in made.choices if choice.key == "floor")
    assert floor.question == "?"
    assert len(floor.options) == 2


def test_bonuses_of_several_house_rules_lie_side_by_side() -> None:
    first = extend(CONTRACT, {"scoring": {"bonuses": {"cut": CUT}}})
    both = extend(first, {"scoring": {"bonuses": {"other": CUT | {"points": -10}}}})
    assert [(b.key, b.points) for b in both.scoring.bonuses] == [("cut", -50), ("other", -10)]
    assert extend(both, {"scoring": {"bonuses": {"cut": False, "other": False}}}) == CONTRACT


def test_the_next_number_adds_a_deal_and_no_other_does() -> None:
    eighth = {"dealt": 13, "contract": {"melds": [{"kind": "run", "size": 13}]}}
    assert extend(CONTRACT, {"deals": {"8": eighth}}).deal_count == 8
    with pytest.raises(VariantError, match="deals: there is no number 9, only 1 to 7"):
        extend(CONTRACT, {"deals": {"9": eighth}})
    with pytest.raises(VariantError, match="choices: there is no number jester"):
        extend(CONTRACT, {"choices": {"jester": False}})
