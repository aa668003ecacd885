"""Every sample file: the games in it, and just the questions that it leaves open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.files.past import LeagueSoFar, PastError, PastPlan, PastScores, make_plan, read_games
from companion.rules import Variant, VariantError, card_games, find_variant, point_games

SAMPLES = Path(__file__).with_name("samples")
EXPECTED = sorted(SAMPLES.glob("*.expected.json"))
FAMILY = {"names.csv": ("Ben", "May", "Cy")}
"""Whom the league has already, where a sample speaks of that."""
CHOSEN = {"game-0": "contract-rummy"}
WHAT_HAS_NO_SCORES = "no-scores.csv"


def find(name: str) -> Variant | None:
    try:
        return find_variant(name)
    except VariantError:
        return None


def league(*people: str) -> LeagueSoFar:
    shelf = (*card_games(), *point_games())
    return LeagueSoFar({variant.key: variant for variant in shelf}, find, people)


def planned(file: str, answers: dict[str, str] = CHOSEN) -> PastPlan:
    return plan_of((SAMPLES / file).read_bytes(), answers, *FAMILY.get(file, ()))


def plan_of(data: bytes, answers: dict[str, str], *people: str) -> PastPlan:
    return make_plan(read_games(data, answers), answers, league(*people))


def asked(plan: PastPlan) -> list[str]:
    return [question.words for question in plan.questions if question.is_asked]


def told(plan: PastPlan) -> list[dict[str, Any]]:
    return [
        {
            "date": game.day and game.day.isoformat(),
            "game": game.name or None,
            "players": list(game.players),
            "deals": game.deals and [list(deal) for deal in game.deals],
            "totals": list(game.totals),
            "winners": game.winners,
        }
        for game in plan.games
    ]


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.name.split(".")[0])
def test_a_sample_is_read_and_asked_about_as_its_note_says(path: Path) -> None:
    expected = json.loads(path.read_text())
    if expected["file"] == WHAT_HAS_NO_SCORES:
        with pytest.raises(PastError, match="No players with whole numbers were found"):
            planned(expected["file"])
        return
    plan = planned(expected["file"])
    assert told(plan) == expected["games"]
    assert [*asked(plan), *plan.gaps] == expected["asks"]


def test_nothing_is_stored_before_what_must_be_known_is() -> None:
    plan = planned("one-sheet.csv", {})
    assert [question.words for question in plan.open] == ["which game", "which day"]


def test_running_totals_are_points_where_the_table_says_so() -> None:
    plan = planned("running-totals.csv", CHOSEN | {"row": "deals"})
    assert plan.games[0].deals[0] == [10, 0, 5]  # type: ignore[index]
    assert plan.games[0].totals == [668, 885, 382]


def test_a_total_that_the_deals_do_not_make_may_be_the_right_one() -> None:
    plan = planned("wrong-total.csv", CHOSEN | {"totals": "stated"})
    assert (plan.games[0].deals, plan.games[0].totals) == (None, [275, 70, 361])


def test_who_is_who_is_asked_and_nobody_joined_unasked() -> None:
    told_so = CHOSEN | {"who-1": "Ben", "who-0": "May"}
    assert planned("names.csv", told_so).games[0].players == ["May", "Ben", "Cy"]
    new = CHOSEN | {"who-1": "ben 2", "who-0": "-"}
    assert planned("names.csv", new).games[0].players == ["ben 2", "Cy"]


@pytest.mark.parametrize(
    ("rows", "best"),
    [
        ("2023-01-01,Blitz,9,4,Ann", "highest"),
        ("2023-01-01,Blitz,9,4,Bob", "lowest"),
        ("2023-01-01,Blitz,9,4,", "lowest"),
    ],
    ids=["most points won", "fewest points won", "nobody is said to have won"],
)
def test_a_game_that_nobody_knows_is_kept_as_the_family_s_own(rows: str, best: str) -> None:
    file = f"Date,Game,Ann,Bob,Winner\n{rows}\n".encode()
    plan = plan_of(file, {})
    (game,) = plan.games
    (question,) = plan.groups["games"]
    assert (question.words, question.is_asked) == ("which game Blitz is", False)
    assert question.chosen == best
    assert game.variant
    assert (game.variant.key, game.variant.name) == ("our-blitz", "Blitz")
    assert game.winners == (["Ann"] if best == "highest" else ["Bob"])
    assert not plan_of(file, {"game-0": "-"}).games


@pytest.mark.parametrize(("told", "best"), [(True, "highest"), (False, "lowest")])
def test_a_log_of_plays_says_which_points_win(told: bool, best: str) -> None:
    file = json.loads((SAMPLES / "bgstats.json").read_text())
    for game in file["games"]:
        game |= {"name": f"{game['name']} of ours", "highestWins": told}
    plan = plan_of(json.dumps(file).encode(), {})
    assert {game.variant.ending.winner for game in plan.games if game.variant} == {best}
    assert [question.chosen for question in plan.groups["games"]] == [best, best]


def test_a_column_that_is_nobody_s_is_left_out() -> None:
    plan = planned("one-sheet.csv", CHOSEN | {"who-3": "-"})
    assert plan.games[0].players == ["Ann", "Bob", "Cleo"]
    assert [one.label for one in plan.groups["players"]] == ["Ann", "Bob", "Cleo", "Dev"]


def test_rows_are_deals_where_the_table_says_so() -> None:
    """A list of numbered games may be one game's deals: the guess is a control."""
    numbered = b"Game,Ann,Bob\n1,10,20\n2,5,6\n"
    as_games = plan_of(numbered, CHOSEN)
    as_deals = plan_of(numbered, CHOSEN | {"row": "deals"})
    assert [len(plan.games) for plan in (as_games, as_deals)] == [2, 1]
    assert as_deals.games[0].totals == [15, 26]
    assert [one.chosen for one in as_deals.questions if one.field == "row"] == ["deals"]


