"""Contracts as people say and write them, read and written back."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.melds import RANKS, Contract, MeldSpec
from companion.rules import VariantError, buys_needed, card_games, extend, load
from companion.rules.contracts import (
    LONGEST_TEXT,
    contract_signs,
    contract_words,
    read_contract,
)
from companion.rules.validation import LONGEST_MELD, MOST_ALTERNATIVES, MOST_MELDS
from tests.support.reports import CONTRACT
from tests.support.strategies import contracts


def sets(size: int, count: int = 1, **more: object) -> list[MeldSpec]:
    return [MeldSpec(kind="set", size=size, **more)] * count  # type: ignore[arg-type]


def runs(size: int, count: int = 1, **more: object) -> list[MeldSpec]:
    return [MeldSpec(kind="run", size=size, **more)] * count  # type: ignore[arg-type]


def asks(*ways: list[MeldSpec], all_cards: bool = False, only_out: bool = False) -> Contract:
    first, *others = map(tuple, ways)
    return Contract(melds=first, or_melds=tuple(others), all_cards=all_cards, only_out=only_out)


# Laws


@given(contracts())
def test_reading_what_we_say_gives_it_back(contract: Contract) -> None:
    assert read_contract(contract_words(contract)) == contract
    assert read_contract(contract_signs(contract)) == contract


@given(contracts())
def test_neither_capitals_nor_blanks_nor_a_full_stop_matter(contract: Contract) -> None:
    said = contract_words(contract)
    assert read_contract(said.upper()) == contract
    assert read_contract(f"  {said.replace(' ', '   ')} . ".replace(" . ", ".")) == contract


SHIPPED = [
    (variant.key, step, deal.contract)
    for variant in card_games()
    for step, deal in enumerate(variant.deals, start=1)
    if deal.contract
]


@pytest.mark.parametrize(
    "contract", [row[2] for row in SHIPPED], ids=[f"{row[0]}-{row[1]}" for row in SHIPPED]
)
def test_every_contract_of_the_shelf_is_said_and_read(contract: Contract) -> None:
    assert read_contract(contract_words(contract)) == contract
    assert read_contract(contract_signs(contract)) == contract


def test_the_longest_contract_that_rules_allow_is_said_and_read() -> None:
    """Four ways of six melds, no two alike, each naming every rank."""
    ranks = tuple(name for name in RANKS if name != "joker")
    way = [
        MeldSpec(
            kind=("set", "run")[n % 2],
            size=LONGEST_MELD - n // 2,
            exact=True,
            ranks=ranks,
            suits="any",
        )
        for n in range(MOST_MELDS)
    ]
    longest = asks(*[way] * MOST_ALTERNATIVES, all_cards=True)
    assert len(contract_words(longest)) > 3000
    assert read_contract(contract_words(longest)) == longest


# What people write

SAID = [
    ("two sets of three and one run of four", asks(sets(3, 2) + runs(4))),
    ("2 sets of 3 + run of 4", asks(sets(3, 2) + runs(4))),
    ("2 sets of 3, 1 run of 4", asks(sets(3, 2) + runs(4))),
    ("2 sets of 3, and 1 run of 4", asks(sets(3, 2) + runs(4))),
    ("2 sets of 3 & 1 run of 4", asks(sets(3, 2) + runs(4))),
    ("a set of three, a run of four", asks(sets(3) + runs(4))),
    ("2 groups of 3 and a sequence of 4", asks(sets(3, 2) + runs(4))),
    ("2 sets of 3 cards and a run of four cards", asks(sets(3, 2) + runs(4))),
    ("2xS3 + R4", asks(sets(3, 2) + runs(4))),
    ("2 × S3 + R4", asks(sets(3, 2) + runs(4))),
    ("2s3+r4", asks(sets(3, 2) + runs(4))),
    ("S3 + S3 + R4", asks(sets(3, 2) + runs(4))),
    ("R4 + 2S3", asks(runs(4) + sets(3, 2))),
    ("S3= + R4=", asks(sets(3, exact=True) + runs(4, exact=True))),
    ("one set of exactly three", asks(sets(3, exact=True))),
    ("one set of at least three", asks(sets(3, exact=False))),
    ("one set of three or more", asks(sets(3, exact=False))),
    ("a set of 2 aces and a set of 3", asks(sets(2, ranks=("A",)) + sets(3))),
    ("a set of 3 kings or queens", asks(sets(3, ranks=("K", "Q")))),
    ("a set of 3 of sixes", asks(sets(3, ranks=("6",)))),
    ("a set of 3 10 or J", asks(sets(3, ranks=("10", "J")))),
    ("one run of thirteen in any suits", asks(runs(13, suits="any"))),
    ("three runs of four, all cards at once", asks(runs(4, 3), all_cards=True)),
    ("3 runs of 4, all the cards.", asks(runs(4, 3), all_cards=True)),
    ("3R4 all cards", asks(runs(4, 3), all_cards=True)),
    ("3R4, only when you go out", asks(runs(4, 3), only_out=True)),
    ("3 runs of 4, all cards, only to go out.", asks(runs(4, 3), all_cards=True, only_out=True)),
    ("3R4; 2 sets of 5", asks(runs(4, 3), sets(5, 2))),
    ("3R4 | 2S5", asks(runs(4, 3), sets(5, 2))),
    ("3R4\n2S5", asks(runs(4, 3), sets(5, 2))),
    ("3R4, or 2S5", asks(runs(4, 3), sets(5, 2))),
    ("3R4 or 2S5", asks(runs(4, 3), sets(5, 2))),
    ("S3 or R4", asks(sets(3), runs(4))),
    ("2 sets of 3 or run of 7", asks(sets(3, 2), runs(7))),
    ("2 sets of 3 or a run of 7", asks(sets(3, 2), runs(7))),
    ("2 groups of 3 or 2 sequences of 4", asks(sets(3, 2), runs(4, 2))),
    ("set of 3 or more or run of 4", asks(sets(3, exact=False), runs(4))),
    ("set of 3 aces or kings or run of 4", asks(sets(3, ranks=("A", "K")), runs(4))),
    ("set of 3 sixes or sevens or 2 sets of 4", asks(sets(3, ranks=("6", "7")), sets(4, 2))),
    (
        "2S3 + R4 or R7 + S3, all cards",
        asks(sets(3, 2) + runs(4), runs(7) + sets(3), all_cards=True),
    ),
    ("3R4, or", asks(runs(4, 3))),
]


@pytest.mark.parametrize(("text", "contract"), SAID, ids=[text for text, _ in SAID])
def test_what_people_write(text: str, contract: Contract) -> None:
    assert read_contract(text) == contract


def test_continental_has_three_ways_to_go_out() -> None:
    said = "5R3= or 3R4= + R3= or R5= + R4= + 2R3="
    three, four, five = (runs(size, exact=True) for size in (3, 4, 5))
    contract = read_contract(said)
    assert contract == asks(three * 5, four * 3 + three, five + four + three * 2)
    assert contract
    assert contract.least_cards == 15


@pytest.mark.parametrize("text", ["", "   ", "\n", " . "])
def test_nothing_written_is_no_contract(text: str) -> None:
    assert read_contract(text) is None


def test_how_a_contract_is_said() -> None:
    ten = load("the-ten-contracts")
    said = [contract_words(deal.contract) for deal in ten.deals if deal.contract]
    assert said[0] == "One set of two aces and one set of three"
    assert said[7] == "One run of five and one run of six"
    assert said[9] == "Three runs of four, all cards at once"
    assert ten.deals[9].contract
    assert contract_signs(ten.deals[9].contract) == "3 runs of 4, all cards"


# Refused, with the part that makes no sense


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("2 sets of 3 + full house", "full house is no meld: write 2 sets of 3, or 1 run of 4."),
        ("two pairs", "two pairs is no meld"),
        ("S3 S3", "s3 s3 is no meld"),
        ("2 sets of 3 and 1 run of many", "many is no number."),
        ("many sets of 3", "many is no number."),
        ("2 sets of 3 jokers", "2 sets of 3 jokers is no meld"),
        ("2 sets of 3 or 4", "2 sets of 3 or 4 is no meld"),
        ("99 sets of 3", "99 sets of 3: those are too many melds."),
        ("9999 sets of 3", "9999 is no number."),
        ("٣ sets of 3", "٣ is no number."),
        ("+", "+ names no meld."),
        ("and", "and names no meld."),
        ("0 sets of 3", "0 sets of 3 names no meld."),
        ("all cards", "all cards names no meld."),
        ("or", "or is no meld"),
    ],
)
def test_what_makes_no_sense_is_named(text: str, fault: str) -> None:
    with pytest.raises(VariantError) as refused:
        read_contract(text)
    assert fault in str(refused.value)


def test_a_contract_is_never_cut_short() -> None:
    """Cut at any length, `one run of 14` might become `one run of 1`."""
    with pytest.raises(VariantError, match="too long"):
        read_contract("R4 + " * LONGEST_TEXT + "one run of 14")
    assert read_contract("R4".ljust(LONGEST_TEXT)) == read_contract("R4")
    with pytest.raises(VariantError, match="too long"):
        read_contract("R4".ljust(LONGEST_TEXT + 1))


@given(st.text(st.sampled_from(" 0123456789abdefgnorstuxX=+&,;|.\n"), max_size=80))
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    try:
        contract = read_contract(text)
    except VariantError:
        return
    if contract is not None:
        assert read_contract(contract_words(contract)) == contract


HOSTILE = [
    "one " * 900,
    "or " * 1300,
    " " * 4000,
    "1 set of 3 aces" + " or kings" * 400,
    "1 set of 3 aces" + " or" * 1200,
    "a" * 4000,
    "1" * 4000,
    ", or " * 800,
    ",,,, all" * 400,
    "s3+" * 1300,
    "\n;" * 2000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:12] for text in HOSTILE])
def test_no_text_is_slow(text: str) -> None:
    began = time.thread_time()
    with suppress(VariantError):
        read_contract(text[:LONGEST_TEXT])
    assert time.thread_time() - began < 1


# Discards that a contract needs


@pytest.mark.parametrize(
    ("dealt", "asked", "goout", "penalty", "needed"),
    [
        (10, "2S3", "discard", 1, 0),  # 6 of 11
        (10, "S3 + R7", "discard", 1, 0),  # 10 of 11, and one to discard
        (10, "S3 + 2R4", "no_discard", 1, 0),  # 11 of 11
        (10, "S3 + 2R4", "either", 1, 0),
        (10, "S3 + 2R4", "discard", 1, 1),  # one card lacks: the discard brings two
        (10, "3R4", "discard", 1, 1),  # two lack
        (10, "3R4", "discard", 0, 2),
        (10, "R14", "discard", 1, 2),  # four lack
        (10, "R14", "discard", 2, 2),  # four lack, three with each
        (10, "R14", "discard", 3, 1),
        (10, "R14 or 2S3", "discard", 1, 0),  # the other way needs none
    ],
)
def test_how_many_discards_a_contract_needs(
    dealt: int, asked: str, goout: str, penalty: int, needed: int
) -> None:
    deal = {"dealt": dealt, "contract": read_contract(asked), "goout": goout}
    variant = extend(CONTRACT, {"deals": [deal], "pickup": {"penalty_cards": penalty}})
    assert buys_needed(variant, 1) == needed


@pytest.mark.parametrize(
    ("pickup", "own", "fine"),
    [
        ({"limit": 0}, None, True),
        ({"limit": 2}, None, True),
        ({"limit": 1}, None, False),
        ({"limit": 1}, 2, True),
        ({"limit": 2}, 1, False),
        ({"limit": 1}, 0, True),
        ({"allowed": False}, None, False),
        ({"allowed": False}, 2, False),
    ],
)
def test_a_contract_that_no_hand_can_meet_is_refused(
    pickup: dict[str, int], own: int | None, fine: bool
) -> None:
    """A run of 14 from ten cards needs two discards; 0 is no limit."""
    deal = {"dealt": 10, "contract": read_contract("R14"), "buys": own}
    changes = {"deals": [deal], "pickup": pickup}
    if fine:
        assert extend(CONTRACT, changes).buys(1) == (pickup["limit"] if own is None else own)
    else:
        words = "needs 14 cards, 10 are dealt and 1 drawn, and the last is discarded"
        with pytest.raises(VariantError, match=rf"^deals\[0\].contract: {words}$"):
            extend(CONTRACT, changes)
