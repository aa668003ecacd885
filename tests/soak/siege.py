"""Each attack on a server while one table is being scored: what a save and a sign of life take."""

from __future__ import annotations

import multiprocessing
import socket
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from multiprocessing.synchronize import Event
from pathlib import Path
from threading import Thread

from tests.processes.attacks import Files, Question
from tests.processes.served import (
    BEHIND_A_PROXY,
    Browser,
    Scorer,
    another_address,
    another_town,
    page_of,
    served,
)
from tests.support.patience import HANGS

ATONCE = 8
MARKS = "a" + "\u0301\u0316" * 20_000
OLD_SCORES = b"Deal,%b\n" % b",".join(b"Guest %d" % n for n in range(190)) + b"".join(
    b"%d,%b\n" % (row, b",".join(b"%d" % (row * n) for n in range(190))) for row in range(1, 980)
)
"""A sheet whose game and day must be asked for, so that it is read and never comes in."""
SAVED_WITHIN, SIGN_OF_LIFE = 0.3, 1.0
"""Seconds that an attack may let people wait: 95 of 100 saves, and each /healthz."""
BREATH = 0.2
"""Seconds between two deals: a hundred times as quick as any table, and yet no attack."""
Attack = Callable[[int, Event], None]


def again_and_again(once: Callable[[Browser], object], over: Event, *browsers: Browser) -> None:
    """Do something as often as the server lets one, by one phone in each of eight threads."""

    def go_on(browser: Browser) -> None:
        while not over.is_set():
            with suppress(OSError, HTTPException):
                once(browser)

    with ThreadPoolExecutor(ATONCE) as pool:
        list(pool.map(go_on, browsers))


def strangers(port: int, *, one_house: bool = False) -> list[Browser]:
    house = another_address()
    return [Browser(port, address=house if one_house else another_address()) for _ in range(ATONCE)]


def send_accents(port: int, over: Event) -> None:
    form = {"names": MARKS, "league_name": MARKS}
    again_and_again(lambda one: one.ask("/games/new/zioncheck", form), over, *strangers(port))


def ask_the_judge(port: int, over: Event) -> None:
    asked = Question.prepare(port)
    phones = [
        Browser(port, asked.browser.cookies, address=another_address()) for _ in range(ATONCE)
    ]
    again_and_again(lambda one: one.ask(asked.address), over, *phones)


def ask_and_hang_up(port: int, over: Event) -> None:
    asked = Question.prepare(port)

    def once(_: Browser) -> None:
        cookie = f"device={asked.browser.cookies['device']}"
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(f"GET {asked.address} HTTP/1.0\r\nCookie: {cookie}\r\n\r\n".encode())
            time.sleep(0.3)

    again_and_again(once, over, *strangers(port))


def send_nothing_in_large(port: int, over: Event) -> None:
    files = [Files.prepare(port, another_address()) for _ in range(2)]
    empty = files[0].of_nothing("games")
    phones = {id(one.browser): one for one in files}
    again_and_again(lambda one: phones[id(one)].look(empty), over, *(one.browser for one in files))


def send_names(port: int, over: Event) -> None:
    files = [Files.prepare(port, another_address()) for _ in range(2)]
    names = files[0].of_people(20_000)
    phones = {id(one.browser): one for one in files}
    again_and_again(lambda one: phones[id(one)].look(names), over, *(one.browser for one in files))


def send_old_scores(port: int, over: Event) -> None:
    """A table as expensive as they come, brought in again and again though it was looked at."""
    phones = strangers(port)
    forms = {}
    for phone in phones:
        form = page_of(phone.ask("/league/past")).form("/past/looks").data()
        looked = page_of(phone.send("/league/past/looks", form, OLD_SCORES))
        forms[id(phone)] = looked.form("/past/looks").data()
    again_and_again(lambda one: one.ask("/league/past/imports", forms[id(one)]), over, *phones)


def bring_in_games(port: int, over: Event) -> None:
    files = Files.prepare(port, another_address())
    games = files.of_games(3000)
    files.browser.press(page_of(files.look(games)).forms()[0])
    over.wait()


def look_at_many_people(port: int, over: Event) -> None:
    files = Files.prepare(port, another_address())
    files.browser.press(page_of(files.look(files.of_people(20_000))).forms()[0])
    pages = ("/league/people", "/league/games", "/league", "/league/people/1", "/league/rivals")

    def once(browser: Browser) -> None:
        for page in pages:
            browser.ask(page)

    phones = [Browser(port, files.browser.cookies, address=another_address())] * ATONCE
    again_and_again(once, over, *phones)


def read_slowly(port: int, over: Event) -> None:
    files = Files.prepare(port, another_address())
    files.browser.press(page_of(files.look(files.of_games(1000))).forms()[0])
    cookie = f"device={files.browser.cookies['device']}"
    with ExitStack() as stack:
        lines = []
        for _ in range(ATONCE):
            line = stack.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            line.connect(("127.0.0.1", port))
            asked = f"GET /league/files/league.json HTTP/1.0\r\nCookie: {cookie}\r\n\r\n"
            line.sendall(asked.encode())
            lines.append(line)
        while not over.wait(0.5):
            for line in lines:
                line.setblocking(False)
                with suppress(OSError):
                    line.recv(100)


