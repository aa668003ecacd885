"""Break the rules core in hundreds of small ways, one at a time, and see whether its tests notice.

`python -m tests.tools.mutants [how many] [seed]`

The tests of the core are run once under coverage, which notes what each line is run by. A mutant
is met by the examples in its file, by the tests that run its line, the nearest first, and by all
of the core, those of the second tier too, if these don't notice; those that no test notices are
printed with their change.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import coverage

HERE = Path(__file__).parents[2]
CORE = (
    "companion/cards.py",
    "companion/spoken.py",
    "companion/melds",
    "companion/rules",
    "companion/scoring",
)
TESTS = (
    "tests/test_cards.py",
    "tests/test_spoken.py",
    "tests/melds",
    "tests/rules",
    "tests/scoring",
)
KEPT = (
    "companion",
    "tests",
    "templates",
    "static",
    "migrations",
    "pyproject.toml",
    "app.py",
    "docs",
    "bench",
)
SECONDS = 150
MOST_TESTS = 80
FAILED = (1, 2)
"""What pytest returns where a test failed, or could not be read; none found is no failure."""

SWAPS: dict[type, tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """One change: where, what stood there and what stands there now."""

    path: str
    line: int
    start: int
    end: int
    text: str

    def of(self, source: bytes) -> bytes:
        """Return the source with this change."""
        return source[: self.start] + self.text.encode() + source[self.end :]


class Source:
    """One file of the core, and the changes that can be made to it."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
        """Yield every small change that could change what the file does."""
        for node in _code(ast.parse(self.source)):
            yield from self._of_operator(node)
            yield from self._of_value(node)

    def _of_operator(self, node: ast.AST) -> Iterator[Mutant]:
        match node:
            case ast.Compare(left, [op], [right]) | ast.BinOp(left, op, right):
                yield from self._swap(left, right, type(op))
            case ast.BoolOp(op, [left, right, *_]):
                yield from self._swap(left, right, type(op))

    def _of_value(self, node: ast.AST) -> Iterator[Mutant]:
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                yield self._whole(node, f"({ast.unparse(operand)})")
            case ast.Constant(bool() as value):
                yield self._whole(node, str(not value))
            case ast.Constant(int() as value):
                yield self._whole(node, str(value + 1))
            case ast.Call(ast.Name(name) as called) if name in NAMES:
                yield self._whole(called, NAMES[name])
            case ast.If(test) | ast.While(test) | ast.IfExp(test):
                if not isinstance(test, ast.Compare):
                    yield self._whole(test, f"(not ({ast.unparse(test)}))")

    def _swap(self, left: ast.expr, right: ast.expr, kind: type) -> Iterator[Mutant]:
        """Put another operator between two values."""
        if kind in SWAPS:
            old, new = SWAPS[kind]
            line, start = left.end_lineno or 0, self._place(left.end_lineno, left.end_col_offset)
            end = self._place(right.lineno, right.col_offset)
            found = self.source.find(old.encode(), start, end)
            if found >= 0:
                yield Mutant(self.path, line, found, found + len(old), new)

    def _whole(self, node: ast.expr, text: str) -> Mutant:
        start = self._place(node.lineno, node.col_offset)
        end = self._place(node.end_lineno, node.end_col_offset)
        return Mutant(self.path, node.lineno, start, end, text)

    def _place(self, line: int | None, column: int | None) -> int:
        return self.starts[(line or 1) - 1] + (column or 0)


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk through what is run: no annotations, no text set together, no case patterns."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "pattern", "decorator_list", "type_params"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and not isinstance(node, ast.JoinedStr):
                yield node
                yield from _code(node)


