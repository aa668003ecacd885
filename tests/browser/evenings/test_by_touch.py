"""A whole evening of each game by touch, on a phone whose lower edge belongs to the system."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import KEYS, Open, results
from tests.support.doses import first_in_every_run

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EDGE = 34
"""Pixels at the lower edge that a phone's own gestures take."""
PLACE = """
(edge) => {
  const root = document.scrollingElement;
  const low = (one) => one.getBoundingClientRect().bottom > innerHeight - edge;
  const shown = (one) => one.checkVisibility();
  const main = [...document.querySelectorAll('.dock .names .button, .dock .main, [data-next]')];
  const found = main.filter(shown);
  return {
    scrolls: [root.scrollHeight - innerHeight, root.scrollWidth - innerWidth],
    controls: found.length > 0,
    under: found.filter(low).map((one) => one.textContent.trim()),
  };
}
"""
IN_PLACE = {"scrolls": [0, 0], "controls": True, "under": []}
Deal = tuple[int, dict[int, str]]
"""Who ended the deal, and what is tapped for each seat that is asked."""


def worth(numbers: str, ace: int, ten: int, joker: int) -> dict[str, int]:
    """Write a rule's values down: of 2 to 9 in a row, of the ace, of 10 to king, of the joker."""
    low = dict(zip("23456789", map(int, numbers), strict=True))
    return low | dict.fromkeys(("10", "J", "Q", "K"), ten) | {"A": ace, "X": joker}


LEFT_OVER = {
    "contract-rummy": worth("23456789", ace=15, ten=10, joker=25),
    "zioncheck": worth("55555555", ace=15, ten=10, joker=15),
    "shanghai": worth("55555555", ace=15, ten=10, joker=25),
    "chicago-rummy": worth("23456789", ace=1, ten=10, joker=0),
    "zip-zilch-zero": worth("23456789", ace=1, ten=10, joker=0) | {"J": 11, "Q": 12, "K": 13},
}
"""By CR-6.2, ZC-6.2, SH-s.2, CH-6.1 and ZZ-6.1."""
BEATEN = 15
"""What a knock costs if another hand counts less: CH-6.4."""
HANDS = ("7 K", "A", "X", "2 2 3", "10 9", "Q J 4", "8 6 5")


def dealt(players: int, deals: int) -> list[Deal]:
    """Let each end a deal in turn, and the others hold something else each time.

    The last contract takes every card: who is down has one at most.
    """
    return [(deal % players, _held(players, deal, deals)) for deal in range(deals)]


def _held(players: int, deal: int, deals: int) -> dict[int, str]:
    most = 1 if deal == deals - 1 else 3
    hands = [HANDS[(deal + seat) % len(HANDS)].split()[:most] for seat in range(players)]
    return {seat: " ".join(hand) for seat, hand in enumerate(hands) if seat != deal % players}


EVENINGS: dict[str, tuple[str, list[Deal]]] = {
    "contract-rummy": ("Ann Bob Cleo Dev Rose", dealt(5, 7)),
    "zioncheck": ("Ann Bob Cleo", dealt(3, 6)),
    "shanghai": ("Ann Bob Cleo", dealt(3, 10)),
    "chicago-rummy": (
        "Ann Bob Cleo",
        [
            (0, {0: "3", 1: "K Q J", 2: "9 K Q J"}),
            (1, {1: "2", 0: "A", 2: "K Q 9"}),
            (0, {0: "5", 1: "K Q J", 2: "K Q J 7"}),
            (0, {0: "4", 1: "K 8 9"}),
        ],
    ),
    "zip-zilch-zero": (
        "Ann Bob Cleo",
        [
            (0, {0: "-7 +3 +4", 1: "-5 +5 / +K", 2: "/ -2"}),
            (1, {1: "-9 +9", 0: "/ -A", 2: "-6 +6 / +3"}),
            (2, {2: "-K +K", 0: "-2 +2 / +5", 1: "/ -J +4"}),
            (0, {0: "-8 +8", 1: "-3 +3 / -4", 2: "/ +Q"}),
        ],
    ),
}
"""Chicago goes on until one is left, with a beaten knock; at Zip a stroke parts zips and rest."""


