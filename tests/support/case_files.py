"""The expected results in `tests/cases/`, one JSON object a line."""

import json
from pathlib import Path
from typing import Any

from companion.cards import Hand, read_hand

FOLDER = Path(__file__).parent.parent / "cases"


def cases(name: str) -> list[dict[str, Any]]:
    """All cases of one file; none at all is a fault of the checkout, not a pass."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines
    return [json.loads(line) for line in lines]


def hand(cards: list[str]) -> Hand:
    return read_hand(" ".join(cards))
