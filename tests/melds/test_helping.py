"""What helps and what is free, against the hand judged anew with each card and without each."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.cards import Hand, Pack, read_hand
from companion.melds import (
    Contract,
    MeldRules,
    MeldSpec,
    free_cards,
    is_contract,
    judge_contract,
)
from tests.melds.crowded_hands import RULES, contract, crowded
from tests.melds.proof.dealing import some_contract_rules
from tests.melds.proof.every_way import EVERY_CARD
from tests.support.doses import first_in_every_run

ASKED = ["S3 R4 R4", "S3u R3 S3", "S3 S3", "R4 R3", "S3 S3 R4", "S4 S4 R3", "R7", "M4 S3", "R3 R5"]


def check(hand: Hand, asked: Contract, rules: MeldRules, pack: Pack) -> bool:
    """Judge with each card drawn; return whether any was missing."""
    judgement = judge_contract(hand, asked, rules, pack)
    told = hand, asked, rules, pack
    if judgement.missing is None:
        return False
    assert is_contract([meld.cards for meld in judgement.layout], asked, rules) == [], told
    if not judgement.missing:
        return False
    nearer = {
        card: left
        for card in EVERY_CARD
        if (card.suit or "joker" in rules.wilds)
        and (left := pack.copies(card) - hand.count(card)) > 0
        and judge_contract((*hand, card), asked, rules, pack).missing == judgement.missing - 1
    }
    assert judgement.helping == nearer, told
    free = free_cards(hand, asked, rules, pack)
    layout = [card for meld in judgement.layout for card in meld.cards]
    assert {card for card in hand if layout.count(card) < 1} <= {*free}, told
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", first_in_every_run(RULES, 6, pytest.mark.long))
def test_under_every_reading(name: str) -> None:
    """Crowded hands, from packs of which little may be left."""
    rng, looked_at = Random(name), 0
    while looked_at < 5:
        rules = replace(RULES[name], same_rank_sets=rng.random() < 0.7)
        jokers = rng.choice((0, 2, 4)) if "joker" in rules.wilds else 0
        melds, pack = contract(rng.choice(ASKED)), Pack(rng.choice((1, 2, 2)), jokers)
        hand = crowded(rng, rules, pack, rng.randint(6, 14))
        looked_at += check(hand, melds, rules, pack)


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_in_every_run(range(8), 2, pytest.mark.long))
def test_just_the_cards_told_bring_alike_runs_nearer(seed: int) -> None:
    rng, looked_at = Random(seed), 0
    while looked_at < 6:
        rules = replace(some_contract_rules(rng), wild_scope="any_card")
        jokers = rng.choice((0, 1, 4)) if "joker" in rules.wilds else 0
        pack = Pack(rng.choice((1, 1, 2)), jokers)
        runs = (MeldSpec(kind="run", size=rng.choice((3, 4, 4))),) * rng.choice((2, 2, 3))
        hand = crowded(rng, rules, pack, rng.randint(7, 12))
        looked_at += check(hand, Contract(melds=runs), rules, pack)


def test_a_run_of_wilds_alone_lacks_any_natural_card() -> None:
    """Three jokers are no run where one card must be natural, and a fourth does not help them."""
    rules = MeldRules(run_size=3, min_naturals=1)
    contract = Contract(melds=(MeldSpec(kind="run", size=3),) * 2)
    pack = Pack(2, 6)
    judgement = judge_contract(read_hand("4C X X X X X"), contract, rules, pack)
    assert judgement.missing == 1
    assert {*judgement.helping} == {card for card in EVERY_CARD if card.suit}
