"""The real thing: `flask serve` as a process of its own, asked over HTTP as a browser would."""

from __future__ import annotations

import json
import os
import re
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPSConnection
from io import BytesIO
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from shutil import copyfile
from typing import Any
from urllib.parse import urlencode, urlsplit

from werkzeug.datastructures import FileStorage
from werkzeug.test import EnvironBuilder, TestResponse, encode_multipart

from tests.conftest import migrated
from tests.support.patience import HANGS
from tests.visits.pages import Filled, Page, attribute

PROJECT = Path(__file__).parents[2]
BEHIND_A_PROXY = {"PROXY_HOPS": "1"}
_houses = count(1)
ANNOUNCED = re.compile(r"Card Table Companion is at http://[^:/]+:(\d+)/")


def another_address() -> str:
    """Return an address from which nobody asked before."""
    return str(ip_address(0x0A000000 + next(_houses)))


def another_town() -> None:
    """Let this process give addresses that its parent doesn't."""
    global _houses
    _houses = count(0x10000)


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """What a command or a server finds around it."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return kept | {"INSTANCE_PATH": str(folder), "PYTHONUNBUFFERED": "1"} | settings


def command(*words: str) -> list[str]:
    """The words that call `flask` with this Python."""
    return [sys.executable, "-m", "flask", *words]


@dataclass
class Server:
    """A running `flask serve`: its process and its port."""

    process: subprocess.Popen[str]
    port: int
    log: Path

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it wrote to its log, line by line."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    @property
    def deleted_files(self) -> list[str]:
        """What the process has open although it is gone from its folder."""
        links = Path(f"/proc/{self.process.pid}/fd")
        return [to for link in links.iterdir() if "(deleted)" in (to := os.readlink(link))]

    @property
    def most_memory(self) -> int:
        """How many MiB it ever had in memory."""
        told = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(told.split("VmHWM:")[1].split()[0]) // 1024

    @property
    def cpu(self) -> float:
        """How many seconds the process has worked; how busy the machine is does not matter."""
        told = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it as a flat battery does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=HANGS)

    def stop(self) -> None:
        """End it as Ctrl+C or a service manager does."""
        self.process.terminate()
        self.process.communicate(timeout=HANGS)


def start(folder: Path, *words: str, **settings: str) -> Server:
    """Start a server on a free port and wait until it says where it is.

    A folder that is new gets a copy of the database that the migrations made.
    """
    if not folder.exists():
        folder.mkdir(0o700)
        copyfile(migrated(), folder / "companion.sqlite")
    called = command("serve", "--host", "127.0.0.1", "--port", "0", *words)
    log = folder.with_name(f"{folder.name}.log")
    return start_program(called, PROJECT, environment(folder, **settings), log)


def start_program(
    called: Sequence[str], folder: Path, env: Mapping[str, str], log: Path | None = None
) -> Server:
    """Call a program that serves, and wait until it says where it is."""
    log = log or folder / "server.log"
    with log.open("a") as errors:
        process = subprocess.Popen(
            called,
            cwd=folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    return Server(process, _announced_port(process, log), log)


def _announced_port(process: subprocess.Popen[str], log: Path) -> int:
    assert process.stdout
    said, port = [], 0
    for line in process.stdout:
        said.append(line)
        if found := ANNOUNCED.search(line):
            port = int(found[1])
        if "Stop with Ctrl+C" in line and port:
            return port
    raise AssertionError("the server did not start: " + "".join(said) + log.read_text())


@contextmanager
def served(folder: Path, *words: str, **settings: str) -> Iterator[Server]:
    """Have a server while a test runs; it is gone afterwards, however the test ends."""
    server = start(folder, *words, **settings)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


@dataclass
class Browser:
    """A phone without scripts that asks a server over HTTP and keeps its cookies.

    `address`: as a proxy tells where it asks from, for a server with `PROXY_HOPS`.
    """

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    tls: ssl.SSLContext | None = None
    address: str = ""

    def ask(
        self,
        path: str,
        form: Mapping[str, Any] | None = None,
        method: str = "",
        headers: Mapping[str, str] | None = None,
        timeout: float = HANGS,
    ) -> TestResponse:
        """Send one request and take its answer."""
        sent = dict(headers or {})
        if self.cookies:
            sent["Cookie"] = self._jar()
        if form is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        method = method or ("GET" if form is None else "POST")
        return self._answer(path, method, None if form is None else urlencode(form), sent, timeout)

    def send(self, path: str, form: Mapping[str, str], file: bytes) -> TestResponse:
        """Send a form with a file."""
        sent_file = FileStorage(BytesIO(file), "league.json", "file")
        mark, body = encode_multipart({**form, "file": sent_file})
        sent = {"Content-Type": f"multipart/form-data; boundary={mark}", "Cookie": self._jar()}
        return self._answer(path, "POST", body, sent, HANGS)

    def _jar(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _answer(
        self,
        path: str,
        method: str,
        data: str | bytes | None,
        sent: Mapping[str, str],
        timeout: float,
    ) -> TestResponse:
        line = self._line(timeout)
        said = {"X-Forwarded-For": self.address} if self.address else {}
        try:
            line.request(method, path, data, {**sent, **said})
            got = line.getresponse()
            body = got.read()
        finally:
            line.close()
        for name, value in got.getheaders():
            if name.lower() == "set-cookie":
                cookie, _, given = value.partition(";")[0].partition("=")
                self.cookies[cookie] = given
        request = EnvironBuilder(path=urlsplit(path).path).get_request()
        return TestResponse([body], str(got.status), got.getheaders(), request)  # type: ignore[arg-type]

    def _line(self, timeout: float) -> HTTPConnection:
        if self.tls is None:
            return HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        return HTTPSConnection("localhost", self.port, timeout=timeout, context=self.tls)

    def show(self, path: str, status: int = 200) -> Page:
        """Open a page."""
        return page_of(self.ask(path), status)

    def press(self, form: Filled, button: str = "", status: int = 303) -> Page:
        """Send a filled form with one of its buttons, and follow where that leads."""
        path = form.action
        page = page_of(self.ask(path, form.data() | form.button(button)), status)
        return self.show(page.response.headers["Location"]) if status == 303 else page


def page_of(answer: TestResponse, status: int = 200) -> Page:
    """Read an answer as the page that it has to be."""
    path = answer.request.path
    assert answer.status_code == status, f"{answer.status_code} for {path}: {answer.text[:300]}"
    return Page(path, status, answer)


@dataclass
class Scorer:
    """Whoever keeps the score of one game by its pages, deal after deal."""

    browser: Browser
    game: str

    @staticmethod
    def start(browser: Browser, *names: str, game: str = "zioncheck") -> Scorer:
        """Start a game; its table is what the answer leads to.

        Behind a proxy each comes from another house, so that none has too many.
        """
        if browser.address:
            browser.address = another_address()
        form = browser.show(f"/games/new/{game}").form()
        table = browser.press(form.fill("names", ", ".join(names or ("Ann", "Bob", "Cleo"))))
        return Scorer(browser, urlsplit(table.path).path)

    def score(self, points: int) -> int:
        """Save a deal in which the first player is out and all others have so many points.

        Returns how many changes the game has, as the server acknowledged it.
        """
        review = self.review(points)
        saved = self.browser.ask(review.action, review.data() | review.button("save"))
        assert saved.status_code == 303, saved.text[:300]
        found = re.search(r"saved=(\d+)", saved.headers["Location"])
        assert found
        return int(found[1])

    def review(self, points: int) -> Filled:
        """Enter a deal as `score` does, up to the form that saves it."""
        page = self.browser.show(f"{self.game}/deals/new?how=out&by=0").form()
        for control in page.controls():
            name = attribute(control, "name")
            if name.endswith("-total"):
                page.typed[name] = str(points)
        return self.browser.press(page, "review", 200).form()
