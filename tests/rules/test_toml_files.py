"""What a TOML file says is kept from start to start, and nothing depends on it."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import pytest

from companion.rules.catalogue import SHELF
from companion.rules.toml_files import read_toml


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was parsed, as Python keeps its modules beside their files."""
    texts: list[str] = []
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)

    parse = tomllib.loads

    def loads(text: str) -> dict[str, object]:
        texts.append(text)
        return parse(text)

    monkeypatch.setattr(tomllib, "loads", loads)
    return texts


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "king" / "game.toml"
    path.parent.mkdir()
    path.write_text('name = "König"\ndeals = [{ dealt = 7 }]\n', encoding="utf-8")
    return path


GAME = {"name": "König", "deals": [{"dealt": 7}]}


def test_the_second_time_nothing_is_parsed(file: Path, parsed: list[str]) -> None:
    assert [read_toml(file), read_toml(file)] == [GAME, GAME]
    assert len(parsed) == 1
    assert [one.name for one in file.parent.iterdir()] == ["game.toml"]


def test_a_changed_file_is_parsed_anew(file: Path, parsed: list[str]) -> None:
    read_toml(file)
    file.write_text("name = 'King'\n", encoding="utf-8")
    assert [read_toml(file), read_toml(file)] == [{"name": "King"}] * 2
    assert len(parsed) == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda whole: b"",
        lambda whole: whole[:-3],
        lambda whole: bytes(len(whole)),
        lambda whole: whole.partition(b"\n")[0] + b"\n{}",
        lambda whole: whole.replace(b"7", b"9"),
    ],
    ids=["empty", "cut", "nothing", "another", "one sign"],
)
def test_what_is_spoilt_is_as_none(
    file: Path, parsed: list[str], spoil: Callable[[bytes], bytes]
) -> None:
    read_toml(file)
    (kept,) = (file.parent.parent / "__pycache__").iterdir()
    kept.write_bytes(spoil(kept.read_bytes()))
    assert [read_toml(file), read_toml(file)] == [GAME, GAME]
    assert len(parsed) == 2


def test_without_a_place_a_file_is_read_all_the_same(file: Path, parsed: list[str]) -> None:
    (file.parent.parent / "__pycache__").write_text("in the way")
    assert [read_toml(file), read_toml(file)] == [GAME, GAME]


def test_a_date_is_not_kept_as_a_text(file: Path, parsed: list[str]) -> None:
    file.write_text("day = 2026-11-25\n", encoding="utf-8")
    assert read_toml(file) == read_toml(file)
    assert len(parsed) == 2


def test_where_python_keeps_no_bytecode_nothing_is_kept(
    file: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [read_toml(file), read_toml(file)] == [GAME, GAME]
    assert not (file.parent.parent / "__pycache__").exists()


@pytest.mark.parametrize("path", sorted(SHELF.rglob("*.toml")), ids=lambda path: path.parent.name)
def test_every_file_of_the_shelf_is_kept_as_it_says(
    path: Path, tmp_path: Path, parsed: list[str]
) -> None:
    (tmp_path / "game").mkdir()
    here = Path(copyfile(path, tmp_path / "game" / path.name))
    said = tomllib.loads(path.read_text(encoding="utf-8"))
    assert [read_toml(here), read_toml(here)] == [said, said]
    assert len(parsed) == 2, "once by the test"
