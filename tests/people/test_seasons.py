"""Seasons: years by themselves, and stretches of dates that the owner makes, changes and drops."""

from datetime import date

import pytest
from sqlalchemy import select

from companion.games.changes import describe
from companion.games.game_season import season_at, seasons
from companion.people import season_dates
from companion.people.actions import league_actions
from companion.people.season_dates import SeasonDates, SeasonError, change_season, drop_season
from companion.people.season_dates import make_season as make
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.models import Season, db
from companion.store.notes import NoteError
from tests.leagues.game_driver import Table, unchanged
from tests.leagues.kept_story import kept
from tests.leagues.looked_back import check_league, looked_back
from tests.support.reports import ZIONCHECK
from tests.visits.browserless import start
from tests.visits.pages import Page
from tests.visits.phones import Phone

from .people_in_short import played

JANUARY, MARCH, AUGUST = date(2026, 1, 31), date(2026, 3, 1), date(2026, 8, 8)
CHRISTMAS = date(2025, 12, 26)
WINTER = SeasonDates("Winter", date(2025, 12, 1), date(2026, 2, 28))


def won(author: Author, season: str) -> dict[str, int]:
    """Who won how often in a season; nobody where there is none of that name."""
    db.session.rollback()
    known = seasons(db.session(), author.league_id)
    numbers = [row.season_id for row in known if row.name == season]
    assert len(numbers) <= 1
    table = standings(db.session(), author.league_id, numbers[0]) if numbers else []
    return {row.name: int(row.wins) for row in table}


def season_number(author: Author, name: str) -> int:
    db.session.rollback()
    mine = select(Season.id).where(Season.league_id == author.league_id, Season.name == name)
    return db.session.execute(mine).scalar_one()


def undo(author: Author, which: int = 0) -> None:
    db.session.rollback()
    listed = league_actions(db.session(), author.league_id, season_dates.UNDOING)
    season_dates.undo(author, listed[which].act_id)


@pytest.fixture
@kept
def harpers(ann: Author) -> Author:
    """Ann won at Christmas and in January, Bob in March and August."""
    for names, day in (
        (("Ann", "Bob"), CHRISTMAS),
        (("Ann", "Bob"), JANUARY),
        (("Bob", "Ann"), MARCH),
        (("Bob", "Ann"), AUGUST),
    ):
        played(ann, *names, on=day)
    return ann


def test_every_year_is_a_season(harpers: Author) -> None:
    assert won(harpers, "2025") == {"Ann": 1, "Bob": 0}
    assert won(harpers, "2026") == {"Ann": 1, "Bob": 2}


def test_games_saved_later_are_in_the_season_of_their_date(harpers: Author) -> None:
    make(harpers, "key", WINTER)
    assert won(harpers, "Winter") == {"Ann": 2, "Bob": 0}
    assert won(harpers, "2025") == {}
    assert won(harpers, "2026") == {"Bob": 2, "Ann": 0}
    check_league(harpers.league_id)
    played(harpers, "Bob", "Ann", on=date(2026, 2, 28))
    played(harpers, "Bob", "Ann", on=MARCH)
    assert won(harpers, "Winter") == {"Ann": 2, "Bob": 1}
    assert won(harpers, "2026") == {"Bob": 3, "Ann": 0}
    check_league(harpers.league_id)


def test_a_season_goes_on_until_it_has_an_end(harpers: Author) -> None:
    make(harpers, "key", SeasonDates("Ever since", MARCH))
    assert won(harpers, "Ever since") == {"Bob": 2, "Ann": 0}
    known = seasons(db.session(), harpers.league_id)
    for day in (MARCH, date(2099, 1, 1)):
        found = season_at(known, day)
        assert found
        assert found.name == "Ever since"


def test_a_season_is_changed_and_its_games_follow(harpers: Author) -> None:
    make(harpers, "key", WINTER)
    longer = SeasonDates("Long winter", JANUARY, MARCH)
    change_season(harpers, "change", season_number(harpers, "Winter"), WINTER, longer)
    assert won(harpers, "Long winter") == {"Ann": 1, "Bob": 1}
    assert won(harpers, "2025") == {"Ann": 1, "Bob": 0}
    assert won(harpers, "2026") == {"Bob": 1, "Ann": 0}
    check_league(harpers.league_id)


def test_a_year_that_never_was_begins_when_its_games_come_back(ann: Author) -> None:
    make(ann, "key", SeasonDates("Long ago", date(1998, 1, 1), date(1999, 12, 31)))
    played(ann, "Ann", "Bob", on=date(1998, 5, 5))
    played(ann, "Bob", "Ann", on=date(1999, 5, 5))
    assert won(ann, "Long ago") == {"Ann": 1, "Bob": 1}
    assert won(ann, "1998") == won(ann, "1999") == {}
    undo(ann)
    assert won(ann, "1998") == {"Ann": 1, "Bob": 0}
    assert won(ann, "1999") == {"Bob": 1, "Ann": 0}
    check_league(ann.league_id)


