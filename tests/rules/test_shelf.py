"""The games on the shelf, variations that say only what differs, and house rules laid over them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import Pack, read_hand
from companion.melds import RANK_NAMES, MeldSpec
from companion.rules import (
    Variant,
    VariantError,
    all_variants,
    build,
    extend,
    find_variant,
    house_differences,
    load,
    to_data,
    with_choices,
)
from companion.rules.loader import merge
from companion.scoring.cards_left import points
from tests.support.variant_shelf import Shelf, shelf_in

CONTRACT, ZIONCHECK = find_variant("contract rummy"), find_variant("zioncheck")
CHICAGO, ZIP = find_variant("chicago"), find_variant("zip")
SEEDS = (CONTRACT, ZIONCHECK, CHICAGO, ZIP)
NO_BUYS = extend(CONTRACT, {"pickup": {"allowed": False}})
EVERY_GAME = pytest.mark.parametrize("variant", all_variants(), ids=lambda v: v.key)


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
    for variant in all_variants():
        assert all(find_variant(n) == variant for n in (variant.name, *variant.aliases))


def test_the_seed_games_come_first() -> None:
    assert all_variants()[:4] == SEEDS


# What the dossier's tables say (A1.1, A2.1): dealt, sets, runs, need, spare after one draw

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
    """Z-1, C-2, A3.1 and A4.1."""
    for players in range(14):
        if players in packs:
            assert variant.pack(players) == Pack(*packs[players])
        else:
            with pytest.raises(VariantError, match=f"players, not {players}"):
                variant.pack(players)


# Variations that say only what differs

DEUCES = """
extends = "contract-rummy"
name = "Deuces Wild"
aliases = ["Deuces"]
melds = { wilds = ["joker", "2"], values = { 2 = 25 } }
"""
FIVES = """
extends = "contract-rummy"
name = "Fives"
melds = { values = { 2 = 5, 3 = 5, 4 = 5, 5 = 5, 6 = 5, 7 = 5, 8 = 5, 9 = 5 } }
"""
CHEAP_JOKER = 'extends = "contract-rummy"\nname = "Joker 15"\nmelds = { values = { joker = 15 } }'


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    with shelf_in(tmp_path, monkeypatch) as made:
        made.copy("contract-rummy")
        yield made


@pytest.mark.parametrize(
    ("text", "choices", "hand_points"),
    [
        (DEUCES, {"deuces_wild": 25}, 94),
        (FIVES, {"number_cards": 5}, 70),
        (CHEAP_JOKER, {"joker": 15}, 61),
    ],
    ids=["deuces wild 25", "numbers 2-9 = 5", "joker 15"],
)
def test_a_variation_is_its_parent_with_what_differs(
    shelf: Shelf, text: str, choices: dict[str, Any], hand_points: int
) -> None:
    """The variations of Contract Rummy, against A5 and against the same rules as choices."""
    shelf.put("variation", text)
    child = load("variation")
    assert points(child.melds, read_hand("A X 10 K 9 2")) == hand_points
    assert child.melds == with_choices(CONTRACT, choices).melds
    named = {"key", "name", "aliases", "extends", "melds"}
    inherited = {field for field in to_data(CONTRACT) if field not in named}
    assert all(getattr(child, field) == getattr(CONTRACT, field) for field in inherited)
    assert child.extends == "contract-rummy"
    assert load("contract-rummy") == CONTRACT


def test_a_variation_has_its_own_names_only(shelf: Shelf) -> None:
    """A parent's aliases keep meaning the parent, wherever the variation stands on the shelf."""
    shelf.put("a-first-on-the-shelf", DEUCES)
    shelf.put("another", CHEAP_JOKER)
    assert find_variant("deuces").name == "Deuces Wild"
    assert load("another").aliases == ()
    assert find_variant("combination").key == "contract-rummy"
    assert [v.key for v in all_variants()] == ["contract-rummy", "a-first-on-the-shelf", "another"]


