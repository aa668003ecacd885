"""Nobody is locked out by an update: the folder of the first version, opened by today's server.

`first_version.zip` is what that version itself left: database and keys, and what two phones held:
their cookies, an invite link, the passphrase, and a review that waits to be sent.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.processes.commands import flask
from tests.processes.served import Browser, page_of, served
from tests.visits.pages import words

FOLDER = Path(__file__).with_name("first_version.zip")


def _as_if_made_today(instance: Path) -> None:
    """Let the invite link, which was for a day, end a day from now."""
    with closing(sqlite3.connect(instance / "companion.sqlite")) as connection, connection:
        tomorrow = "UPDATE link SET ends_at = strftime('%Y-%m-%d %H:%M:%f000', 'now', '+1 day')"
        assert connection.execute(f"{tomorrow} WHERE ends_at IS NOT NULL").rowcount == 1


@pytest.mark.slow
def test_phones_links_and_drafts_of_the_first_version_stay_good(tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    with ZipFile(FOLDER) as packed:
        packed.extractall(instance)
    _as_if_made_today(instance)
    held = json.loads((instance / "phones.json").read_text())
    with served(instance) as server:
        ann = Browser(server.port, {"device": held["ann"]})
        draft = held["draft"]
        saved = ann.ask(draft["action"], draft["data"])
        assert (saved.status_code, "saved=4" in saved.headers["Location"]) == (303, True)
        assert ann.cookies["device"] != held["ann"], "known once, and renewed"
        assert ann.show("/league/devices").heading == "Phones"
        bob = Browser(server.port, {"device": held["bob"]})
        assert "Ann" in bob.show(held["game"]).text
        cleo = Browser(server.port)
        watching = next(
            form for form in cleo.show(held["link"]).forms() if "watching" in words(form.element)
        )
        assert cleo.press(watching).path == held["game"] or cleo.show("/league")
        new = Browser(server.port)
        back = new.show("/return").form().fill("league-name", "Our league")
        new.press(back.fill("pass-phrase", held["passphrase"]))
        assert page_of(new.ask("/league/passphrase")).heading
    checked = flask(instance, "doctor")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    (backup,) = (instance / "backups").glob("before-migration-*.sqlite")
    with closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT id, revision FROM game").fetchall() == [(1, 3)]
