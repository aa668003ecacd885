"""A shelf of games that a test may fill: copies of ours, and files of its own."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.rules import card_games, catalogue, load, load_examples
from companion.rules.book import every_table, load_rules, records, stored_book
from companion.rules.citations import FILE, looked_up


class Shelf:
    """A folder of games, read in place of the one we ship."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, key: str, text: str, file: str = "game.toml") -> None:
        """Write one file of a game, and forget what was read before."""
        (self.folder / key).mkdir(exist_ok=True)
        (self.folder / key / file).write_text(text, encoding="utf-8")
        forget()

    def cite(self, text: str) -> None:
        """Write what was looked up of all games."""
        (self.folder / FILE).write_text(text, encoding="utf-8")
        forget()

    def copy(self, key: str) -> None:
        """Put one of our games beside the test's own, without its examples and its rules book."""
        (self.folder / key).mkdir()
        shutil.copy(OURS / key / "game.toml", self.folder / key)
        forget()


OURS = catalogue.VARIANTS


@contextmanager
def shelf_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """Read games from this folder until the test is over."""
    monkeypatch.setattr(catalogue, "VARIANTS", folder)
    forget()
    yield Shelf(folder)
    forget()


def forget() -> None:
    """Forget every game that was read."""
    for cached in (
        load,
        card_games,
        catalogue.all_games,
        catalogue.point_games,
        load_examples,
        every_table,
        records,
        load_rules,
        looked_up,
        stored_book,
    ):
        cached.cache_clear()
