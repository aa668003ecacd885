"""A hundred thousand requests of somebody who means ill: no fault, and memory that stays."""

from __future__ import annotations

import os
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode

from companion import create_app
from tests.processes.served import Server, served
from tests.support.patience import HANGS

AT_ONCE = 4
PARTS = 10
JUNK = (
    "", "0", "-1", "1", "99999999999999999999", "\0", "../../etc/passwd", "' OR 1=1 --", "{{7*7}}",
    "<script>alert(1)</script>", "é" * 300, "\u202e", "%s%n", "a" * 3000, "contract-rummy", "zip",
)  # fmt: skip
Addresses = list[tuple[str, list[str]]]
FIELDS = ("names", "csrf_token", "key", "revision", "q", "hand", "text", "name", "passphrase", "by")


def addresses() -> Addresses:
    """Every address of the app, with the names of what is filled in."""
    rules = create_app({"SECRET_KEY": b"x" * 32}).url_map.iter_rules()
    return [(rule.rule, sorted(rule.arguments)) for rule in rules if rule.endpoint != "static"]


def pester(folder: Path, requests: int) -> None:
    """Send so many requests from a few at once; print how the memory grew, tenth by tenth."""
    began, known = time.monotonic(), addresses()
    answers, grown = Counter[int](), []
    with served(folder / "instance") as server, ThreadPoolExecutor(AT_ONCE) as pool:
        for part in range(PARTS):
            share = requests // PARTS // AT_ONCE
            work = [
                pool.submit(_some, server, Random(f"{part} {number}"), known, share)
                for number in range(AT_ONCE)
            ]
            for one in work:
                answers += one.result()
            grown.append(_memory(server))
    took = round(time.monotonic() - began)
    told = dict(sorted(answers.items()))
    print(f"sqlite: {answers.total()} hostile requests, answers {told}, MiB {grown}, {took} s")
    assert not [status for status in answers if status >= 500 and status != 503]
    assert grown[-1] <= grown[len(grown) // 2] * 1.1, grown


def _some(server: Server, chance: Random, known: Addresses, share: int) -> Counter[int]:
    answers = Counter[int]()
    line = HTTPConnection("127.0.0.1", server.port, timeout=HANGS)
    for _ in range(share):
        address, names = chance.choice(known)
        for name in names:
            value = quote(chance.choice((*JUNK, "1", "1", "1")), safe="")
            for kind in ("", "int:", "path:"):
                address = address.replace(f"<{kind}{name}>", value)
        headers = {"Cookie": f"device={chance.choice(('', 'x', 'y' * 500, str(chance.random())))}"}
        body, method = None, chance.choice(("GET", "GET", "HEAD", "POST", "PUT", "DELETE"))
        if method == "POST":
            fields = {chance.choice(FIELDS): chance.choice(JUNK) for _ in range(5)}
            body = urlencode(fields, errors="surrogatepass")
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            line.request(method, address, body, headers)
            answer = line.getresponse()
            answer.read()
            answers[answer.status] += 1
        except (OSError, HTTPException, ValueError):
            line.close()
            answers[0] += 1
    line.close()
    return answers


def _memory(server: Server) -> int:
    """How many MiB the server holds."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20
