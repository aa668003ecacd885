"""The rules pages: every number drawn from the rules that score, every example shown."""

import pytest

from companion.rules import (
    Variant,
    card_games,
    load,
    load_examples,
    missing_games,
    point_games,
)
from companion.rules.book import load_book
from companion.rules.contracts import contract_words
from companion.rules.field_text import rule_fields
from companion.rules.words import pack_words, value_rows, value_signs
from tests.visits.browserless import start
from tests.visits.house_forms import values
from tests.visits.pages import Page, spaced
from tests.visits.phones import Phone

KEYS = [variant.key for variant in card_games()]
EVERY_GAME = pytest.mark.parametrize("variant", card_games(), ids=KEYS)
WITH_CONTRACTS = [variant for variant in card_games() if variant.has_contracts]


# The whole book


@EVERY_GAME
def test_the_book_has_every_example_number_rule_and_field(lone: Phone, variant: Variant) -> None:
    page, examples = lone.show(f"/rules/{variant.key}/book"), load_examples(variant.key)
    titles = [worked.title for worked in examples.hands]
    titles += [worked.title for worked in examples.deals]
    titles += [worked.title for worked in examples.games]
    assert titles
    assert not [title for title in titles if title not in page.text]
    for deal in variant.deals:
        assert deal.contract is None or contract_words(deal.contract) in page.text
    for row in variant.packs:
        assert pack_words(variant.pack(row.players[0])) in page.text
    if variant.scoring.entry != "payments":
        assert values(page)[: len(value_rows(variant.counted))] == [
            f"{ranks} {points}" for ranks, points in value_rows(variant.counted)
        ]
    ids = {rule.attrs["id"] for rule in page.all("article.rule")}
    assert ids == {entry.id for entry in load_book(variant).entries}
    lines = {
        (spaced(row.css("dt")[0]), spaced(row.css("dd")[0]))
        for row in page.all("#house .at-a-glance div")
    }
    for fact in rule_fields(variant):
        assert (fact.label, fact.words) in lines
    assert ("you can change it" in page.text) == (variant.verified == "assumed")


@EVERY_GAME
def test_every_rule_has_an_address_for_ever(lone: Phone, variant: Variant) -> None:
    book = load_book(variant)
    for name in (book.entries[0].id, *book.retired):
        answer = lone.raw(f"/rules/{variant.key}/rule/{name}")
        assert answer.status_code == 302
        found = book.find(name)
        assert found
        assert answer.headers["Location"].endswith(f"/rules/{variant.key}/book#{found.id}")
    assert lone.raw(f"/rules/{variant.key}/rule/XX-99").status_code == 404


# The card for the table


@EVERY_GAME
def test_the_card_has_contracts_values_and_a_place_to_ask(lone: Phone, variant: Variant) -> None:
    page = lone.show(f"/rules/{variant.key}")
    assert page.all("form[role=search]")
    assert len(page.all(".contracts li")) == len(variant.deals) * variant.has_contracts
    if variant.scoring.entry != "payments":
        told = [spaced(row) for row in page.all(".values-card li")]
        assert told == [f"{ranks} {points}" for ranks, points in value_signs(variant.counted)]


def test_the_card_of_a_running_game_shows_this_deal_first(lone: Phone) -> None:
    start(lone, "contract-rummy")
    page = lone.show("/rules/contract-rummy?game=1")
    assert page.say(".felt h2").startswith("Two sets of three")
    assert page.all(".felt .card")
    assert not page.all(".contracts")


@pytest.mark.parametrize("variant", WITH_CONTRACTS, ids=lambda v: v.key)
def test_the_contract_card_is_a_sheet_of_its_own(lone: Phone, variant: Variant) -> None:
    page = lone.show(f"/rules/{variant.key}/contracts")
    assert len(page.all("tbody tr")) == len(variant.deals)
    drawn = page.all(".contract-card .melds")
    ways = [1 + len(deal.contract.or_melds) for deal in variant.deals if deal.contract]
    assert len(drawn) == sum(ways)


def test_a_game_without_contracts_has_no_contract_card(lone: Phone) -> None:
    lone.show("/rules/chicago-rummy/contracts", 404)


# House rules rewrite the page


