"""Finding games: by players, game, dates, state and words, a page at a time by its last key."""

from datetime import date, timedelta
from typing import Any

import pytest

from companion.games.changes import describe, stop
from companion.games.shown.game_search import FoundGames, GameQuery, find_games, found_variants
from companion.people.merging import merge
from companion.people.roster import people
from companion.rules import extend
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.game_driver import Table
from tests.leagues.kept_story import kept
from tests.support.reports import CONTRACT, ZIONCHECK
from tests.visits.browserless import start
from tests.visits.pages import Page
from tests.visits.phones import Phone

pytestmark = pytest.mark.sql
FIRST = date(2026, 3, 1)
ONE_DEAL = extend(ZIONCHECK, {"ending": {"deals": 1}})


def day(number: int) -> date:
    return FIRST + timedelta(days=number)


def finished(author: Author, *names: str, on: date) -> Table:
    table = Table.start(author, *names, variant=ONE_DEAL, on=on)
    table.score(*(5 * seat for seat in range(len(names))))
    return table


def noted(table: Table, note: str) -> Table:
    record = table.record
    assert record.played_on
    on = record.played_on
    table.change(lambda was: describe(was, on, note, counts=True))
    return table


def find(author: Author, *names: str, **wanted: Any) -> list[int]:
    """The numbers of the games that are found, in the order of the page."""
    db.session.rollback()
    known = {row.name: row.person_id for row in people(db.session(), author.league_id)}
    asked = GameQuery(people=tuple(known[name] for name in names), **wanted)
    return numbers(find_games(db.session(), author.league_id, asked))


def numbers(found: FoundGames) -> list[int]:
    return [game.game_id for game in found.games]


@pytest.fixture
@kept
def harpers(ann: Author) -> Author:
    """Five games: 1 Ann and Bob, 2 Ann and Cleo, 3 all in a game of contracts, 4 and 5 again."""
    noted(finished(ann, "Ann", "Bob", on=day(10)), "Snow storm outside")
    finished(ann, "Ann", "Cleo", on=day(5))
    Table.start(ann, "Ann", "Bob", "Cleo", variant=CONTRACT, on=day(20))
    noted(finished(ann, "Cleo", "Bob", on=day(10)), "Été 100% 'sun'")
    stopped = Table.start(ann, "Bob", "Ann", variant=ZIONCHECK, on=day(1))
    stopped.change(lambda record: stop(record, stopped=True))
    return ann


def test_the_latest_evening_comes_first(harpers: Author) -> None:
    assert find(harpers) == [3, 4, 1, 2, 5]


def test_by_who_sat_at_the_table(harpers: Author) -> None:
    for names, games in (
        (["Ann"], [3, 1, 2, 5]),
        (["Bob", "Ann"], [3, 1, 5]),
        (["Ann", "Bob", "Cleo"], [3]),
        (["Cleo", "Cleo"], [3, 4, 2]),
    ):
        assert find(harpers, *names) == games, names


KNOWN: list[tuple[dict[str, Any], list[int]]] = [
    ({"variant_key": "contract-rummy"}, [3]),
    ({"variant_key": "zioncheck"}, [4, 1, 2, 5]),
    ({"since": day(10)}, [3, 4, 1]),
    ({"until": day(10)}, [4, 1, 2, 5]),
    ({"since": day(5), "until": day(10)}, [4, 1, 2]),
    ({"status": "finished"}, [4, 1, 2]),
    ({"status": "running"}, [3]),
    ({"status": "stopped"}, [5]),
    ({"words": ("snow",)}, [1]),
    ({"words": ("STORM", "out")}, [1]),
    ({"words": ("snow", "sun")}, []),
    ({"words": ("été",)}, [4]),
    ({"words": ("100%",)}, [4]),
    ({"words": ("1%",)}, []),
    ({"words": ("_",)}, []),
    ({"words": ("'",)}, [4]),
    ({"variant_key": "zip"}, []),
    ({"status": "finished", "words": ("o",), "since": day(10)}, [1]),
]


def test_by_what_is_known_of_a_game(harpers: Author) -> None:
    for wanted, games in KNOWN:
        assert find(harpers, **wanted) == games, wanted


def test_a_person_and_more(harpers: Author) -> None:
    assert find(harpers, "Cleo", status="finished", until=day(9)) == [2]
    assert find(harpers, "Bob", "Cleo", words=("sun",)) == [4]


def test_a_person_has_the_games_of_every_name(harpers: Author) -> None:
    finished(harpers, "Chloe", "Ann", on=day(7))
    listed = {row.name: row.person_id for row in people(db.session(), harpers.league_id)}
    merge(harpers, "key", listed["Cleo"], listed["Chloe"])
    assert find(harpers, "Cleo") == [3, 4, 6, 2]
    assert find(harpers, "Ann", "Cleo") == [3, 6, 2]


