"""What goes wrong outside the program is told apart, each with what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from psycopg import OperationalError
from sqlalchemy.engine import make_url

from companion.store.trouble import AWAY, NO_ROOM, explain, trouble
from tests.conftest import built, postgres_beside
from tests.support.command_runner import run

NOT_LET_IN: dict[str, tuple[dict[str, Any], str]] = {
    "no database": ({"database": "nowhere"}, "no database of this name. Make it with createdb"),
    "no user": ({"username": "nobody"}, "knows no user of this name. Make one with createuser"),
    "no server": ({"port": 1}, "The database server does not answer. Start it"),
    "no host": ({"host": "nowhere.invalid"}, "There is no database server of this name."),
    "no encryption": ({"query": {"sslmode": "require"}}, "Look at sslmode and sslrootcert"),
}


@pytest.mark.sql
@pytest.mark.parametrize("command", ["doctor", "prepare", "serve", "move"])
@pytest.mark.parametrize("what", NOT_LET_IN)
def test_a_database_server_that_lets_nobody_in_is_explained(
    tmp_path: Path, command: str, what: str
) -> None:
    parts, words = NOT_LET_IN[what]
    url = make_url(postgres_beside("")).set(**parts).render_as_string(hide_password=False)
    is_move = command == "move"
    app = built(tmp_path, None if is_move else url)
    with app.app_context():
        if is_move:
            assert run(app, "prepare").exit_code == 0
        told = run(app, command, *([url] if is_move else []))
    assert told.exit_code == 1
    assert words in told.stderr.splitlines()[-1]


SAID = {
    'FATAL:  password authentication failed for user "cards"': "Look at user and password",
    'FATAL:  no pg_hba.conf entry for host "10.0.0.1", user "cards"': "Look at user and password",
    "fe_sendauth: no password supplied": "Look at user and password",
    "SSL error: certificate verify failed": "Look at sslmode and sslrootcert",
    "FATAL:  sorry, too many clients already": NO_ROOM,
    "SSL SYSCALL error: EOF detected": AWAY,
    "server closed the connection unexpectedly": AWAY,
}


@pytest.mark.parametrize("said", SAID)
def test_what_the_server_says_at_the_door_is_understood(said: str) -> None:
    assert SAID[said] in explain(OperationalError(f"connection failed: {said}"))


def test_pages_leave_out_what_only_a_host_can_do() -> None:
    assert trouble(OperationalError("connection refused")) == AWAY
