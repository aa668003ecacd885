"""What is refused in the reports of a deal, and what is asked once, each in its sentence."""

import pytest
from msgspec.structs import replace

from companion.cards import Pack, read_hand
from companion.rules import Variant, extend, with_choices
from companion.scoring import Tally, TallyError, score_deal
from tests.support.reports import (
    CHICAGO,
    CONTRACT,
    OUT,
    RUMMY,
    SEVEN_TWOS,
    ZIONCHECK,
    ZIP,
    knock,
    left,
    total,
    zipped,
)

from .deals_in_short import NOBODY_OUT, doubts, faults, scored

# What is refused, each in its sentence

NO_KNOCKING = extend(CHICAGO, {"scoring": {"knock": None, "instant_win": None}})
BOBS_CARDS = "Enter Bob's cards. Only Ann went out."
NOBODY_ENDED = "No one ended the deal: say who knocked or went rummy."
REFUSED: list[tuple[Variant, list[Tally | None], list[int], list[str]]] = [
    (CONTRACT, [left("7"), left("8")], [], [NOBODY_OUT]),
    (ZIONCHECK, [None, None], [], [NOBODY_OUT]),
    (NO_KNOCKING, [total(5), total(7)], [], [NOBODY_OUT]),
    (NO_KNOCKING, [OUT, Tally()], [], ["Enter Bob's cards, or a total of 0 if none are left."]),
    (CONTRACT, [OUT, OUT], [], ["Ann and Bob can't both go out: only one player ends a deal."]),
    (CONTRACT, [OUT, Tally(), left("7")], [], [BOBS_CARDS]),
    (CONTRACT, [OUT, left("")], [], [BOBS_CARDS]),
    (CONTRACT, [OUT, total(1)], [], ["Bob can't have 1: no cards make it. Is it 2?"]),
    (CONTRACT, [OUT, total(0)], [], ["Bob can't have 0: no cards make it. Is it 2?"]),
    (CONTRACT, [OUT, total(-3)], [], ["Bob can't have -3: no cards make it. Is it 2?"]),
    (CONTRACT, [OUT, total(10**6)], [], ["Bob can't have 1000000 points."]),
    (ZIONCHECK, [OUT, total(42)], [], ["Bob can't have 42: no cards make it. Is it 40 or 45?"]),
    (
        ZIONCHECK,
        [OUT, total(9999)],
        [],
        ["Bob can't have 9999: no cards make it. Is it 9995 or 10000?"],
    ),
    (
        CONTRACT,
        [Tally(declared="out", cards=read_hand("7")), left("8")],
        [],
        ["Ann went out and can't have cards left."],
    ),
    (
        CONTRACT,
        [OUT, Tally(cards=read_hand("7"), total=7)],
        [],
        ["Bob has cards and a total: enter one or the other."],
    ),
    (CONTRACT, [knock(5), OUT], [], ["Ann cannot knock: Contract Rummy has no such ending."]),
    (
        ZIONCHECK,
        [OUT, RUMMY],
        [],
        [
            "Bob cannot go rummy: Zioncheck has no such ending.",
            BOBS_CARDS,
        ],
    ),
    (
        CONTRACT,
        [Tally(declared="instant_win", cards=read_hand("2")), OUT],
        [],
        ["Ann cannot win at once: Contract Rummy has no such ending."],
    ),
    (CHICAGO, [total(5), total(9)], [], [NOBODY_ENDED]),
    (CHICAGO, [knock(5), RUMMY], [], ["Ann and Bob can't both end the deal."]),
    (
        CHICAGO,
        [Tally(declared="out", total=3), total(9)],
        [],
        ["Ann cannot go out: Chicago Rummy has no such ending."],
    ),
    (
        CHICAGO,
        [knock(10), total(20)],
        [40, 0],
        ["Ann can't knock with 10. At 40 points the limit is 9."],
    ),
    (
        CHICAGO,
        [knock(9), total(20)],
        [92, 0],
        ["Ann can't knock with 9. At 92 points the limit is 8."],
    ),
    (
        CHICAGO,
        [knock(2), total(20)],
        [99, 0],
        ["Ann can't knock with 2. At 99 points the limit is 1."],
    ),
    (
        CHICAGO,
        [Tally(declared="rummy", cards=read_hand("A")), total(9)],
        [],
        ["Ann can't have cards left over: every card is in a meld."],
    ),
    (CHICAGO, [RUMMY, left("X 7")], [], ["Bob has a joker, and there are none in this game."]),
    (
        ZIP,
        [zipped("9R 9B"), Tally(zipped=7, total=3)],
        [],
        ["Bob can't have zipped 7: red and black are equal in every zip, so the total is even."],
    ),
    (ZIP, [zipped("9R 9B"), Tally(zipped=-2, total=3)], [], ["Bob can't have zipped -2."]),
    (
        ZIP,
        [zipped("9R 9B"), Tally(zipped=4, zips=(read_hand("2R 2B"),), total=3)],
        [],
        ["Bob has zips and a zipped total: enter one or the other."],
    ),
    (
        ZIP,
        [zipped("9R 9B"), zipped("7R 7R", rest="A")],
        [],
        ["Bob: 7R 7R is no zip, its cards do not sum to zero."],
    ),
    (
        ZIP,
        [zipped("9R 9B"), zipped("7R 7", rest="A")],
        [],
        ["Bob: say red or black for each card of 7R 7, as in 7R 7B."],
    ),
    (
        ZIP,
        [zipped("9R 9B"), zipped("7R X", rest="A")],
        [],
        ["Bob has a joker, and there are none in this game."],
    ),
    (
        ZIP,
        [replace(zipped("9R 9B"), cards=read_hand("7B")), left("7R")],
        [],
        ["Ann went out and can't have cards left."],
    ),
    (
        ZIP,
        [replace(zipped("9R 9B"), total=7), left("7R")],
        [],
        ["Ann went out and can't have cards left."],
    ),
    (
        ZIP,
        [zipped("9R 9B"), zipped("2R 2B"), left("A")],
        [],
        ["Ann and Bob can't both go out: only one player ends a deal."],
    ),
    (
        ZIP,
        [zipped("9R 9B"), Tally(zips=(read_hand("2R 2B"),))],
        [],
        [BOBS_CARDS],
    ),
]


