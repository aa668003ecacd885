"""How people ask about each subject, by several writers: what the search learns from."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from hashlib import sha256
from pathlib import Path

from companion.rules.asking.language import FILE as LANGUAGE

FILES = sorted((Path(__file__).parent / "questions").glob("*.toml"))

KINDS = ("more", "fresh", "table", "examined", "seldom")
OPEN = ["questions", *(f"{kind}_questions" for kind in KINDS)]
"""The question files of the tests that the search learns from too."""


def ways_of_asking() -> dict[str, list[str]]:
    """Read how people ask about each subject, all writers together."""
    ways: defaultdict[str, list[str]] = defaultdict(list)
    for file in FILES:
        for subject, asked in tomllib.loads(file.read_text(encoding="utf-8")).items():
            ways[subject] += asked
    return dict(ways)


def digest() -> str:
    """Return the digest of what is learned from: the ways of asking and the language."""
    return sha256(b"".join(map(Path.read_bytes, (*FILES, LANGUAGE)))).hexdigest()[:16]
