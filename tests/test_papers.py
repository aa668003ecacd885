"""The papers are true: links lead somewhere, decisions are dated and listed, versions agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from companion import VERSION

from .pages import Phone

ROOT = Path(__file__).parent.parent
PAPERS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("companion/**/*.md")])
DECISIONS = ROOT / "docs" / "decisions"
ROOMS = sorted(
    set(DECISIONS.glob("*.md")) - {DECISIONS / n for n in ("README.md", "dependencies.md")}
)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
DECISION = re.compile(r"^## (.+)\n\*(\d{4}-\d\d-\d\d)\*\n\n\S", re.MULTILINE)


def anchor(heading: str) -> str:
    """Name a heading as GitHub does in addresses."""
    bare = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", bare.lower()).replace(" ", "-")


def listed(room: Path, heading: str, day: str) -> str:
    return f"* {day} [{heading}]({room.name}#{anchor(heading)})"


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_paper_leads_to_a_file_and_a_heading(paper: Path) -> None:
    for target, heading in LINK.findall(paper.read_text(encoding="utf-8")):
        file = (paper.parent / target) if target else paper
        assert file.exists(), f"{paper}: {target}"
        if heading:
            headings = HEADING.findall(file.read_text(encoding="utf-8"))
            assert heading in map(anchor, headings), f"{paper}: {target}#{heading}"


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: path.stem)
def test_every_decision_has_a_date_and_stands_in_the_index_newest_first(room: Path) -> None:
    text = room.read_text(encoding="utf-8")
    decisions = DECISION.findall(text)
    assert len(decisions) == len(re.findall(r"^## ", text, re.MULTILINE)) > 0
    days = [day for _, day in decisions]
    assert days == sorted(days, reverse=True)
    index = (DECISIONS / "README.md").read_text(encoding="utf-8").splitlines()
    part = [line for line in index if f"]({room.name}#" in line]
    assert part == [listed(room, heading, day) for heading, day in decisions]


def test_every_dependency_has_a_sentence() -> None:
    named = (DECISIONS / "dependencies.md").read_text(encoding="utf-8")
    wanted = "\n".join((ROOT / f"requirements{part}.in").read_text() for part in ("", "-dev"))
    names = re.findall(r"^([a-z][a-z0-9-]+)", wanted, re.MULTILINE)
    assert len(names) > 20
    assert [name for name in names if f"**{name}**" not in named] == []


def test_the_newest_version_of_the_changelog_is_that_of_the_product() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    versions = [re.fullmatch(r"(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)", h) for h in headings[1:]]
    assert headings[0] == "Unreleased"
    numbers = [tuple(map(int, found[1].split("."))) for found in versions if found]
    assert len(numbers) == len(versions) > 0
    assert numbers == sorted(numbers, reverse=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert project == VERSION == ".".join(map(str, numbers[0]))


def test_the_changelog_keeps_to_three_headings() -> None:
    parts = re.findall(r"^### (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert set(parts) == {"Added", "Changed", "Fixed"}


def test_the_version_stands_at_the_foot_of_the_first_page(lone: Phone) -> None:
    assert lone.show("/").say("footer") == f"Card Table Companion {VERSION}"
