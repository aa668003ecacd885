"""Commands run within a test, and what they say."""

from __future__ import annotations

from click.testing import Result
from flask import Flask

from companion.store.models import db
from tests.leagues.game_driver import unchanged


def run(app: Flask, *words: str) -> Result:
    db.session.remove()
    return app.test_cli_runner().invoke(args=list(words))


def refused(app: Flask, *words: str) -> str:
    """What a command says when it refuses: one sentence, and nothing is changed."""
    with unchanged():
        result = run(app, *words)
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    return result.output
