import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import (
    MOST_CARDS,
    SUITS,
    Card,
    NotationError,
    Pack,
    Rank,
    Suit,
    read_hand,
    sort_hand,
    write_hand,
)
from tests.support.strategies import hands


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("7 7 K X", "7 7 K X"),
        ("7H 8H JK", "7H 8H X"),
        ("2x7 QK", "7 7 Q K"),
        ("3×ah", "AH AH AH"),
        ("10 T 10s", "10 10 10S"),
        ("10h,9d;joker", "10H 9D X"),
        ("7♥︎ q♠", "7H QS"),
        ("7r kb", "7R KB"),
        ("77K", "7 7 K"),
        ("JQK", "J Q K"),
        ("jkh", "J KH"),
        ("", ""),
        ("  ", ""),
    ],
)
def test_people_write_hands_in_many_ways(text: str, written: str) -> None:
    assert write_hand(read_hand(text)) == written


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("12", "12 could be cards or points"),
        ("77", "77 could be cards or points"),
        ("QJK", "QJK could be several things"),
        ("2x", "2X could be several things"),
        ("K2x7", "K2X7 could be several things"),
        ("0x7", "0X7 could be several things"),
        ("eleven", 'We don\'t know "ELEVEN"'),
        ("1", "1 could be"),
        ("7Z", 'We don\'t know "7Z"'),
        ("XH", 'We don\'t know "XH"'),
        ("99x7 99x8 99x9", "more than any hand"),
    ],
)
def test_doubtful_text_is_asked_back(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        read_hand(text)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(NotationError, match=r'12 could be.*We don\'t know "ZZ"'):
        read_hand("12 7 zz")


@given(hands())
def test_reading_what_we_wrote_gives_it_back(hand: tuple[Card, ...]) -> None:
    assert read_hand(write_hand(hand)) == hand


@given(hands())
def test_sorting_keeps_every_card(hand: tuple[Card, ...]) -> None:
    assert sorted(map(str, sort_hand(hand))) == sorted(map(str, hand))


def test_a_hand_is_held_low_to_high_with_jokers_last() -> None:
    held = sort_hand(read_hand("X K 7H Q A JS 7 10 2"))
    assert write_hand(held) == "A 2 7 7H 10 JS Q K X"


def test_ranks_are_places_in_a_run_with_the_ace_low() -> None:
    ranks = read_hand("X A 2 3 4 5 6 7 8 9 10 J Q K")
    assert [int(card.rank) for card in ranks] == list(range(14))


def test_two_hundred_cards_are_a_hand_and_one_more_is_none() -> None:
    assert len(read_hand("99x7 99x7 2x7")) == 200
    with pytest.raises(NotationError, match="That is 201 cards"):
        read_hand("99x7 99x7 3x7")


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        hand = read_hand(text)
    except NotationError:
        return
    assert read_hand(write_hand(hand)) == hand


def test_cards_without_blanks_are_read_as_far_as_a_hand_goes() -> None:
    assert len(read_hand("7C" * MOST_CARDS)) == MOST_CARDS
    with pytest.raises(NotationError):
        read_hand("7C" * (MOST_CARDS + 1))


def test_a_long_word_is_refused_quickly() -> None:
    with pytest.raises(NotationError):
        read_hand("JK" * 5000)


def test_a_pack_counts_what_was_told() -> None:
    pack = Pack(decks=2, jokers=1)
    assert pack.size == 105
    assert pack.copies(Card(Rank.JOKER)) == 1
    assert pack.copies(Card(Rank.KING, Suit.HEARTS)) == 2


def test_cards_without_suits_count_together() -> None:
    assert Pack(1, 0).too_many([read_hand("K K K"), read_hand("K K")]) == (Card(Rank.KING),)
    assert Pack(1, 0).too_many([read_hand("KR KR"), read_hand("KH")]) == (
        Card(Rank.KING, Suit.RED),
    )
    assert Pack(1, 0).too_many([read_hand("KH KH")]) == (Card(Rank.KING, Suit.HEARTS),)
    assert Pack(1, 0).too_many([[Card(Rank.KING, suit) for suit in SUITS]]) == ()
