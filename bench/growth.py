"""What a table's pages cost by how many play and how many deals they played, as a picture.

    python -m bench.growth [file.svg]

CPU of one straight WSGI call where nothing was written since the page was asked for before, and of
the table for the first phone after a save. Prints the numbers and draws them, a line for each page.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.pages import cookie_of, empty_league, play, save_a_change
from bench.wsgi_calls import after
from companion.cards import read_hand
from companion.scoring import Tally
from companion.store.authors import Author
from companion.web.charts.axes import apart

PLAYERS = (3, 4, 5, 6, 8)
DEALS = (0, 5, 10, 20, 40)
FIVE, TEN = PLAYERS.index(5), DEALS.index(10)
CALLS = 25
PAGES = {"table": "", "entry": "/deals/new?how=knock&by=0", "own phone": "/mine"}
SAVED = "table after a save"
LINES = (*PAGES, SAVED)
WIDTH, HEIGHT, EDGE = 340, 200, 46
STYLES = ("", "6 3", "2 3", "8 2 2 2")


def main() -> None:
    """Measure by players with ten deals, and by deals with five players; print and draw."""
    by_players = [cost_of(players, DEALS[TEN]) for players in PLAYERS]
    by_deals = [cost_of(PLAYERS[FIVE], deals) for deals in DEALS]
    for title, along, costs in (("players", PLAYERS, by_players), ("deals", DEALS, by_deals)):
        print(f"{title:20}" + "".join(f"{many:8}" for many in along))
        for page in LINES:
            print(f"{page:20}" + "".join(f"{cost[page]:8.2f}" for cost in costs))
    if sys.argv[1:]:
        Path(sys.argv[1]).write_text(drawn(by_players, by_deals), encoding="utf-8")


def cost_of(players: int, deals: int) -> dict[str, float]:
    """Return the milliseconds of each page of a game of so many after so many deals."""
    app, ann = empty_league()
    with app.app_context():
        _play(ann, players, deals)
    headers = {"Cookie": cookie_of(app)}
    shown, saved = after(lambda: None), after(partial(save_a_change, app))
    costs = {name: shown(app, f"/games/1{page}", headers, CALLS) for name, page in PAGES.items()}
    return costs | {SAVED: saved(app, "/games/1", headers, CALLS)}


def _play(ann: Author, players: int, deals: int) -> None:
    """Play so many rounds of Chicago Rummy without a limit that anybody reaches."""

    def deal(number: int) -> dict[int, Tally]:
        knocks, ace = number % players, read_hand("A")
        return {
            seat: Tally(declared="knock" if seat == knocks else "", cards=ace)
            for seat in range(players)
        }

    names = [f"Player {number}" for number in range(1, players + 1)]
    play(ann, "chicago-rummy", names, deals, deal)


def drawn(by_players: Sequence[dict[str, float]], by_deals: Sequence[dict[str, float]]) -> str:
    """Draw both beside each other, from zero on, with the pages' names at the ends of lines."""
    most = max(max(cost.values()) for cost in (*by_players, *by_deals))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="11" fill="currentColor">'
        "<title>Milliseconds of a page by players and by deals</title>"
        f"{_chart(0, 'players, ten deals', PLAYERS, by_players, most)}"
        f"{_chart(WIDTH, 'deals, five players', DEALS, by_deals, most)}</svg>\n"
    )


def _chart(
    left: int, title: str, along: Sequence[int], costs: Sequence[dict[str, float]], most: float
) -> str:
    floor, wide = HEIGHT - EDGE, WIDTH - 2 * EDGE - 20

    def across(many: int) -> float:
        return left + EDGE + wide * (many - along[0]) / (along[-1] - along[0])

    def high(cost: float) -> float:
        return floor - (floor - 20) * cost / most

    parts = [
        f'<path d="M{left + EDGE} {floor}h{wide}" stroke="currentColor"/>',
        f'<text x="{left + EDGE}" y="{HEIGHT - 8}">{title}</text>',
        f'<text x="{left + 4}" y="{high(most) + 4:.0f}">{most:.1f} ms</text>',
        f'<text x="{left + 4}" y="{floor + 4}">0</text>',
        *(
            f'<text x="{across(many):.0f}" y="{floor + 16}" text-anchor="middle">{many}</text>'
            for many in along
        ),
    ]
    labels = apart([high(costs[-1][page]) for page in LINES], 13, 0, floor)
    for page, style, label in zip(LINES, STYLES, labels, strict=True):
        points = " ".join(
            f"{across(many):.1f},{high(cost[page]):.1f}"
            for many, cost in zip(along, costs, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.5" '
            f'stroke-dasharray="{style}"/>'
            f'<text x="{across(along[-1]) + 5:.0f}" y="{label + 4:.0f}">'
            f"{page}</text>"
        )
    return "".join(parts)


if __name__ == "__main__":
    main()
