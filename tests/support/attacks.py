"""What a stranger may do to stop the evening of others, each thing against a real server."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from time import sleep
from urllib.parse import quote_plus

from .served import Browser, Server

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
