"""People's names: what is accepted, and when two names are the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from typing import Literal

from companion.cards import Refusal

LONGEST = 40
MOST_OF_TEAM = 20
LONGEST_TYPED = 1000
"""No text is normalised that is longer: marks in a row take the square of their number."""
_SEPARATORS = re.compile(r"[,;\n]+")
_AND = re.compile(r"\s+(?:and|und|&|\+)\s+", re.IGNORECASE)
_LAST_AND = re.compile(r"(?:^|\s+)(?:and|und|&)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"(?:^|\s)\d{1,2}[.)]\s+")
"""What stands between names in a sentence, and before each in a numbered list."""
_JOINER = "\u200d"
_STYLES = {"\ufe0e", "\ufe0f"}
_BLANK = set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0")
_VIRAMA, _LETTER_MARKS = 9, (0, 7, 8, 9)  # combining classes: 8 tells Japanese ga from ka
MOST_STORED, _MOST_KEY = 160, 320
TEAM_KEY = "+  "
"""How the key of a team begins: no name's does, for in a name there are single blanks."""


class PlayerNameError(Refusal):
    """A name, or a list of names, that cannot be used."""


def clean_name(text: str) -> str:
    """Normalise a name: composed letters, single blanks, no invisible characters.

    >>> clean_name("  Ann   Lee ")
    'Ann Lee'

    What joins emoji to a family stays. Raises `PlayerNameError` for a name that is empty or
    longer than 40 characters.
    """
    if len(text) > LONGEST_TYPED:
        raise PlayerNameError(f"This name is much too long. Keep it to {LONGEST} letters.")
    name = one_line(text)
    if not length(name):
        raise PlayerNameError("A name needs at least one letter or sign.")
    if length(name) > LONGEST:
        raise PlayerNameError(f"{name[:20]}… has {length(name)} characters. Keep it to {LONGEST}.")
    if len(name) > MOST_STORED or len(name_key(name)) > _MOST_KEY:
        raise PlayerNameError("This name has too many marks on its letters: please shorten it.")
    return name


def shortened(text: str, most: int = LONGEST) -> str:
    """Cut any text to a name of so many characters that `clean_name` takes; "" if none is in it.

    Blanks aren't counted.

    >>> shortened("Ann  of the Lake", 6), shortened("\u200b")
    ('Ann of t', '')
    """
    name = one_line(text)[:MOST_STORED]
    while name:
        with suppress(PlayerNameError):
            if length(name) <= most:
                return clean_name(name)
        name = one_line(name[:-1])
    return ""


def one_line(text: str) -> str:
    """Normalise words to one line: composed letters, single blanks, no invisible characters.

    What is longer than `LONGEST_TYPED` is cut off before anything else.
    """
    visible = "".join(char for char in text[:LONGEST_TYPED] if not _is_invisible(char))
    words = map(_joined_signs, visible.split())
    return normalised("NFC", " ".join(filter(None, words)))


