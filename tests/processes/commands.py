"""Commands of `flask` as processes of their own, each forked from one that has all imported.

A command then takes as long as its work, and not a second more in which Python starts. What
`python -m flask` itself does is seen where servers are started.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import select
import signal
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.processes.served import PROJECT, environment
from tests.support.patience import HANGS

IMPORTED = (
    *("companion.commands.serve_commands", "companion.web", "flask.cli"),
    *("alembic.command", "flask_limiter.commands", "psycopg", "waitress.server"),
)


def flask(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run one command on an instance folder to its end."""
    with TemporaryDirectory(prefix="companion-") as said:
        files = [Path(said) / "out", Path(said) / "err"]
        call = {
            "words": ["flask", *words],
            "environment": environment(folder, **settings),
            "files": list(map(str, files)),
        }
        code = _ask(json.dumps(call))
        out, err = (path.read_text("utf-8") for path in files)
        return subprocess.CompletedProcess(["flask", *words], code, out, err)


def _ask(call: str) -> int:
    mother = _mother()
    assert mother.stdin
    assert mother.stdout
    mother.stdin.write(call + "\n")
    mother.stdin.flush()
    if not select.select([mother.stdout], [], [], HANGS)[0]:
        os.killpg(mother.pid, signal.SIGKILL)
        raise AssertionError(f"hangs: {call}")
    return int(mother.stdout.readline())


@cache
def _mother() -> subprocess.Popen[str]:
    """The process that has everything imported; it ends with this one."""
    mother = subprocess.Popen(
        [sys.executable, "-m", "tests.processes.commands"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    atexit.register(mother.communicate)
    return mother


def main() -> None:
    """Fork one command for each line read, and tell its exit code."""
    for name in IMPORTED:
        import_module(name)
    gc.freeze()  # what is imported stays the mother's: no child looks through it when it ends
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _become(**json.loads(line))
        _, status = os.waitpid(child, 0)
        os.write(1, f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _become(words: list[str], environment: dict[str, str], files: list[str]) -> None:
    """Be the command from here on; ends with `SystemExit` as it does."""
    os.environ.clear()
    os.environ.update(environment)
    for handle, path in enumerate((os.devnull, *files)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, handle)
        os.close(opened)
    sys.argv = words
    runpy.run_module("flask", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