def test_everything_done_to_a_season_can_be_undone(harpers: Author) -> None:
    before = looked_back(harpers.league_id)
    make(harpers, "make", WINTER)
    number = season_number(harpers, "Winter")
    made = looked_back(harpers.league_id)
    longer = SeasonDates("Winter", date(2025, 12, 1), MARCH)
    change_season(harpers, "change", number, WINTER, longer)
    assert won(harpers, "Winter") == {"Ann": 2, "Bob": 1}
    with unchanged(), pytest.raises(SeasonError, match="Winter was changed since"):
        undo(harpers, which=1)
    undo(harpers)
    assert looked_back(harpers.league_id) == made
    undo(harpers, which=1)
    assert looked_back(harpers.league_id) == before
    assert [row.name for row in seasons(db.session(), harpers.league_id) if row.own] == []


def test_ratings_are_worked_out_in_the_new_season(harpers: Author) -> None:
    make(harpers, "key", WINTER)
    number = season_number(harpers, "Winter")
    rated = standings(db.session(), harpers.league_id, number)
    assert [row.form.games for row in rated if row.form] == [2, 2]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (SeasonDates(" ", MARCH), "A season needs a name."),
        (SeasonDates("2026", MARCH), "There is a season called 2026 already: choose another name."),
        (SeasonDates("WINTER", MARCH), "There is a season called WINTER already"),
        (SeasonDates("Spring", MARCH, JANUARY), "This season would end before it begins."),
        (
            SeasonDates("Carnival", date(2026, 2, 28), MARCH),
            "Winter holds 1 December 2025 to 28 February 2026 already: seasons do not overlap.",
        ),
        (SeasonDates("Ever", date(2020, 1, 1), MARCH), "Winter holds 1 December 2025"),
        (SeasonDates("Later", date(2027, 5, 1)), "Next holds everything from 1 January 2027 on"),
    ],
)
def test_a_season_that_cannot_be_is_refused_in_a_sentence(
    harpers: Author, wanted: SeasonDates, words: str
) -> None:
    make(harpers, "winter", WINTER)
    make(harpers, "next", SeasonDates("Next", date(2027, 1, 1)))
    with unchanged(), pytest.raises(SeasonError) as refused:
        make(harpers, "key", wanted)
    assert str(refused.value).startswith(words)


def test_a_name_may_not_be_endless(ann: Author) -> None:
    with unchanged(), pytest.raises(NoteError, match=r"81 characters\. Keep it to 80"):
        make(ann, "key", SeasonDates("w" * 81, MARCH))


def test_a_double_tap_makes_one_season(harpers: Author) -> None:
    make(harpers, "key", WINTER)
    with unchanged():
        make(harpers, "key", WINTER)


def test_nobody_else_touches_our_seasons(harpers: Author, dev: Author) -> None:
    make(harpers, "key", WINTER)
    number = season_number(harpers, "Winter")
    with unchanged():
        with pytest.raises(LookupError):
            change_season(dev, "key", number, WINTER, SeasonDates("Mine", MARCH))
        with pytest.raises(LookupError):
            drop_season(dev, "key", number, WINTER)
    make(dev, "key", WINTER)
    assert won(harpers, "Winter") == {"Ann": 2, "Bob": 0}
    assert won(dev, "Winter") == {}


def test_a_year_cannot_be_changed(harpers: Author) -> None:
    year = SeasonDates("2026", date(2026, 1, 1), date(2026, 12, 31))
    with unchanged(), pytest.raises(LookupError):
        drop_season(harpers, "key", season_number(harpers, "2026"), year)


# A game's evening, and whether it counts


def test_a_game_moves_to_the_season_of_its_date(harpers: Author) -> None:
    make(harpers, "key", WINTER)
    table = played(harpers, "Bob", "Ann", on=AUGUST)
    table.change(lambda record: describe(record, JANUARY, "It was winter", counts=True))
    assert won(harpers, "Winter") == {"Ann": 2, "Bob": 1}
    check_league(harpers.league_id)
    table.restore(table.revision - 1)
    assert won(harpers, "Winter") == {"Ann": 2, "Bob": 0}
    check_league(harpers.league_id)


def test_a_game_that_does_not_count_is_in_no_sum(ann: Author) -> None:
    played(ann, "Ann", "Bob", on=MARCH)
    before = looked_back(ann.league_id)
    table = played(ann, "Bob", "Ann", on=MARCH)
    table.change(lambda record: describe(record, MARCH, "Only for practice", counts=False))
    assert looked_back(ann.league_id) == before
    table.change(lambda record: describe(record, MARCH, "", counts=True))
    assert won(ann, "2026") == {"Ann": 1, "Bob": 1}
    check_league(ann.league_id)


def test_a_note_is_one_line_of_at_most_two_hundred_characters(ann: Author) -> None:
    table = Table.start(ann, "Ann", "Bob", variant=ZIONCHECK)
    table.change(lambda record: describe(record, MARCH, " Grandma\x00 won\n again ", counts=True))
    assert table.record.note == "Grandma won again"
    table.change(lambda record: describe(record, MARCH, "é" * 200, counts=True))
    with unchanged(), pytest.raises(NoteError, match=r"201 characters\. Keep it to 200"):
        table.change(lambda record: describe(record, MARCH, "é" * 201, counts=True))
    with unchanged(), pytest.raises(NoteError, match="too many marks"):
        table.change(lambda record: describe(record, MARCH, "x\u0301\u0302" * 150, counts=True))