def points(game: str, deal: Deal) -> dict[int, int]:
    """Work out by the rules what a deal adds."""
    value, (ended, hands) = LEFT_OVER[game], deal
    if game == "zip-zilch-zero":
        halves = {seat: cards.partition("/")[::2] for seat, cards in hands.items()}
        return {
            seat: sum(value[card[1:]] for card in zips.split())
            - sum(value[card[1:]] for card in rest.split())
            for seat, (zips, rest) in halves.items()
        }
    counts = {seat: sum(value[card] for card in cards.split()) for seat, cards in hands.items()}
    if game == "chicago-rummy" and min(counts.values()) < counts[ended]:
        counts[ended] += BEATEN
    return counts


@pytest.mark.parametrize("game", first_in_every_run(EVENINGS, later=pytest.mark.long))
def test_an_evening_by_thumb(phone: Open, folder: Path, game: str) -> None:
    """Nothing scrolls, no key moves, all is in reach, and the totals are those of the rules."""
    names, deals = EVENINGS[game][0].split(), EVENINGS[game][1]
    page = phone(f"/games/new/{game}", has_touch=True, is_mobile=True)
    keep_the_edge(page)
    page.locator("[name=names]").fill(" ".join(names))
    page.locator("[name=names]").blur()
    touch(page, ".dock .button")
    page.wait_for_url("**/games/*")
    totals = dict.fromkeys(range(len(names)), 0)
    keys: list[object] = []
    for deal in deals:
        in_place(page)
        page.locator(".dock > .names .button").nth(deal[0]).tap()
        page.wait_for_url("**/deals/new*")
        for cards in pads(deal):
            in_place(page)
            for card in cards.split():
                touch(page, key_of(card))
            in_place(page)
            keys.append(page.evaluate(KEYS))
            touch(page, "[data-next]")
        page.locator("ol.review").wait_for()
        in_place(page)
        doubts = page.locator(".doubt [name=sure]")
        for left in reversed(range(doubts.count())):
            doubts.first.tap()
            expect(doubts).to_have_count(left)
        touch(page, ".dock .main")
        page.wait_for_url("**saved=*")
        for seat, added in points(game, deal).items():
            totals[seat] += added
    assert all(lie == keys[0] for lie in keys)
    page.get_by_role("button", name="Play again").wait_for()
    assert page.evaluate(PLACE, EDGE)["under"] == []
    written = [f"{total}, {names[seat]}".replace("-", "−") for seat, total in totals.items()]
    assert sorted(results(page)) == sorted(written)
    assert stored(folder, page) == [*totals.values()]


def pads(deal: Deal) -> list[str]:
    """List what is tapped, pad by pad: first for who ended the deal, then by seats."""
    ended, hands = deal
    seats = sorted(hands, key=lambda seat: (seat != ended, seat))
    return [part for seat in seats for part in hands[seat].split("/")]


def stored(folder: Path, page: Page) -> list[int]:
    """Add up what the database holds of the game on a page, by seat."""
    game = page.url.partition("?")[0].rpartition("/")[2]
    summed = "SELECT sum(points) FROM line WHERE game_id = ? GROUP BY seat ORDER BY seat"
    with closing(sqlite3.connect(folder / "companion.sqlite")) as database:
        return [total for (total,) in database.execute(summed, (game,))]


def keep_the_edge(page: Page) -> None:
    """Let the system have the lower edge, as phones without a home button do."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": {"bottom": EDGE}})


def in_place(page: Page) -> None:
    assert page.evaluate(PLACE, EDGE) == IN_PLACE


def touch(page: Page, what: str) -> None:
    page.locator(what).locator("visible=true").first.tap()


def key_of(card: str) -> str:
    """Find the key of a card; at Zip a red one has a minus, a black one a plus."""
    suit = {"-": "[data-suit=R]", "+": "[data-suit=B]"}.get(card[0], "")
    return f"[data-card='{card.lstrip('+-')}']{suit}"
