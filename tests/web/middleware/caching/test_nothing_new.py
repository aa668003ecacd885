"""A phone that asks whether anything changed is answered early, as the app would answer it."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from companion.phones.pending_deal import mark
from tests.support.statements import statements
from tests.visits.phones import Phone, Site
from tests.visits.promises import check_headers
from tests.visits.roles import Household, harpers_on

LIVE = "/games/1/live"
EARLY = 1
"""How many questions of the database an early answer takes."""


@pytest.fixture
def harpers(house: Site) -> Household:
    """A league with a phone of every role, whose game 1 has a deal."""
    return harpers_on(house)


def ask(
    phone: Phone, etag: str, path: str = LIVE, base_url: str = "http://localhost"
) -> tuple[TestResponse, bool]:
    """Ask whether a state is current; return the answer and whether it came early."""
    with statements(phone.site.engine) as asked:
        answer = phone.raw(path, base_url=base_url, headers={"If-None-Match": etag})
    return answer, answer.status_code == 304 and len(asked) == EARLY


def now(phone: Phone) -> str:
    return phone.raw(LIVE).headers["ETag"]


def test_who_may_look_is_answered_early_as_the_app_answers(harpers: Household) -> None:
    """The same mark, said to be weak, goes through the whole app."""
    for who in ("owner", "scorekeeper", "player", "viewer"):
        phone = harpers.phones[who]
        etag = now(phone)
        for path in (LIVE, f"{LIVE}?stays=1", f"{LIVE}?phones=1-2-x-9"):
            early, is_early = ask(phone, etag, path)
            late, is_late = ask(phone, f"W/{etag}", path)
            assert (is_early, is_late) == (True, False), who
            assert (early.status_code, early.data) == (late.status_code, late.data) == (304, b"")
            late.headers.remove("Date")  # which the server itself adds where it is missing
            assert dict(early.headers) == dict(late.headers), who
            check_headers(path, early)


def test_nobody_else_is_answered_early(harpers: Household) -> None:
    etag = now(harpers.phones["owner"])
    for who in ("stranger", "revoked", "elsewhere"):
        for known in (etag, f"W/{etag}"):
            answer, is_early = ask(harpers.phones[who], known)
            assert (answer.status_code, is_early) == (404, False), who


def test_what_is_new_is_said_by_the_app(harpers: Household) -> None:
    phone = harpers.phones["viewer"]
    etag = now(phone)
    for other in (etag.replace('"', ""), f'"{mark(9, 9, "running")}"', "*", f"{etag}, {etag}"):
        assert not ask(phone, other)[1], other
    with harpers.site.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE game SET pulse = pulse + 1 WHERE id = 1")
    answer, is_early = ask(phone, etag)
    assert (answer.status_code, is_early) == (200, False)


@pytest.mark.parametrize("change", ["status = 'finished'", "hidden = 1"])
def test_a_game_that_is_over_or_removed_is_left_to_the_app(harpers: Household, change: str) -> None:
    phone = harpers.phones["viewer"]
    etag = now(phone)
    with harpers.site.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE game SET {change} WHERE id = 1")
    answer, is_early = ask(phone, etag)
    assert not is_early
    assert answer.status_code == (404 if "hidden" in change else 200)


def test_only_the_cookie_of_this_connection_counts(harpers: Household) -> None:
    """Over https the plain cookie may be another site's; one that is to be renewed is renewed."""
    phone, https = harpers.phones["player"], "https://localhost"
    etag = now(phone)
    assert not ask(phone, etag, base_url=https)[1]
    answer, is_early = ask(phone, etag, base_url=https)
    assert is_early, "the answer before gave the cookie that only this host can set"
    assert answer.headers["Strict-Transport-Security"]
    phone.carry("player's token")
    answer, is_early = ask(phone, etag)
    assert (answer.status_code, is_early) == (304, False)
    assert "Set-Cookie" in answer.headers
    assert ask(phone, etag)[1]


def test_a_host_that_is_not_ours_is_left_to_the_app(
    harpers: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = harpers.phones["player"]
    etag = now(phone)
    monkeypatch.setitem(harpers.site.app.config, "TRUSTED_HOSTS", ["cards.example"])
    answer, is_early = ask(phone, etag)
    assert (answer.status_code, is_early) == (400, False)
