"""The people of a league: listed, called otherwise, put away; and their pages."""

from fractions import Fraction

import pytest
from sqlalchemy import select, update

from companion.games.shown.game_lists import regulars
from companion.games.shown.game_search import GameQuery, find_games
from companion.games.writer import StaleError
from companion.people import merging, roster
from companion.people.merging import merge
from companion.people.roster import (
    PeopleError,
    archive,
    count_people,
    find_people,
    part_of_people,
    people,
    people_offered,
    rename,
)
from companion.store.authors import Author
from companion.store.models import Device, Player, db
from tests.leagues.game_driver import Table, unchanged
from tests.support.reports import ZIONCHECK
from tests.visits.browserless import start
from tests.visits.pages import words
from tests.visits.phones import Phone

from .people_in_short import APRIL, MARCH, last_act, number, table_of_wins, who

# The list


def test_everybody_is_listed_with_games_and_the_last_evening(harpers: Author) -> None:
    listed = people(db.session(), harpers.league_id)
    assert [(row.name, row.games, row.wins, row.last_played) for row in listed] == [
        ("Ann", 2, Fraction(1), APRIL),
        ("Bob", 1, Fraction(0), APRIL),
        ("Chloe", 1, Fraction(0), MARCH),
        ("Cleo", 1, Fraction(1), APRIL),
    ]


def test_a_part_of_the_list_is_read_by_itself(harpers: Author, dev: Author) -> None:
    archive(harpers, number(harpers, "Bob"), archived=True)
    merge(harpers, "key", number(harpers, "Cleo"), number(harpers, "Chloe"))
    session, league = db.session(), harpers.league_id
    whole = people(session, league)
    assert [(row.name, row.others) for row in whole] == [
        ("Ann", ()),
        ("Cleo", ("Chloe",)),
        ("Bob", ()),
    ]
    parts = [part_of_people(session, league, first, 2) for first in (0, 2, 4)]
    assert parts == [whole[:2], whole[2:], []]
    assert (count_people(session, league), count_people(session, dev.league_id)) == (3, 0)
    numbers = [row.person_id for row in whole]
    assert find_people(session, league, *reversed(numbers)) == whole[::-1]
    (chloe,) = session.execute(select(Player.id).where(Player.name == "Chloe")).scalars()
    for nobody in (chloe, 0, 2**70):
        with pytest.raises(LookupError):
            find_people(session, league, nobody)


def test_a_form_offers_those_who_played_last(
    harpers: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, league = db.session(), harpers.league_id
    everybody = people(session, league)
    assert people_offered(session, league) == everybody
    monkeypatch.setattr(roster, "MOST_OFFERED", 3)
    offered = people_offered(session, league)
    assert [row.name for row in offered] == ["Ann", "Bob", "Cleo"], "Chloe played in March only"
    assert people_offered(session, league, number(harpers, "Chloe"), 2**70) == everybody


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
        with pytest.raises(LookupError):
            find_people(db.session(), dev.league_id, ann)


# Names


def test_a_person_is_called_otherwise_in_every_game(harpers: Author) -> None:
    rename(harpers, "key", number(harpers, "Bob"), "Bob", "Robert")
    assert table_of_wins(harpers)["Robert"] == (1, Fraction(0))
    found = find_games(db.session(), harpers.league_id, GameQuery()).games
    assert found[0].names == ("Cleo", "Ann", "Robert")


def test_accents_may_be_added_to_a_name(harpers: Author) -> None:
    rename(harpers, "key", number(harpers, "Chloe"), "Chloe", "Chloé")
    assert who(harpers, "Chloé").games == 1


def test_a_name_changed_meanwhile_is_not_overwritten(harpers: Author) -> None:
    bob = number(harpers, "Bob")
    rename(harpers, "first", bob, "Bob", "Robert")
    with unchanged(), pytest.raises(StaleError, match="it is Robert now"):
        rename(harpers, "second", bob, "Bob", "Bobby")


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


def test_who_is_put_away_is_listed_apart_and_not_offered(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    page = lone.press(lone.show("/league/people/2").form("/archive"), "Hide")
    assert "B Bob" in words(page.all("main details ul, main section ul")[0])
    offered = lone.show("/games/new/zioncheck").all("[data-regular]")
    assert [words(name) for name in offered] == ["Ann"]
    lone.press(lone.show("/league/people/2").form("/archive"), "Offer again")
    assert len(lone.show("/games/new/zioncheck").all("[data-regular]")) == 2


def test_who_plays_is_offered_no_change_of_people_and_seasons(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    with lone.site.engine.execution_options(writing=True).begin() as connection:
        connection.execute(update(Device).values(role="player"))
    for address in ("/league/people", "/league/seasons"):
        page = lone.show(address)
        assert not page.forms()
        assert not [link for link in page.links() if link.startswith(f"{address}/")]
