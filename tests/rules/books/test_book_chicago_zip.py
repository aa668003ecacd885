"""The rules books of Chicago Rummy, of Zip, Zilch, Zero and of Continental Rummy."""

from typing import Any

import pytest

from companion.rules import Variant, extend, find_variant, with_choices
from companion.rules.book import load_book, load_rules

CHICAGO, ZIP, CONTINENTAL = map(find_variant, ("chicago", "zip", "continental"))


def text(variant: Variant, rule: str) -> str:
    entry = load_book(variant).find(rule)
    assert entry, rule
    return entry.text


@pytest.mark.parametrize("variant", [CHICAGO, ZIP, CONTINENTAL], ids=lambda variant: variant.key)
def test_every_house_rule_is_told_where_the_book_points(variant: Variant) -> None:
    """The rule that a choice names changes its words with every answer."""
    for choice in variant.choices:
        book = text(variant, choice.rule)
        for option in choice.options[1:]:
            house = text(with_choices(variant, {choice.key: option.value}), choice.rule)
            assert house != book, (choice.key, option.value)


@pytest.mark.parametrize("variant", [CHICAGO, ZIP, CONTINENTAL], ids=lambda variant: variant.key)
def test_every_record_can_be_shown(variant: Variant) -> None:
    """Words are also filled in records that no game in the catalogue shows."""
    fields: list[dict[str, Any]] = [
        {"turn": {"upcard": False}, "pickup": {"allowed": True}, "joker_trade": {"allowed": True}},
        {"ending": {"floor": 0}},
        {"melds": {"wilds": [], "wild_share": "any"}},
        {"melds": {"wilds": ["2"], "wild_share": "half", "wild_table": [[3, 1], [5, 2]]}},
        {"melds": {"wilds": ["2"], "wilds_apart": True, "set_naturals": 2}},
        {"players": {"best": "3"}},
    ]
    shown = {entry.id for entry in load_book(variant).entries}
    for change in fields:
        shown |= {entry.id for entry in load_book(extend(variant, change)).entries}
    about_the_end = {rule.id for rule in load_rules(variant.key)[0] if rule.section == "end"}
    records = {rule.id for rule in load_rules(variant.key)[0] if not rule.id.startswith("AT-")}
    dealt_without_a_discard = {"CT-2.31"}
    only_by_choice = {"CH-4.4", "CT-6.4", "CT-6.14"}
    assert records - shown <= about_the_end | dealt_without_a_discard | only_by_choice


def test_a_lower_knock_limit_is_told_wherever_it_matters() -> None:
    lower = extend(CHICAGO, {"scoring": {"knock": {"limit": 5}}})
    assert "at most 9 points left over" in text(CHICAGO, "knock")
    assert "at most 5 points left over" in text(lower, "knock")
    assert "at most 5 points left over" in text(lower, "CH-Q23")


def test_a_knock_beaten_at_a_house_with_another_penalty() -> None:
    assert "15 points more" in text(CHICAGO, "CH-6.4")
    assert "10 points more" in text(with_choices(CHICAGO, {"knock_penalty": 10}), "CH-6.4")
    doubled = with_choices(CHICAGO, {"knock_penalty": "double_count"})
    assert "adds the points left over twice" in text(doubled, "CH-6.4")


def test_zip_without_a_floor_may_fall_below_zero() -> None:
    assert load_book(ZIP).find("ZZ-6.3")
    assert not load_book(extend(ZIP, {"ending": {"floor": 0}})).find("ZZ-6.3")


def test_twos_are_paid_for_only_where_they_are_wild() -> None:
    wild = with_choices(CONTINENTAL, {"deuces_wild": True})
    assert not load_book(CONTINENTAL).find("CT-6.4")
    assert "pays 1 more" in text(wild, "CT-6.4")
    assert [bonus.key for bonus in wild.scoring.bonuses][-1] == "deuces"


def test_a_hand_of_continental_is_just_its_contract() -> None:
    deal = CONTINENTAL.deal(1)
    assert deal.contract
    ways = (deal.contract.melds, *deal.contract.or_melds)
    assert [sum(meld.size for meld in way) for way in ways] == [deal.dealt] * len(ways)
