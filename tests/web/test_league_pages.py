"""The pages of the league: standings, players, rivals, records, evenings, a year in review."""

from __future__ import annotations

from datetime import date

import pytest

from companion.games.changes import describe, stop
from companion.people.leagues import open_league
from companion.rules import extend, load
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.models import db
from companion.web.league import league_pages
from tests.leagues.game_driver import Table, scoring
from tests.leagues.kept_story import kept
from tests.support.reports import ANN, BOB, CLEO, CONTRACT, OUT, ZIONCHECK, total
from tests.visits.league_stories import played
from tests.visits.pages import Page, spaced
from tests.visits.phones import Phone, Site

PLAYER = "/league/players/1"


def rows(page: Page, place: int = 0) -> list[list[str]]:
    """Read a table of the page, a list of words for each row."""
    table = page.all("table")[place]
    return [[spaced(cell) for cell in row.css("th, td")] for row in table.css("tbody tr")]


def lines(page: Page, heading: str) -> list[str]:
    """Read the list of the section with this heading, the words of each line."""
    (section,) = [one for one in page.all("main section") if heading in map(spaced, one.css("h2"))]
    return [spaced(item) for item in section.css("li")]


@pytest.fixture
def phone(site: Site) -> Phone:
    """Ann's phone: with it the Harpers' league was opened."""
    return site.phone("ann's token")


@pytest.fixture
@kept
def years(ann: Author) -> Author:
    """Four games in two years: Ann wins two, Bob one, and one is shared by Ann and Bob."""
    played(ann, 0, 5, 9, on=date(2025, 5, 1))
    played(ann, 9, 0, 5, on=date(2026, 2, 7))
    played(ann, 0, 9, 5, on=date(2026, 2, 7))
    shared = Table.start(ann, on=date(2026, 3, 1))
    for number in range(6):
        shared.score(*[(0, 5, 9), (5, 0, 9)][number % 2])
    shared.change(scoring({ANN: total(5), BOB: total(5), CLEO: OUT}))
    return ann


def test_a_player_is_renamed_from_their_page(phone: Phone, years: Author) -> None:
    assert phone.show(phone.show(PLAYER).link("/people/1")).form("/name").value("name") == "Ann"


def test_an_empty_league_says_what_comes_next(phone: Phone, ann: Author) -> None:
    assert "begin with the first finished game" in phone.show("/league").text
    assert "sets every record" in phone.show("/league/records").text
    assert "one finished game" in phone.show("/league/rivals").text
    assert "still to come" in phone.show("/league/evenings").text


def test_standings_of_all_time_and_of_a_year(phone: Phone, years: Author) -> None:
    page = phone.show("/league?season=all")
    assert [row[:4] for row in rows(page)] == [
        ["1. Ann", "4", "2.5 63 %", "1.5"],
        ["2. Bob", "4", "1.5 38 %", "1.8"],
        ["3. Cleo", "4", "0 0 %", "2.5"],
    ]
    assert [spaced(row)[: len("1 A Ann 4 games so far")] for row in page.all(".standings li")] == [
        "1 A Ann 4 games so far",
        "2 B Bob 4 games so far",
        "3 C Cleo 4 games so fa",
    ]
    seasons = {spaced(option): option.attrs["value"] for option in page.all("#season option")}
    before = phone.show(f"/league?season={seasons['2025']}")
    assert "Standings of 2025" in before.text
    assert [row[:2] for row in rows(before)] == [
        ["1. Ann", "1"],
        ["2. Bob", "1"],
        ["3. Cleo", "1"],
    ]


def test_points_against_the_table_are_shown_for_one_game(phone: Phone, years: Author) -> None:
    page = phone.show("/league?season=all&variant=contract-rummy")
    # Ann's four totals are 0, 63, 0 and 20; the averages of the tables 98/3 three times, 94/3.
    assert [row[4] for row in rows(page)] == ["+12", "+3", "−14"]


def test_a_number_of_players_narrows_the_standings(phone: Phone, years: Author) -> None:
    played(years, 0, 5, on=date(2026, 4, 1), names="Cleo Dev")
    page = phone.show("/league?season=all&players=2")
    assert [row[0] for row in rows(page)] == [
        "1. Cleo",
        "2. Dev",
    ]
    assert "No finished game matches" in phone.show("/league?season=all&players=7").text


