"""The games in the catalogue: found by their names, as their tables say, within every bound."""

from typing import Any

import pytest

from companion.cards import Pack
from companion.melds import RANK_NAMES, MeldSpec
from companion.rules import (
    Variant,
    VariantError,
    build,
    card_games,
    extend,
    find_variant,
    to_data,
)
from tests.support.reports import CHICAGO, CONTRACT, SEEDS, ZIONCHECK, ZIP

NO_BUYS = extend(CONTRACT, {"pickup": {"allowed": False}})


# Finding a game


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("contract-rummy", "contract-rummy"),
        ("Contract Rummy", "contract-rummy"),
        ("CONTRACT", "contract-rummy"),
        ("Combination Rummy", "contract-rummy"),
        ("combination", "contract-rummy"),
        ("zion check", "zioncheck"),
        ("  ZionCheck ", "zioncheck"),
        ("chicago", "chicago-rummy"),
        ("Zip, Zilch, Zero", "zip-zilch-zero"),
        ("zip zilch zero", "zip-zilch-zero"),
        ("ZIP", "zip-zilch-zero"),
    ],
)
def test_a_game_is_found_by_any_of_its_names(name: str, key: str) -> None:
    assert find_variant(name).key == key


@pytest.mark.parametrize("name", ["whist", "", "-", "rummy?"])
def test_an_unknown_name_is_answered_with_the_games_there_are(name: str) -> None:
    with pytest.raises(VariantError) as refused:
        find_variant(name)
    assert f"There is no game called {name}." in str(refused.value)
    assert "Contract Rummy, Zioncheck, Chicago Rummy, Zip, Zilch, Zero" in str(refused.value)


def test_no_two_games_answer_to_one_name() -> None:
    for variant in card_games():
        assert all(find_variant(n) == variant for n in (variant.name, *variant.aliases))


def test_the_seed_games_come_first() -> None:
    assert card_games()[:4] == SEEDS


# What the books' tables of contracts say: dealt, sets, runs, need, spare after one draw

TABLES = [
    (ZIONCHECK, (10, 2, 0, 6, 5)),
    (ZIONCHECK, (10, 1, 1, 7, 4)),
    (ZIONCHECK, (10, 0, 2, 8, 3)),
    (ZIONCHECK, (10, 2, 1, 10, 1)),
    (ZIONCHECK, (11, 1, 2, 11, 1)),
    (ZIONCHECK, (14, 2, 2, 14, 1)),
    (CONTRACT, (10, 2, 0, 6, 5)),
    (CONTRACT, (10, 1, 1, 7, 4)),
    (CONTRACT, (10, 0, 2, 8, 3)),
    (CONTRACT, (10, 3, 0, 9, 2)),
    (CONTRACT, (12, 2, 1, 10, 3)),
    (CONTRACT, (12, 1, 2, 11, 2)),
    (CONTRACT, (12, 0, 3, 12, 1)),
]


@pytest.mark.parametrize("variant", [ZIONCHECK, CONTRACT], ids=lambda v: v.key)
def test_contracts_and_their_arithmetic_are_the_books(variant: Variant) -> None:
    rows = [row for game, row in TABLES if game is variant]
    assert len(variant.deals) == len(rows)
    for deal, (dealt, sets, runs, need, spare) in zip(variant.deals, rows, strict=True):
        assert deal.contract
        assert deal.dealt == dealt
        assert deal.contract.melds == (
            *[MeldSpec(kind="set", size=3)] * sets,
            *[MeldSpec(kind="run", size=4)] * runs,
        )
        assert deal.contract.least_cards == need
        assert deal.dealt + 1 - deal.contract.least_cards == spare


TWO_PLAYERS_A_PACK = {2: 2, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 10: 5, 11: 6, 12: 6}


@pytest.mark.parametrize(
    ("variant", "packs"),
    [
        (ZIONCHECK, {n: (decks, 2 * decks) for n, decks in TWO_PLAYERS_A_PACK.items()}),
        (CONTRACT, {3: (2, 1), 4: (2, 1), 5: (3, 2), 6: (3, 2), 7: (3, 2), 8: (3, 2)}),
        (CHICAGO, dict.fromkeys(range(2, 9), (2, 0))),
        (ZIP, dict.fromkeys((3, 4), (1, 0))),
    ],
    ids=lambda v: v.key if isinstance(v, Variant) else "",
)
def test_packs_by_number_of_players(variant: Variant, packs: dict[int, tuple[int, int]]) -> None:
    """Z-1, C-2, CH-1.4 and ZZ-1.4."""
    for players in range(14):
        if players in packs:
            assert variant.pack(players) == Pack(*packs[players])
        else:
            with pytest.raises(VariantError, match=f"players, not {players}"):
                variant.pack(players)