def open_leagues(port: int, over: Event) -> None:
    def once(browser: Browser) -> None:
        browser.cookies.clear()
        for path in ("/samples", "/games/new/zioncheck"):
            token = browser.show("/return").form().data()["csrf_token"]
            browser.ask(path, {"csrf_token": token, "names": "Ann, Bob"})

    again_and_again(once, over, *strangers(port, one_house=True))


def guess(port: int, over: Event) -> None:
    def once(browser: Browser) -> None:
        browser.address = another_address()
        token = browser.show("/return").form().data()["csrf_token"]
        form = {"csrf_token": token, "league": browser.address, "passphrase": "four horses eat"}
        browser.ask("/return", form)

    again_and_again(once, over, *strangers(port))


def send_bodies(port: int, over: Event) -> None:
    numbers = count()

    def once(_: Browser) -> None:
        path, size = (("/return", 300), ("/league/files/looks", 39))[next(numbers) % 2]
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {size * 2**20}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port), HANGS) as line:
            line.sendall(head.encode())
            for _piece in range(size):
                line.sendall(bytes(2**20))
                if over.is_set():
                    break

    again_and_again(once, over, *strangers(port))


def begin_and_not_end(port: int, over: Event) -> None:
    with ExitStack() as stack:
        lines: list[socket.socket] = []
        while not over.wait(0.5):
            for _ in range(300 if len(lines) < 900 else 10):
                half = stack.enter_context(socket.create_connection(("127.0.0.1", port), HANGS))
                half.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
                lines.append(half)
            for half in lines:
                with suppress(OSError):
                    half.sendall(b"X-More: 1\r\n")
            while len(lines) > 900:
                lines.pop(0).close()


ATTACKS: tuple[tuple[str, Attack], ...] = (
    ("accents piled up, by eight", send_accents),
    ("the judge's hardest question, by eight", ask_the_judge),
    ("the same, and hanging up", ask_and_hang_up),
    ("28 MB of empty objects, by two", send_nothing_in_large),
    ("20,000 names, by two", send_names),
    ("190,000 cells of old scores, by eight", send_old_scores),
    ("3,000 games brought in", bring_in_games),
    ("pages of 20,000 people, by eight", look_at_many_people),
    ("eight slow readers of an export", read_slowly),
    ("leagues and samples, by eight of one address", open_leagues),
    ("passphrases from many addresses", guess),
    ("bodies of 300 MB and 39 MB, by eight", send_bodies),
    ("900 requests that never end", begin_and_not_end),
)


@dataclass
class Watch:
    """A table that is scored, and somebody who asks for a sign of life all the while."""

    port: int
    scorer: Scorer
    saves: list[float] = field(default_factory=list)
    signs: list[float] = field(default_factory=list)
    over: bool = False

    def play(self, seconds: float) -> None:
        """Score for so long, three deals at the least, and ask for signs of life beside it."""
        self.saves, self.signs, self.over = [], [], False
        asking = Thread(target=self._ask)
        asking.start()
        ends = time.monotonic() + seconds
        while time.monotonic() < ends or len(self.saves) < 3:
            self._score()
        self.over = True
        asking.join()

    def _score(self) -> None:
        browser = self.scorer.browser
        table = Scorer.start(browser)
        for _ in range(5):
            review = table.review(10)
            began = time.monotonic()
            saved = browser.ask(review.action, review.data() | review.button("save"))
            self.saves.append(time.monotonic() - began)
            assert saved.status_code == 303, saved.text[:300]
            time.sleep(BREATH)

    def _ask(self) -> None:
        while not self.over:
            began = time.monotonic()
            assert Browser(self.port).ask("/healthz").status_code == 200
            self.signs.append(time.monotonic() - began)
            time.sleep(0.1)


@contextmanager
def under(attack: Attack, port: int) -> Iterator[None]:
    """Have an attack going on, from a process of its own."""
    system = multiprocessing.get_context("fork")
    over = system.Event()
    attacker = system.Process(target=_from_elsewhere, args=(attack, port, over))
    attacker.start()
    time.sleep(1.5)
    try:
        yield
    finally:
        assert attacker.is_alive(), "the attack ended by itself"
        over.set()
        attacker.join(HANGS)


def _from_elsewhere(attack: Attack, port: int, over: Event) -> None:
    another_town()
    attack(port, over)


def besiege(folder: Path, seconds: float, attacks: Sequence[tuple[str, Attack]]) -> list[str]:
    """Play so long alone and under each attack, and print what it took; return what is too slow."""
    slow = []
    for name, attack in attacks:
        with served(folder / attack.__name__, **BEHIND_A_PROXY) as server:
            browser = Browser(server.port, address=another_address())
            watch = Watch(server.port, Scorer.start(browser))
            watch.play(seconds)
            alone = statistics.median(watch.saves)
            with under(attack, server.port):
                watch.play(seconds)
            middle = statistics.median(watch.saves)
            late = sorted(watch.saves)[int(len(watch.saves) * 0.95)]
            print(
                f"sqlite: {name}: a save takes {alone * 1000:.0f} ms alone, "
                f"{middle * 1000:.0f} ms meanwhile (of {len(watch.saves)}, p95 {late * 1000:.0f}), "
                f"/healthz {max(watch.signs) * 1000:.0f} ms at most, {server.most_memory} MiB"
            )
            if late > SAVED_WITHIN or max(watch.signs) > SIGN_OF_LIFE:
                slow.append(name)
    print(f"sqlite: {len(attacks)} attacks, too slow: {', '.join(slow) or 'none'}")
    return slow
