"""A doubt is known by its code and its seats, whatever its words."""

from hypothesis import given
from hypothesis import strategies as st

from companion.cards import Pack, read_hand
from companion.rules import Variant, find_variant
from companion.scoring import Tally, deal_doubts

GAMES = [find_variant(name) for name in ("contract rummy", "chicago", "zip", "hearts", "oh hell")]
HANDS = st.sampled_from(["2", "2 " * 7, "A " * 15, "7H 8H 9H 4C KD QS 3D"]).map(read_hand)
TALLIES = st.builds(
    Tally,
    declared=st.sampled_from(["", "out", "knock", "rummy"]),
    cards=st.none() | HANDS,
    hand=st.none() | st.just(read_hand("7H 8H 9H 4C KD QS 3D")),
    total=st.none() | st.integers(0, 900),
    bonuses=st.dictionaries(st.sampled_from(["bid", "tricks"]), st.integers(0, 30)),
)


@given(
    st.sampled_from(GAMES),
    st.lists(TALLIES, min_size=3, max_size=3),
    st.lists(st.integers(0, 120), min_size=3, max_size=3),
)
def test_every_doubt_has_a_key_of_its_own(
    variant: Variant, tallies: list[Tally], totals: list[int]
) -> None:
    doubts = deal_doubts(variant, 1, tallies, totals, Pack(1, 0))
    assert all(doubt.code for doubt in doubts)
    assert len({doubt.key for doubt in doubts}) == len(set(doubts))
