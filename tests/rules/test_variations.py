"""The variations of Contract Rummy: contracts, packs, sums and bonuses as their sources have them.

Every table here was written from the sources by hand (part B of our notes on them), none of it
from the program.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from companion.cards import Pack, read_hand
from companion.melds import is_contract, judge_contract
from companion.rules import (
    Variant,
    VariantError,
    all_variants,
    buys_needed,
    catalogue,
    find_variant,
    load,
    load_examples,
    missing_games,
    with_choices,
)
from companion.rules.contracts import contract_words
from companion.rules.field_text import facts, tables
from companion.scoring import Tally, TallyError, score_deal
from companion.scoring.cards_left import points


class Row(NamedTuple):
    """One deal: cards dealt, contract (`S3` set, `R4` run, `=` exactly), cards needed and spare."""

    dealt: int
    contract: str
    need: int
    spare: int


SEVEN = [
    Row(10, "S3 S3", 6, 5),
    Row(10, "S3 R4", 7, 4),
    Row(10, "R4 R4", 8, 3),
    Row(10, "S3 S3 S3", 9, 2),
    Row(12, "S3 S3 R4", 10, 3),
    Row(12, "S3 R4 R4", 11, 2),
    Row(12, "R4 R4 R4", 12, 1),
]
DEALS = {
    "contract-bicycle": SEVEN,
    "deuces-wild": SEVEN,
    "jo": SEVEN,
    "liverpool-seven": SEVEN,
    "progressive": [
        Row(6, "S3= S3=", 6, 1),
        Row(7, "S3= R4=", 7, 1),
        Row(8, "R4= R4=", 8, 1),
        Row(9, "S3= S3= S3=", 9, 1),
        Row(10, "S3= S3= R4=", 10, 1),
        Row(11, "S3= R4= R4=", 11, 1),
        Row(12, "R4= R4= R4=", 12, 1),
    ],
    "king": [
        Row(10, "S3= R4", 7, 4),
        Row(10, "S3 S3 S3", 9, 2),
        Row(10, "R4 R4", 8, 3),
        Row(10, "S3= S3= R4=", 10, 1),
    ],
    "liverpool": [
        Row(10, "S3= S3=", 6, 5),
        Row(10, "S3= R4=", 7, 4),
        Row(10, "R4= R4=", 8, 3),
        Row(10, "S3= S3= S3=", 9, 2),
        Row(10, "S3= S3= R4=", 10, 1),
        Row(10, "S3= R4= R4=", 11, 0),
    ],
    "shanghai": [
        Row(11, "S3 S3", 6, 6),
        Row(11, "S3 R4", 7, 5),
        Row(11, "R4 R4", 8, 4),
        Row(11, "S3 S3 S3", 9, 3),
        Row(11, "S3 R7", 10, 2),
        Row(11, "S3 S3 R5", 11, 1),
        Row(11, "R4 R4 R4", 12, 0),
        Row(11, "S3 R10", 13, -1),
        Row(11, "S3 S3 S3 R5", 14, -2),
        Row(11, "R5 R5 R5", 15, -3),
    ],
    "carioca": [
        Row(12, "S3 S3", 6, 7),
        Row(12, "S3 R4", 7, 6),
        Row(12, "R4 R4", 8, 5),
        Row(12, "S3 S3 S3", 9, 4),
        Row(12, "S3 S3 R4", 10, 3),
        Row(12, "S3 R4 R4", 11, 2),
        Row(12, "S3 S3 S3 S3", 12, 1),
        Row(12, "R4 R4 R4", 12, 1),
    ],
    "carioca-chile": [
        Row(12, "S3 S3", 6, 7),
        Row(12, "S3 R4", 7, 6),
        Row(12, "R4 R4", 8, 5),
        Row(12, "S3 S3 S3", 9, 4),
        Row(12, "S3 S3 R4", 10, 3),
        Row(12, "S3 R4 R4", 11, 2),
        Row(12, "R4 R4 R4", 12, 1),
        Row(12, "S3 S3 S3 S3", 12, 1),
    ],
    "continental-spain": [
        Row(7, "S3 S3", 6, 2),
        Row(8, "S3 R4", 7, 2),
        Row(9, "R4 R4", 8, 2),
        Row(10, "S3 S3 S3", 9, 2),
        Row(11, "S3 S3 R4", 10, 2),
        Row(12, "S3 R4 R4", 11, 2),
        Row(13, "R4 R4 R4", 12, 2),
    ],
    "telefunken": [
        Row(11, "S3", 3, 9),
        Row(11, "S3 S3", 6, 6),
        Row(11, "S4", 4, 8),
        Row(11, "S4 S4", 8, 4),
        Row(11, "S5", 5, 7),
        Row(11, "S5 S5", 10, 2),
        Row(11, "S3 R7", 10, 2),
    ],
    "kalooki-jamaica": [
        Row(9, "S3 S3 S3", 9, 1),
        Row(10, "S3 S3 R4", 10, 1),
        Row(11, "S3 R4 R4", 11, 1),
        Row(12, "R4 R4 R4", 12, 1),
        Row(12, "S3 S3 S3 S3", 12, 1),
        Row(13, "S3 S3 S3 R4", 13, 1),
        Row(14, "S3 S3 R4 R4", 14, 1),
        Row(15, "S3 R4 R4 R4", 15, 1),
        Row(16, "R4 R4 R4 R4", 16, 1),
    ],
    "frustration": [
        Row(13, "S3 S3 S3", 9, 5),
        Row(13, "S3 R4", 7, 7),
        Row(13, "S3 S3 R4", 10, 4),
        Row(13, "S4 S4", 8, 6),
        Row(13, "R4 R4", 8, 6),
        Row(13, "S3 S3 S3 S3", 12, 2),
        Row(13, "S3 R7", 10, 4),
        Row(13, "S4 S4 S4", 12, 2),
        Row(13, "R4 R4 R4", 12, 2),
        Row(13, "S5 S5", 10, 4),
        Row(13, "R5 R5", 10, 4),
        Row(13, "S4 S4 R4", 12, 2),
        Row(13, "S4 R4 R4", 12, 2),
        Row(13, "S3 R9", 12, 2),
    ],
    "hollywood": [
        Row(11, "S3 S3", 6, 6),
        Row(11, "S3 R4", 7, 5),
        Row(11, "R4 R4", 8, 4),
        Row(11, "S3 S3 S3", 9, 3),
        Row(11, "S3 S3 R4", 10, 2),
        Row(11, "S3 R4 R4", 11, 1),
        Row(11, "R4 R4 R4", 12, 0),
    ],
    "crummy": [
        Row(7, "S3 S3", 6, 2),
        Row(8, "S3 R4", 7, 2),
        Row(9, "R4 R4", 8, 2),
        Row(10, "S3 S3 S3", 9, 2),
        Row(11, "S3 R7", 10, 2),
        Row(12, "S3 R4 R4", 11, 2),
        Row(13, "R4 R4 R4", 12, 2),
    ],
    "the-ten-contracts": [
        Row(11, "S2A S3", 5, 7),
        Row(11, "S3 S3", 6, 6),
        Row(11, "S3 R4", 7, 5),
        Row(11, "R4 R4", 8, 4),
        Row(11, "S3 S3 S3", 9, 3),
        Row(11, "S3 S3 R4", 10, 2),
        Row(11, "S3 R4 R4", 11, 1),
        Row(11, "R5 R6", 11, 1),
        Row(11, "S3 R7", 10, 2),
        Row(11, "R4 R4 R4", 12, 0),
    ],
}
EACH = pytest.mark.parametrize("key", DEALS)


def shorthand(variant: Variant, step: int) -> str:
    """A deal's contract as the tables above write it."""
    contract = variant.deal(step).contract
    assert contract
    return " ".join(
        f"{spec.kind[0].upper()}{spec.size}{''.join(spec.ranks)}"
        + ("=" if spec.is_exact(variant.melds) else "")
        for spec in contract.melds
    )


