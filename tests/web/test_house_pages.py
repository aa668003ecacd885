"""House rules on the pages: choosing, editing a game of one's own, passing it on, playing it."""

from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborNode as Element
from sqlalchemy import update

import companion
from companion.rules import card_games, load
from companion.rules.house import read_toml
from companion.store.models import House
from tests.support.doses import first_in_every_run
from tests.visits.browserless import score, start, totals
from tests.visits.house_forms import keep, made, values
from tests.visits.pages import Page, spaced
from tests.visits.phones import Phone, Site

KEYS = [variant.key for variant in card_games()]


def differences(page: Page) -> list[str]:
    return [spaced(row) for row in page.all("#differences tbody tr")]


OURS = {"name": "Grandma's", "deal.1.contract": "3 sets of 3", "value.joker": "50"}


def grandmas(phone: Phone) -> str:
    """Make Grandma's game, and give its key."""
    return made(phone, "contract-rummy", **OURS).link("/edit").split("/")[2]


# Choices


def test_a_house_keeps_its_choices_for_the_next_game(lone: Phone) -> None:
    page = lone.show("/house/contract-rummy")
    assert "We play by the book." in page.text
    page = lone.press(page.form("/contract-rummy").fill("rule-joker", "15"))
    assert differences(page) == [
        "What does a joker left in hand count? 15 points 25 points",
    ]
    table = start(lone, "contract-rummy")
    assert "1 house rule" in table.text
    assert totals(score(lone, table, "out", 0, {1: "X", 2: "K"})) == [0, 15, 10]
    assert "joker 15" in values(lone.show("/rules/contract-rummy/book"))


def test_what_was_chosen_at_the_start_is_remembered(lone: Phone) -> None:
    start(lone, "contract-rummy", rule_joker="50")
    assert len(differences(lone.show("/house/contract-rummy"))) == 1
    start(lone, "contract-rummy", rule_joker="25")
    assert differences(lone.show("/house/contract-rummy")) == []


def test_another_league_plays_by_the_book(house: Site) -> None:
    ann, dev = house.phone(), house.phone()
    start(ann, "zioncheck", "Ann", "Bob")
    start(dev, "zioncheck", "Dev", "Eve")
    choice = load("zioncheck").choices[0]
    other = str(choice.options[1].value)
    ann.press(ann.show("/house/zioncheck").form("/zioncheck").fill(f"rule-{choice.key}", other))
    assert differences(ann.show("/house/zioncheck"))
    assert not differences(dev.show("/house/zioncheck"))


# A game of one's own


def test_a_family_makes_its_own_game_and_plays_it(lone: Phone) -> None:
    page = made(lone, "contract-rummy", **OURS)
    assert page.heading == "Grandma's: our house rules"
    assert [line for line in differences(page) if line.startswith("Deal 1")] == [
        "Deal 1 10 cards; Three sets of three 10 cards; Two sets of three"
    ]
    key = page.link("/edit").split("/")[2]
    assert "Grandma's" in lone.show("/rules").text
    table = start(lone, key)
    assert "Three sets of three" in table.text
    assert "house rules" in table.text
    assert totals(score(lone, table, "out", 0, {1: "X", 2: "K"})) == [0, 50, 10]
    assert "joker 50" in values(lone.show(f"/rules/{key}/book"))
    assert "joker 50" in " ".join(lone.show(f"/rules/{key}").say(".values-card").split())
    pad = lone.show(f"/rules/{key}/judge").all("[data-card=X]")
    assert [key.attrs["data-points"] for key in pad if key.attrs] == ["50"]
    assert lone.show(f"/rules/{key}/judge?deal=1").heading == "Can I go down?"


def test_a_game_in_progress_keeps_the_rules_it_began_with(lone: Phone) -> None:
    table = start(lone, key := grandmas(lone))
    keep(lone, lone.show(f"/house/{key}/edit").form().fill("value.joker", "5"))
    changed = lone.show(f"/house/{key}")
    assert [line for line in differences(changed) if "joker = 5" in line]
    table = score(lone, table, "out", 0, {1: "X", 2: "K"})
    assert totals(table) == [0, 50, 10]
    lone.press(changed.form("/drop"))
    assert totals(score(lone, table, "out", 0, {1: "X", 2: "K"})) == [0, 100, 20]
    lone.show(f"/house/{key}", 404)


