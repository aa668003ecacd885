"""Files of leagues as large as they may be, and worse: others go on scoring meanwhile.

What a server works, and what it keeps in memory, is measured by its own count.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes.attacks import Files
from tests.processes.served import Browser, Scorer, Server, page_of, served


@pytest.fixture(scope="module")
def served_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Files]]:
    """A server, and somebody who sends it files."""
    with served(tmp_path_factory.mktemp("files")) as server:
        yield server, Files.prepare(server.port)


PARTS = ("devices", "seasons", "players", "houses", "rules", "games", "acts")


@pytest.mark.long
def test_lists_of_nothing_are_refused_before_anything_is_made_of_them(
    served_files: tuple[Server, Files],
) -> None:
    server, files = served_files
    files.look(b"[" + b" " * 28_000_000)
    before = server.most_memory
    for where in PARTS:
        answer = files.look(files.of_nothing(where))
        assert answer.status_code == 422, where
        assert f"cannot be read at {where}" in answer.text, where
    assert server.most_memory < before + 250


@pytest.mark.slow
def test_people_cost_what_they_are_and_not_their_square(
    served_files: tuple[Server, Files],
) -> None:
    server, files = served_files
    worked = []
    for many in (1_000, 20_000):
        began = server.cpu
        assert files.look(files.of_people(many)).status_code == 200
        worked.append(server.cpu - began)
    assert worked[1] < 40 * worked[0] + 1


@pytest.mark.slow
def test_others_score_while_many_games_are_brought_in(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        files = Files.prepare(server.port)
        dev = Browser(server.port)
        form = page_of(files.look(files.of_games(400))).forms()[0]
        page = files.browser.press(form)
        saved = 0
        while "Importing" in page.text:
            saved += Scorer.start(dev, "Dev", "Eve", "Fay").score(10)
            page = files.browser.show("/league/files")
        assert saved > 5
        assert "400 games" in page.text


@pytest.mark.slow
def test_a_small_file_that_unpacks_to_very_much_is_refused(
    served_files: tuple[Server, Files],
) -> None:
    server, files = served_files
    before = server.most_memory
    answer = files.look(gzip.compress(b" " * (129 * 2**20), 1))
    assert answer.status_code == 422
    assert "unpacked it may have 128 MiB at most" in answer.text
    assert server.most_memory < before + 50


@pytest.mark.slow
def test_a_file_too_large_for_the_page_is_told_the_command(
    served_files: tuple[Server, Files],
) -> None:
    _, files = served_files
    answer = files.look(b"x" * (33 * 2**20))
    assert answer.status_code == 413
    assert "flask import" in answer.text
    assert "32 MB" in files.browser.show("/league/files").text
