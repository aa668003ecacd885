"""Files of a league, read for what matters."""

from __future__ import annotations

import json


def without_seal(data: bytes) -> dict[str, object]:
    """What is in a file, but for the seal: a copy has a chain of its own."""
    document: dict[str, object] = json.loads(data)
    assert document.pop("seal")
    return document