def normalised(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Write letters and their marks in one of Unicode's forms.

    Marks in a row are sorted at the square of their number, so what is too long is cut off first.
    """
    return unicodedata.normalize(form, text[:LONGEST_TYPED])


def _joined_signs(word: str) -> str:
    """Keep a joiner or style only after a sign, as in emoji, and a joiner after a virama."""
    cleaned = ""
    for char in word:
        sign = cleaned[-1:] and (
            cleaned[-1] in _STYLES or unicodedata.category(cleaned[-1])[0] in "SC"
        )
        virama = cleaned[-1:] and char == _JOINER and unicodedata.combining(cleaned[-1]) == _VIRAMA
        if char not in (_JOINER, *_STYLES) or (cleaned[-1:] != _JOINER and (sign or virama)):
            cleaned += char
    return cleaned.rstrip(_JOINER)


def name_key(name: str) -> str:
    """Fold a name so that two spellings of one name are the same: case and accents aside.

    >>> name_key("Zoë") == name_key("zoe")
    True
    """
    apart = normalised("NFKD", name).casefold()
    folded = "".join(
        char
        for char in normalised("NFKD", apart)
        if char not in (_JOINER, *_STYLES) and unicodedata.combining(char) in _LETTER_MARKS
    )
    return " ".join(normalised("NFC", folded).split()) or name


def length(name: str) -> int:
    """Count the characters people see: accents and joined emoji are part of their letter."""
    seen = 0
    joined = False
    for char in name:
        if _is_base(char) and not joined:
            seen += 1
        joined = char == _JOINER
    return seen


def _is_base(char: str) -> bool:
    """Return whether a sign is a letter of its own, not one that marks or joins another."""
    if char in (_JOINER, *_STYLES) or "🏻" <= char <= "🏿":
        return False
    return unicodedata.category(char)[0] != "M" and not char.isspace()


def clean_person(text: str) -> str:
    """Normalise the name of one person, in which nothing stands that parts names from each other.

    >>> clean_person(" Ann  Lee")
    'Ann Lee'

    Raises `PlayerNameError` as `clean_name` does, and for a comma or semicolon, or the plus of a
    team.
    """
    if team_of(text):
        raise PlayerNameError("A plus stands between the people of a team: enter one name.")
    refuse_list(text)
    return clean_name(text)


def clean_line(text: str) -> str:
    """Normalise the name of one person or, with a plus, of a team, each name in it by itself.

    >>> clean_line("Ann+Bob"), clean_line(" Ann ")
    ('Ann + Bob', 'Ann')

    Raises `PlayerNameError` as `clean_person` does, and for a team in which one name stands twice.
    """
    refuse_list(text)
    return " + ".join(all_different(team_of(text))) or clean_name(text)


def refuse_list(text: str) -> None:
    """Raise `PlayerNameError` for text in which several names stand."""
    if _SEPARATORS.search(text.strip()):
        raise PlayerNameError("A name has no comma or semicolon: these stand between two names.")


def read_names(text: str) -> list[str]:
    """Read names in seat order, parted by commas, semicolons or lines, else by *and*, or spaces.

    The last of a list may be parted by *and* too, unless others have one or a comma ends it.

    >>> read_names("Ann Lee, Bob"), read_names("Ann Bob Cleo")
    (['Ann Lee', 'Bob'], ['Ann', 'Bob', 'Cleo'])
    >>> read_names("Rose and Ben & Cleo"), read_names("1. Rose 2. Ben")
    (['Rose', 'Ben', 'Cleo'], ['Rose', 'Ben'])
    >>> read_names("Ann, Ben and Cleo"), read_names("Ann, Mum and Dad,")
    (['Ann', 'Ben', 'Cleo'], ['Ann', 'Mum and Dad'])
    >>> read_names("Mum and Dad, Ann"), read_names("Ann and Ben, Cleo and Dev")
    (['Mum and Dad', 'Ann'], ['Ann and Ben', 'Cleo and Dev'])

    Raises `PlayerNameError` for a name that is too long or stands twice, and for a list of them
    that no table has.
    """
    if len(text) > LONGEST_TYPED:
        raise PlayerNameError(f"That is a very long list: names have at most {LONGEST} characters.")
    plain = _NUMBER.sub("\n", text).strip()
    if not _SEPARATORS.search(plain):
        plain = _AND.sub("\n", plain)
    listed = _SEPARATORS.split(plain) if _SEPARATORS.search(plain) else plain.split() or [""]
    *earlier, last = listed
    is_whole = not earlier or any(map(_AND.search, earlier))
    parts = listed if is_whole else [*earlier, *_LAST_AND.split(last.strip())]
    return all_different(_clean_part(part) for part in parts if part.strip())


def _clean_part(text: str) -> str:
    """Normalise one name of a list: whether a plus makes a team is known only with the game."""
    return one_line(text) if team_of(text) else clean_name(text)


def team_of(name: str) -> list[str]:
    """Read the people of a team from its name; none where it is the name of one person.

    >>> team_of("Ann + Bob"), team_of("Ann"), team_of("Ann +")
    (['Ann', 'Bob'], [], [])

    Raises `PlayerNameError` as `clean_name` does, and for a team of more than `MOST_OF_TEAM`.
    """
    parts = [part.strip() for part in name.split("+")]
    if len(parts) < 2 or not all(parts):
        return []
    if len(parts) > MOST_OF_TEAM:
        raise PlayerNameError(f"A team has at most {MOST_OF_TEAM} people.")
    return [clean_name(part) for part in parts]


def spoken(name: str) -> str:
    """Call the people of a team as a sentence does.

    >>> spoken("Ann + Bob"), spoken("Ann")
    ('Ann and Bob', 'Ann')
    """
    *others, last = team_of(name) or [name]
    return f"{', '.join(others)} and {last}" if others else last


def all_different(people: Iterable[str]) -> list[str]:
    """Return the names if no two are the same.

    Raises `PlayerNameError` for a name that stands twice.
    """
    names = list(people)
    keys = [name_key(name) for name in names]
    for name, key in zip(names, keys, strict=True):
        if keys.count(key) > 1:
            raise PlayerNameError(f"{name} is listed twice. Give one of them another name.")
    return names


def _is_invisible(char: str) -> bool:
    """Control, bidirectional and zero-width characters, and whatever is not a character."""
    if char == _JOINER or char.isspace() or "\U0001f000" <= char <= "\U0001faff":
        return False  # emoji newer than this Python are signs as well
    return char in _BLANK or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")
