"""An evening where the system is no POSIX, as on most families' computers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BARE = """
import os, sys
for module in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[module] = None
for name in ("geteuid", "getuid", "chown", "fchown", "fork", "getpgid", "killpg"):
    if hasattr(os, name):
        delattr(os, name)
import pkgutil
import companion
for found in pkgutil.walk_packages(companion.__path__, "companion."):
    if not found.name.endswith("__main__"):
        __import__(found.name)
from companion.upkeep import startup
from tests.visits.browserless import score, start, totals
from tests.visits.phones import watched
app = companion.create_app({"TESTING": True})
with app.app_context():
    startup.prepare()
site = watched(app)
phone = site.phone()
table = start(phone, "zioncheck", "Ann", "Bob")
for number in range(6):
    table = score(phone, table, "out", 0, {1: "7 7 K"})
print(totals(table))
"""


@pytest.mark.slow
def test_an_evening_is_played_without_what_only_posix_has(tmp_path: Path) -> None:
    """Importing a module, making keys and a database, and saving a deal need none of it."""
    done = subprocess.run(
        [sys.executable, "-c", BARE],
        cwd=Path(__file__).parents[2],
        env={"INSTANCE_PATH": str(tmp_path), "PATH": "", "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["[0,", "120]"]
