"""What a page costs: CPU of one WSGI call, the first look after a save of the game.

python -m bench.pages [calls]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from functools import partial
from secrets import token_urlsafe
from statistics import median

from flask import Flask
from sqlalchemy import select, update
from werkzeug.test import create_environ, run_wsgi_app

from companion import create_app
from companion.cards import read_hand
from companion.games import writer
from companion.games.changes import Change, amend_deal, play_deal
from companion.games.reading import load_game
from companion.games.record import Record
from companion.people import leagues
from companion.rules import load
from companion.scoring import Tally
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Device, Seat, db
from companion.upkeep import startup
from companion.web.middleware.device_cookie import Cookie

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


def cost(app: Flask, address: str) -> float:
    """Return the CPU of one call in milliseconds; ends the program where a page is refused."""
    with app.app_context():
        cookie = f"device={Cookie(DEVICE).write()}"
    environ = create_environ(address, headers={"Cookie": cookie})
    begun = time.process_time()
    _, status, _ = run_wsgi_app(app, environ, buffered=True)
    if not status.startswith("200"):
        sys.exit(f"{address} answers {status}")
    return 1000 * (time.process_time() - begun)


def cost_after_save(app: Flask, address: str) -> float:
    """Return the CPU of the first call after a save, in milliseconds."""
    save_a_change(app)
    return cost(app, address)


def save_a_change(app: Flask) -> None:
    """Correct the last deal, so that somebody's points differ."""
    with app.app_context():
        ann, key = Author(1, 1), token_urlsafe(9)
        revision = load_game(db.session(), ann.league_id, 1).revision
        writer.change_game(ann, 1, revision, key, "corrected", _corrected, accepted=True)


def _corrected(record: Record) -> Change:
    tallies = {seat: line.tally for seat, line in record.deals[-1].lines.items()}
    loser = next(seat for seat, tally in tallies.items() if not tally.declared)
    ace, king = read_hand("A"), read_hand("K")
    tallies[loser] = Tally(cards=king if tallies[loser].cards == ace else ace)
    return amend_deal(record, len(record.deals), tallies)


def family() -> Flask:
    """Make a league of five with a game after some deals; the phone is the first player's."""
    os.environ["INSTANCE_PATH"] = tempfile.mkdtemp()
    app = create_app()
    with app.app_context():
        startup.prepare()
        ann = leagues.open_league("The Harpers", DEVICE)
        saved = writer.start_game(ann, "begun", load("contract-rummy"), NAMES)
        with writing() as session:
            sits = select(Seat.player_id).where(Seat.game_id == 1, Seat.number == 0)
            session.execute(update(Device).values(player_id=sits.scalar_subquery()))
        for number in range(DEALS):
            change = partial(play_deal, tallies=_deal(number))
            key = f"deal{number}"
            saved = writer.change_game(ann, 1, saved.revision, key, "scored", change, accepted=True)
    return app


def _deal(number: int) -> dict[int, Tally]:
    held = Tally(cards=read_hand("7 7 K A"))
    out = number % len(NAMES)
    return {seat: Tally(declared="out") if seat == out else held for seat in range(len(NAMES))}


def main() -> None:
    """Print the CPU of every page."""
    calls = int(sys.argv[1]) if sys.argv[1:] else 40
    app = family()
    for name, address in PAGES.items():
        cost(app, address)  # what is compiled once for all is no page's own cost
        each = [cost_after_save(app, address) for _ in range(calls)]
        print(f"{name:12}{median(each):7.2f} ms", flush=True)


if __name__ == "__main__":
    main()
