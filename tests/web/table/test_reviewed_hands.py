"""Hands of several phones put together: two versions, the review, and what comes late."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from companion.games.writer import StaleError
from companion.phones import hand_reports
from companion.store.authors import Author
from companion.web.table import deal_form
from tests.support.reports import ANN, CLEO
from tests.visits.browserless import totals
from tests.visits.pages import Page, words
from tests.visits.phones import Site

from .phones_at_table import Party, party


def waited_for(page: Page) -> list[str]:
    return page.said(".waited-for .grow > span > bdi")


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
    page = harpers.cleo.press(before.form("/endings"), "I went out", 409)
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


def looked_over_again(party: Party, review: Page, shown: str = "") -> Page:
    """Save what was looked over, see that a hand changed since, and save it then."""
    again = party.ann.press(review.form(), "save", 409)
    assert "Someone has entered or corrected a hand since" in again.text
    assert shown in again.text
    return party.ann.press(again.form(), "save")


def test_a_hand_corrected_after_the_review_is_shown_before_it_is_saved(harpers: Party) -> None:
    all_told(harpers)
    review = harpers.review()
    harpers.tells(harpers.cleo, cards="K A")
    assert totals(looked_over_again(harpers, review)) == [9, 0, 25]


def test_what_changes_while_the_review_is_changed_is_shown_too(harpers: Party) -> None:
    """Back to the pads and to the review: it is still the same looking over."""
    all_told(harpers)
    pads = harpers.ann.press(harpers.review().form(), "change", 200)
    harpers.tells(harpers.cleo, cards="K A")
    review = harpers.ann.press(pads.form("/deals"), "review", 200)
    assert totals(looked_over_again(harpers, review)) == [9, 0, 25]


def test_what_was_typed_for_the_missing_is_kept_when_a_hand_changes(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    pads = harpers.review()
    form = pads.form("/deals").fill("seat0-cards", "9")
    review = harpers.ann.press(form, "review", 200)
    harpers.tells(harpers.cleo, cards="K A")
    assert totals(looked_over_again(harpers, review)) == [9, 0, 25]


def test_a_bonus_of_the_whole_deal_is_kept_when_a_hand_changes(site: Site, ann: Author) -> None:
    hearts = party(site, ann, "hearts")
    hearts.tells(hearts.cleo, total="26")
    pads = hearts.review().form("/deals")
    for seat in (0, 1):
        pads.fill(f"seat{seat}-total", "0")
    pads.choose("bonus-moon", "2")
    review = hearts.ann.press(pads, "review", 200)
    hearts.tells(hearts.cleo, total="13+13")
    assert totals(looked_over_again(hearts, review, "Shot the moon, −26")) == [26, 26, 0]


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
    form = pad.form_with("/hands/")
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
    form = pad.form_with("/hands/")
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


def test_a_late_hand_that_corrects_a_deal_is_looked_at_in_the_same_write(
    harpers: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the write fails, neither the points nor the question is gone."""
    harpers.says(harpers.bob, "I went out")
    pad = harpers.mine(harpers.cleo)
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.tells(harpers.ann, seat=CLEO, cards="K")
    harpers.save()
    harpers.cleo.press(pad.form_with("/hands/").fill("seat2-cards", "Q A"), "Done")
    form = harpers.ann.show(harpers.path).form("/deals/1")
    with monkeypatch.context() as failing:
        failing.setattr(hand_reports, "_dismiss", Mock(side_effect=StaleError("No.")))
        harpers.ann.press(form, "Change it to 25", status=409)
    table = harpers.ann.show(harpers.path)
    assert "Leave it as saved" in table.text
    assert totals(table) == [9, 0, 10]


def test_a_late_bonus_is_shown_and_taken(site: Site, ann: Author) -> None:
    continental = party(site, ann, "continental")
    continental.says(continental.bob, "I went out")
    page = continental.bob.show(continental.mine(continental.bob).link("pad=1"))
    continental.save()
    form = page.form_with("/hands/")
    continental.bob.press(form.fill("seat1-bonus-jokers", "2"), "Done")
    table = continental.ann.show(continental.path)
    assert "(10) after 22 had been saved" in table.text
    after = continental.ann.press(table.form("/deals/1"), "Change it to 10")
    assert totals(after) == [-5, 10, -5]


