"""The judge without scripts: answers, whole hands, zips, and a league that says no."""

import pytest
from selectolax.lexbor import LexborNode as Element

from companion.rules import Variant, card_games
from companion.store.authors import Author
from tests.leagues.scanning import link_to, tap
from tests.visits.browserless import entry, review, save, start, totals
from tests.visits.pages import Filled, words
from tests.visits.phones import Phone, Site
from tests.web.table.phones_at_table import party


def test_a_hand_is_judged_for_the_deal_on_the_table(lone: Phone) -> None:
    """Deal 1 asks for two sets: three sevens lie, a king is wanted."""
    table = start(lone, "contract-rummy")
    asked = lone.show(table.link("/judge"))
    assert asked.say(".title") == "Can I go down? Deal 1"
    assert "Two sets of three" in asked.say(".felt")
    told = lone.show(f"{asked.path}&hand=7H+7S+7D+KC+KD+2S+9C")
    assert "Not yet: 1 card short." in told.text
    assert "king of hearts" in told.text
    told = lone.show(f"{asked.path}&hand=7H+7S+7D+KC+KD+KH+9C")
    assert "Yes, you can go down." in told.text


def test_many_cards_that_help_are_spread_by_suit_and_rank(lone: Phone) -> None:
    """Two sets of three: sevens, kings or fours, two packs less the cards held, and jokers."""
    page = lone.show("/rules/contract-rummy/judge?deal=1&hand=7H+7S+KC+4D")
    assert "3 cards short. These 13 cards help." in page.text
    ranks = page.all(".spread thead .unseen")
    rows = [[words(cell) for cell in row.css("th .unseen, td")] for row in page.all(".spread tr")]
    assert len(ranks) == 13
    assert rows[1:] == [
        ["clubs", *in_ranks(ranks, {"4": 2, "7": 2, "king": 1})],
        ["diamonds", *in_ranks(ranks, {"4": 1, "7": 2, "king": 2})],
        ["hearts", *in_ranks(ranks, {"4": 2, "7": 1, "king": 2})],
        ["spades", *in_ranks(ranks, {"4": 2, "7": 1, "king": 2})],
    ]
    assert page.said(".helping .card .unseen") == ["joker"]


def in_ranks(ranks: list[Element], copies: dict[str, int]) -> list[str]:
    """A row of the table: the copies under their ranks, nothing elsewhere."""
    return [str(copies.get(words(rank), "")) for rank in ranks]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("hand=", "Tap the cards that you hold first"),
        ("hand=7", "Say the suit too"),
        ("hand=12", "could be cards or points"),
        ("hand=zz", "We don't know"),
        ("hand=7H+7H+7H+7H", "Of the 7 of hearts there are only"),
        ("hand=X+X", "Of the joker there is only 1 in play"),
        ("hand=" + "+".join(["7H"] * 30), "more than any hand"),
        ("deal=99&hand=7H+8S", "Not yet"),
        ("deal=-1&hand=7H+8S", "Not yet"),
        ("game=99999999999&hand=7H+8S", "Not yet"),
        ("game=" + "9" * 5000 + "&hand=7H+8S", "Not yet"),
        ("deal=" + "9" * 5000 + "&hand=7H+8S", "Not yet"),
    ],
)
def test_odd_questions_get_a_sentence(lone: Phone, query: str, sentence: str) -> None:
    assert sentence in lone.show(f"/rules/contract-rummy/judge?{query}").text


def test_the_knock_limit_is_that_of_the_player_asking(lone: Phone) -> None:
    """Bob stands on 95: his limit is 5; Ann stands on 0."""
    table = start(lone, "chicago-rummy", "Ann", "Bob")
    page = review(lone, entry(lone, table, "rummy", 0), {1: "95"})
    table = lone.press(page.form(), "save")
    judge = lone.show(table.link("/judge")).path
    hand = "hand=7H+7S+7D+KC+KS+KD+4H+3C"
    assert "Yes. You have 7 left over; your limit is 9." in lone.show(f"{judge}&{hand}&seat=0").text
    assert "No. You have 7 left over; your limit is 5." in lone.show(f"{judge}&{hand}&seat=1").text