# Deals


@EACH
def test_deals_are_those_of_the_source(key: str) -> None:
    variant = load(key)
    assert variant.deal_count == (None if key == "frustration" else len(DEALS[key]))
    assert len(variant.deals) == len(DEALS[key])
    for step, row in enumerate(DEALS[key], start=1):
        deal = variant.deal(step)
        assert deal.contract
        need = deal.contract.least_cards
        found = Row(deal.dealt, shorthand(variant, step), need, deal.dealt + 1 - need)
        assert found == row, f"deal {step}"


LAST_CARD = {"telefunken": "either"}
CLOSING = {"liverpool": {6}, "hollywood": {7}, "crummy": {7}, "the-ten-contracts": {10}}


@EACH
def test_only_some_last_deals_end_without_a_discard(key: str) -> None:
    variant = load(key)
    steps = range(1, len(variant.deals) + 1)
    closing = {step for step in steps if variant.deal(step).goout == "no_discard"}
    assert closing == CLOSING.get(key, set())
    others = {variant.deal(step).goout for step in steps} - {"no_discard"}
    assert others == {LAST_CARD.get(key, "discard")}


def test_shanghais_last_contracts_cannot_be_met_without_buys() -> None:
    """With a last discard deals 7 to 10 need 1, 1, 2 and 2 buys, and 3 or 4 are allowed."""
    shanghai = load("shanghai")
    assert [buys_needed(shanghai, step) for step in range(1, 11)] == [0, 0, 0, 0, 0, 0, 1, 1, 2, 2]
    assert [shanghai.buys(step) for step in range(1, 11)] == [3, 3, 3, 3, 3, 3, 3, 3, 4, 4]
    rising = with_choices(shanghai, {"buys": "rising"})
    assert [rising.buys(step) for step in range(1, 11)] == [3, 3, 3, 3, 3, 3, 3, 4, 4, 5]


