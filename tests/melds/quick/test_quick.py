"""The usual contracts, judged quickly, against the full search: hands too large to try all."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import pytest

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, Rank, Suit, read_hand
from companion.melds import (
    Contract,
    Judgement,
    MeldRules,
    contract,
    free_cards,
    is_contract,
    judge_contract,
)
from tests.melds.proof.asked import asked
from tests.melds.proof.dealing import deal, deal_near
from tests.melds.proof.rules_of_games import CONTRACT_RUMMY, ZIONCHECK

WANTED = [
    asked(*sets, *runs)
    for sets in ((), ("S3",), ("S3", "S3"), ("S4", "S4"), ("S3", "S3", "S3"))
    for runs in ((), ("R4",), ("R4", "R4"), ("R3", "R5"), ("R7",))
    if sets or runs
]
ONE_DECK = [Card(rank, suit) for rank in NATURALS for suit in SUITS]


Case = tuple[Hand, Contract, MeldRules, Pack]


def some_case(rng: Random) -> Case:
    """A hand of 8 to 16 cards under any reading that leaves wilds free."""
    rules = replace(
        rng.choice((CONTRACT_RUMMY, ZIONCHECK)),
        same_suit_runs=rng.choice(
            ("gap_only", "adjacent_needs_9", "any", "not_adjacent", "different_suits")
        ),
        ace=rng.choice(("either", "either", "low", "high", "corner", "wild")),
        wilds=rng.choice((("joker",), ("joker",), ("joker", "2"), ("joker", "A"))),
        same_rank_sets=rng.random() < 0.7,
    )
    wanted, size = rng.choice(WANTED), rng.randint(8, 16)
    near = rng.random() < 0.4
    hand = deal_near(rng, rules, wanted, size) if near else deal(rng, rules, size)
    if rng.random() < 0.3:
        hand = tuple(rng.sample(ONE_DECK * 2 + [Card(Rank.JOKER)] * 4, size))
    return hand, wanted, rules, Pack(rng.choice((1, 2, 2, 3)), rng.choice((0, 2, 4)))


def crowded_case(rng: Random) -> Case:
    """The same for a hand of few ranks, many of its cards twice."""
    _, wanted, rules, pack = some_case(rng)
    low, span = rng.randint(1, 10), rng.randint(3, 7)
    ranks = [card for card in ONE_DECK * 2 if (card.rank - low) % 13 < span]
    suits = rng.sample(SUITS, rng.randint(1, 3))
    cards = [card for card in ranks if card.suit in suits or rng.random() < 0.3]
    return tuple(rng.sample(cards, min(len(cards), rng.randint(8, 14)))), wanted, rules, pack


@pytest.mark.parametrize("deal_case", [some_case, crowded_case])
@pytest.mark.parametrize("seed", range(4))
def test_the_usual_contracts_agree_with_the_full_search(
    seed: int, deal_case: Callable[[Random], Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(seed)
    cases = [deal_case(rng) for _ in range(30)]
    quick = [answer(*case) for case in cases]
    monkeypatch.setattr(contract, "quick_judge", lambda *_: None)
    for case, (judgement, free) in zip(cases, quick, strict=True):
        slow, slow_free = answer(*case)
        assert (judgement.missing, free) == (slow.missing, slow_free), case
        assert list(judgement.helping.items()) == list(slow.helping.items()), case
        check(judgement, *case)
        check(slow, *case)


def answer(
    hand: Hand, wanted: Contract, rules: MeldRules, pack: Pack
) -> tuple[Judgement, Hand | None]:
    free = free_cards(hand, wanted, rules, pack) if len(hand) < 11 else None
    return judge_contract(hand, wanted, rules, pack), free


def check(judgement: Judgement, hand: Hand, wanted: Contract, rules: MeldRules, pack: Pack) -> None:
    """The layout is the contract, made of the hand and of cards that can be drawn."""
    if judgement.missing is None:
        return
    assert is_contract([meld.cards for meld in judgement.layout], wanted, rules) == []
    used = Counter(card for meld in judgement.layout for card in meld.cards)
    assert not used - Counter((*hand, *judgement.draw))
    assert len(judgement.draw) == judgement.missing
    for card, copies in Counter(judgement.draw).items():
        assert hand.count(card) + copies <= pack.copies(card), card


def test_a_card_does_not_help_a_set_that_the_pack_cannot_fill() -> None:
    # Three sevens are one of the sets. With the fourth another would want two that do not exist.
    two_sets = asked("S3", "S3")
    hand = read_hand("7C 7D 7H")
    judgement = judge_contract(hand, two_sets, CONTRACT_RUMMY, Pack(1, 0))
    assert judgement.missing == 3
    assert Card(Rank.SEVEN, Suit.SPADES) not in judgement.helping
    assert len(judgement.helping) == 48
    # Two packs have three more sevens after it.
    assert Card(Rank.SEVEN, Suit.SPADES) in helping(hand, two_sets, Pack(2, 0))


def test_two_runs_take_two_of_five_sevens() -> None:
    # All eleven cards lie: 4 to 7 in two suits, and three sevens. Of the other set all three lack.
    hand = read_hand("4C 5C 6C 7C 4D 5D 6D 7D 7C 7H 7S")
    wanted = asked("S3", "S3", "R4", "R4")
    assert judge_contract(hand, wanted, CONTRACT_RUMMY, Pack(2, 0)).missing == 3


def test_a_second_ten_helps_runs_that_may_lie_over_one_another() -> None:
    # Two queens want a third. Two runs of spades, each with a ten and a jack, want five cards.
    hand = read_hand("2D JS 10S QC JS JD QC 2S")
    rules = replace(CONTRACT_RUMMY, ace="low", same_suit_runs="any")
    judgement = judge_contract(hand, asked("S3", "R4", "R4"), rules, Pack(2, 4))
    assert judgement.missing == 6
    assert judgement.helping[Card(Rank.TEN, Suit.SPADES)] == 1


def test_a_set_begun_and_one_not_begun_are_of_different_ranks() -> None:
    # One pack has no six aces.
    case = read_hand("AC AD"), asked("S3", "S3"), CONTRACT_RUMMY, Pack(1, 0)
    judgement = judge_contract(*case)
    assert judgement.missing == 4
    check(judgement, *case)


def helping(hand: Hand, wanted: Contract, pack: Pack) -> Mapping[Card, int]:
    return judge_contract(hand, wanted, CONTRACT_RUMMY, pack).helping