def test_a_league_may_ask_the_judge_only_after_the_deal(lone: Phone) -> None:
    table = start(lone, "contract-rummy")
    judge = lone.show(table.link("/judge")).path
    lone.press(lone.show("/league/settings").form("/settings/judge_during_deal"))
    assert "The judge waits" in lone.show(f"{judge}&hand=7H+8S").heading
    assert "The judge waits" in lone.show("/rules/zioncheck/judge?hand=7H+8S").heading
    lone.press(lone.show(table.link("/more/stop")).form())
    assert "Not yet" in lone.show("/rules/contract-rummy/judge?hand=7H+8S").text
    lone.press(lone.show("/league/settings").form("/settings/judge_during_deal"))
    assert "Judge during a deal: on" in lone.show("/league").text


def test_whole_hands_are_proved_in_review_and_explanation(lone: Phone) -> None:
    """Ann: sevens, and kings with a two; 4 + 5 = 9. Bob's run leaves K 3 4 6 = 23."""
    table = start(lone, "chicago-rummy", "Ann", "Bob")
    form = entry(lone, table, "knock", 0).form()
    form.fill("seat0-hand", "7H 4H 7S KS 7D KD 2C 5C").fill("seat1-hand", "9H 10H JH KH 3C 4C 6C")
    looked_over = lone.press(form, "review", 200)
    assert "A Ann: change this hand left over 4 4 of hearts 5 5 of clubs" in looked_over.text
    assert "+9 9 B Bob: change this hand left over 3 3 of clubs" in looked_over.text
    table = lone.press(looked_over.form(), "save")
    assert totals(table) == [9, 23]
    cell = lone.show(table.link("/deals/1/seats/0"))
    melds = " ".join(words(card) for card in cell.all('[aria-label="Melds"] .card .unseen'))
    assert melds.startswith("7 of diamonds 7 of hearts 7 of spades")
    assert lone.show(cell.link("/cards")).typed_text("seat0-hand") == "7H 4H 7S KS 7D KD 2C 5C"


def test_cards_laid_off_on_the_knocker_are_shown(lone: Phone) -> None:
    """Bob's 10 and jack of hearts lie on Ann's run; a 3 and an ace are left: her 8 is beaten."""
    house = lone.show("/house/chicago-rummy").form("/chicago-rummy")
    lone.press(house.fill("rule-layoff_on_knocker", "True"))
    table = start(lone, "chicago-rummy", "Ann", "Bob")
    form = entry(lone, table, "knock", 0).form()
    form.fill("seat0-hand", "7H 8H 9H KC KD KS 3D 5D").fill("seat1-hand", "10H JH 4C 4D 4S 3C AS")
    table = save(lone, form)
    assert totals(table) == [23, 4]
    cell = lone.show(table.link("/deals/1/seats/1"))
    assert "Laid off on the knocker's melds" in cell.text
    assert "jack of hearts" in cell.text


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("7H 7S 7D", "Ann has 3 cards: the whole hand is 8."),
        ("7 4H 7S KS 7D KD 2C 5C", "Ann: say the suit of each card"),
    ],
)
def test_a_whole_hand_that_cannot_be_comes_back(lone: Phone, hand: str, sentence: str) -> None:
    table = start(lone, "chicago-rummy", "Ann", "Bob")
    form = entry(lone, table, "knock", 0).form()
    form.fill("seat0-hand", hand).fill("seat1-cards", "K")
    page = lone.press(form, "review", 422)
    assert sentence in page.faults
    assert page.typed_text("seat0-hand") == hand


def zipped(phone: Phone, zips: str) -> Filled:
    """Type what Ann zipped, and what Bob and Cleo have left."""
    form = entry(phone, start(phone, "zip-zilch-zero"), "out", 0).form()
    return form.fill("seat0-zips", zips).fill("seat1-cards", "9").fill("seat2-cards", "4")


def test_zips_are_told_group_by_group(lone: Phone) -> None:
    assert totals(save(lone, zipped(lone, "6R 6B / KB 2R 3R 8R"))) == [38, -9, -4]


def test_a_group_that_is_no_zip_is_refused(lone: Phone) -> None:
    page = lone.press(zipped(lone, "6R 7B / 6R 6B"), "review", 422)
    assert "6R 7B" in page.faults
    assert page.typed_text("seat0-zips") == "6R 7B / 6R 6B"


