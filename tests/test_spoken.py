"""Hands in words: what is said is read back, mishearings are mended, doubtful words asked back."""

import random
from collections.abc import Iterable
from itertools import groupby

import pytest
from hypothesis import given

from companion.cards import NATURALS, Card, Hand, NotationError, Rank, Suit, write_hand
from companion.spoken import _NAMES, _PLURALS, NUMBERS, hear_hand
from tests.support.doses import doses
from tests.support.strategies import hands
from tests.visits.browserless import entry, start, totals
from tests.visits.phones import Phone

MISHEARINGS = [
    ("to kings", "K K"),
    ("too kings and a jocker", "K K X"),
    ("two king's", "K K"),
    ("tree sevens", "7 7 7"),
    ("free aces", "A A A"),
    ("for queens", "Q Q Q Q"),
    ("fore jacks", "J J J J"),
    ("sex of diamonds", "6D"),
    ("sicks of clubs", "6C"),
    ("ate of hearts", "8H"),
    ("nein of spades", "9S"),
    ("mine of clubs and a queen", "9C Q"),
    ("tin of clubs", "10C"),
    ("for of hearts", "4H"),
    ("to of spades", "2S"),
    ("ase of spades", "AS"),
    ("two ases", "A A"),
    ("duece of hearts", "2H"),
    ("two dueces", "2 2"),
    ("tray of clubs", "3C"),
    ("jak of diamonds", "JD"),
    ("quin of hearts", "QH"),
    ("two quinns", "Q Q"),
    ("two chokers", "X X"),
    ("poker and a king", "X K"),
    ("a jocker, seven", "X 7"),
    ("seven off hearts", "7H"),
    ("seven ov hearts", "7H"),
    ("7 of harts", "7H"),
    ("7 of hards", "7H"),
    ("king of hurts", "KH"),
    ("queen of hertz", "QH"),
    ("ace of dimonds", "AD"),
    ("ten of diamons", "10D"),
    ("four of clups", "4C"),
    ("four of clubbs", "4C"),
    ("jack of spayed", "JS"),
    ("jack of spaids", "JS"),
    ("nine of spates", "9S"),
    ("two read aces", "AR AR"),
    ("Seven-of-hearts. King!", "7H K"),
    ("king hearts", "KH"),
    ("two 7\u2019s", "7 7"),
]


def test_there_are_forty_mishearings() -> None:
    assert len({said for said, _ in MISHEARINGS}) >= 40


@pytest.mark.parametrize(("said", "written"), MISHEARINGS)
def test_what_was_misheard_is_mended(said: str, written: str) -> None:
    assert write_hand(hear_hand(said)) == written


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("two kings a joker", "K K X"),
        ("Seven of hearts", "7H"),
        ("I've got a pair of sevens, the ace of clubs and 10S", "7 7 AC 10S"),
        ("both black aces", "AB AB"),
        ("kings of hearts and spades", "KH KS"),
        ("two kings of hearts and spades", "KH KS"),
        ("two kings of hearts", "KH KH"),
        ("2 twos", "2 2"),
        ("two two kings", "2 K K"),
        ("two king", "2 K"),
        ("2 7's", "7 7"),
        ("seven seven king joker", "7 7 K X"),
        ("one king and one joker", "K X"),
        ("a 7 of hearts and an 8", "7H 8"),
        ("A and two kings", "A K K"),
        ("red king, black seven", "KR 7B"),
        ("red king of hearts", "KH"),
        ("2x7 and two kings", "7 7 K K"),
        ("a joker", "X"),
        ("7h, 10S joker 2x7 QK", "7H 10S X 7 7 Q K"),
        ("12 kings", " ".join(["K"] * 12)),
        ("1 kings", "K"),
    ],
)
def test_hands_are_said_in_many_ways(said: str, written: str) -> None:
    assert write_hand(hear_hand(said)) == written


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("a 7 and a king", "could be an ace and 7 or just 7"),
        ("7 a joker", "could be an ace and a joker or one joker"),
        ("2 7s and a king", "could be several cards or a card of spades"),
        ("kings", "How many kings"),
        ("three kings of hearts and spades", "how many of each"),
        ("no kings", 'We don\'t know "NO"'),
        ("0 kings", "how many of each"),
        ("999 kings", "how many of each"),
        ("1000 kings", "how many of each"),
        ("99 kings 99 queens 99 jacks", "more than any hand"),
        ("red king of spades", "red and black"),
        ("joker of hearts", "no suit"),
        ("for the king", 'We don\'t know "FOR"'),
        ("king of", 'We don\'t know "OF"'),
        ("hearts", 'We don\'t know "HEARTS"'),
        ("seven to ten of hearts", 'We don\'t know "TO"'),
    ],
)
def test_doubtful_words_are_asked_back(said: str, asked: str) -> None:
    with pytest.raises(NotationError, match=asked):
        hear_hand(said)