# Every bound is refused with the path to its fault


def put_at(data: Any, path: str, value: Any) -> Any:
    """The data with one value changed: `deals.2.dealt`; a path's last part may be new."""
    first, _, rest = path.partition(".")
    whole = list(data) if isinstance(data, list | tuple) else dict(data)
    key: Any = int(first) if isinstance(whole, list) else first
    whole[key] = put_at(whole[key], rest, value) if rest else value
    return whole


CARD = {"kind": "set", "size": 1}
FAULTS = [
    # values
    (CONTRACT, "melds.values.K", "ten", "melds.values[...]: expected `int`, got `str`"),
    (CONTRACT, "melds.values.K", -10, "melds.values.K: must be 0 to 1000 points"),
    (CONTRACT, "melds.values.T", 10, "melds.values.T: there is no such rank"),
    (ZIP, "melds.values", dict.fromkeys(ZIP.melds.values, 0), "melds.values: at least one card"),
    (CONTRACT, "melds.wilds", ["joker", "11"], "melds.wilds: there is no rank 11"),
    (CONTRACT, "melds.ace", "round", "melds.ace: invalid enum value 'round'"),
    # players and packs
    (CONTRACT, "players", {"min": 5, "max": 3}, "players: 5 to 3 is no number of players"),
    (CONTRACT, "players", {"min": 0, "max": 8}, "players: 0 to 8 is no number of players"),
    (CONTRACT, "players", {"min": 3, "max": 10**9}, "players: 3 to 1000000000 is no number"),
    (CONTRACT, "players.max", 9, "packs: must name each number of players from 3 to 9 once"),
    (CONTRACT, "packs.1.players", [4, 8], "packs: must name each number of players from 3 to 8"),
    (CONTRACT, "packs.1.players", [6, 8], "packs: must name each number of players from 3 to 8"),
    (CONTRACT, "packs.1.players", [5, 10**9], "players: 3 to 8 is no number of players"),
    (CONTRACT, "packs.1.decks", 1, "packs[1]: 8 players need 97 cards, there are 54"),
    (CONTRACT, "packs.0.decks", -2, "packs[0]: 4 players need 49 cards, there are -103"),
    (ZIP, "deals.3.dealt", 13, "packs[0]: 4 players need 53 cards, there are 52"),
    # deals and contracts
    (CONTRACT, "deals.2.dealt", 0, "deals[2].dealt: must be at least 1"),
    (CONTRACT, "deals.2.dealt", "ten", "deals[2].dealt: expected `int`, got `str`"),
    (CONTRACT, "deals.0.contract", {"melds": []}, "deals[0].contract: names no meld"),
    (CONTRACT, "deals.0.contract.melds", [CARD] * 7, "deals[0].contract: asks for more than 6"),
    (
        CONTRACT,
        "deals.0.contract.or_melds",
        [[CARD]] * 4,
        "asks for more than 6 melds, or has more than 4 ways to meet it",
    ),
    (
        CONTRACT,
        "deals.0.contract.melds.0.size",
        0,
        "deals[0].contract: a meld has at least 1 and at most 14 cards",
    ),
    (
        CONTRACT,
        "deals.0.contract.melds.0.ranks",
        ["B"],
        "deals[0].contract: there is no rank B of which melds are made",
    ),
    (CONTRACT, "deals.0.contract.melds.0.kind", "pair", "deals[0].contract.melds[0].kind: invalid"),
    # scoring and ending
    (CHICAGO, "scoring.knock", None, "scoring.instant_win: only in a game of knocking"),
    (CHICAGO, "scoring.entry", "cards_left", "scoring.knock: only where cards in no meld"),
    (CONTRACT, "scoring.entry", "unmelded", "scoring.entry: where contracts are laid down"),
    (ZIP, "scoring.zips", None, "scoring.zips: only where zips are counted"),
    (CONTRACT, "scoring.entry", "zips", "scoring.zips: only where zips are counted"),
    (CONTRACT, "scoring.entry", "guesses", "scoring.entry: invalid enum value 'guesses'"),
    (CHICAGO, "scoring.instant_win.rank", "two", "scoring.instant_win.rank: there is no rank two"),
    (CHICAGO, "scoring.knock.limit", None, "scoring.knock.limit: expected `int`, got `null`"),
    (CHICAGO, "ending.eliminate", None, "ending.eliminate: a game until one is left must say"),
    (CHICAGO, "ending.winner", "lowest", "ending.winner: whoever is left last"),
    (CONTRACT, "ending.winner", "last_standing", "ending.winner: whoever is left last"),
    (CONTRACT, "ending.tiebreak", "chess", "ending.tiebreak: invalid enum value 'chess'"),
    # choices
    (CONTRACT, "choices.0.options", [], "choices[0]: a choice needs at least two options"),
    (CONTRACT, "choices.1.key", "number_cards", "choices[1].key: number_cards is there twice"),
    (CONTRACT, "choices.1.options.1.value", 25, "choices[1].options: a value is there twice"),
    (
        CONTRACT,
        "choices.1.options.0.changes",
        {"name": "Other"},
        "choices[1].options[0]: the first option is the book's",
    ),
    (CONTRACT, "chosen", {"jester": 1}, "chosen.jester: 1 is not offered"),
    (CONTRACT, "chosen", {"joker": 16}, "chosen.joker: 16 is not offered"),
    # fields that nothing reads, at each depth
    (CONTRACT, "nmae", "Contract", "rules: object contains unknown field `nmae`"),
    (CONTRACT, "players.least", 3, "players: object contains unknown field `least`"),
    (CONTRACT, "packs.1.joker", 2, "packs[1]: object contains unknown field `joker`"),
    (CONTRACT, "turn.up_card", True, "turn: object contains unknown field `up_card`"),
    (CONTRACT, "deals.3.cards", 10, "deals[3]: object contains unknown field `cards`"),
    (CONTRACT, "deals.3.contract.all", True, "deals[3].contract.all: there is no such field"),
    (
        CONTRACT,
        "deals.3.contract.melds.1.length",
        3,
        "deals[3].contract.melds[1].length: there is no such field",
    ),
    (CONTRACT, "melds.aces", "low", "melds.aces: there is no such field"),
    (CHICAGO, "scoring.knock.cost", 15, "scoring.knock: object contains unknown field `cost`"),
    (CHICAGO, "ending.eliminate.by", 1, "ending.eliminate: object contains unknown field `by`"),
    (CHICAGO, "choices.0.label", "x", "choices[0]: object contains unknown field `label`"),
    (
        CHICAGO,
        "choices.0.options.1.change",
        {},
        "choices[0].options[1]: object contains unknown field `change`",
    ),
]


