"""What a docstring, a comment or a paper refers to is there: modules, names, files and rules."""

from __future__ import annotations

import ast
import importlib
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path
from types import ModuleType

import msgspec

from companion.rules import Variant

ROOT = Path(__file__).parents[2]
CODE = sorted(
    path
    for folder in ("companion", "tests", "bench", "tools", "migrations")
    for path in (ROOT / folder).rglob("*.py")
)
PAPERS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("companion/**/*.md")])
FILES = {
    path.name
    for folder in (
        "",
        "companion",
        "tests",
        "docs",
        "static",
        "templates",
        "bench",
        "tools",
        "migrations",
    )
    for path in (ROOT / folder).glob("**/*" if folder else "*")
}
ELSEWHERE = {
    *("configuration.yaml", "secrets.yaml", "evenings.ics", "journald.conf"),
    *("cardtable.local", "nas.cards.example.org"),
}
"""Files of other programs, and machines, that the papers for hosts and programs speak of."""
DOTTED = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)+)(?:\(\))?`")
PLACE = re.compile(r"`([\w/]+\.py): (\w+)`")
RULE = re.compile(r"(?<![\w-])(?:[A-Z]{2}-(?:\d+\.\d+|Q\d+[a-z]?|s\.\d+)|[CHPZ]-\d+)(?![\w.-]*\w)")
NAMED_BY_RULE = re.compile(r"(?:pk|fk|uq|ck)_|I\d+$")
"""Constraints, and invariants: other tests look for these."""
NO_RULE = {"P-256", "CR-5.5", "CR-9.9"}
"""A curve of TLS, and what tests of the loader cite in vain."""


@cache
def prose(path: Path) -> tuple[str, ...]:
    """Yield the docstrings and comments of a module that quote a name, or a paper as it is."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return (text,)
    return (*_docstrings(text), *_comments(text)) if "`" in text else ()


def _docstrings(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def _comments(text: str) -> Iterator[str]:
    if re.search("#.*`", text):
        for token in tokenize.generate_tokens(StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.string


def modules() -> dict[str, list[str]]:
    """Give the modules of the program and of its tests by their last name."""
    found: dict[str, list[str]] = {}
    for path in CODE:
        parts = path.relative_to(ROOT).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        found.setdefault(parts[-1], []).append(".".join(parts))
    return found


MODULES = modules()


def resolves(name: str, path: Path) -> bool:
    """Tell whether a dotted name is a file, a field of a game, or something one can import.

    Its first part is a module of ours or of others, a table of the database by its own name, or
    what the module where it is said can see.
    """
    if name in FILES or (name.split(".")[0] in MODULES and _walk_modules(name)):
        return True
    first, *rest = name.split(".")
    if first in Variant.__struct_fields__:
        return _is_field(Variant, [first, *rest])
    return _is_seen(first, rest, path) or _is_column(first, rest) or _imports(first, rest)


def _walk_modules(name: str) -> bool:
    first, *rest = name.split(".")
    return any(_has(importlib.import_module(module), rest) for module in MODULES[first])


def _has(value: object, names: list[str]) -> bool:
    for name in names:
        if isinstance(value, ModuleType) and not hasattr(value, name):
            try:
                value = importlib.import_module(f"{value.__name__}.{name}")
            except ImportError:
                return False
        elif hasattr(value, name) or name in getattr(value, "__annotations__", {}):
            value = getattr(value, name, None)
        else:
            return False
    return True


def _is_seen(first: str, rest: list[str], path: Path) -> bool:
    if path.suffix != ".py" or not path.is_relative_to(ROOT / "companion"):
        return False
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(name)
    return hasattr(module, first) and _has(getattr(module, first), rest)


def _is_column(first: str, rest: list[str]) -> bool:
    from companion.store.models import Base

    mapped = {str(mapper.local_table): mapper for mapper in Base.registry.mappers}
    return first in mapped and rest[0] in mapped[first].attrs


def _imports(first: str, rest: list[str]) -> bool:
    try:
        return _has(importlib.import_module(first), rest)
    except ImportError:
        return False


def _is_field(struct: type, names: list[str]) -> bool:
    """Follow a path as `deals.7` through the fields of a game; what a list holds has any key."""
    info = msgspec.inspect.type_info(struct)
    for name in names:
        while isinstance(info, msgspec.inspect.UnionType):
            info = next(one for one in info.types if not isinstance(one, msgspec.inspect.NoneType))
        if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.DataclassType):
            fields = {field.encode_name: field.type for field in info.fields}
            if name not in fields:
                return False
            info = fields[name]
        elif isinstance(info, msgspec.inspect.VarTupleType):
            info = info.item_type
        elif isinstance(info, msgspec.inspect.DictType):
            info = info.value_type
        else:
            return False
    return True


def test_every_dotted_name_resolves() -> None:
    said = {(path, name) for path in CODE for text in prose(path) for name in DOTTED.findall(text)}
    said |= {(path, name) for path in PAPERS for name in DOTTED.findall(path.read_text())}
    assert len(said) > 20
    lost = [(path.name, name) for path, name in said if not resolves(name, path)]
    assert sorted(one for one in lost if one[1] not in ELSEWHERE) == []


def test_every_name_from_the_code_is_in_it() -> None:
    """A name with an underscore or capitals, in a paper or a docstring, stands outside of them."""
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("companion", "tests", "bench", "tools", "migrations", "static", "templates")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".js", ".css", ".html", ".toml"}
    )
    there = set(re.findall(r"\w+", re.sub(r"`\w+(?:\(\))?`", "", code)))
    said = {
        (path.name, name)
        for path in [*CODE, *PAPERS]
        for text in prose(path)
        for name in re.findall(r"`([A-Za-z]\w*)(?:\(\))?`", text)
        if "_" in name.strip("_") or (name != name.lower() and path.suffix == ".py")
    }
    assert len(said) > 100
    lost = [one for one in sorted(said) if one[1] not in there]
    assert [one for one in lost if not NAMED_BY_RULE.match(one[1])] == []


