"""Scoring, pure and with reasons: one deal, and the course of a whole game."""

from .course import Plan, Played, Seat, Standing, course, follow, objections
from .deal import DealScore, asks_cards, deal_doubts, endings, score_deal
from .knock import knock_limit
from .tally import Finding, LineScore, Reason, Tally, TallyError
from .zips import is_zip

__all__ = [
    "DealScore",
    "Finding",
    "LineScore",
    "Plan",
    "Played",
    "Reason",
    "Seat",
    "Standing",
    "Tally",
    "TallyError",
    "asks_cards",
    "course",
    "deal_doubts",
    "endings",
    "follow",
    "is_zip",
    "knock_limit",
    "objections",
    "score_deal",
]
