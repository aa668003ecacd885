"""The tables, without arithmetic, by what they are about."""

from .base import WIN, Base, Facts, db
from .game_tables import APPEND_ONLY, Deal, Game, History, Line, Seat
from .league_tables import Device, House, League, LeagueAction, Player, Season, TeamMember
from .phone_tables import FailedAttempts, HandReport, Link, PendingEnding, RightEvent
from .statistics_tables import Checkpoint, ContractSum, EveningSum, PlayerSum, RatingRow, RivalSum

__all__ = [
    "APPEND_ONLY",
    "WIN",
    "Base",
    "Checkpoint",
    "ContractSum",
    "Deal",
    "Device",
    "EveningSum",
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
    "PlayerSum",
    "RatingRow",
    "RightEvent",
    "RivalSum",
    "Season",
    "Seat",
    "TeamMember",
    "db",
]
