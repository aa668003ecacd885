"""Whole hands: each deal's own size and wild cards, worked out by hand."""

import pytest

from companion.cards import Pack, read_hand
from companion.rules import extend
from companion.scoring import Tally, TallyError, score_deal
from companion.scoring.judge import judge_hand

from .reports import CHICAGO, points

GROWING = extend(
    CHICAGO,
    {
        "deals": [{"dealt": 3, "wilds": ["3"]}, {"dealt": 4, "wilds": ["4"]}],
        "ending": {
            "length": "fixed",
            "deals": 2,
            "winner": "lowest",
            "eliminate": None,
        },
    },
)
"""Chicago with three cards and wild threes, then four cards and wild fours."""


def knocked(cards: str) -> Tally:
    return Tally(declared="knock", hand=read_hand(cards))


def held(cards: str) -> Tally:
    return Tally(hand=read_hand(cards))


def test_each_deal_has_its_own_hand_size() -> None:
    """The knocker shows the card drawn too: four cards, then five."""
    score = score_deal(GROWING, 1, [knocked("7H 7S 7D 5C"), held("KH QS 9D")], [0, 0])
    assert points(score) == [5, 29]
    score = score_deal(GROWING, 2, [knocked("7H 7S 7D 5C AD"), held("KH QS 9D 2C")], [0, 0])
    assert points(score) == [6, 31]
    for step, cards in ((1, "7H 7S 7D 5C AD"), (2, "7H 7S 7D 5C")):
        with pytest.raises(TallyError, match="the whole hand is"):
            score_deal(GROWING, step, [knocked(cards), Tally(total=5)], [0, 0])


def test_each_deal_has_its_own_wild_cards() -> None:
    """A three helps two kings in the first deal only, a four in the second only."""
    first = score_deal(GROWING, 1, [knocked("KH KS 3D 5C"), held("KD KC 4D")], [0, 0])
    assert points(first) == [5, 24]
    second = score_deal(GROWING, 2, [knocked("KH KS 4D 5C AC"), held("KD KC 3D AS")], [0, 0])
    assert points(second) == [6, 24]


@pytest.mark.parametrize(
    ("step", "cards", "answer"),
    [
        (1, "KH KS 3D", "Rummy: every card is melded."),
        (1, "KH KS 4D", "Not yet: draw first"),
        (1, "KH KS 3D 9C", "Yes. You have 9 left over"),
        (2, "KH KS 4D KC", "Rummy: every card is melded."),
        (2, "KH KS 3D KC 6C", "Yes. You have 9 left over"),
    ],
)
def test_the_judge_goes_by_the_deal_on_the_table(step: int, cards: str, answer: str) -> None:
    assert judge_hand(GROWING, step, read_hand(cards), Pack(2, 0)).answer.startswith(answer)