def first_sentence(value: object) -> str | None:
    return str(value[0]) if isinstance(value, list) and value and isinstance(value[0], str) else ""


@pytest.mark.parametrize(("variant", "tallies", "start", "sentences"), REFUSED, ids=first_sentence)
def test_what_is_refused_says_why(
    variant: Variant, tallies: list[Tally | None], start: list[int], sentences: list[str]
) -> None:
    assert faults(variant, tallies, start) == sentences


def test_every_fault_is_told_at_once() -> None:
    tallies = [left("7"), total(1), Tally()]
    assert faults(CONTRACT, tallies) == [
        NOBODY_OUT,
        "Bob can't have 1: no cards make it. Is it 2?",
        "Enter Cleo's cards.",
    ]
    with pytest.raises(TallyError, match=r"Seat 2 can't have 1.* Enter Seat 3's cards"):
        score_deal(CONTRACT, 1, tallies, [0, 0, 0])


def test_there_is_no_eighth_deal_of_seven() -> None:
    assert faults(CONTRACT, [OUT, left("7")], deal=8) == ["There is no deal 8: the game has 7."]
    assert scored(CHICAGO, RUMMY, total(4), deal=80) == [0, 4]


def test_a_house_that_counts_twos_as_nothing_may_report_nothing() -> None:
    house = extend(CONTRACT, {"melds": {"values": {"2": 0}}})
    assert scored(house, OUT, total(0)) == [0, 0]
    assert faults(house, [OUT, total(1)]) == ["Bob can't have 1: no cards make it. Is it 0 or 3?"]


# What is asked once, then accepted

