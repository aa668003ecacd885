"""Words that others try first: common ones, names of the league, runs over the keyboard.

Made by a rule instead of written down one by one: whatever is two common words or runs, with any
digits and names of the league between them, and whatever repeats such a thing, is guessable. That
is more than every list of what leaked holds, and still lets four words pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from companion.store.names import name_key

MOST_PARTS = 2
"""How many words or runs a passphrase that anybody guesses has."""
# No name has more than 40 letters, and longer parts would make a long text slow to check.
SHORTEST_NAME, LONGEST_PART = 3, 40
# English, German and French keyboards, along and across, then numbers woven with letters.
ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
    "azertyuiopqsdfghjklmwxcvbn",
    "qazwsxedcrfvtgbyhnujmikolp",
    "qayxswedcvfrtgbnhzujmkiolp",
    "01234567890",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "zaq1xsw2cde3vfr4bgt5nhy6mju7",
    "a1b2c3d4e5f6g7h8i9",
    "1a2b3c4d5e6f7g8h9i",
)
LOOKALIKES = str.maketrans("013456789@$!", "oieasgtbgasi")


def is_guessable(words: str, names: Iterable[str] = ()) -> bool:
    """Return whether others try this early, who know the names of the league.

    >>> is_guessable("P4ssw0rd-2024!"), is_guessable("qwertyuiop123"), is_guessable("12345678 " * 2)
    (True, True, True)
    >>> is_guessable("four horses eat jam"), is_guessable("Ann Bob Cleo", ["Ann", "Bob", "Cleo"])
    (False, True)
    """
    known_names = {_letters(part) for name in names for part in (name, *name.split())}
    known_names = {name for name in known_names if len(name) >= SHORTEST_NAME}
    whole = _letters(words)
    core = _letters(words.strip("0123456789 .,;:!?-_*#+").translate(LOOKALIKES))
    return any(text and _parts(_once(text), known_names) <= MOST_PARTS for text in (whole, core))


def _letters(text: str) -> str:
    """Fold letters, and leave out all that stands between them."""
    return "".join(letter for letter in name_key(text) if letter.isalnum())


def _once(text: str) -> str:
    """Return what a text repeats, itself where it repeats nothing."""
    return text[: (text + text).find(text, 1)] if text else text


def _parts(text: str, names: set[str]) -> int:
    """Count the fewest words and runs that make a text; names and digits count for nothing."""
    fewest = [0] + [len(text) + 1] * len(text)
    for start in range(len(text)):
        for end in range(start + 1, min(start + LONGEST_PART, len(text)) + 1):
            part = text[start:end]
            if part in names or part.isdigit():
                fewest[end] = min(fewest[end], fewest[start])
            elif part in common_words() or _is_run(part):
                fewest[end] = min(fewest[end], fewest[start] + 1)
    return fewest[-1]


def _is_run(part: str) -> bool:
    return len(set(part)) == 1 or any(part in row or part[::-1] in row for row in ROWS)


@cache
def common_words() -> frozenset[str]:
    """Read the words that people choose most, folded."""
    listed = Path(__file__).with_name("common_words.txt").read_text(encoding="utf-8")
    return frozenset(listed.split())