@pytest.mark.parametrize("key", [key for key in DEALS if key != "shanghai"])
def test_no_other_variation_needs_buys(key: str) -> None:
    variant = load(key)
    assert {buys_needed(variant, step) for step in range(1, len(variant.deals) + 1)} == {0}


# Packs

BY_CONTRACT = {3: (2, 1), 4: (2, 1), 5: (3, 2), 6: (3, 2), 7: (3, 2), 8: (3, 2)}
TWO_EACH = {3: (2, 4), 4: (2, 4), 5: (3, 6), 6: (3, 6), 7: (3, 6), 8: (3, 6)}
PACKS = {
    "contract-bicycle": BY_CONTRACT,
    "deuces-wild": BY_CONTRACT,
    "progressive": BY_CONTRACT,
    "shanghai": BY_CONTRACT,
    "continental-spain": dict.fromkeys((2, 3, 4), (2, 6)),
    "king": dict.fromkeys(range(3, 9), (2, 4)),
    "liverpool": TWO_EACH,
    "liverpool-seven": TWO_EACH,
    "carioca": {2: (2, 0)},
    "carioca-chile": dict.fromkeys((2, 3, 4), (2, 4)),
    "telefunken": {4: (2, 4), 5: (2, 4), 6: (3, 6), 7: (3, 6), 8: (3, 6)},
    "kalooki-jamaica": {3: (2, 4), 4: (2, 4), 5: (3, 8), 6: (3, 8), 7: (4, 10), 8: (4, 10)},
    "frustration": dict.fromkeys((2, 3, 4, 5), (2, 4)),
    "jo": {3: (2, 2), 4: (2, 3), 5: (3, 4), 6: (3, 5), 7: (4, 6), 8: (4, 7)},
    "hollywood": dict.fromkeys((4, 5, 6), (2, 0)),
    "crummy": {2: (1, 2), 3: (2, 4), 4: (2, 4), 5: (3, 6), 6: (3, 6), 7: (4, 8), 8: (4, 8)},
    "the-ten-contracts": {
        2: (2, 4),
        3: (2, 4),
        4: (2, 4),
        5: (3, 6),
        6: (3, 6),
        7: (4, 8),
        8: (4, 8),
    },
}


