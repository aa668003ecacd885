"""What phones tell of the deal on the table: whose hand it is, what stands, and what came late."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from companion.games.changes import ChangeError, throw_in
from companion.games.locking import NoSuchGameError
from companion.games.writer import StaleError
from companion.people import leagues, merging
from companion.phones import hand_reports, pending_deal
from companion.phones.hand_reports import (
    EarlyError,
    HandsChangedError,
    OtherEndingError,
    ReportStaleError,
)
from companion.phones.pending_deal import EndedDeal
from companion.store.authors import Author, NotAllowedError
from companion.store.models import Player, db
from tests.leagues.game_driver import Table, told, unchanged
from tests.leagues.own_phones import PendingTable, own_phone
from tests.support.reports import ANN, BOB, CLEO, THREE

pytestmark = pytest.mark.sql


@pytest.fixture
def table(ann: Author) -> PendingTable:
    """Ann, Bob and Cleo at Contract Rummy, nothing dealt yet; Ann keeps the score."""
    return PendingTable(Table.start(ann, *THREE))


@pytest.fixture
def bob(table: PendingTable) -> Author:
    """Bob's own phone."""
    return own_phone(table.table.author, "Bob")


@pytest.fixture
def cleo(table: PendingTable) -> Author:
    """Cleo's own phone."""
    return own_phone(table.table.author, "Cleo")


@pytest.fixture
def eve(table: PendingTable) -> Author:
    """A phone that looks on from home."""
    return own_phone(table.table.author, "Eve", "viewer")


# --- Whose hand it is.


def test_a_player_tells_only_their_own_hand(table: PendingTable, bob: Author) -> None:
    assert table.hand(bob, BOB, "K") == 1
    for seat in (ANN, CLEO):
        with unchanged(), pytest.raises(NotAllowedError, match="only its own hand"):
            table.hand(bob, seat, "K")
    assert table.cards(BOB) == {"Bob": "K"}
    assert not table.cards(CLEO)


def test_whoever_keeps_the_score_tells_anybodys_hand(table: PendingTable, ann: Author) -> None:
    second = own_phone(ann, "Laptop", "scorekeeper")
    for seat in (ANN, BOB, CLEO):
        table.hand(ann, seat, "K")
        table.hand(second, seat, "K")
    assert {seat: len(told) for seat, told in table.now().reports.items()} == {0: 2, 1: 2, 2: 2}


def test_who_looks_on_or_sits_elsewhere_tells_nothing(
    table: PendingTable, eve: Author, dev: Author
) -> None:
    finn = own_phone(table.table.author, "Finn")
    for seat in (ANN, BOB, CLEO):
        for phone in (eve, finn):
            with unchanged(), pytest.raises(NotAllowedError):
                table.hand(phone, seat, "K")
        with unchanged(), pytest.raises(NoSuchGameError):
            table.hand(dev, seat, "K")


def test_a_phone_of_somebody_merged_tells_the_hand_of_that_person(
    table: PendingTable, ann: Author
) -> None:
    """A phone is a person's, by whichever of their names they sat down."""
    other = Table.start(ann, "Ann", "Cleopatra", "Finn")
    phone = own_phone(ann, "Cleopatra")
    people = _entries(ann)
    merging.merge(ann, "key", people["Cleo"], people["Cleopatra"])
    assert table.hand(phone, CLEO, "K") == 1
    assert PendingTable(other).hand(phone, BOB, "K") == 1
    with unchanged(), pytest.raises(NotAllowedError):
        table.hand(phone, BOB, "K")


def _entries(author: Author) -> dict[str, int]:
    rows = select(Player.name, Player.id).where(Player.league_id == author.league_id)
    entries: dict[str, int] = dict(db.session.execute(rows).all())
    return entries


def test_a_revoked_phone_tells_nothing_more_and_what_it_told_stays(
    table: PendingTable, bob: Author
) -> None:
    table.hand(bob, BOB, "K")
    leagues.leave_league(bob)
    tries: list[Callable[[], object]] = [
        lambda: table.hand(bob, BOB, "A", seen=1),
        lambda: table.end(bob, BOB),
        lambda: hand_reports.confirm(bob, table.table.game_id, 1, CLEO, bob.device_id, 1),
    ]
    for attempt in tries:
        with unchanged(), pytest.raises(NotAllowedError, match="no longer in the league"):
            attempt()
    assert table.cards(BOB) == {"Bob": "K"}