def test_a_variation_of_a_variation(shelf: Shelf) -> None:
    shelf.put("deuces", DEUCES)
    shelf.put(
        "both", 'extends = "deuces"\nname = "Both"\nmelds = { values = { joker = 15, K = 11 } }'
    )
    both = load("both").melds.values
    assert (both["2"], both["joker"], both["K"], both["Q"]) == (25, 15, 11, 10)


def test_extend_makes_the_same_from_plain_data() -> None:
    made = extend(CONTRACT, {"melds": {"wilds": ["joker", "2"], "values": {"2": 25}}})
    assert made.melds == with_choices(CONTRACT, {"deuces_wild": 25}).melds
    assert extend(CONTRACT, {}) == CONTRACT


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('extends = "odd"\nname = "Odd"', "odd: extends: odd → odd goes round in a circle"),
        ('extends = "nowhere"', "odd: extends: there is no game nowhere"),
        ("extends = 3", "odd: extends: must be the key of a game"),
        ('extends = "contract-rummy"\ndeals = []', "odd: deals: a game needs at least one"),
        (
            'extends = "contract-rummy"\nmelds = { values = { Z = 1 } }',
            "odd: melds.values.Z: there",
        ),
        ("name = ", "odd: game.toml: Invalid value"),
        ("", "odd: rules: object missing required field"),
    ],
)
def test_a_faulty_file_is_refused_by_name(shelf: Shelf, text: str, fault: str) -> None:
    shelf.put("odd", text)
    with pytest.raises(VariantError) as refused:
        load("odd")
    assert fault in str(refused.value)


def test_a_longer_circle_is_shown(shelf: Shelf) -> None:
    shelf.put("hen", 'extends = "egg"')
    shelf.put("egg", 'extends = "hen"')
    with pytest.raises(VariantError, match="hen → egg → hen goes round in a circle"):
        load("hen")


# Changes laid over lists: choices and bonuses by their key, other items by number

CUT = {"name": "Exact cut", "points": -50, "who": "one"}


def test_a_choice_is_changed_added_or_taken_away_by_its_key() -> None:
    answers = [{"value": 1, "label": "Few"}, {"value": 2, "label": "Many"}]
    asked = {"question": "Cards?", "rule": "CR-1.7", "options": answers}
    made = extend(CONTRACT, {"choices": {"joker": False, "floor": {"question": "?"}, "own": asked}})
    keys = [choice.key for choice in CONTRACT.choices]
    assert [choice.key for choice in made.choices] == [k for k in keys if k != "joker"] + ["own"]
    (floor,) = (choice for choice in made.choices if choice.key == "floor")
    assert floor.question == "?"
    assert len(floor.options) == 2


def test_bonuses_of_several_house_rules_lie_side_by_side() -> None:
    first = extend(CONTRACT, {"scoring": {"bonuses": {"cut": CUT}}})
    both = extend(first, {"scoring": {"bonuses": {"other": CUT | {"points": -10}}}})
    assert [(b.key, b.points) for b in both.scoring.bonuses] == [("cut", -50), ("other", -10)]
    assert extend(both, {"scoring": {"bonuses": {"cut": False, "other": False}}}) == CONTRACT


def test_the_next_number_adds_a_deal_and_no_other_does() -> None:
    eighth = {"dealt": 13, "contract": {"melds": [{"kind": "run", "size": 13}]}}
    assert extend(CONTRACT, {"deals": {"8": eighth}}).deal_count == 8
    with pytest.raises(VariantError, match="deals: there is no number 9, only 1 to 7"):
        extend(CONTRACT, {"deals": {"9": eighth}})
    with pytest.raises(VariantError, match="choices: there is no number jester"):
        extend(CONTRACT, {"choices": {"jester": False}})


# Every bound is refused with the path to its fault


