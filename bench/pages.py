"""What a page costs beside bare Flask returning the same bytes: CPU of one WSGI call, in one run.

    python -m bench.pages [calls] [python of a place where I Hate Money is installed]

Each page is asked as a phone of the league asks it, in turn with an app that does nothing but
return those bytes; what both take on this machine, now, makes the ratio. `saved` is the first look
after a save of the game, a deal corrected; `drawn` a look at a page that the server has drawn,
after something else was written; `again` one after which nothing was written at all, and `304` the
same by a browser that has the page. The page of a project in I Hate Money, with as many people and
as many bills as hands were scored, is measured in the same way by its own Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from secrets import token_urlsafe
from typing import Any

from flask import Flask
from sqlalchemy import select, update

from bench.wsgi_calls import Wsgi, after, ask, beside
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
from companion.web.middleware.caching.kept import keep_parts

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
        saved = writer.change_game(
            ann, 1, game.revision, token_urlsafe(9), "corrected", change, accepted=True
        )
    with app.test_request_context():  # as the answer to a save does
        keep_parts(saved.stored)


def _corrected(record: Record) -> Change:
    tallies = {seat: line.tally for seat, line in record.deals[-1].lines.items()}
    loser = next(seat for seat, tally in tallies.items() if not tally.declared)
    ace, king = read_hand("A"), read_hand("K")
    tallies[loser] = Tally(cards=king if tallies[loser].cards == ace else ace)
    return amend_deal(record, len(record.deals), tallies)


def _another_dealer(record: Record) -> Change:
    return choose_dealer(record, (record.first_dealer + 1) % len(record.seats))


def write_elsewhere(app: Flask) -> None:
    """Open another family's league, which none of these pages shows."""
    with app.app_context():
        leagues.open_league("The Neighbours", token_urlsafe(16))


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
    """Print every page: the first look after a save, one after some other write, one after none."""
    calls = int(sys.argv[1]) if sys.argv[1:] else 40
    app: Any = family()
    heads = "   ".join(
        f"{name + ': ms':>9}   of bare" for name in ("saved", "drawn", "again", "304")
    )
    print(f"{'page':12}{heads}")
    headers = {"Cookie": cookie_of(app)}
    for name, address in PAGES.items():
        first = ask(app, address, headers)
        if first.status != 200:
            sys.exit(f"{address} answers {first.status}")
        columns = [
            beside(app, address, headers, calls, after(partial(save_a_change, app))),
            beside(app, address, headers, calls, after(partial(write_elsewhere, app))),
            beside(app, address, headers, calls),
        ]
        if etag := ask(app, address, headers).headers.get("ETag"):
            columns.append(beside(app, address, headers | {"If-None-Match": etag}, calls))
        cells = [f"{taken:9.2f}   {share:7.3f}" for taken, share in columns]
        print(f"{name:12}{'   '.join(cells)}", flush=True)
    if sys.argv[2:]:
        _print_the_relative(sys.argv[2], calls)


def _print_the_relative(python: str, calls: int) -> None:
    bills = str(DEALS * len(NAMES))
    words = [python, "-m", "bench.ihatemoney_page", str(calls), bills, *NAMES]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout  # noqa: S603
    print(f"I Hate Money, a project, each time: {told.strip()}")


if __name__ == "__main__":
    main()
