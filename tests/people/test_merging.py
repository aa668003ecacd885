"""Two entries made one person, and two again."""

from fractions import Fraction

import pytest
from sqlalchemy import select

from companion.games.changes import ChangeError
from companion.games.shown.game_lists import regulars
from companion.games.shown.game_search import GameQuery, find_games
from companion.games.writer import StaleError, join_game, start_game
from companion.people import merging
from companion.people.merging import look_at_merge, merge
from companion.people.roster import PeopleError, archive, rename
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.models import Player, Seat, db
from tests.leagues.game_driver import Table, dump, unchanged
from tests.leagues.looked_back import check_league, looked_back
from tests.support.reports import ZIONCHECK

from .people_in_short import MAY, last_act, number, played, table_of_wins, undo, who


def make_one(author: Author, kept: str, gone: str, key: str = "one") -> None:
    merge(author, key, number(author, kept), number(author, gone))


def test_what_a_merge_would_come_to_is_shown_before(harpers: Author) -> None:
    looked_at = look_at_merge(
        db.session(), harpers.league_id, who(harpers, "Cleo"), who(harpers, "Chloe")
    )
    assert (looked_at.games, looked_at.wins, looked_at.objection) == (2, Fraction(1), "")


def test_two_entries_become_one_person(harpers: Author) -> None:
    make_one(harpers, "Cleo", "Chloe")
    assert table_of_wins(harpers) == {
        "Ann": (2, Fraction(1)),
        "Bob": (1, Fraction(0)),
        "Cleo": (2, Fraction(1)),
    }
    assert who(harpers, "Cleo").others == ("Chloe",)
    names = [g.names for g in find_games(db.session(), harpers.league_id, GameQuery()).games]
    assert names == [("Cleo", "Ann", "Bob"), ("Ann", "Cleo")]
    check_league(harpers.league_id)


def test_a_merge_is_undone_to_the_last_sum(harpers: Author) -> None:
    before = looked_back(harpers.league_id)
    players = dump()["player"]
    make_one(harpers, "Cleo", "Chloe")
    assert looked_back(harpers.league_id) != before
    undo(harpers)
    assert looked_back(harpers.league_id) == before
    assert dump()["player"] == players


def test_games_played_meanwhile_stay_with_the_name_kept(harpers: Author) -> None:
    make_one(harpers, "Cleo", "Chloe")
    played(harpers, "Chloe", "Ann", on=MAY)
    assert table_of_wins(harpers)["Cleo"] == (3, Fraction(2))
    undo(harpers)
    assert table_of_wins(harpers) == {
        "Ann": (3, Fraction(1)),
        "Bob": (1, Fraction(0)),
        "Chloe": (1, Fraction(0)),
        "Cleo": (2, Fraction(2)),
    }
    check_league(harpers.league_id)


def test_ratings_after_undoing_are_those_before(harpers: Author) -> None:
    before = [row.form for row in standings(db.session(), harpers.league_id)]
    make_one(harpers, "Cleo", "Chloe")
    db.session.rollback()
    cleo = next(r for r in standings(db.session(), harpers.league_id) if r.name == "Cleo")
    assert cleo.form
    assert cleo.form.games == 2
    undo(harpers)
    db.session.rollback()
    assert [row.form for row in standings(db.session(), harpers.league_id)] == before


def test_who_met_at_a_table_are_two_people(harpers: Author) -> None:
    with unchanged(), pytest.raises(PeopleError) as refused:
        make_one(harpers, "Cleo", "Bob")
    assert str(refused.value) == (
        "Cleo and Bob sat at one table in Zioncheck on 4 April 2026: they are two people."
    )
    Table.start(harpers, "Bob", "Chloe", variant=ZIONCHECK, on=MAY)
    with unchanged(), pytest.raises(PeopleError, match="Bob and Chloe sit at one table"):
        make_one(harpers, "Bob", "Chloe")


def test_two_who_met_as_others_are_not_made_one_either(harpers: Author) -> None:
    """Chloe is Cleo by now, and Cleo met Bob; Ann met them all."""
    make_one(harpers, "Cleo", "Chloe")
    Table.start(harpers, "Dora", "Chloe", variant=ZIONCHECK, on=MAY)
    for gone in ("Bob", "Dora", "Ann"):
        with unchanged(), pytest.raises(PeopleError, match="they are two people"):
            make_one(harpers, "Cleo", gone, key=gone)