def test_the_linter_explains_before_play(lone: Phone) -> None:
    form = lone.show("/house/contract-rummy/new").form().fill("name", "Long runs")
    form.fill("deal.7.contract", "3 runs of 5")
    page = lone.press(form, "look", status=200)
    assert "Deal 7 asks for 15 cards and 12 are dealt" in page.text


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("name", " ", "Give your game a name."),
        ("name", "Zioncheck", "There is a game called Zioncheck already"),
        ("pack.1.low", "9", "decks"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(
    lone: Phone, name: str, text: str, words: str
) -> None:
    form = lone.show("/house/contract-rummy/new").form().fill("name", "Ours").fill(name, text)
    page = lone.press(form, "look", status=422)
    assert words.casefold() in page.faults.casefold()
    assert page.form().value(name) == text.strip() or not text.strip()


@pytest.mark.parametrize("key", first_in_every_run(KEYS, 6))
def test_every_game_can_be_the_beginning_of_ones_own(lone: Phone, key: str) -> None:
    """The editor asks for the name and what differs."""
    assert read_toml(lone.raw(f"/house/{key}/file").text) == load(key), "passed on it is the same"
    page = lone.show(f"/house/{key}/new")
    assert asked_at_first(page) == ["name"]
    assert len(page.all("form.stack > details > summary")) <= 12
    page = made(lone, key, name="Ours")
    assert page.heading == "Ours: our house rules"
    assert differences(page) == []


def test_rules_that_cannot_be_read_break_no_page(phone: Phone) -> None:
    """A row that a later release, or a hand in the database, made unreadable is left out."""
    start(phone, "contract-rummy")
    key = grandmas(phone)
    engine = phone.site.engine.execution_options(writing=True)
    for broken in ("", "{", "[]", '{"name": 7}', "\\u0000"):
        with engine.begin() as connection:
            connection.execute(update(House).where(House.key == key).values(rules=broken))
        for address in ("/", "/rules", "/rules/contract-rummy"):
            assert phone.show(address)
        phone.show(f"/house/{key}", 404)


def test_a_game_is_data_alone() -> None:
    """B11 was added without a line of Python: no module knows a variation by its name."""
    root = Path(companion.__file__).parent
    code = "".join(file.read_text(encoding="utf-8") for file in root.rglob("*.py"))
    folders = {path.parent.name: list(path.parent.iterdir()) for path in root.rglob("game.toml")}
    assert "the-ten-contracts" in folders
    for key, files in folders.items():
        assert {file.suffix for file in files} == {".toml"}
        is_a_rank = key == "king"
        assert is_a_rank or not load(key).extends or f'"{key}"' not in code


def test_a_double_tap_keeps_one_game(lone: Phone) -> None:
    form = lone.show("/house/contract-rummy/new").form().fill("name", "Ours")
    looked_over = lone.press(form, "look", status=200).form()
    first, again = lone.press(looked_over, "save"), lone.press(looked_over, "save")
    assert first.path == again.path
    offered = lone.show("/rules").links()
    assert len({link for link in offered if link.startswith("/games/new/our-")}) == 1


# Files


def test_a_game_from_a_file_becomes_our_own(lone: Phone) -> None:
    ours = made(lone, "contract-rummy", **OURS)
    text = lone.raw(ours.link("/file")).text.replace("Grandma", "Grandpa")
    page = lone.press(lone.show("/house/files").form().fill("text", text))
    assert page.heading == "Grandpa's: our house rules"
    assert differences(page) == differences(ours)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "rules: object missing required field"),
        ("deals = [", "this is no TOML file"),
        ("name = 7", "name: expected `str`, got `int`"),
        ('name = "X"\nnmae = 1', "unknown field `nmae`"),
    ],
)
def test_a_file_with_a_fault_is_refused_with_its_path(lone: Phone, text: str, words: str) -> None:
    page = lone.press(lone.show("/house/files").form().fill("text", text), status=422)
    assert words in page.faults


# The editor asks for what differs


def asked_at_first(page: Page) -> list[str]:
    """The fields of the form that stand open before anything is tapped."""
    return [
        str(field.attrs["id"])
        for field in page.all("form.stack input:not([type=hidden]), form.stack select")
        if not any("open" not in above.attrs for above in folds(field))
    ]


def folds(field: Element) -> list[Element]:
    above: Any = field.parent
    found: list[Element] = []
    while above is not None:
        if above.tag == "details":
            found.append(above)
        above = above.parent
    return found


