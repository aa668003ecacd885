"""The tables, without arithmetic, by what they are about."""

from .base import WIN, Base, Facts, db
from .game_tables import APPEND_ONLY, Deal, Game, History, Line, Seat
from .league_tables import Device, House, League, LeagueAction, Player, Season, TeamMember
from .phone_tables import FailedAttempts, HandReport, Link, PendingEnding, RightEvent
from .rating_table import Rating

__all__ = [
    "APPEND_ONLY",
    "WIN",
    "Base",
    "Deal",
    "Device",
    "Facts",
    "FailedAttempts",
    "Game",
    "HandReport",
    "History",
    "House",
    "League",
    "LeagueAction",
    "Line",
    "Link",
    "PendingEnding",
    "Player",
    "Rating",
    "RightEvent",
    "Season",
    "Seat",
    "TeamMember",
    "db",
]
