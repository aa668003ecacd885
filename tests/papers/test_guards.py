"""The guards that `make guards` breaks: each stands where the list says, two of each kind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.tools.guards import Guard, guards

PROJECT = Path(__file__).parents[2]
KINDS = (
    *("identity", "role", "CSRF", "key", "revision", "lock"),
    *("fsync", "migration", "judge", "scoring", "search", "escaping"),
)


def test_there_are_two_of_each_kind() -> None:
    assert Counter(guard.kind for guard in guards()) == dict.fromkeys(KINDS, 2)


@pytest.mark.parametrize("guard", guards(), ids=lambda guard: guard.says)
def test_a_guard_stands_where_the_list_says(guard: Guard) -> None:
    assert (PROJECT / guard.file).read_text(encoding="utf-8").count(guard.text) == 1
    assert guard.broken != guard.text
    assert all((PROJECT / test).exists() for test in guard.tests)
