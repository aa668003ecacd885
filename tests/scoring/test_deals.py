"""One deal scored: Ann, Bob, Cleo and Dev report, and every point has its reason."""

import json
from collections.abc import Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.cards import Card, Hand, Pack, Rank, Suit, read_hand
from companion.rules import Variant, extend, with_choices
from companion.scoring import (
    Reason,
    SeatStay,
    Tally,
    TallyError,
    deal_doubts,
    is_zip,
    knock_limit,
    score_deal,
)
from companion.scoring.cards_left import LARGEST_TOTAL, reachable
from companion.scoring.tally import Declared
from tests.support.reports import (
    ANN,
    BOB,
    CHICAGO,
    CLEO,
    CONTRACT,
    FAMILY,
    OUT,
    RUMMY,
    SEEDS,
    SEVEN_TWOS,
    ZIONCHECK,
    ZIP,
    knock,
    left,
    points,
    scored_deal,
    stand,
    total,
    zipped,
)
from tests.support.strategies import hands, naturals


def reasons(variant: Variant, tallies: Sequence[Tally], start: Sequence[int]) -> list[list[Reason]]:
    lines = score_deal(variant, 1, tallies, start).lines
    return [list(line.reasons) if line else [] for line in lines]


def scored(
    variant: Variant, *tallies: Tally | None, start: Sequence[int] = (), deal: int = 1
) -> list[int | None]:
    return points(score_deal(variant, deal, tallies, start or [0] * len(tallies)))


# One deal


def test_the_reasons_read_like_an_addition_on_paper() -> None:
    assert reasons(CONTRACT, [left("7H K 7S A X"), OUT], [0, 0]) == [
        [Reason("A 7H 7S K X: 15 + 2 × 7 + 10 + 25", 64, "values")],
        [Reason("Went out", 0, "out")],
    ]


def test_a_beaten_knock_is_told_in_two_steps() -> None:
    assert reasons(CHICAGO, [knock(7), total(5)], [40, 0]) == [
        [
            Reason("Typed as a total", 7, "values"),
            Reason("Knocked without the lowest count", 15, "knock"),
        ],
        [Reason("Typed as a total", 5, "values")],
    ]


def test_zips_are_told_one_by_one() -> None:
    told = zipped("6R 6B", "KB 2R 3R 8R", rest="7B 3R")
    ann, _ = reasons(ZIP, [told, zipped("9R 9B")], [0, 0])
    assert [reason.points for reason in ann] == [12, 26, -10]
    assert ann[-1].words == "Left over: 3R 7B: 3 + 7"


def test_nothing_zipped_is_called_nothing() -> None:
    ann, _ = reasons(ZIP, [left("KR"), zipped("9R 9B")], [0, 0])
    assert ann == [Reason("Zipped nothing", 0, "zips"), Reason("Left over: KR: 13", -13, "values")]


def test_zips_may_be_told_as_a_total() -> None:
    told = Tally(zipped=38, total=10)
    ann, bob = reasons(ZIP, [told, Tally(declared="out", zipped=6)], [0, 0])
    assert ann == [
        Reason("Zipped, typed as a total", 38, "zips"),
        Reason("Left over, typed as a total", -10, "values"),
    ]
    assert [reason.points for reason in bob] == [6, 0]
    assert doubts(ZIP, [told, Tally(declared="out", zipped=6)]) == []


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("6R 6B", True),
        ("KB 2R 3R 8R", True),
        ("7D 2C 5S", True),
        ("7R 9B 2R", True),
        ("6R 6R", False),
        ("6 6", False),
        ("6R", False),
        ("", False),
    ],
)
def test_what_is_a_zip(cards: str, expected: bool) -> None:
    """A4.1 and A4.2, the lesson's own example among them."""
    assert is_zip(ZIP, read_hand(cards)) == expected


def test_a_player_who_is_not_in_the_deal_has_no_line() -> None:
    score = score_deal(CHICAGO, 3, [None, knock(4), total(9)], [104, 20, 30])
    assert points(score) == [None, 4, 9]
    assert score.totals == (104, 24, 39)
    assert score.eliminated == ()


