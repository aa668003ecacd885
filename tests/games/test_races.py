"""Many phones at once, and a server killed between two taps."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from random import Random
from threading import Barrier, Event

import pytest
from flask import Flask
from sqlalchemy import select

from companion.games import writer
from companion.games.changes import ChangeError, describe, join, throw_in
from companion.games.game_season import season_at, seasons
from companion.games.reading import load_game
from companion.games.shown.game_lists import list_games, regulars
from companion.games.writer import StaleError
from companion.people import merging, season_dates
from companion.people.actions import league_actions
from companion.store.aliases import shared_alias
from companion.store.authors import Author
from companion.store.models import Game, History, Player, db
from tests.leagues.game_driver import Table, check_sound, newcomer, scoring, told
from tests.leagues.looked_back import check_league
from tests.processes.crash import Writer, check_database, kill_and_check
from tests.processes.load import crowd_and_check
from tests.support.doses import doses
from tests.support.patience import HANGS
from tests.support.reports import CHICAGO, CONTRACT, THREE, ZIONCHECK
from tests.support.same_moment import PHONES, at_once

pytestmark = pytest.mark.sql
ROUNDS = 12


def kinds(answers: list[object]) -> Counter[str]:
    """Count the answers by what they are."""
    return Counter(
        ("repeated" if answer.repeated else "saved")
        if isinstance(answer, writer.Saved)
        else type(answer).__name__
        for answer in answers
    )


def test_of_eight_phones_on_one_revision_one_wins(app: Flask, ann: Author) -> None:
    table = Table.start(ann, *THREE, variant=CHICAGO)
    for turn in range(ROUNDS):
        seen = table.revision

        def tap(phone: int, seen: int = seen, turn: int = turn) -> Callable[[], object]:
            author, game = table.author, table.game_id
            change = lambda record: throw_in(record, "again")  # noqa: E731
            return lambda: writer.change_game(author, game, seen, f"{turn}-{phone}", "x", change)

        answers = at_once(app, [tap(phone) for phone in range(PHONES)])
        assert kinds(answers) == {"saved": 1, "StaleError": PHONES - 1}, answers
        table.revision += 1
    check_sound(table.game_id)
    assert table.stored.revision == ROUNDS + 1
    check_database()


def test_one_submission_sent_eight_times_is_one_and_all_are_told_so(
    app: Flask, ann: Author
) -> None:
    table = Table.start(ann, *THREE, variant=CHICAGO)
    for turn in range(ROUNDS):
        seen, key = table.revision, f"turn{turn}"

        def tap(seen: int = seen, key: str = key) -> object:
            change = lambda record: throw_in(record, "again")  # noqa: E731
            return writer.change_game(table.author, table.game_id, seen, key, "x", change)

        answers = at_once(app, [tap] * PHONES)
        assert kinds(answers) == {"saved": 1, "repeated": PHONES - 1}, answers
        assert {saved.revision for saved in answers if isinstance(saved, writer.Saved)} == {
            seen + 1
        }
        table.revision += 1
    check_sound(table.game_id)


def test_one_game_started_eight_times_is_one(app: Flask, ann: Author) -> None:
    for turn in range(4):

        def tap(turn: int = turn) -> object:
            return writer.start_game(ann, f"key{turn}", CONTRACT, ["Ann", "Bob", f"New {turn}"])

        answers = at_once(app, [tap] * PHONES)
        assert kinds(answers) == {"saved": 1, "repeated": PHONES - 1}, answers
        assert len({saved.game_id for saved in answers if isinstance(saved, writer.Saved)}) == 1
    assert len(list_games(db.session(), ann.league_id)) == 4


def test_a_newcomer_named_eight_times_is_one_person(app: Flask, ann: Author) -> None:
    spellings = ["Zoë", "zoe", "ZOE", "Zoe", " Zoë ", "zoë", "ZOË", "zOe"]
    answers = at_once(app, [lambda n=name: newcomer(ann, n) for name in spellings])  # type: ignore[misc]
    assert len(set(answers)) == 1
    assert len(regulars(db.session(), ann.league_id)) == 1


def test_different_changes_of_one_game_take_turns(app: Flask, ann: Author) -> None:
    """Eight phones that try again after each refusal: nobody's change is lost."""
    table = Table.start(ann, *THREE, variant=CHICAGO)
    people = [newcomer(ann, f"Phone {n}") for n in range(4)]

    def sit_down(player: int) -> object:
        for attempt in range(50):
            seen = table.stored.revision
            try:
                return writer.change_game(
                    ann,
                    table.game_id,
                    seen,
                    f"{player}-{attempt}",
                    "joined",
                    lambda record: join(record, player, "zero"),
                )
            except StaleError:
                continue
        return ChangeError("fifty times too late")

    answers = at_once(app, [lambda p=player: sit_down(p) for player in people])  # type: ignore[misc]
    assert kinds(answers) == {"saved": 4}, answers
    assert {seat.player_id for seat in table.record.seats} >= set(people)
    check_sound(table.game_id)


def test_many_tables_play_at_once(app: Flask, ann: Author, dev: Author) -> None:
    def play(author: Author) -> object:
        table = Table.start(author, *THREE)
        for number in range(7):
            table.score(0, 5 + number, 5)
        return table.game_id

    authors = [ann, dev] * 4
    answers = at_once(app, [lambda a=author: play(a) for author in authors])  # type: ignore[misc]
    assert kinds(answers) == {"int": PHONES}, answers
    games = db.session.execute(select(Game.id, Game.status, Game.revision)).all()
    assert {tuple(game[1:]) for game in games} == {("finished", 8)}
    for game in games:
        check_sound(game.id)
    assert len(set(db.session.execute(select(History.key)).scalars())) == PHONES * 8