@given(hands())
def test_what_is_written_is_heard_as_it_is_read(hand: Hand) -> None:
    assert hear_hand(write_hand(hand)) == hand


@given(hands())
def test_what_is_said_is_heard(hand: Hand) -> None:
    assert hear_hand(speak_hand(hand)) == hand


@doses("count", 2_000, 100_000)
def test_hands_said_in_any_manner_are_heard(count: int) -> None:
    chance = random.Random(22)
    for _ in range(count):
        hand = some_hand(chance)
        assert hear_hand(speak_hand(hand)) == hand
        said = said_somehow(hand, chance)
        assert hear_hand(said) == hand, said


def speak_hand(hand: Iterable[Card]) -> str:
    """Say a hand as `hear_hand` should hear it: seven of hearts, two kings, joker."""
    return ", ".join(speak(card, len([*alike])) for card, alike in groupby(hand))


def speak(card: Card, times: int) -> str:
    colour = f"{card.suit.word} " if card.suit and card.suit.is_colour else ""
    suit = f" of {card.suit.word}" if card.suit and not card.suit.is_colour else ""
    if times == 1:
        return f"{colour}{_NAMES[card.rank]}{suit}"
    number = NUMBERS[times] if times < len(NUMBERS) else times
    return f"{number} {colour}{_PLURALS[card.rank]}{suit}"


def some_hand(chance: random.Random) -> Hand:
    """Deal up to sixteen cards, neighbours often alike, some without a suit."""
    cards: list[Card] = []
    for _ in range(chance.randint(0, 16)):
        if cards and chance.random() < 0.25:
            cards.append(cards[-1])
            continue
        rank = chance.choice([Rank.JOKER, *NATURALS])
        suit = chance.choice([None, *Suit]) if rank else None
        cards.append(Card(rank, suit))
    return tuple(cards)


def said_somehow(hand: Hand, chance: random.Random) -> str:
    """Say a hand with digits or words, capitals, articles, filling words, commas or none."""
    pieces = speak_hand(hand).split(", ") if hand else []
    pieces = [said_piece(piece, chance) for piece in pieces]
    said = chance.choice([" ", ", ", " and ", ", and ", " then ", "; "]).join(pieces)
    opening = chance.choice(["", "", "I have ", "I've got ", "my hand is "])
    said = opening + said + chance.choice(["", ".", " "]) if pieces else ""
    return chance.choice([said, said.upper(), said.title()])


def said_piece(piece: str, chance: random.Random) -> str:
    first, *rest = piece.split(" ")
    number = NUMBERS.index(first) if first in NUMBERS else 0
    if number and rest and chance.random() < 0.5:
        return " ".join([str(number), *rest])
    if not number and first not in ("red", "black") and chance.random() < 0.3:
        return f"{'an' if first == 'ace' else 'a'} {piece}" if not first.isdigit() else piece
    return piece


def test_a_hand_dictated_into_the_page_is_scored_and_shown_as_cards(lone: Phone) -> None:
    table = start(lone, "contract-rummy", "Ann", "Bob", "Cleo")
    form = entry(lone, table, "out", 0).form()
    form.fill("seat1-cards", "two kings a joker")
    form.fill("seat2-cards", "seven of hearts and too queens")
    table = lone.press(lone.press(form, "review", 200).form(), "save")
    assert totals(table) == [0, 45, 27]


def test_the_judge_hears_words(lone: Phone) -> None:
    said = "three+sevens+of+hearts+spades+and+clubs+and+three+kings+of+hearts+spades+and+clubs"
    page = lone.show(f"/rules/contract-rummy/judge?deal=1&hand={said}+ace+of+spades+two+of+clubs")
    assert "Yes" in page.text
