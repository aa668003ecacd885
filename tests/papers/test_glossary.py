"""One name for one thing, in the words of the table: what pages, messages and commands never say.

The texts of the games in `companion/variants` and what `companion/rules` makes of them have
words of their own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
from flask import Flask

ROOT = Path(__file__).parents[2]
SAY = {
    r"somebody|anybody|everybody": "someone, anyone, everyone",
    r"tell|tells|telling|told": "enter, entered",
    r"meanwhile|anew": "since, again",
    r"look(?:ed)? (?:it|this|yours|them) over": "check",
    r"thr(?:ow|ew|own) in": "cancel",
    r"t(?:ake|ook|aken) back": "undo",
    r"br(?:ing|ings|ought) in|bringing in": "import",
    r"far view": "TV view",
    r"packs?": "deck",
}
EXCEPTIONS = {"thrown in"}
"""A kind of change as histories have it: pages say something else."""
SENTENCE = re.compile(r"[A-Za-z’']{2,}[ ,:]")


def texts(app: Flask) -> Iterator[tuple[str, str]]:
    """Give every text that people read, with the file it stands in."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        yield from ((path.name, text) for text in in_template(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "companion").rglob("*.py")):
        if not {"variants", "rules"} & set(path.relative_to(ROOT / "companion").parts[:1]):
            yield from ((path.name, text) for text in in_module(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "static").rglob("*.js")):
        yield from ((path.name, text) for text in in_script(path.read_text(encoding="utf-8")))
    yield from (
        ("the command line", text)
        for command in app.cli.commands.values()
        for text in of_command(command)
    )


def in_template(source: str) -> Iterator[str]:
    """Take the sentences that are marked for translation, and what stands between the tags."""
    source = re.sub(r"\{#.*?#\}|<(?:style|script)\b.*?</(?:style|script)>", "", source, flags=re.S)
    yield from (found[1] for found in re.findall(r"_\(\s*(['\"])(.*?)\1", source, re.S))
    yield from re.split(r"\{\{.*?\}\}|\{%.*?%\}|<[^<>]*>", source, flags=re.S)


def in_module(source: str) -> Iterator[str]:
    """Take what is no docstring and has several words."""
    tree = ast.parse(source)
    silent = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        for part in ast.walk(node)
        if isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
        ):
            yield node.value


def in_script(source: str) -> Iterator[str]:
    """Take the strings with several words."""
    source = re.sub(r"^\s*//.*$", "", source, flags=re.M)
    yield from (found[1] for found in re.findall(r"(['`\"])((?:(?!\1).)*?)\1", source))


def of_command(command: click.Command) -> Iterator[str]:
    """Take a command's help and that of its options and commands."""
    yield command.help or ""
    yield from (option.help or "" for option in command.params if isinstance(option, click.Option))
    if isinstance(command, click.Group):
        yield from (text for one in command.commands.values() for text in of_command(one))


def test_no_text_says_what_families_do_not(app: Flask) -> None:
    found = {
        (name, " ".join(text.split()), word)
        for name, text in texts(app)
        if SENTENCE.search(text) and text.strip() not in EXCEPTIONS
        for word in SAY
        if re.search(rf"(?<![\w.-])(?:{word})(?![\w=(-])", text, re.I)
    }
    assert found == set()