ASKED: list[tuple[Variant, list[Tally | None], list[int], list[str]]] = [
    (
        CONTRACT,
        [left("K K K K K"), OUT, left("7 K K K K")],
        [],
        ["Ann and Cleo have 9 kings together, but there are only 8."],
    ),
    (
        CONTRACT,
        [left("X 7"), left("X"), left("X K"), OUT],
        [],
        ["Ann, Bob and Cleo have 3 jokers together, but there is only 1."],
    ),
    (CONTRACT, [left("7H 7H 7H"), OUT], [], ["Ann has 3 sevens of hearts, but there are only 2."]),
    (
        CONTRACT,
        [left("2x3 2x4 2x5 2x6 2x7 2x8 2x9"), OUT],
        [],
        ["Ann has 14 cards, 10 were dealt."],
    ),
    (CONTRACT, [total(301), OUT], [], ["Ann has 301: more than 12 cards can make."]),
    (CONTRACT, [total(1205), OUT], [], ["Ann has 1,205: more than 12 cards can make."]),
    (CONTRACT, [total(300), OUT], [], []),
    (CONTRACT, [left("2x3 2x4 2x5 2x6 2x7 2x8"), OUT], [], []),
    (
        ZIONCHECK,
        [OUT, left("2 3 4 5 6 7 8")],
        [],
        ["Bob has 7 cards left. Expected 10 or more (not down) or at most 6 (down)."],
    ),
    (CHICAGO, [knock(8), total(30)], [92, 0], ["This knock puts Ann on 100 and out of the game."]),
    (
        CHICAGO,
        [knock(7), total(3)],
        [80, 0],
        ["This knock puts Ann on 102 and out of the game."],
    ),
    (
        CHICAGO,
        [RUMMY, left("2 2 2 2 2 2 2")],
        [],
        ["Bob holds seven twos, which win the game: end it so?"],
    ),
    (
        CHICAGO,
        [RUMMY, total(9), total(4)],
        [20, 103, 0],
        ["Bob was already out, with 103: still count it?"],
    ),
    (ZIP, [Tally(declared="out"), left("7")], [], ["Ann went out without zipping anything."]),
    (
        ZIP,
        [zipped("7R 7B"), zipped("7R 7B", rest="7R")],
        [],
        ["Ann and Bob have 3 red sevens together, but there are only 2."],
    ),
]


@pytest.mark.parametrize(("variant", "tallies", "start", "sentences"), ASKED, ids=first_sentence)
def test_what_is_odd_is_asked(
    variant: Variant, tallies: list[Tally | None], start: list[int], sentences: list[str]
) -> None:
    assert doubts(variant, tallies, start) == sentences


@pytest.mark.parametrize(
    ("variant", "tallies", "start"),
    [
        (CONTRACT, [OUT, left("K K K K"), left("K K K K")], []),
        (CONTRACT, [OUT, total(250)], []),
        (ZIONCHECK, [OUT, left("X X"), left("X X 10 J Q K A 2 3 4")], []),
        (CHICAGO, [knock(7), total(30)], [92, 0]),
        (CHICAGO, [Tally(declared="knock", cards=read_hand("8xA")), total(30)], []),
        (CHICAGO, [SEVEN_TWOS, left("2")], []),
        (CHICAGO, [replace(SEVEN_TWOS, hand=read_hand("7x2")), total(4)], []),
        (CHICAGO, [RUMMY, None, total(4)], [20, 103, 0]),
        (CHICAGO, [RUMMY, total(4)], [102, 102]),
        (ZIP, [zipped("7R 7B"), zipped("7R 7B", rest="A")], []),
    ],
)
def test_an_everyday_deal_is_not_questioned(
    variant: Variant, tallies: list[Tally | None], start: list[int]
) -> None:
    assert doubts(variant, tallies, start) == []


def test_the_knocker_holds_eight_cards_unless_one_is_discarded_first() -> None:
    """H-3."""
    eight = [Tally(declared="knock", cards=read_hand("8xA")), total(30)]
    assert doubts(CHICAGO, eight) == []
    first = with_choices(CHICAGO, {"discards_first": True})
    assert doubts(first, eight) == ["Ann has 8 cards, 7 were dealt."]


def test_a_knock_on_100_is_not_questioned_where_100_is_in() -> None:
    house = with_choices(CHICAGO, {"eliminate_at": ">"})
    assert doubts(house, [knock(8), total(30)], [92, 0]) == []


def test_the_cards_really_in_play_decide_what_is_odd() -> None:
    tallies = [left("X 7"), left("X"), OUT]
    assert doubts(CONTRACT, tallies, pack=Pack(2, 2)) == []
    assert doubts(CONTRACT, tallies, pack=Pack(2, 0)) == [
        "Ann and Bob have 2 jokers together, but there are none."
    ]
