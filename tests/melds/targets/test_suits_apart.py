"""What helps a hand short of runs that are alike, against the hand judged anew with each card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from companion.cards import Hand, Pack, read_hand
from companion.melds import Contract, MeldRules, MeldSpec, judge_contract
from tests.melds.crowded_hands import crowded
from tests.melds.proof.dealing import some_contract_rules
from tests.melds.proof.every_way import EVERY_CARD
from tests.support.doses import first_in_every_run


def asked(rng: Random) -> Iterator[tuple[Hand, Contract, MeldRules, Pack]]:
    """Deal hands for runs that are alike, from packs of which little may be left."""
    while True:
        rules = replace(some_contract_rules(rng), wild_scope="any_card")
        jokers = rng.choice((0, 1, 4)) if "joker" in rules.wilds else 0
        pack = Pack(rng.choice((1, 1, 2)), jokers)
        runs = (MeldSpec(kind="run", size=rng.choice((3, 4, 4))),) * rng.choice((2, 2, 3))
        yield crowded(rng, rules, pack, rng.randint(7, 12)), Contract(melds=runs), rules, pack


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_in_every_run(range(8), 2, pytest.mark.long))
def test_just_the_cards_told_bring_alike_runs_nearer(seed: int) -> None:
    rng = Random(seed)
    looked_at = 0
    for hand, contract, rules, pack in asked(rng):
        judgement = judge_contract(hand, contract, rules, pack)
        if not judgement.missing:
            continue
        nearer = {
            card: left
            for card in EVERY_CARD
            if (left := pack.copies(card) - hand.count(card)) > 0
            and judge_contract((*hand, card), contract, rules, pack).missing
            == judgement.missing - 1
        }
        assert judgement.helping == nearer, (hand, contract, rules, pack)
        looked_at += 1
        if looked_at == 12:
            break


def test_a_run_of_wilds_alone_lacks_any_natural_card() -> None:
    """Three jokers are no run where one card must be natural, and a fourth does not help them."""
    rules = MeldRules(run_size=3, min_naturals=1)
    contract = Contract(melds=(MeldSpec(kind="run", size=3),) * 2)
    pack = Pack(2, 6)
    judgement = judge_contract(read_hand("4C X X X X X"), contract, rules, pack)
    assert judgement.missing == 1
    assert {*judgement.helping} == {card for card in EVERY_CARD if card.suit}