def test_a_house_rule_rewrites_the_page_of_its_game(lone: Phone) -> None:
    """Joker 15 and twos wild at 25: the game's page says so, the book's does not."""
    fields = {"rule_joker": "15", "rule_deuces_wild": "25"}
    table = start(lone, "contract-rummy", **fields)
    assert "2 house rules" in table.text
    page = lone.show(lone.show(table.link("/rules/contract-rummy?game=1")).link("/book"))
    assert "joker 15" in values(page)
    assert "2 25" in values(page)
    assert "2 differences from the book" in page.text
    assert len(page.all("#house-differences li")) == 2
    plain = lone.site.phone().show("/rules/contract-rummy/book")
    assert "joker 25" in values(plain)
    assert "differences from the book" not in plain.text


# Choosing a game


def test_the_page_to_choose_a_game_fits_the_table(lone: Phone) -> None:
    everything = lone.show("/rules")
    shelf = [*card_games(), *point_games()]
    assert _names(everything) == [variant.name for variant in shelf]
    for game in missing_games():
        assert game.name in everything.text
    twelve = lone.show("/rules?players=12")
    assert [v.name for v in shelf if v.players.max >= 12] == _names(twelve)
    assert "games match" in twelve.text
    short = lone.show("/rules?length=short&players=4")
    assert "Zip, Zilch, Zero" in _names(short)
    assert "Contract Rummy" not in _names(short)
    assert _names(lone.show("/rules?players=99")) == []


def _names(page: Page) -> list[str]:
    return page.said("li a.named")


def test_it_says_what_differs_from_the_game_they_know(lone: Phone) -> None:
    page = lone.show("/rules?known=contract-rummy")
    rows = [row for row in page.all("li") if row.css("a.named")]
    by_name = {spaced(row.css("a.named")[0]): row for row in rows}
    bicycle = spaced(by_name[load("contract-bicycle").name])
    assert "Cards in hand count: A = 15" in bicycle
    assert "joker = 15" in bicycle
    assert "difference" not in spaced(by_name["Contract Rummy"])


# Asking


def headline(page: Page) -> str:
    return spaced(page.one(".answer h2"))


def test_a_question_is_answered_by_the_game_that_is_played(lone: Phone) -> None:
    start(lone, "contract-rummy", "Ann, Bob, Cleo", rule_joker="50")
    page = lone.show("/rules/contract-rummy/search?q=what+is+a+joker+worth&game=1")
    assert headline(page) == "50 points"
    assert page.heading == "what is a joker worth"
    answer = spaced(page.one(".answer"))
    assert "Your house" in answer
    assert "Contract Rummy rules" not in answer


@pytest.mark.parametrize(
    ("key", "asked", "answer"),
    [
        ("contract-rummy", "may i lay off in the turn i go down", "No"),
        ("king", "may i lay off in the turn i go down", "Yes, on any meld on the table"),
        ("zioncheck", "do we need to be down to take a joker", "No"),
        ("contract-rummy", "how many cards in deal 6", "12 cards"),
        ("contract-rummy", "decks for 6 people", "3 decks and 2 jokers"),
        ("contract-rummy", "what is a queen worth", "10 points"),
        ("continental", "how many cards in deal 5", "15 cards"),
        ("king", "what is a joker worth", "25 points"),
        (
            "contract-rummy",
            "what is the contract of deal 2",
            "One set of three and one run of four",
        ),
        ("contract-rummy", "can nine of us play", "No"),
        ("shanghai", "how many buys in deal 9", "4 times"),
        ("chicago-rummy", "i began with 95 what may i knock with", "5 or less"),
        ("chicago-rummy", "he knocked with 7 and i have 7 too, who gets the 15", "No"),
        ("chicago-rummy", "the knocker is not lowest", "15 points more"),
        (
            "king",
            "may i come out with four jacks instead of three in the opening round",
            "One set of exactly three and one run of four or more",
        ),
        (
            "king",
            "can a set be larger than three",
            "Yes, unless the contract says otherwise, but no further melds",
        ),
        ("uno", "reverse left over how much", "20 points"),
        ("doppelkopf", "what is a fuchs worth", "A point more"),
        ("phase-10", "can the same person be skipped twice", "No"),
        ("carioca", "que se juega en la tercera ronda", "Two runs of four"),
        ("romme", "wie viel punkte braucht man zum rauskommen", "40 points or more"),
        ("telefunken", "wie viele karten bekommt jeder", "11 cards"),
        ("skat", "doppelkopf wie viele karten", "Twelve cards each"),
        ("frustration", "prog rummy round 2", "One set of three and one run of four"),
        ("wizard", "wizard who wins with 2 wizards", "The first wizard played takes it"),
        (
            "phase-10",
            "2 people finish phase 10 same hand who wins",
            "The one of them with the lowest total",
        ),
        ("chicago-rummy", "how many cards each", "7 cards"),
        ("contract-rummy", "which deal has three runs", "Three runs of four"),
        (
            "contract-rummy",
            "which contract follows three sets",
            "Two sets of three and one run of four",
        ),
        (
            "contract-rummy",
            "which contract is before the last",
            "One set of three and two runs of four",
        ),
        (
            "contract-rummy",
            "what is the contract in the penultimate deal",
            "One set of three and two runs of four",
        ),
        (
            "contract-rummy",
            "can i lay down more than the contract asks",
            "Yes, larger melds, but no further ones",
        ),
        ("zip-zilch-zero", "must i play a zip", "No"),
        ("kalooki-jamaica", "can i throw a joker away", "No"),
        ("three-thirteen", "am i allowed to show my finished trio on the table already", "No"),
        ("three-thirteen", "may i throw back the card i just took", "Yes"),
        (
            "shanghai",
            "can i buy twice",
            "Yes, at most 3 times in deals 1 to 8; at most 4 times in deals 9 to 10",
        ),
        (
            "shanghai",
            "how many times can I buy",
            "At most 3 times in deals 1 to 8; at most 4 times in deals 9 to 10",
        ),
        ("contract-rummy", "can i buy twice", "Yes, as often as you like"),
        ("carioca-chile", "can I swap a joker", "Yes, for the exact card it stands for"),
        ("hollywood", "are aces wild", "Yes"),
        (
            "chicago-rummy",
            "who may not knock",
            "If you begin the round with 100 points or more, you can't knock",
        ),
        ("contract-rummy", "are aces wild", "No"),
        ("chicago-rummy", "i am on 94 can i knock with 9", "No"),
        ("zioncheck", "may my aunt join after the second hand", "Yes, if everyone agrees"),
    ],
)
def test_an_answer_begins_with_yes_no_or_the_number(
    lone: Phone, key: str, asked: str, answer: str
) -> None:
    assert headline(lone.show(f"/rules/{key}/search?q={asked.replace(' ', '+')}")) == answer


