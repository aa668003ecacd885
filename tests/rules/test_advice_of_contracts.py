"""What a table is told before play of contracts that nobody can meet; the judge proves it."""

import random
from dataclasses import replace

import pytest

from companion.cards import Card, Hand, Pack, Rank, sort_hand
from companion.melds import Contract, MeldRules, judge_contract
from companion.rules import Variant, advice, card_games, extend
from companion.rules.advice import least_cards
from tests.melds.proof import brute
from tests.melds.proof.dealing import deal, deal_near, some_contract, some_contract_rules
from tests.support.doses import doses
from tests.support.reports import CONTRACT

BARE: dict[str, object] = {"choices": [], "chosen": {}}
TWO_RUNS = {"dealt": 10, "contract": {"melds": [{"kind": "run", "size": 2}] * 2}}

FOR_TWO: dict[str, object] = {
    "players": {"min": 2},
    "packs": [
        {"players": [2, 2], "decks": 1, "jokers": 0},
        {"players": [3, 8], "decks": 3, "jokers": 2},
    ],
    "deals": {"1": {"contract": {"melds": [{"kind": "set", "size": 5}]}}},
}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"melds": {"min_naturals": 6}},
            (
                "Deal 1 asks for 12 cards and 10 are dealt: "
                "going down in one turn takes a discard bought before it."
            ),
        ),
        (
            {"melds": {"min_naturals": 6}, "pickup": {"allowed": False}},
            (
                "Deal 1 can't be met: it takes 12 cards under these rules, "
                "and no player can have so many to lay down. (Two sets of three.)"
            ),
        ),
        (
            {"melds": {"min_naturals": 6, "laydown": "exact"}},
            "Deal 1 can't be met: no cards make it under these rules. (Two sets of three.)",
        ),
        (
            {"melds": {"run_size": 4}, "deals": [TWO_RUNS]},
            (
                "A run has at least 4 cards here, but a contract asks for a run of 2: "
                "2 will do for the contract."
            ),
        ),
        (
            {"melds": {"set_size": 6}},
            (
                "A set has at least 6 cards here, but a contract asks for a set of 3: "
                "3 will do for the contract."
            ),
        ),
        (
            {"melds": {"run_max": 3}},
            "Deal 7 can't be met: no cards make it under these rules. (Three runs of four.)",
        ),
        (
            {"ending": {"deals": 3}},
            "The game ends after 3 deals: the last 4 of its 7 contracts are never played.",
        ),
        (
            FOR_TWO,
            (
                "Deal 1 can't be met by 2 players: no cards make it under these rules. "
                "(One set of five.)"
            ),
        ),
    ],
)
def test_what_nobody_can_meet_is_said_before_play(changes: dict[str, object], said: str) -> None:
    assert said in advice(extend(CONTRACT, BARE | changes))
    assert said not in advice(CONTRACT)


@pytest.mark.parametrize("variant", card_games(), ids=lambda variant: variant.key)
def test_every_contract_of_the_shelf_takes_the_cards_that_it_names(variant: Variant) -> None:
    """The book says so without asking the judge."""
    for step, dealt in enumerate(variant.deals, start=1):
        contract = dealt.contract
        for row in variant.packs if contract else ():
            assert contract
            least = least_cards(contract, variant.meld_rules(step), Pack(row.decks, row.jokers))
            assert least == contract.least_cards
    assert not [words for words in advice(variant) if "can't be met" in words]


@doses("count", 75, 400)
def test_the_judge_proves_what_is_said_of_random_houses(count: int) -> None:
    """The smallest hand lies in the pack and is accepted; where there is none, none is."""
    rng, impossible = random.Random(18), 0
    for _ in range(count):
        rules, contract = some_house(rng), replace(some_contract(rng), all_cards=False)
        pack = Pack(rng.choice((1, 1, 2)), rng.choice((0, 2)))
        told = f"{contract} {rules} {pack}"
        least = least_cards(contract, rules, pack)
        if least is None:
            impossible += 1
            assert not any(
                is_met(hand, contract, rules) for hand in tries(rng, rules, contract, pack)
            ), told
        else:
            hand = judge_contract((), contract, rules, pack).draw
            assert len(hand) == least, told
            assert not pack.too_many([hand]), told
            if least <= 9:
                assert brute.holds(hand, contract, rules), told
            smaller = [hand for hand in tries(rng, rules, contract, pack) if len(hand) < least]
            assert not any(is_met(hand, contract, rules) for hand in smaller), told
    assert impossible > count / 20


def some_house(rng: random.Random) -> MeldRules:
    """Rules as a family might set them without thinking: limits that bite, runs that end soon."""
    rules = some_contract_rules(rng)
    return replace(
        rules,
        min_naturals=rng.choice((0, 2, 4, 5)),
        set_naturals=rng.choice((0, 0, 3, 5)),
        run_max=rng.choice((13, 13, 4, 3)),
        max_wilds=rng.choice((None, 0, 1)),
        same_rank_sets=rng.random() < 0.5,
    )


def tries(rng: random.Random, rules: MeldRules, contract: Contract, pack: Pack) -> list[Hand]:
    """Hands that nearly meet a contract, and any others, as the pack allows."""
    near = [deal_near(rng, rules, contract, rng.choice((6, 8, 9))) for _ in range(20)]
    hands = [*near, *(deal(rng, rules, 9) for _ in range(5))]
    jokers = Card(Rank.JOKER)
    return [
        hand
        for hand in hands
        if not pack.too_many([hand]) and ("joker" in rules.wilds or jokers not in hand)
    ]


def is_met(hand: Hand, contract: Contract, rules: MeldRules) -> bool:
    return brute.holds(sort_hand(hand), contract, rules)
