"""Starting and keeping the server, as a person at a terminal meets it."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from companion.league import leagues

from .conftest import fresh_app

PROJECT = Path(__file__).parent.parent


def flask(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"INSTANCE_PATH": str(folder)} | settings
    command = [sys.executable, "-m", "flask", *words]
    return subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    ("setting", "value", "sentence"),
    [
        ("DATABASE_URL", "mysql://x/y", "DATABASE_URL names mysql"),
        ("PROXY_HOPS", "many", "PROXY_HOPS must be a small whole number"),
        pytest.param(
            *("DATABASE_URL", "nonsense", "DATABASE_URL is not the address of a database."),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("PROXY_HOPS", "-1", "PROXY_HOPS must be a small whole number"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_wrong_setting_refuses_to_start_in_one_sentence(
    tmp_path: Path, setting: str, value: str, sentence: str
) -> None:
    told = flask(tmp_path, "prepare", **{setting: value})
    assert told.returncode != 0
    assert sentence in told.stderr
    assert "Traceback" not in told.stderr


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = flask(tmp_path, "serve", "--host", "127.0.0.1", "--port", str(port))
    assert told.returncode != 0
    assert f"Port {port} cannot be used" in told.stderr
    assert f"make run PORT={port + 1}" in told.stderr


def test_preparing_twice_is_ready_twice_and_the_key_is_private(tmp_path: Path) -> None:
    for _ in range(2):
        assert "The database is ready." in flask(tmp_path, "prepare").stdout
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_backup_holds_what_the_server_holds(tmp_path: Path) -> None:
    app: Flask = fresh_app(tmp_path)
    with app.app_context():
        leagues.open_league("The Harpers", "token")
    target = tmp_path / "copy.sqlite"
    assert "Copied and checked" in flask(tmp_path, "backup", str(target)).stdout
    assert b"The Harpers" in target.read_bytes()
    again = flask(tmp_path, "backup", str(target))
    assert again.returncode != 0
    assert "exists already" in again.stderr
