"""Break the rules core in hundreds of small ways, one at a time, and see whether its tests notice.

`python -m tests.tools.mutants [how many] [seed]`

The tests of the core, of both tiers, are run once under coverage, which notes what each line is
run by and how long that takes. A mutant is met by the tests that run its line, quick ones of its
own room first, a few and then more; those that no test notices are printed with their change.
"""

from __future__ import annotations

import ast
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import _lru_cache_wrapper
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

import coverage
import pytest

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
    "tools",
)
NEAR = 8
"""So many tests are asked first."""
LONG = 5.0
"""A test that takes so many seconds is asked last."""
QUIETLY = ["-qx", "-n0", "-pno:cacheprovider", "-Wignore::pytest.PytestAssertRewriteWarning"]
MOST_SECONDS, MOST_MEMORY = 3_600, 4 << 30
NOTES = "runs.json"
FAILED = (1, 2, 4)
"""What pytest returns where a test failed, or its file could not be read and so has none of its
name; none chosen is no failure."""

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


class Watch:
    """Notes, while tests run, which of them runs each line of the core and how long it takes.

    Nothing is remembered from test to test, or only the first would be known to run what finds it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._coverage = coverage.Coverage(data_file=None, config_file=False, source=["companion"])
        self._seconds: dict[str, float] = defaultdict(float)

    def pytest_sessionstart(self) -> None:
        self._coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if _function(nodeid) not in self._seconds:
            _forget()
        self._coverage.switch_context(_function(nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[_function(report.nodeid)] += report.duration

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        data = self._coverage.get_data()
        runs = {
            str(Path(file).relative_to(self._folder)): data.contexts_by_lineno(file)
            for file in data.measured_files()
        }
        (self._folder / NOTES).write_text(json.dumps([runs, self._seconds]))


def _forget() -> None:
    for name, module in sys.modules.items():
        if f"{name.replace('.', '/')}.py".startswith(CORE):
            for thing in vars(module).values():
                if type(thing) is _lru_cache_wrapper:
                    thing.cache_clear()


def _function(nodeid: str) -> str:
    """Name the function of a test, whatever it is given."""
    return nodeid.partition("[")[0]


class Tests:
    """Which tests run each line of the core, the nearest first."""

    def __init__(self, folder: Path) -> None:
        """Run all of them once.

        Raises `SystemExit` where one of them fails: it would notice every change, and mean nothing.
        """
        words = ["-m", "not long", *CORE, *TESTS]
        if run_tests(folder, words, MOST_SECONDS, [Watch(folder)]):
            raise SystemExit("Not every test passes before anything is broken.")
        self._runs: dict[str, dict[str, list[str]]]
        self._seconds: dict[str, float]
        self._runs, self._seconds = json.loads((folder / NOTES).read_text())

    def of(self, path: str, line: int) -> list[str]:
        """List the tests that run a line, those of its own room first and each room's quick first.

        What takes long comes after all others.
        """
        room = f"/{Path(path).parts[1]}"

        def distance(test: str) -> tuple[bool, bool, float]:
            seconds = self._seconds[test]
            return seconds > LONG, room not in test, seconds

        return sorted(filter(None, self._runs.get(path, {}).get(str(line), ())), key=distance)

    def patience(self, names: Sequence[str]) -> int:
        """Return the seconds after which tests are held to have no end."""
        return 30 + 3 * round(sum(self._seconds[name] for name in names))


def run_tests(folder: Path, words: list[str], seconds: int, plugins: Sequence[object] = ()) -> int:
    """Run tests until one fails and return what pytest does; what never ends has failed.

    A child runs them that has everything imported but what may be broken.
    """
    child = os.fork()
    if not child:
        _run_here(folder, words, seconds, plugins)
    _, status = os.waitpid(child, 0)
    return FAILED[0] if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)


def _run_here(folder: Path, words: list[str], seconds: int, plugins: Sequence[object]) -> NoReturn:
    """Run tests in this process, which ends with them or is ended by the clock."""
    signal.alarm(seconds)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    os.chdir(folder)
    os.environ.update(environment())
    sys.dont_write_bytecode = not plugins
    tempfile.tempdir = str(folder / "temporary")
    sys.path[:] = [str(folder), *(place for place in sys.path if Path(place) != HERE)]
    for name in [name for name in sys.modules if name.startswith(("companion", "tests"))]:
        del sys.modules[name]
    if not plugins:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
    os._exit(pytest.main([*QUIETLY, *words], plugins))


def is_noticed(folder: Path, mutant: Mutant, tests: Tests) -> bool:
    """Return whether a test fails, or never ends, with this change.

    Raises `RuntimeError` where the tests could not be run.
    """
    file = folder / mutant.path
    source, times = file.read_bytes(), (file.stat().st_atime, file.stat().st_mtime)
    file.write_bytes(mutant.of(source))
    try:
        near = tests.of(mutant.path, mutant.line)
        return any(_fails(folder, some, tests) for some in (near[:NEAR], near[NEAR:]) if some)
    finally:
        file.write_bytes(source)
        os.utime(file, times)


def _fails(folder: Path, names: list[str], tests: Tests) -> bool:
    result = run_tests(folder, ["-m", "not long", *names], tests.patience(names))
    if result not in (0, *FAILED):
        raise RuntimeError(f"pytest ended with {result}: {names}")
    return result in FAILED


def environment() -> dict[str, str]:
    """Return what tests of a copy are run in: a file that is put back is read anew."""
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def find(folder: Path, tests: Tests) -> list[Mutant]:
    """List every mutant of a line that some test runs."""
    files = [file for part in CORE for file in _files(folder / part)]
    return [
        mutant
        for file in files
        for mutant in Source(str(file.relative_to(folder)), file.read_bytes()).mutants()
        if tests.of(mutant.path, mutant.line)
    ]


def copy_project(to: Path) -> Path:
    """Copy what the tests need to a place where it can be broken."""
    folder = to.resolve()
    for name in KEPT:
        copy = shutil.copytree if (HERE / name).is_dir() else shutil.copy2
        copy(HERE / name, folder / name)
    (folder / "temporary").mkdir()
    return folder


def _files(part: Path) -> list[Path]:
    return sorted(part.rglob("*.py")) if part.is_dir() else [part]


def main() -> int:
    """Make so many mutants and print those that no test notices."""
    import_module("tests.conftest")  # whoever runs tests has all that it imports
    many, seed = (int(word) for word in [*sys.argv[1:], *("300", "18")[len(sys.argv) - 1 :]])
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy_project(Path(temporary))
        tests = Tests(folder)
        found = find(folder, tests)
        chosen = sorted(random.Random(seed).sample(found, min(many, len(found))))
        missed = 0
        for number, mutant in enumerate(chosen, start=1):
            if not is_noticed(folder, mutant, tests):
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
