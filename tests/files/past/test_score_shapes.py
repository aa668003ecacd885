"""Games written in every shape, with every delimiter and way to write a day, are read again."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta

import pytest

from companion.files.past import LeagueSoFar, PastError, make_plan, read_games
from companion.files.past.past_game import PastGame
from companion.files.past.tables import MOST_COLUMNS
from tests.support.doses import doses

NAMES = ("Ann", "Bob", "Cléo", "Max", "Zoë May", "O'Neil", "Renée")
DELIMITERS = (",", ";", "\t", "|")
DAYS: dict[str, Callable[[date], str]] = {
    "iso": date.isoformat,
    "dots": lambda day: f"{day:%d.%m.%Y}",
    "short dots": lambda day: f"{day.day}.{day.month}.{day:%y}",
    "words": lambda day: f"{day.day} {day:%B} {day.year}",
    "american words": lambda day: f"{day:%b} {day.day}, {day.year}",
    "weekday": lambda day: f"{day:%a} {day.day} {day:%b} {day.year}",
    "slashes": lambda day: f"{day:%d/%m/%Y}",
    "time": lambda day: f"{day.isoformat()} 20:15:00",
}
Written = list[list[object]]
Evenings = list[tuple[date, list[str], list[list[int]]]]
Write = Callable[[date], str]


def games(chance: random.Random) -> Evenings:
    """Some evenings of the same people, each with a few deals that nobody could take for sums."""
    people = chance.sample(NAMES, chance.randint(2, 5))
    first = date(1995, 1, 1) + timedelta(days=chance.randrange(9000))
    return [
        (
            first + timedelta(days=number),
            people,
            [[40, 35, *[chance.randrange(100) for _ in people[2:]]]]
            + [[chance.randrange(30) for _ in people] for _ in range(chance.randint(2, 9))],
        )
        for number in range(chance.randint(1, 4))
    ]


def by_game(evenings: Evenings, day: Write) -> Written:
    rows: Written = [["Date", "Game", *evenings[0][1]]]
    for when, _, deals in evenings:
        rows.append([day(when), "Carioca", *map(sum, zip(*deals, strict=True))])
    return rows


def blocks(evenings: Evenings, day: Write) -> Written:
    rows: Written = []
    for when, people, deals in evenings:
        rows += [[f"Carioca {day(when)}"], ["", *people]]
        rows += [[f"Round {number}", *deal] for number, deal in enumerate(deals, start=1)]
        rows += [["Total", *map(sum, zip(*deals, strict=True))], []]
    return rows


def long(evenings: Evenings, day: Write) -> Written:
    rows: Written = [["Date", "Game", "Hand", "Player", "Score"]]
    for when, people, deals in evenings:
        for seat, name in enumerate(people):
            for number, deal in enumerate(deals, start=1):
                rows.append([day(when), "Carioca", number, name, deal[seat]])
    return rows


def with_days(evenings: Evenings, day: Write) -> Written:
    rows: Written = [["Datum", "Spiel", "Runde", *evenings[0][1]]]
    for when, _, deals in evenings:
        rows += [[day(when), "Carioca", n, *deal] for n, deal in enumerate(deals, start=1)]
    return rows


POKER = """ID,Game ID,Player ID,Player Name,Game Date,Stack
65,12,1,Filip,Tue Feb 20 2024 00:00:00 GMT+0100 (Central European Standard Time),0
64,12,3,Jacob,Tue Feb 20 2024 00:00:00 GMT+0100 (Central European Standard Time),234
1,1,1,Filip,Tue Feb 06 2024 00:00:00 GMT+0100 (Central European Standard Time),438
3,1,3,Jacob,Tue Feb 06 2024 00:00:00 GMT+0100 (Central European Standard Time),13
"""
"""As a club's website keeps its evenings."""
TWICE = """Date,Game,Player,Points
2024-01-01,Carioca,Ann,5
2024-01-01,Carioca,Bob,20
2024-01-01,Carioca,Ann,30
2024-01-01,Carioca,Bob,10
"""
SHAPES = {"one row a game": by_game, "blocks": blocks, "long": long, "deals with days": with_days}


