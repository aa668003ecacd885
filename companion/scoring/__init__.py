"""Scoring, pure and with reasons: one deal, and the course of a whole game."""

from .cards_left import cards_wanted
from .course import course, objections, standing_after
from .deal import DealScore, asks_cards, deal_doubts, endings, score_deal
from .knock import knock_limit
from .played import NextDeal, PlayedDeal, SeatStay, Standing
from .tally import Finding, LineScore, Reason, Tally, TallyError
from .zip_scores import is_zip

__all__ = [
    "DealScore",
    "Finding",
    "LineScore",
    "NextDeal",
    "PlayedDeal",
    "Reason",
    "SeatStay",
    "Standing",
    "Tally",
    "TallyError",
    "asks_cards",
    "cards_wanted",
    "course",
    "deal_doubts",
    "endings",
    "is_zip",
    "knock_limit",
    "objections",
    "score_deal",
    "standing_after",
]
