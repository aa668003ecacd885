"""Templates can be read, and say what stands in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.*") if path.is_file())
LONGEST = 120


def test_no_line_of_a_template_is_too_long() -> None:
    assert len(TEMPLATES) > 100
    assert [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TEMPLATES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ] == []


def test_no_sentence_has_a_sign_that_is_read_as_a_place() -> None:
    """`_('80 % sure')` is formatted: in a sentence that names nothing no percent sign stands."""
    said = re.compile(r"_\((['\"])((?:(?!\1).)*%(?!\()(?:(?!\1).)*)\1\)")
    found = {path.name: said.findall(path.read_text(encoding="utf-8")) for path in TEMPLATES}
    assert {name: words for name, words in found.items() if words} == {}
