"""Everybody's own phone at the table, by its pages alone and without scripts; and its outbox."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.people import leagues
from companion.phones.presence import FOLDER, SECONDS, forget_all
from companion.rules import Variant, find_variant
from companion.store.authors import Author
from tests.leagues.game_driver import Table
from tests.leagues.own_phones import own_phone
from tests.support.reports import ANN, BOB, CLEO, THREE, TWO_STEPS
from tests.visits.browserless import places, totals
from tests.visits.pages import Page, attribute, words
from tests.visits.phones import Phone, Site

DATA = {"Accept": "application/json"}
TAKEN = {"taken": True, "words": ""}


@dataclass
class Party:
    """A game with a phone for everybody: Ann keeps the score, Eve looks on, Dev is elsewhere."""

    table: Table
    ann: Phone
    bob: Phone
    cleo: Phone
    eve: Phone
    dev: Phone

    @property
    def path(self) -> str:
        return f"/games/{self.table.game_id}"

    def mine(self, phone: Phone) -> Page:
        """Somebody's own page."""
        return phone.show(f"{self.path}/mine")

    def says(self, phone: Phone, tapped: str) -> Page:
        """Tap on one's own page how the deal ended."""
        forms = [form for form in self.mine(phone).forms() if tapped in words(form.element)]
        assert len(forms) == 1, tapped
        return phone.press(forms[0])

    def tells(self, phone: Phone, status: int = 303, seat: int | None = None, **typed: str) -> Page:
        """Type a hand into one's own pad, or, for whoever keeps the score, into a seat's."""
        page = self.mine(phone) if seat is None else phone.show(f"{self.path}/hands/{seat}")
        if not [form for form in page.forms() if "/hands/" in form.action]:
            page = phone.show(f"{self.path}/mine?pad=1")
        (form,) = [form for form in page.forms() if "/hands/" in form.action]
        number = form.action.rpartition("/")[2]
        for name, text in typed.items():
            form.fill(f"seat{number}-{name}", text)
        return phone.press(form, "Done", status)

    def review(self, phone: Phone | None = None) -> Page:
        return (phone or self.ann).show(f"{self.path}/deals/told")

    def save(self) -> Page:
        """Look over what was told, and save it."""
        return self.ann.press(self.review().form(), "save")

    def sends(self, phone: Phone, path: str, status: int, **form: Any) -> Mapping[str, Any]:
        """Send a letter of an outbox, and read its answer."""
        sent = {"csrf_token": phone.token(), **{n.replace("__", "-"): t for n, t in form.items()}}
        answer = phone.send(f"{self.path}{path}", "POST", data=sent, headers=DATA)
        assert answer.status_code == status, answer.text
        assert answer.mimetype == "application/json", answer.text[:200]
        assert answer.json
        return dict(answer.json)


def party(site: Site, ann: Author, game: str | Variant = "contract rummy") -> Party:
    variant = find_variant(game) if isinstance(game, str) else game
    table = Table.start(ann, *THREE, variant=variant)
    own_phone(ann, "Bob")
    own_phone(ann, "Cleo")
    own_phone(ann, "Eve", "viewer")
    leagues.open_league("Dev's club", "dev's token")
    return Party(
        table, *(_with_cookie(site, name) for name in ("ann", "bob", "cleo", "eve", "dev"))
    )


def _with_cookie(site: Site, name: str) -> Phone:
    phone = site.phone()
    phone.carry(f"{name}'s token")
    return phone


@pytest.fixture
def harpers(site: Site, ann: Author) -> Party:
    """Ann, Bob and Cleo at Contract Rummy."""
    return party(site, ann)


# --- A deal from the last card to the new totals, game by game.


def test_a_deal_of_contract_rummy(harpers: Party) -> None:
    mine = harpers.says(harpers.bob, "I went out")
    assert "Bob went out" in mine.text
    assert "Waiting for Ann and Cleo" in mine.text
    assert "Bob went out" in harpers.mine(harpers.cleo).text
    harpers.tells(harpers.cleo, cards="K A")
    assert "Waiting for Ann" in harpers.mine(harpers.cleo).text
    harpers.tells(harpers.ann, seat=ANN, total="9")
    assert "All hands are in" in harpers.mine(harpers.cleo).text
    assert totals(harpers.save()) == [9, 0, 25]


