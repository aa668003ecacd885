"""Phones that wait for news while their server is stopped, killed or asleep, or is several."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import lacking
from tests.processes.proxied import free_port, proxied, unchecked
from tests.processes.served import (
    PROJECT,
    Browser,
    Scorer,
    command,
    environment,
    served,
    start,
)
from tests.processes.waiting_phones import WaitingPhone, waiting_phones
from tests.support.doses import doses, first_in_every_run
from tests.support.patience import HANGS, wait_until

pytestmark = pytest.mark.slow
PHONES = 80
THREADS = ("--threads", str(PHONES + 16))


def all_heard(phones: list[WaitingPhone], revision: int) -> None:
    """Wait until all phones know a revision."""
    wait_until(lambda: all(p.heard_at(revision) for p in phones), "all phones know", pause=0.01)


def test_a_server_that_restarts_lets_phones_go_and_has_them_back(tmp_path: Path) -> None:
    folder = tmp_path / "instance"
    server = start(folder, *THREADS)
    port = str(server.port)
    scorer = Scorer.start(Browser(server.port))
    with waiting_phones(PHONES, server.port, scorer.game, folder) as phones:
        assert not any(phone.let_go for phone in phones)
        server.stop()
        wait_until(lambda: any(phone.let_go for phone in phones), "phones are let go")
        with served(folder, *THREADS, "--port", port) as again:
            all_heard(phones, scorer.score(5))
            text = again.log.read_text()
    assert "Traceback" not in text


def test_a_server_told_many_times_to_stop_ends(tmp_path: Path) -> None:
    """make passes SIGTERM on, and people tap Ctrl+C until something happens."""
    folder = tmp_path / "instance"
    server = start(folder, *THREADS)
    scorer = Scorer.start(Browser(server.port))
    with waiting_phones(PHONES, server.port, scorer.game, folder):
        for _ in range(1000):
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.0001)  # of several at once Python sees one
        server.stop()
    assert server.process.returncode == 0


@doses("seconds", 3, 60)
def test_a_laptop_that_sleeps_wakes_to_the_same_phones(tmp_path: Path, seconds: int) -> None:
    folder = tmp_path / "instance"
    with served(folder, *THREADS) as server:
        scorer = Scorer.start(Browser(server.port))
        with waiting_phones(8, server.port, scorer.game, folder) as phones:
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(seconds)
            server.process.send_signal(signal.SIGCONT)
            all_heard(phones, scorer.score(5))
            assert {phone.connections for phone in phones} == {1}


@doses("kills", 2, 1000)
def test_no_score_is_lost_while_phones_wait_and_the_server_is_killed(
    tmp_path: Path, kills: int
) -> None:
    folder = tmp_path / "instance"
    server = start(folder, *THREADS)
    port = str(server.port)
    scorer = Scorer.start(Browser(server.port), game="romme")
    acknowledged = 1
    with waiting_phones(PHONES, server.port, scorer.game, folder) as phones:
        for _ in range(kills):
            acknowledged = scorer.score(1)
            server.kill()
            server = start(folder, *THREADS, "--port", port)
            stored = scorer.browser.ask(f"{scorer.game}/live").text
            assert stored.startswith(f"{acknowledged}."), "what was acknowledged is there"
        all_heard(phones, acknowledged)
        for phone in phones:
            shown = [int(mark.partition(".")[0]) for _, mark in phone.marks]
            assert shown == sorted(shown), "no phone was shown an older state after a newer one"
    server.kill()


def gunicorn(folder: Path, port: int, *words: str, **settings: str) -> subprocess.Popen[bytes]:
    """Start the app as the hosting page does where several processes serve."""
    around = environment(folder, **settings)
    subprocess.run(command("prepare"), cwd=PROJECT, env=around, check=True, capture_output=True)
    begin = [sys.executable, "-m", "gunicorn", *words, "--bind", f"127.0.0.1:{port}", "app:app"]
    return subprocess.Popen(begin, cwd=PROJECT, env=around)


def is_ready(port: int) -> bool:
    try:
        return Browser(port).ask("/readyz").status_code == 200
    except OSError:
        return False


HELD = f"""
exec(open("gunicorn.conf.py").read())
begin_to_serve, give_board = post_worker_init, pre_fork


def pre_fork(server, worker):
    give_board(server, worker)
    worker.door = Path(os.environ["INSTANCE_PATH"]) / f"held-{{worker.board[LAST]}}"


def post_worker_init(worker):
    from companion.web.frame import live_questions
    live_questions.LONGEST = {10 * HANGS}
    while worker.door.exists():
        sleep(0.01)
    begin_to_serve(worker)


import os
from pathlib import Path
"""
"""Has gunicorn's workers hold each question for longer than any test waits, and take nothing while
a test holds those of their reload back."""


@doses("reloads", 2, 20)
def test_a_reload_holds_no_save_up_and_loses_none(
    tmp_path: Path, database: dict[str, str], reloads: int
) -> None:
    """Questions that wait hold their worker, and with it a save that it took, until they end.

    Here none ends by itself, and those who are to follow serve only after some saves: what either
    holds up stays without an answer.
    """
    folder, port = tmp_path / "instance", free_port()
    settings = tmp_path / "gunicorn.conf.py"
    settings.write_text(HELD)
    words = ("--workers", "2", "--config", str(settings))
    server = gunicorn(folder, port, *words, **database)
    try:
        wait_until(lambda: is_ready(port), "the server answers")
        scorer = Scorer.start(Browser(port), game="romme")
        url = database.get("DATABASE_URL")
        with waiting_phones(PHONES, port, scorer.game, folder, database=url) as phones:
            for saved in range(2, 2 + 6 * reloads):
                reload, step = divmod(saved - 2, 6)
                door = folder / f"held-{2 * reload + 2}"
                if step == 0:
                    door.touch()
                    server.send_signal(signal.SIGHUP)
                if step == 4:
                    door.unlink()
                review = scorer.review(1)
                answer = scorer.browser.ask(review.action, review.data() | review.button("save"))
                assert answer.headers["Location"].endswith(f"saved={saved}"), "once, and kept"
            all_heard(phones, saved)
    finally:
        server.terminate()
        server.wait(HANGS)


@pytest.mark.parametrize("kind", first_in_every_run(("nginx", "caddyfile"), 1, pytest.mark.long))
def test_each_of_three_processes_hears_of_the_others_saves(tmp_path: Path, kind: str) -> None:
    if shutil.which("nginx" if kind == "nginx" else "caddy") is None:
        lacking(f"there is no {kind}")
    folder, port = tmp_path / "instance", free_port()
    words = ("--workers", "3", "--threads", "32")
    server = gunicorn(folder, port, *words, PROXY_HOPS="1")
    try:
        with proxied(tmp_path, kind, port) as outside:
            browser = Browser(outside, tls=unchecked())
            wait_until(lambda: browser.ask("/readyz").status_code == 200, "the server answers")
            scorer = Scorer.start(browser)
            assert "__Host-device" in browser.cookies
            followed = (24, outside, scorer.game, folder, unchecked())
            with waiting_phones(*followed) as phones:
                deaf = set(phones)
                for _ in range(MOST_SAVES):
                    before = time.monotonic()
                    all_heard(phones, revision := scorer.score(5))
                    deaf -= {phone for phone in deaf if phone.waited_for(revision, before)}
                    if not deaf:
                        break
                assert not deaf, "they heard only when they asked again"
    finally:
        server.terminate()
        server.wait(HANGS)


MOST_SAVES = 12
"""On a busy machine a phone's question may just have ended by itself when a save comes."""
