"""Hands to practise on: how large they are, and what they are made of."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.cards import Hand, Pack, Rank
from companion.melds import judge_contract
from companion.rules import Variant, extend
from companion.scoring.judging import practice
from companion.scoring.judging.practice import practice_hand
from tests.support.reports import CHICAGO, CONTRACT, ZIP

TWO_SETS = {"melds": [{"kind": "set", "size": 3}] * 2}
PURE = {"melds": [{"kind": "set", "size": 3, "wilds": 0}] * 2}


def hands(variant: Variant, pack: Pack, step: int = 1) -> list[Hand]:
    return [practice_hand(variant, step, pack, f"{number}") for number in range(40)]


def of_one_deal(dealt: int, contract: dict[str, Any], goout: str = "discard") -> Variant:
    deals = [{"dealt": dealt, "contract": contract, "goout": goout}]
    return extend(CONTRACT, {"deals": deals, "pickup": {"allowed": True, "limit": 0}})


@pytest.mark.parametrize(
    ("dealt", "goout", "cards"),
    [(10, "discard", 11), (5, "discard", 7), (5, "either", 6), (5, "no_discard", 6)],
)
def test_a_hand_is_what_a_player_holds_who_may_go_down(dealt: int, goout: str, cards: int) -> None:
    """One is drawn; two sets of three are six cards, and one is kept where it must be discarded."""
    found = hands(of_one_deal(dealt, TWO_SETS, goout), Pack(2, 4))
    assert {len(hand) for hand in found} == {cards}


def test_without_a_contract_a_hand_is_the_cards_dealt_and_one_drawn() -> None:
    assert {len(hand) for hand in hands(CHICAGO, Pack(1, 0))} == {8}
    assert {len(hand) for hand in hands(ZIP, Pack(1, 0))} == {5}


def test_jokers_are_dealt_only_where_they_are_wild() -> None:
    without = extend(CONTRACT, {"melds": {"wilds": ["2"]}})
    found = [
        {card.rank for hand in hands(game, Pack(2, 40)) for card in hand}
        for game in (CONTRACT, without)
    ]
    assert [Rank.JOKER in ranks for ranks in found] == [True, False]


def made(
    monkeypatch: pytest.MonkeyPatch, game: Variant, pack: Pack, *, yes: bool
) -> tuple[list[Hand], list[int | None]]:
    """Make hands that are all to say yes, or no, and tell how many cards each misses."""

    class Told(Random):
        """Chance, but for what is drawn first."""

        drawn = False

        def random(self) -> float:
            first, self.drawn = not self.drawn, True
            return (0.0 if yes else 0.9) if first else super().random()

        def getrandbits(self, k: int, /) -> int:
            return super().getrandbits(k)

    monkeypatch.setattr(practice, "Random", Told)
    contract = game.deal(1).contract
    assert contract
    found = hands(game, pack)
    return found, [judge_contract(hand, contract, game.melds, pack).missing for hand in found]


def test_a_hand_is_made_to_say_yes_or_one_to_three_cards_are_exchanged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, pack = of_one_deal(5, TWO_SETS, "either"), Pack(2, 4)
    assert {*made(monkeypatch, game, pack, yes=True)[1]} == {0}
    missing = Counter(made(monkeypatch, game, pack, yes=False)[1])
    assert {*missing} == {1, 2, 3}
    assert missing[1] > 9


def test_a_hand_that_is_to_say_no_is_made_again_where_it_holds_the_contract(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many hands of thirteen cards have two sets by chance."""
    game = of_one_deal(12, TWO_SETS, "either")
    assert 0 not in made(monkeypatch, game, Pack(2, 4), yes=False)[1]


def test_three_in_ten_melds_hold_a_wild(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the hands of two sets and no other card have no joker then."""
    found, _ = made(monkeypatch, of_one_deal(5, TWO_SETS, "either"), Pack(2, 4), yes=True)
    jokers = Counter(sum(card.rank is Rank.JOKER for card in hand) for hand in found)
    assert 13 <= jokers[0] <= 27
    assert jokers[1] > 7


def test_melds_without_wilds_are_made_of_natural_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    game = of_one_deal(5, PURE, "either")
    assert {*made(monkeypatch, game, Pack(2, 4), yes=True)[1]} == {0}


@pytest.mark.parametrize("dealt", [9, 10])
def test_a_whole_hand_is_melded_to_the_last_card(
    monkeypatch: pytest.MonkeyPatch, dealt: int
) -> None:
    """All cards as a set and a run: these are made longer until none is left over."""
    whole = {"melds": [{"kind": "run", "size": 4}, {"kind": "set", "size": 3}], "all_cards": True}
    game, pack = of_one_deal(dealt, whole, "no_discard"), Pack(2, 4)
    contract = game.deal(1).contract
    assert contract
    found, _ = made(monkeypatch, game, pack, yes=True)
    assert {len(hand) for hand in found} == {dealt + 1}
    assert all(judge_contract(hand, contract, game.melds, pack).holds for hand in found)


def test_where_no_hand_can_be_made_any_cards_are_dealt() -> None:
    """No pack of one deck has a set of nine."""
    game = of_one_deal(10, {"melds": [{"kind": "set", "size": 9}]})
    assert {len(hand) for hand in hands(game, Pack(1, 0))} == {11}