@pytest.mark.parametrize(
    ("key", "asked", "title"),
    [
        ("contract-rummy", "how does going down work", "Going down"),
        ("contract-rummy", "nobody wants the discard", "The draw after the discard was refused"),
        (
            "telefunken",
            "theres a joker in a set, what do i need to get it",
            "What you need to take a wild card from a set",
        ),
        # No to *may I at once* would be read as *you need not wait*.
        ("contract-bicycle", "just came down, do i have to wait to add cards", "Laying off"),
        (
            "kalooki-jamaica",
            "can I take the discard before im down",
            "Who may take one out of turn",
        ),
        ("telefunken", "can u use a chip two times in one turn", "Chips"),
        ("shanghai", "may i buy twice in one turn", "How often you may take one out of turn"),
        ("zioncheck", "are 2s wild or just jokers", "Wild cards"),
        (
            "chicago-rummy",
            "she says i can take the discard out of turn but i say not who is right",
            "Out of turn",
        ),
        ("kalooki-jamaica", "do jokers count towards the 40", "What each card counts"),
        ("canasta", "are 4s worth five", "What counts"),
        ("uno", "2 players what does reverse do", "What a reverse does"),
        # Two sentences of its source disagree on it; the rule is what holds.
        ("hollywood", "last hand, do we throw one away at the end", "The last card"),
    ],
)
def test_a_question_that_asks_for_more_is_not_answered_with_yes_or_no(
    lone: Phone, key: str, asked: str, title: str
) -> None:
    assert headline(lone.show(f"/rules/{key}/search?q={asked.replace(' ', '+')}")) == title


@pytest.mark.parametrize(
    ("key", "asked", "other"),
    [
        ("contract-rummy", "can two jokers be side by side", "all wild"),
        ("contract-rummy", "may two wilds touch in a run", "all wild"),
        ("shanghai", "jokers next to each other ok", "all wild"),
        ("frustration", "may i skip a contract", "tried again"),
        ("phase-10", "who can i skip", "skipped twice"),
        ("spades", "how much is a bag worth", "blind nil"),
        ("shanghai", "may we buy in our own turn", "not my turn"),
    ],
)
def test_no_heading_answers_another_question(lone: Phone, key: str, asked: str, other: str) -> None:
    page = lone.show(f"/rules/{key}/search?q={asked.replace(' ', '+')}")
    assert other not in "".join(spaced(each) for each in page.all(".answer > p.quiet"))