def text_of(rows: Written, delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def seen(read: Sequence[PastGame]) -> list[object]:
    return [
        (one.days["dmy"], one.game, one.players, None if one.are_totals else one.points, one.sums)
        for one in read
    ]


@doses("rounds", 2, 40)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("delimiter", DELIMITERS, ids=("comma", "semicolon", "tab", "bar"))
@pytest.mark.parametrize("written", DAYS)
def test_what_was_written_is_read(shape: str, delimiter: str, written: str, rounds: int) -> None:
    chance = random.Random(f"{shape} {delimiter} {written}")
    for _ in range(rounds):
        evenings = games(chance)
        text = text_of(SHAPES[shape](evenings, DAYS[written]), delimiter)
        only_totals = shape == "one row a game"
        expected = [
            (
                when,
                "Carioca",
                people,
                None if only_totals else deals,
                [sum(points) for points in zip(*deals, strict=True)],
            )
            for when, people, deals in evenings
        ]
        for data in (text.encode(), ("\ufeff" + text).encode(), text.encode("utf-16")):
            assert seen(read_games(data, {}).games) == expected, text


@pytest.mark.parametrize(
    ("rows", "players", "totals"),
    [
        ("Player,1,2,Total\nAnn,0,5,5\nMax,20,1,21", ["Ann", "Max"], [[5, 21]]),
        ("Name,Deal 1,Deal 2,Total\nAnn,0,5,5\nMax,20,1,21", ["Ann", "Max"], [[5, 21]]),
        ("Name;2024-01-03;2024-02-04\nAnn;12;3\nBob;30;14", ["Ann", "Bob"], [[12, 30], [3, 14]]),
        ("Hand   Ann   Bob\n1   10   0\n2   0   15", ["Ann", "Bob"], [[10, 15]]),
        (TWICE, ["Ann", "Bob"], [[5, 20], [30, 10]]),
        ("|Date|Ann|Bob|\n|---|:-:|---:|\n|2024-01-02|5|20|", ["Ann", "Bob"], [[5, 20]]),
        (POKER, ["Filip", "Jacob"], [[0, 234], [438, 13]]),
        ("Date,Ann,Bob,Total\n2024-01-02,10,20,30", ["Ann", "Bob"], [[10, 20]]),
        ("\tAnn\tBob\n1\t10\t0\n2\t0\t5\n\nTotal\t10\t5", ["Ann", "Bob"], [[10, 5]]),
    ],
    ids=[
        "players down",
        "named deals across",
        "days across",
        "columns of spaces",
        "twice on a day",
        "markdown",
        "a database's rows",
        "a sum beside",
        "a sum below a gap",
    ],
)
def test_other_ways_to_write_it(rows: str, players: list[str], totals: list[list[int]]) -> None:
    read = read_games(rows.encode(), {}).games
    assert {tuple(game.players) for game in read} == {tuple(players)}
    assert [game.sums for game in read] == totals


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "No players"),
        (b"1,2,3\n4,5,6\n", "No players"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "isn't a table"),
        (b"PK\x03\x04 and nothing", "isn't a table"),
        (b"\xd0\xcf\x11\xe0 and nothing", "isn't a table"),
        (b"Date,Ann\x00,Bob\n", "isn't a table"),
        (b"," * (MOST_COLUMNS + 1), "too large"),
        (b"," * 1_000_000, "too large"),
        (b"x" * 11 * 2**20, "too large"),
        (b'{"format": "another"}', "neither an export"),
        (b'"' * 1001, "No players"),
        (b"=cmd|' /C calc'!A0,=1+1\n=2,=3\n", "No players"),
    ],
    ids=lambda value: str(value[:12]),
)
def test_what_is_no_table_is_refused_in_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(PastError, match=said):
        make_plan(read_games(data, {}), {}, LeagueSoFar({}, lambda _: None))
