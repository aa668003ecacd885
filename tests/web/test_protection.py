"""What is protected and what isn't: a page for players, and the way to it."""

from __future__ import annotations

from tests.visits.browserless import start
from tests.visits.pages import words
from tests.visits.phones import Phone


def test_the_page_says_what_is_protected_and_what_is_not(lone: Phone) -> None:
    page = lone.show("/protection")
    parts = [words(one) for one in page.elements if one.tag == "h2"]
    assert parts[:2] == ["Protected", "Not protected"]
    said = [words(one) for one in page.elements if one.tag in ("h1", "h2", "li", "p")]
    assert len(said) > 20


def test_whoever_is_in_a_league_finds_it(lone: Phone) -> None:
    start(lone, "contract-rummy")
    assert lone.show(lone.show("/league").link("/protection")).heading.startswith("What this")