def test_hands_that_are_still_to_come_are_no_fault(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="7 K")
    pads = harpers.review()
    assert pads.all("[role=alert]") == []
    assert pads.one("form[data-entry]").attrs["data-open"] == str(ANN)
    pads = harpers.ann.press(pads.form(), "review", 422)
    assert "Enter Ann's cards, or 0 if none are left" in pads.faults


def test_a_round_of_chicago_with_a_knock_and_a_whole_hand(site: Site, ann: Author) -> None:
    chicago = party(site, ann, "chicago")
    chicago.says(chicago.bob, "I knocked")
    chicago.tells(chicago.bob, cards="4")
    chicago.tells(chicago.cleo, hand="7H 8H 9H 4C KD QS 3D")
    chicago.tells(chicago.ann, seat=ANN, cards="K 9")
    assert totals(chicago.save()) == [19, 4, 27], "the run 7 8 9 of hearts is no loss"


def test_a_deal_of_zip_with_what_was_zipped(site: Site, ann: Author) -> None:
    zip_zilch = party(site, ann, "zip")
    zip_zilch.says(zip_zilch.bob, "I went out")
    zip_zilch.tells(zip_zilch.bob, zipped="20")
    zip_zilch.tells(zip_zilch.cleo, zipped="10", cards="K 2")
    zip_zilch.tells(zip_zilch.ann, seat=ANN, zipped="0", cards="3")
    assert totals(zip_zilch.save()) == [-3, 20, -5]


def test_a_deal_of_continental_that_the_others_pay(site: Site, ann: Author) -> None:
    """CT-6: out 1, two jokers melded 2 each: 5 from each of two opponents."""
    continental = party(site, ann, "continental")
    continental.says(continental.bob, "I went out")
    page = continental.bob.show(f"{continental.path}/mine?pad=1")
    (form,) = [form for form in page.forms() if "/hands/" in form.action]
    form.fill("seat1-bonus-jokers", "2")
    continental.bob.press(form, "Done")
    assert totals(continental.save()) == [-5, 10, -5]


def test_a_deal_in_which_everybody_has_a_contract_of_their_own(site: Site, ann: Author) -> None:
    """Bob and Cleo met theirs and go on to the second; Ann stays on the first."""
    own = party(site, ann, TWO_STEPS)
    own.says(own.bob, "I went out")
    page = own.mine(own.cleo)
    (form,) = [form for form in page.forms() if "/hands/" in form.action]
    form.fill("seat2-cards", "K")
    form.typed["seat2-met"] = "1"
    own.cleo.press(form, "Done")
    own.tells(own.ann, seat=ANN, cards="A")
    own.save()
    plan = own.table.record.standing().upcoming
    assert plan
    assert [plan.steps[seat] for seat in (ANN, BOB, CLEO)] == [1, 2, 2]


def test_how_bob_went_out_is_told_by_bob_alone(site: Site, ann: Author) -> None:
    """Shanghai: out blind takes 25 off; what Cleo's phone says of it brings Bob nothing."""
    shanghai = party(site, ann, "shanghai")
    shanghai.says(shanghai.bob, "I went out")
    sent = {"seat2-cards": "K", "group-blind": "out_blind", "told": "0", "key": "cleo's"}
    token = shanghai.cleo.token()
    shanghai.cleo.post(f"{shanghai.path}/hands/1/2", {**sent, "csrf_token": token})
    shanghai.tells(shanghai.ann, seat=ANN, cards="K")
    assert totals(shanghai.save()) == [10, 0, 10]


def test_how_somebody_went_out_stays_theirs(site: Site, ann: Author) -> None:
    shanghai = party(site, ann, "shanghai")
    shanghai.says(shanghai.bob, "I went out")
    page = shanghai.bob.show(f"{shanghai.path}/mine?pad=1")
    (form,) = [form for form in page.forms() if "/hands/" in form.action]
    shanghai.bob.press(form.choose("group-blind", "out_blind"), "Done")
    shanghai.tells(shanghai.cleo, cards="K")
    shanghai.tells(shanghai.ann, seat=ANN, cards="K")
    assert totals(shanghai.save()) == [10, -25, 10]


