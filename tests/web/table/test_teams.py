"""Teams: two or more people share a line, and what it brings counts for each of them."""

from __future__ import annotations

from itertools import permutations

import pytest
from flask_migrate import downgrade
from sqlalchemy import select, update

from companion.files.exchange import read_document
from companion.games import writer
from companion.games.reading import load_game
from companion.people import merging, roster
from companion.people.roster import PeopleError
from companion.statistics.rivals import rivalries
from companion.statistics.standings import StandingsRow, standings
from companion.store import database
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import LeagueAction, Player, TeamMember, db
from companion.upkeep import startup
from companion.upkeep.recount import recount
from tests.leagues.scanning import scan
from tests.visits.browserless import bring_in, entry, places, save, score, start
from tests.visits.pages import Page, attribute, words
from tests.visits.phones import Phone

WON = {0: "0+121", 1: "50"}


def at_cribbage(phone: Phone, names: str, status: int = 303) -> Page:
    """Seat the sides of a game."""
    return phone.press(phone.show("/games/new/cribbage").form().fill("names", names), status=status)


@pytest.fixture
def evening(phone: Phone) -> Phone:
    """Ann wins with Bob, then with Cleo; Bob beats her at Cribbage."""
    over = score(phone, at_cribbage(phone, "Ann + Bob, Cleo + Dev"), "", None, WON)
    assert places(over) == ["1. Ann and Bob: 121", "2. Cleo and Dev: 50"]
    score(phone, at_cribbage(phone, "Ann + Cleo, Bob + Dev"), "", None, WON)
    score(phone, start(phone, "cribbage", "Ann", "Bob"), "", None, {0: "0+50", 1: "0+121"})
    return phone


def standing(phone: Phone, league: int = 1) -> dict[str, StandingsRow]:
    """Read the standings of a league by name."""
    with phone.site.app.app_context():
        return {row.name: row for row in standings(db.session(), league)}


def test_standings_count_each_of_a_team(evening: Phone) -> None:
    rows = standing(evening)
    assert {name: (row.games, float(row.wins)) for name, row in rows.items()} == {
        "Ann": (3, 2.0),
        "Bob": (3, 2.0),
        "Cleo": (2, 1.0),
        "Dev": (2, 0.0),
    }
    assert {name: row.form.games for name, row in rows.items() if row.form} == {
        name: row.games for name, row in rows.items()
    }
    with evening.site.app.app_context():
        assert not list(recount(1, lambda _done, _all: None))


def test_the_people_of_a_side_deal_in_turn(phone: Phone) -> None:
    table = at_cribbage(phone, "Ann + Bob, Cleo + Dev")
    for dealer, first in (("Ann", "Cleo"), ("Cleo", "Bob"), ("Bob", "Dev"), ("Dev", "Ann")):
        board = table.say("table.board")
        assert f"{dealer} deals" in board
        assert f"{first} plays first" in board
        assert "Ann and Bob" in board
        table = score(phone, table, "", None, {0: "0+5", 1: "0+4"})
    assert "Ann and Bob lead" not in table.text
    form = entry(phone, table, "").form().fill("seat0-total", "0+101").fill("seat1-total", "1")
    assert "Save, Ann and Bob win" in phone.press(form, "review", 200).text
    over = save(phone, form)
    assert "Ann and Bob win" in over.text
    again = phone.press(over.form("/rematch"))
    assert seats(phone, again) == ["Ann + Bob", "Cleo + Dev"]


def test_partners_are_no_rivals(evening: Phone) -> None:
    rows = standing(evening)
    with evening.site.app.app_context():
        met = rivalries(db.session(), 1, list(rows.values()))
    ann, bob, dev = (rows[name].person_id for name in ("Ann", "Bob", "Dev"))
    assert (met[ann][bob].games, met[ann][bob].above) == (2, 1)
    assert (met[ann][dev].games, met[ann][dev].above) == (2, 2)


def test_a_player_s_games_are_those_of_the_teams_too(evening: Phone) -> None:
    dev = standing(evening)["Dev"].person_id
    assert evening.show(f"/league/games?who={dev}").text.count("Cribbage 1.") == 2
    sheet = evening.show(f"/league/players/{dev}").text
    assert "Ann + Bob" in sheet
    assert "Cleo + Dev" not in sheet