@pytest.mark.parametrize(("variant", "path", "value", "fault"), FAULTS)
def test_every_bound_names_the_path(variant: Variant, path: str, value: Any, fault: str) -> None:
    assert build(to_data(variant)) == variant
    with pytest.raises(VariantError) as refused:
        build(put_at(to_data(variant), path, value))
    assert fault in str(refused.value)


@pytest.mark.parametrize("name", list(RANK_NAMES.values()))
def test_every_card_in_the_packs_has_a_value(name: str) -> None:
    data = to_data(CONTRACT)
    values = {key: value for key, value in data["melds"]["values"].items() if key != name}
    with pytest.raises(VariantError, match=f"^melds.values: {name} has no value$"):
        build(put_at(data, "melds.values", values))


def test_a_game_without_jokers_needs_no_value_for_them() -> None:
    assert "joker" not in CHICAGO.melds.values
    with pytest.raises(VariantError, match="joker has no value"):
        extend(CHICAGO, {"packs": [{"players": [2, 8], "decks": 2, "jokers": 1}]})


def test_all_faults_are_told_at_once() -> None:
    data = put_at(put_at(to_data(NO_BUYS), "deals.0.dealt", 0), "melds.wilds", ["11"])
    with pytest.raises(VariantError) as refused:
        build(data)
    assert [line.split(":")[0] for line in str(refused.value).split("\n")] == [
        "melds.wilds",
        "deals[0].dealt",
        "deals[0].contract",
    ]


def test_how_many_may_play_is_said_where_others_do() -> None:
    packs = [{"players": [4, 4], "decks": 2, "jokers": 2}]
    four = extend(CONTRACT, {"players": {"min": 4, "max": 4, "best": "4"}, "packs": packs})
    assert four.wrong_players(3) == f"{four.name} is for 4 players, not 3."
    assert CONTRACT.wrong_players(9) == f"{CONTRACT.name} is for 3 to 8 players, not 9."
