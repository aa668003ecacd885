"""Which columns are players, in any language, and which rows are deals: asked where unsure."""

from __future__ import annotations

import pytest

from tests.files.past.test_kinds import totals
from tests.files.past.test_samples import plan_of

FOREIGN = {
    "tr": "Oyun No,Tarih,Oyuncu,Kazanan,Puan,Süre\n1,2024-01-05,Ann,Ann,10,45\n"
    "1,2024-01-05,Ben,Ann,7,45\n",
    "pl": "Data,Gra,Ann,Ben,Czas gry,Miejsce\n2024-01-05,Remik,10,7,45,1\n",
    "nl": "Datum,Spel,Ann,Ben,Aantal,Opmerking\n2024-01-05,Jokeren,10,7,2,\n",
    "sv": "Giv,Ann,Ben,Kort\n1,10,0,10\n2,0,7,9\nSumma,10,7,19\n",
    "it": "Smazzata,Ann,Ben,Carte\n1,10,0,13\n2,0,7,13\nTotale,10,7,26\n",
    "pt": "Rodada,Ann,Ben,Valor,Pote\n1,10,0,5,15\n2,0,7,5,30\n",
    "hu": "Kör,Ann,Ben,Lapok\n1,10,0,7\n2,0,7,6\nÖsszesen,10,7,13\n",
    "cs": "Kolo,Ann,Ben,Karty\n1,10,0,7\n2,0,7,6\nCelkem,10,7,13\n",
    "ru": "Дата,Игрок,Очки,Время\n2024-01-05,Ann,10,45\n2024-01-05,Ben,7,45\n",
}
HANDS = """Datum,Spiel,Ann,Ben,Cy
2024-01-05,Grand,48,0,0
2024-01-05,Herz,0,30,0
2024-01-05,Grand,0,0,96
2024-01-05,Null,-46,0,0
2024-01-12,Pik,0,0,33
2024-01-12,Herz,0,20,0
2024-01-12,Pik,22,0,0
2024-01-12,Grand,0,40,0
"""
SO_FAR = """Date,Ann,Ben,Cy
2024-01-05,48,0,0
2024-01-05,48,30,0
2024-01-05,48,30,96
2024-01-05,2,30,96
2024-01-12,0,0,33
2024-01-12,0,20,33
2024-01-12,22,20,33
2024-01-12,22,60,33
"""
SEASONS = """Anzahl,Spieler,Spiel,Punkte,Summe Ann,Summe Ben,Season
1,2,15,25,0,25,1
2,1,12,31,31,25,1
3,2,11,-55,31,-30,1
1,1,10,21,21,0,2
2,1,11,42,63,0,2
3,2,15,31,63,31,2
"""


@pytest.mark.parametrize("language", FOREIGN)
def test_heads_of_other_languages_are_no_players(language: str) -> None:
    plan = plan_of(FOREIGN[language].encode(), {"game-0": "hearts"})
    assert totals(plan) == [{"Ann": 10, "Ben": 7}]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Qwerty", "7 7 7 7 7"),
        ("Qwerty", "15 30 45 60 75"),
        ("Qwerty", "3 3 2 3 3"),
        ("Qwerty", "70 60 55 45 50"),
        ("Qwerty", "61 60 66 63 62"),
        ("Qwerty", "2021 2021 2022 2023 2023"),
        ("qwerty", "7 1 0 9 4"),
        ("Qwerty (%)", "7 1 0 9 4"),
    ],
)
def test_a_column_that_looks_like_no_player_s_is_asked_about(name: str, cells: str) -> None:
    points = [(10, 40, 20), (0, 35, 25), (45, 10, ""), (25, 0, 20), (0, 45, 5)]
    rows = [
        f"2024-01-{day:02},{ann},{ben},{cy},{cell}"
        for day, ((ann, ben, cy), cell) in enumerate(zip(points, cells.split(), strict=True), 1)
    ]
    data = "\n".join([f"Date,Ann,Ben,Cy,{name}", *rows]).encode()
    (question,) = [one for one in plan_of(data, {}).open if one.field.startswith("who")]
    assert question.heading == f"Is {name} a player?"
    assert totals(plan_of(data, {question.field: "-"}))[0] == {"Ann": 10, "Ben": 40, "Cy": 20}
    assert totals(plan_of(data, {question.field: name}))[0][name] == int(cells.split()[0])
    assert not [one for one in plan_of(data, {}, name).open if one.field.startswith("who")]


def test_no_number_is_a_player_s_unasked_where_words_nobody_knows_stand_in_each_row() -> None:
    rows = [f"2024-01-{day:02},{who},{day + 3},{day * 9}" for day in (5, 12) for who in "AB"]
    plan = plan_of("\n".join(["Tarix,Oyunçu,Xal,Müddət", *rows]).encode(), {})
    headings = [one.heading for one in plan.open if one.field.startswith("who")]
    assert headings == ["Is Xal a player?", "Is Müddət a player?"]


@pytest.mark.parametrize(
    ("text", "row", "first"),
    [(HANDS, "deals", {"Ann": 2, "Ben": 30, "Cy": 96}), (SO_FAR, "deals so far", None)],
)
def test_many_rows_of_a_day_may_be_its_deals(
    text: str, row: str, first: dict[str, int] | None
) -> None:
    assert "points or running totals" in [one.words for one in plan_of(text.encode(), {}).open]
    games = totals(plan_of(text.encode(), {"row": row}))
    assert (len(games), games[0]) == (2, first or {"Ann": 2, "Ben": 30, "Cy": 96})
    assert len(totals(plan_of(text.encode(), {"row": "games"}))) == 8


def test_numbers_that_begin_anew_begin_a_game() -> None:
    plan = plan_of(SEASONS.encode(), {"row": "deals so far"})
    assert totals(plan) == [{"Ann": 31, "Ben": -30}, {"Ann": 63, "Ben": 31}]


def test_of_several_numbers_beside_a_name_the_points_are_asked_about() -> None:
    text = "Date,Player,Xal,Buyins\n2024-01-05,Ann,10,45\n2024-01-05,Ben,7,45\n"
    plan = plan_of(text.encode(), {"game-0": "hearts"})
    assert [one.words for one in plan.open] == ["which column has the points"]
    for column, points in (("Xal", {"Ann": 10, "Ben": 7}), ("Buyins", {"Ann": 45, "Ben": 45})):
        plan = plan_of(text.encode(), {"game-0": "hearts", "column": column})
        assert (plan.is_ready, totals(plan)) == (True, [points])


def test_a_heading_that_a_program_wrote_is_asked_about() -> None:
    plan = plan_of(b"date,score_a,seatOrder\n2024-05-25,1,0\n2024-05-26,1,1\n", {})
    asked = [one.heading for one in plan.open if one.field.startswith("who")]
    assert asked == ["Is score_a a player?", "Is seatOrder a player?"]
