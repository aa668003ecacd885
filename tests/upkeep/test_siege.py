"""Nobody stops the evening: floods from strangers, each against a real server."""

from __future__ import annotations

import re
import resource
import socket
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.commands.bounds import LARGEST_FORM, MOST_CONNECTIONS, MOST_FILES
from companion.web.middleware.limits import COUNTED
from tests.processes.commands import flask
from tests.processes.served import (
    BEHIND_A_PROXY,
    Browser,
    Scorer,
    Server,
    another_address,
    page_of,
    served,
)
from tests.support.doses import doses
from tests.support.patience import HANGS

pytestmark = pytest.mark.slow
MOST_LEAGUES = int(COUNTED["league"].split()[0])
START = {"names": "Ann, Bob"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy, which says where each phone asks from."""
    with served(tmp_path_factory.mktemp("siege") / "instance", **BEHIND_A_PROXY) as server:
        yield server


def begin(browser: Browser, path: str = "/games/new/zioncheck", **sent: str) -> int:
    """Send a form by hand; how that is answered."""
    token = browser.show("/return").form().data()["csrf_token"]
    return browser.ask(path, {"csrf_token": token, **START, **sent}).status_code


@doses("many", 150, 400)
def test_a_hall_behind_one_address_is_let_in_at_once(server: Server, many: int) -> None:
    """Phones of one league scan its code and open their first pages; nobody is refused."""
    host = Browser(server.port, address=another_address())
    assert begin(host) == 303
    forms = host.show("/league/devices").forms()
    code = host.press(next(one for one in forms if one.action == "/league/links"))
    (link,) = set(re.findall(r"/j/[\w-]{16,}", code.response.text))
    hall = another_address()

    def come_in(_: int) -> list[int]:
        phone = Browser(server.port, address=hall)
        joined = phone.ask(link, phone.show(link).form().data())
        pages = ("/league", "/", "/rules")
        return [joined.status_code, *(phone.ask(page).status_code for page in pages)]

    with ThreadPoolExecutor(40) as pool:
        answers = Counter(map(tuple, pool.map(come_in, range(many))))
    assert answers == {(303, 200, 200, 200): many}


def opened(server: Server, *said: str) -> socket.socket:
    """A connection that has begun to ask and does not end."""
    line = socket.create_connection(("127.0.0.1", server.port), HANGS)
    line.sendall("\r\n".join((*said, "Host: x", "")).encode())
    return line


def is_closed(line: socket.socket, patience: float = 0.05) -> bool:
    line.settimeout(patience)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process open more files than there are connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
def test_who_sends_half_a_request_makes_room_for_who_sends_a_whole_one(server: Server) -> None:
    with ExitStack() as stack:
        lines = [
            stack.enter_context(opened(server, "GET / HTTP/1.1"))
            for _ in range(MOST_CONNECTIONS + 150)
        ]
        scorer = Scorer.start(Browser(server.port, address=another_address()))
        assert scorer.score(5) == 2
        assert [is_closed(line) for line in (lines[0], lines[-1])] == [True, False]


def test_a_body_is_refused_before_it_is_read_where_nothing_so_large_is_taken(
    server: Server,
) -> None:
    for path, size in (("/return", LARGEST_FORM + 1), ("/league/files/looks", 300_000_000)):
        with opened(server, f"POST {path} HTTP/1.1", f"Content-Length: {size}", "") as line:
            line.sendall(b"\r\n")
            answer = b"".join(iter(lambda: line.recv(2000), b""))
            assert answer.startswith(b"HTTP/1.1 413 "), path
            assert b"<h1>That is too much</h1>" in answer, "a page, not the server's own words"


def test_old_scores_may_be_larger_than_any_form(server: Server) -> None:
    phone = Browser(server.port, address=another_address())
    form = page_of(phone.ask("/league/past")).form("/past/looks").data()
    row = "2001-02-03,Zioncheck,5,10," + "words " * 50
    table = "\n".join(["Date,Game,Ann,Bob,Notes", *[row] * 4000]).encode()
    assert len(table) > LARGEST_FORM
    assert "4000 games" in phone.send("/league/past/looks", form, table).text


def test_so_many_files_are_on_their_way_in_at_once(server: Server) -> None:
    head = ("POST /league/files/looks HTTP/1.1", "Content-Length: 30000000")
    with ExitStack() as stack:
        lines = [stack.enter_context(opened(server, *head)) for _ in range(MOST_FILES + 1)]
        for line in lines:
            line.sendall(b"\r\n" + b" " * (LARGEST_FORM + 1))
        assert is_closed(lines[0], HANGS)
        assert not is_closed(lines[-1])
        assert Browser(server.port).ask("/healthz").status_code == 200


def people(folder: Path, many: int) -> None:
    """Have so many more people in the first league, who all played and met."""
    first = 1000 * many
    who = range(first, first + many)
    with closing(sqlite3.connect(folder / "companion.sqlite")) as connection, connection:
        connection.executemany(
            "INSERT INTO player (id, league_id, name, name_key, person_id, archived) "
            "VALUES (?1, 1, 'Guest ' || ?1, 'guest ' || ?1, ?1, 0)",
            [(one,) for one in who],
        )
        connection.executemany(
            "INSERT INTO game (id, league_id, variant_key, variant_name, rules, facts, status, "
            "revision, started_at, uid, played_on, note, hidden, counted, players, margin, pulse) "
            "SELECT ?1, league_id, variant_key, variant_name, rules, facts, 'finished', revision, "
            "started_at, 'guests ' || ?1, played_on, note, 0, 1, 8, 1, pulse "
            "FROM game WHERE id = 1",
            [(one,) for one in who[::8]],
        )
        connection.executemany(
            "INSERT INTO seat (game_id, number, league_id, player_id, start, start_rule, joined, "
            "placed, place, variant_key, played_on, counted, total, share, ahead, high, low, "
            "comeback) SELECT ?1, ?2, 1, ?3, 0, '', 1, 1, ?2 + 1, variant_key, played_on, 1, ?2, "
            "CASE ?2 WHEN 0 THEN 720720 ELSE 0 END, 0, 0, 0, 0 FROM game WHERE id = 1",
            [(who[place - place % 8], place % 8, one) for place, one in enumerate(who)],
        )


def test_pages_of_people_grow_with_them_and_not_with_their_square(tmp_path: Path) -> None:
    folder = tmp_path / "instance"
    with served(folder) as server:
        browser = Browser(server.port)
        Scorer.start(browser)
        worked = []
        for many in (1_000, 12_000):
            people(folder, many)
            began = server.cpu
            pages = {path: browser.ask(path).text for path in LISTS}
            worked.append(server.cpu - began)
        for path, (mark, most) in LISTS.items():
            assert 0 < pages[path].count(mark) <= most, path
        second = browser.ask("/league/people?page=2").text
        assert "Earlier names" in second
        assert worked[1] < 20 * worked[0] + 1


LISTS = {
    "/league/people": ('class="grow"', 300),
    "/league?season=all": ('class="named"', 300),
    "/league/games": ("<option", 2 * 300 + 20),
    "/league/people/1": ("<option", 300 + 1),
    "/league/rivals": ("<td>", 60 * 60),
}
"""What is listed on each, and how many at most."""


def test_a_server_for_those_who_were_invited_opens_leagues_by_command_only(tmp_path: Path) -> None:
    folder = tmp_path / "instance"
    with served(folder, OPEN_TO_ALL="0") as server:
        eve = Browser(server.port)
        front = eve.show("/")
        assert "You need an invite" in front.text
        for path in ("/games/new/zioncheck", "/league/files", "/house/files"):
            assert "You need an invite" in eve.show(path, 403).text, path
        ways = ("/games/new/zioncheck", "/samples", "/house/zioncheck", "/league/files/imports")
        assert {path: begin(eve, path) for path in ways} == dict.fromkeys(ways, 403)
        assert "Make our own game" not in eve.show("/rules").text
        told = flask(folder, "league", "new", "The Harpers").stdout
        ann = Browser(server.port)
        ann.press(ann.show(told.split()[-1]).form())
        assert Scorer.start(ann).score(5) == 2
        assert page_of(ann.ask("/league")).say(".brand") == "The Harpers"
