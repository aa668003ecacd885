"""`docs/security.md` is true: each requirement stands once, and what it names exists.

What is met or does not apply stands in `docs/asvs.csv`, deviations on the page.
"""

from __future__ import annotations

import ast
import csv
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.web.middleware.limits import COUNTED, EXPENSIVE, SECRET

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
LIST = (ROOT / "docs" / "asvs.csv").read_text(encoding="utf-8")
STATES = ("met", "in work", "deviation", "not applicable")
ROW = re.compile(r"^\| ([\d., ]+) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for folder in ("companion", "tests")
    for path in (ROOT / folder).rglob("*.py")
}
SCRIPTS = sorted((ROOT / "static").glob("*.js"))
LEVELS = """
1.1 22 · 1.2 1111122223 · 1.3 112222222223 · 1.4 222 · 1.5 123
2.1 122 · 2.2 112 · 2.3 12223 · 2.4 23
3.1 3 · 3.2 113 · 3.3 12223 · 3.4 11222233 · 3.5 11122333 · 3.6 3 · 3.7 22333
4.1 12233 · 4.2 23333 · 4.3 22 · 4.4 1222
5.1 2 · 5.2 112333 · 5.3 113 · 5.4 222
6.1 122 · 6.2 111111112222 · 6.3 11223333 · 6.4 112233 · 6.5 22222333 · 6.6 2223 · 6.7 33 · 6.8 2222
7.1 222 · 7.2 1111 · 7.3 22 · 7.4 11222 · 7.5 223 · 7.6 22
8.1 1233 · 8.2 1123 · 8.3 133 · 8.4 23
9.1 111 · 9.2 1222
10.1 22 · 10.2 223 · 10.3 22223 · 10.4 1111122222233333 · 10.5 22222 · 10.6 22 · 10.7 222
11.1 2233 · 11.2 22233 · 11.3 11233 · 11.4 1222 · 11.5 23 · 11.6 23 · 11.7 33
12.1 12233 · 12.2 11 · 12.3 22223
13.1 2333 · 13.2 222223 · 13.3 2233 · 13.4 1222233
14.1 22 · 14.2 12223333 · 14.3 122
15.1 12233 · 15.2 12233 · 15.3 1222222 · 15.4 3333
16.1 2 · 16.2 22222 · 16.3 2222 · 16.4 222 · 16.5 2223
17.1 23 · 17.2 22223333 · 17.3 22
"""
"""The standard's sections, each with the level of its first requirement, its second, and so on."""


def requirements() -> dict[str, str]:
    """Every requirement of the standard with its level."""
    sections = [part.split() for part in re.split(r" · |\n", LEVELS.strip())]
    return {f"{name}.{n}": lvl for name, all_ in sections for n, lvl in enumerate(all_, start=1)}


def rows() -> Iterator[tuple[str, str, str]]:
    """Each requirement of the list and of the page: its number, its state, and where."""
    listed = list(csv.reader(LIST.splitlines()))[1:]
    for numbers, _, state, where in [*listed, *ROW.findall(PAGE)]:
        for number in numbers.split(", "):
            yield number, state, where


def test_every_requirement_of_both_levels_stands_there_once() -> None:
    wanted = requirements()
    assert Counter(wanted.values()) == {"1": 70, "2": 183, "3": 92}
    asked = {one: 1 for one in wanted if wanted[one] in "12"}
    assert Counter(number for number, *_ in rows()) == asked


def test_the_page_counts_what_is_met_and_says_why_the_rest_is_not() -> None:
    counted = Counter(state for _, state, _ in rows())
    assert set(counted) == set(STATES)
    head = dict(re.findall(r"^\| ([a-z ]+?) \| (\d+) \|$", PAGE, re.MULTILINE))
    assert {state: int(head[state]) for state in STATES} == counted
    head = dict(re.findall(r"^\| (of levels 1 and 2 in all) \| (\d+) \|$", PAGE, re.MULTILINE))
    assert list(head.values()) == [str(counted.total())]
    assert {state for *_, state, _ in ROW.findall(PAGE)} == {"deviation", "in work"}