def test_every_name_that_is_said_to_stand_in_a_file_stands_there() -> None:
    """As `games/writer.py: change_in_session`, by the end of the file's path."""
    sources = {path.as_posix(): path.read_text(encoding="utf-8") for path in CODE}
    said = {
        (path, file, name)
        for path in [*CODE, *PAPERS]
        for text in prose(path)
        for file, name in PLACE.findall(text)
    }
    assert len(said) > 20
    lost = [
        (path.name, file, name)
        for path, file, name in said
        if not any(
            re.search(rf"^ *(?:def |class )?{name}\b", source, re.MULTILINE)
            for where, source in sources.items()
            if where.endswith(f"/{file}")
        )
    ]
    assert lost == []


def test_every_rule_that_is_cited_is_in_a_book() -> None:
    """Ids as `CH-5.2` for a rule and `H-14` for a ruling of ours, wherever they are written."""
    known = {
        rule["id"]
        for path in (ROOT / "companion" / "variants").rglob("*.toml")
        for rule in _entries(tomllib.loads(path.read_text(encoding="utf-8")))
    }
    cited = {
        (path.name, rule)
        for path in [*CODE, *PAPERS]
        for rule in RULE.findall(path.read_text(encoding="utf-8"))
    }
    assert len(cited) > 100
    assert sorted(one for one in cited if one[1] not in known | NO_RULE) == []


def _entries(value: object) -> Iterator[dict[str, str]]:
    if isinstance(value, dict):
        if isinstance(value.get("id"), str):
            yield value
        for item in value.values():
            yield from _entries(item)
    elif isinstance(value, list):
        for item in value:
            yield from _entries(item)


WORDS = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")


ROW = re.compile(r"^\* \*\*(.+)\*\* \(`([\w.]+)`\): .+$", re.MULTILINE)


def test_every_word_of_the_glossary_is_in_the_code_and_called_that() -> None:
    """The name in the code has the word in it, or one of those that stand together."""
    package = importlib.import_module("companion")
    rows = ROW.findall(WORDS)
    assert len(rows) == WORDS.count("\n* ") > 40
    assert [name for _, name in rows if not _has(package, name.split("."))] == []
    called = [(words.replace(" ", ""), name.lower().replace("_", "")) for words, name in rows]
    assert [
        words for words, name in called if not any(word in name for word in words.split(","))
    ] == []
