"""A changed number changes the text: no rule is written down twice."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from companion.melds import MeldRules
from companion.rules import Variant, VariantError, extend, find_variant, with_choices
from companion.rules.book import load_book
from companion.rules.field_text import at, rule_fields
from companion.rules.variant import (
    Ending,
    InstantWin,
    JokerTrade,
    Knock,
    Pickup,
    Scoring,
    Turn,
    ZipRules,
)
from tests.support.every_game import EVERY_GAME
from tests.support.reports import CONTRACT, ZIONCHECK

SEVEN = find_variant("zioncheck-seven")
TELEFUNKEN = find_variant("telefunken")


def told(variant: Variant) -> str:
    """Every word of a game's book except what tells of its sources."""
    entries = [e for e in load_book(variant).entries if e.section != "sources"]
    return "\n".join(f"{entry.title}. {entry.text}" for entry in entries)


PARTS = {
    "turn": Turn,
    "pickup": Pickup,
    "joker_trade": JokerTrade,
    "melds": MeldRules,
    "scoring": Scoring,
    "scoring.knock": Knock,
    "scoring.instant_win": InstantWin,
    "scoring.zips": ZipRules,
    "ending": Ending,
}
NO_RULE_OF_THE_TABLE = {
    "scoring.entry",
    "ending.length",
    "ending.winner",
    "scoring.instant_win.count",
}
"""What is settled by which game it is, or said by the name of the hand that wins at once."""


def fields() -> Iterator[tuple[str, Any]]:
    """Every plain field of a game's rules, with its type."""
    for part, kind in PARTS.items():
        for name, hint in get_type_hints(kind).items():
            if f"{part}.{name}" not in NO_RULE_OF_THE_TABLE:
                yield f"{part}.{name}", hint


