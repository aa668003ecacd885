"""What the judge's page carries so that it can answer without the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from companion.cards import Card, Hand, Pack, Rank, Suit
from companion.melds import Meld
from companion.rules import Variant
from companion.scoring.judging.offline import (
    cards_to_show,
    offline_deal,
    offline_game,
    offline_score,
)
from companion.scoring.judging.verdict import FEW_HELP, Verdict

ACE, JOKER = Card(Rank.ACE, Suit.CLUBS), Card(Rank.JOKER)


class Offline(NamedTuple):
    """The question as data, every card there is, and answers of each shape to be filled in."""

    question: Mapping[str, Any]
    faces: Sequence[Card]
    blanks: Mapping[str, Verdict]
    few: int = FEW_HELP


def offline_page(variant: Variant, pack: Pack, scores: Sequence[int]) -> Offline:
    """Return what the page's judge needs for every deal of a game and every seat."""
    question = offline_game(variant, pack) | {
        "deals": [offline_deal(variant, step) for step in range(1, len(variant.deals) + 1)],
        "seats": [offline_score(variant, score) for score in scores],
    }
    return Offline(question, cards_to_show(variant), _blanks())


def _blanks() -> dict[str, Verdict]:
    """Make an answer of every shape that the page of an answer can have."""
    hand: Hand = (ACE,)
    every = [Card(rank, suit) for rank in Rank if rank for suit in Suit if not suit.is_colour]
    helping = {"none": [], "few": [JOKER], "many": [*every, JOKER]}
    return {
        f"{many}{'-draw' * draw}": Verdict(
            yes=False,
            answer="",
            notes=("",),
            groups=(Meld("set", (JOKER,), hand),),
            zips=(hand,),
            loose=hand,
            free=hand,
            draw=hand * draw,
            helping=dict.fromkeys(cards, 1),
        )
        for (many, cards), draw in product(helping.items(), (0, 1))
    }
