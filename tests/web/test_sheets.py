"""Paper: blank score sheets and the record form say what the rules say; sheets are counted."""

from __future__ import annotations

from selectolax.lexbor import LexborNode as Element

from companion.rules import Variant
from companion.rules.contracts import contract_signs
from companion.scoring.blank_sheet import sheet_sizes
from tests.support.every_game import EVERY_GAME
from tests.visits.browserless import score, start
from tests.visits.pages import Page, walk, words
from tests.visits.phones import Phone


def rows(page: Page) -> list[list[str]]:
    """Read the printed cells of each row; those to write in are left out."""
    return [[text for cell in walk(row) if (text := text_of(cell))] for row in page.all("tbody tr")]


def text_of(node: Element) -> str:
    return words(node) if node.tag in ("th", "td") else ""


# What a blank sheet says


def test_a_sheet_says_contract_cards_and_dealer_of_each_deal(lone: Phone) -> None:
    page = lone.show("/rules/contract-rummy/sheet?players=3")
    assert rows(page) == [
        ["1", "2 sets of 3", "10", "1"],
        ["2", "1 set of 3 + 1 run of 4", "10", "2"],
        ["3", "2 runs of 4", "10", "3"],
        ["4", "3 sets of 3", "10", "1"],
        ["5", "2 sets of 3 + 1 run of 4", "12", "2"],
        ["6", "1 set of 3 + 2 runs of 4", "12", "3"],
        ["7", "3 runs of 4", "12", "1"],
    ]
    assert len(page.all("th.who")) == 3
    assert len(page.all("td.points")) == len(page.all("td.after")) == 7 * 3
    assert "joker: 25" in page.say("footer")


def test_zip_has_four_hands_of_seven_cards(lone: Phone) -> None:
    page = lone.show("/rules/zip-zilch-zero/sheet?players=4")
    assert rows(page) == [["1", "1"], ["2", "2"], ["3", "3"], ["4", "4"]]
    assert "7 cards each" in page.text


def test_a_game_without_a_last_deal_has_rows_to_fill(lone: Phone) -> None:
    """Who deals depends on who is out, so the sheet does not say."""
    page = lone.show("/rules/chicago-rummy/sheet?players=5")
    assert rows(page) == [[str(number)] for number in range(1, 21)]
    assert "until the game is over" in page.text
    assert "score that puts a player out: 100" in page.say("footer")


def test_where_the_dealer_goes_to_the_right_the_sheet_does(lone: Phone) -> None:
    page = lone.show("/rules/continental-spain/sheet?players=4")
    assert [row[-1] for row in rows(page)] == ["1", "4", "3", "2", "1", "4", "3"]


def test_a_contract_of_all_deals_is_said_once(lone: Phone) -> None:
    page = lone.show("/rules/continental/sheet?players=2")
    assert rows(page) == [[str(number)] for number in range(1, 9)]
    assert page.text.count("Five runs of three") == 1
    assert "Out without drawing" in page.say("footer")


@EVERY_GAME
def test_every_game_has_a_sheet_for_each_number_of_players(lone: Phone, variant: Variant) -> None:
    sizes = sheet_sizes(variant)
    assert [sizes[0], sizes[-1]] == [variant.players.min, min(12, variant.players.max)]
    page = lone.show(f"/rules/{variant.key}/sheet?players={sizes[-1]}")
    assert page.said("nav .chip") == [f"{size} players" for size in sizes]
    assert len(page.all("th.who")) == sizes[-1]
    contracts = {contract_signs(deal.contract) for deal in variant.deals if deal.contract}
    there = set(page.said("td.said"))
    if variant.is_each_on_their_own:  # whose contract would stand there?
        assert there == set()
    else:
        assert len(contracts) < 2 or contracts <= there


def test_an_odd_number_of_players_gives_the_usual_sheet(lone: Phone) -> None:
    for asked in ("", "99", "x", "0", "-1"):
        assert len(lone.show(f"/rules/zioncheck/sheet?players={asked}").all("th.who")) == 4
    assert len(lone.show("/rules/carioca/sheet?players=4").all("th.who")) == 2


def test_house_rules_are_on_the_sheet(lone: Phone) -> None:
    start(lone, "contract-rummy", rule_joker="15")
    page = lone.show("/rules/contract-rummy/sheet")
    assert "joker: 15" in page.say("footer")
    assert "House rules" in page.say("footer")
    assert "joker: 25" in lone.site.phone().show("/rules/contract-rummy/sheet").say("footer")


def test_a_sheet_follows_the_rules_of_its_game(lone: Phone) -> None:
    start(lone, "contract-rummy", rule_joker="15")
    start(lone, "contract-rummy", rule_joker="25")
    assert "joker: 15" in lone.show("/rules/contract-rummy/sheet?game=1").say("footer")


def test_the_record_form_is_that_of_the_source(lone: Phone) -> None:
    """`NAME`, and `DATE, OPPONENTS, MY SCORE, MY ORDER OF FINISH (1st, 2nd, 3rd, 4th)`."""
    page = lone.show("/rules/zip-zilch-zero/record")
    assert page.said("thead th") == [
        "Date",
        "Opponents",
        "My score",
        "My order of finish 1st, 2nd, 3rd, 4th",
    ]
    assert "Name" in page.say("article header")
    assert len(page.all("tbody tr")) == 24


# What a filled sheet says


def test_a_filled_sheet_signs_its_version_and_address(lone: Phone) -> None:
    table = start(lone, "contract-rummy")
    score(lone, table, "out", 0, {1: "K", 2: "A"})
    page = lone.show("/games/1/sheet")
    assert "Version 2 of this game · http://localhost/games/1" in page.text
    assert rows(page)[0] == ["1", "2 sets of 3", "10", "0 0", "10 10", "15 15"]
    assert rows(page)[1:3] == [
        ["2", "1 set of 3 + 1 run of 4", "10"],
        ["3", "2 runs of 4", "10"],
    ]
    assert page.said("tfoot tr:last-child td")[-3:] == ["1", "2", "3"]


def test_paper_is_linked_where_it_is_looked_for(lone: Phone) -> None:
    card = lone.show("/rules/zip-zilch-zero").links()
    assert "/rules/zip-zilch-zero/sheet" in card
    assert "/rules/zip-zilch-zero/record" in card
    assert "/rules/zioncheck/sheet" in lone.show("/games/new/zioncheck").links()
