"""What a page needs to judge hands by itself: the rules as the variant has them, and the words."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.cards import NATURALS, SUITS, Card, Pack, Rank, Suit
from companion.rules import Variant

from .knock import knock_limit
from .verdict_words import VERDICT_WORDS

_BY = {"cards_left": "contract", "payments": "contract", "unmelded": "melds", "zips": "zips"}


def offline_question(variant: Variant, step: int, pack: Pack, score: int = 0) -> dict[str, Any]:
    """Give what `static/judge.js` reads to answer as `judge_hand` does.

    `by` names the part of it that can, `names` says how cards are read aloud.
    """
    scoring = variant.scoring
    asked = {
        "by": _BY[scoring.entry],
        "deal": variant.deal(step),
        "deal_word": variant.deal_word,
        "rules": variant.meld_rules(step),
        "pack": {"decks": pack.decks, "jokers": pack.jokers},
        "knock": scoring.knock,
        "limit": knock_limit(variant, score),
        "score": score,
        "win": scoring.instant_win,
        "zips": scoring.zips,
        "eliminate": variant.ending.eliminate,
        "names": {str(card): card.name for card in _cards(in_colours=scoring.zips is not None)},
        "words": VERDICT_WORDS,
    }
    found: dict[str, Any] = msgspec.to_builtins(asked)
    return found


def _cards(*, in_colours: bool) -> list[Card]:
    suits = (*SUITS, Suit.RED, Suit.BLACK) if in_colours else SUITS
    return [*(Card(rank, suit) for suit in suits for rank in NATURALS), Card(Rank.JOKER)]
