"""A league with a phone of every role, put back as it was after each thing that somebody tries."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from companion.people import house_rules, roster, season_dates
from companion.people.season_dates import SeasonDates
from companion.rules import extend, load
from companion.store.authors import ROLES, Author, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, LeagueAction, Season, Seat, db
from tests.leagues.kept_story import KeptRows
from tests.visits.browserless import score, start
from tests.visits.phones import Dump, Phone, Site
from tests.visits.promises import check_headers

OTHERS = ("stranger", "revoked", "elsewhere")


class Household:
    """A league on SQLite: its phones by role, and those who are none of its members."""

    def __init__(self, site: Site, owner: Phone, game: int, revision: int) -> None:
        self.site = site
        self.names: dict[str, object] = {"game": game, "person": 1, "device": 1}
        self.revision = revision
        self.phones = {"stranger": site.phone(), "elsewhere": _elsewhere(site), "owner": owner}
        self.phones |= {role: self._join(role) for role in (*ROLES[:-1], "revoked")}
        self.tokens = {who: phone.token() for who, phone in self.phones.items()}
        for phone in self.phones.values():
            phone.raw("/league")  # whoever looks first brings the ratings up to date
        self.keep()

    def _join(self, role: str) -> Phone:
        """Let a phone into the league; the revoked one owned it."""
        phone = self.site.phone(token := f"{role}'s token")
        facts = {"league_id": 1, "token_hash": token_hash(token), "created_at": now()}
        with self.site.app.app_context(), writing() as session:
            gone = role == "revoked"
            held = "owner" if gone else role
            revoked = now() if gone else None
            sits = _second_seat(session, self.names["game"]) if role == "player" else None
            session.add(Device(role=held, revoked_at=revoked, player_id=sits, **facts))
        return phone

    def keep(self) -> None:
        """Remember the database as it is."""
        self._kept = KeptRows(str(self.site.engine.url.database))
        self.before: Dump = self.site.dump()
        self.ours: Dump = self.site.league(1)

    def put_back(self) -> None:
        """Make the database what it was."""
        self._kept.put_back(str(self.site.engine.url.database))

    def fill(self, address: str) -> str:
        """Fill in what is the league's own."""
        return address.format(**self.names)

    def form(self, who: str, address: str, sent: Mapping[str, str]) -> dict[str, str]:
        """Give a form all that it needs to be somebody's own, and of now."""
        hidden = {"csrf_token": self.tokens[who], "revision": str(self.revision)}
        return {**hidden, "key": address[:60], **sent}

    def ask(self, who: str, method: str, address: str, form: Mapping[str, str]) -> TestResponse:
        """Ask for an address with a form that is whole, and see that a refusal changed nothing."""
        phone, place = self.phones[who], self.fill(address)
        if method == "GET":
            return phone.raw(place)
        cookie = phone.client.get_cookie("device")
        response = phone.raw(place, method, data=self.form(who, place, form))
        after = self.site.dump()
        changed = [name for name, rows in self.before.items() if rows != after[name]]
        assert response.status_code < 400 or not changed, f"{who}: {place} changed {changed}"
        if changed and who in OTHERS:
            assert self.site.league(1) == self.ours, f"{who}: {place} changed the Harpers"
        if after != self.before:
            self.put_back()
            if cookie:  # who gained a right was given another, and that is taken back as well
                phone.client.set_cookie("device", cookie.decoded_value)
        return response

    def look_at(self, who: str, method: str, address: str, response: TestResponse) -> None:
        """See that the answer carries its headers, and names nobody to who is not to know."""
        check_headers(self.fill(address), response)
        if who in OTHERS:
            assert b"Harper" not in response.data, f"{who}: {method} {address} names the league"


def _second_seat(session: Session, game: object) -> int:
    """Whose the player's phone is: they sit second in the running game."""
    second = select(Seat.player_id).where(Seat.game_id == game, Seat.number == 1)
    return session.execute(second).scalar_one()


def _elsewhere(site: Site) -> Phone:
    """Dev's phone with a league of his own, in which people of the same names play."""
    phone = site.phone()
    start(phone, "contract-rummy", "Ann", "Bob", "Cleo", "Dev", league_name="Dev's club")
    return phone


def harpers_on(site: Site) -> Household:
    """Ann's league, whose game 1 is running, with a season, a renaming and a house of its own."""
    phone = site.phone()
    table = start(phone, "contract-rummy", "Ann", "Bob", "Cleo", "Dev", league_name="The Harpers")
    score(phone, table, "out", 0, {1: "K", 2: "A", 3: "X"})
    home = Household(site, phone, 1, 2)
    with site.app.app_context():
        home.names |= _own_things()
        db.session.remove()
    home.keep()
    return home


def _own_things() -> dict[str, Any]:
    device = db.session.execute(select(Device.id).where(Device.league_id == 1)).scalars().first()
    ann = Author(1, device or 0, "owner")
    winter = SeasonDates("Winter", date(2026, 1, 1), date(2026, 3, 1))
    season_dates.make_season(ann, "winter", winter)
    roster.rename(ann, "bobby", 2, "Bob", "Bobby")
    made = house_rules.add_house(ann, extend(load("zioncheck"), {"name": "Grandma's"}))
    acts = {
        row.kind: row.id for row in db.session.execute(select(LeagueAction.kind, LeagueAction.id))
    }
    season = db.session.execute(select(Season.id).where(Season.own)).scalar_one()
    return {
        "season": season,
        "season_made": acts[season_dates.MADE],
        "renaming": acts["renamed"],
        "house": made,
    }


def sample_on(site: Site) -> Household:
    """The sample family, whose game 1 is over and whose game 2 is running."""
    phone = site.phone()
    phone.press(phone.show("/").form("/samples"))
    return Household(site, phone, 2, 3)
