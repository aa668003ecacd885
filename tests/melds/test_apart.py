"""Wilds that may not be neighbours, natural cards of sets, sets of different suits, pure melds."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from companion.cards import Card, Pack, Rank, read_hand, write_hand
from companion.melds import (
    Contract,
    MeldRules,
    MeldSpec,
    best_beside,
    best_melds,
    is_contract,
    judge_contract,
)
from companion.rules import find_variant
from tests.melds.proof import brute, certificate
from tests.melds.proof.dealing import (
    deal,
    deal_near,
    some_contract,
    some_contract_rules,
    some_rules,
)
from tests.melds.proof.rules_of_games import CHICAGO, CONTRACT_RUMMY

APART = replace(CONTRACT_RUMMY, wilds_apart=True)
KALOOKI = replace(APART, set_naturals=2, same_suit_runs="different_suits", same_rank_sets=False)
PACK = Pack(2, 4)
RUN, SET = MeldSpec(kind="run", size=4), MeldSpec(kind="set", size=3)
PURE = MeldSpec(kind="set", size=3, suits="different", wilds=0)


def asks(*melds: MeldSpec) -> Contract:
    return Contract(melds=melds)


def missing(cards: str, contract: Contract, rules: MeldRules) -> int | None:
    return judge_contract(read_hand(cards), contract, rules, PACK).missing


NEAR = [*"A234", *(f"{one} {other}" for one, other in combinations("A2345", 2))]
SHARED = [
    "5 9 X X X X A A",  # the threes are the one card that each of two runs could do without
    "A 3 X A 5 5 X X X X X 3",
    "A 5 X 5 9 9",
    "X X 4 X 6 6 X",
]


def test_what_is_drawn_for_runs_side_by_side_leaves_cards_for_each_of_them() -> None:
    """Three runs from ace to four share two packs: the first may not take both threes."""
    spanish = find_variant("continental-spain")
    rules, contract, pack = spanish.meld_rules(7), spanish.deal(7).contract, spanish.pack(4)
    assert contract == asks(RUN, RUN, RUN)
    hands = [f"{held}{jokers}" for held, jokers in product(NEAR, ("", " X", " X X"))]
    for held in [*hands, *SHARED]:
        hand = read_hand(" ".join(one if one == "X" else f"{one}S" for one in held.split()))
        judged = judge_contract(hand, contract, rules, pack)
        assert len(judged.draw) == judged.missing, held
        assert not Counter(judged.draw) - Counter(pack.unseen(hand)), held
        melds = [meld.cards for meld in judged.layout]
        assert is_contract(melds, contract, rules) == [], held


@pytest.mark.parametrize(
    ("cards", "short"),
    [("5H X 7H X", 0), ("5H X X 8H", 1), ("X 6H X 8H", 0), ("5H 6H X X", 0), ("X X 7H", 1)],
)
def test_neighbours_of_a_run_are_not_both_wild(cards: str, short: int) -> None:
    """5 and 6 with two jokers: one before and one behind; two beside each other lack a card."""
    assert missing(cards, asks(RUN), APART) == short


@pytest.mark.parametrize(
    ("cards", "short"), [("KH KS X", 0), ("QH X X", 1), ("QH QS X X", 0), ("X X X", 2)]
)
def test_a_set_needs_two_natural_cards(cards: str, short: int) -> None:
    assert missing(cards, asks(SET), KALOOKI) == short


def test_runs_need_no_naturals_for_the_sets() -> None:
    assert missing("X 6H X 8H", asks(RUN), KALOOKI) == 0


@pytest.mark.parametrize(
    ("cards", "short"),
    [
        ("7H 7S 7D", 0),
        ("7H 7H 7S", 1),
        ("7H 7S X", 1),
        ("7H 7H 7S X", 1),
        ("7H 7S 7S 7C", 0),
    ],
)
def test_a_pure_set_has_three_suits_and_no_wild_card(cards: str, short: int) -> None:
    assert missing(cards, asks(PURE), CONTRACT_RUMMY) == short


def test_of_different_suits_a_wild_card_takes_a_suit_that_is_free() -> None:
    unlike = replace(PURE, wilds=None)
    assert missing("7H 7S X", asks(unlike), CONTRACT_RUMMY) == 0
    assert missing("7H 7H X", asks(unlike), CONTRACT_RUMMY) == 1
    helping = judge_contract(read_hand("7H 7H X"), asks(unlike), CONTRACT_RUMMY, PACK).helping
    assert write_hand(helping) == "7C 7D 7S X"


FREE_TWOS = replace(CONTRACT_RUMMY, wilds=("2",), wild_scope="own_rank_any_suit")
"""A two counts as the two of any suit, and as nothing else."""


@pytest.mark.parametrize(
    ("cards", "short", "helping"),
    [
        ("QS QD 2C 2H 2S", 1, "QC QH"),
        ("QS QD 2C 2C 2C", 1, "QC QH"),
        ("QS QD KH KD 2C 2H 2S 2C", 1, "QC QH KC KS"),
        ("QS QD QC 2C 2C", 1, "2C 2D 2H 2S"),
        ("QS QD QC 2C 2C 2C", 0, ""),
    ],
)
def test_where_twos_have_any_suit_a_set_of_them_lies_beside_one_of_different_suits(
    cards: str, short: int, helping: str
) -> None:
    unlike = replace(PURE, wilds=None)
    for rules in (FREE_TWOS, replace(FREE_TWOS, same_rank_sets=False, max_wilds=2)):
        found = judge_contract(read_hand(cards), asks(unlike, unlike), rules, Pack(3, 0))
        assert (found.missing, {*found.helping}) == (short, {*read_hand(helping)}), rules


def test_a_second_two_of_a_suit_does_not_fill_a_set_of_twos() -> None:
    """Beside the kings either the aces or the twos are a card short, though two twos are alike."""
    four, three = replace(PURE, wilds=None, size=4), replace(PURE, wilds=None)
    hand = read_hand("KC KD KH KS AS AD 2C 2C")
    found = judge_contract(hand, asks(four, three), FREE_TWOS, Pack(3, 0))
    assert (found.missing, write_hand(found.helping)) == (1, "AC AH 2C 2D 2H 2S")


def test_twos_of_any_suit_in_sets_of_different_suits_by_trying_everything() -> None:
    held = helped = 0
    for number in range(40):
        rng = Random(f"free twos {number}")
        unlike = MeldSpec(kind="set", size=3, suits="different")
        contract = asks(unlike, rng.choice((unlike, replace(unlike, size=4), SET, RUN)))
        rules = replace(
            FREE_TWOS,
            wilds=rng.choice((("2",), ("joker", "2"))),
            same_rank_sets=rng.random() < 0.5,
            max_wilds=rng.choice((None, 1, 2)),
        )
        hand = deal_near(rng, rules, contract, rng.choice((5, 6, 7)))
        pack = Pack(rng.choice((1, 2)), 2)
        found = judge_contract(hand, contract, rules, pack)
        told = f"{write_hand(hand)} {contract} {rules} {pack} {found}"
        assert found.holds == brute.holds(hand, contract, rules), told
        held += found.holds
        if not found.holds:
            cards = {*pack.unseen(hand)} - ({Card(Rank.JOKER)} if no_jokers(rules) else set())
            nearer = {card for card in cards if brute.holds((*hand, card), contract, rules)}
            assert (found.missing == 1) == bool(nearer), told
            assert not nearer or {*found.helping} == nearer, told
            helped += bool(nearer)
    assert held
    assert helped


def test_a_pure_set_beside_a_run_shares_no_card_with_it() -> None:
    """Both want the 7 of hearts: the seven of clubs frees it, a second or a joker is another."""
    found = judge_contract(read_hand("7H 7S 7D 5H 6H 8H"), asks(PURE, RUN), CONTRACT_RUMMY, PACK)
    assert found.missing == 1
    assert write_hand(found.helping) == "7C 7H X"


@pytest.mark.parametrize(
    ("laid", "rules", "spec", "fault"),
    [
        ("5H X 7H X", APART, RUN, None),
        ("5H X X 8H", APART, RUN, "no two neighbours of a run may be wild"),
        ("QH X X", KALOOKI, SET, "a set needs at least 2 natural cards"),
        ("7H 7S 7D", CONTRACT_RUMMY, PURE, None),
        ("7H 7H 7D", CONTRACT_RUMMY, PURE, "These are not 1 set of 3 in different suits without"),
        ("7H 7S X", CONTRACT_RUMMY, PURE, "These are not 1 set of 3 in different suits without"),
    ],
)
def test_melds_as_laid(laid: str, rules: MeldRules, spec: MeldSpec, fault: str | None) -> None:
    found = is_contract([read_hand(laid)], asks(spec), rules)
    assert fault in found[0] if fault else not found


def test_a_wild_two_in_its_own_place_parts_two_others() -> None:
    """The two of hearts lies as itself, between the joker as the ace and a two as the three."""
    rules = replace(APART, wilds=("joker", "2"))
    assert missing("X 2H 2S 4H", asks(RUN), rules) == 0
    assert missing("X 2C 2S 4H", asks(RUN), rules) == 1


def test_unmelded_cards_keep_wilds_apart() -> None:
    """Chicago with wilds apart: 5 and 8 with two twos are no run, but each two joins something."""
    rules = replace(CHICAGO, wilds_apart=True)
    assert best_melds(read_hand("5H 2C 2D 8H"), CHICAGO).points == 0
    assert best_melds(read_hand("5H 2C 2D 8H"), rules).points == 5
    assert best_melds(read_hand("5H 2C 7H 2D"), rules).points == 0


@pytest.mark.parametrize(("hand", "anywhere", "apart"), [("2C 2D", 0, 2), ("2C 9H 2D", 0, 0)])
def test_cards_laid_off_keep_wilds_apart(hand: str, anywhere: int, apart: int) -> None:
    """Below J Q K of hearts a two is the ten; another beside it would be a neighbour."""
    lying = best_melds(read_hand("JH QH KH"), CHICAGO).melds
    rules = replace(CHICAGO, wilds_apart=True)
    assert best_beside(read_hand(hand), lying, CHICAGO).melding.points == anywhere
    assert best_beside(read_hand(hand), lying, rules).melding.points == apart


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_hands_against_trying_everything(seed: int) -> None:
    """Least points, contracts and what helps, where every limit of this page is on."""
    held = helped = 0
    for number in range(25):
        rng = Random(f"apart {seed} {number}")
        naturals = rng.choice((0, 1, 2))
        rules = replace(some_rules(rng), wilds_apart=True, set_naturals=naturals)
        hand = deal(rng, rules, 7)
        melding = best_melds(hand, rules)
        assert (melding.points, len(melding.loose)) == brute.deadwood(hand, rules)[:2], hand
        assert not certificate.faults(hand, melding, rules)
        rules = replace(some_contract_rules(rng), wilds_apart=True, set_naturals=naturals)
        contract = limited(rng)
        hand = deal_near(rng, rules, contract, min(8, contract.least_cards + 1))
        pack = Pack(rng.choice((1, 2)), rng.choice((0, 2)))
        if Counter(hand) - Counter(pack.unseen(())):  # a hand that this pack can't deal
            pack = PACK
        found = judge_contract(hand, contract, rules, pack)
        told = f"{write_hand(hand)} {contract} {rules} {pack} {found}"
        assert found.holds == brute.holds(hand, contract, rules), told
        held += found.holds
        if found.missing == 1 and not contract.all_cards:
            helped += 1
            for card in {*pack.unseen(hand)} - ({Card(Rank.JOKER)} if no_jokers(rules) else set()):
                helps = brute.holds((*hand, card), contract, rules)
                assert (card in found.helping) == helps, f"{card} {told}"
    assert held
    assert helped


def limited(rng: Random) -> Contract:
    contract = some_contract(rng)
    melds = tuple(
        replace(
            meld,
            wilds=rng.choice((None, None, 0, 1)),
            suits="different" if meld.kind == "set" and rng.random() < 0.4 else meld.suits,
        )
        for meld in contract.melds
    )
    return replace(contract, melds=melds)


def no_jokers(rules: MeldRules) -> bool:
    return "joker" not in rules.wilds
