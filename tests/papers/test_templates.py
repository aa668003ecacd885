"""Templates can be read: no line of one is longer than a line of a narrow window."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
LONGEST = 120


def test_no_line_of_a_template_is_too_long() -> None:
    assert len(TEMPLATES) > 100
    assert [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TEMPLATES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ] == []