# The pages


def with_winter(phone: Phone) -> Page:
    """Make a league with a season of its own, number 2."""
    start(phone, "zioncheck", "Ann", "Bob")
    form = phone.show("/league/seasons").form("/seasons").fill("Name", "Winter")
    return phone.press(form.fill("First day", "2025-12-01").fill("Last day", "2026-02-28"))


def test_the_owner_makes_changes_and_drops_a_season(phone: Phone) -> None:
    page = with_winter(phone)
    assert "1 December 2025 to 28 February 2026" in page.say("main ul")
    season = phone.show(page.link("/league/seasons/"))
    page = phone.press(season.form("/2").fill("Last day", ""))
    assert "from 1 December 2025" in page.say("main ul")
    page = phone.press(phone.show("/league/seasons/2").form("/drop"))
    assert "Winter" not in page.say("main ul")
    assert "Winter removed" in page.text
    page = phone.press(page.forms()[1])  # the latest thing done is the first to be undone
    assert "from 1 December 2025" in page.say("main ul")


def test_what_cannot_be_is_said_beside_its_field(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    form = lone.show("/league/seasons").form("/seasons").fill("Name", "Winter")
    page = lone.press(form, status=422)
    assert "Enter the first day of the season." in page.faults
    form = page.form("/seasons").fill("First day", "2026-02-30").fill("Last day", "1066-10-14")
    page = lone.press(form, status=422)
    assert "2026-02-30 is no date: write it like 2026-11-20." in page.faults
    assert "The year 1066 cannot be: 1900 to 2100." in page.faults
    assert page.form("/seasons").value("First day") == "2026-02-30"
    assert page.form("/seasons").value("Name") == "Winter"


def test_a_season_seen_before_it_changed_is_not_overwritten(lone: Phone) -> None:
    with_winter(lone)
    late = lone.show("/league/seasons/2").form("/2").fill("Name", "Frost")
    lone.press(lone.show("/league/seasons/2").form("/2").fill("Name", "Ice"))
    page = lone.press(late, status=409)
    assert "Someone else has changed this season" in page.faults
    assert page.form("/2").value("Name") == "Frost"
    assert lone.press(page.form("/2")).say("main ul").startswith("Frost")


def test_the_page_about_a_game_changes_its_evening(phone: Phone) -> None:
    start(phone, "zioncheck", "Ann", "Bob")
    about = phone.show(phone.show("/games/1").link("/about"))
    form = about.form("/about").fill("Played on", "2026-03-03").fill("Note", "Snow")
    page = phone.press(form.choose("counts", "0"))
    assert "Date and note saved" in page.text
    past = phone.show("/games/1/history").text
    for told in ("Played on 3 March 2026", "Note: Snow", "Doesn't count in the standings"):
        assert told in past
    assert "3 March 2026 · Zioncheck" in phone.show("/league/games").text
    page = phone.press(page.form("/restorations"))
    assert phone.show("/games/1/about").form("/about").value("Note") == ""
    assert "Counts in the standings" in phone.show("/games/1/history").text


def test_a_game_changed_meanwhile_shows_both(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    late = lone.show("/games/1/about").form("/about").fill("Note", "Rain")
    lone.press(lone.show("/games/1/about").form("/about").fill("Note", "Snow"))
    page = lone.press(late, status=409)
    assert "Note: Snow." in page.text
    assert page.form("/about").value("Note") == "Rain"
    lone.press(page.form("/about"))
    assert lone.show("/games/1/about").form("/about").value("Note") == "Rain"


@pytest.mark.parametrize(
    ("label", "text", "words"),
    [
        ("Played on", "", "Write a date like 2026-11-20."),
        ("Played on", "٢٠٢٦-٠١-٠١", "is no date"),
        ("Played on", "2101-01-01", "The year 2101 cannot be: 1900 to 2100."),
        ("Note", "w" * 201, "These are 201 characters. Keep it to 200."),
    ],
)
def test_what_cannot_be_said_of_a_game(lone: Phone, label: str, text: str, words: str) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    form = lone.show("/games/1/about").form("/about").fill(label, text)
    page = lone.press(form, status=422)
    assert words in page.faults
    assert page.form("/about").value(label) == text


def test_a_season_taken_away_twice_or_meanwhile_loses_nobodys_words(phone: Phone) -> None:
    with_winter(phone)
    stale = phone.show("/league/seasons/2").form("/2").fill("Name", "Deep winter")
    away = phone.show("/league/seasons/2").form("/drop")
    phone.press(away)
    assert phone.press(away).heading == "Seasons"  # the same tap again
    kept = phone.press(stale, status=409)
    assert "Someone else removed this season" in kept.faults
    assert kept.form("/seasons").value("Name") == "Deep winter"
