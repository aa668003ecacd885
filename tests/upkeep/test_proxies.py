"""Behind a real nginx and a real Caddy with https, at the top and below a path."""

from __future__ import annotations

import re
import shutil
import ssl
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser as Chromium

from tests.conftest import lacking
from tests.processes.proxied import proxied, unchecked
from tests.processes.served import Browser, Scorer, Server, served
from tests.support.doses import first_in_every_run
from tests.support.patience import HANGS

pytestmark = pytest.mark.slow
WAYS = {
    "nginx": ("", {"PROXY_HOPS": "1", "HTTPS_SUBDOMAINS": "1"}),
    "caddyfile below a path": ("/cards", {"PROXY_HOPS": "1", "PROXY_HEADERS": "prefix"}),
    "nginx below a path": ("/cards", {"PROXY_HOPS": "1", "PROXY_HEADERS": "prefix"}),
    "caddyfile": ("", {"PROXY_HOPS": "1", "HTTPS_SUBDOMAINS": "1"}),
}


class Way:
    """A server behind one kind of proxy."""

    def __init__(self, server: Server, port: int, path: str) -> None:
        self.server, self.port, self.path = server, port, path

    @property
    def origin(self) -> str:
        return f"https://localhost:{self.port}"

    def browser(self) -> Browser:
        return Browser(self.port, tls=unchecked())


@pytest.fixture(scope="module", params=first_in_every_run(WAYS, 2, pytest.mark.long))
def way(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Way]:
    """A server behind each of the proxies of docs/hosting.md, for all tests."""
    folder = tmp_path_factory.mktemp("proxied")
    kind, (path, settings) = request.param, WAYS[request.param]
    program = "nginx" if kind.startswith("nginx") else "caddy"
    if shutil.which(program) is None:
        lacking(f"there is no {program}")
    with (
        served(folder / "instance", **settings) as server,
        proxied(folder, kind, server.port) as port,
    ):
        yield Way(server, port, path)


def test_a_game_is_played_over_https(way: Way) -> None:
    browser = way.browser()
    first = browser.ask(f"{way.path}/")
    (cookie,) = first.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-device=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    stays = first.headers["Strict-Transport-Security"]
    assert stays.startswith("max-age=31536000")
    assert ("includeSubDomains" in stays) == (not way.path)
    form = browser.show(f"{way.path}/games/new/zioncheck").form().fill("names", "Ann, Bob, Cleo")
    sent = form.data()
    refused = browser.ask(form.action, sent, headers={"Origin": "https://elsewhere.example"})
    assert refused.status_code == 403
    plain = browser.ask(form.action, sent, headers={"Origin": f"http://localhost:{way.port}"})
    assert plain.status_code == 403
    taken = browser.ask(form.action, sent, headers={"Origin": way.origin})
    assert taken.status_code == 303
    game = taken.headers["Location"]
    assert re.fullmatch(rf"{way.path}/games/\d+", game)
    assert Scorer(browser, game).score(5) == 2
    assert way.path + "/static/" in browser.show(game).html


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_only_today_s_tls_is_spoken(way: Way) -> None:
    """No protocol before 1.2, and none of its ciphers that lack authentication or secrecy later."""
    for version, ciphers in (
        (ssl.TLSVersion.TLSv1_1, "DEFAULT:@SECLEVEL=0"),
        (ssl.TLSVersion.TLSv1_2, "ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA"),
    ):
        old = unchecked()
        old.set_ciphers(ciphers)
        old.minimum_version = old.maximum_version = version
        with pytest.raises((ssl.SSLError, ConnectionError)):
            Browser(way.port, tls=old).ask(f"{way.path}/healthz", timeout=10)
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        new = unchecked()
        new.minimum_version = new.maximum_version = version
        assert Browser(way.port, tls=new).ask(f"{way.path}/healthz").status_code == 200


def test_phones_are_told_apart_and_nobody_invents_an_address(way: Way) -> None:
    """Twenty wrong claims of one address are slowed down; a forged header makes no other."""
    browser = way.browser()
    forged = {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.8"}
    answers = [
        browser.ask(f"{way.path}/claims/{number}", headers=forged).status_code
        for number in range(21)
    ]
    assert answers == [404] * 20 + [429]
    beside = Browser(way.server.port)
    elsewhere = {"X-Forwarded-For": "198.51.100.1"}
    assert beside.ask("/claims/x", headers=elsewhere).status_code == 404, "the proxy's own word"


def test_the_app_is_kept_for_hours_without_a_network(way: Way, browser: Chromium) -> None:
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.set_default_timeout(HANGS * 1000)
    page.goto(f"{way.origin}{way.path}/games/new/zioncheck")
    page.get_by_label("Players in seating order").fill("Ann, Bob, Cleo")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/games/\d+$"))
    page.evaluate("navigator.serviceWorker.ready")
    scope = page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)")
    assert scope == f"{way.origin}{way.path}/"
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.reload()
    page.wait_for_function("() => caches.match(location.href).then((found) => found !== undefined)")
    context.set_offline(True)
    page.reload()
    assert "Ann" in page.inner_text("main")
    context.close()
