"""What is compiled beside the program, once for all who serve it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.processes.served import PROJECT


def compile_into(beside: Path, folder: Path, dont_write: str) -> subprocess.CompletedProcess[str]:
    """Give the command to a Python of its own, which reads its settings when it starts."""
    settings = {
        "INSTANCE_PATH": str(folder),
        "PYTHONPYCACHEPREFIX": str(beside),
        "PYTHONDONTWRITEBYTECODE": dont_write,
    }
    return subprocess.run(
        [sys.executable, "-m", "companion", "compile"],
        cwd=PROJECT,
        env=os.environ | settings,
        umask=0o022,  # whatever an earlier command in this process has set
        capture_output=True,
        text=True,
    )


def test_pages_and_games_are_compiled_for_others_to_read(tmp_path: Path) -> None:
    beside = tmp_path / "bytecode"
    told = compile_into(beside, tmp_path / "house", "")
    templates = list((PROJECT / "templates").rglob("*.html"))
    games = list((PROJECT / "companion").rglob("*.toml"))
    said = f"{len(templates)} templates and {len(games)} files of games are compiled.\n"
    assert (told.returncode, told.stdout) == (0, said)
    kept = [*beside.rglob("*.template"), *beside.rglob("*.toml.json")]
    assert len(kept) == len(templates) + len(games)
    assert {file.stat().st_mode & 0o777 for file in kept} == {0o644}
    assert {file.parent.stat().st_mode & 0o777 for file in kept} == {0o755}


def test_where_python_keeps_no_bytecode_it_says_so(tmp_path: Path) -> None:
    told = compile_into(tmp_path / "bytecode", tmp_path / "house", "1")
    assert told.returncode != 0
    assert "PYTHONDONTWRITEBYTECODE is set" in told.stderr
    assert not (tmp_path / "bytecode").exists()