@pytest.mark.parametrize(
    ("names", "twice"), [("Ann + Bob, Ann", "Ann"), ("Ann + Bob, Bob + Cleo", "Bob")]
)
def test_nobody_sits_in_two_sides(phone: Phone, names: str, twice: str) -> None:
    refused = at_cribbage(phone, names, 422)
    assert f"{twice} would sit here twice" in refused.text


def test_a_team_s_name_at_a_game_of_cards_is_a_name(phone: Phone) -> None:
    score(phone, start(phone, "zioncheck", "Ann + Bob", "Cleo"), "out", 0, {1: "7 7"})
    with phone.site.app.app_context():
        assert not db.session.execute(select(TeamMember)).all()


def test_a_team_goes_to_another_league_with_its_people(evening: Phone) -> None:
    file = evening.send("/league/files/league.json").data
    bring_in(evening.site.phone(), file)
    with evening.site.app.app_context():
        league = max(db.session.execute(select(Player.league_id)).scalars())
    assert league > 1
    here, there = standing(evening), standing(evening, league)
    assert {n: (r.games, r.wins) for n, r in here.items()} == {
        n: (r.games, r.wins) for n, r in there.items()
    }


def seats(phone: Phone, table: Page) -> list[str]:
    """Who sits at a table, as its lines are called."""
    with phone.site.app.app_context():
        return list(load_game(db.session(), 1, int(table.path.split("/")[2])).lines)


def sit_down(phone: Phone, table: Page, name: str, status: int = 303) -> Page:
    """Seat a late joiner."""
    form = phone.show(f"{table.path}/more/join").form("/seats")
    form.typed["name"] = name
    return phone.press(form, status=status)


def rename(phone: Phone, name: str, new: str, status: int = 303) -> Page:
    """Call somebody by another name, from the list of players."""
    with phone.site.app.app_context():
        number = db.session.execute(select(Player.id).where(Player.name == name)).scalar_one()
    form = phone.show(f"/league/people/{number}").form("/name")
    return phone.press(form.fill("name", new), status=status)


def people(phone: Phone) -> list[str]:
    """The list of players, a line each."""
    return [words(line) for line in phone.show("/league/people").all("main ul.rows li")]


def taken_home(phone: Phone) -> Phone:
    """Bring a league into a new one of another phone."""
    other = phone.site.phone()
    bring_in(other, phone.send("/league/files/league.json").data)
    return other


SAME = ["Ann+Bob, Cleo", "Bob + Ann, Cleo", "ann  +  BOB, Cleo"]


@pytest.mark.parametrize("names", SAME)
def test_a_pair_is_one_line_however_it_is_written(phone: Phone, names: str) -> None:
    at_cribbage(phone, "Ann + Bob, Cleo")
    assert seats(phone, at_cribbage(phone, names)) == ["Ann + Bob", "Cleo"]


def test_a_pair_is_called_as_its_people_are_now(phone: Phone) -> None:
    first = at_cribbage(phone, "Bob + Ann, Cleo")
    rename(phone, "Ann", "Anke")
    again = at_cribbage(phone, "Anke + Bob, Cleo")
    assert seats(phone, first) == seats(phone, again) == ["Bob + Anke", "Cleo"]
    assert len([line for line in people(phone) if "+" in line]) == 1
    assert seats(phone, at_cribbage(phone, "Ann + Bob, Cleo")) == ["Ann + Bob", "Cleo"]


def test_two_pairs_that_are_the_same_people_by_now_are_one_line(phone: Phone) -> None:
    first = at_cribbage(phone, "Ann + Bob, Cleo")
    second = at_cribbage(phone, "Annie + Bob, Cleo")
    with phone.site.app.app_context():
        ids = dict(db.session.execute(select(Player.name, Player.id)).all())
        author = Author(1, 1)
        merging.merge(author, "one", ids["Ann"], ids["Annie"])
    assert seats(phone, first) == seats(phone, second) == ["Ann + Bob", "Cleo"]
    assert len([line for line in people(phone) if "+" in line]) == 1
    with phone.site.app.app_context():
        (act,) = db.session.execute(select(LeagueAction.id)).scalars()
        merging.undo(author, act)
    assert seats(phone, second) == ["Annie + Bob", "Cleo"]


