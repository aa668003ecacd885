"""The pages from a code to a seat: scanned, tapped, waited for, refused."""

from __future__ import annotations

from tests.leagues.scanning import scan, tap
from tests.visits.browserless import score, start
from tests.visits.pages import attribute
from tests.visits.phones import Phone, Site


def test_two_taps_from_the_code_to_the_seat(site: Site) -> None:
    ann, bob = site.phone(), site.phone()
    opened = scan(ann, start(ann, "contract-rummy", league_name="The Harpers"))
    before = site.dump()
    who = bob.show(opened)  # the first tap: on what the camera found
    assert site.dump() == before
    assert who.heading == "Who are you?"
    assert "The Harpers Who are you? Contract Rummy, deal 1" in who.text
    seat = tap(bob, who, "Bob")  # the second
    assert seat.path.startswith("/games/1")
    assert "On this phone you are Bob." in bob.show(opened).text
    assert "Bob" in site.phone().show(opened).say("main form")


def test_a_messenger_may_look_at_a_link(site: Site) -> None:
    """It is answered as the page is, and burns nothing."""
    ann = site.phone()
    opened = scan(ann, start(ann, "contract-rummy"))
    before, messenger = site.dump(), site.phone()
    assert messenger.raw(opened, "HEAD").status_code == 200
    assert messenger.raw("/j/nothing", "HEAD").status_code == 404
    assert site.dump() == before
    assert messenger.show(opened).heading == "Who are you?"


def test_who_has_joined_is_said_beside_the_code(site: Site) -> None:
    ann, bob, cleo = (site.phone() for _ in range(3))
    opened = scan(ann, start(ann, "contract-rummy"))
    beside_code = "/games/1/more/phones"
    assert ann.show(beside_code).all("[role=status]") == []
    tap(bob, bob.show(opened), "Bob")
    assert "Bob is here." in ann.show(beside_code).text
    tap(cleo, cleo.show(opened), "Cleo")
    assert "Bob and Cleo are here." in ann.show(beside_code).text


def test_a_dead_link_says_what_to_do(site: Site) -> None:
    ann, bob = site.phone(), site.phone()
    table = start(ann, "contract-rummy")
    opened = scan(ann, table)
    ann.press(ann.show("/league/links/1").form("/departures"))
    for path in (opened, "/j/nothing", "/j/" + "x" * 2000):
        dead = bob.show(path, 404)
        assert dead.heading == "This code doesn't work"
        assert "Ask for a new one: at the table, under More, Join by phone." in dead.text
        assert "Harpers" not in dead.text
    again = ann.press(ann.show("/games/1/more/phones").form("/link"))
    assert scan(ann, ann.show("/games/1")) != opened
    assert again.path.startswith("/games/1")


def test_a_second_phone_waits_until_its_owner_says_yes(site: Site) -> None:
    ann, cleo, other, bob = (site.phone() for _ in range(4))
    opened = scan(ann, start(ann, "contract-rummy"))
    tap(cleo, cleo.show(opened), "Cleo")
    tap(bob, bob.show(opened), "Bob")
    looks_on = tap(other, other.show(opened), "Cleo")
    assert looks_on.path.startswith("/games/1")
    assert "You can watch until Cleo or the scorekeeper says yes." in looks_on.text
    assert "On this phone" not in other.show(opened).text
    asked = cleo.show("/games/1")
    assert "Is this Cleo's second phone?" in asked.text
    form = asked.form("/asks/4")
    for phone in (other, bob):
        phone.post(form.action, form.data() | {"answer": "yes", "csrf_token": phone.token()}, 403)
    cleo.press(form, "Yes, Cleo")
    assert "On this phone you are Cleo." in other.show(opened).text
    assert "On this phone you are Cleo." in cleo.show(opened).text


def with_a_guest(site: Site) -> tuple[Phone, Phone, str]:
    """Ann keeps the score, and Dana came by the link, which is given, and has no seat."""
    ann, dana = site.phone(), site.phone()
    table = start(ann, "contract-rummy")
    opened = scan(ann, table)
    score(ann, table, "out", 0, {1: "K", 2: "A"})
    dana.press(dana.show(opened).form_with("Your name").fill("name", "Dana"))
    return ann, dana, opened


def test_a_guest_without_a_seat_is_seated_from_the_table(site: Site) -> None:
    ann, dana, opened = with_a_guest(site)
    asked = ann.show("/games/1")
    assert "Dana is here and has no seat." in asked.text
    assert "You have no seat in this game yet" in dana.show("/games/1").text
    joins = ann.show(asked.link("name=Dana"))
    assert joins.form("/seats").value("name") == "Dana"
    ann.press(joins.form("/seats"))
    assert "no seat" not in ann.show("/games/1").text + dana.show("/games/1").text
    assert "On this phone you are Dana." in dana.show(opened).text


def test_a_guest_may_only_look_on(site: Site) -> None:
    ann, _, _ = with_a_guest(site)
    ann.press(ann.show("/games/1").form("/guests/2"))
    assert "no seat" not in ann.show("/games/1").text


def test_a_form_from_a_browser_that_forgot_itself_is_asked_again(site: Site) -> None:
    ann, bob = site.phone(), site.phone()
    opened = scan(ann, start(ann, "contract-rummy"))
    person = attribute(bob.show(opened).all("button[name=person]")[0], "value")
    asked = site.phone().post(opened, {"csrf_token": "no", "person": person}, 422)
    assert "send it again" in asked.text
    form = bob.show(opened).form_with("Your name")
    refused = bob.press(form.fill("name", "Bob, Cleo"), status=422)
    assert "no comma" in refused.faults


def test_the_code_names_the_address_that_was_asked(house: Site) -> None:
    ann = house.phone()
    start(ann, "contract-rummy")
    cookie = ann.client.get_cookie("device")
    assert cookie
    for host in ("192.168.1.20", "127.0.0.1"):
        ann.client.set_cookie("device", cookie.value, domain=host)
    home = ann.show("/games/1/more/phones", base_url="http://192.168.1.20:5000")
    address = attribute(home.one("#join-link"), "value")
    assert address.startswith("http://192.168.1.20:5000/j/")
    assert "only on this computer" not in home.text
    assert attribute(home.one("svg.qr"), "aria-label") == address
    here = ann.show("/games/1/more/phones", base_url="http://127.0.0.1:5000")
    assert "only on this computer" in here.text


def test_a_player_sees_no_code(site: Site) -> None:
    ann, bob = site.phone(), site.phone()
    opened = scan(ann, start(ann, "contract-rummy"))
    tap(bob, bob.show(opened), "Bob")
    table = bob.show("/games/1")
    assert "own phone" not in table.text
    assert opened not in table.response.text


def test_guessing_links_gets_slow_and_a_link_that_works_never_does(site: Site) -> None:
    """Twenty unknown addresses, then a wait, on every process; whoever has the code sits down."""
    ann = site.phone()
    opened = scan(ann, start(ann, "contract-rummy"))
    guesser = site.phone()
    answers = [guesser.raw(f"/j/guess{number}") for number in range(22)]
    assert [answer.status_code for answer in answers] == [404] * 20 + [429] * 2
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert guesser.show(opened).heading == "Who are you?"