@EACH
def test_packs_by_number_of_players(key: str) -> None:
    variant = load(key)
    for players in range(1, 10):
        if players in PACKS[key]:
            assert variant.pack(players) == Pack(*PACKS[key][players])
        else:
            with pytest.raises(VariantError, match=f"players?, not {players}"):
                variant.pack(players)


STOCKS = {
    # cards left once the most players have the largest deal and the upcard, if any, is turned
    "contract-bicycle": 158 - 8 * 12 - 1,
    "deuces-wild": 158 - 8 * 12 - 1,
    "progressive": 158 - 8 * 12 - 1,
    "king": 108 - 8 * 10 - 1,
    "liverpool": 162 - 8 * 10 - 1,
    "liverpool-seven": 162 - 8 * 12 - 1,
    "shanghai": 158 - 8 * 11 - 1,
    "carioca": 104 - 2 * 12 - 1,
    "carioca-chile": 108 - 4 * 12 - 1,
    "continental-spain": 110 - 4 * 13 - 1,
    "telefunken": 162 - 8 * 11 - 1,
    "kalooki-jamaica": 218 - 8 * 16 - 1,
    "frustration": 108 - 5 * 13 - 1,
    "jo": 215 - 8 * 12,
    "hollywood": 104 - 6 * 11 - 1,
    "crummy": 216 - 8 * 13 - 1,
    "the-ten-contracts": 216 - 8 * 11 - 1,
}


@EACH
def test_a_stock_is_left_at_the_fullest_table(key: str) -> None:
    variant = load(key)
    most = max(deal.dealt for deal in variant.deals)
    players = variant.players.max
    left = variant.pack(players).size - players * most - variant.turn.upcard
    assert left == STOCKS[key]
    assert left >= 27


def test_twelve_cards_for_three_to_eight_players_leave_what_the_notes_say() -> None:
    bicycle = load("contract-bicycle")
    left = [bicycle.pack(players).size - players * 12 - 1 for players in range(3, 9)]
    assert left == [68, 56, 97, 85, 73, 61]


# Names


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Combination", "contract-rummy"),
        ("Combination Rummy", "contract-rummy"),
        ("Carioca", "carioca"),
        ("Carioca Chilena", "carioca-chile"),
        ("King", "king"),
        ("Progressive", "progressive"),
        ("Liverpool Rummy", "liverpool"),
        ("Liverpool Seven", "liverpool-seven"),
        ("shanghai rum", "shanghai"),
        ("Deuces Wild", "deuces-wild"),
        ("DEUCES WILD RUMMY", "deuces-wild"),
        ("Joker Rummy", "jo"),
        ("joker", "jo"),
        ("Hollywood", "hollywood"),
        ("Spanish Continental", "continental-spain"),
        ("Bicycle Contract Rummy", "contract-bicycle"),
        ("Crummy", "crummy"),
        ("Telefunque", "telefunken"),
        ("Jamaican Kalooki", "kalooki-jamaica"),
        ("ten contracts", "the-ten-contracts"),
    ],
)
def test_every_name_the_source_uses_finds_a_game(name: str, key: str) -> None:
    assert find_variant(name).key == key


def test_no_two_games_share_a_name() -> None:
    names = [name for variant in all_variants() for name in (variant.name, *variant.aliases)]
    assert len({name.casefold() for name in names}) == len(names)


ASSUMED = {"hollywood", "crummy"}


@EACH
def test_every_variation_says_where_it_comes_from(key: str) -> None:
    variant = load(key)
    assert len(variant.source) > 40
    assert variant.summary != load("contract-rummy").summary
    assert (variant.verified == "assumed") == (key in ASSUMED)
    assert variant.assumed or key not in ASSUMED


