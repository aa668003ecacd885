"""The people of a league: called otherwise, put away, and two entries made one and two again."""

from datetime import date
from fractions import Fraction

import pytest
from sqlalchemy import select, update

from companion.games import totals
from companion.games.changes import ChangeError
from companion.games.game_search import GameQuery, find_games
from companion.games.reading import regulars
from companion.games.writer import StaleError, join_game, start_game
from companion.people import merging
from companion.people.actions import league_actions
from companion.people.merging import look_at_merge, merge
from companion.people.roster import PeopleError, RosterRow, archive, find_in_roster, people, rename
from companion.statistics.rating_replay import catch_up
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Device, League, Player, Seat, db
from companion.store.names import PlayerNameError
from tests.leagues.game_driver import Table, dump, unchanged
from tests.leagues.kept_story import kept
from tests.leagues.totals_oracle import everything
from tests.support.reports import ZIONCHECK
from tests.visits.browserless import start
from tests.visits.pages import words
from tests.visits.phones import Phone, Site


def played(author: Author, *names: str, on: date, winner: int = 0) -> Table:
    """A finished game in which everybody else has 5 points a deal."""
    table = Table.start(author, *names, variant=ZIONCHECK, on=on)
    for _ in ZIONCHECK.deals:
        table.score(*(0 if seat == winner else 5 for seat in range(len(names))))
    return table


def who(author: Author, name: str) -> RosterRow:
    db.session.rollback()
    return next(row for row in people(db.session(), author.league_id) if row.name == name)


def number(author: Author, name: str) -> int:
    return who(author, name).person_id


def make_one(author: Author, kept: str, gone: str, key: str = "one") -> None:
    merge(author, key, number(author, kept), number(author, gone))


def last_act(author: Author) -> int:
    db.session.rollback()
    return league_actions(db.session(), author.league_id, merging.UNDOING)[0].act_id


def undo(author: Author) -> None:
    merging.undo(author, last_act(author))


def table_of_wins(author: Author) -> dict[str, tuple[int, Fraction]]:
    db.session.rollback()
    return {r.name: (r.games, r.wins) for r in standings(db.session(), author.league_id)}


def are_rebuilt(author: Author) -> bool:
    """Whether the sums are what a rebuild from the rows makes of them (`I1`)."""
    kept = everything(author.league_id)
    with writing() as session:
        totals.rebuild(session, author.league_id)
    return kept == everything(author.league_id)


MARCH, APRIL, MAY = date(2026, 3, 3), date(2026, 4, 4), date(2026, 5, 5)


@pytest.fixture
@kept
def harpers(ann: Author) -> Author:
    """Cleo was entered as Chloe one evening: Ann wins against her, then she against Ann and Bob."""
    played(ann, "Ann", "Chloe", on=MARCH)
    played(ann, "Cleo", "Ann", "Bob", on=APRIL)
    return ann


# The list


def test_everybody_is_listed_with_games_and_the_last_evening(harpers: Author) -> None:
    listed = people(db.session(), harpers.league_id)
    assert [(row.name, row.games, row.wins, row.last_played) for row in listed] == [
        ("Ann", 2, Fraction(1), APRIL),
        ("Bob", 1, Fraction(0), APRIL),
        ("Chloe", 1, Fraction(0), MARCH),
        ("Cleo", 1, Fraction(1), APRIL),
    ]


def test_another_league_has_other_people(harpers: Author, dev: Author) -> None:
    assert people(db.session(), dev.league_id) == []
    ann = number(harpers, "Ann")
    with unchanged():
        with pytest.raises(LookupError):
            rename(dev, "key", ann, "Ann", "Dora")
        with pytest.raises(LookupError):
            archive(dev, ann, archived=True)
        with pytest.raises(LookupError):
            merge(dev, "key", ann, number(harpers, "Bob"))


# Names


def test_a_person_is_called_otherwise_in_every_game(harpers: Author) -> None:
    rename(harpers, "key", number(harpers, "Bob"), "Bob", "Robert")
    assert table_of_wins(harpers)["Robert"] == (1, Fraction(0))
    found = find_games(db.session(), harpers.league_id, GameQuery()).games
    assert found[0].names == ("Cleo", "Ann", "Robert")


def test_accents_may_be_added_to_a_name(harpers: Author) -> None:
    rename(harpers, "key", number(harpers, "Chloe"), "Chloe", "Chloé")
    assert who(harpers, "Chloé").games == 1


