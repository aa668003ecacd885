"""Break what must not give way, one guard at a time, and name the test that notices.

`python -m tests.tools.guards [a kind …]`

The guards stand in `guards.toml`: two of each kind. Each is broken in a copy of the project, and
its tests are asked tier by tier until one fails; one that nothing notices fails the command.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, convert

from tests.tools.mutants import copy_project, environment

TIERS = {"first": "not slow", "second": "slow"}
LONGEST = 900
"""Seconds after which the tests of one guard are not waited for."""


class Guard(Struct, frozen=True):
    """A guard: where it stands, what it says, how it is broken, and the tests that are asked."""

    kind: str
    says: str
    file: str
    text: str
    broken: str
    tests: list[str]


def guards() -> list[Guard]:
    """Read the guards; each text stands once in its file."""
    table = tomllib.loads((Path(__file__).parent / "guards.toml").read_text(encoding="utf-8"))
    return convert(table["guard"], list[Guard])


@contextmanager
def without(folder: Path, guard: Guard) -> Iterator[None]:
    """Let a copy of the project go on without a guard for a while."""
    file = folder / guard.file
    source = file.read_text(encoding="utf-8")
    file.write_text(source.replace(guard.text, guard.broken), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(source, encoding="utf-8")


def noticed_by(folder: Path, tests: Sequence[str]) -> tuple[str, str] | None:
    """Return the first test that fails, or never ends, and its tier; None where all pass."""
    for tier, chosen in TIERS.items():
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "-n", "0", "-m", chosen]
        try:
            done = subprocess.run(
                [*command, *tests],
                cwd=folder,
                env=environment(),
                capture_output=True,
                text=True,
                timeout=LONGEST,
            )
        except subprocess.TimeoutExpired:
            return "a test that never ends", tier
        if found := re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE):
            return found[1], tier
    return None


def main(kinds: Sequence[str]) -> int:
    """Print a line for each guard of these kinds, or of all; return how many nothing noticed."""
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy_project(Path(temporary))
        for guard in guards():
            if kinds and guard.kind not in kinds:
                continue
            with without(folder, guard):
                found = noticed_by(folder, guard.tests)
            if found and noticed_by(folder, found[:1]):
                raise SystemExit(f"{found[0]} fails with every guard in its place")
            test, tier = found or ("nothing", "–")
            missed += found is None
            print(f"| {guard.kind} | {guard.says} | `{test}` | {tier} |", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
