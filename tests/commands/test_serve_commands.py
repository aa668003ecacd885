"""Starting and keeping the server, as a person at a terminal meets it."""

import os
import socket
from pathlib import Path

import pytest

from companion import VERSION
from tests.processes.commands import flask

from .altered import alter

NOBODY = 65534


@pytest.mark.parametrize(
    ("setting", "value", "sentence"),
    [
        ("DATABASE_URL", "mysql://x/y", "DATABASE_URL names mysql"),
        ("PROXY_HOPS", "many", "PROXY_HOPS must be a small whole number"),
        ("DATABASE_URL", "nonsense", "DATABASE_URL is not the address of a database."),
        (
            "DATABASE_URL",
            "postgresql://u@h:abc/x",
            "DATABASE_URL is not the address of a database.",
        ),
        ("OPEN_TO_ALL", "family", "OPEN_TO_ALL is 0 or 1, not family."),
        ("HTTPS_SUBDOMAINS", "yes", "HTTPS_SUBDOMAINS is 0 or 1, not yes"),
        ("PROXY_HOPS", "-1", "PROXY_HOPS must be a small whole number"),
        ("PROXY_ADDRESSES", "proxy.local", "PROXY_ADDRESSES: proxy.local is no address."),
        ("PROXY_HEADERS", "host,by", "PROXY_HEADERS knows host and prefix, not by."),
    ],
)
def test_a_wrong_setting_refuses_to_start_in_one_sentence(
    tmp_path: Path, setting: str, value: str, sentence: str
) -> None:
    told = flask(tmp_path, "prepare", **{setting: value})
    assert told.returncode != 0
    assert sentence in told.stderr
    assert "Traceback" not in told.stderr


def test_a_key_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Whoever runs the server gets a sentence; a folder in its place is what root can't read."""
    (tmp_path / "secret_key").mkdir()
    told = flask(tmp_path, "prepare")
    assert told.returncode != 0
    assert "secret_key can't be read by the user who runs this program" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root")
def test_what_root_writes_is_the_folder_owners(tmp_path: Path) -> None:
    """A service runs as the owner of its folder; its keeper runs commands as root."""
    instance = tmp_path / "instance"
    instance.mkdir()
    os.chown(instance, NOBODY, NOBODY)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("root's own")
    os.link(elsewhere, instance / "linked")
    assert flask(instance, "prepare").returncode == 0
    assert flask(instance, "backup", str(instance / "copy.sqlite")).returncode == 0
    assert flask(instance, "restore", str(instance / "copy.sqlite")).returncode == 0
    assert flask(instance, "new-keys").returncode == 0
    assert (elsewhere.stat().st_uid, (instance / "linked").stat().st_uid) == (0, 0)
    (instance / "linked").unlink()
    there = [*instance.rglob("*")]
    assert {path.name for path in there} >= {"companion.sqlite", "secret_key", "secret_key-1"}
    assert {(path.stat().st_uid, path.stat().st_gid) for path in there} == {(NOBODY, NOBODY)}


def test_who_only_asks_makes_no_database(tmp_path: Path) -> None:
    """An empty file would pass for one, and its copy for a backup."""
    for words in (["league", "list"], ["doctor"], ["backup", str(tmp_path / "copy.sqlite")]):
        told = flask(tmp_path, *words)
        assert (told.returncode, "There is no database at" in told.stderr) == (1, True), told.stderr
    assert not list(tmp_path.glob("*.sqlite"))


def test_the_version_is_printed(tmp_path: Path) -> None:
    told = flask(tmp_path, "version")
    assert (told.returncode, told.stdout) == (0, f"Card Table Companion {VERSION}\n")


def test_an_address_of_another_computer_is_named(tmp_path: Path) -> None:
    told = flask(tmp_path, "serve", "--host", "192.0.2.1", "--port", "0")
    assert (told.returncode, "has no address 192.0.2.1" in told.stderr) == (1, True), told.stderr


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = flask(tmp_path, "serve", "--host", "127.0.0.1", "--port", str(port))
    assert told.returncode != 0
    assert f"Port {port} cannot be used" in told.stderr
    assert f"make run PORT={port + 1}" in told.stderr


