"""Sixteen phones write one game over HTTP while its three servers are killed in turn."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random
from urllib.parse import urlencode
from uuid import uuid4

from sqlalchemy import select

from companion.people import leagues
from companion.rules import extend
from companion.store.authors import Role
from companion.store.models import HandReport, History, db
from tests.leagues.game_driver import Table, check_sound
from tests.leagues.own_phones import own_phone
from tests.processes.children import Child
from tests.processes.crash import check_database
from tests.processes.servers import SERVERS
from tests.support.patience import HANGS
from tests.support.reports import CONTRACT

ENDLESS = extend(CONTRACT, {"ending": {"length": "until_score", "target": 10000}})
PLAYERS = ("Ann", "Bob", "Cleo", "Dora")
PHONES = 16
HANDS = ("5", "K", "A", "K A", "X", "9 9")


class Servers(Child):
    """The server processes, and how they are asked."""

    def __init__(self) -> None:
        super().__init__("tests.processes.servers")
        self.ports = [int(word) for word in self.answer()]
        for number in range(SERVERS):
            self.kill(number)

    def kill(self, number: int) -> None:
        """Kill a server, if it runs, and start it again."""
        self.order(number)
        assert self.answer()[0].startswith("pid")


@dataclass
class Answer:
    status: int
    text: str
    place: str


@dataclass
class Crowd:
    """The phones of one game: what each was told is stored, and every answer there was."""

    ports: list[int]
    game: str
    over: threading.Event = field(default_factory=threading.Event)
    told: dict[tuple[int, int, int], tuple[int, str]] = field(default_factory=dict)
    saved: dict[str, int] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)

    def ask(
        self,
        token: str,
        path: str,
        form: dict[str, str] | None = None,
        accept: str = "application/json",
    ) -> Answer:
        """Ask any of the servers; without an answer, the same once more of any."""
        headers = {"Cookie": f"device={token}", "Accept": accept}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        began, chance = time.monotonic(), Random()
        while time.monotonic() - began < HANGS:
            line = HTTPConnection("127.0.0.1", chance.choice(self.ports), timeout=HANGS)
            try:
                body = None if form is None else urlencode(form)
                line.request("GET" if form is None else "POST", path, body, headers)
                got = line.getresponse()
                answer = Answer(got.status, got.read().decode(), got.headers.get("Location", ""))
            except (OSError, HTTPException):
                self.answers["none"] += 1
                time.sleep(0.02)
                continue
            finally:
                line.close()
            self.answers[str(answer.status)] += 1
            assert answer.status < 500, answer.text[:500]
            return answer
        raise AssertionError(f"nobody answered {path} for {HANGS} seconds")

    def form_token(self, token: str) -> str:
        page = self.ask(token, "/games/new/contract-rummy").text
        found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
        assert found
        return found[1]

    def revision(self, token: str) -> int:
        """Read the revision from the mark that pages follow; each is one deal here."""
        return int(self.ask(token, f"{self.game}/live").text.partition(".")[0])

    def tell_hands(self, token: str, device: int, seat: int) -> None:
        """Tell one's own hand of the deal on the table, again and again, until it is over."""
        chance, form = Random(device), {"csrf_token": self.form_token(token)}
        while not self.over.is_set():
            position, cards = self.revision(token), chance.choice(HANDS)
            place = (position, seat, device)
            seen = str(self.told[place][0]) if place in self.told else "0"
            form |= {"key": uuid4().hex[:20], "told": seen, f"seat{seat}-cards": cards}
            answer = self.ask(token, f"{self.game}/hands/{position}/{seat}", form)
            assert answer.status == 200, answer.text[:500]
            self.told[place] = (json.loads(answer.text)["told"], cards)

    def save_deals(self, token: str) -> None:
        """Save deal after deal; of two scorekeepers on one deal one wins."""
        form = {"csrf_token": self.form_token(token), "how": "out", "by": "0"}
        form |= {"accepted": "1", "step": "save"}
        form |= {f"seat{seat}-cards": "K" for seat in range(1, len(PLAYERS))}
        while not self.over.is_set():
            revision, key = self.revision(token), uuid4().hex[:20]
            form |= {"revision": str(revision), "key": key}
            answer = self.ask(token, f"{self.game}/deals", form, "text/html")
            assert answer.status in (303, 409), answer.text[:500]
            if answer.status == 303:
                assert f"saved={revision + 1}" in answer.place
                self.saved[key] = revision + 1
            self.over.wait(0.1)

    def wait_for_news(self, token: str) -> None:
        """Wait, as a page does that shows the newest state, and hear each one after it."""
        seen = ""
        while not self.over.is_set():
            heard = self.ask(token, f"{self.game}/live?stays=1&wait=1&seen={seen}").text
            assert _state(heard) >= _state(seen), "news never go back"
            seen = heard

    def go_on(self, at_work: list[Future[None]]) -> None:
        """Wait until as many answers came as there are phones, and one more deal was saved."""
        answers, saved = self.answers.total() + PHONES, len(self.saved) + 1
        while self.answers.total() < answers or len(self.saved) < saved:
            for work in at_work:
                if work.done():
                    work.result()
            time.sleep(0.02)


