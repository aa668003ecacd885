"""Hands told twice, late, out of order or by two phones: what stands."""

from __future__ import annotations

import pytest

from companion.cards import read_hand
from companion.games.changes import ChangeError
from companion.phones import hand_reports
from companion.phones.hand_reports import ReportStaleError
from companion.scoring import Tally
from companion.store.authors import Author
from tests.leagues.game_driver import Table, unchanged
from tests.leagues.own_phones import PendingTable
from tests.support.reports import BOB, CLEO

pytestmark = pytest.mark.sql


# --- Sent twice, late, out of order, without an answer.


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
    other = PendingTable(Table.start(ann))
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
    agreed = table.now().agreed(BOB)
    assert agreed
    assert agreed.tally == Tally(cards=read_hand("K"))


def test_two_phones_that_differ_are_two_versions_until_one_is_chosen(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    table.hand(ann, BOB, "K")
    table.hand(bob, BOB, "A")
    assert table.cards(BOB) == {"": "K", "Bob": "A"}
    assert table.now().agreed(BOB) is None
    for phone, cards in ((bob, "A"), (ann, "K"), (bob, "A")):
        hand_reports.choose(ann, table.table.game_id, 1, BOB, phone.device_id)
        agreed = table.now().agreed(BOB)
        assert agreed
        told = Tally(cards=read_hand(cards))
        assert (agreed.device_id, agreed.tally) == (phone.device_id, told)


def test_after_a_choice_a_new_version_is_chosen_from_again(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    table.hand(ann, BOB, "K")
    table.hand(bob, BOB, "A")
    hand_reports.choose(ann, table.table.game_id, 1, BOB, bob.device_id)
    table.hand(ann, BOB, "9", seen=1)
    assert table.now().agreed(BOB) is None


def test_only_what_a_phone_told_can_be_chosen(
    table: PendingTable, ann: Author, bob: Author
) -> None:
    table.hand(ann, BOB, "K")
    with unchanged(), pytest.raises(ChangeError, match="hasn't entered this hand"):
        hand_reports.choose(ann, table.table.game_id, 1, BOB, bob.device_id)
    with unchanged(), pytest.raises(ChangeError, match="hasn't entered this hand"):
        hand_reports.choose(ann, table.table.game_id, 1, CLEO, ann.device_id)
