"""What a page needs to judge hands by itself: the rules as the variant has them, and the words."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.cards import NATURALS, SUITS, Card, Pack, Rank, Suit
from companion.rules import Variant
from companion.scoring.knock import knock_limit

from .verdict_words import VERDICT_WORDS

Data = dict[str, Any]
_BY = {"cards_left": "contract", "payments": "contract", "unmelded": "melds", "zips": "zips"}


def offline_question(variant: Variant, step: int, pack: Pack, score: int = 0) -> Data:
    """Return what `static/judge/judge.js` reads to answer as `judge_hand` does."""
    return offline_game(variant, pack) | offline_deal(variant, step) | offline_score(variant, score)


def offline_game(variant: Variant, pack: Pack) -> Data:
    """Return what is the same in every deal: which part of the judge answers, cards, sentences.

    `names` says how cards are read aloud.
    """
    scoring = variant.scoring
    return _plain(
        by=_BY[scoring.entry],
        deal_word=variant.deal_word,
        pack={"decks": pack.decks, "jokers": pack.jokers},
        knock=scoring.knock,
        win=scoring.instant_win,
        zips=scoring.zips,
        eliminate=variant.ending.eliminate,
        names=[(str(card), card.name) for card in cards_to_show(variant)],
        words=VERDICT_WORDS,
    )


def offline_deal(variant: Variant, step: int) -> Data:
    """Return a deal and what makes melds in it."""
    return _plain(deal=variant.deal(step), rules=variant.meld_rules(step))


def offline_score(variant: Variant, score: int) -> Data:
    """Return what a player's score at the start of the deal says of a knock."""
    return {"score": score, "limit": knock_limit(variant, score)}


def cards_to_show(variant: Variant) -> list[Card]:
    """List every card an answer may name, suit by suit, then what a wild in a set stands for."""
    suits = (*SUITS, Suit.RED, Suit.BLACK) if variant.scoring.zips else SUITS
    cards = [Card(rank, suit) for suit in suits for rank in NATURALS]
    return [*cards, Card(Rank.JOKER), *map(Card, NATURALS)]


def _plain(**values: object) -> Data:
    plain: Data = msgspec.to_builtins(values)
    return plain