def test_a_bonus_for_going_out() -> None:
    assert scored(with_choices(CONTRACT, {"out_points": -25}), OUT, left("A")) == [-25, 15]
    assert scored(with_choices(ZIP, {"out_points": 10}), zipped("9R 9B"), left("A")) == [28, -1]


def test_in_zip_nobody_need_go_out_when_the_stock_runs_out() -> None:
    """P-2, and where the house shuffles instead, somebody must."""
    told = [zipped("5B 5R", rest="2R"), left("A")]
    assert points(score_deal(ZIP, 1, told, [0, 0])) == [8, -1]
    shuffled = with_choices(ZIP, {"stock_out": "reshuffle_keep_top"})
    assert faults(shuffled, told) == [NOBODY_OUT]


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        ({}, [22, 12, 5]),
        ({"knock_penalty": 10}, [17, 12, 5]),
        ({"knock_penalty": "double_count"}, [14, 12, 5]),
    ],
)
def test_what_a_beaten_knock_costs(house: dict[str, Any], expected: list[int]) -> None:
    """H-12."""
    variant = with_choices(CHICAGO, house)
    assert scored(variant, knock(7), total(12), total(5), start=[40, 0, 0]) == expected


def test_seven_twos_win_at_once_and_nobody_scores() -> None:
    """H-8."""
    score = score_deal(CHICAGO, 4, [SEVEN_TWOS, Tally(), total(70)], [88, 12, 95])
    assert points(score) == [0, 0, 0]
    assert (score.winner, score.eliminated) == (ANN, ())


def test_seven_twos_where_the_round_still_counts() -> None:
    house = with_choices(CHICAGO, {"seven_twos": True})
    score = score_deal(house, 4, [SEVEN_TWOS, total(20), total(70)], [88, 12, 95])
    assert points(score) == [0, 20, 70]
    assert (score.winner, score.eliminated) == (ANN, ())
    assert faults(house, [SEVEN_TWOS, Tally()]) == ["Enter Bob's cards, or 0 if none are left."]


# Everybody out at once (H-14)

ALL_OUT = ([83, 99, 90], [Tally(declared="knock", total=4), total(3), total(20)])
"""Ann's knock is beaten: 83 + 4 + 15, 99 + 3 and 90 + 20."""


@pytest.mark.parametrize(
    ("house", "totals", "eliminated"),
    [
        ("lowest", (102, 102, 110), (ANN, BOB, CLEO)),
        ("extra_deal", (102, 102, 110), (CLEO,)),
        ("replay", (83, 99, 90), ()),
    ],
)
def test_everybody_out_at_once(
    house: str, totals: tuple[int, ...], eliminated: tuple[int, ...]
) -> None:
    start, tallies = ALL_OUT
    variant = with_choices(CHICAGO, {"all_out": house})
    score = score_deal(variant, 1, tallies, start)
    assert score.totals == totals
    assert score.eliminated == eliminated
    end = stand(variant, [scored_deal(1, score)], seats=[SeatStay(start=s) for s in start])
    assert [s for s, at in enumerate(end.out_at) if at] == list(eliminated)
    assert end.over == (house == "lowest")


def test_an_extra_deal_is_played_among_the_tied_until_one_is_lower() -> None:
    variant = with_choices(CHICAGO, {"all_out": "extra_deal"})
    start, tallies = ALL_OUT
    seats = [SeatStay(start=s) for s in start]
    deals = [scored_deal(1, score_deal(variant, 1, tallies, start))]
    between = stand(variant, deals, seats=seats)
    assert (between.playing, between.over) == ((ANN, BOB), False)
    assert faults(variant, [knock(0), total(9), None], between.totals) == [
        "Ann began with 102 points and can't knock: only rummy is left."
    ]
    extra = score_deal(variant, 2, [RUMMY, total(9), None], between.totals)
    end = stand(variant, [*deals, scored_deal(2, extra)], seats=seats)
    assert end.over
    assert end.winners == (ANN,)
    assert end.places == (1, 2, 3)