def put_at(data: Any, path: str, value: Any) -> Any:
    """The data with one value changed: `deals.2.dealt`; a path's last part may be new."""
    first, _, rest = path.partition(".")
    whole = list(data) if isinstance(data, list | tuple) else dict(data)
    key: Any = int(first) if isinstance(whole, list) else first
    whole[key] = put_at(whole[key], rest, value) if rest else value
    return whole


RUN_OF_14 = {"melds": [{"kind": "run", "size": 14}]}
FAULTS = [
    # values
    (CONTRACT, "melds.values.K", "ten", "melds.values[...]: expected `int`, got `str`"),
    (CONTRACT, "melds.values.K", -10, "melds.values.K: must be 0 to 1000 points"),
    (CONTRACT, "melds.values.K", 10**9, "melds.values.K: must be 0 to 1000 points"),
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
    (CONTRACT, "deals", [], "deals: a game needs at least one"),
    (CONTRACT, "deals.2.dealt", 0, "deals[2].dealt: must be at least 1"),
    (CONTRACT, "deals.2.dealt", "ten", "deals[2].dealt: expected `int`, got `str`"),
    (
        NO_BUYS,
        "deals.6.dealt",
        10,
        "deals[6].contract: needs 12 cards, 10 are dealt and 1 drawn",
    ),
    (NO_BUYS, "deals.4.contract", RUN_OF_14, "deals[4].contract: needs 14 cards, 12 are dealt"),
    (CONTRACT, "deals.0.contract", {"melds": []}, "deals[0].contract: names no meld"),
    (CONTRACT, "deals.0.contract.or_melds", [[]], "deals[0].contract: names no meld"),
    (CONTRACT, "deals.0.contract.melds.0.size", 0, "deals[0].contract: a meld has at least 1"),
    (CONTRACT, "deals.0.contract.melds.0.ranks", ["B"], "deals[0].contract: there is no rank B"),
    (CONTRACT, "deals.0.contract.melds.0.kind", "pair", "deals[0].contract.melds[0].kind: invalid"),
    # scoring and ending
    (CHICAGO, "scoring.knock", None, "scoring.instant_win: belongs to a game of knocking"),
    (CHICAGO, "scoring.entry", "cards_left", "scoring.knock: belongs to the entry `unmelded`"),
    (CONTRACT, "scoring.entry", "unmelded", "scoring.entry: where contracts are laid down"),
    (ZIP, "scoring.zips", None, "scoring.zips: belongs to the entry `zips`"),
    (CONTRACT, "scoring.entry", "zips", "scoring.zips: belongs to the entry `zips`"),
    (CONTRACT, "scoring.entry", "guesses", "scoring.entry: invalid enum value 'guesses'"),
    (CHICAGO, "scoring.instant_win.rank", "two", "scoring.instant_win.rank: there is no rank two"),
    (CHICAGO, "scoring.knock.limit", None, "scoring.knock.limit: expected `int`, got `null`"),
    (CHICAGO, "ending.eliminate", None, "ending.eliminate: a game until one is left must say"),
    (CHICAGO, "ending.winner", "lowest", "ending.winner: `last_standing` belongs to a game"),
    (CONTRACT, "ending.winner", "last_standing", "ending.winner: `last_standing` belongs to"),
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


# House rules


@EVERY_GAME
def test_the_books_own_answers_change_nothing(variant: Variant) -> None:
    book = {choice.key: choice.options[0].value for choice in variant.choices}
    assert with_choices(variant, {}) == variant
    assert with_choices(variant, book) == variant
    assert house_differences(variant) == []


@EVERY_GAME
def test_every_option_of_every_choice_builds(variant: Variant) -> None:
    for choice in variant.choices:
        for option in choice.options[1:]:
            house = with_choices(variant, {choice.key: option.value})
            assert house.chosen == {choice.key: option.value}
            assert to_data(house) != to_data(variant) | {"chosen": house.chosen}
            assert house_differences(house) == [
                (choice.question, option.label, choice.options[0].label),
            ]


@EVERY_GAME
def test_an_option_changes_only_what_it_says(variant: Variant) -> None:
    for choice in variant.choices:
        for option in choice.options[1:]:
            house = to_data(with_choices(variant, {choice.key: option.value}))
            plain = to_data(build(merge(to_data(variant), option.changes)))
            assert house == plain | {"chosen": house["chosen"]}


def houses() -> st.SearchStrategy[tuple[Variant, dict[str, Any]]]:
    """One of our games, and an answer to some of its questions."""
    return st.sampled_from(SEEDS).flatmap(
        lambda variant: st.tuples(
            st.just(variant),
            st.fixed_dictionaries(
                {},
                optional={
                    choice.key: st.sampled_from([option.value for option in choice.options])
                    for choice in variant.choices
                },
            ),
        )
    )


@given(houses())
def test_reading_what_we_wrote_gives_it_back(house: tuple[Variant, dict[str, Any]]) -> None:
    variant = with_choices(*house)
    assert build(to_data(variant)) == variant
    assert build(json.loads(json.dumps(to_data(variant)))) == variant


@given(houses(), st.randoms())
def test_the_order_of_the_answers_never_matters(
    house: tuple[Variant, dict[str, Any]], random: Any
) -> None:
    variant, chosen = house
    keys = list(chosen)
    random.shuffle(keys)
    assert with_choices(variant, {key: chosen[key] for key in keys}) == with_choices(*house)


@given(houses(), st.randoms())
def test_house_rules_added_later_are_as_if_taken_at_once(
    house: tuple[Variant, dict[str, Any]], random: Any
) -> None:
    variant, chosen = house
    first = {key: value for key, value in chosen.items() if random.random() < 0.5}
    rest = {key: value for key, value in chosen.items() if key not in first}
    assert with_choices(with_choices(variant, first), rest) == with_choices(*house)


@pytest.mark.parametrize(
    "order", [("number_cards", "deuces_wild"), ("deuces_wild", "number_cards")]
)
def test_wild_twos_count_25_also_where_numbers_count_5(order: tuple[str, str]) -> None:
    """Decision 8, whichever house rule the family took first."""
    answers = {"number_cards": 5, "deuces_wild": 25}
    house = CONTRACT
    for key in order:
        house = with_choices(house, {key: answers[key]})
    assert house == with_choices(CONTRACT, answers)
    assert house.melds.values["2"] == 25
    assert [house.melds.values[name] for name in "3456789"] == [5] * 7
    assert house.melds.values["10"] == 10


def test_a_house_rule_is_taken_back_from_the_book_only() -> None:
    house = with_choices(CONTRACT, {"joker": 15})
    assert with_choices(house, {"joker": 15}) == house
    with pytest.raises(VariantError, match="15 is taken; begin from the book"):
        with_choices(house, {"joker": 25})


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        ({"jester": 15}, "choices.jester: Contract Rummy has no such choice"),
        ({"joker": 16}, "choices.joker: 16 is not one of 25, 15, 20, 50"),
        ({"deuces_wild": "maybe"}, "choices.deuces_wild: maybe is not one of False, 25, 15"),
    ],
)
def test_what_a_game_does_not_offer_is_refused(chosen: dict[str, Any], fault: str) -> None:
    with pytest.raises(VariantError, match=f"^{fault}$"):
        with_choices(CONTRACT, chosen)


def test_answers_may_come_from_a_form_as_text() -> None:
    assert with_choices(CONTRACT, {"joker": "15", "deuces_wild": "False"}) == with_choices(
        CONTRACT, {"joker": 15}
    )


def test_what_a_house_rule_says_of_our_table() -> None:
    house = with_choices(CHICAGO, {"knock_tie": "penalty", "eliminate_at": ">="})
    assert house_differences(house) == [
        (
            "The knocker ties for the lowest count: is there a penalty?",
            "The penalty applies",
            "No penalty",
        )
    ]
