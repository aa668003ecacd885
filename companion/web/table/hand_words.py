"""What phones entered in words: how a deal ended, and a hand in one line."""

from __future__ import annotations

import re

from companion.games.reading import StoredGame
from companion.phones.pending_deal import ReportedHand
from companion.scoring.bonuses import TRICKS, bid_parts

from .hand_form import TypedHand

COLOURS = {"R": "red", "B": "black"}
SIGNS = {"R": "−", "B": "+"}
ZIPPED_OR_LEFT = {"cards": "left", "total": "left", "zips": "zipped", "zipped": "zipped"}


def ending_words(game: StoredGame, how: str, by: int | None) -> str:
    """Say one way in which a deal can end, for somebody who reads it on another phone."""
    variant, name = game.record.variant, "" if by is None else game.names[by]
    win = variant.scoring.instant_win
    words = {
        "out": f"{name} {variant.closing}",
        "knock": f"{name} knocked",
        "rummy": f"{name} went rummy",
        "instant_win": f"{name} has {win.name if win else ''}",
    }
    word = "deal" if variant.has_cards else variant.deal_word
    nobody = "The stock ran out" if variant.scoring.zips else f"The {word} is over"
    return words.get(how, nobody)


_COLOURED = re.compile(r"\b(10|[2-9AJQK])([RB])\b")


def in_one_line(report: ReportedHand) -> str:
    """Say what was entered of a hand as it was tapped or typed, cards as their keys name them."""
    hand = TypedHand()
    hand.show(report.tally, report.typed)
    if parts := bid_parts(report.tally.bonuses):
        bid, took = " + ".join(map(str, parts)), report.tally.bonuses.get(TRICKS)
        return f"bid {bid}" if took is None else f"bid {bid}, took {took}"
    if not report.tally.zips and report.tally.zipped is None:
        words = _COLOURED.sub(lambda card: f"{COLOURS[card[2]]} {card[1]}", hand.entered)
        return re.sub(r"\b[Xx]\b", "joker", words)
    texts = [f"{ZIPPED_OR_LEFT[name]} {text}" for name, text in hand.typed.items() if text]
    return _COLOURED.sub(lambda card: SIGNS[card[2]] + card[1], ", ".join(texts))