def test_runs_and_ratings_stand_beside_all_games_only(phone: Phone, ann: Author) -> None:
    """Ann wins five games of three; at a table of two she has lost to Cleo five times since."""
    for day in range(1, 6):
        played(ann, 0, 5, 9, on=date(2026, 3, day))
        played(ann, 5, 0, on=date(2026, 4, day), names="Ann Cleo")
    page = phone.show("/league?season=all")
    assert "2 C Cleo won the last 5" in " ".join(spaced(row) for row in page.all(".standings li"))
    assert "Rating" in page.said("thead th")
    for choice in ("variant=contract-rummy", "players=3", "variant=zioncheck&players=2"):
        page = phone.show(f"/league?season=all&{choice}")
        assert rows(page)
        assert "won the last" not in page.text
        assert "Rating" not in page.said("thead th")


def test_a_game_without_a_result_is_in_no_table(phone: Phone, ann: Author) -> None:
    table = Table.start(ann)
    table.score(0, 5, 9)
    table.change(lambda record: stop(record, stopped=True))
    assert lines(phone.show("/league/players/1"), "Games") == [
        f"– Contract Rummy {table_day(table)} · Bob, Cleo · not finished 0"
    ]
    assert "begin with the first finished game" in phone.show("/league").text


def table_day(table: Table) -> str:
    day = table.record.played_on
    assert day is not None
    return f"{day.day} {day:%b %Y}"


def test_a_players_page_is_the_record_sheet(phone: Phone, years: Author) -> None:
    page = phone.show("/league/players/1")
    assert page.heading == "Ann"
    assert lines(page, "Games") == [
        "1 Contract Rummy 1 Mar 2026 · Bob, Cleo · place 1 of 3 20",
        "1 Contract Rummy 7 Feb 2026 · Bob, Cleo · place 1 of 3 0",
        "3 Contract Rummy 7 Feb 2026 · Bob, Cleo · place 3 of 3 63",
        "1 Contract Rummy 1 May 2025 · Bob, Cleo · place 1 of 3 0",
    ]
    assert lines(page, "By game") == [
        "Contract Rummy 4 games, 2.5 won, usual place 1.5 lowest 0, highest 63, most in one deal 9",
    ]
    # Against Bob: above in the first and third game, level in the last.
    assert lines(page, "Against the others") == [
        "B Bob of 4, 1 level, too few to say 2",
        "C Cleo of 4, too few to say 3",
    ]


def test_the_worst_contract_needs_five_deals(phone: Phone, years: Author) -> None:
    assert "Hardest:" not in phone.show("/league/players/3").text
    played(years, 0, 5, 9, on=date(2026, 4, 1))
    # Cleo's deals were 9, 5, 5, 9 and 9 under six contracts, and 0 once under the last.
    page = phone.show("/league/players/3")
    assert ["2 sets of 3", "7.4", "5"] in rows(page, contracts_table(page))
    assert "7.4 points on average over 5 deals" in page.text


def test_where_the_most_points_win_the_worst_contract_brings_the_fewest(
    phone: Phone, ann: Author
) -> None:
    """Bob has 30 and 5 in each of five games of two deals, and is the worst under the second."""
    most = extend(CONTRACT, {"ending": {"deals": 2, "winner": "highest"}})
    for day in range(1, 6):
        table = Table.start(ann, variant=most, on=date(2026, 3, day))
        table.score(0, 30, 10)
        table.score(0, 5, 10)
    page = phone.show("/league/players/2")
    assert "one set of three and one run of four, 5.0 points on average over 5 deals" in page.say(
        "details p"
    )
    assert [row[1] for row in rows(page, contracts_table(page))] == ["5", "30"]
    assert "earest" not in page.text
    year = phone.show("/league/years/2026").text
    assert "Most points in one deal, 30 for Bob Contract Rummy, 1 March 2026" in year


def contracts_table(page: Page) -> int:
    captions = page.said("table caption")
    return captions.index("Average points per deal, Contract Rummy")


def test_a_nemesis_needs_five_games(phone: Phone, years: Author) -> None:
    assert "Usually" not in phone.show("/league/players/3").text
    played(years, 0, 5, 9, on=date(2026, 4, 1))
    page = phone.show("/league/players/3").text
    assert "Usually loses to Ann (4 of 5) and Bob (4 of 5)." in page
    assert "Usually beats Cleo (4 of 5)." in phone.show("/league/players/1").text


def test_equals_are_named_as_equals(phone: Phone, ann: Author) -> None:
    """Ann and Bob win three each, beat Cleo as often, and have each 9 once."""
    for day in range(1, 4):
        played(ann, 0, 5, 9, on=date(2026, 3, day))
        played(ann, 5, 0, 9, on=date(2026, 4, day))
    played(ann, 9, 5, 0, on=date(2026, 5, 1))
    played(ann, 5, 9, 0, on=date(2026, 5, 2))
    year = phone.show("/league/years/2026").text
    assert "Ann and Bob won most, 3 each" in year
    assert "Usually loses to Ann (6 of 8) and Bob (6 of 8)." in phone.show("/league/players/3").text
    assert "Usually beats Cleo (6 of 8)." in phone.show("/league/players/1").text


