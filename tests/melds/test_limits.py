"""Limits on wilds that go by a meld's size, aces that are wild, runs of any suits, long runs."""

from dataclasses import replace
from random import Random

import pytest

from companion.cards import Card, Hand, Pack, Rank, Suit, read_hand
from companion.melds import (
    RANKS,
    Contract,
    Meld,
    MeldRules,
    MeldSpec,
    best_melds,
    free_cards,
    is_contract,
    judge_contract,
)
from tests.melds.proof import brute, certificate
from tests.melds.proof.asked import asked, spec
from tests.melds.proof.dealing import deal, deal_near
from tests.melds.proof.rules_of_games import CHICAGO, CONTRACT_RUMMY
from tests.support.doses import doses, first_in_every_run

SHANGHAI = replace(CONTRACT_RUMMY, wild_table=((3, 1), (4, 1), (5, 2), (7, 3), (10, 4)))
CRUMMY = replace(CONTRACT_RUMMY, ace="high", wilds=("joker", "2"), wild_share="half")
HOLLYWOOD = replace(CONTRACT_RUMMY, ace="wild", wilds=("A",))
DEUCES = replace(CONTRACT_RUMMY, wilds=("joker", "2"))
CONTINENTAL = replace(DEUCES, same_suit_runs="any", laydown="exact", run_size=3)
PACK = Pack(2, 4)


FIVE_RUNS = Contract(
    melds=asked(*["R3"] * 5).melds,
    or_melds=(asked("R4", "R4", "R4", "R3").melds, asked("R5", "R4", "R3", "R3").melds),
)


def holds(cards: str, wanted: Contract, rules: MeldRules) -> bool:
    return judge_contract(read_hand(cards), wanted, rules, PACK).holds


def test_at_most_half_of_a_meld_may_be_wild() -> None:
    """Crummy Rummy: three cards with one wild, four with two."""
    assert holds("7C 8C X", asked("R3"), CRUMMY)
    assert not holds("7C X X", asked("R3"), CRUMMY)
    assert holds("5C X X 8C", asked("R3"), CRUMMY)
    assert not holds("5C X X 8C", asked("R3"), replace(CRUMMY, laydown="exact"))
    assert holds("2C 3C X X", asked("R4"), CRUMMY)
    assert not holds("2C 3C X X", asked("R4"), replace(CRUMMY, wild_share="less_than_half"))


def test_a_table_tells_how_many_wilds_a_meld_may_hold() -> None:
    """Shanghai: one in three or four cards, two in five, three in seven, four in ten."""
    assert holds("7C 7D X", asked("S3"), SHANGHAI)
    assert not holds("7C X X", asked("S3"), SHANGHAI)
    assert holds("4C X X 7C 8C", asked("R5"), SHANGHAI)
    assert not holds("4C X X 7C X 9C", asked("R6"), SHANGHAI)
    assert holds("4C X X 7C X 9C 10C", asked("R7"), SHANGHAI)
    assert holds("AC 2C X X 5C 6C X X 9C 10C 3D 3S X", asked("S3", "R10"), SHANGHAI)
    short = judge_contract(
        read_hand("AC 2C X X 5C 6C X X 9C 10C 3D X X"), asked("S3", "R10"), SHANGHAI, PACK
    )
    assert short.missing == 1
    assert {card.rank for card in short.helping} >= {Rank.THREE}
    assert Card(Rank.JOKER) not in short.helping


def test_rows_of_a_table_must_grow() -> None:
    with pytest.raises(ValueError, match="upwards"):
        MeldRules(wild_table=((3, 2), (5, 1)))
    with pytest.raises(ValueError, match="upwards"):
        MeldRules(wild_table=((3, 1), (3, 2)))


