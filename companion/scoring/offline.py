"""What a page needs to judge a hand by itself: the rules as they stand in the variant, as data."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.cards import Pack
from companion.rules import Variant

from .knock import knock_limit


def to_ask_offline(variant: Variant, step: int, pack: Pack, score: int = 0) -> dict[str, Any]:
    """Give what `static/judge.js` reads: the deal, what makes melds, the cards in play."""
    scoring = variant.scoring
    asked = {
        "entry": scoring.entry,
        "deal": variant.deal(step),
        "rules": variant.meld_rules(step),
        "pack": {"decks": pack.decks, "jokers": pack.jokers},
        "knock": scoring.knock,
        "limit": knock_limit(variant, score),
        "score": score,
        "win": scoring.instant_win,
        "zips": scoring.zips,
        "eliminate": variant.ending.eliminate,
    }
    found: dict[str, Any] = msgspec.to_builtins(asked)
    return found
