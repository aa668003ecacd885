"""People's names: what is accepted, and when two names are the same."""

from __future__ import annotations

import re
import unicodedata

from companion.cards import RuleError

LONGEST = 40
MOST_STORED = 160
_SEPARATORS = re.compile(r"[,;\n]+")
_JOINERS = {"\u200d", "\ufe0f", "\ufe0e"}


class PlayerNameError(RuleError):
    """A name, or a list of names, that cannot be used."""


def clean_name(text: str) -> str:
    """Normalise a name: composed letters, single blanks, no invisible characters.

    >>> clean_name("  Ann   Lee ")
    'Ann Lee'

    Raises `PlayerNameError` for a name that is empty or longer than 40 characters.
    """
    plain = unicodedata.normalize("NFC", text)
    visible = "".join(c for c in plain if c in _JOINERS or not _is_invisible(c))
    name = " ".join(visible.split()).strip("".join(_JOINERS))
    if not name:
        raise PlayerNameError("A name needs at least one letter or sign.")
    if length(name) > LONGEST:
        raise PlayerNameError(f"{name[:20]}… has {length(name)} characters: {LONGEST} are enough.")
    if len(name) > MOST_STORED or len(name_key(name)) > 2 * MOST_STORED:
        raise PlayerNameError(f"{name[:20]}… has too many marks on its letters to be kept.")
    return name


def name_key(name: str) -> str:
    """Fold a name so that two spellings of one name are the same: case and accents aside.

    >>> name_key("Zoë") == name_key("zoe")
    True
    """
    apart = unicodedata.normalize("NFKD", name.casefold())
    folded = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", folded) or name


def length(name: str) -> int:
    """Count the characters people see: accents and joined emoji are part of their letter."""
    seen = 0
    joined = False
    for letter in name:
        marks = unicodedata.combining(letter) or letter in _JOINERS or "🏻" <= letter <= "🏿"
        if not marks and not joined:
            seen += 1
        joined = letter == "\u200d"
    return seen


def read_names(text: str) -> list[str]:
    """Read a comma list of names in seat order.

    Raises `PlayerNameError` for a name that is too long or stands twice.
    """
    names = [clean_name(part) for part in _SEPARATORS.split(text) if part.strip()]
    keys = [name_key(name) for name in names]
    for name, key in zip(names, keys, strict=True):
        if keys.count(key) > 1:
            raise PlayerNameError(f"{name} stands twice: two people need two names.")
    return names


def _is_invisible(letter: str) -> bool:
    """Control, bidirectional and zero-width characters, and whatever is not a character."""
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn") and letter != "\n"
