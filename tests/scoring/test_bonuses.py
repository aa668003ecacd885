"""Bonuses and payments: what a deal brings beside the cards, and what the others pay for it."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import Variant, VariantError, extend, load, with_choices
from companion.scoring import Tally
from companion.scoring.bonuses import MOST_TIMES, reported_bonuses
from tests.support.reports import ANN, BOB, CHICAGO, CONTRACT, OUT, ZIP, left, total

from .bonuses_in_short import CONTINENTAL, SHANGHAI, faults, out, reasons, scored

LIVERPOOL = with_choices(load("liverpool"), {"cut": -50})


# The dossier's vectors (A5)


@pytest.mark.parametrize(
    ("told", "ann"),
    [
        ({}, 0),
        ({"out_blind": 1}, -25),
        ({"out_blind_no_joker": 1}, -50),
        ({"out_blind": 1, "out_blind_no_joker": 1}, -50),
        ({"out_blind": 0, "out_blind_no_joker": 0}, 0),
    ],
)
def test_out_blind_in_shanghai(told: dict[str, int], ann: int) -> None:
    """25 off, and 50 without a joker: never 75."""
    assert scored(SHANGHAI, out(**told), left("A 2"), left("K")) == [ann, 20, 10]


@pytest.mark.parametrize(
    ("told", "each"),
    [
        ({"joker": 1, "deuce": 2}, 1 + 2 + 2),
        ({}, 1 + 10),
        ({"joker": 0, "deuce": 0}, 1 + 10),
        ({"first": 1}, 1 + 10 + 7),
        ({"undrawn": 1, "deuce": 1}, 1 + 1 + 10),
        ({"first": 1, "undrawn": 1}, 1 + 10 + 10),
        ({"suit": 1, "joker": 2}, 1 + 4 + 10),
    ],
)
def test_continental_pays_the_winner(told: dict[str, int], each: int) -> None:
    pay = -each
    assert scored(CONTINENTAL, Tally(), out(**told), Tally(), Tally()) == [
        pay,
        3 * each,
        pay,
        pay,
    ]


def test_who_is_not_in_the_deal_pays_nothing() -> None:
    assert scored(CONTINENTAL, None, out(joker=1), Tally()) == [None, 3, -3]


def test_the_book_of_liverpool_has_no_bonus_for_a_cut() -> None:
    told = [out(cut=1), left("A")]
    assert faults(load("liverpool"), *told) == ["Ann: Liverpool Rummy has no such bonus."]


# Reasons


def test_both_sides_of_a_payment_have_their_reason() -> None:
    told = [out(deuce=2, suit=1), Tally(), Tally()]
    assert reasons(CONTINENTAL, told, ANN) == [
        ("Went out, 1 from each of 2", 2),
        ("Deuces melded: 2, 2 from each of 2", 4),
        ("All of one suit, 10 from each of 2", 20),
    ]
    assert reasons(CONTINENTAL, told, BOB) == [
        ("Paid. Went out", -1),
        ("Paid. Deuces melded: 2", -2),
        ("Paid. All of one suit", -10),
    ]


def test_a_bonus_stands_beside_the_cards() -> None:
    told = [out(out_blind=1), left("A 10")]
    assert reasons(SHANGHAI, told, ANN) == [("Went out", 0), ("Out blind", -25)]
    assert reasons(SHANGHAI, told, BOB) == [("A 10: 15 + 10", 25)]


def test_opponents_may_pay_where_cards_are_counted_too() -> None:
    paid = {"key": "early", "name": "Early", "points": -5, "payer": "each_opponent"}
    house = extend(CONTRACT, {"scoring": {"bonuses": [paid]}})
    assert scored(house, out(early=1), left("K"), left("A")) == [-10, 15, 20]


# Laws


def bonus_counts(variant: Variant) -> st.SearchStrategy[dict[str, int]]:
    return st.fixed_dictionaries(
        {},
        optional={
            bonus.key: st.integers(0, MOST_TIMES if bonus.counts else 1)
            for bonus in reported_bonuses(variant)
        },
    )


@given(bonus_counts(CONTINENTAL), st.integers(2, 8), st.data())
def test_payments_sum_to_zero(told: dict[str, int], players: int, data: st.DataObject) -> None:
    """Whoever goes out, whatever for, and whoever is missing."""
    winner = data.draw(st.integers(0, players - 1))
    missing = data.draw(st.sets(st.integers(0, players - 1).filter(lambda seat: seat != winner)))
    tallies = [
        None if seat in missing else out(**told) if seat == winner else Tally()
        for seat in range(players)
    ]
    worth = scored(CONTINENTAL, *tallies)
    assert sum(filter(None, worth)) == 0
    paid = [w for seat, w in enumerate(worth) if seat != winner and w is not None]
    assert len(set(paid)) <= 1
    assert all(w < 0 for w in paid)
    assert [seat for seat, w in enumerate(worth) if w is None] == sorted(missing)


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.booleans()), min_size=1, max_size=6),
    st.integers(0, 5),
)
def test_of_a_group_the_largest_counts_and_of_no_group_all(
    earned: list[tuple[int, bool]], lone: int
) -> None:
    """Against counting by hand; the sign does not make a bonus smaller."""
    bonuses = [
        {"key": f"b{n}", "name": f"Bonus {n}", "points": worth, "group": "one"}
        for n, (worth, _) in enumerate(earned)
    ]
    bonuses.append({"key": "lone", "name": "Lone", "points": lone})
    house = extend(CONTRACT, {"scoring": {"bonuses": bonuses}})
    told = {f"b{n}": int(is_told) for n, (_, is_told) in enumerate(earned)} | {"lone": 1}
    mine = [worth for worth, is_told in earned if is_told]
    worth = scored(house, out(**told), left("K"))[ANN]
    assert worth is not None
    assert abs(worth - lone) == max(map(abs, mine), default=0)
    assert worth - lone in [*mine, *([] if mine else [0])]


@given(st.permutations(range(4)), bonus_counts(CONTINENTAL))
def test_seats_do_not_matter(order: list[int], told: dict[str, int]) -> None:
    tallies = [out(**told), Tally(), Tally(), None]
    worth = scored(CONTINENTAL, *tallies)
    assert scored(CONTINENTAL, *(tallies[seat] for seat in order)) == [worth[s] for s in order]


# What is refused


@pytest.mark.parametrize(
    ("variant", "told", "words"),
    [
        (CONTRACT, {"cut": 1}, "Ann: Contract Rummy has no such bonus."),
        (CONTINENTAL, {"out": 1}, "Ann: Continental has no such bonus."),
        (CONTINENTAL, {"pure": 1}, "Ann: Continental has no such bonus."),
        (CONTINENTAL, {"suit": 2}, "Ann: All of one suit cannot be 2."),
        (CONTINENTAL, {"joker": -1}, "Ann: Jokers melded cannot be -1."),
        (CONTINENTAL, {"joker": 100}, "Ann: Jokers melded cannot be 100."),
        (SHANGHAI, {"out_blind": 2}, "Ann: Out blind cannot be 2."),
    ],
)
def test_no_bonus_but_those_of_the_game(variant: Variant, told: dict[str, int], words: str) -> None:
    other = Tally() if variant is CONTINENTAL else left("K")
    assert faults(variant, out(**told), other) == [words]


def test_what_belongs_to_who_went_out_is_no_one_elses() -> None:
    told = [OUT, Tally(cards=left("K").cards, bonuses={"out_blind": 1})]
    assert faults(SHANGHAI, *told) == ["Bob did not go out: Out blind belongs to who did."]
    nothing = [OUT, Tally(cards=left("K").cards, bonuses={"out_blind": 0})]
    assert scored(SHANGHAI, *nothing) == [0, 10]


def test_only_one_player_has_cut() -> None:
    told = [out(cut=1), Tally(cards=left("K").cards, bonuses={"cut": 1})]
    assert faults(LIVERPOOL, *told) == ["Ann and Bob can't both have it: Exact cut."]


def test_in_a_game_of_payments_cards_left_are_not_counted() -> None:
    assert faults(CONTINENTAL, OUT, left("K")) == [
        "Bob: cards left are not counted in Continental."
    ]
    assert faults(CONTINENTAL, OUT, total(5)) == ["Bob: cards left are not counted in Continental."]
    assert faults(CONTINENTAL, Tally(), Tally()) == [
        "No one went out: tap the player who did, or cancel the deal."
    ]
    assert faults(CONTINENTAL, OUT, OUT) == [
        "Ann and Bob can't both go out: only one player ends a deal."
    ]


# Rules that no table could keep


def rules_fault(base: Variant, **scoring: Any) -> str:
    with pytest.raises(VariantError) as refused:
        extend(base, {"scoring": scoring})
    return str(refused.value)


CUT = {"key": "cut", "name": "Cut", "points": -50}


@pytest.mark.parametrize(
    ("base", "scoring", "fault"),
    [
        (
            CHICAGO,
            {"bonuses": [CUT]},
            "scoring.bonuses: there are none where cards in no meld",
        ),
        (
            ZIP,
            {"bonuses": [CUT]},
            "scoring.bonuses: there are none where cards in no meld",
        ),
        (CONTRACT, {"entry": "payments"}, "scoring.bonuses: a game of payments needs at least one"),
        (CONTRACT, {"bonuses": [CUT, CUT]}, "scoring.bonuses[1].key: must be a short word"),
        (CONTRACT, {"bonuses": [CUT | {"key": "a b"}]}, "scoring.bonuses[0].key: must be a short"),
        (CONTRACT, {"bonuses": [CUT | {"key": ""}]}, "scoring.bonuses[0].key: must be a short"),
        (
            CONTRACT,
            {"bonuses": [CUT | {"given": "always", "who": "each"}]},
            "scoring.bonuses[0].given: what is not told belongs to who went out",
        ),
        (
            CONTRACT,
            {"bonuses": [CUT | {"given": "if_none", "counts": True}]},
            "scoring.bonuses[0].given: what is not told belongs to who went out",
        ),
        (CONTRACT, {"bonuses": [CUT | {"points": -1001}]}, "scoring: bonuses are at most 1000"),
        (CONTRACT, {"not_down": {"points": 1001}}, "scoring: bonuses are at most 1000"),
        (CONTRACT, {"out_points": -1001}, "scoring: bonuses are at most 1000"),
        (
            CONTRACT,
            {"bonuses": [CUT | {"key": f"b{n}"} for n in range(13)]},
            "scoring.bonuses: at most 12",
        ),
    ],
)
def test_bonuses_keep_their_bounds(base: Variant, scoring: Mapping[str, Any], fault: str) -> None:
    assert rules_fault(base, **scoring).startswith(fault)


def test_bonuses_up_to_the_bounds_are_fine() -> None:
    most = [CUT | {"key": f"b{n}", "points": -1000} for n in range(12)]
    assert len(extend(CONTRACT, {"scoring": {"bonuses": most}}).scoring.bonuses) == 12