@EACH
def test_every_variation_can_be_said_in_words(key: str) -> None:
    variant = load(key)
    assert facts(variant)
    assert tables(variant)


@pytest.mark.parametrize(
    ("key", "step", "words"),
    [
        ("king", 1, "One set of exactly three and one run of four or more"),
        ("the-ten-contracts", 1, "One set of two aces and one set of three"),
        ("liverpool", 6, "One set of three and two runs of four, all cards at once"),
        ("telefunken", 1, "One set of three of different suits without wild cards"),
    ],
)
def test_contracts_in_words(key: str, step: int, words: str) -> None:
    contract = load(key).deal(step).contract
    assert contract
    assert contract_words(contract).startswith(words)


# Sums

SIX = "A X 10 K 9 2"


@pytest.mark.parametrize(
    ("key", "house", "cards", "sum_of_six"),
    [
        ("contract-bicycle", {}, SIX, 61),
        ("progressive", {}, SIX, 71),
        ("king", {}, SIX, 71),
        ("liverpool", {}, SIX, 71),
        ("liverpool", {"joker": 15}, SIX, 61),
        ("liverpool-seven", {}, SIX, 71),
        ("liverpool-seven", {"joker": 15, "number_cards": 5}, SIX, 60),
        ("shanghai", {}, SIX, 70),
        ("shanghai", {"number_cards": "ten_too"}, SIX, 65),
        ("carioca", {}, SIX, 71),
        ("carioca", {"values": "by_rank"}, "A J Q K 10 2", 49),
        ("carioca-chile", {}, SIX, 81),
        ("carioca-chile", {"values": "fives"}, SIX, 85),
        ("continental-spain", {}, SIX, 101),
        ("continental-spain", {"number_cards": "fives", "joker": 25}, SIX, 80),
        ("deuces-wild", {}, SIX, 94),
        ("deuces-wild", {"deuces_wild": 15}, SIX, 84),
        ("deuces-wild", {"number_cards": 5}, SIX, 90),
        ("jo", {}, SIX, 71),
        ("hollywood", {}, "A 10 K 9 2", 46),
        ("crummy", {}, SIX, 94),
        ("kalooki-jamaica", {}, "AH X 10 K 9 2", 82),
        ("kalooki-jamaica", {}, "AC X 10 K 9 2", 96),
        ("kalooki-jamaica", {"aces": 15, "joker": 25}, SIX, 71),
        ("telefunken", {}, SIX, 57),
        ("frustration", {}, SIX, 94),
        ("telefunken", {"joker": 50, "ace": 15, "number_cards": 5}, SIX, 95),
        ("the-ten-contracts", {}, SIX, 94),
    ],
)
def test_the_same_six_cards_in_each_game(
    key: str, house: dict[str, str | int | bool], cards: str, sum_of_six: int
) -> None:
    assert points(with_choices(load(key), house).melds, read_hand(cards)) == sum_of_six


def test_hollywood_has_no_jokers() -> None:
    hollywood = load("hollywood")
    assert "joker" not in hollywood.melds.values
    with pytest.raises(TallyError, match="there are none in this game"):
        score_deal(
            hollywood, 1, [Tally(declared="out"), Tally(cards=read_hand("X")), None, None], [0] * 4
        )


# Bonuses


def deal_points(variant: Variant, bonuses: dict[str, int], *, out: bool = True) -> int:
    """What a player with these bonuses scores who goes out, or holds a king."""
    first = Tally(declared="out", bonuses=bonuses)
    if not out:
        first = Tally(cards=read_hand("K"), bonuses=bonuses)
    others = [
        Tally(cards=read_hand("9")) if out else Tally(declared="out"),
        Tally(cards=read_hand("9")),
    ]
    line = score_deal(variant, 1, [first, *others], [0, 0, 0]).lines[0]
    assert line
    return line.points