def test_another_league_finds_nothing_of_ours(harpers: Author, dev: Author) -> None:
    ours = tuple(row.person_id for row in people(db.session(), harpers.league_id))
    for wanted in (GameQuery(), GameQuery(people=ours[:1]), GameQuery(words=("snow",))):
        assert find_games(db.session(), dev.league_id, wanted) == FoundGames()
    assert found_variants(db.session(), dev.league_id) == []


def test_nobody_has_no_games(harpers: Author) -> None:
    assert find_games(db.session(), harpers.league_id, GameQuery(people=(999,))) == FoundGames()


def test_a_line_says_who_came_where(harpers: Author) -> None:
    Table.start(harpers, "Ann", "Bob", variant=ZIONCHECK, on=day(30))
    running, _, _, game, *_ = find_games(db.session(), harpers.league_id, GameQuery()).games
    assert (game.played_on, game.variant_name, game.note) == (
        day(10),
        "Zioncheck",
        "Snow storm outside",
    )
    assert (game.ranking, game.winners, game.unplaced) == (((1, "Ann"), (2, "Bob")), ("Ann",), ())
    assert (running.ranking, running.unplaced) == ((), ("Ann", "Bob"))


def test_the_variants_of_a_league_are_those_it_played(harpers: Author) -> None:
    assert found_variants(db.session(), harpers.league_id) == [
        ("contract-rummy", "Contract Rummy"),
        ("zioncheck", "Zioncheck"),
    ]


# Page by page


def test_pages_go_through_every_game_and_back(ann: Author) -> None:
    """Nine games on five evenings, four to a page: no game is left out, none is shown twice."""
    for number in range(9):
        Table.start(ann, "Ann", "Bob", variant=ZIONCHECK, on=day(number // 2))
    first_two = [row.person_id for row in people(db.session(), ann.league_id)]
    session, league = db.session(), ann.league_id
    for asked in ([], first_two[:1], first_two):
        wanted = GameQuery(people=tuple(asked))
        first = find_games(session, league, wanted, most=4)
        second = find_games(session, league, wanted, before=first.older, most=4)
        third = find_games(session, league, wanted, before=second.older, most=4)
        assert [numbers(page) for page in (first, second, third)] == [
            [9, 8, 7, 6],
            [5, 4, 3, 2],
            [1],
        ]
        assert first.newer is third.older is None
        assert find_games(session, league, wanted, after=third.newer, most=4) == second
        again = find_games(session, league, wanted, after=second.newer, most=4)
        assert numbers(again) == numbers(first)
        assert again.newer is None


def test_a_game_begun_meanwhile_moves_no_page(ann: Author) -> None:
    for number in range(5):
        Table.start(ann, "Ann", "Bob", variant=ZIONCHECK, on=day(number))
    first = find_games(db.session(), ann.league_id, GameQuery(), most=2)
    Table.start(ann, "Ann", "Bob", variant=ZIONCHECK, on=day(9))
    db.session.rollback()
    second = find_games(db.session(), ann.league_id, GameQuery(), before=first.older, most=2)
    assert numbers(second) == [3, 2]


# The page


def look(phone: Phone, **typed: str) -> Page:
    form = phone.show("/league/games").form("/league/games")
    for name, words in typed.items():
        form.fill(name, words)
    query = "&".join(f"{name}={words}" for name, words in form.data().items())
    return phone.show(f"/league/games?{query}")


def test_the_page_finds_what_its_form_asks_for(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    start(lone, "contract-rummy", "Ann", "Bob", "Cleo")
    cleo = look(lone, who="3")
    assert [link for link in cleo.links() if "/games/2" in link] == ["/games/2"]
    assert "Contract Rummy" in cleo.say("main ul")
    nothing = look(lone, who="3", variant="zioncheck")
    assert "No game matches." in nothing.text
    assert nothing.form("/league/games").value("who") == "3"


def test_a_date_that_is_none_is_said_beside_its_field(lone: Phone) -> None:
    start(lone, "zioncheck", "Ann", "Bob")
    page = lone.show("/league/games?since=2026-02-31", 422)
    assert "2026-02-31 is no date" in page.faults
    assert page.form("/league/games").value("since-day") == "2026-02-31"


def test_pages_keep_what_was_asked_for(lone: Phone) -> None:
    for _ in range(21):
        start(lone, "zioncheck", "Ann", "Bob")
    first = lone.show("/league/games?who=1")
    second = lone.show(first.link("before="))
    assert "who=1" in second.path
    assert [link for link in second.links() if link == "/games/1"]
    assert len(lone.show(second.link("after=")).all("main li")) == 20
