"""The first change of CONTRIBUTING, followed as the page says it, in a copy of the project."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
WALK = PAGE[PAGE.index("## Your first change") : PAGE.index("## Where things go")]
STEP = re.compile(
    r"```diff\n(.+?)```|`((?:companion|tests)/[\w/]+\.py)`|(one test fails)", re.DOTALL
)
TESTS = "tests/scoring/test_deal_findings.py"


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=project, capture_output=True, text=True, check=False
    )


def apply(file: Path, block: str) -> None:
    """Put what a block adds where its other lines stand: they must stand there once."""
    lines = block.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, block
    file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.slow
def test_the_first_change_goes_as_the_page_says(tmp_path: Path) -> None:
    for folder in ("companion", "tests"):
        copytree(ROOT / folder, tmp_path / folder, ignore=ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "app.py", "static", "templates", "migrations"):
        (tmp_path / name).symlink_to(ROOT / name)
    file, changed, failing = tmp_path, set(), []
    for block, named, fails in STEP.findall(WALK):
        if named:
            file = tmp_path / named
        elif block:
            apply(file, block)
            changed.add(str(file))
        elif fails:
            said = run(tmp_path, "pytest", "-p", "no:xdist", TESTS).stdout
            failing.append(re.findall(r"^FAILED \S+::(\w+)", said, re.MULTILINE))
    assert failing == [["test_what_is_odd_is_asked"], ["test_an_everyday_deal_is_not_questioned"]]
    whole = run(tmp_path, "pytest", "-p", "no:xdist", TESTS)
    assert whole.returncode == 0, whole.stdout
    assert len(changed) == 2
    for look in (("check",), ("format", "--check")):
        found = run(tmp_path, "ruff", *look, *changed)
        assert found.returncode == 0, found.stdout
