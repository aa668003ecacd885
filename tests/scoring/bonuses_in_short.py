"""Deals with bonuses in few words."""

from collections.abc import Sequence

import pytest

from companion.rules import Variant, build, load, to_data
from companion.scoring import Tally, TallyError, score_deal
from tests.support.reports import (
    CONTRACT,
    FAMILY,
    points,
)

SHANGHAI = load("shanghai")

CONTINENTAL = build(
    to_data(CONTRACT)
    | {
        "key": "continental",
        "name": "Continental",
        "players": {"min": 2, "max": 5},
        "packs": [{"players": [2, 5], "decks": 2, "jokers": 2}],
        "choices": [],
        "deals": [{"dealt": 15}],
        "scoring": {
            "entry": "payments",
            "bonuses": [
                {
                    "key": key,
                    "name": name,
                    "points": worth,
                    "payer": "each_opponent",
                    **more,
                }
                for key, name, worth, more in (
                    ("out", "Went out", 1, {"given": "always"}),
                    ("deuce", "Deuces melded", 1, {"counts": True}),
                    ("joker", "Jokers melded", 2, {"counts": True}),
                    ("pure", "No wild card", 10, {"given": "if_none"}),
                    ("first", "Out in the first turn", 7, {"group": "early"}),
                    ("undrawn", "Out without drawing", 10, {"group": "early"}),
                    ("suit", "All of one suit", 10, {}),
                )
            ],
        },
        "ending": {"length": "fixed", "deals": 4, "winner": "highest"},
    }
)
"""Continental as B2 has it: the others pay who goes out."""


def out(**bonuses: int) -> Tally:
    return Tally(declared="out", bonuses=bonuses)


def scored(variant: Variant, *tallies: Tally | None) -> list[int | None]:
    return points(score_deal(variant, 1, tallies, [0] * len(tallies)))


def faults(variant: Variant, *tallies: Tally | None) -> list[str]:
    with pytest.raises(TallyError) as refused:
        score_deal(variant, 1, tallies, [0] * len(tallies))
    return [found.in_words(FAMILY) for found in refused.value.findings]


def reasons(variant: Variant, tallies: Sequence[Tally], seat: int) -> list[tuple[str, int]]:
    line = score_deal(variant, 1, tallies, [0] * len(tallies)).lines[seat]
    assert line
    return [(reason.words, reason.points) for reason in line.reasons]