@pytest.mark.parametrize(
    ("bonuses", "worth"),
    [
        ({}, 0),
        ({"out_blind": 1}, -25),
        ({"out_blind_no_joker": 1}, -50),
        ({"out_blind": 1, "out_blind_no_joker": 1}, -50),
    ],
)
def test_shanghais_blind_bonus(bonuses: dict[str, int], worth: int) -> None:
    assert deal_points(load("shanghai"), bonuses) == worth


def test_down_and_out_in_one_turn_is_worth_ten_in_spain() -> None:
    assert deal_points(load("continental-spain"), {"at_once": 1}) == -10
    assert deal_points(load("continental-spain"), {}) == 0
    assert with_choices(load("continental-spain"), {"at_once": 0}).scoring.bonuses == ()


def test_jamaica_doubles_the_cards_of_the_others() -> None:
    """Down and out: the king costs twenty, the nine eighteen; else ten and nine."""
    kalooki = load("kalooki-jamaica")
    left = [Tally(cards=read_hand("K")), Tally(cards=read_hand("9"))]
    for bonuses, points_left in (({"down_and_out": 1}, [20, 18]), ({}, [10, 9])):
        scored = score_deal(kalooki, 1, [Tally(declared="out", bonuses=bonuses), *left], [0, 0, 0])
        assert [line.points for line in scored.lines if line] == [0, *points_left]


def test_jamaica_asks_for_the_colour_of_an_ace() -> None:
    kalooki = load("kalooki-jamaica")
    tallies = [Tally(declared="out"), Tally(cards=read_hand("A 9")), Tally(cards=read_hand("9"))]
    with pytest.raises(TallyError, match=r"is the ace red or black\? Write AR or AB\."):
        score_deal(kalooki, 1, tallies, [0, 0, 0])
    either = with_choices(kalooki, {"aces": 15})
    lines = score_deal(either, 1, tallies, [0] * 3).lines
    assert [line.points for line in lines if line] == [0, 24, 9]


def test_a_whole_suit_may_stand_for_three_fours() -> None:
    house = with_choices(load("kalooki-jamaica"), {"full_suit": True})
    suit = read_hand("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH")
    for variant, fits in ((house, True), (load("kalooki-jamaica"), False)):
        contract = variant.deal(4).contract
        assert contract
        assert (is_contract([suit], contract, variant.melds) == []) == fits


def test_an_exact_cut_is_worth_fifty_to_whoever_cut() -> None:
    with_cut = with_choices(load("liverpool"), {"cut": -50})
    for variant in (with_cut, load("liverpool-seven")):
        assert deal_points(variant, {"cut": 1}) == -50
        assert deal_points(variant, {"cut": 1}, out=False) == 10 - 50
    for variant in (load("liverpool"), with_choices(load("liverpool-seven"), {"cut": "False"})):
        assert variant.scoring.bonuses == ()


# What makes a meld


