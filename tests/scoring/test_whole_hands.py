"""Whole hands: each deal's own size and wild cards, and laying off, worked out by hand."""

import pytest

from companion.cards import Pack, read_hand
from companion.rules import Variant, extend, with_choices
from companion.scoring import Tally, TallyError, deal_doubts, score_deal
from companion.scoring.judging.judge import judge_hand
from tests.support.reports import CHICAGO, RUMMY, points

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


LAYS_OFF = with_choices(CHICAGO, {"layoff_on_knocker": True})
KNOCK = "7H 8H 9H KC KD KS 3D 5D"  # 8 points beside a run and the kings


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (["10H JH 6H QC QD 4C 9S", "9D 9C QS 7D 5S 4S AC"], [8, 33, 45]),
        (["10C JC 6C QC QD 4C 9S", "10H JH 6H QS 7D 5S 4S"], [8, 29, 26]),
        (["10H 4C 4S 9D 9C QS QD", "10H KH 4D 4S 9S QS AC"], [8, 46, 38]),
        (["2C 2D QS QD QH AC 4C", "KH KC 9S 9C 9D AC 6H"], [23, 0, 1]),
    ],
)
def test_the_others_lay_off_on_the_knockers_melds(others: list[str], expected: list[int]) -> None:
    """Rows: a run extended both ways; only what fits; the first takes a place; twos and kings."""
    told = [knocked(KNOCK), *map(held, others)]
    assert points(score_deal(LAYS_OFF, 1, told, [0, 0, 0])) == expected


def test_a_card_laid_off_can_beat_the_knock() -> None:
    """Bob's 10 and jack lie on Ann's run: 4 against her 8, and 15 more for her."""
    told = [knocked(KNOCK), held("10H JH 4C 4D 4S 3C AS")]
    assert points(score_deal(CHICAGO, 1, told, [0, 0])) == [8, 24]
    assert points(score_deal(LAYS_OFF, 1, told, [0, 0])) == [23, 4]


def test_what_was_laid_off_is_among_the_reasons() -> None:
    score = score_deal(LAYS_OFF, 1, [knocked(KNOCK), held("10H JH 4C 4D 4S 3C AS")], [0, 0])
    assert score.lines[1]
    assert [reason.words for reason in score.lines[1].reasons] == [
        "Melded 4C 4D 4S. Laid off 10H JH. Left over AS 3C: 1 + 3"
    ]


def test_play_to_the_right_lays_off_to_the_right() -> None:
    """Ann knocks; Cleo, on her right, comes first, and Bob's 10 of hearts finds no place."""
    right = extend(LAYS_OFF, {"turn": {"direction": "right"}})
    told = [knocked(KNOCK), held("10H 4C 4S 9D 9C QS QD"), held("10H KH 4D 4S 9S QS AC")]
    assert points(score_deal(LAYS_OFF, 1, told, [0, 0, 0])) == [8, 46, 38]
    assert points(score_deal(right, 1, told, [0, 0, 0])) == [8, 56, 28]


def test_after_rummy_nobody_lays_off() -> None:
    told = [RUMMY, held("10H JH 4C 4D 4S 3C AS")]
    assert points(score_deal(LAYS_OFF, 1, told, [0, 0])) == [0, 24]


def test_a_hand_cannot_be_laid_off_on_melds_that_nobody_entered() -> None:
    """Ann's count alone does not say which melds she shows: asked once, and Bob's hand counts."""
    whole, alone = held("10H JH 4C 4D 4S 3C AS"), Tally(declared="knock", total=8)
    doubt = (
        "What Bob can lay off on Ann's melds isn't known: enter Ann's whole hand too, "
        "or only the cards Bob has left over."
    )
    assert asked(LAYS_OFF, [alone, whole]) == [doubt]
    assert points(score_deal(LAYS_OFF, 1, [alone, whole], [0, 0])) == [8, 24]
    assert asked(CHICAGO, [alone, whole]) == []
    assert asked(LAYS_OFF, [knocked(KNOCK), whole]) == []
    assert asked(LAYS_OFF, [alone, Tally(total=4)]) == []


def asked(variant: Variant, told: list[Tally]) -> list[str]:
    doubts = deal_doubts(variant, 1, told, [0, 0], Pack(2, 0))
    return [doubt.in_words(["Ann", "Bob"]) for doubt in doubts]
