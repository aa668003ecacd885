"""What is expensive goes one at a time, and a hall behind one address is no crowd."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import BytesIO

import pytest

from companion.people import leagues
from companion.phones.gate import BusyError, Gate
from companion.store.database import writing
from companion.store.models import League
from companion.web.middleware.limits import COUNTED, EXPENSIVE
from companion.web.middleware.newcomers import MOST_OF_PHONE
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


def test_a_hall_opens_leagues_of_its_own_and_a_flood_of_strangers_ends(
    house: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert int(COUNTED["league"].split()[0]) >= 60, "a school hall on one evening"
    monkeypatch.setitem(COUNTED, "league", f"{(most := 6)} per hour")
    form = {"csrf_token": "", "names": "Ann, Bob"}
    told = []
    for _ in range(most + 1):
        phone = house.phone()
        form["csrf_token"] = phone.token()
        sent = phone.raw("/games/new/zioncheck", "POST", data=form, environ_base=HALL)
        told.append(sent.status_code)
    assert told == [303] * most + [429]


def test_one_phone_opens_so_many_leagues_an_hour(house: Site) -> None:
    ann, dev = house.phone("ann's token"), house.phone()
    dev.press(dev.show("/games/new/zioncheck").form().fill("names", "Dev, Eve"))
    file = dev.send("/league/files/league.json").data
    with house.app.app_context():
        opened = [leagues.open_league(f"Club {n}", "ann's token") for n in range(MOST_OF_PHONE)]
    form = ann.show("/league/files").form("/looks").data() | {"into": "new"}
    sent = form | {"file": (BytesIO(file), "league.json")}
    looked = ann.post("/league/files/looks", sent, 200, content_type="multipart/form-data")
    form = looked.form("/imports").data() | {"into": "new"}
    ann.post("/league/files/imports", form, 429)
    with house.app.app_context(), writing() as session:
        first = session.get_one(League, opened[0].league_id)
        first.created_at -= timedelta(hours=2)
    ann.post("/league/files/imports", form, 303)
