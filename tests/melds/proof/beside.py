"""The page's judge beside the server's: one question for both, and what is unlike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from companion.cards import Card, Hand, Suit, read_hand, write_hand
from companion.melds import Meld, is_contract
from companion.melds.slots import SUITLESS
from companion.rules import Variant
from companion.scoring.judging.judge import judge_hand
from companion.scoring.judging.offline import offline_question

from . import certificate
from .readings import Reading, some_hand, some_reading

JudgeAnswer = Mapping[str, Any]


class Asked(NamedTuple):
    """A hand, in Zip with a discard pile, under a reading."""

    reading: Reading
    hand: Hand
    pile: Hand = ()

    def as_data(self) -> dict[str, Any]:
        """Give what the page is given."""
        return {
            "question": offline_question(*self.reading),
            "hand": list(map(str, self.hand)),
            "pile": list(map(str, self.pile)),
        }


def some_question(rng: Random, game: Variant) -> Asked:
    """Draw a question to the judge of a game."""
    return some_questions(rng, game, 1)[0]


def some_questions(rng: Random, game: Variant, hands: int) -> list[Asked]:
    """Draw so many hands under one reading; one without a contract is drawn again."""
    reading = some_reading(rng, game)
    if game.has_contracts and reading.variant.deal(reading.step).contract is None:
        return some_questions(rng, game, hands)
    return [_some_asked(rng, reading) for _ in range(hands)]


def _some_asked(rng: Random, reading: Reading) -> Asked:
    hand = some_hand(rng, reading)
    if not reading.variant.scoring.zips:
        return Asked(reading, hand)
    hand = tuple(_coloured(card) if rng.random() < 0.2 else card for card in hand)
    return Asked(reading, hand, read_pile(rng, reading, hand))


def _coloured(card: Card) -> Card:
    return Card(card.rank, Suit.RED if card.suit and card.suit.is_red else Suit.BLACK)


def read_pile(rng: Random, reading: Reading, hand: Hand) -> Hand:
    """Draw a discard pile of a few cards, now and then none."""
    unseen = list(reading.pack.unseen(hand))
    return tuple(rng.sample(unseen, rng.choice((0, 0, 2, 4))))


def unlike(asked: Asked, told: JudgeAnswer) -> list[str]:
    """Say what is unlike in the page's answer, or wrong in its proof."""
    variant, step, pack, score = asked.reading
    verdict = judge_hand(variant, step, asked.hand, pack, score=score, pile=asked.pile)
    expected = {
        "yes": verdict.yes,
        "answer": verdict.answer,
        "notes": list(verdict.notes),
        "helping": {str(card): copies for card, copies in verdict.helping.items()},
        "free": list(map(str, verdict.free)),
    }
    found = [
        f"{name}: {told[name]}, not {own}" for name, own in expected.items() if told[name] != own
    ]
    in_melds = variant.scoring.entry == "unmelded"
    if in_melds and len(told["loose"]) != len(verdict.loose):
        found.append(f"loose: {told['loose']}, not {write_hand(verdict.loose)}")
    if len(told["draw"]) != len(verdict.draw):
        found.append(f"draw: {told['draw']}, not {write_hand(verdict.draw)}")
    return [*found, *_faults(asked, told)]


def _faults(asked: Asked, told: JudgeAnswer) -> Iterator[str]:
    """Look over the melds or zips that the page shows: they trust nothing but names of cards."""
    groups = [*(group["cards"] for group in told["groups"]), *told["zips"]]
    laid = Counter(card for group in groups for card in group)
    held = Counter(map(str, asked.hand)) + Counter(told["draw"])
    if laid - held:
        yield f"not of the hand: {laid - held}"
    there = asked.reading.pack.unseen(asked.hand)
    unseen = Counter[str]({str(card): copies for card, copies in there.items()})
    if not_there := Counter[str](told["draw"]) - unseen:
        yield f"cannot be drawn: {not_there}"
    kept = held - Counter(told["loose"])
    if told["loose"] and kept - laid and (kept - laid).total() > _discards_first(asked):
        yield f"laid {laid} and loose {told['loose']} are not {held}"
    yield from filter(None, map(_zip_fault, told["zips"]))
    variant, step, _, _ = asked.reading
    rules, contract = variant.meld_rules(step), variant.deal(step).contract
    melds = [_meld(group) for group in told["groups"]]
    if contract and melds:
        yield from is_contract([meld.cards for meld in melds], contract, rules)
    if variant.scoring.entry == "unmelded":
        for meld in melds:
            yield from certificate.meld_faults(meld, rules)


def _discards_first(asked: Asked) -> bool:
    """Return whether melds are shown without a card: the discard that comes before a knock."""
    knock = asked.reading.variant.scoring.knock
    return knock is not None and knock.discards_first


def _zip_fault(cards: Sequence[str]) -> str:
    signed = [
        (-1 if card.suit and card.suit.is_red else 1) * card.rank
        for card in read_hand(" ".join(cards))
    ]
    return "" if len(cards) > 1 and sum(signed) == 0 else f"no zip: {cards}"


def _meld(group: JudgeAnswer) -> Meld:
    means = [
        SUITLESS[card.rank] if card.suit is None else card
        for card in read_hand(" ".join(group["means"]))
    ]
    return Meld(group["kind"], read_hand(" ".join(group["cards"])), tuple(means))
