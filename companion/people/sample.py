"""A sample family to look round in: some years of evenings, one game finished and one running."""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle

from companion.cards import read_hand
from companion.games import writer
from companion.games.changes import Change, play_deal
from companion.games.record import Record
from companion.rules import find_variant
from companion.scoring import Tally
from companion.store import dates
from companion.store.authors import Author, Newcomer

from . import leagues

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
YEARS = (
    # Days ago, the game, and everybody's points deal by deal.
    (398, "contract rummy", "0 25 40 15 / 30 0 20 45 / 10 35 0 20 / 0 15 55 30 / 20 0 5 60"),
    (370, "contract rummy", "35 0 20 10 / 0 40 15 25 / 25 20 0 50 / 0 30 45 5 / 15 10 0 20"),
    (301, "zioncheck", "0 25 30 45 / 20 0 15 60 / 35 5 0 40 / 0 10 25 55 / 15 30 0 20"),
    (287, "contract rummy", "10 0 35 20 / 45 0 10 30 / 0 25 15 5 / 30 0 20 40 / 5 15 0 25"),
    (203, "zioncheck", "25 40 0 10 / 0 15 35 20 / 30 0 10 45 / 20 35 0 5 / 15 0 40 25"),
    (150, "contract rummy", "15 30 0 5 / 40 10 25 0 / 0 20 35 15 / 25 0 10 50 / 0 5 30 20"),
    (150, "zioncheck", "20 0 45 35 / 0 30 10 25 / 15 40 0 5 / 50 0 20 10 / 0 25 35 15"),
    (94, "contract rummy", "0 10 20 55 / 25 0 30 15 / 35 45 0 10 / 0 20 5 40 / 10 0 15 30"),
    (38, "contract rummy", "30 20 0 10 / 0 15 40 5 / 20 0 35 25 / 10 45 0 30 / 0 5 15 50"),
)


def add_sample(token: str, phone: str = "") -> Author | None:
    """Open a sample league for the device with this token; None where a tap before did."""
    author = leagues.open_first(Newcomer(token, "The Sample Family", phone), is_sample=True)
    if author is None:
        return None
    for number, deals in enumerate((FINISHED, RUNNING)):
        _play(author, f"sample{number}", deals)
    for ago, game, points_typed in YEARS:
        _play_past_game(
            author, ago, game, [list(map(int, deal.split())) for deal in points_typed.split("/")]
        )
    return author


def _play_past_game(author: Author, ago: int, game: str, deals: list[list[int]]) -> None:
    """Play an earlier game, so many days ago; its deals come round again until it ends."""
    key, day = f"sample-{ago}-{game}", dates.today() - timedelta(days=ago)

    def play(record: Record) -> Change:
        for points in cycle(deals):
            if record.standing().over:
                break
            record = play_deal(record, dict(enumerate(map(_tally_of, points)))).record
        return Change(record)

    writer.start_game(author, key, find_variant(game), NAMES, played_on=day, then=play)


def _tally_of(points: int) -> Tally:
    return Tally(total=points) if points else Tally(declared="out")


def _play(author: Author, key: str, deals: tuple[tuple[str, ...], ...]) -> None:
    saved = writer.start_game(author, key, find_variant("contract rummy"), NAMES)
    for number, (out, *hands) in enumerate(deals):
        tallies = {
            seat: Tally(declared="out") if name == out else Tally(cards=read_hand(hand))
            for seat, (name, hand) in enumerate(zip(NAMES, hands, strict=True))
        }
        saved = writer.change_game(
            author,
            saved.game_id,
            saved.revision,
            f"{key}-deal{number}",
            "scored",
            lambda record, tallies=tallies: play_deal(record, tallies),  # type: ignore[misc]
            accepted=True,
        )