def broken(folder: Path, how: str) -> None:
    """An instance folder whose database is none of ours, or not any more."""
    flask(folder, "prepare")
    live = folder / "companion.sqlite"
    whole = live.read_bytes()
    if how == "cut off":
        live.write_bytes(whole[:30_000])
    elif how == "garbage":
        live.write_bytes(bytes(range(256)) * 200)
    elif how == "a folder":
        live.unlink()
        live.mkdir()
    elif how == "spoiled inside":
        live.write_bytes(whole[:8192] + bytes(4096) + whole[12288:])
    elif how == "later":
        alter(live, "UPDATE alembic_version SET version_num = '9999'")
    else:
        alter(live, "DELETE FROM alembic_version")


STATES = {
    "cut off": "The database file is damaged. Restore a backup with flask restore.",
    "garbage": "The database file is no SQLite database.",
    "a folder": "The server cannot open its database file.",
    "spoiled inside": "The database file is damaged. Restore a backup with flask restore.",
    "later": "The database was made by a later version of this program: install that one.",
    "another": "This is the database of another program; it was left as it is.",
}


@pytest.mark.slow
@pytest.mark.parametrize("how", STATES)
def test_a_database_that_cannot_be_served_is_refused_in_one_sentence(
    tmp_path: Path, how: str
) -> None:
    folder = tmp_path / "instance"
    broken(folder, how)
    before = (folder / "companion.sqlite").stat()
    commands = [
        ["serve", "--port", "0"],
        ["prepare"],
        ["doctor"],
        ["backup", str(tmp_path / "copy.sqlite")],
        ["league", "list"],
        ["export", "1", str(tmp_path / "x.json")],
    ]
    for words in commands if how != "spoiled inside" else commands[:2]:
        told = flask(folder, *words)
        assert told.returncode == 1, words
        assert told.stderr.endswith(f"Error: {STATES[how]}\n"), words
    assert (folder / "companion.sqlite").stat().st_size == before.st_size
    assert not (tmp_path / "copy.sqlite").exists()


def test_a_database_server_that_is_away_is_said_in_one_sentence(tmp_path: Path) -> None:
    nowhere = {"DATABASE_URL": "postgresql://companion@127.0.0.1:1/x"}
    for words in (["serve", "--port", "0"], ["prepare"], ["doctor"], ["league", "list"]):
        told = flask(tmp_path, *words, **nowhere)
        assert told.returncode == 1
        sentence = "Error: The database server does not answer."
        assert told.stderr.splitlines()[-1].startswith(sentence)
        assert "Database: PostgreSQL, x at 127.0.0.1\n" in told.stderr + told.stdout


def test_places_that_are_not_there_are_named(tmp_path: Path) -> None:
    flask(tmp_path, "prepare")
    told = flask(tmp_path, "backup", str(tmp_path / "nowhere" / "x.sqlite"))
    assert told.stderr.endswith(f"Error: There is no folder {tmp_path / 'nowhere'}.\n")
    told = flask(tmp_path / "secret_key" / "below", "prepare")
    assert "below cannot be made (Not a directory)." in told.stderr
    assert "Traceback" not in told.stderr
    told = flask(tmp_path, "serve", "--host", "nowhere.invalid", "--port", "0")
    assert told.stderr == "Error: This computer has no address nowhere.invalid to listen at.\n"


@pytest.mark.parametrize("port", ["-1", "65536", "abc"])
def test_a_port_that_cannot_be_is_refused(tmp_path: Path, port: str) -> None:
    told = flask(tmp_path, "serve", "--port", port)
    assert told.returncode == 2
    assert "Invalid value for '--port'" in told.stderr


def test_preparing_twice_is_ready_twice_and_the_key_is_private(tmp_path: Path) -> None:
    for _ in range(2):
        assert "The database is ready." in flask(tmp_path, "prepare").stdout
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
