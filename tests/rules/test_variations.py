"""The variations of Contract Rummy: contracts and names as their sources have them.

Every table here was written from the sources by hand (part B of our notes on them), none of it
from the program.
"""

from pathlib import Path

import pytest

from companion.cards import Pack, read_hand
from companion.melds import judge_contract
from companion.rules import (
    Variant,
    VariantError,
    buys_needed,
    card_games,
    catalogue,
    find_variant,
    load,
    load_examples,
    missing_games,
    with_choices,
)
from companion.rules.contracts import contract_words

from .source_tables import DEALS, EACH, Row


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


# Names


@pytest.mark.parametrize(
    ("name", "key"),
    [
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


ASSUMED = {"hollywood", "crummy"}


@EACH
def test_every_variation_says_where_it_comes_from(key: str) -> None:
    variant = load(key)
    assert len(variant.source) > 40
    assert variant.summary != load("contract-rummy").summary
    assert (variant.verified == "assumed") == (key in ASSUMED)
    assert variant.assumed or key not in ASSUMED


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
    shipped = {variant.name for variant in card_games()}
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
