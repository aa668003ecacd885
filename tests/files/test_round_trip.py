"""A whole league moves to another server, and nothing of it is another."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from companion.files.exchange import ImportResult, export_league, packed, write_document
from companion.games import writer
from companion.games.changes import Change, describe, leave
from companion.games.reading import load_game
from companion.games.record import Record
from companion.games.seating import settle_tie, take_places
from companion.people import house_rules, leagues, merging, roster
from companion.rules import extend, load, load_examples, point_games, with_choices
from companion.scoring import Tally
from companion.scoring.bonuses import TRICKS, bid_parts, told_bid
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.models import League, Player, db
from tests.conftest import fresh_app
from tests.leagues.copies import copied, exported, games
from tests.leagues.full_league import play, play_everything
from tests.leagues.game_driver import Table, check_sound, scoring
from tests.leagues.looked_back import check_league
from tests.support.reports import total

STRANGE = ["Zoë", "Ann 🦊", "O'Neil", "Jürgen", "-5", "Mum and Dad", "@Eve {0}"]


def points(*worth: int) -> Callable[[Record], Change]:
    """Report points, seat by seat."""
    return scoring({seat: total(each) for seat, each in enumerate(worth)})


def play_of_points(author: Author) -> None:
    """Play every game of points, with teams, late joiners and a game of the family's own."""
    for variant in point_games():
        for worked in load_examples(variant.key).games:
            play(author, variant, worked, STRANGE[: len(worked.players)])
    own = extend(load("any-game"), {"name": "Grandpa's game", "ending": {"winner": "lowest"}})
    house_rules.add_house(author, own)
    houses = house_rules.list_houses(db.session(), author.league_id)
    ours = next(house.variant for house in houses if house.variant.name == "Grandpa's game")
    teams = Table.start(author, "Pat + Kim", "Lou", variant=ours, on=date(2025, 5, 5))
    teams.change(points(10, 20), "scored")
    joined = writer.join_game(author, teams.game_id, teams.revision, "late", "Eva + Fay", "highest")
    teams.revision = joined.revision
    teams.change(points(5, 5, 9), "scored")
    teams.change(lambda record: take_places(record, (0, 2), 1), "seats changed")
    teams.change(points(6, 7, 8), "scored")
    level = Table.start(author, "Zoë", "Jürgen", variant=load("nertz"))
    level.change(points(100, 100), "scored")
    level.change(lambda record: settle_tie(record, 1), "tie settled")
    teams.change(lambda record: leave(record, 1, placed=False), "left")
    by_hand = with_choices(load("spades"), {"by_hand": True})
    again = Table.start(author, "Kim+Pat", "Lou + Zoë", variant=by_hand)
    again.change(points(510, 80), "scored")
    day = date(2024, 2, 29)
    again.change(lambda record: describe(record, day, "At the lake", counts=False), "described")
    ids = dict(db.session.execute(select(Player.name, Player.id)).all())
    merging.merge(author, "one", ids["Lou"], ids["Jürgen"])
    roster.rename(author, "called", ids["Pat"], "Pat", "Patience")


def choose_everything(author: Author) -> None:
    """Choose otherwise than a new league does, wherever a league may choose."""
    for what in leagues.CHOICES:
        usual = getattr(db.session.get_one(League, author.league_id), what)
        leagues.choose(author, what, chosen=not usual)
    leagues.choose_standings(author, "spades")


def looked_at(league: Author | ImportResult) -> dict[str, object]:
    """What a family sees of its league: choices, house rules, standings and ratings."""
    db.session.rollback()
    row = db.session.get_one(League, league.league_id)
    rows = standings(db.session(), league.league_id, variant_key=row.standings_variant)
    return {
        "choices": [getattr(row, what) for what in (*leagues.CHOICES, "standings_variant", "name")],
        "houses": [
            (house.variant.name, house.variant)
            for house in house_rules.list_houses(db.session(), league.league_id)
        ],
        "standings": [
            (one.name, one.games, one.wins, one.form and (round(one.form.mu, 9), one.form.streak))
            for one in rows
        ],
    }


@pytest.mark.sql
@pytest.mark.slow
def test_a_league_of_everything_goes_to_another_server_and_back(tmp_path: Path, app: Flask) -> None:
    home = fresh_app(tmp_path)
    with home.app_context():
        ann = leagues.open_league("The Harpers", "ann's token")
        play_everything(ann)
        play_of_points(ann)
        choose_everything(ann)
        file, there = exported(ann), looked_at(ann)
    assert len({game["rules"] for game in json.loads(file)["games"]}) > 20
    brought = copied(file)
    assert looked_at(brought) == there
    assert exported(brought) == file
    for number in games(brought):
        if load_game(db.session(), brought.league_id, number).record.variant.has_cards:
            check_sound(number)
    check_league(brought.league_id)
    document = export_league(db.session(), brought.league_id)
    document_packed = b"".join(packed(write_document(document)))
    with home.app_context():
        back = copied(document_packed, "back")
        assert looked_at(back) == there
        assert exported(back) == file


def test_what_partners_bid_and_a_nil_travel(ann: Author) -> None:
    """30 for the bid of 3 and 0, 3 bags, 100 for the nil; 60 for 4 and 2, and a bag."""
    table = Table.start(ann, "Pat + Kim", "Lou + Zoë", variant=load("spades"))
    told = {
        0: Tally(bonuses=told_bid((3, 0)) | {TRICKS: 6, "nil": 1}),
        1: Tally(bonuses=told_bid((4, 2)) | {TRICKS: 7}),
    }
    table.change(scoring(told), "scored")
    brought = copied(exported(ann))
    (number,) = games(brought)
    record = load_game(db.session(), brought.league_id, number).record
    tallies = record.deals[0].played.tallies.values()
    assert [bid_parts(tally.bonuses) for tally in tallies] == [(3, 0), (4, 2)]
    assert [tally.bonuses.get("nil") for tally in tallies] == [1, None]
    assert list(record.standing().totals) == [133, 61]
    assert exported(brought) == exported(ann)