def _state(mark: str) -> tuple[int, ...]:
    """Return the revision and the pulse of a mark; none of a page that has seen nothing."""
    return tuple(map(int, mark.split(".")[:2])) if mark else ()


def crowd_and_check(kills: int, waiting: int = 0) -> Counter[str]:
    """Let the crowd write while servers are killed; everything acknowledged must be there.

    So many more phones wait for news meanwhile. Returns how often each answer was given, `none`
    for a connection that a kill cut off.
    """
    ann = leagues.open_league("The Crowd", "the crowd's token")
    table = Table.start(ann, *PLAYERS, variant=ENDLESS)
    phones = [_phone(table, number) for number in range(PHONES)]
    db.session.remove()
    with Servers() as servers, ThreadPoolExecutor(PHONES + waiting) as pool:
        crowd = Crowd(servers.ports, f"/games/{table.game_id}")
        at_work = [
            pool.submit(crowd.tell_hands, token, device, seat)
            if seat
            else pool.submit(crowd.save_deals, token)
            for token, device, seat in phones
        ]
        at_work += [
            pool.submit(crowd.wait_for_news, phones[number % PHONES][0])
            for number in range(waiting)
        ]
        try:
            for number in range(kills):
                crowd.go_on(at_work)
                servers.kill(number % SERVERS)
            crowd.go_on(at_work)
        finally:
            crowd.over.set()
        for work in at_work:
            work.result()
    _check(crowd, table)
    return crowd.answers


def _phone(table: Table, number: int) -> tuple[str, int, int]:
    """Every fourth phone keeps the score, the others are each a player's own."""
    seat, token = number % len(PLAYERS), f"phone-{number}".ljust(22, "-")
    role: Role = "player" if seat else "scorekeeper"
    device = own_phone(table.author, PLAYERS[seat], role, token).device_id
    return token, device, seat


def _check(crowd: Crowd, table: Table) -> None:
    """Compare every acknowledgement with the rows."""
    db.session.rollback()
    rows = db.session.execute(
        select(HandReport).where(HandReport.game_id == table.game_id)
    ).scalars()
    stored = {
        (row.position, row.seat, row.device_id): (row.revision, row.reported["tally"]["cards"])
        for row in rows
    }
    assert stored == crowd.told, "each phone had every answer, so its last telling is the last"
    of_game = (History.game_id == table.game_id, History.action == "scored")
    mine = select(History.key, History.revision).where(*of_game)
    history: dict[str, int] = dict(db.session.execute(mine).all())
    assert history == crowd.saved
    check_sound(table.game_id)
    check_database()