def test_what_was_changed_stays_open(lone: Phone) -> None:
    form = lone.show("/house/contract-rummy/new").form().fill("name", "Ours")
    page = lone.press(form.fill("value.joker", "50"), "look", status=200)
    shown = asked_at_first(page)
    assert "value.joker" in shown
    assert not [
        name
        for name in shown
        if name.startswith(("f.", "deal", "pack.", "bonus.")) and name != "f.melds.wilds"
    ], "which cards are wild stands beside what they count"
    assert page.form().value("summary") == "Made from Contract Rummy."
    page = lone.press(page.form().fill("f.turn.direction", "right"), "look", status=200)
    assert "f.turn.direction" in asked_at_first(page)


def test_a_blank_is_no_limit_and_zero_is_asked_back(lone: Phone) -> None:
    form = lone.show("/house/shanghai/new").form().fill("name", "Ours")
    assert form.value("deal.9.buys") == "4"
    assert form.value("f.pickup.limit") == "3"
    refused = lone.press(form.fill("f.pickup.limit", "0").fill("deal.9.buys", "0"), "look", 422)
    assert "0 would be never. Leave it blank for no limit" in refused.faults
    assert "write a number, no limit, or nothing." in refused.faults
    form = refused.form().fill("f.pickup.limit", "").fill("deal.9.buys", "No limit")
    page = lone.show(keep(lone, form).link("/house/"))
    assert "Discards each player may take out of turn as often as you like" in " ".join(
        differences(page)
    )
    kept = lone.show(page.link("/edit")).form()
    assert (kept.value("f.pickup.limit"), kept.value("deal.9.buys")) == ("", "no limit")


def test_fewer_deals_are_one_number_and_what_follows_is_folded(lone: Phone) -> None:
    """A family of five deals that buys nothing: two differences, and what is left out by them."""
    form = lone.show("/house/contract-rummy/new").form().fill("name", "Ours")
    assert form.value("deals") == "7"
    refused = lone.press(form.fill("deals", "0"), "look", 422)
    assert "How many deals: 1 to 40." in refused.faults
    for text, fault in (("999", "How many deals: 1 to 40."), ("x", "x isn't a whole number")):
        refused = lone.press(refused.form().fill("deals", text), "look", 422)
        assert fault in refused.faults
        assert fault in spaced(refused.one("#deals-fault")), "beside its field"
    form = refused.form().fill("deals", "5").fill("f.pickup.allowed", "false")
    looked_over = lone.press(form, "look", status=200)
    assert "2 differences from the book" in looked_over.text
    assert "Number of deals: 5 (book: 7)" in looked_over.text
    card = lone.press(looked_over.form(), "save")
    assert card.heading == "Ours"
    assert "Play Ours" in card.text
    house = lone.show(card.link("/house/"))
    assert [line.rpartition(" ")[0] for line in differences(house)] == [
        "A discard may be taken out of turn no",
        "Number of deals 5",
    ]
    folded = house.say("#differences details")
    assert "What goes with that:" in folded
    for what in ("Deal 6", "Deal 7", "If several want it", "You may take back your own discard"):
        assert what in folded
    table = lone.press(lone.show(card.link("/games/new/")).form().fill("names", "Ann, Bob, Cleo"))
    assert "Deal 1 of 5" in table.text
    assert "/games/new/our-ours" in " ".join(lone.show("/").links()), "what was begun last"


def test_examples_and_blanks_stand_beside_their_fields(lone: Phone) -> None:
    page = lone.show("/house/contract-rummy/new")
    said = " ".join(page.say("form.stack").split())
    assert "Most wild cards in a meld Such as 1. Blank: no limit." in said
    assert "Wild cards Such as joker and 2. Blank: none." in said
    assert "Discards each player may take out of turn Such as 3. Blank: no limit." in said


def test_what_families_change_stands_first_and_saving_says_so(lone: Phone) -> None:
    """Five selects in sight and the others folded by subject; one that was taken is in sight."""
    page = lone.show("/house/shanghai")
    assert len(page.all("form.stack > .field")) == 5
    folded = page.said("form.stack summary")
    assert folded[:3] == ["End of the game", "Melds and wild cards", "A turn"]
    assert len(page.all("form.stack select")) == 25
    saved = lone.press(page.form("/shanghai").fill("rule-tiebreak", "most_deals_won"))
    assert "Saved. Play Shanghai Rummy" in saved.text
    assert len(saved.all("form.stack > .field")) == 6
    assert "Saved." not in lone.show("/house/shanghai").text
