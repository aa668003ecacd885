"""The owner's page of phones and links: renamed, a role given, put out; Dev sees nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from companion.phones import links, passphrase, phone_list, rights
from companion.phones.owner_links import claim_league, wait_for_owner
from companion.phones.pending_deal import phone_names
from companion.phones.phone_list import PhoneError
from companion.store.authors import Author, NotAllowedError
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, RightEvent, db
from companion.web.middleware.user_agents import phone_name
from companion.web.table.history_text import author_name
from tests.leagues.full_league import HOSTILE
from tests.leagues.own_phones import PendingTable, own_phone
from tests.leagues.scanning import APPLE, KEY, code_on, join, link_to, role, row, scan, tap
from tests.support.same_moment import at_once
from tests.visits.browserless import start
from tests.visits.pages import Page, words
from tests.visits.phones import Phone


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (APPLE, "iPhone"),
        ("Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X)", "iPad"),
        ("Mozilla/5.0 (Linux; Android 10; K) Chrome/140 Mobile Safari/537.36", "Android phone"),
        ("Mozilla/5.0 (Linux; Android 10; K) Chrome/140 Safari/537.36", "Android tablet"),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)", "Chromebook"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "Windows computer"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "Mac"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0)", "Linux computer"),
        ("", "Phone"),
        ("<script>" * 4000, "Phone"),
    ],
)
def test_what_a_phone_is_called_at_first(user_agent: str, name: str) -> None:
    assert phone_name(user_agent) == name


def test_a_change_is_told_with_whose_phone_made_it() -> None:
    assert author_name("iPhone", "Bob") == "Bob's iPhone"
    assert author_name("Windows computer", None) == "Windows computer"
    assert author_name("", "Cleo") == "Cleo's phone"
    assert author_name("", None) == ""


def test_the_only_owner_stays_one(ann: Author) -> None:
    with pytest.raises(PhoneError, match="the only phone that owns the league"):
        phone_list.revoke_phone(ann, ann.device_id)
    with pytest.raises(PhoneError, match="the only phone that owns the league"):
        phone_list.change_phone(ann, ann.device_id, "Mine", "scorekeeper")
    assert role(ann, "ann's token") == "owner"
    join(link_to(ann), "bob", "Bob")
    bob = row("bob").id
    phone_list.change_phone(ann, bob, "Bob's own", "owner")
    phone_list.change_phone(ann, ann.device_id, "Mine", "scorekeeper")
    assert (role(ann, "ann's token"), role(ann, "bob")) == ("scorekeeper", "owner")


def test_two_owners_who_put_each_other_out_leave_one(app: object, ann: Author) -> None:
    join(link_to(ann), "bob", "Bob")
    other = Author(ann.league_id, row("bob").id, "owner")
    phone_list.change_phone(ann, other.device_id, "Bob's", "owner")
    mine = Author(ann.league_id, ann.device_id, "owner")
    acts = [
        lambda: phone_list.revoke_phone(mine, other.device_id),
        lambda: phone_list.revoke_phone(other, mine.device_id),
    ]
    answers = at_once(app, acts)  # type: ignore[arg-type]
    refused = [one for one in answers if isinstance(one, (PhoneError, NotAllowedError))]
    assert len(refused) == 1, answers
    owners = select(Device.id).where(Device.role == "owner", Device.revoked_at.is_(None))
    db.session.rollback()
    assert len(db.session().execute(owners).all()) == 1


def test_who_may_no_longer_write_changes_no_phone(ann: Author) -> None:
    join(link_to(ann, "scorekeeper"), "bob", "Bob")
    bob = Author(ann.league_id, row("bob").id, "owner")
    with pytest.raises(NotAllowedError):
        phone_list.revoke_phone(bob, ann.device_id)
    with pytest.raises(NotAllowedError):
        links.make_link(bob, KEY, "scorekeeper")


def test_a_phone_of_nobody_may_be_somebody_else(ann: Author) -> None:
    opened = link_to(ann)
    join(opened, "bob", "Bob")
    phone_list.forget_person(ann, row("bob").id)
    assert not join(opened, "cleo", "Bob").waits
    assert row("bob").player_id is None


def test_phones_of_one_person_are_told_apart(table: PendingTable, bob: Author) -> None:
    """A phone alone is its person; several are called by what they are, and numbered if alike."""
    league = bob.league_id
    others = [own_phone(table.table.author, "Bob", token=token) for token in ("second", "third")]
    assert len({phone_names(db.session(), league)[one.device_id] for one in (bob, *others)}) == 3
    with writing() as session:
        for one, kind in zip((bob, *others), ("iPhone", "iPad", "iPhone"), strict=True):
            session.execute(update(Device).where(Device.id == one.device_id).values(name=kind))
    names = phone_names(db.session(), league)
    called = [names[one.device_id] for one in (bob, *others)]
    assert called == ["Bob, iPhone", "Bob, iPad", "Bob, iPhone 2"]


def listed(page: Page) -> list[str]:
    return page.said("#phones strong")


def test_the_owner_sees_every_phone(ann_and_bob: tuple[Phone, Phone]) -> None:
    ann, _ = ann_and_bob
    page = ann.show(ann.show("/league").link("/league/devices"))
    assert page.heading == "Phones"
    assert listed(page) == ["Bob's iPhone", "Phone"]
    assert "this phone" in words(page.all("#phones > li")[1])
    assert "Plays · since" in page.text


def test_a_revoked_phone_is_out_at_its_next_request(ann_and_bob: tuple[Phone, Phone]) -> None:
    """And it stays out: the link by which it came has ended."""
    ann, bob = ann_and_bob
    forms = ann.show("/league/devices").forms()
    other = ann.press(next(form for form in forms if form.action.endswith("/league/links")))
    opened = scan(ann, ann.show("/games/1"))
    form = ann.show("/league/devices").form("/devices/2/departures")
    assert form.value("links") == "end", "asked, and yes unless somebody says no"
    assert bob.show("/games/1")
    ann.press(form)
    assert bob.show("/games/1", 404)
    assert bob.send("/league").status_code == 302
    assert bob.send("/games/1/stops", "POST", data={}).status_code == 404
    assert listed(ann.show("/league/devices")) == ["Phone"]
    bob.show(opened, 404)
    bob.post(opened, {"csrf_token": bob.token()}, 404)
    assert ann.site.phone().show(code_on(other)), "a link that it never had still works"


def test_links_may_stay_when_a_phone_is_put_out(ann_and_bob: tuple[Phone, Phone]) -> None:
    ann, bob = ann_and_bob
    opened = scan(ann, ann.show("/games/1"))
    data = {"csrf_token": ann.token()}
    ann.post("/league/devices/2/departures", data)
    assert bob.show(opened)


@pytest.mark.parametrize("came", ["by several", "long ago"])
def test_where_it_is_not_known_by_which_it_came_each_that_was_there_ends(
    ann: Author, came: str
) -> None:
    first, second = link_to(ann), link_to(ann, "viewer")
    join(first, "bob", "Bob")
    if came == "by several":
        join(second, "bob")
    else:
        with writing() as session:
            session.execute(update(Device).values(link_id=None))
    assert row("bob").link_id is None
    with writing() as session:
        session.execute(update(Device).values(created_at=now() + timedelta(seconds=1)))
    phone_list.revoke_phone(ann, row("bob").id, ends_links=True)
    db.session.rollback()
    assert links.links(db.session(), ann.league_id) == []


def test_the_links_that_a_phone_made_end_with_it_and_no_other_leagues(
    ann: Author, dev: Author
) -> None:
    join(link_to(ann), "bob", "Bob")
    phone_list.change_phone(ann, row("bob").id, "Bob's", "owner")
    mine, theirs = link_to(ann, "viewer"), link_to(dev)
    bobs = link_to(Author(ann.league_id, row("bob").id, "owner"), "scorekeeper")
    phone_list.revoke_phone(ann, row("bob").id, ends_links=True)
    db.session.rollback()
    with pytest.raises(links.DeadLinkError):
        links.find_link(db.session(), bobs)
    assert links.find_link(db.session(), mine)
    assert links.find_link(db.session(), theirs)


def test_a_phone_leaves_by_itself(ann_and_bob: tuple[Phone, Phone]) -> None:
    ann, bob = ann_and_bob
    bob.press(bob.show(bob.show("/league").link("/league/departure")).form())
    assert bob.show("/games/1", 404)
    assert listed(ann.show("/league/devices")) == ["Phone"]
    page = ann.show(ann.show("/league").link("/league/departure"))
    assert "the only phone that owns the league" in page.text
    assert page.forms() == []
    ann.post("/league/departure", {"csrf_token": ann.token()})
    assert ann.show("/games/1")


def test_what_happens_to_rights_is_logged_without_a_secret(
    ann: Author, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="companion.store.event_log")
    opened = link_to(ann, "viewer")
    join(opened, "bob's token")
    bob = row("bob's token").id
    phone_list.change_phone(ann, bob, "Bob's", "scorekeeper")
    passphrase.set_passphrase(ann, "four horses eat jam")
    with pytest.raises(passphrase.PassphraseError):
        passphrase.come_back("The Harpers", "six horses eat jam", "cleo's token", "here")
    passphrase.come_back("The Harpers", "four horses eat jam", "cleo's token", "here")
    claim_league(code := wait_for_owner(ann.league_id), "dana's token")
    phone_list.leave(Author(ann.league_id, row("cleo's token").id, "viewer"))
    phone_list.revoke_phone(ann, bob, ends_links=True)
    passphrase.set_passphrase(ann, "")
    told = [(one.getMessage(), getattr(one, "fields", {})) for one in caplog.records]
    assert [event for event, _ in told] == [
        "link made",
        "phone joined",
        "phone changed",
        "passphrase set",
        "wrong passphrase",
        "came back by passphrase",
        "league claimed",
        "phone left",
        "phone put out",
        "passphrase taken away",
    ]
    assert told[1][1] == {"league": ann.league_id, "joined": bob, "role": "viewer", "link": 1}
    assert told[8][1] == {"league": ann.league_id, "removed": bob, "links_end": True}
    kept = db.session.execute(select(RightEvent).order_by(RightEvent.id)).scalars().all()
    noted = [one.kind for one in kept]
    came, guessed = noted.index("joined"), told.index(("wrong passphrase", {"leagues": 1}))
    assert guessed == 4, "counted, and no event that whoever guesses could write without end"
    assert noted[came:] == [
        *("joined", "role", "passphrase", "returned", "claimed"),
        *("left", "removed", "passphrase gone"),
    ]
    rows = [(one.kind, one.device_id, one.about_id, one.role) for one in kept]
    for secret in (opened, code, "token", "horses", "Harpers", "Bob"):
        assert secret not in repr((told, rows))


def test_owners_see_what_happened_and_how_often_somebody_guessed(
    ann_and_bob: tuple[Phone, Phone],
) -> None:
    ann, bob = ann_and_bob
    ann.press(ann.show("/league/passphrase").form().fill("pass-phrase", "four horses eat jam"))
    form = (eve := ann.site.phone()).show("/return").form().fill("league-name", "The Harpers")
    eve.press(form.fill("pass-phrase", "six horses eat jam"), status=422)
    page = ann.show("/league/devices")
    assert "A wrong passphrase was tried" in page.text
    happened = page.said("details li")
    assert happened[0].startswith("Phone set a new passphrase")
    assert happened[1].startswith("Bob's iPhone joined Plays")
    bob.show("/league/devices", 403)


def test_of_very_many_events_the_oldest_go(ann: Author) -> None:
    with writing() as session:
        for _ in range(rights.KEPT + 5):
            rights.note_event(session, ann.league_id, "left", about=ann.device_id)
        rights.note_event(session, ann.league_id, "joined", about=ann.device_id)
    kept = db.session.execute(select(RightEvent.kind).order_by(RightEvent.id)).scalars().all()
    assert kept == ["left"] * (rights.KEPT - 1) + ["joined"]
    assert len(rights.events(db.session(), ann.league_id)) == rights.SHOWN


def test_a_new_passphrase_can_put_other_owners_out(ann: Author) -> None:
    join(link_to(ann), "bob", "Bob")
    join(link_to(ann), "cleo", "Cleo")
    phone_list.change_phone(ann, row("bob").id, "Bob's", "owner")
    passphrase.set_passphrase(ann, "four horses eat jam")
    assert role(ann, "bob") == "owner"
    passphrase.set_passphrase(ann, "five horses eat jam", others_out=True)
    assert [role(ann, one) for one in ("ann's token", "bob", "cleo")] == ["owner", "", "player"]


def test_a_name_that_cannot_be_is_refused_beside_its_field(
    ann_and_bob: tuple[Phone, Phone],
) -> None:
    ann, _ = ann_and_bob
    form = ann.show("/league/devices").form("/devices/2")
    page = ann.press(form.fill("name-2", "x" * 41), status=422)
    assert "Keep it to 40" in page.say("#name-2-fault")
    assert page.form("/devices/2").value("name-2") == "x" * 41
    own = page.form("/devices/1").fill("role-1", "player")
    assert "Make another phone an owner first" in ann.press(own, status=422).faults


def test_hostile_names_of_phones_stay_words(ann_and_bob: tuple[Phone, Phone]) -> None:
    ann, bob = ann_and_bob
    assert bob.show("/games/1/more/stop", 403)
    form = ann.show("/league/devices").form("/devices/2").fill("role-2", "scorekeeper")
    ann.press(form)
    bob.press(bob.show("/games/1/more/stop").form("/stops"))
    entries = ann.show("/games/1/history").said("main li.sheet")
    assert "· Bob's iPhone" in entries[0]
    assert "· Phone" in entries[1]
    for name in HOSTILE:
        page = ann.press(form.fill("name-2", name))
        assert listed(page)[0] == f"Bob's {name}"
        assert f"Bob's {name}" in ann.show("/games/1/history").text
        assert page.form("/devices/2").value("name-2") == name


def test_only_the_owner_sees_the_phones(ann_and_bob: tuple[Phone, Phone]) -> None:
    ann, bob = ann_and_bob
    assert "/league/devices" not in bob.show("/league").links()
    dev = ann.site.phone()
    start(dev, "zioncheck", "Dev", "Eve", league_name="Dev's club")
    assert dev.show("/league/links/1", 404)
    page = dev.show("/league/devices")
    assert (listed(page), "/league/links/1" in page.links()) == (["Phone"], False)
    assert dev.post("/league/links/1/departures", {"csrf_token": dev.token()}, 404)
    assert listed(ann.show("/league/devices")) == ["Bob's iPhone", "Phone"]
    assert tap(bob, bob.show(scan(ann, ann.show("/games/1"))), "Cleo")
