"""Forms that are old, sent twice or not ours: what was typed is kept, and nothing changed."""

from __future__ import annotations

import re

import pytest

from tests.visits.browserless import entry, game_of, review, score, start, totals
from tests.visits.pages import Page
from tests.visits.phones import Phone, Site


def _two_entries(site: Site) -> tuple[Phone, Page, Page]:
    phone = site.phone()
    table = start(phone, "contract-rummy")
    mine = entry(phone, table, "out", 0)
    score(phone, table, "out", 1, {0: "2 2", 2: "3 3"})
    stale = review(phone, mine, {1: "K", 2: "A"}, status=409)
    return phone, table, stale


def test_a_stale_entry_shows_both(site: Site) -> None:
    phone, table, stale = _two_entries(site)
    assert "Bob: K" in stale.text
    assert "Cleo: 6" in stale.text
    assert re.search(r"What is saved Deal 1 saved · \d\d:\d\d · \w+", stale.text)
    assert totals(phone.show(game_of(table))) == [4, 0, 6]
    mine = phone.press(stale.form(), status=200)
    assert mine.form().value("seat1-cards") == "K"
    table = review(phone, mine, {}, status=303)
    assert totals(table) == [0, 10, 15]


def test_a_deal_entered_ahead_of_the_table_is_refused(lone: Phone) -> None:
    """No page of ours sends it; what was entered for the second deal would be the first."""
    pad = entry(lone, start(lone, "contract-rummy"), "out", 0)
    form = pad.form().fill("seat1-cards", "K").fill("seat2-cards", "A")
    form.typed["position"] = "2"
    answer = lone.press(form, "review", status=409)
    assert "another deal than the one on the table" in answer.text


def test_a_key_of_another_game_is_refused_in_a_sentence_with_the_way_back(lone: Phone) -> None:
    """No page of ours sends it, and so no page of deals has an answer of its own for it."""
    hands = {1: "K", 2: "A"}
    first = review(lone, entry(lone, start(lone, "contract-rummy"), "out", 0), hands)
    lone.press(first.form(), "save")
    table = start(lone, "contract-rummy")
    second = review(lone, entry(lone, table, "out", 0), hands).form()
    second.typed["key"] = first.form().data()["key"]
    answer = lone.press(second, "save", 409)
    assert "This key was used for something else." in answer.text
    assert lone.show(answer.link(game_of(table))).path == game_of(table)


def test_what_is_stored_may_be_kept(site: Site) -> None:
    phone, table, stale = _two_entries(site)
    kept = phone.show(stale.link(game_of(table)))
    assert totals(kept) == [4, 0, 6]


def test_a_stale_correction_of_one_hand_keeps_the_others(lone: Phone) -> None:
    table = score(lone, start(lone, "contract-rummy"), "out", 0, {1: "K", 2: "A"})
    cell = lone.show(f"{game_of(table)}/deals/1/seats/1/cards")
    score(lone, table, "out", 1, {0: "2 2", 2: "3 3"})
    stale = lone.press(cell.form().fill("seat1-cards", "Q J"), "amend", 409)
    mine = lone.press(stale.form(), status=200)
    assert mine.form().value("seat2-cards") == "A", "nobody touched Cleo's hand"
    assert totals(review(lone, mine, {}, status=303)) == [4, 20, 21]


def test_a_stale_entry_of_a_deal_that_put_somebody_out_loses_nothing(lone: Phone) -> None:
    table = start(lone, "chicago-rummy")
    mine = entry(lone, table, "knock", 0)
    score(lone, table, "knock", 0, {0: "5", 1: "20", 2: "100"})
    stale = review(lone, mine, {0: "5", 1: "20", 2: "90"}, status=409)
    assert "Cleo: 90" in stale.text


def test_a_double_tap_is_one_deal(site: Site) -> None:
    phone = site.phone()
    table = start(phone, "contract-rummy")
    form = review(phone, entry(phone, table, "out", 0), {1: "K", 2: "A"}).form()
    answers = [phone.press(form, "save") for _ in range(2)]
    assert [totals(page) for page in answers] == [[0, 10, 15]] * 2
    assert len(site.dump()["deal"]) == 1


def test_a_game_started_twice_is_one_game(site: Site) -> None:
    phone = site.phone()
    form = phone.show("/games/new/zioncheck").form().fill("names", "Ann, Bob")
    assert phone.press(form).path == phone.press(form).path
    assert len(site.dump()["game"]) == 1


@pytest.mark.parametrize("token", [None, "", "false", "٣", "0" * 64])
def test_a_bad_token_gives_the_filled_form_back(lone: Phone, token: str | None) -> None:
    form = entry(lone, start(lone, "contract-rummy"), "out", 0).form()
    data = form.fill("seat1-cards", "K").fill("seat2-cards", "A").data()
    data |= {} if token is None else {"csrf_token": token}
    if token is None:
        del data["csrf_token"]
    page = lone.post(form.action, data, 422)
    assert page.faults
    assert totals(lone.show(game_of(page))) == [0, 0, 0]
    assert "K" in lone.press(page.form(), "review", 200).text, "sending it again works"


def test_a_bad_token_starts_no_game_and_seats_nobody(phone: Phone) -> None:
    form = phone.show("/games/new/zioncheck").form().fill("names", "Ann, Bob")
    page = phone.post(form.action, form.data() | {"csrf_token": "false"}, 422)
    assert page.form().value("names") == "Ann, Bob"
    table = phone.press(page.form())
    join = phone.show(table.link("/more/join")).form().fill("name", "Dev")
    sent = join.fill("sits_after", "0").data() | {"csrf_token": "false"}
    page = phone.post(join.action, sent, 422)
    assert (page.form().value("name"), page.form().value("sits_after")) == ("Dev", "0")


@pytest.mark.parametrize("name", ["Bob", "", "z" * 300])
def test_who_cannot_join(lone: Phone, name: str) -> None:
    table = score(lone, start(lone, "contract-rummy"), "out", 0, {1: "K", 2: "A"})
    form = lone.show(table.link("/more/join")).form()
    page = lone.press(form.fill("name", name).choose("start_rule", "average"), status=422)
    assert page.faults or page.all(".fault")
    assert page.form().value("name") == name
    assert page.form().data()["start_rule"] == "average"


def test_nobody_is_added_to_the_league_by_a_refusal(phone: Phone) -> None:
    table = start(phone, "zip-zilch-zero")
    form = phone.show(table.link("/more/join")).form().fill("name", "Newcomer")
    form.typed["revision"] = "77"
    assert phone.press(form, status=409).form().value("name") == "Newcomer"
    full = phone.press(phone.show(table.link("/more/join")).form().fill("name", "Dev"))
    form.typed["revision"] = "2"
    assert "at most" in phone.press(form, status=422).text
    asked = phone.show(full.link("/more/join"))
    assert "for 4 players at most, and so many play already" in asked.text
    assert not asked.all("main form")
