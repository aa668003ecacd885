"""The record of a game as plain values: written and read back, changed and replayed."""

import json
from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.record import (
    DealRecord,
    LineRecord,
    Record,
    SeatRecord,
    changed_units,
    read_rules,
    read_units,
    replay,
    write_rules,
    write_units,
)
from companion.rules import with_choices
from companion.scoring import Reason, Tally
from tests.support.reports import CHICAGO, CONTRACT, SEEDS
from tests.support.strategies import hands

whole = st.integers(-99999, 99999)
reasons = st.builds(
    Reason, st.text(max_size=20), whole, st.sampled_from(["values", "out", "knock"])
)
tallies = st.builds(
    Tally,
    declared=st.sampled_from(["", "out", "knock", "rummy", "instant_win"]),
    cards=st.none() | hands(8),
    total=st.none() | st.integers(0, 9999),
    zips=st.lists(hands(4), max_size=3).map(tuple),
    zipped=st.none() | st.integers(0, 9999),
)
lines = st.builds(LineRecord, tallies, whole, st.lists(reasons, max_size=3).map(tuple))
deals = st.builds(
    DealRecord,
    step=st.integers(1, 7),
    dealer=st.integers(0, 3),
    lines=st.dictionaries(st.integers(0, 11), lines, max_size=4),
    void=st.booleans(),
    after_void=st.sampled_from(["again", "next_dealer", "skip"]),
)
seats = st.builds(
    SeatRecord,
    player_id=st.integers(1, 99),
    start=whole,
    start_rule=st.sampled_from(["", "highest", "average", "zero"]),
    joined=st.integers(1, 9),
    left=st.none() | st.integers(1, 9),
    placed=st.booleans(),
    sits_after=st.none() | st.integers(0, 4),
)
records = st.builds(
    Record,
    variant=st.sampled_from(SEEDS),
    decks=st.integers(1, 4),
    jokers=st.integers(0, 8),
    first_dealer=st.integers(0, 3),
    seats=st.lists(seats, min_size=1, max_size=5).map(tuple),
    deals=st.lists(deals, max_size=12).map(tuple),
    stopped=st.booleans(),
)


@given(records)
def test_a_record_reads_back_as_it_was_written(record: Record) -> None:
    stored = read_units(json.loads(json.dumps(write_units(record.units()))))
    assert Record.from_units(record.variant, stored) == record
    assert stored == record.units()


@given(lines)
def test_a_line_reads_back_as_it_was_written(line: LineRecord) -> None:
    assert msgspec.convert(json.loads(json.dumps(line.to_data())), LineRecord) == line


@given(st.lists(records, min_size=1, max_size=4))
@settings(max_examples=40)
def test_changes_laid_over_each_other_give_the_last_record(versions: list[Record]) -> None:
    """I2, and the same backwards: what stood before leads back to the first."""
    units = [{}, *(record.units() for record in versions)]
    changes = [changed_units(old, new) for old, new in pairwise(units)]
    assert replay(after for _, after in changes) == units[-1]
    assert replay([units[-1], *(before for before, _ in reversed(changes))]) == {}


@given(records)
def test_nothing_differs_from_itself(record: Record) -> None:
    assert changed_units(record.units(), record.units()) == ({}, {})


def test_only_the_units_that_differ_are_kept() -> None:
    assert changed_units({"game": 1, "deal:1": 2, "deal:2": 3}, {"game": 1, "deal:1": 4}) == (
        {"deal:1": 2, "deal:2": 3},
        {"deal:1": 4, "deal:2": None},
    )


def test_rules_read_back_as_they_were_stored() -> None:
    house = with_choices(CHICAGO, {"knock_penalty": 10})
    for variant in (*SEEDS, house):
        assert read_rules(write_rules(variant)) == variant
    assert write_rules(house) != write_rules(CHICAGO)


def test_ten_deals_stay_in_their_order() -> None:
    """Names sort as text, numbers do not: deal 10 comes after deal 9."""
    many = tuple(DealRecord(step=step, dealer=0, lines={}) for step in range(1, 13))
    record = Record(
        variant=CHICAGO,
        decks=2,
        jokers=0,
        first_dealer=0,
        seats=(SeatRecord(player_id=1),),
        deals=many,
    )
    assert Record.from_units(CHICAGO, record.units()).deals == many


def test_scoring_sees_the_deal_without_its_reasons() -> None:
    line = LineRecord(Tally(total=25), 25, (Reason("Typed as a total", 25, "values"),))
    deal = DealRecord(step=2, dealer=1, lines={0: line}).played
    assert (deal.step, deal.dealer, deal.points) == (2, 1, {0: 25})
    assert deal.tallies == {0: Tally(total=25)}


def test_a_record_knows_whether_its_game_goes_on() -> None:
    pair = (SeatRecord(player_id=1), SeatRecord(player_id=2))
    record = Record(variant=CONTRACT, decks=2, jokers=2, first_dealer=0, seats=pair)
    assert record.status == "running"
    stopped = Record(variant=CONTRACT, decks=2, jokers=2, first_dealer=0, seats=pair, stopped=True)
    assert stopped.status == "stopped"
