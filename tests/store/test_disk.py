"""What a power cut may not take: every file that we write is on the disk before we go on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, current_app

from companion.people import leagues
from companion.store.disk import put_in_place
from companion.store.keys import load_or_create_key
from companion.store.models import db
from tests.conftest import fresh_app
from tests.leagues.game_driver import Table
from tests.support.command_runner import run
from tests.support.reports import THREE

Synced = list[tuple[Path, bool]]


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> Synced:
    """What the program asked the disk to keep, in order, and whether it held anything then."""
    found: Synced = []
    sync = os.fsync

    def note(handle: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))
        found.append((path, path.is_dir() or path.stat().st_size > 0))
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    return found


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Flask]:
    """The app on SQLite with a league and a deal of one game."""
    (tmp_path / "instance").mkdir()
    app = fresh_app(tmp_path / "instance")
    with app.app_context():
        Table.start(leagues.open_league("The Harpers", "ann's token"), *THREE).score(0, 5, 9)
        yield app
        db.session.remove()
        db.engine.dispose()


def test_a_key_is_on_the_disk_before_it_is_used(tmp_path: Path, synced: Synced) -> None:
    key = load_or_create_key(tmp_path / "secret_key", "devices must join again")
    assert load_or_create_key(tmp_path / "secret_key", "devices must join again") == key
    (file, held), *_, (folder, _) = synced
    assert file.name.startswith("secret_key.")
    assert held, "its bytes were written before the disk was asked"
    assert folder == tmp_path


def test_a_file_is_on_the_disk_before_it_gets_its_name_and_then_its_name_is(
    tmp_path: Path, synced: Synced
) -> None:
    part, target = tmp_path / "x.part", tmp_path / "x"
    part.write_text("new")
    target.write_text("old")
    put_in_place(part, target)
    assert target.read_text() == "new"
    assert synced == [(part, True), (tmp_path, True)]


def test_exports_archives_backups_and_what_is_restored_are_on_the_disk(
    here: Flask, tmp_path: Path, synced: Synced
) -> None:
    instance = Path(current_app.instance_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    for words, written, folder in (
        (["export", "1", str(outside / "x.json")], "x.json.part", outside),
        (["archive", "1", str(outside / "x.html")], "x.html.part", outside),
        (["backup", str(outside / "x.sqlite")], "x.sqlite", outside),
        (["restore", str(outside / "x.sqlite")], f".restoring-{os.getpid()}.sqlite", instance),
    ):
        synced.clear()
        told = run(here, *words)
        assert told.exit_code == 0, told.output
        names = [path.name for path, _ in synced]
        assert written in names, words
        assert (folder, True) in synced[names.index(written) :], words