def others(value: Any, hint: Any) -> list[Any]:
    """Values that a field may have instead."""
    if get_origin(hint) is Literal:
        return [other for other in get_args(hint) if other != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    return [1] if value is None and int in get_args(hint) else []


def changed(variant: Variant, path: str, value: Any) -> Variant | None:
    """The game with one field changed; None where the rules forbid that."""
    patch: Any = value
    for name in reversed(path.split(".")):
        patch = {name: patch}
    try:
        return extend(variant, patch)
    except VariantError:
        return None


@EVERY_GAME
def test_every_field_changes_what_the_book_says(variant: Variant) -> None:
    """Only where the field matters, as its label says; the same words would be a rule untold."""
    matters = {fact.path for fact in rule_fields(variant)}
    if not variant.has_wilds:
        matters = {path for path in matters if not path.startswith("joker_trade.")}
    before = told(variant)
    untold = [
        f"{path}={value}"
        for path, hint in fields()
        if path in matters
        for value in others(at(variant, path), hint)
        if (other := changed(variant, path, value)) and told(other) == before
    ]
    assert not untold


CHANGES: list[tuple[Variant, dict[str, Any], str, str]] = [
    (CONTRACT, {"melds": {"values": {"joker": 17}}}, "CR-6.2", "joker: 17"),
    (CONTRACT, {"melds": {"values": {"joker": 17}}}, "CR-Q3", "costs 17 points"),
    (CONTRACT, {"melds": {"values": {"A": 1}}}, "CR-6.8", "1 + 10 + 9 + 2 = 22"),
    (CONTRACT, {"melds": {"set_size": 4}}, "CR-3.1", "four or more cards"),
    (CONTRACT, {"melds": {"run_size": 5}}, "CR-3.2", "five or more cards"),
    (CONTRACT, {"melds": {"run_size": 5}}, "CR-8.4", "[4C 5C 6C 7C 8C]"),
    (CONTRACT, {"melds": {"run_max": 14}}, "CR-4.7", "up to 14 cards"),
    (CONTRACT, {"melds": {"max_wilds": 1}}, "CR-3.7", "at most 1 wild card."),
    (CONTRACT, {"melds": {"min_naturals": 2}}, "CR-3.3", "at least 2 cards must be natural"),
    (CONTRACT, {"melds": {"wilds": ["joker", "2"]}}, "CR-3.5", "jokers and twos"),
    (CONTRACT, {"deals": {"7": {"dealt": 13}}}, "CR-1.7", "13 cards in deal 7"),
    (CONTRACT, {"deals": {"7": {"dealt": 13}}}, "CR-4.27", "2 cards are left over"),
    (CONTRACT, {"deals": {"7": {"dealt": 11}}}, "CR-4.27", "take at least 1 discard out of turn"),
    (CONTRACT, {"deals": {"7": {"goout": "no_discard"}}}, "CR-5.2", "in deal 7 every card"),
    (CONTRACT, {"deals": {"7": {"contract": {"all_cards": True}}}}, "CR-4.27", "goes out in that"),
    (CONTRACT, {"pickup": {"penalty_cards": 3}}, "CR-2.9", "the top three cards"),
    (CONTRACT, {"pickup": {"limit": 1}}, "CR-2.11", "at most 1 time in each deal"),
    (CONTRACT, {"pickup": {"limit": 7, "limit_scope": "game"}}, "CR-2.11", "7 times in the whole"),
    (CONTRACT, {"deals": {"7": {"buys": 4}}}, "CR-2.11", "at most 4 times in deal 7"),
    (CONTRACT, {"scoring": {"out_points": -30}}, "CR-6.3", "scores −30."),
    (CONTRACT, {"scoring": {"not_down": {"points": 40}}}, "CR-6.5", "40 points more"),
    (CONTRACT, {"scoring": {"not_down": {"double": True}}}, "CR-Q21", "once again"),
    (CONTRACT, {"ending": {"floor": -100}}, "CR-7.7", "−100."),
    (CONTRACT, {"players": {"max": 4}, "packs": [{"players": [3, 4], "decks": 2}]}, "CR-1.2", "4"),
    (CONTRACT, {"packs": {"1": {"jokers": 4}}}, "CR-1.4", "2 decks and 4 jokers; 5 to 8: 3 decks"),
    (ZIONCHECK, {"melds": {"values": {"joker": 20}}}, "ZC-6.2", "joker: 20"),
    (ZIONCHECK, {"turn": {"first_player": "normal"}}, "ZC-2.2", "like any other"),
    (ZIONCHECK, {"pickup": {"penalty_cards": 1}}, "ZC-Q6", "the top card of the stock"),
    (ZIONCHECK, {"joker_trade": {"from_sets": True}}, "ZC-4.9", "a run or a set"),
    (ZIONCHECK, {"deal_word": "round"}, "ZC-4.21", "10 cards each"),
]


@pytest.mark.parametrize(
    ("variant", "change", "rule", "words"), CHANGES, ids=lambda value: str(value)[:40]
)
def test_a_changed_number_changes_the_text(
    variant: Variant, change: dict[str, Any], rule: str, words: str
) -> None:
    before, after = load_book(variant).find(rule), load_book(extend(variant, change)).find(rule)
    assert after
    assert words in after.text
    assert before is None or (before.text, before.title) != (after.text, after.title)


@EVERY_GAME
def test_every_card_value_stands_in_the_book(variant: Variant) -> None:
    """Each value made odd in turn: the rule of values must say it."""
    for name in variant.melds.values:
        if name == "joker" and not variant.has_jokers:
            continue
        odd = extend(variant, {"melds": {"values": {name: 77}}})
        rule = load_book(odd).find("values")
        assert rule is None or "77" in rule.text, name


def test_what_a_house_decides_is_what_its_book_says() -> None:
    house = with_choices(CONTRACT, {"deuces_wild": 25, "number_cards": 5, "goout": "last_deal"})
    book = load_book(house)
    texts = {entry.id: entry.text for entry in book.entries}
    assert texts["CR-6.2"] == "A: 15; 2: 25; 3 to 9: 5 each; 10 to K: 10 each; joker: 25."
    assert texts["CR-3.5"].startswith("Wild: jokers and twos.")
    assert "in deals 1 to 6 the last card must be discarded; in deal 7" in texts["CR-5.2"]


def test_the_short_game_of_zioncheck_ends_with_its_last_contract() -> None:
    short = with_choices(SEVEN, {"length": "short"})
    texts = {entry.id: entry.text for entry in load_book(short).entries}
    assert "4 contracts" in texts["ZC-7.1"]
    assert "ZC-4.25" not in texts
    assert "the round of three sets of three" in texts["ZS-7.1"]
    assert texts["ZC-5.2"] == "To go out, the last card must be discarded."


STOCK_ONLY = [
    ("CR-2.2", "they draw from the stock"),
    ("CR-2.4", "leave the discards where they are"),
    ("CR-2.6", "Nobody draws the top discard in their turn"),
    ("CR-Q6", "Yes. "),
    ("CR-Q7", "Of all who ask for it, the one whose turn comes soonest."),
    ("CR-Q9", "In your turn you draw from the stock."),
    ("CR-Q20", "No, they draw from the stock."),
    ("CR-Q25", "you take no discard at all"),
    ("AT-3.1", "Only the top discard is there to see"),
]


@pytest.mark.parametrize("variant", [TELEFUNKEN, extend(CONTRACT, {"turn": {"draw": "stock"}})])
def test_where_only_the_stock_is_drawn_from_every_rule_says_so(variant: Variant) -> None:
    book = load_book(variant)
    for rule, words in STOCK_ONLY:
        entry = book.find(rule)
        assert entry
        assert words in entry.text, rule
    taken = ("may take it", "may take the top", "may take the upcard", "if they want it")
    assert not [phrase for phrase in taken if phrase in told(variant)]


def test_two_cards_of_any_suit_free_a_joker_from_a_set_in_every_rule() -> None:
    texts = {entry.id: entry.text for entry in load_book(TELEFUNKEN).entries}
    assert texts["CR-4.10"].endswith("you need two cards of that rank, in any suit.")
    assert texts["CR-Q14"].endswith("you need two cards of its rank, in any suit.")


def test_the_colour_of_an_ace_is_asked_for_only_where_it_counts() -> None:
    jamaica = find_variant("kalooki-jamaica")
    assert load_book(jamaica).find("KJ-6.3")
    assert load_book(with_choices(jamaica, {"aces": 15})).find("KJ-6.3") is None


def test_the_rule_of_a_whole_suit_names_the_contract_it_is_about() -> None:
    jamaica = find_variant("kalooki-jamaica")
    asked = "Deal 4 asks for three runs of four"
    for chosen in (False, True):
        rule = load_book(with_choices(jamaica, {"full_suit": chosen})).find("KJ-4.1")
        assert rule
        assert rule.text.startswith(asked)
        assert ("or one run of thirteen" in rule.text) == chosen


def test_players_who_stay_on_a_contract_are_told_of_contracts_and_not_of_deals() -> None:
    book = load_book(find_variant("frustration"))
    last = book.find("CR-4.35")
    assert last
    assert (last.title, last.step) == ("Contract 14", 14)
    assert last.text.startswith("The last contract: 13 cards each.")
    assert book.find("FR-7.1")
    together = load_book(with_choices(find_variant("frustration"), {"until_met": False}))
    assert together.find("FR-7.1") is None


def test_an_answer_is_that_of_the_first_condition_that_holds() -> None:
    """Contract Rummy lets a meld be larger; in Liverpool each has just the size asked for."""
    answers = [
        load_book(find_variant(key)).find("CR-Q10") for key in ("contract-rummy", "liverpool")
    ]
    assert [entry.answer[:3] for entry in answers if entry] == ["Yes", "No"]


def test_two_ranks_beside_each_other_are_named_both() -> None:
    odd = extend(CONTRACT, {"melds": {"values": {"2": 7, "3": 7, "4": 9}}})
    rule = load_book(odd).find("values")
    assert rule
    assert "2 and 3: 7 each" in rule.text


def test_jokers_are_played_with_where_some_numbers_of_players_have_them() -> None:
    packs = [
        {"players": [3, 4], "decks": 2, "jokers": 0},
        {"players": [5, 8], "decks": 3, "jokers": 2},
    ]
    assert extend(CONTRACT, {"packs": packs}).has_jokers
    assert not extend(CONTRACT, {"packs": [row | {"jokers": 0} for row in packs]}).has_jokers


def test_the_second_of_two_contracts_is_the_last() -> None:
    two = {"dealt": 13, "contract": {"melds": [{"kind": "set", "size": 3}] * 2}}
    steps = [
        entry.text.startswith("The last contract")
        for entry in load_book(extend(find_variant("frustration"), {"deals": [two, two]})).entries
        if entry.step
    ]
    assert steps == [False, True]