@pytest.mark.parametrize(
    ("key", "step", "melds", "fits"),
    [
        ("progressive", 1, "7H 7S 7C, 9H 9S 9C", True),
        ("progressive", 1, "7H 7S 7C 7D, 9H 9S 9C", False),
        ("king", 1, "7H 7S 7C, 3H 4H 5H 6H 7H", True),
        ("king", 1, "7H 7S 7C 7D, 3H 4H 5H 6H", False),
        ("king", 2, "7H 7S 7C 7D, 9H 9S 9C, KH KS KC", True),
        ("liverpool", 2, "7H 7S 7C, 3H 4H 5H 6H 7H", False),
        ("shanghai", 1, "7H 7S X, 9H 9S 9C", True),
        ("shanghai", 1, "7H X X, 9H 9S 9C", False),
        ("shanghai", 5, "9H 9S 9C, X X X 6H 7H 8H 9H", True),
        ("shanghai", 5, "9H 9S 9C, X X X X 7H 8H 9H", False),
        ("shanghai", 8, "9H 9S 9C, X X X X 7H 8H 9H 10H JH QH", True),
        ("carioca", 2, "7H 7S 7C, QH KH AH 2H", True),
        ("carioca-chile", 2, "7H 7S 7C, KH AH 2H 3H", True),
        ("continental-spain", 2, "7H 7S 7C, KH AH 2H 3H", True),
        ("continental-spain", 2, "7H X X, X AH X 3H", True),
        ("continental-spain", 2, "7H 7S 7C, KH X X 3H", False),
        ("jo", 2, "7H 7S 7C, QH KH AH 2H", False),
        ("deuces-wild", 1, "7H 2S X, 9H 2H 2D", True),
        ("hollywood", 1, "7H 7S AC, 9H AS AC", True),
        ("hollywood", 1, "7H 7S AC, AH AS AC", False),
        ("hollywood", 2, "7H 7S 7C, AH 2H 3H 4H", False),
        ("hollywood", 2, "7H 7S 7C, 2H 3H 4H AS", True),
        ("hollywood", 2, "7H 7S 7C, JH QH KH AH", False),
        ("crummy", 1, "7H 7S 2C, 9H 9S X", True),
        ("crummy", 1, "7H 2S 2C, 9H 9S X", False),
        ("crummy", 2, "7H 7S 7C, 2C X 6H 7H", True),
        ("crummy", 2, "7H 7S 7C, AH 3H 4H 5H", False),
        ("crummy", 2, "7H 7S 7C, JH QH KH AH", True),
        ("kalooki-jamaica", 1, "5H 5S X, KS KC KC, QH QS QC", True),
        ("kalooki-jamaica", 1, "5H X X, KS KC KC, QH QS QC", False),
        ("kalooki-jamaica", 1, "5H 5S X, 5D 5C 5H, QH QS QC", False),
        ("kalooki-jamaica", 4, "X AH X 3H, 5S 6S 7S 8S, JC QC KC AC", False),
        ("kalooki-jamaica", 4, "3H X 5H X, 5S 6S 7S 8S, JC QC KC AC", True),
        ("kalooki-jamaica", 4, "3H X X 6H, 5S 6S 7S 8S, JC QC KC AC", False),
        ("kalooki-jamaica", 4, "3H 4H 5H 6H, 9H 10H JH QH, JC QC KC AC", False),
        ("frustration", 2, "7H 7S 2C, 3H 2C X 6H", True),
        ("frustration", 2, "7H 2S 2C, 3H 4H X 6H", False),
        ("frustration", 2, "7H 7S 7C, 2C 2S X 6H", False),
        ("telefunken", 1, "7H 7S 7C", True),
        ("telefunken", 1, "7H 7S 7H", False),
        ("telefunken", 1, "7H 7S X", False),
        ("telefunken", 2, "7H 7H X, KS KC KC", True),
        ("telefunken", 2, "7H X X, KS KC KC", False),
        ("telefunken", 7, "7H 7S X, 3H 4H X 6H 7H 8H 9H", True),
        ("telefunken", 7, "7H 7S X, 3H 4H 6H 7H 8H 9H", False),
        ("the-ten-contracts", 1, "AH AS, 9H 9S 9C", True),
        ("the-ten-contracts", 1, "KH KS, 9H 9S 9C", False),
    ],
)
def test_melds_of_each_game(key: str, step: int, melds: str, fits: bool) -> None:
    variant = load(key)
    contract = variant.deal(step).contract
    assert contract
    hands = [read_hand(meld) for meld in melds.split(",")]
    assert (is_contract(hands, contract, variant.meld_rules(step)) == []) == fits


CHILE = load("carioca-chile")
THIRTEEN = "3H 4S 5H 6D 7H 8C 9H 10S JH QD KH AC 2H"


