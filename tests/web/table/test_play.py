"""Whole games from the first page to the winner, without scripts; every sum was done by hand."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules import load
from companion.rules.contracts import contract_words
from tests.visits.browserless import dealer, game_of, places, review, score, start, totals
from tests.visits.pages import Filled, Page, walk, words
from tests.visits.phones import Phone

FIVE = ("Ann", "Bob", "Cleo", "Dev", "Eve")
CONTRACT_DEALS = [
    (0, {1: "7 7 K", 2: "2 3 9", 3: "A Q", 4: "X"}, [0, 24, 14, 25, 25]),
    (1, {0: "K Q", 2: "A A", 3: "5", 4: "9 9"}, [20, 24, 44, 30, 43]),
    (2, {0: "X 2", 1: "10 J", 3: "3 4 5", 4: "A"}, [47, 44, 44, 42, 58]),
    (3, {0: "6", 1: "31", 2: "8 8", 4: "K K K"}, [53, 75, 60, 42, 88]),
    (4, {0: "A K", 1: "2", 2: "7", 3: "2xX"}, [78, 77, 67, 92, 88]),
    (0, {1: "4 4", 2: "Q", 3: "9", 4: "3"}, [78, 100, 77, 101, 91]),
    (0, {1: "5 5", 2: "12+11", 3: "J", 4: "2 2"}, [78, 110, 100, 111, 95]),
]


def test_contract_rummy_with_a_correction_after_deal_five(phone: Phone) -> None:
    table = start(phone, "contract-rummy", *FIVE)
    for number, (out, hands, expected) in enumerate(CONTRACT_DEALS, start=1):
        demanded = load("contract-rummy").deal(number).contract
        assert demanded
        assert contract_words(demanded) in table.text
        assert dealer(table) == FIVE[(number - 1) % 5]
        table = score(phone, table, "out", out, hands)
        assert totals(table) == expected
        if number == 5:
            table = _correct(phone, table, 3, 1, "10 J A")
            assert totals(table) == [78, 92, 67, 92, 88]
    assert places(table) == [
        "1. Ann: 78",
        "2. Eve: 95",
        "3. Cleo: 100",
        "4. Bob: 110",
        "5. Dev: 111",
    ]
    told = phone.show(table.link("/history")).text
    assert "Bob: 20 (10 J) → 35 (10 J A)" in told
    sheet = phone.show(table.link("/sheet"))
    assert all(str(total) in sheet.say("tfoot") for total in (78, 110, 100, 111, 95))


def _correct(phone: Phone, table: Page, position: int, seat: int, cards: str) -> Page:
    cell = phone.show(table.link(f"/deals/{position}/seats/{seat}"))
    assert ". Not changed since." in cell.text
    hand = phone.show(cell.link("/cards")).form()
    return phone.press(hand.fill(f"seat{seat}-cards", cards), "amend")


def test_zioncheck(lone: Phone) -> None:
    deals = [
        (0, {1: "7 7 K", 2: "X", 3: "A 2"}, [0, 20, 15, 20]),
        (1, {0: "9", 2: "45", 3: "10 J"}, [5, 20, 60, 40]),
        (2, {0: "3 3 3", 1: "X X", 3: "Q"}, [20, 50, 60, 50]),
        (3, {0: "2", 1: "4", 2: "A"}, [25, 55, 75, 50]),
        (0, {1: "6", 2: "5", 3: "T"}, [25, 60, 80, 60]),
        (1, {0: "K K", 2: "8", 3: "9 9"}, [45, 60, 85, 70]),
    ]
    table = start(lone, "zioncheck", "Ann", "Bob", "Cleo", "Dev")
    assert "starts with 2 turns" in table.text
    assert "No hand is scored yet." in lone.show(table.link("/seats/0")).text
    for out, hands, expected in deals:
        table = score(lone, table, "out", out, hands)
        assert totals(table) == expected
    assert places(table) == ["1. Ann: 45", "2. Bob: 60", "3. Dev: 70", "4. Cleo: 85"]


def test_home_says_how_the_last_evening_turned(lone: Phone) -> None:
    table = start(lone, "zioncheck", "Ann", "Bob")
    for ann in ("", "", "", "", "", "K K K"):
        table = score(lone, table, "out", 1 if ann else 0, {0: ann} if ann else {1: "4"})
    assert "decided in the last hand" in lone.show("/").text


def test_chicago_until_one_is_left(phone: Phone) -> None:
    table = start(phone, "chicago-rummy")
    table = score(phone, table, "knock", 0, {0: "5", 1: "20", 2: "30"})
    assert totals(table) == [5, 20, 30]
    table = score(phone, table, "knock", 1, {0: "4", 1: "9", 2: "40"})
    assert totals(table) == [9, 44, 70], "a beaten knock costs 15 more"
    bob = phone.show(f"{game_of(table)}/seats/1")
    assert "Knock beaten, +15" in bob.text
    assert bob.all("[href*='without=']"), "said beside cards that are tapped to mend them"
    table = score(phone, table, "rummy", 2, {0: "10+0", 1: "20"})
    assert totals(table) == [19, 64, 70]
    table = score(phone, table, "knock", 0, {0: "2", 1: "12", 2: "35"})
    assert totals(table) == [21, 76, 105], "Cleo is out"
    assert dealer(table) == "Bob", "the deal passes over who is out"
    assert not [link for link in table.links() if "/deals/new" in link and "by=2" in link]
    table = score(phone, table, "knock", 0, {0: "0", 1: "30"})
    assert places(table) == ["1. Ann: 21", "2. Bob: 106", "3. Cleo: 105"]
    assert "out in round 5" in table.say(".podium li:nth-child(2)"), "why 106 is before 105"
    assert "out in round 4" in table.say(".podium li:nth-child(3)")


def test_of_several_open_games_the_latest_is_offered_and_the_others_are_folded(
    phone: Phone,
) -> None:
    for game in ("contract-rummy", "zioncheck", "zip-zilch-zero"):
        table = start(phone, game)
    home = phone.show("/")
    assert home.one("a.felt").attrs["href"] == game_of(table)
    assert home.say("details summary") == "2 more open games"
    assert [words(row).split(" Ann")[0] for row in home.all("details .rows > div")] == [
        "Zioncheck",
        "Contract Rummy",
    ]


def test_seven_twos_win_at_once(lone: Phone) -> None:
    table = start(lone, "chicago-rummy")
    table = score(lone, table, "knock", 0, {0: "5", 1: "20", 2: "30"})
    table = score(lone, table, "instant_win", 2, {})
    assert totals(table) == [5, 20, 30], "the round is not scored"
    assert places(table) == ["1. Cleo: 30", "2. Ann: 5", "3. Bob: 20"]
    assert "with seven twos" in table.say(".win")
    assert "behind" not in table.say(".podium"), "the points did not decide"
    assert table.said(".podium small") == ["", "", ""]


def test_zip_below_zero_and_without_stock(phone: Phone) -> None:
    table = start(phone, "zip-zilch-zero")
    table = score(phone, table, "out", 0, {1: "K 2", 2: "3"}, {0: "20", 1: "10", 2: "0"})
    assert totals(table) == [20, -5, -3]
    hands = {0: "30", 1: "J Q", 2: "A"}
    table = score(phone, table, "", None, hands, {0: "4", 1: "12", 2: "26"})
    assert totals(table) == [-6, -16, 22]
    table = score(phone, table, "out", 2, {0: "5", 1: "9 9"}, {0: "8", 2: "14"})
    assert totals(table) == [-3, -34, 36]
    table = score(phone, table, "out", 1, {0: "K K", 2: "4"}, {0: "16", 1: "30", 2: "2"})
    assert places(table) == ["1. Cleo: 34", "2. Bob: −4", "3. Ann: −13"]


def test_cards_of_a_last_zip_that_is_none_are_left(lone: Phone) -> None:
    """ZZ-4.4: 7 + 2 + 4 are found while counting, beside 6 + 6 zipped and a king."""
    table = start(lone, "zip-zilch-zero")
    pad = lone.show(f"{game_of(table)}/deals/new?how=out&by=0").form()
    pad.fill("seat0-zips", "6B 6R").fill("seat1-zips", "6B 6R / 7R 2B 4B").fill("seat1-cards", "K")
    asked = lone.press(pad.fill("seat2-cards", "3"), "review", 200)
    assert "make −1, not 0. They count as left in hand." in asked.text, asked.text
    saved = lone.press(asked.form(), "Count them as left", 200)
    assert totals(lone.press(saved.form(), "save")) == [12, 12 - 13 - 7 - 2 - 4, -3]


def _one_deal(phone: Phone, game: str = "contract-rummy", **fields: str) -> Page:
    return score(phone, start(phone, game, **fields), "out", 0, {1: "K", 2: "A"})


def test_saved_can_be_undone_and_what_was_undone_restored(phone: Phone) -> None:
    table = phone.press(_one_deal(phone).form("/restorations"))
    assert totals(table) == [0, 0, 0]
    history = phone.show(table.link("/history"))
    versions = {form.data()["version"]: form for form in history.forms()}
    assert versions.keys() == {"1", "2"}, "every version but the one that stands"
    table = phone.press(versions["2"])
    assert totals(table) == [0, 10, 15]
    assert phone.show(phone.show(table.link("/history")).link("/deals/1")).heading == "Deal 1"


def _versions(table: Page) -> dict[str, Filled]:
    return {form.data()["version"]: form for form in table.forms() if "version" in form.data()}


def test_undoing_again_goes_a_step_further_back_and_redo_brings_it_back(lone: Phone) -> None:
    """The line below the scores offers what was just undone again; the menu goes on back."""
    table = score(lone, _one_deal(lone), "out", 0, {1: "2", 2: "3"})
    table = lone.press(table.form("/restorations"))
    assert (totals(table), "Deal 2 taken out again. Redo" in table.text) == ([0, 10, 15], True)
    assert "Undo last change Deal 1 saved" in table.text
    versions = _versions(table)
    assert versions.keys() == {"1", "3"}
    redone = lone.press(versions["3"])
    assert (totals(redone), "Deal 2 is back. Undo" in redone.text) == ([0, 12, 18], True)
    assert "Undo last change Deal 2 saved" in redone.text
    table = lone.press(_versions(redone)["4"])
    table = lone.press(_versions(table)["1"])
    assert totals(table) == [0, 0, 0]
    assert "Undo last change" not in table.text


def test_what_is_wrong_is_found_from_the_menu(lone: Phone) -> None:
    sheet = lone.show(_one_deal(lone).link("/more/correct"))
    assert sheet.heading == "Correct a score"
    assert totals(_correct(lone, sheet, 1, 1, "Q 2")) == [0, 12, 15]


def test_an_undone_correction_says_whose_points_are_back(lone: Phone) -> None:
    table = _correct(lone, _one_deal(lone), 1, 1, "Q 2")
    assert totals(table) == [0, 12, 15]
    table = lone.press(lone.show(table.path).form("/restorations"))
    assert totals(table) == [0, 10, 15]
    assert "Deal 1 changed back: Bob 12 → 10. Redo" in table.text


@pytest.mark.parametrize(
    ("after", "step", "deals"),
    [("again", 2, "Bob"), ("next_dealer", 2, "Cleo"), ("skip", 3, "Cleo")],
)
def test_a_deal_thrown_in(lone: Phone, after: str, step: int, deals: str) -> None:
    form = lone.show(_one_deal(lone).link("/more/throw-in")).form()
    table = lone.press(form.choose("after_void", after))
    assert f"Deal {step} of 7" in table.say(".title")
    assert dealer(table) == deals
    table = score(lone, table, "out", 1, {0: "2", 2: "3"})
    assert totals(table) == [2, 10, 18]


@pytest.mark.parametrize(
    ("game", "tapped", "title"),
    [
        ("contract-rummy", "/more/throw-in", "Cancel this deal"),
        ("contract-rummy", "/more/throw-in?name=nobody", "Nobody went out"),
        ("chicago-rummy", "/more/throw-in", "Cancel this round"),
    ],
)
def test_the_page_is_called_what_was_tapped(
    lone: Phone, game: str, tapped: str, title: str
) -> None:
    page = lone.show(start(lone, game).link(tapped))
    assert page.heading == title
    assert page.say("form button").startswith("Cancel this")


def test_a_deal_thrown_in_is_scored_after_all(lone: Phone) -> None:
    table = start(lone, "chicago-rummy")
    table = lone.press(lone.show(table.link("/more/throw-in")).form())
    page = lone.show(f"{game_of(table)}/deals/1/ended")
    ended = [link for link in page.links() if "how=knock&by=1" in link]
    page = review(lone, lone.show(ended[0]), {0: "30", 1: "3", 2: "12"}, status=303)
    assert totals(page) == [30, 3, 12]


def test_a_deal_struck_out_is_dealt_again(lone: Phone) -> None:
    table = _one_deal(lone)
    page = lone.show(table.link("/deals/1"))
    table = lone.press(page.form("/void"))
    assert totals(table) == [0, 0, 0]
    assert "Deal 1 of 7" in table.say(".title")


KNOCKED = ("knock", 0, {0: "5", 1: "4", 2: "30"})
ZIPPED = ("out", 0, {1: "K 2", 2: "3"}, {0: "20", 1: "10", 2: "0"})


@pytest.mark.parametrize(
    ("game", "scored", "ended", "hands", "expected"),
    [
        pytest.param(
            *("contract-rummy", ("out", 0, {1: "K", 2: "A"}), "how=out&by=2"),
            *({0: "Q Q", 1: "K"}, [20, 10, 0]),
            id="by another player",
        ),
        pytest.param(
            *("chicago-rummy", KNOCKED, "how=rummy&by=0", {1: "4", 2: "30"}, [0, 4, 30]),
            id="by a rummy, no knock",
        ),
        pytest.param(
            *("zip-zilch-zero", ZIPPED, "how=", {0: "A"}, [19, -5, -3]),
            id="without stock",
        ),
    ],
)
def test_an_earlier_deal_ended_otherwise(
    lone: Phone, game: str, scored: Any, ended: str, hands: dict[int, str], expected: list[int]
) -> None:
    cell = lone.show(score(lone, start(lone, game), *scored).link("/deals/1/seats/1"))
    page = lone.show(lone.show(cell.link("/deals/1/ended")).link(ended))
    assert totals(review(lone, page, hands, status=303)) == expected


@pytest.mark.parametrize(("rule", "points"), [("highest", 15), ("average", 9), ("zero", 0)])
def test_somebody_joins_late(phone: Phone, rule: str, points: int) -> None:
    form = phone.show(_one_deal(phone).link("/more/join")).form()
    table = phone.press(form.fill("name", "Dev").choose("start_rule", rule))
    assert totals(table) == [0, 10, 15, points], "the average of 0, 10 and 15 is rounded up"
    table = score(phone, table, "out", 1, {0: "2", 2: "3", 3: "4"})
    assert totals(table) == [2, 10, 18, points + 4]


def test_a_correction_names_everybody_whose_points_changed(phone: Phone) -> None:
    table = score(phone, start(phone, "chicago-rummy"), "knock", 1, {0: "20", 1: "9", 2: "7+0"})
    assert totals(table) == [20, 24, 7]
    form = phone.show(phone.show(table.link("/more/correct")).link("/deals/1/seats/2"))
    pad = phone.show(form.link("/cards")).form().fill("seat2-total", "13")
    table = phone.press(pad)
    assert totals(table) == [20, 9, 13]
    assert "Round 1 corrected: Bob 24 → 9, Cleo 7 → 13" in table.text


def test_who_joins_a_race_does_not_start_in_the_lead(phone: Phone) -> None:
    table = score(phone, start(phone, "uno"), "out", 0, {1: "0+400", 2: "0"})
    assert totals(table) == [400, 0, 0]
    form = phone.show(table.link("/more/join")).form()
    table = phone.press(form.fill("name", "Dev"))
    assert totals(table) == [400, 0, 0, 0]
    assert "Joined in round 2 with the lowest total" in phone.show(f"{game_of(table)}/seats/3").text


def test_points_to_start_with_are_asked_where_the_ways_differ(lone: Phone) -> None:
    page = lone.show(start(lone, "contract-rummy").link("/more/join"))
    assert not page.all("legend")
    table = lone.press(page.form().fill("name", "Dev"))
    assert totals(table) == [0, 0, 0, 0]
    table = score(lone, table, "out", 0, {1: "K", 2: "K", 3: "A"})
    form = lone.show(table.link("/more/join")).form()
    offered = [c.attrs["value"] for c in form.controls() if c.attrs.get("type") == "radio"]
    assert offered == ["highest", "average", "zero"], "15, 9 and 0"


def test_somebody_joins_late_between_two_others(phone: Phone) -> None:
    form = phone.show(_one_deal(phone).link("/more/join")).form()
    chairs = [words(option) for option in walk(form.control("sits_after"))]
    assert chairs == ["between Ann and Bob", "between Bob and Cleo", "between Cleo and Ann"]
    assert form.value("sits_after") == "2", "at first after the last"
    refused = phone.press(form.fill("sits_after", "1"), status=422).form()
    assert refused.value("sits_after") == "1", "a name was missing, the place is not asked again"
    table = phone.press(refused.fill("name", "Dev"))
    names = table.said("table.board bdi")
    assert names == ["Ann", "Bob", "Dev", "Cleo"], "as they sit"
    assert table.said(".names bdi")[:4] == names
    table = score(phone, table, "out", 1, {0: "2", 2: "3", 3: "4"})
    assert dealer(table) == "Dev"


def test_somebody_leaves(phone: Phone) -> None:
    table = score(
        phone, start(phone, "contract-rummy", *FIVE), "out", 0, {1: "K", 2: "A", 3: "2", 4: "3"}
    )
    page = phone.show(phone.show(f"{game_of(table)}/seats/1").link("/more/leave?name=1"))
    assert (page.heading, page.say("form button")) == ("Bob leaves the game", "B Bob leaves")
    page = phone.show(table.link("/more/leave"))
    assert page.heading == "Someone leaves"
    table = phone.press(page.form("/departures"), "Bob leaves")
    table = score(phone, table, "out", 0, {2: "A", 3: "2", 4: "3"})
    assert totals(table) == [0, 10, 30, 4, 6], "the points so far stay"


def test_what_is_undone_says_what_is_so_again(lone: Phone) -> None:
    table = _one_deal(lone)
    page = lone.show(lone.show(f"{game_of(table)}/seats/1").link("/more/leave?name=1"))
    table = lone.press(lone.press(page.form("/departures")).form("/restorations"))
    assert "Bob is back. Redo" in table.text
    assert "Bob left. Undo" in lone.press(_versions(table)["3"]).text
    table = lone.press(lone.show(table.link("/more/stop")).form())
    table = lone.press(_versions(lone.show(table.link("/history")))["5"])
    assert "The game goes on. Redo" in table.text


def test_stopped_and_gone_on_with(lone: Phone) -> None:
    table = _one_deal(lone)
    table = lone.press(lone.show(table.link("/more/stop")).form())
    assert not [link for link in table.links() if "/deals/new" in link]
    assert lone.send(f"{game_of(table)}/deals/new?how=out&by=0").status_code == 303
    table = lone.press(table.form("/stops"))
    assert totals(score(lone, table, "out", 0, {1: "K", 2: "A"})) == [0, 20, 30]


def test_again_at_the_same_table(phone: Phone) -> None:
    table = _one_deal(phone, rule_joker="50")
    table = phone.press(phone.show(table.link("/more/stop")).form())
    again = phone.press(table.form("/rematch"))
    assert again.path != table.path
    assert totals(again) == [0, 0, 0]
    assert dealer(again) == "Bob", "the deal passes on from Ann"
    table = score(phone, again, "out", 0, {1: "X", 2: "A"})
    assert totals(table) == [0, 50, 15], "the house rules stay"


def test_too_few_are_left_to_play_again(lone: Phone) -> None:
    table = _one_deal(lone)
    page = lone.show(lone.show(f"{game_of(table)}/seats/1").link("/more/leave?name=1"))
    table = lone.press(page.form("/departures"))
    table = lone.press(lone.show(table.link("/more/stop")).form())
    page = lone.press(table.form("/rematch"), status=422)
    assert "2" in page.faults, "two players are too few, said in words"


def test_other_packs_and_the_first_dealer(lone: Phone) -> None:
    table = start(lone, "contract-rummy", decks="3", jokers="4", dealer="2")
    assert "3 decks and 4 jokers" in table.text
    assert dealer(table) == "Cleo"
    buttons = lone.show(table.link("/more/dealer")).form("/dealer")
    assert dealer(lone.press(buttons, "Bob")) == "Bob"
    assert "starts with 2 turns" in start(lone, "zioncheck").text


def test_house_rules_chosen_at_the_start(lone: Phone) -> None:
    table = start(lone, "contract-rummy", rule_number_cards="5", rule_out_points="-25")
    table = score(lone, table, "out", 0, {1: "2 9 K", 2: "A X"})
    assert totals(table) == [-25, 20, 40]


def corrected_under_a_knock(phone: Phone) -> Page:
    """Chicago: with Bob's corrected score his knock of round 2 was over its limit (I7)."""
    table = start(phone, "chicago-rummy")
    table = score(phone, table, "knock", 0, {0: "5", 1: "80", 2: "30"})
    table = score(phone, table, "knock", 1, {0: "20", 1: "9", 2: "30"})
    cell = phone.show(f"{game_of(table)}/deals/1/seats/1/cards")
    form = cell.form().fill("seat1-cards", "").fill("seat1-total", "95")
    return phone.press(form, "amend", status=200)