def test_a_name_that_somebody_has_is_refused(harpers: Author) -> None:
    with unchanged(), pytest.raises(PeopleError) as refused:
        rename(harpers, "key", number(harpers, "Ann"), "Ann", "BÓB")
    assert str(refused.value) == "There is a player called Bob already: merge the two instead?"
    assert refused.value.other == number(harpers, "Bob")
    with unchanged(), pytest.raises(PlayerNameError):
        rename(harpers, "key", number(harpers, "Ann"), "Ann", " ")


def test_a_name_changed_meanwhile_is_not_overwritten(harpers: Author) -> None:
    bob = number(harpers, "Bob")
    rename(harpers, "first", bob, "Bob", "Robert")
    with unchanged(), pytest.raises(StaleError, match="it is Robert now"):
        rename(harpers, "second", bob, "Bob", "Bobby")


def test_a_new_name_is_taken_back(harpers: Author) -> None:
    rename(harpers, "key", number(harpers, "Bob"), "Bob", "Robert")
    undo(harpers)
    assert who(harpers, "Bob").games == 1


def test_a_name_given_away_meanwhile_is_not_taken_back(harpers: Author) -> None:
    rename(harpers, "key", number(harpers, "Bob"), "Bob", "Robert")
    act = last_act(harpers)
    Table.start(harpers, "Ann", "Bob", variant=ZIONCHECK)
    with unchanged(), pytest.raises(PeopleError, match="There is a player called Bob already"):
        merging.undo(harpers, act)


# Who plays no more


def test_who_is_put_away_is_not_offered_until_they_play_again(harpers: Author) -> None:
    archive(harpers, number(harpers, "Bob"), archived=True)
    assert "Bob" not in regulars(db.session(), harpers.league_id)
    assert table_of_wins(harpers)["Bob"] == (1, Fraction(0))
    assert people(db.session(), harpers.league_id)[-1].name == "Bob"
    Table.start(harpers, "Ann", "Bob", variant=ZIONCHECK)
    assert not who(harpers, "Bob").archived
    assert "Bob" in regulars(db.session(), harpers.league_id)


# Two entries, one person


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
    assert are_rebuilt(harpers)


def test_a_merge_is_undone_to_the_last_sum(harpers: Author) -> None:
    before = everything(harpers.league_id)
    players = dump()["player"]
    make_one(harpers, "Cleo", "Chloe")
    assert everything(harpers.league_id) != before
    undo(harpers)
    assert everything(harpers.league_id) == before
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
    assert are_rebuilt(harpers)


def test_ratings_after_undoing_are_those_before(harpers: Author) -> None:
    assert catch_up(harpers.league_id)
    before = [row.form for row in standings(db.session(), harpers.league_id)]
    make_one(harpers, "Cleo", "Chloe")
    assert catch_up(harpers.league_id)
    db.session.rollback()
    cleo = next(r for r in standings(db.session(), harpers.league_id) if r.name == "Cleo")
    assert cleo.form
    assert cleo.form.games == 2
    undo(harpers)
    assert catch_up(harpers.league_id)
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
    before = everything(harpers.league_id)
    make_one(harpers, "Cleo", "Chloe", key="first")
    first = last_act(harpers)
    make_one(harpers, "Klee", "Cleo", key="second")
    assert who(harpers, "Klee").others == ("Chloe", "Cleo")
    assert table_of_wins(harpers)["Klee"] == (3, Fraction(2))
    with unchanged(), pytest.raises(PeopleError, match="Cleo was merged with Klee since"):
        merging.undo(harpers, first)
    undo(harpers)
    merging.undo(harpers, first)
    assert everything(harpers.league_id) == before


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
    assert changed == {"act", "league", "player", "player_sum", "rival_sum", "contract_sum"}
    chloe = db.session.execute(select(Player.id).where(Player.name == "Chloe")).scalar_one()
    assert db.session.execute(select(Seat.game_id).where(Seat.player_id == chloe)).scalar_one() == 1
    assert db.session.get_one(League, harpers.league_id).upheaval == 1


def test_nobody_else_undoes_our_merge(harpers: Author, dev: Author) -> None:
    make_one(harpers, "Cleo", "Chloe")
    act = last_act(harpers)
    with unchanged(), pytest.raises(LookupError):
        merging.undo(dev, act)
    with pytest.raises(LookupError):
        find_in_roster(people(db.session(), dev.league_id), number(harpers, "Cleo"))


# The pages


