"""The judge in the page, in a real browser: against outside cases and the server's judge."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from companion.cards import Pack, read_hand
from companion.melds import Contract, MeldRules
from companion.rules import Variant, card_games, find_variant
from companion.scoring.judging.offline import offline_question
from companion.web.frame.static_files import sent
from tests.melds.proof.beside import Asked, unlike
from tests.melds.proof.cases import Case, cases
from tests.melds.proof.readings import Reading
from tests.melds.proof.rules_of_games import (
    CHICAGO,
    CONTRACT_RUMMY,
    CONTRACT_RUMMY_DEALS,
    ZIONCHECK,
    ZIONCHECK_HANDS,
    read,
)
from tests.support.doses import doses, first_in_every_run
from tests.support.page_judge import STATIC, PageJudge, page_judge

from .judge_proof import batches, compare

pytestmark = pytest.mark.browser
GAMES = {"zion": (ZIONCHECK, ZIONCHECK_HANDS), "cr": (CONTRACT_RUMMY, CONTRACT_RUMMY_DEALS)}
MOST_ON_THE_WIRE = 10 * 1024


@pytest.fixture(scope="module")
def judge(browser: Browser) -> Iterator[PageJudge]:
    with page_judge(browser) as found:
        yield found


def asked_of(game: str, hand: list[str], pack: Pack | None = None, **other: Any) -> dict[str, Any]:
    """A question of a game's first deal, parts of it exchanged."""
    variant = find_variant(game)
    question = offline_question(variant, 1, pack or variant.pack(4))
    question |= msgspec.to_builtins(other)
    return {"question": question, "hand": ["X" if c == "JK" else c for c in hand], "pile": []}


def of_contract(
    rules: MeldRules, contract: Contract, hand: list[str], pack: Pack
) -> dict[str, Any]:
    deal = {"dealt": len(hand), "contract": contract}
    return asked_of("zioncheck", hand, pack, deal=deal, rules=rules)


def contract_rules(rules: MeldRules, case: Case) -> MeldRules | None:
    if case.given.get("options", {}).get("deuces_wild"):
        rules = replace(rules, wilds=("joker", "2"))
    return read(rules, case.params)


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("2H 2S 2D 3H 4H 5H 6H", ["2D 2H 2S", "3H 4H 5H 6H"]),
        ("2H 9S 9D 4H 5H 6H QC", ["4H 5H 6H", "9D 9S 2H"]),
    ],
)
def test_the_plainest_melds_are_shown(judge: PageJudge, hand: str, melds: list[str]) -> None:
    """Twos are wild at Chicago Rummy: three of them lie as twos, one joins what lies by itself."""
    [(told, _)] = judge.timed([asked_of("chicago-rummy", hand.split())])
    assert told
    laid = sorted(sorted(group["cards"]) for group in told["groups"])
    assert laid == sorted(sorted(meld.split()) for meld in melds)
    means = {card for group in told["groups"] for card in group["means"]}
    assert ("2" in means) == (melds[0] == "2D 2H 2S"), means


@doses("every", 10, 1)
@pytest.mark.parametrize("game", first_in_every_run(GAMES))
def test_which_contracts_a_hand_holds(judge: PageJudge, game: str, every: int) -> None:
    """Z-3, Z-5, Z-15, Z-16, C-5 to C-7, C-15, C-19."""
    base, contracts = GAMES[game]
    asked, expected = [], []
    for case in islice(cases(f"{game}_contract"), None, None, every):
        rules = contract_rules(base, case)
        if rules is None:
            continue
        if "min_naturals" in case.params:
            rules = replace(rules, laydown="at_least")
        for number, contract in enumerate(contracts, 1):
            asked.append(of_contract(rules, contract, case.given["hand"], Pack(4, 8)))
            expected.append((case.id, number in case.expect["holds"]))
    told = [answer and answer["yes"] for answer, _ in judge.timed(asked)]
    assert list(zip([name for name, _ in expected], told, strict=True)) == expected
    assert len(asked) > 4000 // every


@pytest.mark.parametrize("game", GAMES)
def test_how_far_a_hand_is_and_what_helps(judge: PageJudge, game: str) -> None:
    """Z-5, Z-15, C-5, C-6, C-19; a card is drawn from what the packs still hold."""
    base, contracts = GAMES[game]
    asked, expected = [], []
    for case in cases(f"{game}_distance"):
        rules, given = contract_rules(base, case), case.given
        if rules is None:
            continue
        jokers = given["hand"].count("JK") if given["natural_only"] else given["jokers"]
        pack = Pack(given["decks"], jokers)
        asked.append(of_contract(rules, contracts[given["contract"] - 1], given["hand"], pack))
        improving = {"X" if card == "JK" else card for card in case.expect["improving"]}
        expected.append((case.id, case.expect["distance"], improving))
    for (answer, _), (name, distance, improving) in zip(judge.timed(asked), expected, strict=True):
        assert answer, name
        assert (len(answer["draw"]), set(answer["helping"])) == (distance, improving), name
        assert answer["yes"] == (distance == 0), name
    assert len(asked) > 110