def test_what_later_deals_say_to_a_correction(phone: Phone) -> None:
    asked = corrected_under_a_knock(phone)
    kept = phone.press(asked.form().choose("later", "keep"), "save")
    assert totals(kept) == [25, 104, 60]
    told = phone.show(kept.link("/history")).text
    assert "can't knock with 9" in told


def test_the_later_deal_may_be_struck_out_instead(lone: Phone) -> None:
    asked = corrected_under_a_knock(lone)
    struck = lone.press(asked.form().choose("later", "void"), "save")
    assert totals(struck) == [5, 95, 30]


def test_history_tells_who_came_and_went_even_of_joiners_undone(lone: Phone) -> None:
    table = start(lone, "contract-rummy")
    form = lone.show(table.link("/more/join")).form()
    table = lone.press(form.fill("name", "Eve"))
    table = score(lone, table, "out", 0, {1: "K", 2: "7", 3: "9"})
    told = lone.show(table.link("/history"))
    assert "Eve joined with 0" in told.text
    lone.press(next(form for form in told.forms() if form.data().get("version") == "1"))
    assert "Eve isn't in the game" not in lone.show(table.link("/history")).text
    assert "A player: 9 (9)" in lone.show(table.link("/history")).text


def test_saving_without_a_change_offers_no_undo(lone: Phone) -> None:
    table = start(lone, "contract-rummy")
    table = score(lone, table, "out", 0, {1: "K", 2: "7"})
    table = score(lone, table, "out", 0, {1: "K", 2: "7"})
    cell = lone.show(f"{game_of(table)}/deals/1/seats/1/cards")
    table = lone.press(cell.form(), "amend")
    assert not table.all("form.story")
    assert totals(table) == [0, 20, 14]