def test_what_one_player_earned_is_told_on_their_own_phone(site: Site, ann: Author) -> None:
    """Liverpool in seven deals: the exact cut takes 50 off, and nobody claims it for another."""
    seven = party(site, ann, "liverpool-seven")
    seven.says(seven.bob, "I went out")
    page = seven.cleo.show(f"{seven.path}/mine?pad=1")
    (form,) = [form for form in page.forms() if "/hands/" in form.action]
    form.fill("bonus-cut", str(CLEO)).fill(f"seat{CLEO}-cards", "K")
    seven.cleo.press(form, "Done")
    seven.tells(seven.ann, seat=ANN, cards="K")
    assert totals(seven.save()) == [10, 0, -40]


def test_nobody_earns_for_somebody_else(site: Site, ann: Author) -> None:
    seven = party(site, ann, "liverpool-seven")
    seven.says(seven.bob, "I went out")
    token = seven.cleo.token()
    forged = {"bonus-cut": str(ANN), f"seat{CLEO}-one-cut": str(ANN), "key": "c", "told": "0"}
    cards = {f"seat{CLEO}-cards": "K", "csrf_token": token}
    seven.cleo.post(f"{seven.path}/hands/1/{CLEO}", {**forged, **cards})
    seven.tells(seven.ann, seat=ANN, cards="K")
    assert totals(seven.save()) == [10, 0, 10]


# --- Whose hand it is.