def test_a_pair_is_renamed_and_merged_only_by_its_people(phone: Phone) -> None:
    at_cribbage(phone, "Ann + Bob, Cleo")
    with phone.site.app.app_context():
        ids = dict(db.session.execute(select(Player.name, Player.id)).all())
        with pytest.raises(PeopleError, match=r"Ann \+ Bob is a team"):
            roster.rename(Author(1, 1), "k", ids["Ann + Bob"], "Ann + Bob", "The Cats")
        for pair in permutations((ids["Ann + Bob"], ids["Cleo"])):
            with pytest.raises(PeopleError, match=r"Ann \+ Bob is a team"):
                merging.merge(Author(1, 1), "k", *pair)
    page = phone.show(f"/league/people/{ids['Ann + Bob']}")
    assert "called by its people" in page.text
    assert not [form for form in page.forms() if form.action.endswith("/name")]
    assert "A plus stands between" in rename(phone, "Cleo", "Cleo + Dev", 422).text


def test_long_names_make_a_team(phone: Phone) -> None:
    names = [f"{letter}{'o' * 39}" for letter in "ABCD"]
    table = at_cribbage(phone, f"{' + '.join(names)}, Eve")
    rename(phone, names[0], f"Z{'o' * 39}")
    team, eve = seats(phone, table)
    assert team.startswith("Zooo")
    assert (len(team), eve) == (160, "Eve")
    other = taken_home(phone)
    assert team in other.show("/league/people").text


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Uwe + Uwe, Cleo", "Uwe is listed twice"),
        ("Uwe+uwe, Cleo", "is listed twice"),
        (f"{'+'.join(map(chr, range(97, 118)))}, Cleo", "A team has at most 20 people"),
    ],
)
def test_a_team_that_is_none_is_a_sentence(phone: Phone, names: str, said: str) -> None:
    assert said in at_cribbage(phone, names, 422).text


def test_two_names_of_one_person_are_no_team(phone: Phone) -> None:
    start(phone, "zioncheck", "Ann", "Bob")
    start(phone, "zioncheck", "Annie", "Bob")
    with phone.site.app.app_context():
        ids = dict(db.session.execute(select(Player.name, Player.id)).all())
        merging.merge(Author(1, 1), "one", ids["Ann"], ids["Annie"])
    refused = at_cribbage(phone, "Ann + Annie, Bob", 422)
    assert "In Ann + Annie two names are one person." in refused.text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ann", "Ann would sit here twice: as Ann + Bob and as Ann."),
        ("Cleo + Ann", "Ann would sit here twice: as Ann + Bob and as Cleo + Ann."),
        ("Bob + Ann", "This player already has a seat in this game."),
        ("Eva, Fay", "A name has no comma"),
    ],
)
def test_nobody_joins_beside_their_own_team(phone: Phone, name: str, said: str) -> None:
    table = at_cribbage(phone, "Ann + Bob, Cleo")
    assert said in sit_down(phone, table, name, 422).text
    assert seats(phone, table) == ["Ann + Bob", "Cleo"]


def test_whoever_joins_by_a_code_sits_in_their_team(phone: Phone) -> None:
    table = at_cribbage(phone, "Ann + Bob, Cleo")
    bob = phone.site.phone()
    page = bob.show(scan(phone, table))
    offered = {words(one): attribute(one, "value") for one in page.all("button[name=person]")}
    assert [name.split()[-1] for name in offered] == ["Ann", "Bob", "Cleo"]
    number = next(number for name, number in offered.items() if name.endswith("Bob"))
    form = page.form_with("Bob").data() | {"person": number}
    mine = bob.follow(bob.post(page.path, form, 303))
    assert mine.path == "/games/1/mine"
    assert "No seat" not in mine.text
    assert seats(phone, table) == ["Ann + Bob", "Cleo"]