def test_a_cancelled_deal_has_no_number_of_its_own(phone: Phone) -> None:
    """What players read counts contracts: deal 1 of 7 is dealt again."""
    table = start(phone, "contract-rummy")
    table = phone.press(
        phone.show(table.link("/more/throw-in")).form().choose("after_void", "again")
    )
    table = score(phone, table, "out", 0, {1: "K", 2: "A"})
    assert "Deal 1 saved" in table.text
    assert "Deal 2 of 7" in table.say(".title")
    assert phone.show(table.link("/history")).text.count("Look at deal 1") == 2
    sheet = phone.show(f"{game_of(table)}/sheet")
    assert sheet.said("tbody th")[:3] == ["1", "1", "2"]
    seat = phone.show(f"{game_of(table)}/seats/1")
    assert "Deal 1" in seat.text
    assert "Deal 2" not in seat.text


def test_the_same_table_is_whoever_stayed_and_is_not_offered_while_they_play(
    phone: Phone,
) -> None:
    table = start(phone, "zip-zilch-zero", names="Ann, Bob, Cleo, Dev")
    left = phone.show(f"{game_of(table)}/more/leave?name=3").form()
    table = phone.press(left)
    for _ in range(4):
        table = score(phone, table, "out", 0, {1: "K", 2: "A"}, {0: "0", 1: "0", 2: "0"})
    home = phone.show("/")
    assert "Same three again?" in home.text
    assert len(home.all(".button.main")) == 1
    phone.press(home.form("/rematch"))
    home = phone.show("/")
    assert "again?" not in home.text
    assert home.all(".button.main") == []
    assert home.said("a.button") == ["New game"]


def test_a_penalty_without_points_or_a_reason_says_so(lone: Phone) -> None:
    _one_deal(lone)
    asked = lone.show("/games/1/deals/1/seats/1/points").form()
    refused = lone.press(asked.fill("seat1-adjust", "10"), status=422)
    assert refused.say("#seat1-why-fault") == "Say why Bob gets or loses points."
    assert refused.one(".notice a").attrs["href"] == "#seat1-why"
    assert not refused.all("#seat1-adjust-fault")
    asked.fill("seat1-adjust", "")
    for why in ("", "a wrong knock"):
        refused = lone.press(asked.fill("seat1-why", why), "amend", 422)
        assert refused.faults.endswith("Enter how many points.")
    given = lone.press(asked.fill("seat1-adjust", "5"), "amend")
    assert totals(given) == [0, 15, 15]
    back = lone.show("/games/1/deals/1/seats/1/points").form()
    assert totals(lone.press(back.fill("seat1-adjust", "").fill("seat1-why", ""), "amend")) == [
        0,
        10,
        15,
    ]
