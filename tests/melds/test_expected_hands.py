"""The judge against every expected result of contracts, distances, Chicago hands and zips."""

from collections import Counter
from dataclasses import replace

import pytest

from companion.cards import Hand, Pack, read_hand
from companion.melds import (
    Contract,
    MeldRules,
    best_after_discard,
    best_melds,
    best_zips,
    go_out_discards,
    is_contract,
    is_zip,
    judge_contract,
)
from companion.rules import find_variant
from companion.scoring.knock import wins_at_once
from tests.melds.proof.cases import Case, cases
from tests.melds.proof.rules_of_games import (
    CHICAGO,
    CONTRACT_RUMMY,
    CONTRACT_RUMMY_DEALS,
    ZIONCHECK,
    ZIONCHECK_HANDS,
    read,
)

GAME = find_variant("chicago")
GAMES = {"zion": (ZIONCHECK, ZIONCHECK_HANDS), "cr": (CONTRACT_RUMMY, CONTRACT_RUMMY_DEALS)}
NOT_OFFERED = {"corner_connects", "connecting", "joker_place"}
"""Readings of the cases for which the product has no house rule."""
GAME_ONLY = {"eliminate_at", "tie_penalty", "all_out", "seven_twos_scored", "knocker_discards"}
"""Readings that change a Chicago game but not what is unmelded in seven cards."""


def hand(cards: list[str]) -> Hand:
    return read_hand(" ".join(cards))


def rules_for(meld_rules: MeldRules, case: Case) -> MeldRules | None:
    if case.given.get("options", {}).get("deuces_wild"):
        meld_rules = replace(meld_rules, wilds=("joker", "2"))
    found = read(meld_rules, case.params)
    assert found or NOT_OFFERED & case.params.keys(), case
    return found


def cases_offered(kind: str, meld_rules: MeldRules) -> list[tuple[Case, MeldRules]]:
    """Those cases whose readings the product offers, with its rules for each."""
    found = [(case, rules_for(meld_rules, case)) for case in cases(kind)]
    return [(case, rules) for case, rules in found if rules is not None]


