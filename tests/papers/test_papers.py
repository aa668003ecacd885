"""The papers are true: links lead somewhere, decisions are dated and listed, versions agree."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from flask import Flask

from companion import VERSION
from tests.visits.phones import Phone

ROOT = Path(__file__).parents[2]
PAPERS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("companion/**/*.md")])
FILES = [
    f"/{path.relative_to(ROOT).as_posix()}"
    for folder in (
        ".",
        "companion",
        "tests",
        "docs",
        "static",
        "templates",
        "bench",
        "tools",
        "migrations",
    )
    for path in (ROOT / folder).glob("*" if folder == "." else "**/*")
]
DECISIONS = ROOT / "docs" / "decisions"
DECIDED = sorted(
    set(DECISIONS.glob("*.md")) - {DECISIONS / n for n in ("README.md", "dependencies.md")}
)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
DECISION = re.compile(r"# (.+)\n\*\d{4}-\d\d-\d\d\*\n\n(\S.+)", re.DOTALL)
LONGEST = 200
"""Words that a decision may take: a page that a reader reads."""


def anchor(heading: str) -> str:
    """Name a heading as GitHub does in addresses."""
    bare = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", bare.lower()).replace(" ", "-")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_paper_leads_to_a_file_and_a_heading(paper: Path) -> None:
    for target, heading in LINK.findall(paper.read_text(encoding="utf-8")):
        file = (paper.parent / target) if target else paper
        assert file.exists(), f"{paper}: {target}"
        if heading:
            headings = HEADING.findall(file.read_text(encoding="utf-8"))
            assert heading in map(anchor, headings), f"{paper}: {target}#{heading}"


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_paper_names_is_there(paper: Path) -> None:
    named = re.findall(r"`([\w./-]+\.(?:py|md|toml|js|css))\b", paper.read_text(encoding="utf-8"))
    assert [name for name in named if not any(there.endswith(f"/{name}") for there in FILES)] == []


@pytest.mark.parametrize("page", DECIDED, ids=lambda path: path.stem)
def test_every_decision_is_dated_short_and_listed(page: Path) -> None:
    found = DECISION.fullmatch(page.read_text(encoding="utf-8"))
    assert found is not None
    title, text = found.groups()
    assert len(text.split()) <= LONGEST
    index = (DECISIONS / "README.md").read_text(encoding="utf-8").splitlines()
    assert index.count(f"* [{title}]({page.name})") == 1


def test_every_dependency_has_a_sentence() -> None:
    named = (DECISIONS / "dependencies.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [name for extra in project["optional-dependencies"].values() for name in extra]
    wanted = [*project["dependencies"], *extras]
    names = [found[0] for one in wanted if (found := re.match(r"[a-z][a-z0-9-]+", one))]
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


def test_a_line_of_the_changelog_has_twenty_words_at_most() -> None:
    lines = re.findall(r"^\* (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert len(lines) > 30
    assert [line for line in lines if len(line.split()) > 20] == []


def test_the_version_stands_at_the_foot_of_the_first_page(lone: Phone) -> None:
    assert lone.show("/").say("footer") == f"Card Table Companion {VERSION}"


INVARIANTS = (ROOT / "docs" / "invariants.md").read_text(encoding="utf-8")
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for folder in ("companion", "tests", "migrations", "docs", "bench", "tools")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".md")
}


def test_every_invariant_that_is_cited_is_written_down() -> None:
    known = re.findall(r"^## (I\d+): ", INVARIANTS, re.MULTILINE)
    assert known == [f"I{number}" for number in range(1, len(known) + 1)]
    cited = {name for text in SOURCES.values() for name in re.findall(r"\bI\d+\b", text)}
    assert cited <= set(known)


def test_what_keeps_and_proves_an_invariant_is_there() -> None:
    parts = re.split(r"^## I\d+: ", INVARIANTS, flags=re.MULTILINE)[1:]
    assert all("\n* Kept by " in part and "\n* Proved by " in part for part in parts)
    named = set(re.findall(r"`(\w+\.py|[\w/]+/\w+\.py): (\w+)`", INVARIANTS))
    for module, name in sorted(named):
        path = ROOT / module if module.startswith("tests/") else ROOT / "companion" / module
        assert re.search(rf"^ *(def )?{name}\b", SOURCES[path], re.MULTILINE), f"{module}: {name}"
    written = "\n".join(SOURCES.values())
    tests = re.findall(r"`(test_\w+)`", INVARIANTS)
    assert len(tests) > 30
    assert [name for name in tests if f"def {name}(" not in written] == []


@pytest.mark.parametrize("app", ["sqlite"], indirect=True)
def test_every_command_and_option_of_ours_says_what_it_does(app: Flask) -> None:
    ours = {
        name: command
        for name, command in _commands(app.cli)
        if command.callback and command.callback.__module__.startswith("companion.")
    }
    assert len(ours) > 10
    assert [name for name, command in ours.items() if not command.help] == []
    options = [
        (name, one.name, one.help)
        for name, command in ours.items()
        for one in command.params
        if isinstance(one, click.Option)
    ]
    assert [option for option in options if not option[2]] == []


def _commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, f"{before}{name} ")
        else:
            yield before + name, command


def test_every_setting_from_the_environment_is_described() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    read = {
        name
        for path, text in SOURCES.items()
        if "companion" in path.parts
        for name in re.findall(r"os\.environ(?:\.get\(|\[)\"(\w+)\"", text)
    }
    assert {"DATABASE_URL", "TRUSTED_HOSTS"} <= read
    assert [name for name in sorted(read) if f"| `{name}` |" not in page] == []


def test_the_papers_are_short_enough_to_be_read() -> None:
    words = {path.name: len(path.read_text(encoding="utf-8").split()) for path in PAPERS}
    assert max(words["security.md"], words["performance.md"]) <= 2500
    assert sum(len(path.read_text(encoding="utf-8").split()) for path in PAPERS) <= 20_000
