"""The judge's answers, game by game, and hands to practise on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import Pack, Refusal, read_hand, write_hand
from companion.melds import is_contract
from companion.rules import find_variant, with_choices
from companion.scoring.judging.judge import judge_hand, question
from companion.scoring.judging.practice import practice_hand
from tests.support.reports import CHICAGO, CONTRACT, SEEDS, ZIONCHECK, ZIP

PACK = Pack(2, 1)


def test_a_hand_that_holds_the_contract_is_laid_out() -> None:
    verdict = judge_hand(CONTRACT, 2, read_hand("7H 7S 7D 3C 4C 5C 6C KD"), PACK)
    assert verdict.yes
    assert [write_hand(meld.cards) for meld in verdict.groups] == ["3C 4C 5C 6C", "7D 7H 7S"]
    assert write_hand(verdict.loose) == "KD"


def test_a_hand_one_card_short_names_what_helps() -> None:
    """Three sevens and 3 4 6 of clubs: the 5 of clubs or a joker, and only they."""
    verdict = judge_hand(CONTRACT, 2, read_hand("7H 7S 7D 3C 4C 6C KD"), PACK)
    assert not verdict.yes
    assert verdict.answer == "Not yet: 1 card short. These 2 cards help."
    assert {write_hand([card]): copies for card, copies in verdict.helping.items()} == {
        "5C": 2,
        "X": 1,
    }
    assert write_hand(verdict.free) == "KD"


def test_a_whole_hand_with_a_card_too_many() -> None:
    """Liverpool's sixth deal: a set and two runs, eleven cards, and none may be left over."""
    hand = read_hand("7C 7D 7H 3C 4C 5C 6C 8D 9D 10D JD KS")
    verdict = judge_hand(find_variant("liverpool"), 6, hand, Pack(2, 4))
    assert not verdict.yes
    assert verdict.answer == (
        "Not yet: the melds are there, but 1 card is left over, and all must be melded."
    )
    assert write_hand(verdict.free) == "KS"
    assert sum(len(meld.cards) for meld in verdict.groups) == 11
    assert judge_hand(find_variant("liverpool"), 6, hand[:-1], Pack(2, 4)).yes


@pytest.mark.parametrize(
    ("hand", "answer", "notes"),
    [
        (
            "7C 7D 7H 3S 4S 5S 6S 7S 8S 9S KD 2H",
            "Yes, but only in the turn in which you go out.",
            ("One of the cards left over must find a place on the table in that turn.",),
        ),
        ("7C 7D 7H 3S 4S 5S 6S 7S 8S 9S KD", "Yes, you can go down and out.", ()),
        ("7C 7D 7H 3S 4S 5S 6S 7S 8S 9S", "Yes, you can go down and out.", ()),
    ],
)
def test_the_last_contract_of_telefunken_goes_down_only_to_go_out(
    hand: str, answer: str, notes: tuple[str, ...]
) -> None:
    """`TF-4.2`: the other cards are laid off in the same turn, but for one that is discarded."""
    verdict = judge_hand(find_variant("telefunken"), 7, read_hand(hand), Pack(2, 4))
    assert (verdict.answer, verdict.notes) == (answer, notes)


def test_the_last_contract_as_in_bolivia_may_lie_before_one_goes_out() -> None:
    rules = with_choices(find_variant("telefunken"), {"last_contract": "run"})
    verdict = judge_hand(rules, 7, read_hand("3S 4S 5S 6S 7S 8S 9S KD 2H QC"), Pack(2, 4))
    assert (verdict.answer, verdict.notes) == ("Yes, you can go down.", ())


def test_a_contract_that_takes_every_card_needs_one_more_to_discard() -> None:
    """Three runs of four are the twelve cards dealt: who lays them down must have drawn."""
    hand = read_hand("AC 2C 3C 4C 6H 7H 8H 9H 10S JS QS KS")
    assert judge_hand(CONTRACT, 7, hand, PACK).notes == ("You need one card more, to discard.",)
    assert judge_hand(CONTRACT, 7, (*hand, *read_hand("2D")), PACK).notes == ()


def test_a_hand_that_no_cards_can_complete() -> None:
    """Five jokers short of nothing: with one deck and no wilds, three sets need nine cards."""
    verdict = judge_hand(CONTRACT, 4, read_hand("7H 7S KD"), Pack(2, 0))
    assert not verdict.yes
    assert verdict.answer.startswith("Not yet: 6 cards short.")


def test_zips_leave_a_discard() -> None:
    verdict = judge_hand(ZIP, 1, read_hand("6R 6B KB 2R 3R 8R 7B"), Pack(1, 0))
    assert verdict.yes
    assert verdict.notes == ("You can zip 38 points.", "Go out by discarding black 7.")


def test_a_deeper_discard_worth_taking() -> None:
    """The red 9 below the black king: 9R joins the 9C, the king stays to discard."""
    pile = read_hand("5H 9H KS")
    verdict = judge_hand(ZIP, 1, read_hand("9C 4S"), Pack(1, 0), pile=pile)
    assert "Worth taking from the pile: 9 of hearts." in verdict.notes


@pytest.mark.parametrize(
    ("variant", "cards", "words"),
    [
        (CONTRACT, "", "Enter the cards"),
        (CONTRACT, "7 8H", "Say the suit"),
        (CONTRACT, "7R 8H", "Say the suit"),
        (CONTRACT, "X X", "Of the joker there is only 1 in play"),
        (CONTRACT, "7H 7H 7H", "Of the 7 of hearts there are only 2 in play"),
        (CONTRACT, " ".join(f"{rank}{suit}" for rank in "23456789" for suit in "HS" + "C"), "more"),
        (CHICAGO, "X 7H", "no jokers"),
        (ZIP, "7", "Say the colour"),
    ],
)
def test_hands_that_cannot_be_are_refused(variant: object, cards: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        judge_hand(variant, 1, read_hand(cards), PACK if variant is CONTRACT else Pack(2, 0))  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", SEEDS, ids=lambda variant: variant.key)
@given(seed=st.text(max_size=12), step=st.integers(1, 4))
def test_practice_hands_are_fair(variant: object, seed: str, step: int) -> None:
    """The same seed gives the same hand, and no hand holds more of a card than the packs do."""
    pack = variant.pack(3)  # type: ignore[attr-defined]
    hand = practice_hand(variant, step, pack, seed)  # type: ignore[arg-type]
    assert hand == practice_hand(variant, step, pack, seed)  # type: ignore[arg-type]
    assert not pack.too_many([hand])
    assert question(variant)  # type: ignore[arg-type]


def test_practice_says_yes_about_half_the_time() -> None:
    pack = ZIONCHECK.pack(4)
    hands = [practice_hand(ZIONCHECK, 3, pack, str(number)) for number in range(40)]
    verdicts = [judge_hand(ZIONCHECK, 3, hand, pack) for hand in hands]
    assert 10 <= sum(verdict.yes for verdict in verdicts) <= 30
    contract = ZIONCHECK.deal(3).contract
    assert contract
    for verdict in verdicts:
        melds = [meld.cards for meld in verdict.groups]
        assert not verdict.yes or not is_contract(melds, contract, ZIONCHECK.melds)


def test_the_last_cards_may_be_zipped_only_where_the_house_says_so() -> None:
    free = with_choices(ZIP, {"keep_discard": False})
    hand = read_hand("7R 3B 4B")
    assert [judge_hand(game, 1, hand, Pack(1, 0)).yes for game in (ZIP, free)] == [False, True]