def test_one_lowest_total_needs_no_extra_deal() -> None:
    variant = with_choices(CHICAGO, {"all_out": "extra_deal"})
    score = score_deal(variant, 1, [knock(7), total(14), total(5)], [79, 90, 98])
    assert score.totals == (101, 104, 103)
    assert score.eliminated == (ANN, BOB, CLEO)


# What is refused, each in its sentence

NOBODY_OUT = "No one went out: tap the player who did, or cancel the deal."
NOBODY_ENDED = "No one ended the deal: say who knocked or went rummy."


def faults(
    variant: Variant, tallies: Sequence[Tally | None], start: Sequence[int] = (), deal: int = 1
) -> list[str]:
    with pytest.raises(TallyError) as refused:
        score_deal(variant, deal, tallies, start or [0] * len(tallies))
    return [found.in_words(FAMILY) for found in refused.value.findings]


REFUSED: list[tuple[Variant, list[Tally | None], list[int], list[str]]] = [
    (CONTRACT, [left("7"), left("8")], [], [NOBODY_OUT]),
    (ZIONCHECK, [None, None], [], [NOBODY_OUT]),
    (CONTRACT, [OUT, OUT], [], ["Ann and Bob can't both go out: only one player ends a deal."]),
    (CONTRACT, [OUT, Tally(), left("7")], [], ["Enter Bob's cards, or 0 if none are left."]),
    (CONTRACT, [OUT, left("")], [], ["Enter Bob's cards, or 0 if none are left."]),
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
            "Enter Bob's cards, or 0 if none are left.",
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
        [zipped("9R 9B"), zipped("2R 2B"), left("A")],
        [],
        ["Ann and Bob can't both go out: only one player ends a deal."],
    ),
    (
        ZIP,
        [zipped("9R 9B"), Tally(zips=(read_hand("2R 2B"),))],
        [],
        ["Enter Bob's cards, or 0 if none are left."],
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
        "Enter Cleo's cards, or 0 if none are left.",
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


def doubts(
    variant: Variant,
    tallies: Sequence[Tally | None],
    start: Sequence[int] = (),
    *,
    deal: int = 1,
    pack: Pack | None = None,
) -> list[str]:
    totals = start or [0] * len(tallies)
    score_deal(variant, deal, tallies, totals)
    found = deal_doubts(variant, deal, tallies, totals, pack or variant.pack(3))
    return [doubt.in_words(FAMILY) for doubt in found]


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
        ["Bob has 7 cards left. Expected 10 (not down) or at most 4 (down)."],
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


# Laws of every deal


def reported_deals(seats: int = 5) -> st.SearchStrategy[tuple[Variant, list[Tally | None]]]:
    """A deal of one of the four games that breaks no rule; all start from 0."""
    return st.sampled_from(SEEDS).flatmap(
        lambda variant: st.tuples(
            st.just(variant),
            st.tuples(
                _enders(variant),
                st.lists(st.none() | _others(variant), min_size=1, max_size=seats - 1),
            ).flatmap(lambda both: st.permutations([both[0], *both[1]])),
        )
    )


def _enders(variant: Variant) -> st.SearchStrategy[Tally]:
    if variant is CHICAGO:
        knocks = st.integers(0, 9).map(knock)
        return st.just(RUMMY) | knocks
    if variant is ZIP:
        return st.builds(Tally, declared=st.just("out"), zips=_zips())
    return st.just(OUT)


def _others(variant: Variant) -> st.SearchStrategy[Tally]:
    if variant is CHICAGO:
        return st.builds(Tally, cards=st.lists(naturals(), max_size=7).map(tuple))
    if variant is ZIP:
        rest = st.lists(naturals(), min_size=1, max_size=7).map(tuple)
        return st.builds(Tally, zips=_zips(), cards=rest)
    return st.builds(Tally, cards=hands().filter(bool))


def _zips() -> st.SearchStrategy[tuple[Hand, ...]]:
    return st.lists(_one_zip(), max_size=3).map(tuple)


def _one_zip() -> st.SearchStrategy[Hand]:
    """One card against two that make it up, or against its twin."""

    def made(big: int, small: int, black: bool) -> Hand:
        one, other = (Suit.SPADES, Suit.HEARTS) if black else (Suit.RED, Suit.BLACK)
        rest = [small, big - small] if small < big else [big]
        return (Card(Rank(big), one), *(Card(Rank(rank), other) for rank in rest))

    return st.builds(made, st.integers(1, 13), st.integers(1, 13), st.booleans())


@given(reported_deals(), st.randoms())
def test_the_order_of_cards_never_matters(
    deal: tuple[Variant, list[Tally | None]], random: Random
) -> None:
    variant, tallies = deal
    shuffled = [tally and _shuffled(tally, random) for tally in tallies]
    assert scored(variant, *shuffled) == scored(variant, *tallies)


def _shuffled(tally: Tally, random: Random) -> Tally:
    def mixed(hand: Hand) -> Hand:
        return tuple(random.sample(hand, len(hand)))

    return Tally(
        declared=tally.declared,
        cards=None if tally.cards is None else mixed(tally.cards),
        total=tally.total,
        zips=tuple(map(mixed, random.sample(tally.zips, len(tally.zips)))),
    )


@given(reported_deals(), st.data())
def test_who_sits_where_never_matters(
    deal: tuple[Variant, list[Tally | None]], data: st.DataObject
) -> None:
    variant, tallies = deal
    order = data.draw(st.permutations(range(len(tallies))))
    moved = scored(variant, *(tallies[seat] for seat in order))
    assert moved == [scored(variant, *tallies)[seat] for seat in order]


@given(reported_deals())
def test_points_are_what_their_reasons_say(deal: tuple[Variant, list[Tally | None]]) -> None:
    """Each reason's words, worked out again as an addition, give its points."""
    variant, tallies = deal
    score = score_deal(variant, 1, tallies, [0] * len(tallies))
    for seat, line in enumerate(score.lines):
        assert (line is None) == (tallies[seat] is None)
        if line is None:
            continue
        assert score.totals[seat] == line.points == sum(r.points for r in line.reasons)
        for reason in line.reasons:
            if " + " in reason.words or "×" in reason.words:
                sums = reason.words.rpartition(": ")[2].split(" + ")
                assert abs(reason.points) == sum(map(_worked, sums))


def _worked(term: str) -> int:
    times, _, value = term.rpartition(" × ")
    return int(times or 1) * int(value)


@given(reported_deals())
def test_who_goes_out_or_goes_rummy_scores_nothing(
    deal: tuple[Variant, list[Tally | None]],
) -> None:
    variant, tallies = deal
    for tally, worth in zip(tallies, scored(variant, *tallies), strict=True):
        if tally and tally.declared in ("out", "rummy") and variant is not ZIP:
            assert worth == 0
        elif tally and variant is CONTRACT:
            assert worth is not None
            assert worth >= 2
        elif tally and variant is ZIONCHECK:
            assert worth is not None
            assert worth >= 5
            assert worth % 5 == 0


@given(reported_deals())
def test_a_report_is_read_as_it_was_written(deal: tuple[Variant, list[Tally | None]]) -> None:
    for tally in filter(None, deal[1]):
        assert Tally.from_data(json.loads(json.dumps(tally.to_data()))) == tally


@given(_one_zip(), naturals(suits=True))
def test_a_zip_with_one_card_more_is_none(zip_cards: Hand, more: Card) -> None:
    assert is_zip(ZIP, zip_cards)
    assert not is_zip(ZIP, (*zip_cards, more))
    assert not is_zip(ZIP, zip_cards[:-1])


@given(st.integers(0, 100), st.lists(st.integers(1, 70), min_size=1, max_size=7), st.data())
def test_knocks_against_a_slow_reading_of_the_rule(
    start: int, others: list[int], data: st.DataObject
) -> None:
    """A3.1, written out as the table of limits instead of a formula."""
    table = {92: 8, 93: 7, 94: 6, 95: 5, 96: 4, 97: 3, 98: 2, 99: 1, 100: None}
    limit = table.get(start, 9)
    assert knock_limit(CHICAGO, start) == limit
    count = data.draw(st.integers(0, limit or 0))
    house = with_choices(CHICAGO, {"eliminate_at": ">"})
    tallies, totals = [knock(count), *map(total, others)], [start, *[0] * len(others)]
    if limit is None:
        assert faults_of(house, tallies, totals)
        return
    beaten = sorted([count, *others])[0] != count
    assert scored(house, *tallies, start=totals) == [count + (15 if beaten else 0), *others]


def faults_of(variant: Variant, tallies: Sequence[Tally], totals: Sequence[int]) -> bool:
    try:
        score_deal(variant, 1, tallies, totals)
    except TallyError:
        return True
    return False


@given(st.sets(st.integers(1, 30), min_size=1, max_size=4))
@example({5, 10, 15})
@example({2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 25})
@settings(max_examples=25)
def test_the_totals_that_hands_make_are_counted_one_by_one(values: set[int]) -> None:
    """Against every hand of up to so many cards that a total of 60 could need."""
    slow, most = {0}, 60
    for _ in range(most):
        slow |= {made + value for made in slow for value in values if made + value <= most}
    fast = reachable(tuple(sorted(values)))
    assert {made for made in fast if made <= most} == slow - {0}


def test_the_totals_of_a_few_cards_are_all_reachable() -> None:
    values = tuple(sorted(set(CONTRACT.melds.values.values())))
    few = {sum(cards) for n in (1, 2, 3) for cards in combinations_with_replacement(values, n)}
    assert few <= reachable(values)
    assert max(reachable((5, 10, 15))) >= LARGEST_TOTAL


def held(cards: str, declared: Declared = "") -> Tally:
    """A whole hand of Chicago Rummy, for the judge to find what is in no meld."""
    return Tally(declared=declared, hand=read_hand(cards))


def test_a_whole_hand_is_counted_by_its_best_melds() -> None:
    """H-23: 7 7 7 and K K 2 leave the 4; Q Q 2 leaves A 3 5 9 K, a beaten knock."""
    told = [held("7H 7S 7D 2C KS KD 4H"), held("AH 2H 3H 5C 9C QD QS KS", "knock")]
    score = score_deal(CHICAGO, 1, told, [0, 0], as_played=True)
    first, second = (line.points if line else None for line in score.lines)
    assert first == 4
    assert second == 1 + 3 + 5 + 9 + 10 + 15
    assert score.lines[0]
    assert "Left over 4H: 4" in score.lines[0].reasons[0].words


@pytest.mark.parametrize(
    ("tally", "sentence"),
    [
        (held("7H 7S 7D"), "Ann has 3 cards: the whole hand is 7."),
        (held("7H 7S 7D 2C KS KD 4H", "knock"), "Ann has 7 cards: the whole hand is 8."),
        (held("7 7S 7D 2C KS KD 4H"), "Ann: say the suit of each card, as in 7H 8S."),
        (held("X 7S 7D 2C KS KD 4H"), "Ann has a joker, and there are none in this game."),
    ],
)
def test_a_whole_hand_is_refused_where_it_cannot_be(tally: Tally, sentence: str) -> None:
    other = total(9) if tally.declared else Tally(declared="rummy")
    with pytest.raises(TallyError) as refused:
        score_deal(CHICAGO, 1, [tally, other], [0, 0])
    assert [found.in_words(FAMILY) for found in refused.value.findings] == [sentence]


def test_whole_hands_count_against_the_packs() -> None:
    told = [held("7H 7H 7H 8C 9C 10C KD"), Tally(declared="rummy")]
    assert doubts(CHICAGO, told, []) == ["Ann has 3 sevens of hearts, but there are only 2."]