def test_a_wild_ace_has_no_place_of_its_own() -> None:
    """Hollywood Rummy: not below the two, not above the king, no set of aces."""
    assert holds("AC 2C 3C 4C", asked("R4"), HOLLYWOOD)
    assert judge_contract(read_hand("AC 2C 3C 4C"), asked("R4"), HOLLYWOOD, PACK).layout == (
        Meld("run", read_hand("2C 3C 4C AC"), read_hand("2C 3C 4C 5C")),
    )
    assert is_contract([read_hand("AC 2C 3C 4C")], asked("R4"), HOLLYWOOD)
    assert not holds("2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC", asked("R13"), HOLLYWOOD)
    assert judge_contract(read_hand("2C"), asked("R13"), HOLLYWOOD, PACK).missing is None
    natural = replace(HOLLYWOOD, min_naturals=1)
    assert holds("AC AD AH", asked("S3"), HOLLYWOOD)
    assert not holds("AC AD AH", asked("S3"), natural)
    assert not holds("AC AD AH", asked("S3"), replace(HOLLYWOOD, wilds=("joker",)))
    assert holds("KC AD AH", asked("S3"), natural)
    chicago = replace(CHICAGO, ace="wild", wilds=("A",))
    alone = best_melds(read_hand("AC AD AH"), chicago)
    assert certificate.faults(read_hand("AC AD AH"), alone, chicago) == []
    assert (alone.points, alone.melds[0].stands_for[0].rank) == (0, Rank.TWO)


def test_a_run_of_any_suits() -> None:
    """Carioca's escala sucia: thirteen in order, whatever their suits."""
    dirty = asked("M13")
    hand = read_hand("AC 2D 3H 4S 5C 6D 7H 8S 9C 10D JH QS")
    judgement = judge_contract(hand, dirty, CONTRACT_RUMMY, PACK)
    assert judgement.missing == 1
    assert {card.rank for card in judgement.helping} == {Rank.KING, Rank.JOKER}
    with_joker = judge_contract((*hand, Card(Rank.JOKER)), dirty, CONTRACT_RUMMY, PACK)
    assert with_joker.holds
    assert with_joker.layout[0].stands_for[-1] == Card(Rank.KING)
    assert is_contract([with_joker.layout[0].cards], dirty, CONTRACT_RUMMY) == []
    assert is_contract([with_joker.layout[0].cards], asked("R13"), CONTRACT_RUMMY)
    assert is_contract([hand], dirty, CONTRACT_RUMMY) == [
        "AC 2D 3H 4S 5C 6D 7H 8S 9C 10D JH QS has 12 cards: at least 13 are asked."
    ]
    assert is_contract([read_hand("7C 7D 7H")], asked("M4"), CONTRACT_RUMMY) == [
        "These are not 1 run of 4 in any suits."
    ]


def test_a_long_run_may_hold_more_wilds_than_two_short_ones() -> None:
    """Seven places take three wilds by the table, two runs of three only one each."""
    rules = replace(CHICAGO, wild_table=SHANGHAI.wild_table)
    melding = best_melds(read_hand("6D 8D 10D JD 2C 2S 2H 2C"), rules)
    assert [len(meld.cards) for meld in melding.melds] == [7]
    assert [card.rank for card in melding.loose] == [Rank.TWO]


def test_wilds_join_a_run_in_front_where_there_is_no_place_behind() -> None:
    rules = replace(CHICAGO, ace="high", min_naturals=2)
    melding = best_melds(read_hand("QS KS AS 2C 2H"), rules)
    assert [meld.stands_for for meld in melding.melds] == [read_hand("10S JS QS KS AS")]
    assert not melding.loose


def test_the_odd_card_of_a_whole_hand_can_be_discarded() -> None:
    """Without it the other eight are two runs of four, which is all that is asked of them."""
    hand, wanted = read_hand("3C 4C 5C 6C 7D 8D 9D 10D KS"), asked("R4", "R4", all_cards=True)
    assert judge_contract(hand, wanted, CRUMMY, PACK).missing == 1
    assert Card(Rank.KING, Suit.SPADES) in free_cards(hand, wanted, CRUMMY, PACK)
    assert Card(Rank.FOUR, Suit.CLUBS) not in free_cards(hand, wanted, CRUMMY, PACK)