@pytest.mark.slow
def test_chicago_hands(judge: PageJudge) -> None:
    """H-3 to H-11: what is unmelded in seven cards, and in eight after the best discard."""
    asked, expected = [], []
    for case in cases("chicago_hand"):
        rules = read(CHICAGO, case.params)
        assert rules
        if len(case.given["hand"]) in (7, 8) and not case.expect["seven_twos"]:
            asked.append(asked_of("chicago", case.given["hand"], Pack(8, 0), rules=rules))
            expected.append(case)
    for (answer, _), case in zip(judge.timed(asked), expected, strict=True):
        assert answer, case
        words = " ".join([answer["answer"], *answer["notes"]])
        if case.expect.get("rummy"):
            assert (answer["yes"], words[:5]) == (True, "Rummy"), (case, words)
        else:
            assert f"You have {case.expect['unmelded']} left over;" in words, (case, words)
        if "after_discard" in case.expect:
            assert f" leaves {case.expect['after_discard']}." in words, (case, words)
    assert len(asked) > 1000


def test_zip_hands(judge: PageJudge) -> None:
    """P-1, P-9."""
    given = list(cases("zip_hand"))
    for keep, name in ((True, "best_keep_one"), (False, "best")):
        zips = {"min_cards": 2, "keep_discard": keep, "spare_discard": True}
        asked = [asked_of("zip", case.given["hand"], zips=zips) for case in given]
        for (answer, _), case in zip(judge.timed(asked), given, strict=True):
            assert answer, case
            points = case.expect[name]
            said = f"You can zip {points} points." if points else "There is no zip here."
            assert answer["notes"][0] == said, case
            assert not keep or answer["yes"] == bool(case.expect["go_out_discards"]), case


@doses("hands", 16, 96)
def test_the_page_judges_as_the_server_does(judge: PageJudge, hands: int) -> None:
    """Answer, sentences, every card that helps and may go; the melds prove it."""
    for game in card_games():
        for numbers in batches(hands):
            compared = compare(judge, game, numbers, "tests")
            assert compared.faults == []
            assert compared.left <= compared.hands // 4 or _asks_unlike_sets(game)


def _asks_unlike_sets(game: Variant) -> bool:
    """Whether contracts hold sets of different suits, which the page leaves to the server."""
    contracts = [deal.contract for deal in game.deals if deal.contract]
    return any(spec.is_unlike for contract in contracts for spec in contract.specs)


def test_a_hand_far_from_its_contract_needs_no_server(judge: PageJudge) -> None:
    """Kalooki's deal 8, a set and three runs with jokers apart: layouts by ten thousands."""
    kalooki = find_variant("kalooki-jamaica")
    hand = read_hand("6S AS 3S 2S JS 7S 9S 4S 6D 10S 5S QS KS 8S 6C 6S")
    asked = Asked(Reading(kalooki, 8, kalooki.pack(4)), hand)
    [told] = judge.ask([asked])
    assert told is not None
    assert unlike(asked, told) == []


def test_what_it_cannot_prove_is_left_to_the_server(judge: PageJudge) -> None:
    """A hand of no game, an untold suit, a rule it does not know."""
    known = asked_of("zioncheck", ["7H", "8H"])
    unknown = asked_of("zioncheck", ["7H", "8H"])
    unknown["question"]["rules"] |= {"wilds": ["joker", "2"], "wild_scope": "own_rank_any_suit"}
    hands = [["7H"] * 3, ["7"], ["7R"], ["Z"], [], ["7H"] * 21]
    asked = [known, unknown, *({**known, "hand": hand} for hand in hands)]
    assert [answer is not None for answer, _ in judge.timed(asked)] == [True] + [False] * 7


def test_it_is_small() -> None:
    """What one game's page is sent: the door, and the part that answers its question."""
    parts = (("contract", "choices", "lacking"), ("melds",), ("zips",))
    largest = max(sum(_packed(f"judge-{name}.js") for name in part) for part in parts)
    assert _packed("judge.js") + largest <= MOST_ON_THE_WIRE


def _packed(name: str) -> int:
    return len(gzip.compress(sent(STATIC / "judge" / name).encode(), 9))