@pytest.mark.parametrize(
    "asked",
    ["can two jokers be side by side", "may i swap a joker", "what does a joker cost"],
)
def test_of_jokers_a_game_without_them_says_that_it_has_none(lone: Phone, asked: str) -> None:
    page = lone.show(f"/rules/chicago-rummy/search?q={asked.replace(' ', '+')}")
    assert spaced(page.one(".answer > p.quiet")) == "Are there jokers in Chicago Rummy?"
    assert headline(page) == "No"


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("what does a joker count in five crowns", "Five Crowns"),
        ("uno wild card points", "UNO"),
        ("how long does hollywood take in minutes of tv", "Hollywood Rummy"),
    ],
)
def test_whoever_names_the_game_is_not_asked_to_name_it(lone: Phone, asked: str, name: str) -> None:
    page = lone.show(f"/rules/search?q={asked.replace(' ', '+')}")
    assert "Name the game" not in page.text
    assert spaced(page.one(".answer > p:first-child a")) == name


def test_a_game_of_points_is_asked_on_its_page(lone: Phone) -> None:
    assert lone.show("/rules/skyjo").all("form[role=search]")
    page = lone.show("/rules/skyjo/search?q=when+does+it+end")
    assert headline(page) == "At 100 points"
    assert "source. AT-4.9" in spaced(page.one("article.answer"))
    assert headline(lone.show("/rules/phase-10/search?q=what+is+phase+7")) == "2 sets of 4"


@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("contract-rummy", "what is the contract of deal 12"),
        ("contract-rummy", "contract for the ninth hand"),
        ("contract-rummy", "which contract follows three runs"),
        ("contract-rummy", "how many cards in deal 9"),
        ("shanghai", "how many buys in deal 19"),
    ],
)
def test_a_deal_that_is_not_there_is_answered_by_no_other(
    lone: Phone, key: str, asked: str
) -> None:
    page = lone.show(f"/rules/{key}/search?q={asked.replace(' ', '+')}")
    assert not page.all(".answer > p.quiet")
    assert page.all("article.answer")


def test_the_other_rules_are_folded(lone: Phone) -> None:
    page = lone.show("/rules/contract-rummy/search?q=may+i+buy")
    assert len(page.all(".answer")) == 1
    assert page.all("details.more article.rule")


def test_what_only_another_game_knows_is_answered_by_that_game(lone: Phone) -> None:
    page = lone.show("/rules/contract-rummy/search?q=when+may+i+knock")
    assert spaced(page.one(".answer > p:first-child a")) == "Chicago Rummy"
    page = lone.show("/rules/chicago-rummy/search?q=what+is+a+zip")
    assert spaced(page.one(".answer > p:first-child a")) == "Zip, Zilch, Zero"


def test_nonsense_is_answered_with_the_contents(lone: Phone) -> None:
    page = lone.show("/rules/zioncheck/search?q=xyzzy+plugh")
    assert headline(page) == "We can't say for certain."
    assert not page.all("article.answer")
    assert len(page.all("nav[aria-label=Contents] a")) > 6


def test_what_is_uncertain_shows_the_nearest_rules_folded(lone: Phone) -> None:
    page = lone.show("/rules/contract-rummy/search?q=what+shade+of+paint+goes+with+pegs")
    assert headline(page) == "We can't say for certain."
    assert spaced(page.one(".answer > p:first-child a")) == "Frustration"
    rules = page.all(".answer details:not([open])")
    assert 1 <= len(rules) <= 3
    assert "holes and pegs" in spaced(rules[0])
    for link in (str(link.attrs["href"]) for link in page.all(".answer a")):
        assert link.startswith("/rules/frustration")
        place = link.partition("#")[2]
        assert not place or lone.show(link).all(f'[id="{place}"]')


def test_a_card_whose_colour_decides_is_not_answered_with_one_number(lone: Phone) -> None:
    page = lone.show("/rules/kalooki-jamaica/search?q=what+does+a+black+ace+count")
    assert "black A: 15" in spaced(page.one("article.answer"))
    assert headline(page) != "1 point"


def test_without_a_game_the_one_that_is_meant_answers(lone: Phone) -> None:
    page = lone.show("/rules/search?q=how+many+buys+in+shanghai")
    assert spaced(page.one(".answer > p:first-child a")) == "Shanghai Rummy"
    page = lone.show("/rules/search?q=when+may+i+knock")
    assert len(page.all(".answer")) == 1
    page = lone.show("/rules/search?q=how+many+cards+are+dealt")
    assert "It depends on the game:" in page.text
    assert len(page.all(".answer")) == len([v for v in card_games() if not v.extends])
    assert not lone.show("/rules/search?q=tell+me+a+joke").all(".answer")