def test_five_runs_of_three_are_one_of_three_ways() -> None:
    """Continental: 15 cards of a hand of 16, several runs in one suit."""
    hand = read_hand("3C 4C 5C 6C 7C 8C 9C 10C JC 2D X QD 7H 8H 9H KS")
    judgement = judge_contract(hand, FIVE_RUNS, CONTINENTAL, PACK)
    assert judgement.holds
    assert [len(meld.cards) for meld in judgement.layout] == [3] * 5
    assert holds("3C 4C 5C 6C 3D 4D 5D 6D 9S 10S JS QS KH QH JH", FIVE_RUNS, CONTINENTAL)
    assert holds("3C 4C 5C 6C 7C 3D 4D 5D 6D 9S 10S JS QH JH X", FIVE_RUNS, CONTINENTAL)
    assert not holds("3C 4C 5C 6C 7C 3D 4D 5D 9S 10S JS QH JH X AC", FIVE_RUNS, CONTINENTAL)


def test_faults_speak_of_every_limit() -> None:
    def fault(cards: str, rules: MeldRules) -> str:
        return " ".join(is_contract([read_hand(cards)], asked("R3"), rules))

    assert "at most half of a meld may be wild" in fault("7C X X", CRUMMY)
    less = replace(CRUMMY, wild_share="less_than_half")
    assert "fewer than half of a meld may be wild" in fault("7C 8C X X", less)
    assert "a meld of 3 may have 1 wild" in fault("7C X X", SHANGHAI)
    assert "a meld of 6 may have 2 wild" in fault("7C X X X JC QC", SHANGHAI)
    assert "a meld of 2 may have 1 wild" in fault("X X", replace(SHANGHAI, run_size=2))
    one = replace(SHANGHAI, max_wilds=1, min_naturals=1)
    assert fault("7C X X", one) == (
        "7C X X has too many wilds: no more than 1 wild is allowed"
        " and at least 1 natural card is needed and a meld of 3 may have 1 wild."
    )


CONTRACTS = {
    "Crummy's last deal": (asked("R4", "R4", all_cards=True), CRUMMY, 10),
    "Crummy's run of seven": (asked("R7"), CRUMMY, 9),
    "Shanghai's runs of five": (asked("R5"), SHANGHAI, 8),
    "Shanghai's run of seven": (asked("R7"), SHANGHAI, 9),
    "aces wild": (asked("S3", "R4"), HOLLYWOOD, 8),
    "aces and jokers wild": (asked("R4", "R4"), replace(HOLLYWOOD, wilds=("joker", "A")), 9),
    "any suits and a set": (asked("M4", "S3"), CONTRACT_RUMMY, 8),
    "any suits and one suit": (asked("M4", "R4"), replace(CONTRACT_RUMMY, max_wilds=1), 9),
    "Continental": (asked("R3", "R3", "R3"), CONTINENTAL, 9),
    "deuces, five and a set": (asked("R5", "S3"), DEUCES, 9),
    "a pair of aces and a set": (
        Contract(melds=(MeldSpec(kind="set", size=2, ranks=("A",)), spec("S3"))),
        DEUCES,
        7,
    ),
}


@pytest.mark.slow
@doses("hands", 14, 40)
@pytest.mark.parametrize("name", first_in_every_run(CONTRACTS, 3, pytest.mark.long))
def test_contracts_of_other_games_agree_with_trying_everything(name: str, hands: int) -> None:
    wanted, rules, size = CONTRACTS[name]
    rng, both = Random(name), set()
    for _ in range(hands):
        near = rng.random() < 0.8
        hand = deal_near(rng, rules, wanted, size) if near else deal(rng, rules, size)
        judgement = judge_contract(hand, wanted, rules, PACK)
        held = brute.holds(hand, wanted, rules)
        assert judgement.holds == held, (hand, judgement)
        both.add(held)
        check(hand, wanted, rules, brute_force=judgement.missing == 1 and not wanted.all_cards)
    assert both == {True, False}


