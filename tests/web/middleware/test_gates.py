"""What is expensive goes one at a time, and a hall behind one address is no crowd."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.phones.gate import BusyError, Gate
from companion.web.middleware.limits import EXPENSIVE
from tests.visits.phones import Phone, Site

OFTEN = int(EXPENSIVE["/rules/<key>/judge", "GET"].split()[0])
HALL = {"REMOTE_ADDR": "10.1.2.3"}
JUDGE = "/rules/no-game/judge"


def test_a_gate_lets_one_in_and_the_next_after_it() -> None:
    gate = Gate(0.05)
    with gate.passed(), ThreadPoolExecutor(1) as pool, pytest.raises(BusyError):
        pool.submit(gate.passed().__enter__).result()
    with gate.passed():
        pass


def test_who_fails_inside_leaves_the_gate_open() -> None:
    gate = Gate(0.05)
    with pytest.raises(ZeroDivisionError), gate.passed():
        _ = 1 / 0
    with gate.passed():
        pass


def test_members_of_one_address_are_counted_by_phone(lone: Phone, site: Site) -> None:
    """A phone that asks too often is refused, the others of the hall go on; strangers are one."""
    lone.press(lone.show("/games/new/zioncheck").form().fill("names", "Ann, Bob"))
    told = [lone.raw(JUDGE, environ_base=HALL).status_code for _ in range(OFTEN + 1)]
    assert told == [404] * OFTEN + [429]
    strangers = [site.phone() for _ in range(2)]
    told = [strangers[n % 2].raw(JUDGE, environ_base=HALL).status_code for n in range(OFTEN + 1)]
    assert told == [404] * OFTEN + [429]
    other = site.phone()
    other.press(other.show("/games/new/zioncheck").form().fill("names", "Cleo, Dev"))
    assert other.raw(JUDGE, environ_base=HALL).status_code == 404
