"""Nothing that a real server acknowledged is lost, whatever runs beside it and however it ends."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from companion.store.database import database_url
from tests.conftest import empty
from tests.processes.served import (
    PROJECT,
    Browser,
    Scorer,
    Server,
    command,
    environment,
    served,
    start,
)
from tests.support.doses import doses, first_in_every_run
from tests.support.patience import HANGS
from tests.visits.phones import Site

WATCH = """
import os, sys

def note(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        if os.path.basename(os.fsdecode(arguments[0])).startswith("companion.sqlite"):
            with os.fdopen(os.open(os.environ["OPENED"], os.O_APPEND | os.O_WRONLY), "a") as log:
                log.write(f"{sys.argv}: {arguments[0]}\\n")

sys.addaudithook(note)
"""
"""Put into every process as `sitecustomize`: it notes whoever opens the database but SQLite."""


def run(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Call one command beside whatever goes on."""
    around = environment(folder, **settings)
    return subprocess.run(
        command(*words), cwd=PROJECT, env=around, capture_output=True, text=True, timeout=HANGS
    )


def stored(path: Path) -> int:
    """Count the changes that a file holds."""
    with closing(sqlite3.connect(path)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM history").fetchone()
        return int(count)


def live(folder: Path) -> Path:
    return folder / "companion.sqlite"


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Settings under which every process notes who opens the database but SQLite; none may."""
    opened = tmp_path / "opened"
    opened.touch()
    (tmp_path / "sitecustomize.py").write_text(WATCH)
    yield {"PYTHONPATH": str(tmp_path), "OPENED": str(opened)}
    assert opened.read_text() == ""


@pytest.mark.slow
@doses("commands", 3, None)
def test_whatever_runs_beside_a_server_started_again_nothing_is_lost(
    tmp_path: Path, watched: dict[str, str], commands: int | None
) -> None:
    folder = tmp_path / "instance"
    with served(folder, **watched) as server:
        browser = Browser(server.port)
        scorer = Scorer.start(browser, game="contract-rummy")
        server.stop()
    with served(folder, **watched) as server:
        browser.port = server.port
        acknowledged = scorer.score(5)
        for words in beside(tmp_path)[:commands]:
            told = run(folder, *words, **watched)
            assert told.returncode == 0, (words, told.stdout, told.stderr)
            assert stored(live(folder)) >= acknowledged, words
            assert server.deleted_files == [], words
            if words[0] == "backup":
                assert stored(Path(words[1])) == acknowledged
            acknowledged = scorer.score(5)
        server.kill()
    assert stored(live(folder)) == acknowledged
    with served(folder, **watched):
        assert stored(live(folder)) == acknowledged


def beside(tmp_path: Path) -> list[list[str]]:
    """Every command that may be given while a server runs."""
    file = str(tmp_path / "league.json")
    return [
        *(["backup", str(tmp_path / f"copy{number}.sqlite")] for number in range(2)),
        ["doctor"],
        ["export", "1", file],
        ["import", file, "--dry-run"],
        ["import", file, "--into", "1"],
        ["archive", "1", str(tmp_path / "league.html")],
        ["recount", "--mend"],
        ["recount"],
        ["league", "list"],
        ["league", "owner-link", "1"],
        ["new-keys"],
        ["prepare"],
    ]


@pytest.mark.long
def test_a_second_server_on_the_same_folder_deletes_nothing_under_the_first(
    tmp_path: Path, watched: dict[str, str]
) -> None:
    folder = tmp_path / "instance"
    with served(folder, **watched) as first:
        browser = Browser(first.port)
        scorer = Scorer.start(browser)
        first.stop()
    with served(folder, **watched) as first, served(folder, **watched) as second:
        browser.port = first.port
        scorer.score(5)
        browser.port = second.port
        scorer.score(10)
        second.stop()
        assert first.deleted_files == []
        browser.port = first.port
        acknowledged = scorer.score(15)
        first.kill()
    assert stored(live(folder)) == acknowledged


@pytest.mark.long
def test_three_servers_started_at_once_share_one_database(tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        servers = list(pool.map(lambda _: start(tmp_path), range(3)))
    try:
        scorers = [Scorer.start(Browser(server.port)) for server in servers]
        expected = sum(scorer.score(5) for scorer in scorers)
        assert [server.deleted_files for server in servers] == [[], [], []]
        kill_all(servers)
        assert stored(live(tmp_path)) == expected
    finally:
        kill_all(servers)


def kill_all(servers: list[Server]) -> None:
    for server in servers:
        if server.process.poll() is None:
            server.kill()


FIRST_TAPS = {
    "game": ("/games/new/zioncheck", {"names": "Ann, Bob, Cleo"}, 1),
    "sample": ("/samples", {}, 11),
    "choice": ("/house/contract-rummy", {"rule-joker": "20"}, 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", first_in_every_run(FIRST_TAPS, later=pytest.mark.long))
def test_the_first_tap_of_a_new_phone_four_times_at_once_is_one(
    tmp_path: Path, database: dict[str, str], what: str
) -> None:
    address, fields, games = FIRST_TAPS[what]
    rounds = 1 if what == "sample" else 4
    with served(tmp_path, **database) as server, ThreadPoolExecutor(4) as pool:
        for _ in range(rounds):
            browser = Browser(server.port)
            form = browser.show("/games/new/zioncheck").form().data() | fields
            phones = [Browser(server.port, dict(browser.cookies)) for _ in range(4)]
            answers = list(pool.map(lambda phone: phone.ask(address, form), phones))  # noqa: B023
            assert [answer.status_code for answer in answers] == [303] * 4
            assert len({answer.headers["Location"] for answer in answers}) == 1
    assert counted(tmp_path, database) == (rounds, rounds * games)


SIX = "Ann, Bob, Cleo, Dev, Eve, Fay"
REFUSED = {
    "too few cards": ("/games/new/contract-rummy", {"names": SIX, "decks": "1"}),
    "no such choice": ("/house/contract-rummy", {"rule-joker": "999"}),
    "twice": ("/games/new/contract-rummy", {"names": "Ann, Ann, Cleo"}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_first_tap_that_is_refused_leaves_no_league_behind(site: Site, what: str) -> None:
    """The phone sees to it that nothing was stored."""
    phone, (address, fields) = site.phone(), REFUSED[what]
    form = phone.show("/games/new/contract-rummy").form().data() | fields
    phone.post(address, form, 422)


def counted(folder: Path, database: dict[str, str]) -> tuple[int, ...]:
    """Count the leagues and the games of a database."""
    url = database_url(database.get("DATABASE_URL"), folder)
    engine = create_engine(url)
    with engine.connect() as connection:
        counts = [connection.execute(text(f"SELECT count(*) FROM {t}")) for t in ("league", "game")]
        found = tuple(int(count.scalar_one()) for count in counts)
    engine.dispose()
    return found


@pytest.mark.slow
def test_a_disk_that_takes_nothing_more_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        browser = Browser(server.port)
        scorer = Scorer.start(browser)
        acknowledged = scorer.score(5)
        review = scorer.review(10)
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
        for _ in range(3):
            refused = browser.ask(review.action, review.data() | review.button("save"))
            assert refused.status_code == 503
            assert refused.headers["Retry-After"] == "15"
            assert "be reached right now" in refused.text
            assert stored(live(tmp_path)) == acknowledged
        assert browser.show(scorer.game).heading
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        saved = browser.ask(review.action, review.data() | review.button("save"))
        assert saved.status_code == 303
        server.kill()
    assert stored(live(tmp_path)) == acknowledged + 1


@pytest.mark.slow
def test_a_database_server_that_goes_away_is_waited_for(tmp_path: Path, postgres_url: str) -> None:
    database = make_url(postgres_url).database
    engine = create_engine(database_url(postgres_url, tmp_path))
    empty(engine)
    engine.dispose()
    elsewhere = make_url(database_url(postgres_url, tmp_path)).set(database="postgres")
    with served(tmp_path, DATABASE_URL=postgres_url) as server:
        browser = Browser(server.port)
        scorer = Scorer.start(browser)
        review = scorer.review(10)
        admin = create_engine(elsewhere, isolation_level="AUTOCOMMIT")
        with admin.connect() as connection:
            connection.execute(text(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS false'))
            try:
                connection.execute(text(GONE), {"name": database})
                refused = browser.ask(review.action, review.data() | review.button("save"))
                assert refused.status_code == 503
                assert "The database server does not" in refused.text
                assert browser.ask("/healthz").status_code == 200
                assert browser.ask("/readyz").status_code == 503
            finally:
                connection.execute(text(f'ALTER DATABASE "{database}" ALLOW_CONNECTIONS true'))
        admin.dispose()
        saved = browser.ask(review.action, review.data() | review.button("save"))
        assert saved.status_code == 303
    assert counted(tmp_path, {"DATABASE_URL": postgres_url}) == (1, 1)


GONE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"


@pytest.mark.slow
def test_what_the_server_keeps_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "instance"
    (folder / "backups").mkdir(parents=True)
    old = folder / "backups" / "before.sqlite"
    old.touch(0o644)
    folder.chmod(0o755)
    with served(folder) as server:
        Scorer.start(Browser(server.port))
        assert run(folder, "backup", str(tmp_path / "copy.sqlite")).returncode == 0
        kept = [path for path in folder.rglob("*") if path.is_file()]
        modes = {
            path.name: path.stat().st_mode & 0o777 for path in [*kept, tmp_path / "copy.sqlite"]
        }
        assert len(modes) > 5
        assert set(modes.values()) == {0o600}, modes
        assert {folder.stat().st_mode & 0o777, old.parent.stat().st_mode & 0o777} == {0o700}