BIG = {
    "five runs of three, deuces wild": (FIVE_RUNS, CONTINENTAL, 16),
    "three runs of five": (asked("R5", "R5", "R5"), SHANGHAI, 18),
    "a run of ten": (asked("S3", "R10"), SHANGHAI, 16),
    "runs of five and six": (asked("R5", "R6"), DEUCES, 14),
    "a run of thirteen": (asked("R13"), DEUCES, 15),
    "three runs of four with all cards": (
        asked("R4", "R4", "R4", all_cards=True),
        CRUMMY,
        14,
    ),
}


@pytest.mark.parametrize("name", BIG)
def test_large_hands_are_judged_with_a_certificate(name: str) -> None:
    wanted, rules, size = BIG[name]
    rng = Random(name)
    for _ in range(12):
        hand = deal_near(rng, rules, wanted, size)
        check(hand, wanted, rules, brute_force=False)


def check(hand: Hand, wanted: Contract, rules: MeldRules, *, brute_force: bool) -> None:
    """The layout is the contract, of the cards of the hand and those drawn; what helps helps."""
    judgement = judge_contract(hand, wanted, rules, PACK)
    if judgement.missing is None:
        return
    assert is_contract([meld.cards for meld in judgement.layout], wanted, rules) == []
    used = [card for meld in judgement.layout for card in meld.cards]
    assert all(used.count(c) <= (*hand, *judgement.draw).count(c) for c in used)
    assert len(judgement.draw) == judgement.missing
    for card in map(Card, Rank) if brute_force else ():
        for one in [Card(card.rank, suit) for suit in read_suits(card)]:
            if PACK.copies(one) > hand.count(one):
                helps = brute.holds((*hand, one), wanted, rules)
                assert helps == (one in judgement.helping), (hand, one)


def read_suits(card: Card) -> list:  # type: ignore[type-arg]
    return [None] if card.rank is Rank.JOKER else [c.suit for c in read_hand("2C 2D 2H 2S")]


@pytest.mark.parametrize(
    ("hand", "wild"),
    [
        ("QD 7D 9D 4S 8S JD KD KS 9S 2D 5D X AD", "joker"),
        ("8H 6C 8C 7H AS QC 3D QD 2C 2S 4C AD KH", "2"),
    ],
)
def test_a_pack_that_cannot_hold_two_such_sets_is_told_at_once(hand: str, wild: str) -> None:
    # All thirteen cards in two sets: of two ranks there are eight cards, and there are four wilds.
    wanted = replace(asked("S3", "S3"), all_cards=True)
    rules = replace(CONTRACT_RUMMY, wilds=(wild,))
    assert judge_contract(read_hand(hand), wanted, rules, Pack(1, 4)).missing is None


def test_five_runs_are_never_of_five_suits() -> None:
    rules = MeldRules(run_size=3, wilds=("joker", "2"), same_suit_runs="different_suits")
    hand = read_hand("2C X 2H X 8S 8C 6H 8D 5D 4D 9C 5S 7C 5S 4H 5D")
    judgement = judge_contract(hand, asked("R3", "R3", "R3", "R3", "R3"), rules, PACK)
    assert judgement.missing is None
    assert not judgement.helping


def test_a_whole_hand_of_two_melds_from_one_pack_is_judged_though_the_pack_runs_out() -> None:
    # Hundreds of targets are as near as six cards, and the pack cannot fill most of them.
    wanted = replace(asked("S3", "R4"), all_cards=True)
    rules = MeldRules(ace="wild", wilds=("A",), min_naturals=2, max_wilds=2)
    hand = read_hand("4H JC QD 2S AS QH 5D 5S 4S AH 10C JD 3C")
    judgement = judge_contract(hand, wanted, rules, Pack(1, 0))
    assert judgement.missing == len(judgement.draw) == 6
    assert is_contract([meld.cards for meld in judgement.layout], wanted, rules) == []
    assert {*judgement.draw}.isdisjoint(hand)


