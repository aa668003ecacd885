"""A sample family to look round in: one finished game and one in progress."""

from __future__ import annotations

from companion.cards import read_hand
from companion.rules import find_variant
from companion.scoring import Tally

from . import keeper
from .changes import play_deal
from .keeper import Author

NAMES = ("Ann", "Bob", "Cleo", "Dev")
FINISHED = (
    ("Ann", "", "7 7 K", "2 3 9", "A Q"),
    ("Cleo", "10 10 4", "5 6 J", "", "8 8 2 2"),
    ("Bob", "A 3", "", "X 9", "K Q J 5"),
    ("Ann", "", "4 4 6", "9 9 10", "7"),
    ("Dev", "2 2 3 8", "K 5", "A J 10 10", ""),
    ("Ann", "", "3 9 9 Q", "6 7", "5 5 10"),
    ("Cleo", "8 J", "A 2 4 9 K", "", "6 6 3"),
)
RUNNING = (
    ("Bob", "9 K", "", "4 5 6", "X 2"),
    ("Dev", "3 3 8", "A 10", "J 7", ""),
)


def add_sample(token: str) -> Author:
    """Open a sample league for the device with this token."""
    author = keeper.open_league("The Sample Family", token, is_sample=True)
    for number, deals in enumerate((FINISHED, RUNNING)):
        _play(author, f"sample{number}", deals)
    return author


def _play(author: Author, key: str, deals: tuple[tuple[str, ...], ...]) -> None:
    saved = keeper.start_game(author, key, find_variant("contract rummy"), NAMES)
    for number, (out, *hands) in enumerate(deals):
        tallies = {
            seat: Tally(declared="out") if name == out else Tally(cards=read_hand(hand))
            for seat, (name, hand) in enumerate(zip(NAMES, hands, strict=True))
        }
        saved = keeper.change_game(
            author,
            saved.game_id,
            saved.revision,
            f"{key}-deal{number}",
            "scored",
            lambda record, tallies=tallies: play_deal(record, tallies),  # type: ignore[misc]
            accepted=True,
        )