@pytest.mark.parametrize("seat", [3, 99])
def test_a_seat_that_there_is_not_has_no_hand(table: PendingTable, seat: int) -> None:
    with unchanged(), pytest.raises(ChangeError, match="no such seat"):
        table.hand(table.table.author, seat, "K")


@pytest.mark.parametrize("position", [0, -1])
def test_a_deal_that_there_is_not_has_no_hand(table: PendingTable, position: int) -> None:
    table.table.score(0, 5, 10)
    with unchanged(), pytest.raises((ChangeError, StaleError)):
        table.hand(table.table.author, BOB, "K", position=position)


@pytest.mark.parametrize("number", [2**31, 2**63, 10**30])
def test_numbers_that_no_database_holds_name_nothing(table: PendingTable, number: int) -> None:
    ann, game = table.table.author, table.table.game_id
    tries: list[Callable[[], object]] = [
        lambda: table.hand(ann, BOB, "K", position=number),
        lambda: table.hand(ann, number, "K"),
        lambda: hand_reports.choose(ann, game, number, BOB, 1),
        lambda: hand_reports.choose(ann, game, 1, number, 1),
        lambda: hand_reports.choose(ann, game, 1, BOB, number),
        lambda: hand_reports.confirm(ann, game, number, BOB, 1, 1),
        lambda: hand_reports.confirm(ann, game, 1, number, 1, 1),
        lambda: hand_reports.settle(ann, game, number, BOB),
        lambda: hand_reports.settle(ann, game, 1, number),
        lambda: hand_reports.end_deal(ann, game, number, EndedDeal("", None), ""),
        lambda: hand_reports.go_on(ann, game, number),
    ]
    for attempt in tries:
        with unchanged(), pytest.raises((ChangeError, StaleError)):
            attempt()


# --- Sent twice, late, out of order, without an answer.


def test_sent_twice_is_one(table: PendingTable, bob: Author) -> None:
    assert table.hand(bob, BOB, "K", key="one") == 1
    with unchanged():
        assert table.hand(bob, BOB, "K", key="one") == 1


def test_told_again_it_is_the_newer(table: PendingTable, bob: Author) -> None:
    table.hand(bob, BOB, "K")
    assert table.hand(bob, BOB, "K A", seen=1) == 2
    assert table.cards(BOB) == {"Bob": "K A"}


def test_a_late_duplicate_of_the_first_telling_never_overwrites_the_second(
    table: PendingTable, bob: Author
) -> None:
    table.hand(bob, BOB, "K", key="one")
    table.hand(bob, BOB, "K A", seen=1, key="two")
    with unchanged(), pytest.raises(ReportStaleError):
        table.hand(bob, BOB, "K", key="one")
    assert table.cards(BOB) == {"Bob": "K A"}


@pytest.mark.parametrize("seen", [0, 1, 3])
def test_a_page_older_or_newer_than_what_was_told_changes_nothing(
    table: PendingTable, bob: Author, seen: int
) -> None:
    table.hand(bob, BOB, "K")
    table.hand(bob, BOB, "A", seen=1)
    with unchanged(), pytest.raises(ReportStaleError):
        table.hand(bob, BOB, "9", seen=seen)


def test_a_lost_answer_and_then_another_hand_keeps_the_newer(
    table: PendingTable, bob: Author
) -> None:
    table.hand(bob, BOB, "K", key="lost")
    assert table.hand(bob, BOB, "K A", key="new", instead=("lost",)) == 2
    with unchanged():
        assert table.hand(bob, BOB, "K A", key="new", instead=("lost",)) == 2
    with unchanged(), pytest.raises(ReportStaleError):
        table.hand(bob, BOB, "K", key="lost")
    assert table.cards(BOB) == {"Bob": "K A"}


def test_what_never_arrived_is_stood_for_as_well(table: PendingTable, bob: Author) -> None:
    assert table.hand(bob, BOB, "K A", key="new", instead=("lost",)) == 1
    with unchanged(), pytest.raises(ReportStaleError):
        table.hand(bob, BOB, "K", key="lost")
    assert table.cards(BOB) == {"Bob": "K A"}