@pytest.mark.parametrize(
    ("rounds", "asked"), [("sucia", ["any"]), ("real", ["same"]), ("both", ["any", "same"])]
)
def test_the_closing_rounds_of_thirteen(rounds: str, asked: list[str]) -> None:
    house = with_choices(CHILE, {"thirteen": rounds})
    assert house.deal_count == 8 + len(asked)
    for step, suits in enumerate(asked, start=9):
        contract = house.deal(step).contract
        assert contract
        assert house.deal(step).dealt == contract.least_cards == 13
        faults = is_contract([read_hand(THIRTEEN)], contract, house.melds)
        assert (faults == []) == (suits == "any")


# Turns


@pytest.mark.parametrize(
    ("key", "answers"),
    [
        ("king", {"turn.layoff": "at_once", "joker_trade.when": "on_melding"}),
        ("jo", {"turn.upcard": False, "turn.first_player": "stock_only"}),
        ("continental-spain", {"turn.direction": "right", "melds.ace": "corner"}),
        ("hollywood", {"pickup.who": "not_down", "pickup.penalty_cards": 1}),
        ("the-ten-contracts", {"pickup.penalty_cards": 2}),
        ("kalooki-jamaica", {"joker_trade.allowed": False, "pickup.who": "not_down"}),
        ("telefunken", {"turn.draw": "stock", "turn.new_melds": True, "pickup.limit": 7}),
        ("carioca", {"pickup.allowed": False, "melds.ace": "corner"}),
        ("crummy", {"melds.ace": "high", "melds.wild_share": "half"}),
    ],
)
def test_what_is_played_otherwise_at_the_table(key: str, answers: dict[str, object]) -> None:
    for path, answer in answers.items():
        part, field = path.split(".")
        assert getattr(getattr(load(key), part), field) == answer


def test_a_family_may_stay_on_a_contract_until_it_is_met() -> None:
    ten = with_choices(load("the-ten-contracts"), {"until_met": True})
    assert ten.is_each_on_their_own
    assert ten.ending.winner == "furthest"
    assert ten.deal_count is None
    assert ten.asks_who_went_down


# Examples, and games that cannot be played


@EACH
def test_every_variation_shows_hands_and_a_whole_game(key: str) -> None:
    examples = load_examples(key)
    assert examples.hands
    assert examples.games


def test_games_we_cannot_ship_are_named_with_what_is_missing() -> None:
    assert [(game.name, game.author) for game in missing_games()] == [
        ("12-Step Rummy", "Kate Hanratty"),
        ("6 7 8 9 10", "Alan Hoyle"),
        ("Continental Card Game", "Mike Gaston"),
        ("Rummy Rummy", "Bill Whitnack"),
    ]
    assert all(game.known and game.missing for game in missing_games())
    shipped = {variant.name for variant in all_variants()}
    assert not shipped & {game.name for game in missing_games()}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[[games]\n", "missing.toml: "),
        ('[[games]]\nname = "A"\n', "missing.toml: games[0]: object missing required field"),
    ],
)
def test_a_faulty_list_of_them_is_refused_with_its_path(
    text: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "missing.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(catalogue, "MISSING", tmp_path / "missing.toml")
    missing_games.cache_clear()
    with pytest.raises(VariantError) as refused:
        missing_games()
    missing_games.cache_clear()
    assert fault in str(refused.value)


@pytest.mark.parametrize(("naturals", "pairs"), [(0, "X X|A X|A A"), (1, "A X|A A"), (2, "A A")])
def test_the_pair_of_aces_may_be_what_its_rule_says(naturals: int, pairs: str) -> None:
    """TT-4.2: two wild cards, one, or none, by the table's limit; the sevens are the set."""
    variant = find_variant("the ten contracts")
    house = with_choices(variant, {"min_naturals": naturals})
    contract = house.deals[0].contract
    assert contract
    for pair in ("X X", "A X", "A A"):
        cards = pair.replace("A", "AH", 1).replace("A ", "AC ").replace(" A", " AS")
        held = read_hand(f"{cards} 7H 7S 7D KC 9S 4H 3D QC 10H")
        judgement = judge_contract(held, contract, house.melds, Pack(2, 4))
        assert judgement.holds == (pair in pairs), pair
