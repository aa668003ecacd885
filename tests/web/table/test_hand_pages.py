"""Everybody's own phone at the table, by its pages alone and without scripts."""

from __future__ import annotations

from companion.games.changes import leave
from companion.store.authors import Author
from tests.support.reports import ANN, BOB, CLEO, TWO_STEPS
from tests.visits.browserless import totals
from tests.visits.phones import Site

from .phones_at_table import Party, party

# --- A deal from the last card to the new totals, game by game.


def test_a_deal_of_contract_rummy(harpers: Party) -> None:
    mine = harpers.says(harpers.bob, "I went out")
    assert "Bob went out" in mine.text
    assert "Still to come: Ann and Cleo" in mine.text
    assert "Bob went out" in harpers.mine(harpers.cleo).text
    harpers.tells(harpers.cleo, cards="K A")
    assert "Still to come: Ann" in harpers.mine(harpers.cleo).text
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
    assert "Enter Ann's cards. Only Bob went out" in pads.faults


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


def test_a_hand_of_zip_is_said_as_its_keys_are(site: Site, ann: Author) -> None:
    """The number beside it is what the hand scores, not what is left of it."""
    zip_zilch = party(site, ann, "zip")
    zip_zilch.says(zip_zilch.bob, "I went out")
    zip_zilch.tells(zip_zilch.cleo, zips="3R 2B AB", cards="10B 9R 4B")
    own = zip_zilch.mine(zip_zilch.cleo)
    assert "left +10 −9 +4, zipped −3 +2 +A" in own.text
    assert own.say(".felt .number") == "−17"
    assert "−17" in zip_zilch.ann.show(zip_zilch.path).say("[data-seat-state='2'] .number")


def test_a_deal_of_continental_that_the_others_pay(site: Site, ann: Author) -> None:
    """CT-6: out 1, two jokers melded 2 each: 5 from each of two opponents."""
    continental = party(site, ann, "continental")
    continental.says(continental.bob, "I went out")
    continental.tells(continental.bob, bonus_jokers="2")
    assert totals(continental.save()) == [-5, 10, -5]


def test_a_deal_in_which_everybody_has_a_contract_of_their_own(site: Site, ann: Author) -> None:
    """Bob and Cleo met theirs and go on to the second; Ann stays on the first."""
    own = party(site, ann, TWO_STEPS)
    own.says(own.bob, "I went out")
    page = own.mine(own.cleo)
    form = page.form_with("/hands/")
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
    page = shanghai.bob.show(shanghai.mine(shanghai.bob).link("pad=1"))
    form = page.form_with("/hands/")
    shanghai.bob.press(form.choose("group-blind", "out_blind"), "Done")
    shanghai.tells(shanghai.cleo, cards="K")
    shanghai.tells(shanghai.ann, seat=ANN, cards="K")
    assert totals(shanghai.save()) == [10, -25, 10]


def test_what_one_player_earned_is_told_on_their_own_phone(site: Site, ann: Author) -> None:
    """Liverpool in seven deals: the exact cut takes 50 off, and nobody claims it for another."""
    seven = party(site, ann, "liverpool-seven")
    seven.says(seven.bob, "I went out")
    page = seven.cleo.show(f"{seven.path}/mine?pad=1")
    form = page.form_with("/hands/")
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


def test_who_looks_on_is_offered_nothing(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    table = harpers.eve.show(harpers.path)
    assert "Bob went out" in table.text
    assert not table.all("main form[method=post]")
    assert "No seat on this phone" in harpers.mine(harpers.eve).heading


def test_ones_own_pad_says_how_the_deal_ended_and_you(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    hand = harpers.mine(harpers.cleo).one("[data-chips]")
    assert hand.attrs["data-empty"] == "Bob went out. Tap what you still hold."
    others = harpers.ann.show(f"{harpers.path}/hands/2").one("[data-chips]")
    assert others.attrs["data-empty"] == "Tap what Cleo still holds."


def test_ones_own_row_is_marked_on_ones_own_phone_alone(harpers: Party) -> None:
    for phone, seat in ((harpers.bob, BOB), (harpers.cleo, CLEO)):
        notes = harpers.mine(phone).said("table.board small")
        assert [seat for seat, note in enumerate(notes) if note.split(" ")[0] == "you"] == [seat]
    assert "you" not in harpers.eve.show(harpers.path).said("small span")


def test_whoever_said_it_of_themselves_takes_it_back(harpers: Party) -> None:
    mine = harpers.says(harpers.bob, "I went out")
    assert not [form for form in harpers.mine(harpers.cleo).forms() if "back" in form.action]
    form = {"csrf_token": harpers.cleo.token()}
    harpers.cleo.post(f"{harpers.path}/endings/back", form, 403)
    harpers.tells(harpers.cleo, cards="K")
    back = harpers.bob.press(mine.form("/endings/back"), "keep playing")
    assert "Is the deal over?" in back.text
    assert "Your hand is in" in harpers.mine(harpers.cleo).text, "what was entered stays"


def test_a_game_broken_off_has_no_winner_on_any_phone(harpers: Party) -> None:
    harpers.says(harpers.bob, "I went out")
    harpers.tells(harpers.cleo, cards="K")
    harpers.tells(harpers.ann, seat=ANN, total="9")
    harpers.save()
    harpers.ann.press(harpers.ann.show(f"{harpers.path}/more/stop").form())
    mine = harpers.mine(harpers.cleo)
    assert "Not finished" in mine.text
    assert "wins" not in mine.text
    assert "of 7" not in mine.heading


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
    assert "Bob ✓ in 7×2 2 × 7 not confirmed yet 14" in page.text
    assert "has entered" not in harpers.mine(harpers.bob).text
    confirmed = harpers.cleo.press(page.form("/hands/1/1/confirmations"))
    assert "Bob ✓ in 7×2 2 × 7 confirmed by Cleo 14" in confirmed.text


def test_the_pad_of_somebody_who_left_is_refused_in_a_sentence(harpers: Party) -> None:
    harpers.table.change(lambda record: leave(record, BOB, placed=False))
    page = harpers.ann.show(f"{harpers.path}/hands/{BOB}", 422)
    assert "Bob is not in this deal." in page.text
