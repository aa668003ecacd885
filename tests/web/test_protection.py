"""What is protected and what isn't: the page and the paper say the same, and can be found."""

from __future__ import annotations

import re
from pathlib import Path

from tests.visits.browserless import start
from tests.visits.pages import words
from tests.visits.phones import Phone

PAPER = Path(__file__).parents[2] / "docs" / "protection.md"


def plain(line: str) -> str:
    """A line of the paper without its signs."""
    return re.sub(r"^(?:#+|\*) |\*\*|\[|\]\([^)]*\)", "", line)


def test_the_page_says_what_the_paper_says(lone: Phone) -> None:
    page = lone.show("/protection")
    said = [words(one) for one in page.elements if one.name in ("h1", "h2", "li", "p")]
    assert said == [plain(line) for line in PAPER.read_text().splitlines() if line]
    assert len(said) > 20


def test_whoever_is_in_a_league_finds_it(lone: Phone) -> None:
    start(lone, "contract-rummy")
    assert lone.show(lone.show("/league").link("/protection")).heading.startswith("What this")
