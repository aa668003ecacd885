"""Files reduced from real ones: what comes in, what is asked, and that every number is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.files.past import PastPlan
from tests.files.past import test_samples
from tests.files.past.test_samples import SAMPLES, asked

DAYS = [("2024-01-05", {"Ann": 10, "Ben": 20}), ("2024-01-12", {"Ann": 30, "Ben": 5})]
WINS = [("2025-03-01", "Ben"), ("2025-03-01", "Ann"), ("2025-03-02", "Ann")]


def plan_of(file: str, **answers: str) -> PastPlan:
    """Plan a file; where it does not say which game it is, that is Hearts unless answered."""
    data = (SAMPLES / file).read_bytes()
    if "which game" in asked(test_samples.plan_of(data, {})):
        answers = {"game-0": "hearts"} | answers
    return test_samples.plan_of(data, answers)


def found(plan: PastPlan) -> list[Any]:
    return [
        (game.day and str(game.day), dict(zip(game.players, game.totals, strict=True)))
        for game in plan.games
    ]


@pytest.mark.parametrize(
    ("file", "games", "asked"),
    [
        ("01-running-up-and-down.csv", [(None, {"Ann": 4, "Ben": 2, "Cleo": 0, "Dev": -6})],
         ["day", "row"]),
        ("01b-running-up-and-down-with-foot.csv", [(None, {"Ann": 60, "Ben": 20, "Cleo": 30})],
         ["day"]),
        ("03-bgstats-half-point.json", [("2024-01-05", {"Ann": 5, "Ben": 18, "Cleo": 0})],
         ["halves"]),
        ("04-bgstats-name-ends-in-blank.json", [("2024-01-05", {"Ann": 5, "Ben": 9, "Cleo": 7})],
         []),
        ("06-bgstats-winner-not-in-players.json",
         [("2024-01-05", {"Player 9": 5, "Ann": 7, "Ben": 8})], []),
        ("07-bgstats-winner-without-points.json",
         [("2024-01-12", {"Ann": 10, "Ben": 20, "Cleo": 5})], []),
        ("09-bgstats-tie-one-winner.json", [("2024-01-05", {"Ann": 20, "Ben": 20, "Cleo": 10})],
         []),
        ("10-bgstats-float.json", [("2024-01-05", {"Ann": 20, "Ben": 21, "Cleo": 3})], []),
        ("11-one-cell-is-no-whole-number.csv",
         [("2024-01-05", {"Ann": 40, "Ben": 58, "Cleo": 12}),
          ("2024-01-12", {"Ann": 30, "Ben": 20, "Cleo": 44}),
          ("2024-01-19", {"Ann": 10, "Ben": 22, "Cleo": 5})], ["halves"]),
        ("11c-one-cell-is-a-question-mark.csv", [(None, {"Ann": 80, "Ben": 79, "Cleo": 61})],
         ["day", "cell-0"]),
        ("12-two-columns-of-one-name.csv",
         [("2024-01-05", {"Chris": 40, "Chris 2": 57, "Ann": 12}),
          ("2024-01-12", {"Chris": 30, "Chris 2": 20, "Ann": 44})], ["who-1"]),
        ("13-players-down-with-rank.csv", [(None, {"Ann": 15, "Ben": 33, "Cleo": 17})], ["day"]),
        ("13b-players-down-with-total-and-rank.csv",
         [(None, {"Ann": 15, "Ben": 33, "Cleo": 17})], ["day"]),
        ("18-dates-of-programs.csv", DAYS, ["order"]),
        ("18b-dates-with-weekday-and-dots.csv", DAYS, []),
        ("18c-dates-of-excel.csv", DAYS, []),
        ("18d-dates-in-spanish.csv",
         [("2024-01-05", {"Ana": 10, "Ben": 20}), ("2024-01-12", {"Ana": 30, "Ben": 5})], []),
        ("19-bid-tricks-score.csv", [(None, {"Ann": 40, "Ben": 40})], ["day"]),
        ("19b-name-over-bid-and-score.csv", [(None, {"Ann": 40, "Ben": 40})], ["day"]),
        ("20-game-and-date-above-the-head.csv",
         [("2024-01-05", {"Ann": 10, "Ben": 26, "Cleo": 16})], []),
        ("21-sheets-side-by-side.csv",
         [(None, {"Ann": 10, "Ben": 26, "Cleo": 16}), (None, {"Ann": 110, "Ben": 90})], ["day"]),
        ("23-names-in-cp1250.csv",
         [("2024-01-05", {"Żaneta": 10, "Łukasz": 20}),
          ("2024-01-06", {"Żaneta": 11, "Łukasz": 21})], []),
        ("24-bgg-plays.xml", [("2024-01-05", {"Ann": 41, "Ben": 45})], []),
        ("25-name-in-two-parts-of-unicode.csv", [("2024-01-05", {"José": 10, "Ben": 16})], []),
        ("25b-name-with-two-blanks.csv", [("2024-01-05", {"Ann Marie": 10, "Ben": 16})], []),
        ("25c-name-over-two-lines.csv", [("2024-01-05", {"Ann Marie": 10, "Ben": 16})], []),
        ("27-name-of-41-letters.csv",
         [("2024-01-05", {"Annabelle of the Long Lake and the Hill R": 10, "Ben": 16})], []),
    ],
    ids=lambda value: value.split(".")[0] if isinstance(value, str) else "",
)  # fmt: skip
def test_what_comes_in_and_what_is_asked(file: str, games: list[Any], asked: list[str]) -> None:
    plan = plan_of(file)
    assert found(plan) == games
    assert [one.field for one in plan.questions if one.is_asked and one.field != "game-0"] == asked
    assert not plan.faults


DEALS = {
    "01b-running-up-and-down-with-foot.csv": [[20, -5, 10], [-5, 30, -5], [45, -5, 25]],
    "13-players-down-with-rank.csv": [[10, 0, 16], [0, 26, 0], [5, 7, 1]],
    "13b-players-down-with-total-and-rank.csv": [[10, 0, 16], [0, 26, 0], [5, 7, 1]],
    "19-bid-tricks-score.csv": [[30, 20], [-10, 30], [20, -10]],
    "19b-name-over-bid-and-score.csv": [[30, 20], [-10, 30], [20, -10]],
    "20-game-and-date-above-the-head.csv": [[10, 0, 16], [0, 26, 0]],
}


@pytest.mark.parametrize("file", DEALS)
def test_the_deals_of_a_sheet(file: str) -> None:
    (game,) = plan_of(file).games
    assert game.deals == DEALS[file]


def test_a_cell_without_a_whole_number_comes_to_what_is_chosen() -> None:
    halves = "11-one-cell-is-no-whole-number.csv"
    doubled = plan_of(halves, halves="double").games
    assert [list(game.totals) for game in doubled] == [[80, 115, 24], [60, 40, 88], [20, 44, 10]]
    without = plan_of(halves, halves="leave").games
    assert list(without[0].players) == ["Ann", "Cleo"]
    asked = "11c-one-cell-is-a-question-mark.csv"
    typed = plan_of(asked, **{"points-0": "12"}).games[0]
    assert list(typed.totals) == [80, 91, 61]


def test_wins_so_far_are_games_of_one_win() -> None:
    plan = plan_of("16-wins-so-far.csv", **{"game-0": "", "own-name": "Blitz"})
    assert [(str(game.day), *game.winners) for game in plan.games][:3] == WINS
    assert [sum(game.totals) for game in plan.games] == [1] * 5
    assert plan.games[0].variant
    assert plan.games[0].variant.name == "Blitz"


def test_a_game_of_one_s_own_has_a_name_before_it_comes_in() -> None:
    plan = plan_of("17-wins-without-game.csv", **{"game-0": ""})
    assert [one.field for one in plan.open] == ["own-name"]
    plan = plan_of("17-wins-without-game.csv", **{"game-0": "", "own-name": "Blitz"})
    assert [game.winners for game in plan.games] == [["Dev"], ["Ann"], ["Ben"]]


def test_more_kinds_than_a_league_keeps_come_in_and_that_is_said() -> None:
    plan = plan_of("05-bgstats-61-games.json")
    assert (len(plan.games), plan.is_ready) == (61, True)
    assert "61 kinds of games of your own" in plan.checks[0]


def test_two_names_with_one_beginning_are_two_games() -> None:
    games = plan_of("14b-two-own-games-with-one-beginning.csv").games
    assert len({game.variant.key for game in games if game.variant}) == 2
    long = plan_of("15-game-name-of-61-letters.csv")
    assert (len(long.games), long.is_ready) == (2, True)
    assert long.checks[0].startswith("The game A long name of a game")


def test_plays_without_points_are_kept_where_the_table_wants_them() -> None:
    file = "07-bgstats-winner-without-points.json"
    assert [one.words for one in plan_of(file).groups["points"]] == ["1 play has no points"]
    games = plan_of(file, wins="keep").games
    assert [game.winners for game in games] == [["Ann"], ["Ben"]]
    assert len({game.variant.key for game in games if game.variant}) == 2


def test_who_won_a_tie_is_kept() -> None:
    (game,) = plan_of("09-bgstats-tie-one-winner.json").games
    assert game.note == "Ann won the tie."


def test_a_log_of_bgg_in_json_is_read_as_its_xml() -> None:
    players = [{"name": "Ann", "score": "41", "win": "0"}, {"name": "Ben", "score": 45, "win": 1}]
    play = {"date": "2024-01-05", "item": {"name": "Rummikub"}, "players": players}
    data = json.dumps({"username": "x", "plays": [play]}).encode()
    assert found(test_samples.plan_of(data, {})) == found(plan_of("24-bgg-plays.xml"))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.csv")), ids=lambda path: path.stem)
def test_every_number_is_a_score_or_named_with_its_place(path: Path) -> None:
    if path.stem == "no-scores":
        return
    plan = plan_of(path.name)
    for one in plan.unscored:
        assert one.reason
        assert all(cell.place for cell in one.cells), one.reason