def test_a_player_opens_and_tells_only_their_own_hand(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    token = harpers.bob.token()
    for seat in (ANN, CLEO):
        address = f"{harpers.path}/hands/1/{seat}"
        refused = [
            harpers.bob.show(f"{harpers.path}/hands/{seat}", 403),
            harpers.bob.post(address, {"csrf_token": token, f"seat{seat}-cards": "2"}, 403),
        ]
        assert {page.heading for page in refused} == {"Only the scorekeeper can do this"}
    harpers.ann.show(f"{harpers.path}/hands/{BOB}")


def test_who_looks_on_sees_and_touches_nothing(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    table = harpers.eve.show(harpers.path)
    assert "Bob went out" in table.text
    assert not table.all("main form[method=post]")
    assert "No seat on this phone" in harpers.mine(harpers.eve).heading
    token = harpers.eve.token()
    device = {"csrf_token": token, "device": "1", "told": "1", "how": "out", "by": "2"}
    for address in ("/hands/1/2", "/endings", "/endings/back", "/hands/1/2/choices"):
        harpers.eve.post(f"{harpers.path}{address}", device, 403)
    for address in ("/hands/1/2/settled", "/hands/1/2/confirmations", "/deals"):
        harpers.eve.post(f"{harpers.path}{address}", device, 403)
    harpers.eve.show(f"{harpers.path}/deals/told", 403)


def test_a_player_neither_chooses_nor_takes_back_nor_saves(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    form = {"csrf_token": harpers.cleo.token(), "device": "3", "pulse": "2", "revision": "1"}
    for address in ("/endings/back", "/hands/1/2/choices", "/hands/1/2/settled", "/deals"):
        harpers.cleo.post(f"{harpers.path}{address}", form, 403)
    harpers.cleo.show(f"{harpers.path}/deals/told", 403)


def test_a_player_ends_the_deal_only_as_themselves(harpers: Party) -> None:
    token = harpers.bob.token()
    for by in (ANN, CLEO):
        form = {"csrf_token": token, "how": "out", "by": str(by), "seen": ""}
        page = harpers.bob.post(f"{harpers.path}/endings", form, 403)
        assert "only its own hand" in page.text


def test_nobody_confirms_their_own_hand(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    address, cleo = f"{harpers.path}/hands/1/2/confirmations", {"device": "3", "told": "1"}
    page = harpers.cleo.post(address, {**cleo, "csrf_token": harpers.cleo.token()}, 403)
    assert "Someone else has to confirm" in page.text
    harpers.bob.post(address, {**cleo, "csrf_token": harpers.bob.token()})
    assert "confirmed by Bob" in harpers.ann.show(harpers.path).text
    harpers.tells(harpers.cleo, cards="K A")
    assert "confirmed by" not in harpers.ann.show(harpers.path).text
    harpers.bob.post(address, {**cleo, "csrf_token": harpers.bob.token()}, 409)


def test_a_neighbour_confirms_where_the_league_wants_it(harpers: Party) -> None:
    """Cleo looks at the hand of Bob, to her right; before the league chose so nobody was asked."""
    ended = {"csrf_token": harpers.ann.token(), "how": "out", "by": str(ANN)}
    harpers.ann.post(f"{harpers.path}/endings", ended)
    harpers.tells(harpers.bob, cards="7 7")
    harpers.tells(harpers.cleo, cards="K")
    assert "hand is right" not in harpers.mine(harpers.cleo).text
    league = harpers.ann.show("/league/settings")
    harpers.ann.press(league.form("/settings/confirm_hands"))
    page = harpers.mine(harpers.cleo)
    assert "Bob has entered 7 7." in page.text
    assert "Bob ✓ in 7 7 not confirmed yet" in page.text
    assert "has entered" not in harpers.mine(harpers.bob).text
    confirmed = harpers.cleo.press(page.form("/hands/1/1/confirmations"))
    assert "Bob ✓ in 7 7 confirmed by Cleo" in confirmed.text


@pytest.mark.parametrize("tap", ["endings/back", "choices", "settled", "confirmations"])
def test_a_tap_that_another_site_made_up_does_nothing(harpers: Party, tap: str) -> None:
    """Without the token of this phone's own pages it is not this phone that asks."""
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    address = tap if tap.startswith("endings") else f"hands/1/2/{tap}"
    form = {"csrf_token": harpers.cleo.token(), "device": "3", "told": "1"}
    page = harpers.ann.post(f"{harpers.path}/{address}", form, 422)
    assert "Please send this again" in page.text


def test_another_league_finds_nothing_of_it(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    for address in ("", "/mine", "/live", "/far", "/hands/2", "/deals/told"):
        harpers.dev.show(f"{harpers.path}{address}", 404)
    form = {"csrf_token": harpers.dev.token(), "device": "3", "told": "1", "how": "out", "by": "0"}
    for address in ("/endings", "/endings/back", "/hands/1/2", "/deals"):
        harpers.dev.post(f"{harpers.path}{address}", form, 404)
    for address in ("choices", "settled", "confirmations"):
        harpers.dev.post(f"{harpers.path}/hands/1/2/{address}", form, 404)


def test_a_revoked_phone_is_out_at_its_next_request(harpers: Party, ann: Author) -> None:
    harpers.says(harpers.bob, "I went out")
    pad = harpers.mine(harpers.cleo)
    (form,) = [form for form in pad.forms() if "/hands/" in form.action]
    leagues.leave_league(Author(ann.league_id, 3))
    harpers.cleo.press(form.fill("seat2-cards", "K"), "Done", 404)
    for address in ("", "/mine", "/live", "/far"):
        harpers.cleo.show(f"{harpers.path}{address}", 404)


def waited_for(page: Page) -> list[str]:
    return [words(name) for name in page.all(".waited-for .grow > span > bdi")]


# --- Two phones.


def test_two_versions_are_shown_with_names_and_one_is_chosen(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.tells(harpers.ann, seat=CLEO, cards="K")
    harpers.tells(harpers.cleo, status=303, cards="A")
    table = harpers.ann.show(harpers.path)
    assert "entered in two ways" in table.text
    versions = [form for form in table.forms() if form.action.endswith("/choices")]
    (cleos,) = [form for form in versions if "Cleo" in words(form.element)]
    assert len(versions) == 2
    assert waited_for(table) == ["Cleo"]
    harpers.ann.press(cleos)
    assert totals(harpers.save()) == [9, 0, 15]


def test_the_second_who_went_out_hears_what_stands(harpers: Party) -> None:
    before = harpers.mine(harpers.cleo)
    harpers.says(harpers.bob, "I went out")
    (form,) = [form for form in before.forms() if form.action.endswith("/endings")]
    page = harpers.cleo.press(form, "I went out", 409)
    assert "Someone else has already entered how it ended: Bob went out." in page.text


def test_the_deal_goes_on_and_somebody_else_goes_out(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    table = harpers.ann.show(harpers.path)
    harpers.ann.press(table.form("/endings/back"))
    assert "I went out" in harpers.mine(harpers.bob).text
    harpers.says(harpers.cleo, "I went out")
    assert "Cleo went out" in harpers.ann.show(harpers.path).text


# --- The review.


def all_told(party: Party) -> None:
    party.says(party.bob, "I went out")
    party.tells(party.cleo, cards="K")
    party.tells(party.ann, seat=ANN, cards="9")


def test_a_hand_corrected_after_the_review_is_shown_before_it_is_saved(harpers: Party) -> None:
    all_told(harpers)
    review = harpers.review()
    harpers.tells(harpers.cleo, cards="K A")
    again = harpers.ann.press(review.form(), "save", 409)
    assert "Someone has entered or corrected a hand since" in again.text
    assert totals(harpers.ann.press(again.form(), "save")) == [9, 0, 25]


def test_what_changes_while_the_review_is_changed_is_shown_too(harpers: Party) -> None:
    """Back to the pads and to the review: it is still the same looking over."""
    all_told(harpers)
    pads = harpers.ann.press(harpers.review().form(), "change", 200)
    harpers.tells(harpers.cleo, cards="K A")
    review = harpers.ann.press(pads.form("/deals"), "review", 200)
    again = harpers.ann.press(review.form(), "save", 409)
    assert totals(harpers.ann.press(again.form(), "save")) == [9, 0, 25]


def test_what_was_typed_for_the_missing_is_kept_when_a_hand_changes(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    pads = harpers.review()
    form = pads.form("/deals").fill("seat0-cards", "9")
    review = harpers.ann.press(form, "review", 200)
    harpers.tells(harpers.cleo, cards="K A")
    again = harpers.ann.press(review.form(), "save", 409)
    assert totals(harpers.ann.press(again.form(), "save")) == [9, 0, 25]


def test_saving_twice_is_one_deal(harpers: Party) -> None:
    all_told(harpers)
    form = harpers.review().form()
    assert totals(harpers.ann.press(form, "save")) == [9, 0, 10]
    assert totals(harpers.ann.press(form, "save")) == [9, 0, 10]
    assert len(harpers.table.record.deals) == 1


def test_an_undone_deal_brings_the_hands_back(harpers: Party) -> None:
    all_told(harpers)
    saved = harpers.save()
    table = harpers.ann.press(saved.form("/restorations"))
    assert "Bob went out" in table.text
    harpers.tells(harpers.cleo, cards="K A")
    assert totals(harpers.save()) == [9, 0, 25]


def test_what_was_told_of_deals_undone_since_is_gone_when_they_are_played_anew(
    harpers: Party,
) -> None:
    for _ in range(2):
        all_told(harpers)
        harpers.save()
    harpers.table.revision = harpers.table.stored.revision
    harpers.table.restore(1)
    table = harpers.ann.show(harpers.path)
    assert "Bob went out" in table.text
    harpers.save()
    again = harpers.ann.show(harpers.path)
    assert "Deal 2 of 7" in again.text
    assert "Bob went out" not in again.text


def test_the_table_says_who_has_a_phone_and_whose_hand_is_in_before_the_deal_ends(
    harpers: Party,
) -> None:
    assert "Own phones: Bob and Cleo. No phone: Ann." in harpers.ann.show(harpers.path).text
    pad = harpers.cleo.show(f"{harpers.path}/mine?pad=1")
    (form,) = [form for form in pad.forms() if "/hands/" in form.action]
    mine = harpers.cleo.press(form.fill("seat2-cards", "K"), "Done")
    assert "Your hand is in" in mine.text
    assert "Hand in already: Cleo." in harpers.ann.show(harpers.path).text
    assert "Hand in already" not in harpers.bob.show(harpers.path).text


# --- Late.


@pytest.mark.parametrize(
    ("address", "button", "points"),
    [("/settled", "Leave it as saved", 10), ("/deals/1", "Change it to 25", 25)],
)
def test_a_late_hand_is_shown_with_both_points_only_if_they_differ(
    harpers: Party, address: str, button: str, points: int
) -> None:
    harpers.says(harpers.bob, "I went out")
    pad = harpers.mine(harpers.cleo)
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.tells(harpers.ann, seat=CLEO, cards="K")
    harpers.save()
    (form,) = [form for form in pad.forms() if "/hands/" in form.action]
    harpers.cleo.press(form.fill("seat2-cards", "Q"), "Done")
    assert "Leave it as saved" not in harpers.ann.show(harpers.path).text, "a queen is a king"
    form.typed |= {"seat2-cards": "Q A", "key": "again", "told": "1"}
    harpers.cleo.press(form, "Done")
    table = harpers.ann.show(harpers.path)
    assert "Cleo's phone sent Q A (25) after 10 had been saved" in table.text
    assert "Leave it as saved" not in harpers.cleo.show(harpers.path).text
    after = harpers.ann.press(table.form(address), button)
    assert "Leave it as saved" not in after.text
    assert totals(after) == [9, 0, points]


def test_a_late_bonus_is_shown(site: Site, ann: Author) -> None:
    continental = party(site, ann, "continental")
    continental.says(continental.bob, "I went out")
    page = continental.bob.show(f"{continental.path}/mine?pad=1")
    continental.save()
    (form,) = [form for form in page.forms() if "/hands/" in form.action]
    continental.bob.press(form.fill("seat1-bonus-jokers", "2"), "Done")
    assert "after 22 had been saved" in continental.ann.show(continental.path).text


def test_a_late_hand_of_the_last_deal_is_kept(site: Site, ann: Author) -> None:
    """The game is over meanwhile, and Cleo is out of it: her hand is kept all the same."""
    chicago = party(site, ann, "chicago")
    chicago.says(chicago.bob, "I knocked")
    pad = chicago.mine(chicago.cleo)
    chicago.tells(chicago.bob, cards="4")
    chicago.tells(chicago.ann, seat=ANN, total="20")
    chicago.tells(chicago.ann, seat=CLEO, total="101")
    chicago.save()
    (form,) = [form for form in pad.forms() if "/hands/" in form.action]
    chicago.cleo.press(form.fill("seat2-cards", "K 9"), "Done")
    assert "sent K 9 (19) after 101 had been saved" in chicago.ann.show(chicago.path).text


def test_a_late_hand_told_again_meanwhile_goes_to_its_own_deal_once_more(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    pad = harpers.mine(harpers.cleo)
    harpers.tells(harpers.cleo, cards="K")
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.save()
    (form,) = [form for form in pad.forms() if "/hands/" in form.action]
    again = harpers.cleo.press(form.fill("seat2-cards", "K A"), "Done", 409)
    assert "sent a newer hand" in again.faults
    (form,) = [form for form in again.forms() if "/hands/" in form.action]
    assert form.action == f"{harpers.path}/hands/1/2"
    harpers.cleo.press(form, "Done")
    assert "sent K A (25) after 10 had been saved" in harpers.ann.show(harpers.path).text


# --- The outbox.


def test_the_answers_of_the_outbox(harpers: Party) -> None:
    bob, cleo = harpers.bob, harpers.cleo
    ended = {"how": "out", "by": "1", "seen": "", "position": "1"}
    assert harpers.sends(bob, "/endings", 200, **ended) == {**TAKEN, "early": False}
    other = harpers.sends(cleo, "/endings", 409, **{**ended, "by": "2"})
    assert (other["taken"], other["early"]) == (False, False)
    assert "Bob went out" in other["words"]
    hand = {"key": "one", "told": "0", "seat2__cards": "K"}
    for _ in range(2):
        assert harpers.sends(cleo, "/hands/1/2", 200, **hand) == {"taken": True, "told": 1}
    stale = harpers.sends(cleo, "/hands/1/2", 409, **{**hand, "key": "two"})
    assert (stale["taken"], stale["early"]) == (False, False)
    early = harpers.sends(cleo, "/hands/2/2", 409, **{**hand, "key": "three"})
    assert (early["taken"], early["early"]) == (False, True)
    early = harpers.sends(bob, "/endings", 409, **{**ended, "position": "2"})
    assert (early["taken"], early["early"]) == (False, True)
    newer = {"key": "four", "told": "0", "instead": "lost one", "seat2__cards": "K A"}
    assert harpers.sends(cleo, "/hands/1/2", 200, **newer) == {"taken": True, "told": 2}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"seat2__cards": "K K Q$"}, "Cleo"),
        ({"seat2__total": "1e3"}, "1E3 is no card"),
        ({"seat2__cards": ""}, "Enter Cleo's cards, or 0 if none are left"),
        ({"seat1__cards": "K"}, "Enter Cleo's cards, or 0 if none are left"),
        ({"seat2__cards": "K", "csrf_token": "old"}, "send it again"),
    ],
)
def test_a_letter_that_cannot_be_read_says_why(
    harpers: Party, typed: dict[str, str], said: str
) -> None:
    answer = harpers.sends(harpers.cleo, "/hands/1/2", 422, key="one", told="0", **typed)
    assert (answer["taken"], answer["early"]) == (False, False)
    assert said in answer["words"]


def test_a_letter_of_somebody_elses_hand_is_refused_as_data(harpers: Party) -> None:
    hand = {"key": "one", "told": "0", "seat2__cards": "K"}
    for phone, status in ((harpers.bob, 403), (harpers.eve, 403), (harpers.dev, 404)):
        answer = harpers.sends(phone, "/hands/1/2", status, **hand)
        assert (answer["taken"], answer["early"]) == (False, False)
        assert answer["words"]


@pytest.mark.parametrize("place", ["/hands/0/2", "/hands/99999999999999999999/2", "/hands/1/99"])
def test_a_letter_of_no_hand_is_refused(harpers: Party, place: str) -> None:
    form = {"csrf_token": harpers.ann.token(), "key": "k", "told": "0", "seat2-cards": "K"}
    answer = harpers.ann.send(f"{harpers.path}{place}", "POST", data=form, headers=DATA)
    assert answer.status_code in (404, 409, 422)
    assert harpers.ann.show(harpers.path).heading


# --- What is live.


def test_live_says_nothing_while_nothing_changes_and_something_after_each_change(
    harpers: Party,
) -> None:
    seen: list[str] = []

    def moved() -> None:
        """Every phone sees the same new state, and then nothing more."""
        answers = [
            phone.send(f"{harpers.path}/live", headers={"If-None-Match": seen[-1] if seen else ""})
            for phone in (harpers.ann, harpers.bob, harpers.eve)
        ]
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        (tag,) = {answer.headers["ETag"] for answer in answers}
        assert tag not in seen, "a state that was there before: a page would stay stale"
        seen.append(tag)
        still = harpers.bob.send(f"{harpers.path}/live", headers={"If-None-Match": tag})
        assert (still.status_code, still.data) == (304, b"")
        page = harpers.ann.show(harpers.path)
        assert page.all("[data-live]")[0].attrs["data-mark"] == tag.strip('"')

    moved()
    harpers.says(harpers.bob, "I went out")
    moved()
    harpers.ann.press(harpers.ann.show(harpers.path).form("/endings/back"))
    moved()
    harpers.says(harpers.bob, "I went out")
    moved()
    harpers.tells(harpers.cleo, cards="K")
    moved()
    harpers.tells(harpers.cleo, cards="A")
    moved()
    harpers.tells(harpers.ann, seat=CLEO, cards="9")
    moved()
    choice = next(
        form for form in harpers.ann.show(harpers.path).forms() if form.action.endswith("/choices")
    )
    harpers.ann.press(choice)
    moved()
    confirm = {"csrf_token": harpers.bob.token(), "device": "3", "told": "2"}
    harpers.bob.post(f"{harpers.path}/hands/1/2/confirmations", confirm)
    moved()
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    moved()
    harpers.ann.press(harpers.review().form(), "save")
    moved()
    harpers.ann.press(harpers.ann.show(f"{harpers.path}?saved=2").form("/restorations"))
    moved()


@pytest.fixture
def noted(app: Flask) -> Iterator[Path]:
    """Where it lies who is here: nobody yet, and nobody after."""
    folder = Path(app.instance_path)
    forget_all(folder)
    yield folder / FOLDER
    forget_all(folder)


def here(table: Page) -> list[str]:
    """Name the players whose phones the table shows as connected."""
    marks = [one for one in table.elements if "data-phones" in (one.attrs or {})]
    shown = [one.parent for one in marks if "hidden" not in (one.attrs or {}) and one.parent]
    return [words(one).removesuffix(" ●connected") for one in shown if one.name == "span"]


def test_the_table_shows_whose_phone_asked_in_the_last_seconds(harpers: Party, noted: Path) -> None:
    """Beside a state that stays the same, and never to another league."""
    assert here(harpers.ann.show(harpers.path)) == []
    harpers.mine(harpers.bob)
    harpers.cleo.send(f"{harpers.path}/live", headers={"X-Away": "1"})
    table = harpers.ann.show(harpers.path)
    assert here(table) == ["Bob"], "a hidden page is away"
    harpers.cleo.send(f"{harpers.path}/live")
    (live,) = table.all("[data-live]")
    tag = {"If-None-Match": f'"{attribute(live, "data-mark")}"'}
    still = harpers.ann.send(attribute(live, "data-live"), headers=tag)
    assert (still.status_code, still.headers["X-Here"]) == (304, "2 3")
    odd = f"{harpers.path}/live?phones=2-x--9-3-" + "9-" * 500
    assert harpers.ann.send(odd).headers["X-Here"] == "2 3"
    assert "X-Here" not in harpers.eve.send(f"{harpers.path}/live").headers
    devs = Table.start(Author(2, 5), "Dev", "Fay", "Gil").game_id
    assert harpers.dev.send(f"/games/{devs}/live?phones=2-3").headers["X-Here"] == ""
    long_ago = time.time() - SECONDS - 1
    os.utime(noted / "1-2", (long_ago, long_ago))
    assert here(harpers.ann.show(harpers.path)) == ["Cleo"]
    harpers.says(harpers.bob, "I went out")
    assert here(harpers.ann.show(harpers.path)) == ["Bob", "Cleo"]


def test_a_table_is_shown_where_nobody_can_be_noted(harpers: Party, noted: Path) -> None:
    noted.write_text("no folder")
    harpers.mine(harpers.bob)
    table = harpers.ann.show(harpers.path)
    noted.unlink()
    assert (table.heading, here(table)) == ("Contract Rummy", [])


def test_the_end_of_the_game_is_live_too(site: Site, ann: Author) -> None:
    chicago = party(site, ann, "chicago")
    chicago.says(chicago.bob, "I knocked")
    chicago.tells(chicago.bob, cards="4")
    chicago.tells(chicago.ann, seat=ANN, total="101")
    chicago.tells(chicago.ann, seat=CLEO, total="102")
    assert places(chicago.save()) == ["1. Bob: 4", "2. Ann: 101", "3. Cleo: 102"]
    assert chicago.bob.send(f"{chicago.path}/live").text.endswith(".finished")
    for phone in (chicago.ann, chicago.bob, chicago.cleo, chicago.eve):
        for address in ("", "/mine", "/far"):
            phone.show(f"{chicago.path}{address}")


def test_every_phone_follows_its_player_into_the_rematch(site: Site, ann: Author) -> None:
    """Bob's page goes on to the next game by itself; Eve, who only looks on, has no seat there."""
    chicago = party(site, ann, "chicago")
    chicago.says(chicago.bob, "I knocked")
    chicago.tells(chicago.bob, cards="4")
    chicago.tells(chicago.ann, seat=ANN, total="101")
    chicago.tells(chicago.ann, seat=CLEO, total="102")
    chicago.save()
    before = chicago.bob.send(f"{chicago.path}/live")
    again = chicago.ann.press(chicago.ann.show(chicago.path).form("/rematch"))
    after = chicago.bob.send(
        f"{chicago.path}/live", headers={"If-None-Match": before.headers["ETag"]}
    )
    assert after.status_code == 200
    assert chicago.bob.send(f"{chicago.path}/mine").location == f"{again.path}/mine"
    assert chicago.bob.show(f"{again.path}/mine").heading == "Bob"
    assert chicago.eve.send(f"{chicago.path}/live").text == before.text
    assert "No seat on this phone" in chicago.eve.show(f"{chicago.path}/mine").heading
