"""A deal saved from what phones told, what came late, and what an undoing brings back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.changes import throw_in
from companion.games.writer import StaleError
from companion.phones import hand_reports
from companion.phones.hand_reports import HandsChangedError, TooEarlyError
from companion.store.authors import Author
from tests.leagues.game_driver import told, unchanged
from tests.leagues.own_phones import PendingTable
from tests.support.reports import BOB, CLEO

pytestmark = pytest.mark.sql


# --- Saving from what was told.


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
        lambda: hand_reports.cancel_ending(ann, game, 1),
    ]
    for change in changes:
        looked = table.table.stored.report_revision
        change()
        with unchanged(), pytest.raises(HandsChangedError):
            table.save(told(5, 0, 10), report_revision=looked)


def test_a_save_sent_twice_is_one_though_a_hand_came_meanwhile(
    table: PendingTable, cleo: Author
) -> None:
    table.hand(cleo, CLEO, "K")
    looked, seen = table.table.stored.report_revision, table.table.revision
    table.save(told(5, 0, 10), key="save")
    table.hand(cleo, CLEO, "A", seen=1)
    table.table.revision = seen
    with unchanged():
        assert table.save(told(5, 0, 10), report_revision=looked, key="save").repeated


def test_of_two_saves_from_the_same_hands_one_wins(table: PendingTable, cleo: Author) -> None:
    table.hand(cleo, CLEO, "K")
    looked, seen = table.table.stored.report_revision, table.table.revision
    table.save(told(5, 0, 10))
    table.table.revision = seen
    with unchanged(), pytest.raises(StaleError):
        table.save(told(6, 0, 10), report_revision=looked)


# --- What comes late or early.


def test_a_hand_of_a_deal_saved_meanwhile_is_kept_beside_it(
    table: PendingTable, cleo: Author
) -> None:
    table.save(told(5, 0, 10))
    assert table.hand(cleo, CLEO, "K A") == 1
    assert table.late() == [(1, CLEO, "Cleo", "K A")]
    assert table.table.totals == (5, 0, 10), "nothing counts until somebody corrects the deal"
    hand_reports.dismiss_late(table.table.author, table.table.game_id, 1, CLEO)
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
    with unchanged(), pytest.raises(TooEarlyError):
        table.hand(cleo, CLEO, "K", position=position, key="early")
    for _ in range(position - 1):
        table.table.change(lambda record: throw_in(record, "again"))
    assert table.hand(cleo, CLEO, "K", position=position, key="early") == 1


# --- What an undoing brings back.


def test_a_hand_that_came_late_is_a_version_again_once_the_deal_is_undone(
    table: PendingTable, ann: Author, cleo: Author
) -> None:
    """Nobody chose between the two: the save had only taken the one that was there."""
    table.hand(ann, CLEO, "K")
    table.save(told(5, 0, 10))
    table.hand(cleo, CLEO, "K A")
    table.table.restore(1)
    assert table.now().agreed(CLEO) is None