def test_who_beats_whom(phone: Phone, years: Author) -> None:
    assert rows(phone.show("/league/rivals")) == [
        ["Ann", "·", "2 of 4", "3 of 4"],
        ["Bob", "1 of 4", "·", "3 of 4"],
        ["Cleo", "1 of 4", "1 of 4", "·"],
    ]


def test_of_very_many_games_one_season_is_compared(
    phone: Phone, years: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_pages, "MOST_COMPARED", 11)
    page = phone.show("/league/rivals")
    assert "Only games of 2026 are counted here." in page.text
    assert rows(page)[0] == ["Ann", "·", "1 of 3", "2 of 3"]
    monkeypatch.setattr(league_pages, "MOST_COMPARED", 12)
    assert "Only games of" not in phone.show("/league/rivals").text


def test_stars_are_given_over_all_games_only(phone: Phone, ann: Author) -> None:
    """Ann beats Bob in all of thirty games; a page for each game would be a look of its own."""
    short = extend(ZIONCHECK, {"ending": {"deals": 1}})
    for day in range(1, 31):
        Table.start(ann, "Ann", "Bob", variant=short, on=date(2026, 3, day)).score(0, 5)
    assert rows(phone.show("/league/rivals"))[0] == ["Ann", "·", "30 ★ unlikely to be luck of 30"]
    page = phone.show("/league/rivals?variant=zioncheck")
    assert rows(page)[0] == ["Ann", "·", "30 of 30"]
    assert "Stars are given over all games only." in page.text
    assert "unlikely to be luck" not in page.text


def test_records_of_a_game(phone: Phone, years: Author) -> None:
    page = phone.show("/league/records")
    sections = {
        spaced(heading): spaced(one) for one in page.all("section") for heading in one.css("h2")
    }
    assert "0 Ann 1 May 2025 0 Bob 7 February 2026 0 Ann" in sections["Lowest total"]
    assert "63 Cleo 1 May 2025" in sections["Highest total"]
    assert "9 Cleo 1 May 2025" in sections["Most points in one deal"]
    assert "0 Ann, Bob 1 March 2026" in sections["Closest finish"]
    # In the last game Bob was 5 behind after every other deal, and Ann never.
    assert "still won. 5 Bob 1 March 2026" in sections["Biggest comeback"]


def test_evenings_and_the_longest_night(phone: Phone, years: Author) -> None:
    page = phone.show("/league/evenings")
    listed = [spaced(item) for item in page.all("main nav.rows a")]
    assert listed == ["1 March 2026 1 game", "7 February 2026 2 games", "1 May 2025 1 game"]
    night = phone.show("/league/evenings/2026-02-07")
    assert night.heading == "7 February 2026"
    assert lines(night, "Who won") == [
        "A Ann of 2 · usual place 2.0 1",
        "B Bob of 2 · usual place 2.0 1",
        "C Cleo of 2 · usual place 2.0 0",
    ]


@pytest.mark.parametrize("day", ["2026-02-08", "yesterday", "2026-2-7", "٢٠٢٦-٠٢-٠٧"])
def test_no_evening_on_other_days(phone: Phone, years: Author, day: str) -> None:
    phone.show(f"/league/evenings/{day}", status=404)


def test_a_year_in_review(phone: Phone, years: Author) -> None:
    page = phone.show("/league/years/2026")
    assert page.heading == "2026 in review"
    assert "The Harpers 2026 AB Ann and Bob won most, 1.5 each" in page.text
    assert lines(page, "Who won") == [
        "A Ann of 3 · usual place 1.7 1.5",
        "B Bob of 3 · usual place 1.7 1.5",
        "C Cleo of 3 · usual place 2.3 0",
    ]
    assert "Longest evening, 2 games 7 February 2026" in page.text
    assert "Closest finish, level on points Contract Rummy, 1 March 2026" in page.text
    assert "Bob won from 5 points behind Contract Rummy, 1 March 2026" in page.text
    assert phone.show("/league").link("/league/years/") == "/league/years/2026"
    assert "Most points in one deal, 9 for" in page.text
    assert "Contract Rummy: 3 games" in page.text
    phone.show("/league/years/2024", status=404)


