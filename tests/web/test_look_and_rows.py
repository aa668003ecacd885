"""How tables look: light or dark, rows as people sit or by standing, an emoji for an initial."""

from __future__ import annotations

import pytest

from tests.support.reports import ANN
from tests.visits.browserless import score, start
from tests.visits.pages import Page, attribute
from tests.visits.phones import Phone, Site


def looks(page: Page) -> tuple[str, list[str]]:
    """Return how a page says it looks, and in which schemes it names a colour of the browser's."""
    colours = page.all("meta[name=theme-color]")
    return attribute(page.one("html"), "data-look"), [attribute(one, "media") for one in colours]


AS_THE_DEVICE = ("", ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"])


@pytest.mark.parametrize("path", ["/", "/league", "/rules/shanghai", "/rules/shanghai/book"])
def test_a_phone_looks_as_it_chose_on_every_page(lone: Phone, site: Site, path: str) -> None:
    """A page of rules that the server keeps and the browser has is of this look too."""
    start(lone, "contract-rummy")
    assert looks(lone.show(path)) == AS_THE_DEVICE
    for chosen in ("dark", "light"):
        lone.press(lone.show("/league/settings").form("/phone/look"), chosen)
        assert looks(lone.show(path)) == (chosen, [""])
    assert looks(site.phone().show("/rules/shanghai")) == AS_THE_DEVICE
    lone.press(lone.show("/league/settings").form("/phone/look"), "device")
    assert looks(lone.show(path)) == AS_THE_DEVICE


def test_a_look_that_nobody_offers_is_none(lone: Phone) -> None:
    start(lone, "contract-rummy")
    headers = {"Cookie": "look=green"}
    assert "data-look" not in lone.site.phone().raw("/", headers=headers).text


def test_rows_stand_as_people_sit_or_by_standing(lone: Phone) -> None:
    table = start(lone, "contract-rummy")
    score(lone, table, "out", ANN, {1: "K K", 2: "7"})
    assert names(lone.show(table.path)) == ["Ann", "Bob", "Cleo"]
    lone.press(lone.show("/league/settings").form("/phone/rows"), "standing")
    assert names(lone.show(table.path)) == ["Ann", "Cleo", "Bob"]
    lone.press(lone.show("/league/settings").form("/phone/rows"), "seats")
    assert names(lone.show(table.path)) == ["Ann", "Bob", "Cleo"]


def names(page: Page) -> list[str]:
    return page.said(".board tbody bdi")


def test_an_emoji_in_a_name_stands_for_its_initial(lone: Phone) -> None:
    """Tabs and buttons call the player as before, and so does whoever reads aloud."""
    table = start(lone, "contract-rummy", "Ann 🦊", "Bob", "👩🏽‍🚀 Cleo")
    marks = table.said(".board .initial")
    assert marks == ["🦊", "B", "👩🏽‍🚀"]
    assert names(table) == ["Ann 🦊", "Bob", "👩🏽‍🚀 Cleo"]
    assert table.said(".dock > .names bdi") == ["Ann", "Bob", "Cleo"]