@pytest.mark.parametrize(
    ("hand", "runs", "rules", "pack"),
    [
        ("AS 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS X", (14,), MeldRules(run_max=14), Pack(1, 1)),
        ("2D 6S", (4, 2, 4), MeldRules(run_size=3, wilds=("2",), max_wilds=1), Pack(1, 0)),
        (
            "JC 9C 7D 7H QC 3C 4S",
            (3, 3, 3, 3, 3),
            MeldRules(wilds=("2",), wild_share="less_than_half", ace="high"),
            Pack(1, 0),
        ),
    ],
)
def test_no_card_is_drawn_that_the_pack_does_not_hold(
    hand: str, runs: tuple[int, ...], rules: MeldRules, pack: Pack
) -> None:
    wanted, held = asked(*[f"R{size}" for size in runs]), read_hand(hand)
    judgement = judge_contract(held, wanted, rules, pack)
    assert judgement.missing == len(judgement.draw)
    assert is_contract([meld.cards for meld in judgement.layout], wanted, rules) == []
    cards = (*held, *judgement.draw)
    assert [card for card in {*cards} if cards.count(card) > pack.copies(card)] == []


def test_runs_shorter_than_the_naturals_they_need_connect() -> None:
    # Nine cards in a row as two runs, of which three are held.
    rules = MeldRules(min_naturals=3, laydown="exact", same_suit_runs="adjacent_needs_9")
    judgement = judge_contract(read_hand("3H 4H 5H 9S 9D"), asked("R2", "R2"), rules, PACK)
    assert judgement.missing == 6
    assert is_contract([m.cards for m in judgement.layout], asked("R2", "R2"), rules) == []


def test_every_rank_may_be_wild() -> None:
    rules = MeldRules(wilds=tuple(RANKS), max_wilds=1)
    assert judge_contract(read_hand("3H 9S KD"), asked("R4"), rules, PACK).missing is not None


def test_fewer_wilds_are_no_better_if_a_meld_then_may_not_hold_them() -> None:
    """Kings and queens kept whole leave two wilds to a run that may hold one: each takes one."""
    rules = MeldRules(run_size=3, max_wilds=1)
    contract = asked("S3", "S3", "R3")
    hand = read_hand("KH KS KD QH QS QD 4C X X X")
    judgement = judge_contract(hand, contract, rules, Pack(2, 4))
    assert judgement.holds
    assert [len(meld.cards) for meld in judgement.layout] == [3, 3, 3]
    assert judgement.draw == ()


@pytest.mark.parametrize(("hand", "missing"), [("KH KS KD", 0), ("KH KS X", 1)])
def test_a_set_may_have_to_be_all_natural(hand: str, missing: int) -> None:
    rules = MeldRules(set_naturals=3, laydown="exact")
    assert judge_contract(read_hand(hand), asked("S3"), rules, Pack(2, 4)).missing == missing


def test_no_run_is_longer_than_the_longest() -> None:
    short = replace(CONTRACT_RUMMY, run_max=5)
    assert is_contract([read_hand("3C 4C 5C 6C 7C")], asked("R4"), short) == []
    assert is_contract([read_hand("3C 4C 5C 6C 7C 8C")], asked("R4"), short) == [
        "3C 4C 5C 6C 7C 8C is neither a set nor a run."
    ]


def test_of_melds_too_small_as_few_are_told_as_can_be() -> None:
    """Four and three cards, where four and five are asked: one is too small, not both."""
    melds = [read_hand("8C 8D 8H 8S"), read_hand("KC KD KH")]
    assert len(is_contract(melds, asked("S4", "S5"), CONTRACT_RUMMY)) == 1
    assert len(is_contract(melds[::-1], asked("S4", "S5"), CONTRACT_RUMMY)) == 1
