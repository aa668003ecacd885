"""A family's game as a file: passed on whole, and hostile files refused."""

import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
import tomli_w
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.rules import (
    Variant,
    VariantError,
    advice,
    build,
    card_games,
    compared,
    extend,
    to_data,
    with_choices,
)
from companion.rules.form_fields import shown
from companion.rules.house import DEEPEST, LARGEST_NUMBER, LONGEST_FILE, read_toml, write_toml
from tests.support.doses import doses
from tests.support.every_game import EVERY_GAME
from tests.support.reports import CONTRACT

from .edited_games import edited, houses


@EVERY_GAME
def test_a_game_is_passed_on_as_a_file(variant: Variant) -> None:
    assert read_toml(write_toml(variant)) == variant


@given(houses())
@settings(max_examples=60)
def test_a_house_is_passed_on_as_a_file(variant: Variant) -> None:
    assert read_toml(write_toml(variant)) == variant


def test_a_file_says_only_what_is_not_so_anyway() -> None:
    text = write_toml(edited(CONTRACT, name="Ours"))
    assert 'name = "Ours"' in text
    assert 'extends = "contract-rummy"' in text
    assert "direction" not in text
    assert 'direction = "right"' in write_toml(edited(CONTRACT, f__turn__direction="right"))


ODD = 'Ann\'s "game" \\ = # ♥'


def test_any_name_survives_the_file() -> None:
    house = extend(CONTRACT, {"name": ODD, "summary": ODD * 9, "deal_word": ODD})
    assert read_toml(write_toml(house)) == house


def deep(levels: int) -> str:
    path = ".".join(["a"] * levels)
    choice = (
        f'options = [{{value = 1, label = "a"}}, {{value = 2, label = "b", changes.{path} = 1}}]'
    )
    head = f'[[choices]]\nkey = "k"\nquestion = "q"\nrule = "r"\n{choice}\n'
    return write_toml(extend(CONTRACT, {"choices": []})) + head


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "rules: object missing required field"),
        ("name = ", "rules: this is no TOML file"),
        ("[a]\n[a]", "rules: this is no TOML file"),
        ("a = " + "[" * 20_000, "rules: this is no TOML file"),
        ("a = " + "9" * 5000, "rules: this is no TOML file"),
        ("a = 0x" + "F" * 20_000, "rules: no game is so deep, or has numbers so large"),
        (".".join(["a"] * 20_000) + " = 1", "rules: no game is so deep"),
        (f"[{'.'.join(['a'] * 20_000)}]", "rules: no game is so deep"),
        (deep(20_000), "rules: no game is so deep"),
        (deep(100), "rules: no game is so deep"),
        (deep(30), "rules: no game is so deep"),
        # The file itself is the first level.
        ("nmae = " + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1), "unknown field `nmae`"),
        ("nmae = " + "[" * DEEPEST + "]" * DEEPEST, "rules: no game is so deep"),
        (f"nmae = {LARGEST_NUMBER}", "unknown field `nmae`"),
        (f"nmae = {-LARGEST_NUMBER - 1}", "rules: no game is so deep"),
        ("#" * LONGEST_FILE, "rules: object missing required field"),
        ("#" * (LONGEST_FILE + 1), f"rules: {LONGEST_FILE + 1} characters are no game"),
        ('name = "\ud800"', "rules: "),
        ("melds = 2020-01-01", "melds: expected `object`"),
        ("nmae = 1", "rules: object contains unknown field `nmae`"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_hostile_file_is_refused(text: str, fault: str) -> None:
    began = time.thread_time()
    with pytest.raises(VariantError) as refused:
        read_toml(text)
    assert fault in str(refused.value)
    assert len(str(refused.value)) < 1000
    assert time.thread_time() - began < 2


def test_a_file_may_be_as_deep_as_our_own_games() -> None:
    assert len(read_toml(deep(5)).choices) == 1


def paths_of(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a game's data."""
    items = data.items() if isinstance(data, Mapping) else enumerate(data)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, Mapping | list):
            yield from paths_of(value, (*path, key))


def put(data: Any, path: tuple[Any, ...], value: Any) -> None:
    for key in path[:-1]:
        data = data[key]
    if isinstance(data, dict) and not isinstance(path[-1], str):
        raise TypeError("a table has names, not numbers")
    data[path[-1]] = value


VALUES = st.recursive(
    st.one_of(
        st.integers(-(10**7), 10**7),
        st.sampled_from([-1, 0, 1, 2, 10**6, 2**63, True, False]),
        st.text(max_size=8),
        st.floats(),
        st.dates(),
        st.sampled_from(["joker", "A", "2", "each", "last", "none"]),
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["key", "1", "last", "each", "melds", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
PLACES = {
    variant.key: (data := tomllib.loads(write_toml(variant)), list(paths_of(data)))
    for variant in card_games()
}


@doses("examples", 50, 400)
def test_whatever_a_file_says_is_a_game_or_a_fault(examples: int) -> None:
    """A game's file with a few values changed; what is read can be played, shown and passed on."""

    @settings(max_examples=examples)
    @given(st.sampled_from(card_games()), st.data())
    def read(variant: Variant, data: st.DataObject) -> None:
        raw = tomllib.loads(write_toml(variant))
        for _ in range(data.draw(st.integers(1, 3))):
            path = data.draw(st.sampled_from(PLACES[variant.key][1]))
            try:
                put(raw, path, data.draw(VALUES))
            except (KeyError, IndexError, TypeError):
                continue  # an earlier change took this place away
        began = time.thread_time()
        with suppress(VariantError):
            used(read_toml(tomli_w.dumps(raw)), variant)
        assert time.thread_time() - began < 3

    read()


def used(made: Variant, book: Variant) -> None:
    """Do with a game what the pages do: show, compare, choose, pass on."""
    try:
        advice(made)
        compared(made, book)
        shown(made)
        again = build(to_data(made))
        assert build(to_data(again)) == again
        assert read_toml(write_toml(made)).name == made.name
    except VariantError as fault:
        raise AssertionError("read, and yet refused later") from fault
    for choice in made.choices:
        for option in choice.options:
            with suppress(VariantError):
                with_choices(made, {choice.key: option.value})


@given(st.text(max_size=300))
@example("[[deals]]\n[deals]")
def test_whatever_a_file_is_is_read_or_refused(text: str) -> None:
    with pytest.raises(VariantError):
        read_toml(text)
