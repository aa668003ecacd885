"""Scripts and styles come without what people read, mean the same, and are of one edition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.web.frame.static_files import asset, assets_version, sent
from tests.support.page_judge import STATIC

LONGEST = 100
NESTED = re.compile(r"`[^`]*\$\{[^}`]*`")
IMPORTED = re.compile(r"(?:import|from|import\() ?'\.[\w./-]*/([\w-]+)\.js'")
PRELOADED = re.compile(r"const (?:PARTS|LATE|SHARED) = '([\w -]+)'")
SCRIPTS = {path.stem: path for path in STATIC.rglob("*.js")}


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.js")), ids=lambda path: path.name)
def test_no_template_stands_within_a_template(path: Path) -> None:
    """The minifier takes the inner one for code, and its blanks away."""
    assert NESTED.findall(path.read_text()) == []


def test_no_line_is_too_long() -> None:
    """Comments and texts too, which no formatter parts."""
    assert [
        f"{path.name}:{number}"
        for path in sorted([*STATIC.rglob("*.js"), *STATIC.rglob("*.css")])
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ] == []


def test_what_only_people_read_is_left_out(tmp_path: Path) -> None:
    text = "// W\nconst plain = 'a // b';\n/* */\nexport const found = /[/*]/.test(plain);\n"
    script = tmp_path / "one.js"
    script.write_text(text)
    assert sent(script) == "const plain='a // b';export const found=/[/*]/.test(plain);"


def test_a_style_sheet_means_the_same_without_what_people_read(tmp_path: Path) -> None:
    (tmp_path / "shared.css").write_text("p { margin: 0 }\n")
    sheet = tmp_path / "a.css"
    sheet.write_text(
        "/* W */\n@import './shared.css';\n"
        ".a > b {\n  width: calc(1px + 2px);\n  content: '  /* */';\n}\n"
        "@media (min-width: 9em) { a:hover { top: 0 } }\n"
    )
    assert sent(sheet) == (
        "p{margin:0}"
        ".a>b{width:calc(1px + 2px);content:'  /* */'}@media (min-width:9em){a:hover{top:0}}"
    )


def test_every_file_changes_the_edition(tmp_path: Path) -> None:
    editions = set()
    for number in "12":
        folder = tmp_path / number
        folder.mkdir()
        (folder / "one.js").write_text("1;")
        (folder / "two.js").write_text(f"{number};")
        editions.add(assets_version(folder))
    assert len(editions) == 2


def test_a_page_of_a_game_fetches_all_that_its_scripts_import_at_once() -> None:
    found = " ".join(PRELOADED.findall(SCRIPTS["first"].read_text()))
    assert {*found.split(), "entering"} == set(_needed("entering"))


def _needed(*names: str) -> Iterator[str]:
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        if (name := waiting.pop()) not in seen:
            seen.add(name)
            yield name
            waiting += IMPORTED.findall(SCRIPTS[name].read_text())


def test_an_unchanged_script_is_not_sent_again(on_sqlite: Flask) -> None:
    client = on_sqlite.test_client()
    with on_sqlite.test_request_context():
        address = asset("table/table.js")
    first = client.get(address)
    assert first.mimetype == "text/javascript"
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)


@pytest.mark.parametrize("old", ["table.js", "table.js?v=2b327aa7b3", "2b327aa7b3/table.js"])
def test_a_page_of_an_earlier_edition_is_led_to_the_present_files(
    on_sqlite: Flask, old: str
) -> None:
    """What such a module imports comes from beside where it was found."""
    client = on_sqlite.test_client()
    with on_sqlite.test_request_context():
        address = asset("table/table.js")
    answer = client.get(f"/static/{old}")
    assert answer.location == address
    assert "immutable" not in answer.headers["Cache-Control"]
    assert client.get(f"/static/{old}".replace("table", "no-table")).status_code == 404
