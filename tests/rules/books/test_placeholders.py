"""What fills the texts of a book."""

import pytest
from msgspec.structs import replace

from companion.rules import Variant, VariantError, extend, find_variant
from companion.rules.book import load_book
from companion.rules.field_text import at, is_so
from companion.rules.placeholders import fill
from tests.support.reports import CONTRACT, ZIONCHECK

SEVEN = find_variant("zioncheck-seven")
SHANGHAI = find_variant("shanghai")
CONTINENTAL = find_variant("continental")
FEWER_AT_FIRST = replace(SHANGHAI, deals=(replace(SHANGHAI.deals[0], buys=1), *SHANGHAI.deals[1:8]))


@pytest.mark.parametrize(
    ("variant", "text", "filled"),
    [
        (CONTRACT, "{dealt}", "10 cards in deals 1 to 4; 12 cards in deals 5 to 7"),
        (CONTRACT, "{players}", "3 to 8"),
        (CONTRACT, "{packs.5}", "3 decks and 2 jokers"),
        (CONTRACT, "{values}", "A: 15; 2 to 9: what they show; 10 to K: 10 each; joker: 25"),
        (CONTRACT, "{sum.A_K_joker}", "15 + 10 + 25 = 50"),
        (CONTRACT, "{spare.7}, {need.7:word}", "1, twelve"),
        (CONTRACT, "{melds.set_size:card} {melds.set_size:word}", "3 cards three"),
        (CONTRACT, "{scoring.out_points:point}", "0 points"),
        (CONTRACT, "{melds.run_size:word card}, {side}", "four cards, left"),
        (find_variant("continental (spain)"), "{side}", "right"),
        (CONTINENTAL, "{bonus.out} {bonus.jokers} {bonus.first_turn}", "1 2 7"),
        (find_variant("3-13"), "{wilds.1} to {wilds.last}", "threes to kings"),
        (CONTRACT, "{wilds}, {wilds.2}", "jokers, jokers"),
        (CONTRACT, "{a_set} {a_run}", "[8C 8D 8H] [4C 5C 6C 7C]"),
        (CONTRACT, "{step.7}", "Deal 7"),
        (CONTRACT, "{buys}, {buys.3}", "as often as you like, 0"),
        (
            FEWER_AT_FIRST,
            "{buys}",
            "at most 1 time in deal 1; at most 3 times in deals 2 to 8",
        ),
        (ZIONCHECK, "{step.6}: {contract.6}", "Hand 6: two sets of three and two runs of four"),
        (ZIONCHECK, "{values}", "A: 15; 2 to 9: 5 each; 10 to K: 10 each; joker: 15"),
        (SEVEN, "{room.7}", "That is every card of this round, the one drawn included. Whoever"),
        (SEVEN, "{goout.7}", "every card must be played on the table, none is discarded"),
    ],
)
def test_placeholders(variant: Variant, text: str, filled: str) -> None:
    assert fill(variant, text).startswith(filled)


def test_where_players_stay_on_a_contract_contracts_have_the_numbers() -> None:
    each = {"dealt": 12}
    ending = {"length": "until_contracts_met", "winner": "furthest"}
    own = extend(CONTRACT, {"deals": {"each": each}, "ending": ending})
    assert fill(own, "{step.3}") == "Contract 3"
    texts = {entry.id for entry in load_book(own).entries}
    assert {"CR-4.16", "CR-7.3"} <= texts
    assert not {"CR-4.15", "CR-7.1"} & texts


def test_a_single_contract_is_that_of_every_deal() -> None:
    one = extend(CONTRACT, {"deals": [{"dealt": 10, "contract": {"melds": TWO_SETS}}]})
    assert fill(one, "{step.1}") == "Every deal"
    more = extend(CONTRACT, {"ending": {"deals": 9}})
    assert fill(more, "{step.7}") == "Deal 7 and later"


TWO_SETS = [{"kind": "set", "size": 3}, {"kind": "set", "size": 3}]


def test_a_deal_that_is_not_there_is_none() -> None:
    assert at(CONTRACT, "deals.8") is None
    assert is_so(CONTRACT, "deals.7.goout=discard")
    assert not is_so(CONTRACT, "deals.8")
    with pytest.raises(VariantError, match="no deal 8"):
        fill(CONTRACT, "{need.8}")


@pytest.mark.parametrize("text", ["{melds.colour}", "{nothing}"])
def test_a_placeholder_that_nothing_fills_is_a_fault(text: str) -> None:
    with pytest.raises(VariantError, match="there is no such field"):
        fill(CONTRACT, text)
