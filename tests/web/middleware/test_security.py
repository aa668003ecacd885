"""What a browser is told, whom the server believes, and what another site can do: nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from companion.people import leagues
from companion.phones import owner_links
from companion.web.frame.static_files import assets_version
from companion.web.middleware.guard import public
from tests.conftest import fresh_app
from tests.leagues.full_league import HOSTILE
from tests.support.doses import first_in_every_run
from tests.visits.browserless import start
from tests.visits.phones import Site, watched
from tests.visits.promises import check_headers

Made = Callable[..., Site]


@pytest.fixture(scope="module")
def site_with(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """A site with settings of its own, the same one for all who want these."""
    made: dict[str, Site] = {}

    def make(**settings: object) -> Site:
        if (wanted := repr(settings)) not in made:
            folder = tmp_path_factory.mktemp("site")
            made[wanted] = watched(fresh_app(folder, settings=settings))
        return made[wanted]

    yield make
    for site in made.values():
        site.close()


def cookies(answer: TestResponse) -> dict[str, set[str]]:
    """Every cookie that an answer sets, with what is said of it."""
    told = [cookie.split("; ") for cookie in answer.headers.getlist("Set-Cookie")]
    return {parts[0].partition("=")[0]: set(parts[1:]) for parts in told}


@pytest.mark.parametrize(
    ("hops", "address", "forwarded", "secure"),
    [
        ("0", "http://localhost", "", False),
        ("0", "https://localhost", "", True),
        ("0", "http://localhost", "https", False),
        ("1", "http://localhost", "https", True),
        ("1", "http://localhost", "http", False),
        ("1", "http://localhost", "https, http", False),
        ("2", "http://localhost", "https, http", True),
    ],
)
def test_cookies_are_secure_exactly_where_the_browser_came_by_https(
    site_with: Made, hops: str, address: str, forwarded: str, secure: bool
) -> None:
    phone = site_with(PROXY_HOPS=hops).phone()
    headers = {"X-Forwarded-Proto": forwarded} if forwarded else {}
    told = cookies(phone.raw("/", base_url=address, headers=headers))
    form = {"names": "Ann, Bob, Cleo", "csrf_token": ""}
    assert phone.raw("/games/new/contract-rummy", "POST", data=form).status_code == 422
    (name,) = told.keys() & {"device", "__Host-device"}
    assert name == ("__Host-device" if secure else "device")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= told[name]
    assert ("Secure" in told[name]) == secure
    assert not any(part.startswith("Domain") for part in told[name])


@pytest.mark.parametrize(
    ("address", "secure"), [("http://localhost", False), ("https://localhost", True)]
)
def test_the_chosen_league_is_a_cookie_of_the_same_kind(
    house: Site, address: str, secure: bool
) -> None:
    start(phone := house.phone(), "contract-rummy", league_name="The Harpers")
    form = {"csrf_token": phone.token(), "league": "1"}
    told = cookies(phone.raw("/league/choices", "POST", data=form, base_url=address))
    chosen = told["__Host-league" if secure else "league"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= chosen
    assert ("Secure" in chosen) == secure


OTHER_ORIGINS = (
    *("null", "https://localhost", "http://localhost:81", "http://localhost.evil.example"),
    *("http://evil.example", "", "http://localhost/", "HTTP://LOCALHOST", "file://"),
)


def test_no_other_origin_sends_anything(house: Site) -> None:
    """Nor does what says, without an origin, that it comes from another site."""
    phone = house.phone()
    form = {"csrf_token": phone.token(), "names": "Ann, Bob, Cleo"}
    address = "/games/new/contract-rummy"
    for origin in OTHER_ORIGINS:
        phone.post(address, form, 403, headers={"Origin": origin})
    phone.post(address, form, 403, headers={"Sec-Fetch-Site": "cross-site"})
    phone.post(address, form, 303, headers={"Sec-Fetch-Site": "same-origin"})
    phone.post(address, form, 303, headers={"Origin": "http://localhost"})


def test_behind_a_proxy_the_origin_is_the_one_outside(site_with: Made) -> None:
    phone = site_with(PROXY_HOPS="1", PROXY_HEADERS="host").phone()
    outside = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "cards.example"}
    form = {"csrf_token": phone.token(), "names": "Ann, Bob, Cleo"}
    address = "/games/new/contract-rummy"
    for origin, status in (("http://localhost", 403), ("https://cards.example", 303)):
        answer = phone.raw(address, "POST", data=form, headers={**outside, "Origin": origin})
        assert answer.status_code == status, origin


def test_a_phone_known_by_its_old_cookie_stays_known_over_https(house: Site) -> None:
    start(phone := house.phone(), "contract-rummy", league_name="The Harpers")
    answer = phone.raw("/league", base_url="https://localhost")
    assert answer.status_code == 200
    assert "Secure" in cookies(answer)["__Host-device"]
    assert "Strict-Transport-Security" not in phone.raw("/league").headers


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "max-age=31536000"),
        ({"HTTPS_SUBDOMAINS": "1"}, "max-age=31536000; includeSubDomains"),
    ],
)
def test_a_browser_that_came_by_https_stays_with_it(
    site_with: Made, settings: dict[str, str], said: str
) -> None:
    phone = site_with(**settings).phone()
    for address in ("/", f"{phone.site.app.static_url_path}/styles/app.css", "/nothing"):
        answer = phone.raw(address, base_url="https://localhost")
        assert answer.headers["Strict-Transport-Security"] == said, address


@pytest.mark.parametrize("scheme", ["HTTPS", "gopher", "https, http"])
def test_a_proxy_that_speaks_oddly_is_answered_all_the_same(site_with: Made, scheme: str) -> None:
    """Whether it is https is asked of the request; nothing is looked up by what a proxy says."""
    phone = site_with(PROXY_HOPS="1").phone()
    headers = {"X-Forwarded-Proto": scheme}
    answer = phone.raw("/", headers=headers)
    assert answer.status_code == 200
    is_secure = "__Host-device" in cookies(answer)
    assert ("Strict-Transport-Security" in answer.headers) == is_secure
    check_headers("/", answer)


@pytest.mark.parametrize(
    ("settings", "address", "believed"),
    [
        ({"PROXY_HOPS": "1"}, "127.0.0.1", True),
        ({"PROXY_HOPS": "1"}, "::ffff:127.0.0.1", True),
        ({"PROXY_HOPS": "1"}, "192.168.1.5", False),
        ({"PROXY_HOPS": "1", "PROXY_ADDRESSES": "10.0.0.0/8"}, "10.1.2.3", True),
        ({"PROXY_HOPS": "1", "PROXY_ADDRESSES": "10.0.0.0/8"}, "127.0.0.1", False),
        ({"PROXY_HOPS": "1"}, "", False),
        ({"PROXY_HOPS": "1", "PROXY_ADDRESSES": "unix"}, "", True),
        ({}, "127.0.0.1", False),
    ],
)
def test_a_proxy_is_believed_from_its_own_address_alone(
    site_with: Made, settings: dict[str, str], address: str, believed: bool
) -> None:
    phone = site_with(**settings).phone()
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
    answer = phone.raw("/", headers=headers, environ_overrides={"REMOTE_ADDR": address})
    assert ("__Host-device" in cookies(answer)) == believed


@pytest.mark.parametrize(
    ("more", "host", "prefix"),
    [
        ("", False, False),
        ("host", True, False),
        ("prefix", False, True),
        ("host,prefix", True, True),
    ],
)
def test_a_proxy_names_host_and_path_only_where_it_may(
    site_with: Made, more: str, host: bool, prefix: bool
) -> None:
    phone = site_with(PROXY_HOPS="1", PROXY_HEADERS=more).phone()
    says = {"X-Forwarded-Host": "cards.example", "X-Forwarded-Prefix": "/cards"}
    asked = phone.raw("/league", headers=says)
    assert asked.headers["Location"].startswith("/cards/") == prefix
    own = phone.raw("/samples", "POST", headers={**says, "Origin": "http://cards.example"})
    assert (own.status_code == 403) != host


def test_headers_of_an_unknown_proxy_are_said_once(
    site_with: Made, caplog: pytest.LogCaptureFixture
) -> None:
    phone = site_with(OPEN_TO_ALL="1").phone()  # nobody else asks this one
    for _ in range(3):
        phone.raw("/", headers={"X-Forwarded-For": "203.0.113.9"})
    (said,) = [row.message for row in caplog.records if row.name.endswith(".proxy")]
    assert "came through a proxy at 127.0.0.1, and PROXY_HOPS is not set" in said


@pytest.mark.parametrize(
    "path",
    [
        *("/.git/HEAD", "/.git/", "/app.py", "/instance/secret_key", "/companion.sqlite", "/docs/"),
        *("/static/", "/static/../app.py", "/static/%2e%2e/app.py", "/static/.git", "/templates/"),
        *("/static/..%5capp.py", "/backups/", "/imports/", "/metrics", "/console", "/openapi.json"),
    ],
)
def test_nothing_of_the_server_itself_is_shown(house: Site, path: str) -> None:
    answer = house.phone().raw(path)
    assert answer.status_code == 404
    check_headers(path, answer)


@pytest.mark.parametrize(
    ("path", "lasts"), [("{}/styles/app.css", True), ("1/app.css", False), ("{}/no", False)]
)
def test_only_files_of_this_edition_are_kept_for_long(house: Site, path: str, lasts: bool) -> None:
    present = assets_version(Path(house.app.static_folder or ""))
    kept = house.phone().raw(f"/static/{path.format(present)}").headers["Cache-Control"]
    assert ("immutable" in kept) == lasts


def test_only_hosts_of_ours_are_answered(site_with: Made) -> None:
    phone = site_with(TRUSTED_HOSTS=["cards.example", ".home.example"]).phone()
    for host, status in (
        ("cards.example", 200),
        ("ann.home.example", 200),
        ("evil.example", 400),
        ("cards.example.evil.example", 400),
    ):
        answer = phone.raw("/rules", base_url=f"http://{host}")
        assert answer.status_code == status, host
        check_headers("/rules", answer)
        assert "evil" not in answer.text
        for health in ("/healthz", "/readyz"):  # a container asks by its own address
            assert phone.raw(health, base_url=f"http://{host}").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        *("//evil.example/", "//evil.example/rules", "/rules//evil.example", "/%2f%2fevil.example"),
        *("/\\evil.example", "/rules/zioncheck/rule/%2f%2fevil.example", "/league//"),
        "/rules/zioncheck/rule/values?game=//evil.example&next=http://evil.example",
        "/league/players/1?before=//evil.example&next=//evil.example",
        "/house/%5c%5cevil.example",
    ],
)
def test_no_redirect_leads_out(house: Site, address: str) -> None:
    start(phone := house.phone(), "contract-rummy")
    answer = phone.client.open(address)
    goes = answer.headers.get("Location", "/")
    inside = goes.removeprefix("http://localhost")
    assert inside.startswith("/"), goes
    assert not inside.startswith(("//", "/\\")), goes


def test_an_error_shows_no_trace(site_with: Made) -> None:
    site = site_with(PROPAGATE_EXCEPTIONS=False)

    def broken() -> str:
        raise RuntimeError("the secret of line 7")

    site.app.add_url_rule("/broken", "broken", public(broken))
    page = site.phone().show("/broken", 500)
    assert page.text.endswith("Try again in a moment. Try again Go to start")
    assert "RuntimeError" not in page.html
    assert "secret of line" not in page.html
    assert page.heading == "Something went wrong here"


def test_fields_without_end_are_cut_or_refused(house: Site) -> None:
    start(phone := house.phone(), "contract-rummy", league_name="The Harpers")
    for address in ("/return", "/league/passphrase"):
        long = {"league": "x" * 200_000, "passphrase": "correct horse " * 10_000}
        form = {"csrf_token": phone.token()} | long
        page = phone.post(address, form | {"league": "x" * 100_000}, 422)
        assert len(page.html) < 10_000
        phone.post(address, form | {"passphrase": "y" * 300_000}, 413)


@pytest.mark.parametrize("name", first_in_every_run(HOSTILE, 2))
def test_a_hostile_league_is_only_a_name(house: Site, name: str) -> None:
    with house.app.app_context():
        author = leagues.open_league(name, "ann's token")
        code = owner_links.wait_for_owner(author.league_id)
    phone = house.phone()
    assert phone.show(f"/claims/{code}").heading == "Is this your league?"
    phone.press(phone.show(f"/claims/{code}").form())
    for address in ("/", "/league", "/league/passphrase", "/league/files", "/league/people"):
        assert phone.show(address).say("header, h1")
        assert "<script>alert" not in phone.show(address).html
    page = phone.show("/return")
    form = page.form().fill("league-name", name).fill("pass-phrase", name)
    assert phone.press(form, status=422).form().value("league-name") == name