def test_a_last_zip_that_is_open_counts_nothing_and_is_asked_about(lone: Phone) -> None:
    page = lone.press(zipped(lone, "6R 6B / 6R 5B"), "review", 200)
    assert "Ann's last zip is open" in page.doubts
    assert totals(lone.press(page.form(), "save")) == [12, -9, -4]


@pytest.mark.parametrize("key", [variant.key for variant in card_games()])
def test_every_game_has_hands_to_practise_on(lone: Phone, key: str) -> None:
    """One of the two answers is right, and both show the same proof."""
    page = lone.show(f"/rules/{key}/practice?hand=three")
    answers = [lone.show(page.link(f"answer={answer}")) for answer in ("yes", "no")]
    right = ["Right!" in answer.text for answer in answers]
    assert sorted(right) == [False, True]
    assert answers[0].say(".answer") == answers[1].say(".answer")


def test_the_judge_asks_for_the_round_where_each_has_its_own_wild_cards(lone: Phone) -> None:
    """Round 5 of Three Thirteen: seven cards and the one drawn, sevens wild."""
    page = lone.show("/rules/three-thirteen/judge")
    assert "5. 7 cards, wild: sevens" in page.text
    hand = "hand=7H+7S+9D+9C+4H+5H+6H+KD"
    assert "Discard the king of diamonds" in lone.show(f"{page.path}?deal=5&{hand}").text
    assert "a hand has 3, or 4" in lone.show(f"{page.path}?deal=1&{hand}").text


def test_a_round_of_three_thirteen_is_entered_as_whole_hands(lone: Phone) -> None:
    table = start(lone, "three-thirteen", "Ann", "Bob")
    assert "Wild: threes" in table.text
    form = entry(lone, table, "out", 0).form()
    form.fill("seat1-hand", "KH QS 3C")
    table = save(lone, form)
    assert totals(table) == [0, 23]
    assert "Wild: fours" in table.text


def test_an_ace_whose_colour_counts_is_tapped_and_typed_with_it(lone: Phone) -> None:
    """Kalooki in Jamaica: a red ace counts 1, a black one 15; other ranks have one key."""
    table = start(lone, "kalooki-jamaica")
    page = entry(lone, table, "out", 0)
    keys = {key.attrs["data-card"]: key.attrs["data-points"] for key in page.all("[data-card]")}
    assert {"AR": "1", "AB": "15", "K": "10", "X": "50"}.items() <= keys.items()
    assert "A" not in keys
    form = page.form()
    form.fill("seat1-cards", "A 9")
    form.fill("seat2-cards", "AS AR")
    refused = lone.press(form, "review", 422)
    assert "is the ace red or black? Write AR or AB." in refused.text
    form = refused.form()
    form.fill("seat1-cards", "AB 9")
    table = save(lone, form)
    assert totals(table) == [0, 24, 16]


@pytest.mark.parametrize("game", card_games(), ids=lambda game: game.key)
def test_a_joker_has_a_key_where_it_is_in_the_pack(lone: Phone, game: Variant) -> None:
    page = lone.show(f"/rules/{game.key}/judge")
    keys = {key.attrs["data-card"] for key in page.all("[data-card]")}
    played_with = any(row.jokers for row in game.packs)
    assert ("X" in keys, "a joker" in page.text) == (played_with, played_with)


def test_a_house_that_adds_jokers_has_their_key(lone: Phone) -> None:
    """Carioca begins without them."""
    house = lone.show("/house/carioca").form("/carioca")
    lone.press(house.fill("rule-jokers", "2"))
    page = lone.show(start(lone, "carioca", "Ann", "Bob").link("/judge"))
    assert "X" in {key.attrs["data-card"] for key in page.all("[data-card]")}


def test_a_phone_of_two_leagues_asks_about_a_game_of_either(site: Site, ann: Author) -> None:
    harpers, phone = party(site, ann), site.phone()
    mine = start(phone, "contract-rummy", "Zoe", "Yves", "Xara")
    tap(phone, phone.show(f"/j/{link_to(ann, game=harpers.table.game_id)}"), "Cleo")
    for table in (mine.path, harpers.path):
        game = table.partition("?")[0].rpartition("/")[2]
        assert phone.show(f"/rules/contract-rummy/judge?game={game}").say(".title")