def test_a_late_hand_of_the_last_deal_is_kept(site: Site, ann: Author) -> None:
    """The game is over meanwhile, and Cleo is out of it: her hand is kept all the same."""
    chicago = party(site, ann, "chicago")
    chicago.says(chicago.bob, "I knocked")
    pad = chicago.mine(chicago.cleo)
    chicago.tells(chicago.bob, cards="4")
    chicago.tells(chicago.ann, seat=ANN, total="20")
    chicago.tells(chicago.ann, seat=CLEO, total="101")
    chicago.save()
    form = pad.form_with("/hands/")
    chicago.cleo.press(form.fill("seat2-cards", "K 9"), "Done")
    assert "sent K 9 (19) after 101 had been saved" in chicago.ann.show(chicago.path).text


def test_a_late_hand_told_again_meanwhile_goes_to_its_own_deal_once_more(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    pad = harpers.mine(harpers.cleo)
    harpers.tells(harpers.cleo, cards="K")
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.save()
    form = pad.form_with("/hands/")
    again = harpers.cleo.press(form.fill("seat2-cards", "K A"), "Done", 409)
    assert "sent a newer hand" in again.faults
    form = again.form_with("/hands/")
    assert form.action == f"{harpers.path}/hands/1/2"
    harpers.cleo.press(form, "Done")
    assert "sent K A (25) after 10 had been saved" in harpers.ann.show(harpers.path).text


def _saved_with_a_late_hand(harpers: Party) -> Page:
    """Cleo's king was saved, and her phone sends an ace more; what Ann's table shows of it."""
    harpers.says(harpers.bob, "I went out")
    pad = harpers.mine(harpers.cleo)
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.tells(harpers.ann, seat=CLEO, cards="K")
    harpers.save()
    harpers.cleo.press(pad.form_with("/hands/").fill("seat2-cards", "K A"), "Done")
    return harpers.ann.show(harpers.path)


def test_a_late_hand_is_scored_when_it_comes_and_not_at_each_look(
    harpers: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    _saved_with_a_late_hand(harpers)
    monkeypatch.setattr(deal_form, "amend_deal", Mock(side_effect=AssertionError))
    table = harpers.ann.show(harpers.path)
    assert "Cleo's phone sent K A (25) after 10 had been saved" in table.text


def test_a_late_hand_that_was_sent_again_is_looked_at_again(harpers: Party) -> None:
    table = _saved_with_a_late_hand(harpers)
    sent = {"seat2-cards": "K 2", "told": "1", "how": "out", "by": "1"}
    harpers.cleo.post(
        f"{harpers.path}/hands/1/2", {**sent, "csrf_token": harpers.cleo.token(), "key": "again"}
    )
    refused = harpers.ann.press(table.form("/deals/1"), "Change it to 25", 409)
    assert "This hand has changed since. Check it again." in refused.text
    assert totals(harpers.ann.press(harpers.ann.show(harpers.path).form("/deals/1"))) == [9, 0, 12]


def test_a_page_of_an_earlier_version_sends_the_late_hand_itself(harpers: Party) -> None:
    form = _saved_with_a_late_hand(harpers).form("/deals/1")
    sent = form.data() | {"late": "1", "how": "out", "by": "1", "seat2-cards": "K A"}
    del sent["told"]
    table = harpers.ann.follow(harpers.ann.post(form.action, sent))
    assert totals(table) == [9, 0, 25]
    assert "after 10 had been saved" not in table.text


def test_a_hand_sent_while_its_deal_was_undone_is_late_once_that_is_saved_again(
    harpers: Party,
) -> None:
    """What it would score was not asked when it came, for the deal was not saved then."""
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.ann, seat=ANN, cards="9")
    harpers.tells(harpers.cleo, cards="K")
    harpers.save()
    harpers.ann.press(harpers.ann.show(harpers.path).form("/restorations"))
    harpers.tells(harpers.cleo, cards="K A")
    table = harpers.ann.press(harpers.ann.show(f"{harpers.path}/history").forms()[0])
    assert "Cleo's phone sent K A after 10 had been saved" in table.text
    assert totals(harpers.ann.press(table.form("/deals/1"), "Change it")) == [9, 0, 25]


def test_the_review_of_a_deal_that_goes_on_shows_its_pads(site: Site, ann: Author) -> None:
    """Somebody took back meanwhile that the deal was over: nobody is asked how they went out."""
    shanghai = party(site, ann, "shanghai")
    assert shanghai.review().all("form[data-entry]")
