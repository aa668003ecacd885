"""The last number that rules may hold, and the first that is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules import (
    Variant,
    VariantError,
    all_games,
    build,
    buys_needed,
    extend,
    load,
    validation,
)

CONTRACT, CHICAGO, ZIP = (
    load(f"{name}") for name in ("contract-rummy", "chicago-rummy", "zip-zilch-zero")
)
BONUS = {"key": "early", "name": "Early", "points": 5}
PACK = {"players": [3, 5], "decks": 2, "jokers": 1}
TWO = {"kind": "set", "size": 2}


def faults(base: Variant, changes: dict[str, Any]) -> list[str]:
    try:
        extend(base, changes)
    except VariantError as refused:
        return str(refused).splitlines()
    return []


def faults_of_data(data: dict[str, Any]) -> list[str]:
    try:
        build(data)
    except VariantError as refused:
        return str(refused).splitlines()
    return []


def nested(path: str, value: object) -> dict[str, Any]:
    """Say in the shape of a file what stands at a path."""
    for name in reversed(path.split(".")):
        value = {name: value}
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize(
    ("path", "longest"),
    [
        ("name", 60),
        ("summary", 200),
        ("deal_word", 20),
        ("players.best", 40),
        ("scoring.instant_win.name", 60),
    ],
)
def test_names_have_room_for_so_many_characters(path: str, longest: int) -> None:
    assert faults(CHICAGO, nested(path, "x" * longest)) == []
    assert faults(CHICAGO, nested(path, "x" * (longest + 1))) == [
        f"{path}: needs 1 to {longest} characters"
    ]
    assert faults(CHICAGO, nested(path, "  ")) == [f"{path}: needs 1 to {longest} characters"]


@pytest.mark.parametrize("field", ["name", "key"])
def test_a_bonus_has_a_name_and_a_key_of_sixty_characters(field: str) -> None:
    def of(text: str) -> list[str]:
        return faults(CONTRACT, {"scoring": {"bonuses": [BONUS | {field: text}]}})

    assert of("x" * 60) == []
    assert of("x" * 61) == ["scoring.bonuses[0]: needs 1 to 60 characters"]


@pytest.mark.parametrize("sign", ["{", "]", "\u200b", "\n"])
def test_names_hold_no_signs_of_rule_texts_and_none_that_cannot_be_seen(sign: str) -> None:
    assert faults(CONTRACT, {"name": f"Our{sign}game"}) == [
        "name: cannot hold brackets, or signs that cannot be seen"
    ]


@pytest.mark.parametrize("path", validation._NUMBERS)
def test_numbers_go_from_the_least_to_the_most(path: str) -> None:
    least, most = validation._NUMBERS[path]
    base = next(game for game in all_games() if _has(game, path))
    out_of_bounds = f"{path}: must be {least} to {most}"
    refused = [out_of_bounds in faults(base, nested(path, n)) for n in (least - 1, most + 1)]
    allowed = [out_of_bounds in faults(base, nested(path, n)) for n in (least, most)]
    assert (refused, allowed) == ([True] * 2, [False] * 2)


def _has(game: Variant, path: str) -> bool:
    """Tell whether a game has what a path leads to, or says that there is none."""
    *parts, _ = path.split(".")
    value: Any = game
    for name in parts:
        value = getattr(value, name)
        if value is None:
            return False
    return True


@pytest.mark.parametrize(
    ("row", "is_refused"),
    [
        ({"decks": 1}, False),
        ({"decks": 0}, True),
        ({"decks": 100}, False),
        ({"decks": 101}, True),
        ({"jokers": 0}, False),
        ({"jokers": -1}, True),
        ({"jokers": 400}, False),
        ({"jokers": 401}, True),
    ],
)
def test_a_pack_is_of_one_to_a_hundred_decks(row: dict[str, int], is_refused: bool) -> None:
    players = {"min": 3, "max": 4}
    deals = [{"dealt": 5}]
    rows = [PACK | {"players": [3, 4]} | row]
    assert bool(faults(CONTRACT, {"players": players, "deals": deals, "packs": rows})) == is_refused


@pytest.mark.parametrize(("jokers", "needed"), [(1, None), (0, 53)])
def test_every_player_is_dealt_all_cards_and_one_more_is_there(
    jokers: int, needed: int | None
) -> None:
    """Four players of 13 cards take 52 and one is turned."""
    changes = {
        "players": {"min": 4, "max": 4},
        "deals": [{"dealt": 13}],
        "packs": [{"players": [4, 4], "decks": 1, "jokers": jokers}],
    }
    wanted = [f"packs[0]: 4 players need {needed} cards, there are 52"] if needed else []
    assert faults(CONTRACT, changes) == wanted
    fewer_first = {"deals": [{"dealt": 1}, {"dealt": 13}, {"dealt": 1}]}
    assert faults(CONTRACT, changes | fewer_first) == wanted


def test_without_deals_no_pack_is_too_small() -> None:
    changes = {
        "players": {"min": 60, "max": 60},
        "deals": [],
        "packs": [{"players": [60, 60], "decks": 1}],
    }
    assert faults(CONTRACT, changes) == ["deals: a game needs at least one and at most 40"]


@pytest.mark.parametrize(
    ("low", "high", "is_refused"),
    [(1, 4, False), (0, 4, True), (99, 100, False), (100, 101, True), (4, 3, True)],
)
def test_a_hundred_can_play(low: int, high: int, is_refused: bool) -> None:
    changes = {
        "players": {"min": low, "max": high},
        "deals": [{"dealt": 1}],
        "packs": [{"players": [low, high], "decks": 2}],
    }
    assert bool(faults(CONTRACT, changes)) == is_refused


@pytest.mark.parametrize(
    ("deals", "is_refused"),
    [
        ([{"dealt": 1}] * 40, False),
        ([{"dealt": 1}] * 41, True),
        ([], True),
        ([{"dealt": 19}], False),
        ([{"dealt": 20}], True),
        ([{"dealt": 0}], True),
        ([{"dealt": 5, "buys": 0}], False),
        ([{"dealt": 5, "buys": -1}], True),
        ([{"dealt": 5, "buys": 99}], False),
        ([{"dealt": 5, "buys": 100}], True),
        ([{"dealt": 5, "wilds": ["2"]}], False),
        ([{"dealt": 5, "wilds": ["11"]}], True),
    ],
)
def test_deals_are_of_one_to_nineteen_cards(deals: list[dict[str, Any]], is_refused: bool) -> None:
    changes = {"players": {"min": 3, "max": 4}, "packs": [PACK | {"players": [3, 4]}]}
    assert bool(faults(CONTRACT, changes | {"deals": deals})) == is_refused


@pytest.mark.parametrize(
    ("contract", "is_refused"),
    [
        ({"melds": [TWO] * 6}, False),
        ({"melds": [TWO] * 7}, True),
        ({"melds": [TWO], "or_melds": [[TWO, TWO]] * 3}, False),
        ({"melds": [TWO], "or_melds": [[TWO, TWO]] * 4}, True),
        ({"melds": [TWO] * 3, "or_melds": [[TWO] * 7]}, True),
        ({"melds": [TWO], "or_melds": [[]]}, True),
        ({"melds": [TWO | {"size": 10}] * 2}, False),
        ({"melds": [TWO | {"size": 10}, TWO | {"size": 11}]}, True),
        ({"melds": [TWO | {"size": 14}]}, False),
        ({"melds": [TWO | {"size": 15}]}, True),
        ({"melds": [TWO | {"size": 15}, TWO]}, True),
        ({"melds": [TWO], "or_melds": [[TWO | {"size": 10}, TWO | {"size": 11}]]}, True),
        ({"melds": [TWO | {"size": 1}]}, False),
        ({"melds": [TWO | {"size": 0}]}, True),
        ({"melds": [TWO | {"suits": "different", "size": 4}]}, False),
        ({"melds": [TWO | {"suits": "different", "size": 5}]}, True),
        ({"melds": [{"kind": "run", "size": 4, "suits": "different"}]}, True),
        ({"melds": [{"kind": "run", "size": 4, "suits": "any"}]}, False),
        ({"melds": [TWO | {"wilds": 0}]}, False),
        ({"melds": [TWO | {"wilds": -1}]}, True),
        ({"melds": [TWO | {"wilds": 14}]}, False),
        ({"melds": [TWO | {"wilds": 15}]}, True),
        ({"melds": [TWO | {"ranks": ["A"]}]}, False),
        ({"melds": [TWO | {"ranks": ["joker"]}]}, True),
        ({"melds": [TWO | {"ranks": ["11"]}]}, True),
    ],
)
def test_a_contract_asks_for_melds_that_a_hand_can_hold(
    contract: dict[str, Any], is_refused: bool
) -> None:
    changes = {
        "players": {"min": 2, "max": 2},
        "deals": [{"dealt": 19, "contract": contract, "goout": "either"}],
        "packs": [{"players": [2, 2], "decks": 2, "jokers": 2}],
    }
    assert bool(faults(CONTRACT, changes)) == is_refused


@pytest.mark.parametrize(
    ("goout", "dealt", "last"), [("discard", 5, ", and the last is discarded"), ("either", 4, "")]
)
def test_a_contract_that_cannot_be_met_says_what_is_missing(
    goout: str, dealt: int, last: str
) -> None:
    contract = {"melds": [{"kind": "set", "size": 3}] * 2}
    deals = [{"dealt": dealt, "contract": contract, "goout": goout}]
    assert faults(CONTRACT, {"deals": deals, "pickup": {"allowed": False}}) == [
        f"deals[0].contract: needs 6 cards, {dealt} are dealt and 1 drawn{last}"
    ]


def test_without_a_contract_nothing_must_be_bought() -> None:
    assert buys_needed(CHICAGO, 1) == 0


@pytest.mark.parametrize(
    ("bonuses", "is_refused"),
    [
        ([BONUS | {"doubles": True}], False),
        ([BONUS | {"doubles": True, "who": "one"}], True),
        ([BONUS | {"doubles": True, "counts": True}], True),
    ],
)
def test_only_who_goes_out_doubles_what_others_hold(
    bonuses: list[dict[str, Any]], is_refused: bool
) -> None:
    assert bool(faults(CONTRACT, {"scoring": {"bonuses": bonuses}})) == is_refused


EACH_ON_THEIR_OWN = {"length": "until_contracts_met", "winner": "furthest", "deals": 0}
CONTRACTS = [
    {"dealt": 10, "contract": {"melds": [TWO]}},
    {"dealt": 10, "contract": {"melds": [TWO]}},
]


@pytest.mark.parametrize(
    ("deals", "wanted"),
    [
        (CONTRACTS, []),
        (
            [*CONTRACTS, {"dealt": 10}],
            ["deals: where players stay on a contract, every deal needs one"],
        ),
        (
            [*CONTRACTS, CONTRACTS[0] | {"dealt": 9}],
            ["deals: where players stay on a contract, every deal has as many cards"],
        ),
    ],
)
def test_where_players_stay_on_a_contract_all_deals_are_alike(
    deals: list[dict[str, Any]], wanted: list[str]
) -> None:
    assert faults(CONTRACT, {"ending": EACH_ON_THEIR_OWN, "deals": deals}) == wanted
