"""The expected results in tests/cases, one for each case and each reading of the rules in it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[2] / "cases"


class Case(NamedTuple):
    """A question, the reading of the rules under which it is asked, and the answer."""

    id: str
    given: dict[str, Any]
    params: dict[str, Any]
    expect: dict[str, Any]


def cases(name: str) -> Iterator[Case]:
    """Every case of a file, its other readings each a case of its own."""
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        params, expect = case.get("params", {}), case["expect"]
        yield Case(case["id"], case["in"], params, expect)
        for other in case.get("variants", ()):
            yield Case(case["id"], case["in"], params | other["params"], expect | other["expect"])