def test_a_finish_that_a_tiebreak_parted_was_level_on_points(phone: Phone, ann: Author) -> None:
    """Ann and Bob have 20 each; an extra deal makes Bob the winner."""
    tied = extend(CONTRACT, {"ending": {"deals": 2, "tiebreak": "extra_deal"}})
    table = Table.start(ann, variant=tied, on=date(2026, 3, 1))
    for points in ((20, 0, 30), (0, 20, 22), (30, 0)):
        table.score(*points)
    page = phone.show("/league/years/2026").text
    assert "Closest finish, level on points Contract Rummy, 1 March 2026" in page
    assert "could part" not in page


def test_another_league_sees_nothing(site: Site, years: Author) -> None:
    dev = site.phone("dev's token")
    with site.app.app_context():
        open_league("Dev's club", "dev's token")
    dev.show("/league/players/1", status=404)
    dev.show("/league/evenings/2026-02-07", status=404)
    dev.show("/league/years/2026", status=404)
    for address in ("/league?season=all", "/league/records", "/league/rivals", "/league/evenings"):
        assert "Ann" not in dev.show(address).text


def test_a_device_of_two_leagues_chooses_where_it_looks(
    phone: Phone, years: Author, site: Site
) -> None:
    with site.app.app_context():
        open_league("The Club", "ann's token")
    page = phone.show("/league")
    assert page.say(".brand") == "The Club"
    page = phone.press(page.form("/choices"), "The Harpers")
    assert page.say(".brand") == "The Harpers"
    assert phone.show("/league?season=all").say(".brand") == "The Harpers"
    dev = site.phone("dev's token")
    dev.client.set_cookie("league", str(years.league_id))
    with site.app.app_context():
        open_league("Dev's club", "dev's token")
    assert dev.show("/league").say(".brand") == "Dev's club"


def test_a_game_that_does_not_count_says_so_in_every_list(phone: Phone, ann: Author) -> None:
    table = played(ann, 0, 5, 9, on=date(2026, 5, 1))
    assert "doesn't count" not in phone.show("/league/games").text
    table.change(lambda record: describe(record, date(2026, 5, 1), "", counts=False))
    for address in ("/league/games", "/league/evenings/2026-05-01", "/league", PLAYER):
        assert "doesn't count" in phone.show(address).text


# Which games the standings count


def test_a_league_chooses_which_game_its_standings_and_ratings_count(
    phone: Phone, ann: Author
) -> None:
    """Bob wins at Cribbage, Ann twice at Nertz: whoever is asked about all games hears of both."""
    for key, *points in (("cribbage", 50, 121), ("nertz", 100, 10), ("nertz", 100, 10)):
        Table.start(ann, "Ann", "Bob", variant=load(key)).score(*points)
    assert _ranks(phone.show("/league")) == ["Ann", "Bob"]
    settings = phone.show("/league/settings").form("/standings")
    phone.press(settings.fill("variant", "cribbage"))
    league = phone.show("/league")
    assert "Standings and ratings count Cribbage only." in league.text
    assert _ranks(league) == ["Bob", "Ann"]
    assert _ranks(phone.show("/league?variant=")) == ["Ann", "Bob"]
    assert _ranks(phone.show("/league?variant=nertz")) == ["Ann", "Bob"]
    assert _ranks(phone.show("/")) == ["Bob", "Ann"]
    assert _rated(ann, "cribbage") == {"Ann": 1, "Bob": 1}
    back = phone.show("/league/settings").form("/standings")
    phone.press(back.fill("variant", ""))
    assert _ranks(phone.show("/league")) == ["Ann", "Bob"]
    assert _rated(ann, "") == {"Ann": 3, "Bob": 3}


def _ranks(page: Page) -> list[str]:
    return page.said(".standings bdi")


def _rated(author: Author, key: str) -> dict[str, int]:
    db.session.rollback()
    table = standings(db.session(), author.league_id, variant_key=key)
    return {row.name: row.form.games for row in table if row.form}


def test_last_year_is_two_taps_from_home_with_its_own_results(phone: Phone, years: Author) -> None:
    league = phone.show(phone.show("/").link("/league"))
    chips = {spaced(chip): chip.attributes["href"] for chip in league.all("nav a.chip")}
    last_year = phone.show(str(chips["2025"]))
    assert "1 May 2025" in last_year.text
    assert "2026" not in " ".join(lines(last_year, "Results"))


def test_a_backup_and_the_dark_are_found_by_name(phone: Phone, years: Author) -> None:
    assert "Back up the league" in phone.show("/league").text
    assert phone.show(phone.show("/").link("/league/settings")).heading == "Look and table settings"
