"""Nobody stops the evening of others: what a stranger sends costs no more than what a player does.

How much a server works is measured by its own clock of work, so a busy machine changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import process_time

import pytest

from companion.phones.gate import MOST_WAITING
from companion.rules import load
from companion.rules.search import search
from companion.store.names import LONGEST_TYPED, PlayerNameError, clean_name, name_key, one_line
from companion.store.notes import NoteError, clean_note
from tests.processes.attacks import Question
from tests.processes.served import PROJECT, Browser, Server, served
from tests.support.doses import first_in_every_run
from tests.visits.phones import Phone

ACCENTS = "a" + "\u0301\u0316" * 20_000
"""Marks above and below by turns, sorted by Unicode at the square of their number: 240 kB sent."""
LETTERS = "a" + "éö" * 20_000
FIELDS = [
    ("/games/new/zioncheck", "names"),
    ("/games/new/zioncheck", "league_name"),
    ("/return", "league"),
    ("/return", "passphrase"),
    ("/house/zioncheck/new", "name"),
    ("/league/people/1/name", "name"),
    ("/league/devices/1", "name"),
    ("/league/seasons", "name"),
    ("/league/passphrase", "passphrase"),
    ("/games/1/about", "note"),
    ("/games/1/seats", "name"),
    ("/league/old-scores/zioncheck", "names"),
    ("/league/old-scores/zioncheck", "note"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "known",
    first_in_every_run([False, True], later=pytest.mark.long),
    ids=["of a stranger", "of a phone"],
)
def test_marks_on_a_letter_cost_a_server_no_more_than_letters(tmp_path: Path, known: bool) -> None:
    with served(tmp_path) as server:
        browser = Browser(server.port)
        browser.press(browser.show("/games/new/zioncheck").form().fill("names", "Ann, Bob"))
        token = browser.show("/return").form().data()["csrf_token"] if known else ""
        worked = []
        for text in (LETTERS, ACCENTS):
            began = server.cpu
            for path, field in FIELDS:
                asks = browser if known else Browser(server.port)
                form = {"csrf_token": token, "names": "Ann, Bob", "role": "owner", field: text}
                assert asks.ask(path, form).status_code < 500, (path, field)
            worked.append(server.cpu - began)
        assert worked[1] < 2 * worked[0] + 1


@pytest.mark.parametrize("clean", [clean_name, clean_note])
def test_what_no_name_and_no_note_has_is_refused_before_it_is_normalised(clean: object) -> None:
    with pytest.raises((PlayerNameError, NoteError), match="much too long"):
        clean("a" * (LONGEST_TYPED + 1))  # type: ignore[operator]


@pytest.mark.parametrize("write", [one_line, name_key])
def test_what_is_normalised_is_cut_first(write: object) -> None:
    assert len(write("b" * 10 * LONGEST_TYPED)) == LONGEST_TYPED  # type: ignore[operator]


def test_only_what_is_cut_off_is_normalised() -> None:
    """Names where `names.py` cuts them, questions to the rules at `LONGEST` signs."""
    normalising = re.compile(r"unicodedata\.normalize|from unicodedata import .*\bnormalize\b")
    files = sorted((PROJECT / "companion").rglob("*.py"))
    found = [path.name for path in files if normalising.search(path.read_text())]
    assert found == ["text.py", "names.py"]
    began = process_time()
    search(load("zip-zilch-zero"), ACCENTS)
    assert process_time() - began < 1


def test_of_a_form_of_another_device_no_field_is_read(lone: Phone) -> None:
    form = lone.show("/games/new/zioncheck").form().fill("names", "Ann, Ann")
    form.typed["csrf_token"] = "another's"
    page = lone.press(form, status=422)
    assert "has forgotten this phone" in page.faults
    assert "twice" not in page.faults


@pytest.fixture(scope="module")
def question(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Question]]:
    """A server, and a question to its judge that would take it many seconds."""
    with served(tmp_path_factory.mktemp("judge")) as server:
        yield server, Question.prepare(server.port)


@pytest.mark.slow
def test_the_judge_says_when_there_are_too_many_ways(question: tuple[Server, Question]) -> None:
    _, asked = question
    page = asked.browser.show(asked.address)
    assert "too many ways to work out here" in page.faults


@pytest.mark.slow
def test_of_many_dear_questions_at_once_a_few_wait_and_the_rest_come_again(
    question: tuple[Server, Question],
) -> None:
    server, asked = question
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: asked.browser.ask(asked.address), range(8)))
    told = Counter(answer.status_code for answer in answers)
    assert set(told) == {200, 503}
    assert told[200] <= 1 + MOST_WAITING
    assert {a.headers["Retry-After"] for a in answers if a.status_code == 503} == {"5"}
    assert "Please wait a moment" in next(a.text for a in answers if a.status_code == 503)
    quick = Browser(server.port).show("/rules/zioncheck/judge?hand=7H+7S+7D")
    assert "Not yet" in quick.text
