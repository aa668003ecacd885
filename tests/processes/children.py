"""A process that works on the database of a test until its input closes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Self

from flask import current_app

from companion.store.models import db
from tests.support.patience import HANGS


class Child:
    """A module run as a process of its own: it gets orders line by line, and answers so."""

    def __init__(self, module: str, *words: object) -> None:
        url = db.engine.url.render_as_string(hide_password=False)
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, url, *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"INSTANCE_PATH": current_app.instance_path},
            text=True,
            bufsize=1,
        )
        assert self.process.stdin
        assert self.process.stdout
        self._input: IO[str] = self.process.stdin
        self._output: IO[str] = self.process.stdout

    def order(self, words: object) -> None:
        """Write a line."""
        self._input.write(f"{words}\n")

    def answer(self) -> list[str]:
        """Read a line; a process that ended by itself fails the test."""
        line = self._output.readline()
        assert line, "the process ended by itself"
        return line.split()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._input.close()
        self.process.wait(HANGS)
        self._output.close()
