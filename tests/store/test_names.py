"""People's names: any script and any emoji, nothing invisible, no two alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from companion.store.authors import Author
from companion.store.models import Player, db
from companion.store.names import PlayerNameError, clean_name, length, name_key, read_names
from tests.leagues.game_driver import newcomer

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
LONG_KEY = "\ufdfa" * 40  # one sign whose plain form is eighteen letters

WELCOME = [
    "A",
    "Ann",
    "Zoë",
    "O'Neill-Smith Jr.",
    "李小龍",
    "Дмитрий",
    "أحمد",
    "שָׁלוֹם",
    "नमस्ते",
    "김철수",
    "ひらがな",
    "🎉",
    "❤️",
    "👍🏽",
    FAMILY,
    "🏳️\u200d🌈",
    "\U0001fae8",
    "e\u0301ric",
    "<script>alert(1)</script>",
    "=1+1",
    "7",
    "x" * 40,
    FAMILY * 20,
    "{0} & 100%",
]


@pytest.mark.parametrize("name", WELCOME)
def test_names_that_are_welcome(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ann \t\n Lee\u3000", "Ann Lee"),
        ("Ann\tLee", "Ann Lee"),
        ("Ann\u2028Lee", "Ann Lee"),
        ("An\x00n\x1b", "Ann"),
        ("\u202eAnn\u202c", "Ann"),
        ("\u2066Ann\u2069", "Ann"),
        ("A\u200bn\ufeffn\u200c", "Ann"),
        ("A\u200dn\ufe0fn", "Ann"),
        ("An\u3164n", "Ann"),
        ("Ann\ud800", "Ann"),
        ("Zoe\u200b\u0308", "Zoë"),
        ("🎉\u200d", "🎉"),
        ("👩\u200d\u200d👧", "👩\u200d👧"),
    ],
)
def test_what_cannot_be_seen_is_taken_away(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    "text",
    ["", "  ", "\u200b", "\u200d\u200d", "\ufe0f", "\u202e\u202c", "\x00", "\u3164", "\u0301"],
)
def test_a_name_needs_something_to_see(text: str) -> None:
    with pytest.raises(PlayerNameError, match="at least one letter or sign"):
        clean_name(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x" * 41, "41 characters. Keep it to 40"),
        ("x" * 300, "300 characters"),
        ("🎉" * 300, "300 characters"),
        ("\u200d".join("x" * 300), "300 characters"),
        ("a" + "\u0316" * 300, "too many marks"),
        (FAMILY * 40, "too many marks"),
        (LONG_KEY, "too many marks"),
    ],
)
def test_a_name_too_long_is_told_so(text: str, words: str) -> None:
    with pytest.raises(PlayerNameError, match=words):
        clean_name(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë", "ZOE"),
        ("Straße", "STRASSE"),
        ("é", "e\u0301"),
        ("Ａnn", "ann"),
        ("ℂleo", "cleo"),
        ("❤️", "❤"),
        ("İpek", "ipek"),
    ],
)
def test_two_spellings_of_one_name(one: str, other: str) -> None:
    assert name_key(clean_name(one)) == name_key(clean_name(other))
    with pytest.raises(PlayerNameError, match="is listed twice"):
        read_names(f"{one}, Bob, {other}")


@pytest.mark.parametrize(
    ("one", "other"), [("か", "が"), ("は", "ぱ"), ("Ann", "Anne"), ("🎉", "🎈"), ("李", "王")]
)
def test_two_people_stay_two(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)
    assert read_names(f"{one}; {other}") == [one, other]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann, Ben, Cleo and Dev", ["Ann", "Ben", "Cleo", "Dev"]),
        ("Ann, Ben, Cleo, and Dev", ["Ann", "Ben", "Cleo", "Dev"]),
        ("Ann; Ben und Cleo & Dev", ["Ann", "Ben", "Cleo", "Dev"]),
        ("Ann, Mum and Dad,", ["Ann", "Mum and Dad"]),
        ("Mum and Dad,", ["Mum and Dad"]),
        ("Mum and Dad, Ann", ["Mum and Dad", "Ann"]),
        ("Mum and Dad, Ann and Ben", ["Mum and Dad", "Ann and Ben"]),
        ("Ann + Ben, Cleo + Dev", ["Ann + Ben", "Cleo + Dev"]),
        ("Ann, Andrea, Ferdinand", ["Ann", "Andrea", "Ferdinand"]),
    ],
)
def test_the_last_of_a_list_may_be_two(text: str, names: list[str]) -> None:
    assert read_names(text) == names


def test_people_see_one_letter_where_they_typed_one() -> None:
    assert [length(name) for name in (FAMILY, "👍🏽", "e\u0301", "नि", "Ann")] == [1, 1, 1, 1, 3]


@given(
    st.text(max_size=60)
    | st.text(st.sampled_from("aé\u0301\u200d\ufe0f👩❤ \u200b\u202eB"), max_size=12)
)
def test_a_cleaned_name_is_clean(text: str) -> None:
    try:
        name = clean_name(text)
    except PlayerNameError:
        return
    assert clean_name(name) == name
    assert 1 <= length(name) <= 40
    assert len(name) <= 160
    assert 1 <= len(name_key(name)) <= 320
    assert name_key(name_key(name)) == name_key(name)
    assert not any(
        unicodedata.bidirectional(c) in ("RLO", "LRO", "RLI", "LRI", "PDI") for c in name
    )


def test_every_welcome_name_is_stored_and_found_again(ann: Author) -> None:
    for name in WELCOME:
        number = newcomer(ann, name)
        assert newcomer(ann, name.upper()) == number
        stored = db.session.execute(select(Player.name).where(Player.id == number)).scalar_one()
        assert stored == unicodedata.normalize("NFC", name)


@given(st.lists(st.sampled_from(WELCOME), max_size=6, unique=True))
def test_a_comma_list_reads_back(names: list[str]) -> None:
    assert read_names(",".join([*names, ""])) == [clean_name(name) for name in names]