def test_whatever_is_met_names_where_and_whatever_is_not_names_why() -> None:
    for number, state, where in rows():
        names_one = re.search(r"`test_\w+`|`[\w./-]+\.\w+(?:#[\w-]+)?`", where)
        assert state != "met" or names_one, number
        assert state == "met" or len(where) > 7, number


def test_every_test_and_file_that_it_names_is_there() -> None:
    written = "\n".join(SOURCES.values())
    tests = set(re.findall(r"`(test_\w+)`", PAGE + LIST))
    assert len(tests) > 60
    assert [name for name in sorted(tests) if f"def {name}(" not in written] == []
    files = set(re.findall(r"`([\w./-]+/[\w.-]+\.\w+)(?:#[\w-]+)?`", PAGE + LIST))
    assert len(files) > 20
    assert [name for name in sorted(files) if not (ROOT / name).exists()] == []
    parts = {part.lower().replace(" ", "-") for part in re.findall(r"^## (.+)$", PAGE, re.M)}
    assert set(re.findall(r"`docs/security\.md#([\w-]+)`", LIST)) <= parts


@pytest.mark.parametrize(("limited", "often"), (SECRET | EXPENSIVE).items())
def test_every_limit_is_written_down(limited: tuple[str, str], often: str) -> None:
    address, method = limited
    assert f"| {method} `{address}` | {often} |" in PAGE


@pytest.mark.parametrize(("what", "often"), COUNTED.items())
def test_what_an_address_may_make_is_written_down(what: str, often: str) -> None:
    assert re.search(rf"^\| a new {what}, .+ \| {often} \|$", PAGE, re.MULTILINE)


CALLS = {"http", "urllib.request", "requests", "httpx", "smtplib", "ftplib", "subprocess"}
READS = {"pickle", "marshal", "shelve", "ctypes", "xml", "yaml"}
RUNS = {"eval", "exec", "compile", "__import__", "render_template_string", "from_string"}


def test_the_server_calls_nobody_and_runs_no_text() -> None:
    """`socket` looks for this machine's own address: no packet is sent.

    One process is begun: this Python, that reads a workbook in a memory of its own.
    """
    found = [
        (path.name, name)
        for path, tree in _modules()
        for name in _imported(tree)
        if (path.name, name) != ("tables.py", "subprocess")
        if name in CALLS | READS or name.split(".")[0] in CALLS | READS
    ]
    assert found == []
    assert [path.name for path, tree in _modules() if "socket" in _imported(tree)] == [
        "serve_commands.py"
    ]
    called = [(path.name, name) for path, tree in _modules() for name in _called(tree)]
    assert len(called) > 1000
    assert [one for one in called if one[1] in RUNS | {"system", "popen"}] == []


def test_chance_that_can_be_guessed_makes_no_secret() -> None:
    throwing = {
        path.relative_to(ROOT / "companion").parts[0]
        for path, tree in _modules()
        if "random" in _imported(tree)
    }
    assert throwing == {"scoring"}


@cache
def _modules() -> list[tuple[Path, ast.Module]]:
    program = ROOT / "companion"
    return [(p, ast.parse(text)) for p, text in SOURCES.items() if p.is_relative_to(program)]


@cache
def _imported(tree: ast.AST) -> set[str]:
    nodes = list(ast.walk(tree))
    plain = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    return plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def _called(tree: ast.AST) -> Iterator[str]:
    """Names of what is called: of modules' functions too, but `re.compile` is none of these."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of = node.func.value
            yield "re" if isinstance(of, ast.Name) and of.id == "re" else node.func.attr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_compare_strictly(script: Path) -> None:
    """Nor does any set a key that it was given, which could be one of every object's own.

    The judge's tables are arrays and their keys numbers of its own: ranks, cards and places.
    """
    text = script.read_text(encoding="utf-8")
    assert re.findall(r"[^=!]==[^=]|!=[^=]", text) == []
    assert re.findall(r"__proto__|\beval\b|new Function", text) == []
    if not script.name.startswith("judge"):
        assert re.findall(r"\w\[[^\]'\"]+\]\s*=[^=>]", text) == []
