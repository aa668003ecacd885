"""Everyone's own phone: who comes by which link as whom, and nobody sits down as somebody else."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from flask import Flask
from msgspec.structs import replace
from sqlalchemy import select, update

from companion.games.changes import stop
from companion.phones import joining, links, phone_list
from companion.phones.joining import Joined, JoinError, offered
from companion.phones.links import DeadLinkError, LinkRow, find_link, token_of
from companion.store.authors import Author, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import History, Link, Player, db
from companion.store.names import PlayerNameError
from tests.leagues.game_driver import Table
from tests.leagues.own_phones import PendingTable, own_phone
from tests.leagues.scanning import KEY, join, link_to, role, row, token
from tests.support.reports import CONTRACT
from tests.support.same_moment import at_once


def person_of(phone: str) -> str:
    device = row(phone)
    return db.session().get_one(Player, device.player_id).name if device.player_id else ""


def test_a_token_is_128_bits_made_from_the_nonce_and_the_servers_key() -> None:
    # printf linknonce | openssl dgst -sha256 -hmac key -binary | head -c16 | base64
    assert token_of(b"key", "nonce") == "X8_PWpIZrhRAJ2ixORF06w"
    assert token_of(b"another key", "nonce") != token_of(b"key", "nonce")


def test_only_the_hash_of_a_token_is_stored(ann: Author) -> None:
    opened = link_to(ann)
    link = db.session().execute(select(Link)).scalar_one()
    assert opened not in (link.nonce, link.token_hash)
    assert link.token_hash == token_hash(opened)


def test_a_phone_takes_the_role_of_the_link_and_never_a_lower_one(ann: Author) -> None:
    assert join(link_to(ann, "viewer"), "bob").role == "viewer"
    assert join(link_to(ann, "scorekeeper"), "bob").role == "scorekeeper"
    assert join(link_to(ann, "viewer"), "bob").role == "scorekeeper"
    assert join(link_to(ann, "player"), "ann's token").role == "owner"


def test_whoever_comes_as_nobody_by_a_link_for_players_looks_on(ann: Author) -> None:
    opened = link_to(ann)
    assert join(opened, "bob").role == "viewer"
    assert join(opened, "bob", "Bob").role == "player"


def test_a_link_lets_nobody_into_another_league(ann: Author, dev: Author) -> None:
    Table.start(ann)
    join(link_to(dev), "eve", "Eve")
    assert (role(dev, "eve"), role(ann, "eve")) == ("player", "")
    bob = db.session().execute(select(Player.id).where(Player.name == "Bob")).scalar_one()
    with pytest.raises(JoinError, match="No one here has this name"):
        join(link_to(dev), "mallory", person=bob)
    assert role(dev, "mallory") == ""
    link = find_link(db.session(), link_to(ann))
    with pytest.raises(DeadLinkError):
        links.find_in_league(db.session(), dev.league_id, link.link_id)
    with pytest.raises(LookupError):
        links.revoke_link(dev, link.link_id)
    game = Table.start(ann).game_id
    with pytest.raises(LookupError):
        links.make_game_link(dev, KEY, game)


def test_links_that_ended_were_used_up_or_taken_back_look_alike(ann: Author) -> None:
    ended = token(ann, links.make_link(ann, KEY, "player", timedelta(days=1)))
    assert find_link(db.session(), ended).role == "player"
    with writing() as session:
        session.execute(update(Link).values(ends_at=now() - timedelta(days=1)))
    used_up = token(ann, links.make_link(ann, KEY, "player", uses=1))
    join(used_up, "bob", "Bob")
    number = links.make_link(ann, KEY, "player")
    taken_back = token(ann, number)
    links.revoke_link(ann, number)
    sentences = set()
    for opened in (ended, used_up, taken_back, "never made", ""):
        db.session.rollback()
        with pytest.raises(DeadLinkError) as fault:
            find_link(db.session(), opened)
        sentences.add(str(fault.value))
        with pytest.raises(DeadLinkError):
            join(opened, "late", "Late")
    assert len(sentences) == 1
    assert role(ann, "late") == ""
    assert [link.role for link in links.links(db.session(), ann.league_id)] == []


def test_a_phone_that_is_in_takes_up_no_use(ann: Author) -> None:
    opened = token(ann, links.make_link(ann, KEY, "player", uses=2))
    for _ in range(3):
        join(opened, "bob", "Bob")
    db.session.rollback()
    assert find_link(db.session(), opened).uses_left == 1
    for uses in (0, 1001):
        with pytest.raises(links.LinkError, match="1 to 1000"):
            links.make_link(ann, KEY, "player", uses=uses)


def test_of_eight_phones_at_the_last_use_one_is_in(app: Flask, ann: Author) -> None:
    for turn in range(6):
        opened = token(ann, links.make_link(ann, KEY, "viewer", uses=1))
        answers = at_once(app, [partial(join, opened, f"{turn}-{phone}") for phone in range(8)])
        assert sorted(type(answer).__name__ for answer in answers) == (
            ["DeadLinkError"] * 7 + ["Joined"]
        ), answers
        assert sum(role(ann, f"{turn}-{phone}") == "viewer" for phone in range(8)) == 1
    assert set(db.session().execute(select(Link.uses_left)).scalars()) == {0}


def test_of_two_phones_that_tap_one_name_at_once_one_has_it(app: Flask, ann: Author) -> None:
    table = Table.start(ann)
    opened = link_to(ann, game=table.game_id)
    for turn, name in enumerate(("Ann", "Bob", "Cleo")):
        answers = at_once(app, [partial(join, opened, f"{turn}-{n}", name) for n in range(4)])
        told = [(one.waits, one.sits) for one in answers if isinstance(one, Joined)]
        assert sorted(told) == [(False, True)] + [(True, False)] * 3, answers


def test_a_no_leaves_the_phone_without_the_name(ann: Author) -> None:
    opened = link_to(ann)
    join(opened, "cleo", "Cleo")
    assert join(opened, "other", "cleo").waits
    phone_list.answer(ann, row("other").id, yes=False)
    assert (person_of("other"), row("other").asks_id) == ("", None)
    phone_list.answer(ann, row("other").id, yes=True)
    assert person_of("other") == ""


def test_a_name_is_free_again_when_its_phone_is_put_out(ann: Author) -> None:
    opened = link_to(ann)
    join(opened, "cleo", "Cleo")
    phone_list.revoke_phone(ann, row("cleo").id)
    assert not join(opened, "other", "Cleo").waits
    back = join(opened, "cleo", "Cleo")
    assert back.waits
    assert (person_of("cleo"), role(ann, "cleo")) == ("", "player")


def test_a_phone_that_was_put_out_comes_back_only_by_a_link_and_with_its_role(ann: Author) -> None:
    bob = own_phone(ann, "Bob", "owner", "bob")
    phone_list.revoke_phone(ann, bob.device_id)
    assert role(ann, "bob") == ""
    join(link_to(ann, "viewer"), "bob")
    assert role(ann, "bob") == "viewer"


def test_who_adds_a_new_name_before_the_first_deal_has_a_seat(ann: Author) -> None:
    table = Table.start(ann)
    opened = link_to(ann, game=table.game_id)
    assert join(opened, "dana", " Dana ").sits
    assert table.stored.names == ("Ann", "Bob", "Cleo", "Dana")
    assert [seat.start for seat in table.record.seats] == [0, 0, 0, 0]
    by = select(History.device_id).where(History.action == "joined")
    assert db.session().execute(by).scalar_one() == row("dana").id
    again = join(opened, "dana", "Dana")
    assert (again.sits, table.stored.revision) == (True, 2)


def test_one_phone_seats_one_person(ann: Author) -> None:
    table = Table.start(ann)
    opened = link_to(ann, game=table.game_id)
    join(opened, "dana", "Dana")
    with pytest.raises(JoinError, match="already has a seat"):
        join(opened, "dana", "Somebody")
    assert table.stored.names == ("Ann", "Bob", "Cleo", "Dana")


def seats_nobody(table: Table) -> None:
    before = table.stored
    came = join(link_to(table.author, game=table.game_id), "dana", "Dana")
    assert (came.waits, came.sits, person_of("dana")) == (False, False, "Dana")
    assert replace(table.stored, report_revision=before.report_revision) == before


def test_a_link_seats_nobody_once_the_first_deal_is_being_told(ann: Author) -> None:
    table = Table.start(ann)
    PendingTable(table).end(ann, 0)
    seats_nobody(table)


def test_a_link_seats_nobody_at_a_table_that_is_full_or_was_stopped(ann: Author) -> None:
    most = CONTRACT.players.max
    seats_nobody(Table.start(ann, *[f"Person {n}" for n in range(most)]))
    stopped = Table.start(ann)
    stopped.change(lambda record: stop(record, stopped=True))
    seats_nobody(stopped)


def test_a_viewer_who_types_a_name_has_none(ann: Author) -> None:
    came = join(link_to(ann, "viewer"), "eve", "Eve")
    assert (came.role, came.sits, person_of("eve")) == ("viewer", False, "")
    assert db.session().execute(select(Player.id)).all() == []


def test_names_that_cannot_be_used_let_nobody_in(ann: Author) -> None:
    opened = link_to(ann)
    for name in ("Bob, Cleo", "x" * 41, "\u200b \u202e"):
        with pytest.raises(PlayerNameError):
            join(opened, "bob", name)
    assert role(ann, "bob") == ""


def test_a_games_link_ends_the_day_after_the_game(
    ann: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.start(ann)
    opened = link_to(ann, game=table.game_id)

    def after(**passed: int) -> LinkRow:
        moment = now() + timedelta(**passed)
        with monkeypatch.context() as clock:
            clock.setattr(links, "now", lambda: moment)
            return find_link(db.session(), opened)

    assert after(days=1, minutes=1).game_id == table.game_id
    table.change(lambda record: stop(record, stopped=True))
    db.session.rollback()
    assert after(hours=23).role == "player"
    with pytest.raises(DeadLinkError):
        after(days=1, minutes=1)


def test_who_is_offered_where(ann: Author) -> None:
    Table.start(ann, "Zoe", "Yves", "Xara")
    table = Table.start(ann, "Cleo", "Ann", "Bob")
    at_table, anywhere = link_to(ann, game=table.game_id), link_to(ann)
    join(at_table, "bob", "Bob")

    def names(opened: str, phone: int | None = None) -> list[str]:
        db.session.rollback()
        listed = offered(db.session(), find_link(db.session(), opened), phone)
        return [f"{one.name}{'!' * one.taken}{'*' * one.mine}" for one in listed]

    assert names(at_table) == ["Cleo", "Ann", "Bob!"]
    assert names(at_table, row("bob").id) == ["Cleo", "Ann", "Bob*"]
    assert set(names(anywhere)) == {"Zoe", "Yves", "Xara", "Cleo", "Ann", "Bob!"}
    assert joining.MOST_OFFERED == 24