def measure(folder: Path) -> dict[tuple[str, int], set[str]]:
    """Run the core's tests once and note which run each line.

    Raises `SystemExit` where one of them fails: it would notice every change, and mean nothing.
    """
    (folder / "contexts.ini").write_text(
        "[run]\ndynamic_context = test_function\nsource = companion\n"
    )
    command = ["-m", "coverage", "run", "--rcfile=contexts.ini", "-m", "pytest", "-q", "-n", "0"]
    run = [sys.executable, *command, "-m", "not slow", *TESTS]
    done = subprocess.run(run, cwd=folder, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"Not every test passes before anything is broken:\n{done.stdout[-2000:]}")
    data = coverage.CoverageData(str(folder / ".coverage"))
    data.read()
    runs: dict[tuple[str, int], set[str]] = defaultdict(set)
    for file in data.measured_files():
        path = str(Path(file).relative_to(folder))
        for line, tests in data.contexts_by_lineno(file).items():
            runs[path, line] |= {test for test in tests if test}
    return runs


def environment() -> dict[str, str]:
    """Return what tests of a copy are run in: a file that is put back is read anew."""
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def is_noticed(folder: Path, mutant: Mutant, near: list[str]) -> bool:
    """Return whether a test fails, or never ends, with this change: one that is near, or any.

    Raises `RuntimeError` where the tests could not be run.
    """
    file = folder / mutant.path
    source, times = file.read_bytes(), (file.stat().st_atime, file.stat().st_mtime)
    file.write_bytes(mutant.of(source))
    try:
        return _fails(folder, ["-n", "0", "-m", "not slow", mutant.path, *near], SECONDS) or _fails(
            folder, ["-n", "auto", "-m", "not long", *CORE, *TESTS], 10 * SECONDS
        )
    finally:
        file.write_bytes(source)
        os.utime(file, times)


def _fails(folder: Path, words: list[str], seconds: int) -> bool:
    """Run tests until one fails; what never ends has failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", *words]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment(), capture_output=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return True
    if done.returncode not in (0, *FAILED):
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return done.returncode in FAILED


def names_of(tests: set[str], path: str) -> list[str]:
    """Name tests as pytest does, `tests/melds/test_laws.py::test_…`, of the same room first.

    >>> names_of({"tests.melds.test_laws.test_runs", "hypothesis.engine.test_function"}, "a/melds")
    ['tests/melds/test_laws.py::test_runs']
    """
    named, room = [], Path(path).parts[1]
    for test in sorted(tests, key=lambda name: (f".{room}." not in name, name)):
        module, _, function = test.rpartition(".")
        if module.startswith("tests.") and function.startswith("test_"):
            named.append(f"{module.replace('.', '/')}.py::{function}")
    return named


def find(folder: Path, runs: Mapping[tuple[str, int], set[str]]) -> list[Mutant]:
    """List every mutant of a line that some test runs."""
    files = [file for part in CORE for file in _files(folder / part)]
    return [
        mutant
        for file in files
        for mutant in Source(str(file.relative_to(folder)), file.read_bytes()).mutants()
        if runs.get((mutant.path, mutant.line))
    ]


def copy_project(to: Path) -> Path:
    """Copy what the tests need to a place where it can be broken."""
    folder = to.resolve()
    for name in KEPT:
        copy = shutil.copytree if (HERE / name).is_dir() else shutil.copy2
        copy(HERE / name, folder / name)
    return folder


def _files(part: Path) -> list[Path]:
    return sorted(part.rglob("*.py")) if part.is_dir() else [part]


def main() -> int:
    """Make so many mutants and print those that no test notices."""
    many, seed = (int(word) for word in [*sys.argv[1:], *("300", "18")[len(sys.argv) - 1 :]])
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy_project(Path(temporary))
        runs = measure(folder)
        found = find(folder, runs)
        chosen = sorted(random.Random(seed).sample(found, min(many, len(found))))
        missed = 0
        for number, mutant in enumerate(chosen, start=1):
            tests = names_of(runs[mutant.path, mutant.line], mutant.path)
            if not is_noticed(folder, mutant, tests[:MOST_TESTS]):
                missed += 1
                line = (folder / mutant.path).read_text().splitlines()[mutant.line - 1].strip()
                print(f"{mutant.path}:{mutant.line}: {line}  →  {mutant.text}", flush=True)
            print(f"{number} of {len(chosen)}, {missed} missed", file=sys.stderr, flush=True)
    print(
        f"{len(chosen) - missed} of {len(chosen)} mutants are noticed, of {len(found)} there are."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
