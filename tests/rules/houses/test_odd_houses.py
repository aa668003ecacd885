"""Families' own games at the edge of what the form allows: every page of them still stands."""

import pytest

from tests.visits.browserless import score, start
from tests.visits.house_forms import made
from tests.visits.pages import Page
from tests.visits.phones import Phone


def key_of(page: Page) -> str:
    return page.link("/edit").split("/")[2]


def every_page(phone: Phone, key: str, *steps: int) -> None:
    for address in ("", "/book", "/contracts", "/judge", "/practice", "/search?q=run"):
        for step in steps:
            joined = "&" if "?" in address else "?"
            phone.show(f"/rules/{key}{address}{joined}deal={step}")
    for seed in "abcdefgh":
        phone.show(f"/rules/{key}/practice?hand={seed}&answer=yes")


@pytest.mark.parametrize(("deal", "typed"), [(1, ""), (1, "None"), (7, "none")])
def test_a_deal_without_a_contract(lone: Phone, deal: int, typed: str) -> None:
    key = key_of(made(lone, "contract-rummy", name="Ours", **{f"deal.{deal}.contract": typed}))
    every_page(lone, key, 1, 7)
    table = lone.press(lone.show(f"/games/new/{key}").form().fill("names", "Ann, Bob, Cleo"))
    table = score(lone, table, "out", 0, {1: "K", 2: "9"})
    assert "No contract" in lone.show(table.link("/sheet")).text


@pytest.mark.slow
@pytest.mark.parametrize("wilds", ["none", "2", "A 2 3 joker"])
def test_other_wild_cards_than_the_packs_hold(lone: Phone, wilds: str) -> None:
    typed = {"name": "Ours", "f.melds.wilds": wilds, "deal.2.wilds": "none"}
    every_page(lone, key_of(made(lone, "contract-rummy", **typed)), 1, 2)


@pytest.mark.parametrize("contract", ["5 runs of 4", "6 runs of 3", "4 runs of 5"])
def test_the_judge_answers_for_many_runs_and_many_wild_ranks(lone: Phone, contract: str) -> None:
    typed = {"name": "Ours", "deal.1.dealt": "19", "deal.1.contract": contract}
    typed |= {"f.melds.wilds": "A 2 3 joker", "f.pickup.limit": ""}
    typed |= {f"pack.{row}.decks": "9" for row in (1, 2)}
    key = key_of(made(lone, "contract-rummy", **typed))
    page = lone.show(f"/rules/{key}/judge?deal=1&hand=3C+5C+8S+8S+KD+2S+AS+7C+QS+5D+10C+6C")
    assert "cards short" in page.text
    assert "Safe to discard" in page.text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bonus.1.name", "Going out {blind}"),
        ("bonus.1.name", "[x]"),
        ("name", "\u202eOurs"),
        ("name", "Ours [7C]"),
        ("deal.1.dealt", "20"),
        ("deal.1.contract", "6 runs of 5"),
        ("pack.1.decks", "-5"),
    ],
)
def test_what_no_page_could_show_is_refused(lone: Phone, name: str, text: str) -> None:
    form = lone.show("/house/shanghai/new").form().fill("name", "Ours").fill(name, text)
    assert lone.press(form, "look", status=422).faults


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "Shanghai Rummy"', 'name = "' + "N" * 200 + '"'),
        ('name = "Shanghai Rummy"', 'name = "A\\u0000B"'),
        ('name = "Shanghai Rummy"', 'name = "  "'),
        ('name = "Out blind"', 'name = "Out {blind}"'),
    ],
)
def test_a_file_keeps_the_same_bounds(lone: Phone, old: str, new: str) -> None:
    text = lone.raw("/house/shanghai/file").get_data(as_text=True)
    assert old in text
    form = lone.show("/house/files").form().fill("text", text.replace(old, new))
    assert lone.press(form, status=422).faults


def test_a_game_put_away_while_it_is_played_leaves_no_dead_link(lone: Phone) -> None:
    house = made(lone, "contract-rummy", name="Ours")
    key = key_of(house)
    table = lone.press(lone.show(f"/games/new/{key}").form().fill("names", "Ann, Bob, Cleo"))
    lone.press(house.form("/drop"))
    for address in ("", "/book", "/judge", "/practice", "/practice?answer=no&hand=a"):
        joined = "&" if "?" in address else "?"
        page = lone.show(f"/rules/{key}{address}{joined}game=1")
        for link in page.links():
            if link.startswith(("/rules/our", "/house/our")):
                lone.show(link)
    assert table


def test_a_stale_edit_can_still_be_kept(lone: Phone) -> None:
    start(lone, "contract-rummy")
    key = key_of(made(lone, "contract-rummy", name="Ours"))
    late = lone.show(f"/house/{key}/edit").form().fill("value.joker", "7")
    first = lone.show(f"/house/{key}/edit").form().fill("value.joker", "6")
    lone.press(lone.press(first, "look", status=200).form(), "save")
    refused = lone.press(lone.press(late, "look", status=200).form(), "save", status=409)
    looked_over = lone.press(refused.form(), "look", status=200)
    kept = lone.press(looked_over.form(), "save")
    assert "joker 7" in kept.text


@pytest.mark.parametrize("extends", ["../variants/shanghai", "/etc", "", "nothing"])
def test_a_file_reads_no_rules_from_elsewhere(lone: Phone, extends: str) -> None:
    text = lone.raw("/house/shanghai/file").get_data(as_text=True)
    text = text.replace('extends = "contract-rummy"', f'extends = "{extends}"')
    text = text.replace('key = "shanghai"', 'key = "../variants/shanghai"')
    text = text.replace('name = "Shanghai Rummy"', 'name = "Elsewhere"')
    form = lone.show("/house/files").form().fill("text", text)
    assert "there is no game" in lone.press(form, status=422).faults
