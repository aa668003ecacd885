"""Wilds that are wild in their own place too: no set of twos, and none natural in a run."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from companion.cards import Card, Pack, Rank, read_hand, write_hand
from companion.melds import best_melds, judge_contract
from companion.rules import Variant, load, with_choices
from tests.melds.proof import brute, certificate
from tests.melds.proof.dealing import (
    deal,
    deal_near,
    some_contract,
    some_contract_rules,
    some_rules,
)

PACK = Pack(2, 4)
BOOK = load("frustration")
ZEPHERIN = with_choices(BOOK, {"natural_twos": False})


def missing(variant: Variant, step: int, hand: str) -> int | None:
    contract, rules = variant.deal(step).contract, variant.meld_rules(step)
    assert contract
    return judge_contract(read_hand(hand), contract, rules, PACK).missing


@pytest.mark.parametrize(
    ("step", "hand", "book", "never"),
    [
        (1, "2C 2D 2H 3C 3D 3H 4C 4D 4H", 0, 1),
        (2, "5C 5D 5H AS 2S 2H 4S", 0, 0),
        (2, "5C 5D 5H 2S 2H 2D 4S", 0, 1),
        (4, "9C 9D 2H 2C 7C 7D 7H 2S", 0, 0),
    ],
)
def test_a_two_is_natural_in_frustration_or_never(
    step: int, hand: str, book: int, never: int
) -> None:
    assert (missing(BOOK, step, hand), missing(ZEPHERIN, step, hand)) == (book, never)


@pytest.mark.parametrize("seed", range(3))
def test_hands_against_trying_everything(seed: int) -> None:
    held = helped = 0
    for number in range(20):
        rng = Random(f"never natural {seed} {number}")
        rules = replace(
            some_rules(rng),
            natural_wilds=False,
            wilds=("joker", "2"),
            min_naturals=rng.choice((0, 1)),
        )
        hand = deal(rng, rules, 7)
        melding = best_melds(hand, rules)
        assert (melding.points, len(melding.loose)) == brute.deadwood(hand, rules)[:2], hand
        assert not certificate.faults(hand, melding, rules)
        some = replace(some_contract_rules(rng), natural_wilds=False, wilds=("joker", "2"))
        rules = replace(some, wild_share="half") if rng.random() < 0.5 else some
        contract = some_contract(rng)
        hand = deal_near(rng, rules, contract, min(8, contract.least_cards + 1))
        if Counter(hand) - Counter(PACK.unseen(())):
            continue
        found = judge_contract(hand, contract, rules, PACK)
        told = f"{write_hand(hand)} {contract} {rules} {found}"
        assert found.holds == brute.holds(hand, contract, rules), told
        held += found.holds
        if found.missing == 1 and not contract.all_cards:
            helped += 1
            for card in {*PACK.unseen(hand)}:
                helps = brute.holds((*hand, card), contract, rules)
                assert (card in found.helping) == helps, f"{card} {told}"
    assert held
    assert helped


def test_a_wild_two_lies_as_no_natural_card() -> None:
    two = Card(Rank.TWO, read_hand("2C")[0].suit)
    assert BOOK.meld_rules(1).is_natural(two, two)
    assert not ZEPHERIN.meld_rules(1).is_natural(two, two)
