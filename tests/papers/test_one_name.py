"""One name means one thing, and no test leans on another one."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "companion"
TESTS = Path(__file__).parents[1]
NAMED_BY_OTHERS = {"__init__", "__main__", "conftest"}
MODULES = [path for path in sorted(PROGRAM.rglob("*.py")) if path.name != "__init__.py"]


def twice(names: list[str]) -> set[str]:
    return {name for name, times in Counter(names).items() if times > 1}


def test_no_public_class_is_called_like_another() -> None:
    names = [
        name
        for path in MODULES
        for name in re.findall(r"^ *class ([^\W_]\w*)[(:]", path.read_text("utf-8"), re.M)
    ]
    assert len(names) > 100
    assert twice(names) == set()


def test_no_module_is_called_like_another() -> None:
    """Modules of tests have names of their own too."""
    modules = [*MODULES, *TESTS.rglob("*.py")]
    names = [path.stem for path in modules if path.stem not in NAMED_BY_OTHERS]
    assert len(names) > 300
    assert twice(names) == set()


def test_no_test_reads_another_test() -> None:
    """What tests share stands in a module beside them, or in a folder that many use."""
    readers = {
        path.name: read
        for path in TESTS.rglob("*.py")
        for read in re.findall(
            r"^\s*from\s+((?:[\w.]*\.)?test_\w+)\s+import", path.read_text("utf-8"), re.M
        )
    }
    assert readers == {}