def test_one_phone_cannot_stand_for_another_phones_telling(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    """Keys are each phone's own: the same key from two phones is two tellings."""
    table.hand(ann, BOB, "K", key="one")
    table.hand(bob, BOB, "A", key="one")
    assert table.hand(ann, BOB, "K", key="one") == 1
    assert table.cards(BOB) == {"": "K", "Bob": "A"}
    with unchanged(), pytest.raises(ReportStaleError):
        table.hand(bob, BOB, "9", key="two", instead=("other", f"{ann.device_id}.one"))


def test_one_key_for_two_hands_or_games_is_two_tellings(table: PendingTable, ann: Author) -> None:
    other = PendingTable(Table.start(ann, *THREE))
    assert table.hand(ann, BOB, "K", key="one") == 1
    assert table.hand(ann, CLEO, "A", key="one") == 1
    assert other.hand(ann, BOB, "9", key="one") == 1
    assert (table.cards(BOB), table.cards(CLEO)) == ({"": "K"}, {"": "A"})


def test_the_longest_keys_stay_apart(table: PendingTable, ann: Author) -> None:
    long = "k" * 63
    table.hand(ann, BOB, "K", key=f"{long}1")
    assert table.hand(ann, CLEO, "A", key=f"{long}2") == 1


# --- Two phones, two versions.


def test_two_phones_that_agree_are_one_version(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    table.hand(ann, BOB, "K")
    table.hand(bob, BOB, "K")
    assert not table.now().is_split(BOB)
    agreed = table.now().agreed(BOB)
    assert agreed
    assert agreed.entered == {"cards": "K"}


def test_two_phones_that_differ_are_two_versions_until_one_is_chosen(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    table.hand(ann, BOB, "K")
    table.hand(bob, BOB, "A")
    assert table.cards(BOB) == {"": "K", "Bob": "A"}
    assert table.now().is_split(BOB)
    for phone, cards in ((bob, "A"), (ann, "K"), (bob, "A")):
        hand_reports.choose(ann, table.table.game_id, 1, BOB, phone.device_id)
        agreed = table.now().agreed(BOB)
        assert agreed
        assert (agreed.device_id, agreed.entered) == (phone.device_id, {"cards": cards})


def test_phones_of_one_person_are_told_apart_by_what_they_are_called(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    one, other = own_phone(ann, "Bob", token="one"), own_phone(ann, "Bob", token="other")
    for phone, cards in ((bob, "K"), (one, "A"), (other, "2")):
        table.hand(phone, BOB, cards)
    phones = [("Bob, Bob's phone", "K"), ("Bob, Bob's phone 2", "A"), ("Bob, Bob's phone 3", "2")]
    assert list(table.cards(BOB).items()) == phones


def test_after_a_choice_a_new_version_is_chosen_from_again(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    table.hand(ann, BOB, "K")
    table.hand(bob, BOB, "A")
    hand_reports.choose(ann, table.table.game_id, 1, BOB, bob.device_id)
    table.hand(ann, BOB, "9", seen=1)
    assert table.now().is_split(BOB)


def test_only_what_a_phone_told_can_be_chosen(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    table.hand(ann, BOB, "K")
    with unchanged(), pytest.raises(ChangeError, match="hasn't entered this hand"):
        hand_reports.choose(ann, table.table.game_id, 1, BOB, bob.device_id)
    with unchanged(), pytest.raises(ChangeError, match="hasn't entered this hand"):
        hand_reports.choose(ann, table.table.game_id, 1, CLEO, ann.device_id)


# --- How the deal ended.


def test_who_went_out_is_told_once_and_the_second_phone_hears_what_stands(
    table: PendingTable, bob: Author, cleo: Author
) -> None:
    table.end(bob, BOB)
    with unchanged():
        table.end(bob, BOB)
    with unchanged(), pytest.raises(OtherEndingError) as fault:
        table.end(cleo, CLEO)
    assert fault.value.stored == EndedDeal("out", BOB)
    table.end(cleo, CLEO, seen="out:1")
    assert table.now().ended == EndedDeal("out", CLEO)
    with unchanged(), pytest.raises(OtherEndingError):
        table.end(bob, BOB)


def test_a_player_ends_the_deal_only_as_themselves(
    table: PendingTable, ann: Author, bob: Author, eve: Author
) -> None:
    for by in (None, ANN, CLEO):
        with unchanged(), pytest.raises(NotAllowedError):
            table.end(bob, by)
    with unchanged(), pytest.raises(NotAllowedError):
        table.end(eve, BOB)
    table.end(ann, None)
    assert table.now().ended == EndedDeal("", None)


def test_the_end_of_another_deal_is_late_or_early(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    with unchanged(), pytest.raises(EarlyError):
        table.end(bob, BOB, position=2)
    table.table.score(0, 5, 10)
    with unchanged(), pytest.raises(StaleError, match="already been saved"):
        table.end(bob, BOB)
    with unchanged(), pytest.raises(StaleError):
        hand_reports.go_on(ann, table.table.game_id, 1)


def test_the_deal_goes_on_and_the_hands_stay(table: PendingTable, ann: Author, bob: Author) -> None:
    table.end(bob, BOB)
    table.hand(ann, CLEO, "K")
    hand_reports.go_on(ann, table.table.game_id, 1)
    assert (table.now().ended, table.cards(CLEO)) == (None, {"": "K"})
    with unchanged():
        hand_reports.go_on(ann, table.table.game_id, 1)


# --- Saving from what was told.


def test_a_hand_corrected_after_the_review_stops_the_save(
    table: PendingTable, bob: Author, cleo: Author
) -> None:
    table.end(bob, BOB)
    table.hand(cleo, CLEO, "K")
    looked = table.table.stored.pulse
    table.hand(cleo, CLEO, "K A", seen=1)
    with unchanged(), pytest.raises(HandsChangedError):
        table.save(told(5, 0, 10), pulse=looked)
    table.save(told(5, 0, 25))
    assert table.table.totals == (5, 0, 25)


def test_any_telling_after_the_review_stops_the_save(
    table: PendingTable, ann: Author, bob: Author, cleo: Author
) -> None:
    game = table.table.game_id
    table.hand(ann, CLEO, "K")
    changes: list[Callable[[], object]] = [
        lambda: table.end(bob, BOB),
        lambda: table.hand(cleo, CLEO, "A"),
        lambda: hand_reports.choose(ann, game, 1, CLEO, cleo.device_id),
        lambda: hand_reports.confirm(bob, game, 1, CLEO, cleo.device_id, 1),
        lambda: table.end(cleo, CLEO, seen="out:1"),
        lambda: hand_reports.go_on(ann, game, 1),
    ]
    for change in changes:
        looked = table.table.stored.pulse
        change()
        with unchanged(), pytest.raises(HandsChangedError):
            table.save(told(5, 0, 10), pulse=looked)


def test_a_save_sent_twice_is_one_though_a_hand_came_meanwhile(
    table: PendingTable, cleo: Author
) -> None:
    table.hand(cleo, CLEO, "K")
    looked, seen = table.table.stored.pulse, table.table.revision
    table.save(told(5, 0, 10), key="save")
    table.hand(cleo, CLEO, "A", seen=1)
    table.table.revision = seen
    with unchanged():
        assert table.save(told(5, 0, 10), pulse=looked, key="save").repeated


def test_of_two_saves_from_the_same_hands_one_wins(table: PendingTable, cleo: Author) -> None:
    table.hand(cleo, CLEO, "K")
    looked, seen = table.table.stored.pulse, table.table.revision
    table.save(told(5, 0, 10))
    table.table.revision = seen
    with unchanged(), pytest.raises(StaleError):
        table.save(told(6, 0, 10), pulse=looked)


# --- What comes late or early.


def test_a_hand_of_a_deal_saved_meanwhile_is_kept_beside_it(
    table: PendingTable, cleo: Author
) -> None:
    table.save(told(5, 0, 10))
    assert table.hand(cleo, CLEO, "K A") == 1
    assert table.late() == [(1, CLEO, "Cleo", "K A")]
    assert table.table.totals == (5, 0, 10), "nothing counts until somebody corrects the deal"
    hand_reports.settle(table.table.author, table.table.game_id, 1, CLEO)
    assert table.late() == []
    table.hand(cleo, CLEO, "K A 2", seen=1)
    assert table.late() == [(1, CLEO, "Cleo", "K A 2")], "told anew it is looked at anew"


def test_hands_that_were_told_before_the_save_are_not_late(
    table: PendingTable, cleo: Author
) -> None:
    table.hand(cleo, CLEO, "K")
    table.save(told(5, 0, 10))
    assert table.late() == []


@pytest.mark.parametrize("position", [2, 3, 9])
def test_a_hand_of_a_later_deal_is_early_and_comes_again(
    table: PendingTable, cleo: Author, position: int
) -> None:
    with unchanged(), pytest.raises(EarlyError):
        table.hand(cleo, CLEO, "K", position=position, key="early")
    for _ in range(position - 1):
        table.table.change(lambda record: throw_in(record, "again"))
    assert table.hand(cleo, CLEO, "K", position=position, key="early") == 1


# --- What an undoing brings back.


def test_undoing_a_saved_deal_brings_what_was_told_back(
    table: PendingTable, bob: Author, cleo: Author
) -> None:
    table.end(bob, BOB)
    table.hand(cleo, CLEO, "K")
    table.save(told(5, 0, 10))
    table.table.restore(1)
    again = table.now()
    assert again.ended == EndedDeal("out", BOB)
    assert table.cards(CLEO) == {"Cleo": "K"}
    agreed = again.agreed(CLEO)
    assert agreed
    assert agreed.entered == {"cards": "K"}
    table.save(told(5, 0, 10))
    assert table.table.totals == (5, 0, 10)


def test_a_hand_that_came_late_is_a_version_again_once_the_deal_is_undone(
    table: PendingTable, ann: Author, cleo: Author
) -> None:
    """Nobody chose between the two: the save had only taken the one that was there."""
    table.hand(ann, CLEO, "K")
    table.save(told(5, 0, 10))
    table.hand(cleo, CLEO, "K A")
    table.table.restore(1)
    assert table.now().is_split(CLEO)


# --- A neighbour's confirmation.


def test_a_neighbour_confirms_and_a_correction_takes_it_away(
    table: PendingTable, bob: Author, cleo: Author
) -> None:
    game = table.table.game_id
    table.hand(cleo, CLEO, "K")
    hand_reports.confirm(bob, game, 1, CLEO, cleo.device_id, 1)
    (report,) = table.now().reports[CLEO]
    assert report.confirmed_by == "Bob"
    table.hand(cleo, CLEO, "K A", seen=1)
    (report,) = table.now().reports[CLEO]
    assert report.confirmed_by == ""
    with unchanged(), pytest.raises(StaleError, match="has changed since"):
        hand_reports.confirm(bob, game, 1, CLEO, cleo.device_id, 1)


def test_nobody_confirms_their_own_hand_nor_what_they_told(
    table: PendingTable, ann: Author, cleo: Author
) -> None:
    game = table.table.game_id
    table.hand(cleo, CLEO, "K")
    table.hand(ann, BOB, "A")
    second = own_phone(ann, "Cleo", token="cleo's tablet")
    for phone in (cleo, second):
        with unchanged(), pytest.raises(NotAllowedError, match="Someone else has to confirm"):
            hand_reports.confirm(phone, game, 1, CLEO, cleo.device_id, 1)
    with unchanged(), pytest.raises(NotAllowedError, match="Someone else has to confirm"):
        hand_reports.confirm(ann, game, 1, BOB, ann.device_id, 1)


def test_what_was_not_told_cannot_be_confirmed(
    table: PendingTable, bob: Author, cleo: Author
) -> None:
    with unchanged(), pytest.raises(StaleError):
        hand_reports.confirm(bob, table.table.game_id, 1, CLEO, cleo.device_id, 1)


# --- Another league.


def test_another_leagues_owner_can_do_nothing(
    table: PendingTable, dev: Author, cleo: Author
) -> None:
    game = table.table.game_id
    table.hand(cleo, CLEO, "K")
    tries: list[Callable[[], object]] = [
        lambda: table.hand(dev, CLEO, "K"),
        lambda: table.end(dev, None),
        lambda: hand_reports.go_on(dev, game, 1),
        lambda: hand_reports.choose(dev, game, 1, CLEO, cleo.device_id),
        lambda: hand_reports.confirm(dev, game, 1, CLEO, cleo.device_id, 1),
        lambda: hand_reports.settle(dev, game, 1, CLEO),
        lambda: hand_reports.save_deal(
            dev, game, 1, 1, "key", lambda record: throw_in(record, "again"), accepted=True
        ),
    ]
    for attempt in tries:
        with unchanged(), pytest.raises(NoSuchGameError):
            attempt()
    db.session.rollback()
    assert pending_deal.report_revision_of(db.session(), dev.league_id, game) is None
