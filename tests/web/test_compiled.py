"""Templates stay compiled from start to start, and nothing depends on it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
from jinja2 import DictLoader, Environment

from companion.web.frame.compiled import Compiled
from tests.processes.served import start
from tests.support.patience import HANGS
from tests.visits.pages import parsed, words


class Counting(Environment):
    """An environment that knows what it compiled."""

    def __init__(self, code: Path, **templates: str) -> None:
        super().__init__(
            loader=DictLoader(templates), bytecode_cache=Compiled(code), autoescape=True
        )
        self.compiled: list[str | None] = []

    def _parse(self, source: str, name: str | None, filename: str | None):  # type: ignore[no-untyped-def]
        self.compiled.append(name)
        return super()._parse(source, name, filename)


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "words.py").write_text("LAST = 'and'\n")
    return folder


def shown(code: Path, text: str = "{{ 1 + 1 }} cards") -> tuple[str, int]:
    """What a new start shows of a template, and how many it compiled for that."""
    env = Counting(code, page=text)
    return env.get_template("page").render(), len(env.compiled)


def test_the_second_start_compiles_nothing(code: Path) -> None:
    assert [shown(code), shown(code)] == [("2 cards", 1), ("2 cards", 0)]
    assert [file.suffix for file in (code / "__pycache__").iterdir()] == [".template"]


def test_what_has_changed_is_compiled_anew(code: Path) -> None:
    shown(code)
    assert shown(code, "{{ 1 + 2 }} cards") == ("3 cards", 1)
    (code / "words.py").write_text("LAST = 'or'\n")
    assert shown(code, "{{ 1 + 2 }} cards") == ("3 cards", 1)
    assert shown(code, "{{ 1 + 2 }} cards") == ("3 cards", 0)
    assert len(list((code / "__pycache__").iterdir())) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda whole: b"",
        lambda whole: whole[:30],
        lambda whole: whole[:-20],
        lambda whole: bytes(len(whole)),
        lambda whole: whole[:20] + bytes(len(whole) - 20),
        lambda whole: b"no template" * 99,
    ],
    ids=["empty", "cut", "cut late", "nothing", "half written", "another file"],
)
def test_a_spoilt_file_is_as_none(code: Path, spoil: Callable[[bytes], bytes]) -> None:
    shown(code)
    (file,) = (code / "__pycache__").iterdir()
    file.write_bytes(spoil(file.read_bytes()))
    assert shown(code) == ("2 cards", 1)
    assert shown(code) == ("2 cards", 0)


def test_without_a_place_pages_are_shown_all_the_same(code: Path) -> None:
    (code / "__pycache__").write_text("in the way")
    assert [shown(code), shown(code)] == [("2 cards", 1)] * 2


def test_where_python_keeps_no_bytecode_templates_are_not_kept_either(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [shown(code), shown(code)] == [("2 cards", 1)] * 2
    assert not (code / "__pycache__").exists()


@pytest.mark.slow
def test_a_server_after_a_flat_battery(tmp_path: Path) -> None:
    """It shows its pages whatever is left of the templates, and leaves what is whole as it is."""
    before = asked_once(tmp_path)
    assert "Zioncheck" in before
    for file in kept(tmp_path):
        file.write_bytes(bytes(file.stat().st_size))
    assert asked_once(tmp_path) == before
    whole = {file: (file.stat().st_mtime_ns, file.read_bytes()[:2]) for file in kept(tmp_path)}
    assert len(whole) > 5
    assert b"\0\0" not in {begins for _, begins in whole.values()}
    assert asked_once(tmp_path) == before
    assert whole == {file: (file.stat().st_mtime_ns, file.read_bytes()[:2]) for file in whole}


def kept(folder: Path) -> list[Path]:
    return list((folder / "bytecode").rglob("*.template"))


def asked_once(folder: Path) -> str:
    """The words of a page of a server that is then killed."""
    bytecode = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    server = start(folder / "house", **bytecode)
    try:
        with urlopen(f"http://127.0.0.1:{server.port}/rules/zioncheck", timeout=HANGS) as answer:
            return words(parsed(answer.read().decode()).root)
    finally:
        server.kill()