@pytest.mark.parametrize(
    ("days", "read", "order"),
    [
        (["1/2/2023", "1/14/2023"], ["2023-01-02", "2023-01-14"], ""),
        (["1/2/2023", "14/1/2023"], ["2023-02-01", "2023-01-14"], ""),
        (["01/05/2023", "02/03/2023"], ["2023-01-05", "2023-02-03"], "mdy"),
    ],
    ids=["one day settles month first", "one day settles day first", "as the days follow"],
)
def test_all_days_of_a_file_are_written_in_one_order(
    days: list[str], read: list[str], order: str
) -> None:
    rows = "".join(f"{day},Carioca,5,9\n" for day in days)
    plan = plan_of(f"Date,Game,Ann,Bob\n{rows}".encode(), {})
    assert [str(game.day) for game in plan.games] == read
    assert [one.chosen for one in plan.questions if one.is_asked] == ([order] if order else [])


def test_a_play_with_no_points_as_a_number_counts() -> None:
    file = json.loads((SAMPLES / "bgstats.json").read_text())
    file["plays"][1]["playerScores"][0]["score"] = 0
    plan = plan_of(json.dumps(file).encode(), {})
    assert [list(game.totals) for game in plan.games][1] == [0, 190, 248]


def test_two_games_of_one_day_are_deals_where_the_table_says_so() -> None:
    twice = b"Date,Game,Player,Points\n" + b"".join(
        b"2024-01-01,Carioca,%s,%d\n" % one
        for one in ((b"Ann", 5), (b"Bob", 20), (b"Ann", 30), (b"Bob", 10))
    )
    (question,) = plan_of(twice, {}).groups["points"]
    assert dict(question.options)[question.chosen] == "A game"
    (game,) = plan_of(twice, {"row": "deals"}).games
    assert (game.deals, game.totals) == ([[5, 20], [30, 10]], [35, 30])


def test_a_day_that_reads_the_other_way_round_is_said() -> None:
    both = b"Date,Game,Ann,Bob\n14/1/2023,Carioca,5,6\n1/15/2023,Carioca,7,8\n"
    plan = plan_of(both, {})
    assert [str(game.day) for game in plan.games] == ["2023-01-14", "2023-01-15"]
    assert plan.checks == ["2023-01-15 can't be read in the same order as the other days."]


def test_who_is_who_is_numbered_by_the_whole_file_whatever_sheet_is_taken() -> None:
    """Else a choice made for one name would be another's once a sheet is left out."""
    sheets = (b"Deal,Ann,Bob\n1,5,6\n", b"Deal,Cleo,Dev\n1,7,8\n")
    first, second = (read_games(sheet, {}) for sheet in sheets)
    for scores, sheet in ((first, "A"), (second, "B")):
        scores.games[0].sheet = sheet
    both = PastScores([*first.games, *second.games], [], [])
    plan = make_plan(both, CHOSEN | {"sheet": "B"}, league())
    assert [game.players for game in plan.games] == [["Cleo", "Dev"]]
    assert {one.label: one.field for one in plan.groups["players"]}["Cleo"] == "who-2"
