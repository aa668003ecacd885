"""Scripts come whole, each part once, what they export stays exported; styles mean the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from companion.web.frame.scripts import edition, fingerprint, script, style
from tests.support.page_judge import STATIC

PARTS = {
    "page.js": "import { two } from './two.js';\nimport './one.js';\nexport const page = two();\n",
    "two.js": "import { one } from './one.js';\nexport function two() { return one; }\n",
    "one.js": "const hidden = 1;\nexport const one = hidden;\n",
}


NESTED = re.compile(r"`[^`]*\$\{[^}`]*`")


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_no_template_stands_within_a_template(path: Path) -> None:
    """The minifier takes the inner one for code, and its blanks away."""
    assert NESTED.findall(path.read_text()) == []


@pytest.fixture
def folder(tmp_path: Path) -> str:
    for name, text in PARTS.items():
        (tmp_path / name).write_text(text)
    return str(tmp_path)


def test_a_script_comes_with_its_parts_in_the_order_of_need(folder: str) -> None:
    whole = script(folder, "page.js")
    assert whole.count("const hidden=1;") == 1
    assert whole.index("const one=") < whole.index("function two()") < whole.index("const page")
    assert "import" not in whole
    assert whole.endswith("export const page=two();")


def test_what_only_people_read_is_left_out(tmp_path: Path) -> None:
    text = "// W\nconst plain = 'a // b';\n/* */\nexport const found = /[/*]/.test(plain);\n"
    (tmp_path / "one.js").write_text(text)
    assert script(str(tmp_path), "one.js") == (
        "const plain='a // b';export const found=/[/*]/.test(plain);"
    )


def test_a_style_sheet_means_the_same_without_what_people_read(tmp_path: Path) -> None:
    text = (
        "/* W */\n.a > b {\n  width: calc(1px + 2px);\n  content: '  /* */';\n}\n"
        "@media (min-width: 9em) { a:hover { top: 0 } }\n"
    )
    (tmp_path / "a.css").write_text(text)
    assert style(str(tmp_path), "a.css") == (
        ".a>b{width:calc(1px + 2px);content:'  /* */'}@media (min-width:9em){a:hover{top:0}}"
    )


def test_every_part_changes_the_mark_of_a_script_and_of_all_files(tmp_path: Path) -> None:
    marks = []
    for number, last in enumerate(("1", "2")):
        place = tmp_path / str(number)
        place.mkdir()
        for name, text in PARTS.items():
            (place / name).write_text(text.replace("hidden = 1", f"hidden = {last}"))
        marks.append((fingerprint(str(place), "page.js"), edition(str(place))))
    assert marks[0][0] != marks[1][0]
    assert marks[0][1] != marks[1][1]


def test_scripts_that_need_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("import './b.js';\n")
    (tmp_path / "b.js").write_text("import './a.js';\n")
    with pytest.raises(ValueError, match=r"a\.js imports itself by way of b\.js"):
        script(str(tmp_path), "a.js")


def test_an_unchanged_script_is_not_sent_again(on_sqlite: Flask) -> None:
    client = on_sqlite.test_client()
    first = client.get("/static/table.js")
    assert first.mimetype == "text/javascript"
    again = client.get("/static/table.js", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)
