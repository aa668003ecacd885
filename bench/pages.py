"""What a page costs: CPU of one WSGI call, the first look after a save of the game.

python -m bench.pages [calls]
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from secrets import token_urlsafe
from typing import Any

from flask import Flask
from sqlalchemy import select, update

from bench.wsgi_calls import Wsgi, after, ask
from companion import create_app
from companion.cards import read_hand
from companion.games import writer
from companion.games.changes import Change, amend_deal, choose_dealer, play_deal
from companion.games.reading import load_game
from companion.games.record import Record
from companion.people import leagues
from companion.rules import load
from companion.scoring import Tally
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Device, Seat, db
from companion.upkeep import startup

DEVICE = "the-phone-of-the-bench"
NAMES = ("Ann", "Bob", "Cleo", "Dev", "Eve")
DEALS = 4
PAGES = {
    "front": "/",
    "table": "/games/1",
    "own phone": "/games/1/mine",
    "entry": "/games/1/deals/new?how=out&by=0",
    "live": "/games/1/live",
    "league": "/league",
    "rules card": "/rules/contract-rummy",
    "rules book": "/rules/contract-rummy/book",
    "health": "/healthz",
}


def cookie_of(app: Wsgi) -> str:
    """Return the cookie of the bench's phone, with the proof that the server gives it."""
    first = ask(app, "/", {"Cookie": f"device={DEVICE}"})
    return first.headers["Set-Cookie"].partition(";")[0]


def save_a_change(app: Flask) -> None:
    """Correct the last deal, so that somebody's points differ; before it, choose another dealer."""
    with app.app_context():
        ann = Author(1, 1)
        game = load_game(db.session(), ann.league_id, 1)
        change = _corrected if game.record.deals else _another_dealer
        writer.change_game(
            ann, 1, game.revision, token_urlsafe(9), "corrected", change, accepted=True
        )


def _corrected(record: Record) -> Change:
    tallies = {seat: line.tally for seat, line in record.deals[-1].lines.items()}
    loser = next(seat for seat, tally in tallies.items() if not tally.declared)
    ace, king = read_hand("A"), read_hand("K")
    tallies[loser] = Tally(cards=king if tallies[loser].cards == ace else ace)
    return amend_deal(record, len(record.deals), tallies)


def _another_dealer(record: Record) -> Change:
    return choose_dealer(record, (record.first_dealer + 1) % len(record.seats))


def empty_league() -> tuple[Flask, Author]:
    """Make an app with a league of the bench's phone."""
    os.environ["INSTANCE_PATH"] = tempfile.mkdtemp()
    app = create_app()
    with app.app_context():
        startup.prepare()
        return app, leagues.open_league("The Harpers", DEVICE)


def family() -> Flask:
    """Make a league of five with a game after some deals; the phone is the first player's."""
    app, ann = empty_league()
    with app.app_context():
        play(ann, "contract-rummy", NAMES, DEALS, _deal)
    return app


def _deal(number: int) -> dict[int, Tally]:
    held = Tally(cards=read_hand("7 7 K A"))
    out = number % len(NAMES)
    return {seat: Tally(declared="out") if seat == out else held for seat in range(len(NAMES))}


def play(
    ann: Author,
    game: str,
    names: Sequence[str],
    deals: int,
    deal: Callable[[int], Mapping[int, Tally]],
) -> None:
    """Start the league's first game and play so many deals; the phone is the first player's."""
    saved = writer.start_game(ann, "begun", load(game), names)
    with writing() as session:
        sits = select(Seat.player_id).where(Seat.game_id == 1, Seat.number == 0)
        session.execute(update(Device).values(player_id=sits.scalar_subquery()))
    for number in range(deals):
        saved = writer.change_game(
            ann,
            1,
            saved.revision,
            f"deal{number}",
            "scored",
            partial(play_deal, tallies=deal(number)),
            accepted=True,
        )


def main() -> None:
    """Print the CPU of every page."""
    calls = int(sys.argv[1]) if sys.argv[1:] else 40
    app: Any = family()
    headers = {"Cookie": cookie_of(app)}
    look = after(partial(save_a_change, app))
    for name, address in PAGES.items():
        ask(app, address, headers)  # what is compiled once for all is no page's own cost
        print(f"{name:12}{look(app, address, headers, calls):7.2f} ms", flush=True)


if __name__ == "__main__":
    main()
