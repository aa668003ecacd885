"""Kinds of real files that came in wrong, each reduced to a few rows: games, and what is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from companion.files.past import PastError, PastPlan, make_plan, read_games
from companion.files.past.score_shapes import read_sheets
from companion.files.past.tables import read_text
from tests.files.past.test_samples import asked, league, plan_of

TWO_READINGS = """2023-03-03
Ann,Ben,Cy
10,5,0
0,25,20
35,0,10
5,15,0

2023-03-10
Ann,Ben,Cy
10,5,0
25,20,15
40,30,40
55,50,45
"""
FEET = """Our rummy evenings
,
Date,Game,Ann,Ben
2023-09-15,Contract Rummy,140,210
2023-09-22,Contract Rummy,50,170
Total,,190,370
Evenings won,,2,0
"""
SESSIONS = """Date,Session,Ann,Ben
2024-01-05,1,10,5
2024-01-05,1,0,20
2024-01-05,2,30,0
2024-01-05,2,5,15
2024-01-12,3,5,15
2024-01-12,3,25,10
"""
HOLE = "Ann,Ben\n10,5\n25,20\n40,\n55,50\n60,70\n70,95\n"
SLIP = "Ann,Ben\n10,5\n25,20\n20,40\n55,50\n60,70\n70,95\n90,110\n120,130\n"
CHECKED = "Punkte,Ann,Ben,Kontrolle\n5,-5,5,0\n3,-2,2,0\n7,-9,9,0\n"
WHO_DEALT = "Spieler,Summe Jan,Summe Till,Season\nJan,10,0,1\nTill,10,30,1\nTill,25,30,1\n"
BLANKS = "Ann Ben Cy\n12 3 40\n5 20 0\n"
BARS = "Ann,Ben,Cy\n_,_,4\n1,_,_\n_,_,_\n_,3,_\n"
DEAD_HAND = "Ann\tBen\tCy\n\t\t4\n7\t\t\n\t\t\n\t3\t\n\t\t\n\t\t\n2\t\t\n"
POWERS = "Ann,Ben\n5.0E+01,1.4E+02\n2,3\n"
SUMS_BELOW = "Ann,Ben,Cy\n10,0,25\n0,15,30\n20,5,0\n30,20,55\n"
SUMS_OF_EVENINGS = "Date,Ann,Ben\n2024-01-05,10,20\n2024-01-12,40,0\n,50,20\n"
BETWEEN = "Runde,Ann,Ben\n1,10,5\n2,0,15\nZwischenstand,10,20\n3,5,0\nEndstand,15,20\n"
CARRIED = "Deal,Cards,Ann,Ben\nCarried over,,120,45\n1,7,10,0\n2,6,0,15\nTotal,,130,60\n"
ABSENT = "Date,Ann,Ben,Cy\n2024-01-05,10,20,30\n2024-01-12,x,25,15\n"
TEAMS = "Date,Team A,Team B,Score A,Score B\n2024-01-05,Ann & Ben,Cy & Di,500,320\n"
PLACES = "Date,1st,pts,2nd,pts\n2024-01-05,Ann,10,Ben,20\n2024-01-12,Ben,5,Ann,40\n"
NUMBERED = "date,player1,score1,player2,score2\n2024-01-05,Ann,100,Ben,85\n"
WEEKDAYS = "Day,Date,Ann,Ben\nFri,2024-01-05,10,20\nFri,2024-01-12,11,20\n"
PLAYED_BY = ",Ann,Ben,Cy\nKing of Hearts,x,NV,x\nRound 1,-100,0,5\nRound 2,0,-200,6\n"
BOTH = "Round,Ann,Ben\n1,20 (20),0 (0)\n2,15 (35),5 (5)\n3,0 (35),30 (35)\n"
KINDS_OF_DEALS = """Nr,Spiel,Anna,Bert,Carl
1,Grand,48,0,0
2,Herz,0,30,0
3,Grand,0,0,96
4,Null,-46,0,0
5,Herz,0,20,0
6,Pik,0,0,33
"""
VALUES_OF_DEALS = "Nr,Spiel,Ann,Ben\n1,24,48,0\n2,10,0,30\n3,24,0,96\n4,23,-46,0\n"
CONTRACTS = "Deal,Game,Ann,Ben\n1,Two sets,10,20\n2,Set and run,5,0\n3,Two runs,8,9\n"
NUMBERED_GAMES = """Nr,Date,Game,Ann,Ben
1,2024-01-05,Skyjo,10,20
2,2024-01-05,Hearts,50,60
3,2024-01-12,Skyjo,1,2
"""
SESSIONS_END = f"{SESSIONS}2024-01-19,,7,8\n2024-01-19,,1,2\n2024-01-26,,9,4\n"
STAKES = """P,D,A,M,S
-2,2,-2,2,2
-5,5,1,-1,3
-8,8,4,-4,3
-10,10,6,-6,2
-13,13,3,-2,3
-14,14,2,-2,1
"""
NAMED_BY_DEAL = ",hand_id,player,score\n0,1,Ann,6\n1,2,Ann,0\n2,1,Ben,5\n3,2,Ben,9\n"
TOTALS_FIRST = "Round,Ann,Ben\n1,20 (20),0 (0)\n2,35 (15),5 (5)\n3,35 (0),35 (30)\n"


def totals(plan: PastPlan) -> list[dict[str, int]]:
    return [dict(zip(game.players, game.totals, strict=True)) for game in plan.games]


@pytest.mark.parametrize(
    ("text", "games"),
    [
        (TWO_READINGS, [{"Ann": 50, "Ben": 45, "Cy": 30}, {"Ann": 55, "Ben": 50, "Cy": 45}]),
        (FEET, [{"Ann": 140, "Ben": 210}, {"Ann": 50, "Ben": 170}]),
        (SESSIONS, [{"Ann": 10, "Ben": 25}, {"Ann": 35, "Ben": 15}, {"Ann": 30, "Ben": 25}]),
        (HOLE, [{"Ann": 70, "Ben": 95}]),
        (SLIP, [{"Ann": 120, "Ben": 130}]),
        (CHECKED, [{"Ann": -16, "Ben": 16}]),
        (WHO_DEALT, [{"Jan": 25, "Till": 30}]),
        (BLANKS, [{"Ann": 17, "Ben": 23, "Cy": 40}]),
        (BARS, [{"Ann": 1, "Ben": 3, "Cy": 4}]),
        (DEAD_HAND, [{"Ann": 9, "Ben": 3, "Cy": 4}]),
        (POWERS, [{"Ann": 52, "Ben": 143}]),
        (SUMS_BELOW, [{"Ann": 30, "Ben": 20, "Cy": 55}]),
        (SUMS_OF_EVENINGS, [{"Ann": 10, "Ben": 20}, {"Ann": 40, "Ben": 0}]),
        (BETWEEN, [{"Ann": 15, "Ben": 20}]),
        (CARRIED, [{"Ann": 130, "Ben": 60}]),
        (TEAMS, [{"Ann + Ben": 500, "Cy + Di": 320}]),
        (PLACES, [{"Ann": 10, "Ben": 20}, {"Ben": 5, "Ann": 40}]),
        (NUMBERED, [{"Ann": 100, "Ben": 85}]),
        (WEEKDAYS, [{"Ann": 10, "Ben": 20}, {"Ann": 11, "Ben": 20}]),
        (BOTH, [{"Ann": 35, "Ben": 35}]),
        (TOTALS_FIRST, [{"Ann": 35, "Ben": 35}]),
        (KINDS_OF_DEALS, [{"Anna": 2, "Bert": 50, "Carl": 129}]),
        (VALUES_OF_DEALS, [{"Ann": 2, "Ben": 126}]),
        (CONTRACTS, [{"Ann": 23, "Ben": 29}]),
        (NUMBERED_GAMES, [{"Ann": 10, "Ben": 20}, {"Ann": 50, "Ben": 60}, {"Ann": 1, "Ben": 2}]),
        (
            SESSIONS_END,
            [
                {"Ann": 10, "Ben": 25},
                {"Ann": 35, "Ben": 15},
                {"Ann": 30, "Ben": 25},
                {"Ann": 8, "Ben": 10},
                {"Ann": 9, "Ben": 4},
            ],
        ),
        (STAKES, [{"P": -14, "D": 14, "A": 2, "M": -2}]),
        (PLAYED_BY, [{"Ann": -100, "Ben": -200, "Cy": 11}]),
    ],
    ids=lambda value: value.split("\n")[0] if isinstance(value, str) else "",
)
def test_what_comes_in(text: str, games: list[dict[str, int]]) -> None:
    assert totals(plan_of(text.encode(), {"game-0": "hearts"})) == games


@pytest.mark.parametrize("text", [HOLE, SLIP, WHO_DEALT])
def test_totals_so_far_are_asked_about_where_they_are_not_certain(text: str) -> None:
    assert "points or running totals" in asked(plan_of(text.encode(), {}))


def test_what_may_be_points_as_well_as_totals_so_far_must_be_decided() -> None:
    unclear = b"P,D,A,M\n-2,2,-2,2\n-5,5,1,-1\n-3,3,-1,1\n-1,1,1,-1\n-3,3,-1,1\n-5,5,-3,3\n"
    plan = plan_of(unclear, {})
    assert "points or running totals" in [one.words for one in plan.open]
    for row, points in (("deals", -19), ("deals so far", -5)):
        assert totals(plan_of(unclear, {"row": row}))[0]["P"] == points


def test_a_column_of_deals_says_more_than_the_numbers_of_rows() -> None:
    (game,) = plan_of(NAMED_BY_DEAL.encode(), {}).games
    assert game.deals == [[6, 5], [0, 9]]


def test_a_page_sent_again_as_it_is_changes_nothing() -> None:
    """One control is for tables that were read in two ways: only another answer is for all."""
    for text in (FEET, SESSIONS, WHO_DEALT):
        first = plan_of(text.encode(), {})
        sent = {one.field: one.chosen for one in first.questions}
        assert totals(plan_of(text.encode(), sent)) == totals(first)
    first = plan_of(TWO_READINGS.encode(), {"game-0": "hearts"})
    sent = {one.field: one.chosen for one in first.questions}
    (rows,) = [one for one in first.questions if one.field == "row"]
    assert dict(rows.options)[sent["row"]] == "As each table looks: 1 as points, 1 as totals so far"
    assert totals(plan_of(TWO_READINGS.encode(), sent)) == totals(first)
    so_far = plan_of(TWO_READINGS.encode(), sent | {"row": "deals so far"})
    assert totals(so_far)[0] == {"Ann": 5, "Ben": 15, "Cy": 0}
    points = plan_of(TWO_READINGS.encode(), sent | {"row": "deals"})
    assert totals(points)[1] == {"Ann": 130, "Ben": 105, "Cy": 100}


def test_an_x_is_asked_about() -> None:
    assert "what “x” of Ann is (B3)" in asked(plan_of(ABSENT.encode(), {}))
    away = plan_of(ABSENT.encode(), {"cell-0": "-"})
    assert totals(away)[1] == {"Ben": 25, "Cy": 15}


def test_two_numbers_in_a_cell_that_do_not_add_up_are_asked_about() -> None:
    plan = plan_of(b"Round,Ann,Ben\n1,20 (3),7 (1)\n2,15 (4),9 (6)\n", {})
    (question, *_) = [one for one in plan.open if one.field.startswith("cell")]
    assert question.words == "what “20 (3)” of Ann is (B2)"
    assert [one.value for one in question.options] == ["-", "0", "20", "3"]


def test_a_title_is_no_game_s_name_before_somebody_said_so() -> None:
    evenings = "".join(f"Evening {n}\n,Ann,Ben\n1,10,5\n2,3,20\n\n" for n in (1, 2))
    plan = plan_of(evenings.encode(), {})
    assert [one.words for one in plan.open if one.field.startswith("game")] == [
        "which game Evening 1 is",
        "which game Evening 2 is",
    ]


def test_a_table_of_wins_is_no_game() -> None:
    with pytest.raises(PastError, match="No players"):
        plan_of(b"Name,Wins,Losses,Points\nAnn,3,1,1200\nBen,1,3,900\n", {})


def test_each_game_of_the_league_answers_for_one_of_those_that_are_equal() -> None:
    rows = b"Date,Game,Ann,Ben\n" + b"2024-01-05,Hearts,1,0\n" * 3
    first = plan_of(rows, {})
    shelf = replace(league(), stored={first.games[0].fingerprint: 2})
    plan = make_plan(read_games(rows, {}), {}, shelf)
    assert (len(plan.games), plan.left_out, plan.games[0].copy) == (1, 2, 2)
    again = make_plan(read_games(rows, {}), {"duplicates": "yes"}, shelf)
    assert [game.copy for game in again.games] == [2, 3, 4]


def test_a_sheet_called_by_its_day_has_that_day() -> None:
    scores = read_sheets({"05.01.2024": read_text("Runde,Ann,Ben\n1,5,9\n2,3,4\n")})
    assert str(scores.games[0].days["dmy"]) == "2024-01-05"


def test_a_day_without_a_year_is_of_the_year_by_which_its_sheet_is_called() -> None:
    rows = read_text("Datum,Ann,Ben\n14.01.,5,9\n21.01.,3,4\n")
    scores = read_sheets({"2022": rows, "2023": rows})
    days = [str(game.days["dmy"]) for game in scores.games]
    assert days == ["2022-01-14", "2022-01-21", "2023-01-14", "2023-01-21"]


def test_a_foot_is_no_game_and_is_compared() -> None:
    plan = plan_of(FEET.encode(), {})
    assert asked(plan) == []
    assert "3 in" not in str(plan.checks)
    assert plan.checks == ["The row Total says 370 for Ben, the games add up to 380."]
    assert [one.reason for one in plan.unscored][-1] == "in the row Evenings won, to compare with"


def log(*scores: dict[str, Any], **play: Any) -> bytes:
    people = [{"id": number, "name": name} for number, name in enumerate(("Ann", "Ben", "Cy"))]
    plays = [
        {"playDate": "2024-01-05 10:00:00", "gameRefId": 1, "playerScores": scores} | play,
        {"playDate": "2024-01-06 10:00:00", "gameRefId": 1, "playerScores": PLAYED},
    ]
    games = [{"id": 1, "name": "Skyjo"}]
    return json.dumps({"games": games, "players": people, "plays": plays}).encode()


PLAYED = ({"playerRefId": 0, "score": "5"}, {"playerRefId": 1, "score": "9"})


def test_a_play_that_the_app_ignores_is_named_with_its_numbers() -> None:
    plan = plan_of(log(*PLAYED, ignored=True), {})
    assert (len(plan.games), plan.scored, plan.numbers) == (1, 2, 4)
    assert plan.checks == ["1 play that the app itself ignores can't be kept: 1 (2024-01-05)."]


def test_the_only_points_of_a_play_are_named() -> None:
    won = {"playerRefId": 0, "score": "64", "winner": True}
    for answers in ({}, {"wins": "keep"}):
        plan = plan_of(log(won, {"playerRefId": 1, "score": ""}), answers)
        assert (plan.scored, plan.numbers) == (2, 3)
        assert [one.places for one in plan.unscored] == [["play 1"]]


def test_who_has_no_points_in_a_play_is_asked_about() -> None:
    data = log(*PLAYED, {"playerRefId": 2, "score": ""})
    assert asked(plan_of(data, {})) == ["what “no points” of Cy is (play 1)"]
    assert totals(plan_of(data, {"cell-0": "-"}))[0] == {"Ann": 5, "Ben": 9}
    assert totals(plan_of(data, {"cell-0": "0"}))[0] == {"Ann": 5, "Ben": 9, "Cy": 0}
    typed = plan_of(data, {"points-0": "12"})
    assert totals(typed)[0] == {"Ann": 5, "Ben": 9, "Cy": 12}
    assert {one.field: one.chosen for one in typed.questions}["cell-0"] == "12"


def test_an_evening_of_73_deals_comes_in() -> None:
    text = "Ann,Ben\n" + "5,-5\n" * 73
    plan = plan_of(text.encode(), {"game-0": "hearts", "day": "2020-01-01", "row": "deals"})
    assert (plan.is_ready, totals(plan)) == (True, [{"Ann": 365, "Ben": -365}])


def test_a_game_with_contracts_until_they_are_met_comes_in_by_its_points() -> None:
    plan = plan_of(b"Date,Game,Ann,Ben\n2023-09-08,Phase 10,205,95\n", {})
    assert plan.is_ready
    assert [game.winners for game in plan.games] == [["Ben"]]
