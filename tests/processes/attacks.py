"""What a stranger may do to stop the evening of others, each thing against a real server."""

from __future__ import annotations

import gzip
import json
import socket
from dataclasses import dataclass
from time import sleep
from typing import Any
from urllib.parse import quote_plus

from werkzeug.test import TestResponse

from tests.processes.served import Browser, Scorer, Server

SIX_RUNS = """
key = "contract-rummy"
name = "Six runs"
summary = "Six runs from one pack, of a hand that is far from them."
source = "Made up."
verified = "read"
players = { min = 2, max = 2 }
packs = [{ players = [2, 2], decks = 1, jokers = 0 }]
pickup = { allowed = true, limit = 0 }

[[deals]]
dealt = 19
[deals.contract]
melds = [ THREE, THREE, FOUR, FOUR, THREE, THREE ]
or_melds = [[ { kind = "set", size = 3 }, THREE, THREE, FOUR, FOUR, THREE ]]

[melds]
wilds = []
ace = "either"
same_suit_runs = "adjacent_needs_9"
[melds.values]
A = 1
2 = 2
3 = 3
4 = 4
5 = 5
6 = 6
7 = 7
8 = 8
9 = 9
10 = 10
J = 10
Q = 10
K = 10

[scoring]
entry = "cards_left"

[ending]
length = "fixed"
winner = "lowest"
""".replace("THREE", '{ kind = "run", size = 3 }').replace("FOUR", '{ kind = "run", size = 4 }')
"""A game of a stranger's own; its file, as they are passed on."""

FAR_FROM_THEM = "6D 5H 8D 8H QC KC"


@dataclass
class Question:
    """A question to the judge of a stranger's own game, as dear as they come."""

    browser: Browser
    address: str

    @staticmethod
    def prepare(port: int) -> Question:
        """Make the game."""
        browser = Browser(port)
        form = browser.show("/house/files").form()
        form.typed["text"] = SIX_RUNS
        key = browser.press(form).path.rpartition("/")[2]
        return Question(browser, f"/rules/{key}/judge?hand={quote_plus(FAR_FROM_THEM)}")

    def hang_up(self, server: Server) -> None:
        """Ask, and go away as soon as the server has begun to search."""
        cookie, began = f"device={self.browser.cookies['device']}", server.cpu
        with socket.create_connection(("127.0.0.1", self.browser.port)) as line:
            line.sendall(f"GET {self.address} HTTP/1.0\r\nCookie: {cookie}\r\n\r\n".encode())
            while server.cpu < began + 0.2:
                sleep(0.01)


@dataclass
class Files:
    """Somebody with a league of one game who sends files made from it."""

    browser: Browser
    document: dict[str, Any]

    @staticmethod
    def prepare(port: int, address: str = "") -> Files:
        """Play a game and take it home."""
        browser = Browser(port, address=address)
        table = Scorer.start(browser)
        for _ in range(5):
            table.score(5)
        return Files(
            browser, json.loads(gzip.decompress(browser.ask("/league/files/league.json").data))
        )

    def of_games(self, many: int) -> bytes:
        """Return a file of many games."""
        (game,) = self.document["games"]
        return json.dumps(
            {**self.document, "games": [_again(game, n) for n in range(many)]}
        ).encode()

    def of_people(self, many: int) -> bytes:
        """Return a file of many people."""
        players = list(self.document["players"])
        for number in range(len(players) + 1, many + 1):
            players.append({**players[0], "name": f"Guest {number}", "number": number})
        return json.dumps({**self.document, "players": players}).encode()

    def of_nothing(self, where: str, size: int = 28_000_000) -> bytes:
        """Return a file with a list of empty objects, so many bytes of them."""
        text = json.dumps({**self.document, where: "HERE"}).encode()
        return text.replace(b'"HERE"', b"[" + b"{}," * (size // 3) + b"{}]")

    def look(self, data: bytes) -> TestResponse:
        """Send a file to be looked at."""
        token = self.browser.show("/league/files").form().data()["csrf_token"]
        return self.browser.send("/league/files/looks", {"csrf_token": token}, data)


def _again(game: dict[str, Any], number: int) -> dict[str, Any]:
    history = [{**c, "key": f"{number}.{c['revision']}"} for c in game["history"]]
    return {**game, "uid": f"again-{number}", "history": history}