@pytest.mark.slow
def test_people_and_seasons_change_while_games_are_played(app: Flask, ann: Author) -> None:
    """Every rating is what the games say, and every game is in a season."""
    cleo, chloe = newcomer(ann, "Cleo"), newcomer(ann, "Chloe")

    def play(name: str, other: str) -> object:
        for turn in range(3):
            table = Table.start(ann, name, other, variant=ZIONCHECK, on=date(2026, 2, 2))
            for _ in ZIONCHECK.deals:
                table.score(0, 5)
            day = date(2025 + turn % 2, 12, 25)
            table.change(lambda record, day=day: describe(record, day, "", counts=True))  # type: ignore[misc]
        return "played"

    def unite() -> object:
        for turn in range(6):
            merging.merge(ann, f"merge{turn}", cleo, chloe)
            merging.undo(ann, _last_act(ann, merging.MERGED))
        merging.merge(ann, "merge", cleo, chloe)
        return "made one"

    def divide() -> object:
        winter = season_dates.SeasonDates("Winter", date(2025, 12, 1), date(2026, 2, 28))
        for turn in range(6):
            season_dates.make_season(ann, f"season{turn}", winter)
            season_dates.undo(ann, _last_act(ann, season_dates.MADE))
        season_dates.make_season(ann, "season", winter)
        return "divided"

    actions = [lambda: play("Ann", "Cleo"), lambda: play("Bob", "Chloe"), unite, divide]
    assert at_once(app, actions) == ["played", "played", "made one", "divided"]
    check_league(ann.league_id)
    known = seasons(db.session(), ann.league_id)
    days = db.session.execute(select(Game.played_on)).scalars()
    assert all(season_at(known, day) for day in days)


def _last_act(author: Author, kind: str) -> int:
    db.session.rollback()
    return league_actions(db.session(), author.league_id, [kind])[0].act_id


@pytest.mark.slow
def test_a_page_never_sees_half_a_change(app: Flask, ann: Author) -> None:
    """Between its queries a page must not see what others store meanwhile."""
    table = Table.start(ann, *THREE)
    over = Event()

    def read() -> object:
        seen = 0
        while not (seen and over.is_set()):
            db.session.rollback()
            game = load_game(db.session(), ann.league_id, table.game_id)
            assert len(game.record.seats) == 3 + (game.revision - 1) % 2
            assert all(len(deal.lines) == 3 for deal in game.record.deals)
            seen += 1
        return seen

    def write() -> object:
        try:
            eve = newcomer(ann, "Eve")
            for _ in range(ROUNDS):
                table.change(lambda record: join(record, eve, "zero"))
                table.restore(1)
            return "written"
        finally:
            over.set()

    *counts, written = at_once(app, [read, read, read, write])
    assert written == "written"
    assert all(isinstance(count, int) and count for count in counts), counts


def test_reading_between_the_queries_of_a_page(app: Flask, ann: Author) -> None:
    """The same without luck: a page asks, somebody scores, the page asks on."""
    table = Table.start(ann, *THREE)
    assert load_game(db.session(), ann.league_id, table.game_id).revision == 1

    def score() -> object:
        return table.change(scoring(told(0, 5, 5)))

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: _inside(app, score)).result(HANGS)
    page = load_game(db.session(), ann.league_id, table.game_id)
    assert page.record.deals == ()
    db.session.rollback()
    assert len(load_game(db.session(), ann.league_id, table.game_id).record.deals) == 1


def test_an_alias_is_the_same_to_threads_that_use_it_first() -> None:
    """SQLAlchemy's own alias is the plain table to one thread in a few hundred."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(PHONES) as pool:
            for _ in range(200):
                person = shared_alias(Player)
                barrier = Barrier(PHONES)

                def ask(person: type[Player] = person, barrier: Barrier = barrier) -> str:
                    barrier.wait(HANGS)
                    return str(select(person.person_id))

                asked = {work.result() for work in [pool.submit(ask) for _ in range(PHONES)]}
                assert len(asked) == 1, asked
    finally:
        sys.setswitchinterval(before)


def _inside(app: Flask, action: Callable[[], object]) -> object:
    with app.app_context():
        try:
            return action()
        finally:
            db.session.remove()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need a system with fork")
@doses("kills", 4, 20)
def test_a_killed_server_loses_nothing_that_it_acknowledged(
    app: Flask, ann: Author, kills: int
) -> None:
    """I13 and I15: many kills, and each submission without an answer is sent again."""
    chance = Random(20)
    with Writer(ann) as writer:
        answers = [kill_and_check(writer, chance) for _ in range(kills)]
    assert min(answers) >= 1
    check_database()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need a system with fork")
@doses("kills", 3, 6)
def test_sixteen_phones_write_one_game_on_three_servers_that_are_killed(
    app: Flask, kills: int
) -> None:
    """Nobody meets a fault, and every telling and every deal that was answered is there."""
    answers = crowd_and_check(kills)
    assert set(answers) <= {"200", "303", "409", "none"}
    assert answers["200"] > PHONES
    assert answers["303"]