@pytest.mark.parametrize(
    "every", [pytest.param(5, id="small"), pytest.param(1, id="whole", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("game", GAMES)
def test_which_contracts_a_hand_holds(game: str, every: int) -> None:
    """Z-3, Z-5, Z-15, Z-16, C-5 to C-7, C-15, C-19."""
    meld_rules, contracts = GAMES[game]
    asked = cases_offered(f"{game}_contract", meld_rules)[::every]
    for case, rules in asked:
        if "min_naturals" in case.params:
            # Asked of the cards alone: a run may grow until it holds its natural cards.
            rules = replace(rules, laydown="at_least")
        held = hand(case.given["hand"])
        holds = [
            number
            for number, contract in enumerate(contracts, 1)
            if judge_contract(held, contract, rules, Pack(4, 8)).holds
        ]
        assert holds == case.expect["holds"], case
    assert len(asked) > 700 // every


@pytest.mark.parametrize("game", GAMES)
def test_whether_melds_are_the_contract(game: str) -> None:
    """Z-3, Z-4, Z-5, C-5 to C-7, C-15, C-19: as laid, runs ascending."""
    meld_rules, contracts = GAMES[game]
    asked = cases_offered(f"{game}_layout", meld_rules)
    for case, rules in asked:
        number = case.given["hand_no" if game == "zion" else "deal"]
        melds = [hand(meld) for meld in case.given["melds"]]
        faults = is_contract(melds, contracts[number - 1], rules)
        assert (not faults) == case.expect["ok"], (case, faults)
    assert len(asked) > 180


@pytest.mark.parametrize("game", GAMES)
def test_how_far_a_hand_is_and_what_helps(game: str) -> None:
    """Z-5, Z-15, C-5, C-6, C-19; a card is drawn from what the packs still hold."""
    meld_rules, contracts = GAMES[game]
    asked = cases_offered(f"{game}_distance", meld_rules)
    for case, rules in asked:
        held, given = hand(case.given["hand"]), case.given
        jokers = sum(card.rank == 0 for card in held) if given["natural_only"] else given["jokers"]
        pack = Pack(given["decks"], jokers)
        judgement = judge_contract(held, contracts[given["contract"] - 1], rules, pack)
        assert judgement.missing == case.expect["distance"], case
        assert set(judgement.helping) == set(hand(case.expect["improving"])), case
        check_layout(
            held, judgement.draw, judgement.layout, contracts[given["contract"] - 1], rules
        )
    assert len(asked) > 110


def check_layout(
    held: Hand, draw: Hand, layout: tuple[object, ...], contract: Contract, rules: MeldRules
) -> None:
    """The layout is made of the hand and the cards drawn, and is the contract."""
    melds = [meld.cards for meld in layout]  # type: ignore[attr-defined]
    used = Counter(card for meld in melds for card in meld)
    assert not used - Counter((*held, *draw))
    assert is_contract(melds, contract, rules) == []


def test_chicago_hands() -> None:
    """H-3 to H-11."""
    asked = cases_offered("chicago_hand", CHICAGO)
    for case, rules in asked:
        held = hand(case.given["hand"])
        assert best_melds(held, rules).points == case.expect["unmelded"], case
        assert wins_at_once(GAME, held) == case.expect["seven_twos"], case
        if "rummy" in case.expect:
            assert len(held) == GAME.deal(1).dealt
            assert (not best_melds(held, rules).loose) == case.expect["rummy"], case
        if "after_discard" in case.expect:
            after = best_after_discard(held, rules).melding.points
            assert after == case.expect["after_discard"], case
    assert len(asked) > 1200


def test_chicago_rounds() -> None:
    """H-1 to H-4: the unmelded points of every hand of a deal."""
    asked = 0
    for case in cases("chicago_round"):
        rules = read(CHICAGO, {n: v for n, v in case.params.items() if n not in GAME_ONLY})
        assert rules
        by, discards = case.given["by"], case.params.get("knocker_discards")
        for seat, cards in enumerate(case.given["hands"]):
            if cards is None:
                assert case.expect["unmelded"][seat] is None
                continue
            points = points_at_the_end(hand(cards), rules, discards and seat == by)
            assert points == case.expect["unmelded"][seat], case
            asked += 1
    assert asked > 1500


def points_at_the_end(held: Hand, rules: MeldRules, discards: bool | None) -> int:
    if discards and len(held) == 8:
        return best_after_discard(held, rules).melding.points
    return best_melds(held, rules).points


def test_chicago_games() -> None:
    """H-1 to H-4: what each deal adds, penalties aside."""
    asked = 0
    for case in cases("chicago_game"):
        rules = read(CHICAGO, {n: v for n, v in case.params.items() if n not in GAME_ONLY})
        assert rules
        discards = case.params.get("knocker_discards")
        for deal, result in zip(case.given["rounds"], case.expect["rounds"], strict=True):
            for seat, cards in enumerate(deal["hands"]):
                if cards is None or result["added"][seat] is None:
                    continue
                held = hand(cards)
                knocks = deal["how"] == "knock" and deal["by"] == seat
                points = points_at_the_end(held, rules, discards and knocks)
                assert points + result["penalty"][seat] == result["added"][seat], case
                asked += 1
    assert asked > 300


def test_zip_hands() -> None:
    """P-1, P-9."""
    for case in cases("zip_hand"):
        held = hand(case.given["hand"])
        for keep_one, name in ((False, "best"), (True, "best_keep_one")):
            zips = best_zips(held, keep_one)
            assert zips.value == case.expect[name], case
            assert all(is_zip(zip_) for zip_ in zips.zips)
            assert sum(card.rank for zip_ in zips.zips for card in zip_) == zips.value
            laid = Counter(card for zip_ in zips.zips for card in zip_)
            assert laid + Counter(zips.left) == Counter(held)
            assert zips.left or not keep_one
        assert set(go_out_discards(held)) == set(hand(case.expect["go_out_discards"])), case


def test_zips_as_laid() -> None:
    """P-8: each group must itself sum to zero."""
    for case in cases("zip_score"):
        zips = [is_zip(hand(zip_)) for zip_ in case.given["zips"]]
        if case.expect["legal"]:
            assert all(zips), case
        elif "zip_ok" in case.expect:
            assert zips == case.expect["zip_ok"], case
