"""What phones tell of the deal on the table: whose hand it is, and how the deal ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from companion.games.changes import ChangeError, stop, throw_in
from companion.games.locking import NoSuchGameError
from companion.games.writer import StaleError
from companion.people import leagues, merging
from companion.phones import hand_reports, pending_deal
from companion.phones.hand_reports import OtherEndingError, TooEarlyError
from companion.phones.pending_deal import EndedDeal
from companion.store.authors import Author, NotAllowedError
from companion.store.models import Player, db
from tests.leagues.game_driver import Table, unchanged
from tests.leagues.own_phones import PendingTable, own_phone
from tests.support.reports import ANN, BOB, CLEO

pytestmark = pytest.mark.sql


def all_refused(fault: Any, words: str, *tries: Callable[[], object]) -> None:
    """See each of these refused, and nothing changed."""
    for attempt in tries:
        with unchanged(), pytest.raises(fault, match=words or None):
            attempt()


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
    all_refused(
        NotAllowedError,
        "no longer in the league",
        lambda: table.hand(bob, BOB, "A", seen=1),
        lambda: table.end(bob, BOB),
        lambda: hand_reports.confirm(bob, table.table.game_id, 1, CLEO, bob.device_id, 1),
    )
    assert table.cards(BOB) == {"Bob": "K"}


@pytest.mark.parametrize("seat", [3, 99])
def test_a_seat_that_there_is_not_has_no_hand(table: PendingTable, seat: int) -> None:
    with unchanged(), pytest.raises(ChangeError, match="no such seat"):
        table.hand(table.table.author, seat, "K")


@pytest.mark.parametrize("number", [-1, 2**31, 2**63, 10**30])
def test_numbers_that_no_database_holds_name_nothing(table: PendingTable, number: int) -> None:
    ann, game = table.table.author, table.table.game_id
    all_refused(
        (ChangeError, StaleError),
        "",
        lambda: table.hand(ann, BOB, "K", position=0),
        lambda: table.hand(ann, BOB, "K", position=number),
        lambda: table.hand(ann, number, "K"),
        lambda: hand_reports.choose(ann, game, number, BOB, 1),
        lambda: hand_reports.choose(ann, game, 1, number, 1),
        lambda: hand_reports.choose(ann, game, 1, BOB, number),
        lambda: hand_reports.confirm(ann, game, number, BOB, 1, 1),
        lambda: hand_reports.confirm(ann, game, 1, number, 1, 1),
        lambda: hand_reports.dismiss_late(ann, game, number, BOB),
        lambda: hand_reports.dismiss_late(ann, game, 1, number),
        lambda: hand_reports.end_deal(ann, game, number, EndedDeal("", None)),
        lambda: hand_reports.cancel_ending(ann, game, number),
    )


# --- How the deal ended.


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
    with unchanged(), pytest.raises(TooEarlyError):
        table.end(bob, BOB, position=2)
    table.table.score(0, 5, 10)
    with unchanged(), pytest.raises(StaleError, match="already been saved"):
        table.end(bob, BOB)
    with unchanged(), pytest.raises(StaleError):
        hand_reports.cancel_ending(ann, table.table.game_id, 1)
    table.table.change(lambda record: stop(record, stopped=True))
    with unchanged(), pytest.raises(StaleError):
        table.end(bob, BOB, position=2)


def test_the_first_ending_stands_until_it_is_taken_back(
    table: PendingTable, ann: Author, bob: Author, cleo: Author
) -> None:
    table.end(bob, BOB)
    with unchanged():
        table.end(bob, BOB)
    with unchanged(), pytest.raises(OtherEndingError) as refused:
        table.end(cleo, CLEO)
    assert refused.value.stored == EndedDeal("out", BOB)
    hand_reports.cancel_ending(ann, table.table.game_id, 1)
    table.end(cleo, CLEO)
    assert table.now().ended == EndedDeal("out", CLEO)


# --- A neighbour's confirmation.


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


def test_a_hand_told_again_is_confirmed_again(
    table: PendingTable, bob: Author, cleo: Author
) -> None:
    confirmed = (bob, table.table.game_id, 1, CLEO, cleo.device_id)
    table.hand(cleo, CLEO, "K")
    hand_reports.confirm(*confirmed, 1)
    assert [report.confirmed_by for report in table.now().reports[CLEO]] == ["Bob"]
    table.hand(cleo, CLEO, "A", seen=1)
    assert [report.confirmed_by for report in table.now().reports[CLEO]] == [""]
    with unchanged(), pytest.raises(StaleError, match="changed since"):
        hand_reports.confirm(*confirmed, 1)


# --- Another league.


def test_another_leagues_owner_can_do_nothing(
    table: PendingTable, dev: Author, cleo: Author
) -> None:
    game = table.table.game_id
    table.hand(cleo, CLEO, "K")
    all_refused(
        NoSuchGameError,
        "",
        lambda: table.hand(dev, CLEO, "K"),
        lambda: table.end(dev, None),
        lambda: hand_reports.cancel_ending(dev, game, 1),
        lambda: hand_reports.choose(dev, game, 1, CLEO, cleo.device_id),
        lambda: hand_reports.confirm(dev, game, 1, CLEO, cleo.device_id, 1),
        lambda: hand_reports.dismiss_late(dev, game, 1, CLEO),
        lambda: hand_reports.save_deal(
            dev, game, 1, 1, "key", lambda record: throw_in(record, "again"), accepted=True
        ),
    )
    db.session.rollback()
    state = pending_deal.live_states(db.session().connection(), [game])[game]
    assert state.league_id != dev.league_id
