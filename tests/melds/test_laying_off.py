"""Cards laid off on melds that lie on the table, against trying every way to lay them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random

import pytest

from companion.cards import Card, read_hand, write_hand
from companion.melds import Meld, MeldRules, best_beside, best_melds
from tests.melds.proof import brute
from tests.melds.proof.dealing import deal, some_rules
from tests.melds.proof.rules_of_games import CHICAGO


def lying(*hands: str) -> list[Meld]:
    return [meld for cards in hands for meld in best_melds(read_hand(cards), CHICAGO).melds]


@pytest.mark.parametrize(
    ("cards", "on", "points", "laid_off"),
    [
        ("KH QS 9D 7C 5S 3H JD", ["7D 7H 7S"], 47, "7C"),
        ("10H JH 6H KC 4D 4C AS", ["7H 8H 9H"], 19, "6H 10H JH"),
        ("8H 8C 8D 10H KC 5S AD", ["7H 8H 9H"], 16, "10H"),
        ("9H 9C 9D 10H KC 5S AD", ["6H 7H 8H"], 26, ""),
        ("2C KC QD 9S 7H 5D 4S", ["7D 7C 7S"], 38, "2C 7H"),
        ("AC KC QC JC 6C", ["3C 4C 5C"], 1, "6C"),
        ("QH AH 5C", ["KC KD KS", "9H 10H JH"], 6, "QH"),
        ("2C 8H KC", ["3H 4H 5H"], 18, "2C"),
    ],
)
def test_what_can_be_laid_off_costs_nothing(
    cards: str, on: list[str], points: int, laid_off: str
) -> None:
    """Worked by hand; the ace is low, so that it never follows a king, and twos are wild."""
    beside = best_beside(read_hand(cards), lying(*on), CHICAGO)
    assert (beside.melding.points, write_hand(beside.laid_off)) == (points, laid_off)


def test_what_lies_there_is_shown_with_the_cards_added() -> None:
    beside = best_beside(read_hand("6H 10H KC"), lying("7H 8H 9H", "QC QD QS"), CHICAGO)
    assert [write_hand(meld.cards) for meld in beside.lying] == ["6H 7H 8H 9H 10H", "QC QD QS"]
    assert write_hand(beside.melding.loose) == "KC"


def test_a_card_laid_off_lies_as_itself_and_a_wild_as_any_of_its_rank() -> None:
    (lies,) = best_beside(read_hand("7S 2C"), lying("7C 7D 7H"), CHICAGO).lying
    assert dict(zip(lies.cards, map(str, lies.stands_for), strict=True)) == {
        **{card: str(card) for card in read_hand("7C 7D 7H 7S")},
        read_hand("2C")[0]: "7",
    }


def test_a_set_takes_as_many_wilds_as_the_cards_that_are_held_let_it() -> None:
    """At most half may be wild: beside four sevens lie four jokers, the fifth is left."""
    values = {**CHICAGO.values, "joker": 20}
    half = replace(CHICAGO, wilds=("joker",), wild_share="half", values=values)
    beside = best_beside(read_hand("7H X X X X X"), lying("7C 7D 7S"), half)
    assert (len(beside.laid_off), len(beside.melding.loose)) == (5, 1)


@pytest.mark.slow
def test_against_trying_every_way() -> None:
    """Hands of few ranks and suits beside melds of the same, under rules of any kind."""
    laid = 0
    for number in range(250):
        rng = Random(f"lay {number}")
        rules = CHICAGO if number % 2 else some_rules(rng)
        table = best_melds(deal(rng, rules, 7), rules).melds
        hand = deal(rng, rules, rng.choice((3, 4, 5, 6)))
        beside = best_beside(hand, table, rules)
        got = beside.melding.points, len(beside.melding.loose), len(beside.laid_off)
        told = f"{write_hand(hand)} beside {table}\n{rules}\n{beside}"
        assert got == try_all(hand, table, rules), told
        assert all(may_lie(meld, rules) for meld in beside.lying), told
        laid += bool(beside.laid_off)
    assert laid > 40


def try_all(hand: Sequence[Card], table: Sequence[Meld], rules: MeldRules) -> tuple[int, int, int]:
    """The least points, cards left and cards laid off, over every group of cards to lay off."""
    found = []
    for size in range(len(hand) + 1):
        for used in combinations(range(len(hand)), size):
            added = [hand[place] for place in used]
            if size and not any(can_lie(way, table, rules) for way in shared_out(added, table)):
                continue
            rest = [card for place, card in enumerate(hand) if place not in used]
            points, loose, _ = brute.deadwood(rest, rules)
            found.append((points, loose, size))
    return min(found)


def shared_out(cards: list[Card], table: Sequence[Meld]) -> Iterator[list[list[Card]]]:
    """Every way to give each card to one of the melds."""
    for melds in product(range(len(table)), repeat=len(cards)):
        yield [
            [card for card, to in zip(cards, melds, strict=True) if to == meld]
            for meld in range(len(table))
        ]


def can_lie(way: list[list[Card]], table: Sequence[Meld], rules: MeldRules) -> bool:
    return all(
        not added or any(may_lie(grown, rules) for grown in grow(meld, added, rules))
        for meld, added in zip(table, way, strict=True)
    )


def grow(meld: Meld, added: list[Card], rules: MeldRules) -> Iterator[Meld]:
    """Every way to put cards at the ends of a run, in any order, or into a set."""
    if meld.kind == "set":
        rank = meld.stands_for[0].rank
        yield Meld("set", (*meld.cards, *added), (Card(rank),) * (len(meld.cards) + len(added)))
        return
    places = brute.ORDER[rules.ace].split()
    ranks = [brute.split(card)[0] for card in meld.stands_for]
    suit = meld.stands_for[0].suit
    by_name = {str(card): card.rank for card in read_hand(brute.ORDER["low"])}
    for before in range(len(added) + 1):
        for start in range(len(places)):
            row = places[start : start + len(ranks) + len(added)]
            if row[before : before + len(ranks)] != ranks or len(row) < len(ranks) + len(added):
                continue
            for order in permutations(added):
                cards = (*order[:before], *meld.cards, *order[before:])
                yield Meld("run", cards, tuple(Card(by_name[rank], suit) for rank in row))


def may_lie(meld: Meld, rules: MeldRules) -> bool:
    """Whether each card is itself or wild, and the limits of the rules are kept."""
    if meld.kind == "run" and len(meld.cards) > min(rules.run_max, 14):
        return False
    natural = 0
    for card, meant in zip(meld.cards, meld.stands_for, strict=True):
        held = brute.split(card)
        rank, suit = brute.split(meant) if meant.suit else (str(meant), "")
        if brute.is_own(held, rank, "" if meld.kind == "set" else suit, rules):
            natural += 1
        elif not brute.stands_for_any(held, rules):
            return False
    wild = len(meld.cards) - natural
    return natural >= rules.min_naturals and not brute.too_wild(wild, natural, rules)