def test_a_double_tap_makes_one_person_once(harpers: Author) -> None:
    kept, gone = number(harpers, "Cleo"), number(harpers, "Chloe")
    merge(harpers, "key", kept, gone)
    with unchanged():
        merge(harpers, "key", kept, gone)
    undo(harpers)
    with unchanged():
        undo(harpers)
        merge(harpers, "key", kept, gone)


def test_a_second_merge_from_an_old_page_is_refused(harpers: Author) -> None:
    kept, gone = number(harpers, "Cleo"), number(harpers, "Chloe")
    merge(harpers, "first", kept, gone)
    with unchanged(), pytest.raises(StaleError, match="Chloe and Cleo have been merged already"):
        merge(harpers, "second", gone, number(harpers, "Bob"))
    with unchanged(), pytest.raises(PeopleError, match="the same person"):
        merge(harpers, "third", kept, kept)
    with unchanged(), pytest.raises(LookupError):
        merge(harpers, "fourth", kept, 2**31)


def test_merges_are_undone_in_their_order(harpers: Author) -> None:
    played(harpers, "Klee", "Ann", on=MAY)
    before = looked_back(harpers.league_id)
    make_one(harpers, "Cleo", "Chloe", key="first")
    first = last_act(harpers)
    make_one(harpers, "Klee", "Cleo", key="second")
    assert who(harpers, "Klee").others == ("Chloe", "Cleo")
    assert table_of_wins(harpers)["Klee"] == (3, Fraction(2))
    with unchanged(), pytest.raises(PeopleError, match="Cleo was merged with Klee since"):
        merging.undo(harpers, first)
    undo(harpers)
    merging.undo(harpers, first)
    assert looked_back(harpers.league_id) == before


def test_a_name_of_ones_own_is_found_again(harpers: Author) -> None:
    make_one(harpers, "Cleo", "Chloe")
    cleo = number(harpers, "Cleo")
    with unchanged(), pytest.raises(PeopleError, match="Chloe was merged with Cleo"):
        rename(harpers, "key", cleo, "Cleo", "Chloe")
    with unchanged(), pytest.raises(PeopleError, match="Chloe is a name of Cleo") as refused:
        rename(harpers, "key", number(harpers, "Bob"), "Bob", "Chloe")
    assert refused.value.other == cleo


def test_one_person_has_one_seat_at_a_table(harpers: Author) -> None:
    make_one(harpers, "Cleo", "Chloe")
    with unchanged(), pytest.raises(ChangeError, match="Cleo would sit here twice"):
        start_game(harpers, "key", ZIONCHECK, ["Cleo", "Ann", "Chloe"])
    table = Table.start(harpers, "Cleo", "Ann", variant=ZIONCHECK)
    with unchanged(), pytest.raises(ChangeError, match="already has a seat"):
        join_game(harpers, table.game_id, table.revision, "join", "Chloe", "zero")


def test_no_old_version_seats_one_person_twice(harpers: Author) -> None:
    table = Table.start(harpers, "Klee", "Ann", variant=ZIONCHECK)
    table.revision = join_game(
        harpers, table.game_id, table.revision, "join", "Chloe", "zero"
    ).revision
    table.restore(1)
    make_one(harpers, "Klee", "Chloe")
    with unchanged(), pytest.raises(ChangeError, match="Klee would sit here twice"):
        table.restore(2)


def test_the_regulars_keep_their_seat_order_after_a_merge(harpers: Author) -> None:
    played(harpers, "Dora", "Chloe", "Eve", on=MAY)
    make_one(harpers, "Cleo", "Chloe")
    assert regulars(db.session(), harpers.league_id)[:3] == ["Dora", "Cleo", "Eve"]


def test_who_plays_still_is_offered_after_a_merge(harpers: Author) -> None:
    archive(harpers, number(harpers, "Chloe"), archived=True)
    make_one(harpers, "Chloe", "Cleo")
    assert not who(harpers, "Chloe").archived
    undo(harpers)
    assert who(harpers, "Chloe").archived


def test_a_merge_lays_no_hand_on_the_games(harpers: Author) -> None:
    rows = dump()
    make_one(harpers, "Cleo", "Chloe")
    after = dump()
    changed = {name for name in rows if rows[name] != after[name]}
    assert changed == {"act", "player", "rating"}
    chloe = db.session.execute(select(Player.id).where(Player.name == "Chloe")).scalar_one()
    assert db.session.execute(select(Seat.game_id).where(Seat.player_id == chloe)).scalar_one() == 1
