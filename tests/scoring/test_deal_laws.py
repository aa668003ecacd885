"""Laws of every deal: order, seats, reasons, knocks, and what hands can come to."""

import json
from collections.abc import Sequence
from itertools import combinations_with_replacement
from random import Random

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.cards import Card, Hand, Rank, Suit, read_hand
from companion.rules import Variant, with_choices
from companion.scoring import (
    Tally,
    TallyError,
    is_zip,
    knock_limit,
    score_deal,
)
from companion.scoring.cards_left import LARGEST_TOTAL, reachable
from companion.scoring.tally import Declared
from tests.support.reports import (
    CHICAGO,
    CONTRACT,
    FAMILY,
    OUT,
    RUMMY,
    SEEDS,
    ZIONCHECK,
    ZIP,
    knock,
    total,
)
from tests.support.strategies import hands, naturals

from .deals_in_short import doubts, scored


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
        assert msgspec.convert(json.loads(json.dumps(tally.to_data())), Tally) == tally


@given(_one_zip(), naturals(suits=True))
def test_a_zip_with_one_card_more_is_none(zip_cards: Hand, more: Card) -> None:
    assert is_zip(ZIP, zip_cards)
    assert not is_zip(ZIP, (*zip_cards, more))
    assert not is_zip(ZIP, zip_cards[:-1])


@given(st.integers(0, 100), st.lists(st.integers(1, 70), min_size=1, max_size=7), st.data())
def test_knocks_against_a_slow_reading_of_the_rule(
    start: int, others: list[int], data: st.DataObject
) -> None:
    """CH-5.2, written out as the table of limits instead of a formula."""
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
@example({10})
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
    assert few <= {*reachable(values)}
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
