"""Cards, hands and packs, and the notation in which people write them.

What cannot be done is a `Refusal`, with a class for each cause::

    Refusal
    ├── NotationError    a text that is no hand, or could be more than one
    ├── VariantError     (rules)    a game's rules that contradict themselves
    └── TallyError       (scoring)  a report that the rules forbid
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import ClassVar, NamedTuple, TypeVar


class Refusal(ValueError):
    """Something that cannot be done, in a sentence a player could read aloud.

    `status` is what a page answers with. Each cause has a class: what cannot be read, what the
    rules forbid, what came too late, who may not.
    """

    status: ClassVar[int] = 422


class NotationError(Refusal):
    """A text that cannot be read as cards, or could be read in more than one way."""


class Rank(IntEnum):
    """The rank of a card; its number is its place in a run with the ace low."""

    # False, so that `if rank` asks for a natural card; in bits of ranks bit 0 stays free.
    JOKER = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """The rank as it is written in a hand: `A`, `10`, `K`, `X` for a joker."""
        return _LETTERS[self]

    @property
    def word(self) -> str:
        """The rank as it is read aloud: `ace`, `10`, `king`, `joker`."""
        return _WORDS.get(self, _LETTERS[self])


_LETTERS = {rank: str(int(rank)) for rank in Rank} | {
    Rank.JOKER: "X",
    Rank.ACE: "A",
    Rank.JACK: "J",
    Rank.QUEEN: "Q",
    Rank.KING: "K",
}
_WORDS = {
    Rank.JOKER: "joker",
    Rank.ACE: "ace",
    Rank.JACK: "jack",
    Rank.QUEEN: "queen",
    Rank.KING: "king",
}


class Suit(Enum):
    """A suit, or only its colour where a game asks for no more (Zip's red and black)."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    RED = "R"
    BLACK = "B"

    # There is one of each: told apart by what it is, not by its name, cards are found faster.
    __hash__ = object.__hash__

    @property
    def word(self) -> str:
        """The suit as it is read aloud."""
        return self.name.lower()

    @property
    def is_red(self) -> bool:
        """Whether the suit is a red one."""
        return self in _REDS

    @property
    def is_colour(self) -> bool:
        """Whether this is only a colour, not a suit."""
        return self in _COLOURS


_REDS = frozenset({Suit.DIAMONDS, Suit.HEARTS, Suit.RED})
_COLOURS = frozenset({Suit.RED, Suit.BLACK})
SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
NATURALS = tuple(rank for rank in Rank if rank is not Rank.JOKER)


class Card(NamedTuple):
    """A card as it was reported: always a rank, a suit only where one was given."""

    rank: Rank
    suit: Suit | None = None

    def __str__(self) -> str:
        return self.rank.letter + (self.suit.value if self.suit else "")

    @property
    def name(self) -> str:
        """The card as it is read aloud.

        >>> Card(Rank.SEVEN, Suit.HEARTS).name, Card(Rank.KING, Suit.RED).name
        ('7 of hearts', 'red king')
        """
        if self.suit is None:
            return self.rank.word
        if self.suit.is_colour:
            return f"{self.suit.word} {self.rank.word}"
        return f"{self.rank.word} of {self.suit.word}"


Hand = tuple[Card, ...]

_RANK_TOKENS = {rank.letter: rank for rank in NATURALS} | {"T": Rank.TEN}
_SUIT_TOKENS = {suit.value: suit for suit in Suit} | {
    "♣": Suit.CLUBS,
    "♦": Suit.DIAMONDS,
    "♥": Suit.HEARTS,
    "♠": Suit.SPADES,
}
_CARD_PATTERN = re.compile(
    rf"JOKER|JK|[X*★]|(?P<rank>{'|'.join(_RANK_TOKENS)})(?P<suit>[{''.join(_SUIT_TOKENS)}]?)"
)
_SEVERAL_PATTERN = re.compile(r"(\d{1,2})[X×*](\S+)")
_SEPARATORS = re.compile(r"[\s,;]+")
MOST_CARDS = 200
Part = TypeVar("Part")


def read_hand(text: str) -> Hand:
    """Read a hand from what people write.

    Cards may be separated by blanks or commas, or stand together where that has one meaning.
    A suit may follow its rank; `X`, `JK`, `*` and `joker` are jokers; `2x7` is two sevens.

    >>> write_hand(read_hand("7h, 10S joker 2x7 QK"))
    '7H 10S X 7 7 Q K'

    Raises `NotationError` naming the words that are no cards or could be several things.
    """
    return read_each(_words(text), _read_word)


def read_each(parts: Iterable[Part], read: Callable[[Part], Iterable[Card]]) -> Hand:
    """Read the cards of each part of a hand; raises `NotationError` with every fault at once."""
    faults: list[str] = []
    cards: list[Card] = []
    for part in parts:
        try:
            cards += read(part)
        except NotationError as fault:
            faults.append(str(fault))
    if faults:
        raise NotationError(" ".join(dict.fromkeys(faults)))
    if len(cards) > MOST_CARDS:
        raise NotationError(f"That is {len(cards)} cards: more than any hand holds.")
    return tuple(cards)


def write_hand(hand: Iterable[Card]) -> str:
    """Write a hand so that `read_hand` gives the same cards in the same order."""
    return " ".join(map(str, hand))


def sort_hand(hand: Iterable[Card]) -> Hand:
    """Put a hand in the order in which people hold it: low to high, jokers last."""
    return tuple(sorted(hand, key=_ORDER.__getitem__))


def _sort_key(card: Card) -> tuple[bool, int, str]:
    return card.rank is Rank.JOKER, card.rank, card.suit.value if card.suit else ""


_ORDER = {
    card: index
    for index, card in enumerate(
        sorted((Card(rank, suit) for rank in Rank for suit in (None, *Suit)), key=_sort_key)
    )
}


def _words(text: str) -> list[str]:
    # Phones put a sign that nobody sees behind a suit, to draw it as a picture or as text.
    plain = text.upper().replace("\ufe0e", "").replace("\ufe0f", "")
    return [word for word in _SEPARATORS.split(plain) if word]


def _read_word(word: str) -> list[Card]:
    shown = word[:20]
    if several := _SEVERAL_PATTERN.fullmatch(word):
        count, card = int(several[1]), _readings(several[2])
        if count and len(card) == 1 and len(card[0]) == 1:
            return card[0] * count
    if whole := _CARD_PATTERN.fullmatch(word):
        return [_card(whole)]
    if word.isdigit():
        raise NotationError(
            f"{shown} could be cards or points: put blanks between cards, or type a total."
        )
    if re.search(r"\d[X×*]", word):
        raise NotationError(
            f"{shown} could be several things: write 2x7 for two sevens, X for a joker."
        )
    readings = _readings(word)
    if not readings:
        raise NotationError(f'We don\'t know "{shown}". Use A, 2–10, J, Q, K, or X for a joker.')
    if len(readings) > 1:
        raise NotationError(f"{shown} could be several things: put a blank between the cards.")
    return readings[0]


def _card(match: re.Match[str]) -> Card:
    if match["rank"] is None:
        return Card(Rank.JOKER)
    return Card(_RANK_TOKENS[match["rank"]], _SUIT_TOKENS.get(match["suit"]))


def _readings(word: str) -> list[list[Card]]:
    """Cut a word into cards; two ways are enough to know that it is ambiguous."""
    # Every cut copies the cards behind it: the time grows with the square of the length.
    if len(word) > 2 * MOST_CARDS:
        return []
    cuts: list[list[list[Card]]] = [[] for _ in word] + [[[]]]
    for start in reversed(range(len(word))):
        for card, end in _cards_at(word, start):
            cuts[start] += [[card, *rest] for rest in cuts[end]]
            # JK is a joker, or a jack and a king: JKJKJK … would double its ways at every pair.
            del cuts[start][2:]
    return cuts[0]


def _cards_at(word: str, start: int) -> Iterator[tuple[Card, int]]:
    for end in range(start + 1, min(start + len("JOKER"), len(word)) + 1):
        if match := _CARD_PATTERN.fullmatch(word, start, end):
            yield _card(match), end


@dataclass(frozen=True)
class Pack:
    """The cards in play: a number of 52-card decks and of jokers in all."""

    decks: int
    jokers: int

    @property
    def size(self) -> int:
        """How many cards there are in all."""
        return 52 * self.decks + self.jokers

    def copies(self, card: Card) -> int:
        """Return how many cards of the pack this one may be.

        >>> Pack(2, 1).copies(Card(Rank.KING)), Pack(2, 1).copies(Card(Rank.KING, Suit.RED))
        (8, 4)
        """
        if card.rank is Rank.JOKER:
            return self.jokers
        if card.suit is None:
            return 4 * self.decks
        return (2 if card.suit.is_colour else 1) * self.decks

    def unseen(self, seen: Sequence[Card]) -> dict[Card, int]:
        """Name every card that can still be drawn, low to high, with how many of it are unseen.

        >>> unseen = Pack(1, 0).unseen(read_hand("7H 7C"))
        >>> len(unseen), sum(unseen.values())
        (50, 50)
        """
        gone = Counter(seen)
        left = {card: self.copies(card) - gone[card] for card in _WHOLE_PACK}
        return {card: copies for card, copies in left.items() if copies > 0}

    def too_many(self, hands: Iterable[Sequence[Card]]) -> Hand:
        """Name the cards of which the hands together hold more than the pack (`I8`).

        A card with its suit also counts as one of its colour and of its rank; where a suit
        is already too many, its colour and rank are not named again.
        """
        counts = Counter(claim for hand in hands for card in hand for claim in claims(card))
        over = {card for card, held in counts.items() if held > self.copies(card)}
        vaguer = {claim for card in over for claim in claims(card) if claim != card}
        return sort_hand(over - vaguer)


_WHOLE_PACK = (*(Card(rank, suit) for rank in NATURALS for suit in SUITS), Card(Rank.JOKER))


def claims(card: Card) -> Iterator[Card]:
    """Yield the card as it was reported, and the vaguer cards of which it is one.

    >>> [card.name for card in claims(Card(Rank.SEVEN, Suit.HEARTS))]
    ['7', '7 of hearts', 'red 7']
    """
    if card.rank is Rank.JOKER:
        yield Card(Rank.JOKER)
        return
    yield Card(card.rank)
    if card.suit is not None:
        yield card
        if not card.suit.is_colour:
            yield Card(card.rank, Suit.RED if card.suit.is_red else Suit.BLACK)