def test_the_owner_renames_and_takes_it_back(phone: Phone) -> None:
    start(phone, "zioncheck", "Ann", "Bob")
    page = phone.show(phone.show("/league/people").link("/people/2"))
    page = phone.press(page.form("/name").fill("Name", "Robert"))
    assert "Bob renamed to Robert" in page.text
    assert "Robert" in phone.show("/games/1").text
    page = phone.press(page.form("/undo"))
    assert "undone" in page.text
    assert "Robert" not in phone.show("/games/1").text


def test_a_taken_name_leads_to_making_the_two_one(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    start(lone, "zioncheck", "Cleo", "Bobby")
    page = lone.press(lone.show("/league/people/4").form("/name").fill("Name", "BOB"), status=422)
    assert page.faults.endswith("There is a player called Bob already: merge the two instead?")
    assert page.form("/name").value("Name") == "BOB"
    page = lone.show(page.link("merge?other=4"))
    assert page.heading == "Merge two names"
    assert lone.press(page.form("/merge")).say("main ul").startswith("A Ann")
    assert lone.show("/games/2").text.count("Bobby") == 0


def test_what_makes_one_of_two_is_looked_at_first(phone: Phone) -> None:
    start(phone, "zioncheck", "Ann", "Bob")
    start(phone, "zioncheck", "Cleo", "Bobby")
    form = phone.show("/league/people/2").form("/merge").fill("Who is the same person?", "4")
    assert phone.show(f"{form.action}?other=4").heading == "Merge two names"
    refused = phone.show("/league/people/2/merge?other=1")
    assert "Bob and Ann sit at one table in Zioncheck" in refused.say(".notice")
    assert refused.link("/games/1")
    assert not refused.forms()
    nobody = phone.show("/league/people/2/merge?other=", 422)
    assert "Choose who the same person is." in nobody.faults


def test_a_merge_from_an_old_page_is_refused_in_a_sentence(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    start(lone, "zioncheck", "Cleo", "Bobby")
    late = lone.show("/league/people/4/merge?other=1").form("/merge")
    lone.press(lone.show("/league/people/2/merge?other=4").form("/merge"))
    assert "Bobby and Bob have been merged already." in lone.press(late, status=409).text


def test_who_is_put_away_is_listed_apart_and_not_offered(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    page = lone.press(lone.show("/league/people/2").form("/archive"), "Hide")
    assert "B Bob" in words(page.all("main details ul, main section ul")[0])
    offered = lone.show("/games/new/zioncheck").all("[data-regular]")
    assert [words(name) for name in offered] == ["Ann"]
    lone.press(lone.show("/league/people/2").form("/archive"), "Offer again")
    assert len(lone.show("/games/new/zioncheck").all("[data-regular]")) == 2


def test_only_the_owner_changes_people_and_seasons(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    token = lone.token()
    with lone.site.engine.execution_options(writing=True).begin() as connection:
        connection.execute(update(Device).values(role="player"))
    for address in ("/league/people", "/league/seasons"):
        page = lone.show(address)
        assert not page.forms()
        assert not [link for link in page.links() if link.startswith(f"{address}/")]
    for address in ("/league/people/1", "/league/people/1/merge?other=2", "/league/seasons/1"):
        assert lone.show(address, 403).heading == "Only the owner can change this"
    for address in (
        *("/league/people/1/name", "/league/people/1/archive", "/league/people/1/merge"),
        *("/league/people/acts/1/undo", "/league/seasons", "/league/seasons/1"),
        *("/league/seasons/1/drop", "/league/seasons/acts/1/undo"),
    ):
        sent = {"csrf_token": token, "name": "X", "starts": "2026-01-01", "other": "2"}
        assert lone.post(address, sent, 403).heading == "Only the owner can change this"


def test_another_league_sees_none_of_our_people(house: Site) -> None:
    ann, dev = house.phone(), house.phone()
    start(ann, "zioncheck", "Ann", "Bob")
    start(dev, "zioncheck", "Dev", "Eve")
    ann.press(ann.show("/league/people/2").form("/name").fill("Name", "Robert"))
    assert "Bob" not in dev.show("/league/people").text
    for address in ("/league/people/2", "/league/people/2/merge?other=3"):
        dev.show(address, 404)
    dev.show("/league/people/3/merge?other=2", 422)
    sent = {"csrf_token": dev.token(), "other": "2", "name": "X", "seen": "Robert"}
    for address in ("3/merge", "2/merge", "2/name", "2/archive", "acts/1/undo"):
        dev.post(f"/league/people/{address}", sent, 404)