def test_a_pair_that_joins_late_is_a_team(phone: Phone) -> None:
    table = at_cribbage(phone, "Ann + Bob, Cleo + Dev")
    sit_down(phone, table, "Eva + Fay")
    score(phone, table, "", None, {0: "0+121", 1: "50", 2: "40"})
    rows = standing(phone)
    assert {name: (row.games, float(row.wins)) for name, row in rows.items()} == {
        **dict.fromkeys(["Ann", "Bob"], (1, 1.0)),
        **dict.fromkeys(["Cleo", "Dev", "Eva", "Fay"], (1, 0.0)),
    }


def test_a_pair_in_a_spreadsheet_is_a_team(phone: Phone) -> None:
    start(phone, "zioncheck", "Eva", "Fay")
    sheet = "Date,Game,Eva + Fay,Gus\n2020-05-01,Spades,510,85\n2020-05-02,Spades,40,505\n"
    form = phone.show("/league/past").form("/past/looks")
    form.typed["text"] = sheet
    looked = phone.press(form, status=200).form("/past/looks").data()
    phone.post("/league/past/imports", looked, 303)
    rows = standing(phone)
    assert {name: (row.games, float(row.wins)) for name, row in rows.items()} == {
        **dict.fromkeys(["Eva", "Fay", "Gus"], (2, 1.0))
    }


def test_the_list_of_players_says_what_pairs_and_their_people_played(evening: Phone) -> None:
    lines = people(evening)
    assert len(lines) == 8
    assert not [line for line in lines if "no game yet" in line]
    (bob,) = [line for line in lines if "Bob" in line and "+" not in line]
    assert "3 games, 2 won" in bob
    (pair,) = [line for line in lines if "Ann + Bob" in line]
    assert "1 game, 1 won" in pair


def test_whom_versions_before_seated_beside_their_team_goes_on(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = at_cribbage(phone, "Ann + Bob, Cleo")
    with monkeypatch.context() as before:
        before.setattr(writer, "refuse_twice", lambda *_: None)
        sit_down(phone, table, "Ann")
    score(phone, table, "", None, {0: "0+121", 1: "50", 2: "40"})
    other = taken_home(phone)
    assert "1. Ann + Bob, 2. Cleo, 3. Ann" in other.show("/league/games").text
    forms = phone.show(table.path).forms()
    phone.press(next(form for form in forms if form.action.endswith("/restorations")))
    sit_down(phone, table, "Eve")
    assert seats(phone, table) == ["Ann + Bob", "Cleo", "Ann", "Eve"]


def test_lines_that_versions_before_doubled_become_one(phone: Phone) -> None:
    """As versions before stored them: a line for each way of writing, called as it was then."""
    first = at_cribbage(phone, "Ann + Bob, Cleo")
    second = at_cribbage(phone, "Zoe + Bob, Cleo")
    app = phone.site.app
    with app.app_context():
        database.load_migrations(app)
        downgrade(directory=str(database.MIGRATIONS), revision="0011")
        with writing() as session:
            ids = dict(session.execute(select(Player.name, Player.id)).all())
            for name, key in [("Ann + Bob", "ann + bob"), ("Zoe + Bob", "bob + ann")]:
                mine = update(Player).where(Player.id == ids[name])
                session.execute(mine.values(name=key.title(), name_key=key))
            mine = update(TeamMember).where(TeamMember.member_id == ids["Zoe"])
            session.execute(mine.values(member_id=ids["Ann"]))
            renamed = update(Player).where(Player.id == ids["Ann"])
            session.execute(renamed.values(name="Anke", name_key="anke"))
        startup.prepare(is_backed_up=True)
        db.session.rollback()
    assert seats(phone, first) == seats(phone, second) == ["Anke + Bob", "Cleo"]
    assert len([line for line in people(phone) if "+" in line]) == 1
    assert seats(phone, at_cribbage(phone, "Bob+Anke, Cleo")) == ["Anke + Bob", "Cleo"]
    document = read_document(phone.send("/league/files/league.json").data)
    assert [player.name for player in document.players if player.members] == ["Anke + Bob"]
    taken_home(phone)
