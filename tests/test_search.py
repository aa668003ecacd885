"""Asking the rules: the right rule first, however it is asked; nothing for nonsense."""

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import Variant, all_variants, find_variant, with_choices
from companion.rules.book import load_book
from companion.rules.search import LONGEST, ask

HERE = Path(__file__).parent
QUESTIONS = tomllib.loads((HERE / "questions.toml").read_text(encoding="utf-8"))
MORE = tomllib.loads((HERE / "more_questions.toml").read_text(encoding="utf-8"))
GAMES = ["contract-rummy", "zioncheck", "chicago-rummy", "zip-zilch-zero"]

Question = dict[str, Any]


def game(key: str) -> Variant:
    variant = find_variant(key)
    assert variant
    return variant


def found(variant: Variant, question: str, most: int = 3) -> list[str]:
    return [answer.entry.id for answer in ask(variant, question, most)]


def misspelt(text: str, rng: random.Random) -> str:
    """Swap neighbours, drop, replace or double a letter in a word of at least four letters."""
    words = text.split()
    long = [i for i, word in enumerate(words) if len(word) >= 4 and word.isalpha()]
    if not long:
        return text
    place = rng.choice(long)
    word = words[place]
    at = rng.randrange(len(word) - 1)
    head, here, after = word[:at], word[at], word[at + 1 :]
    words[place] = rng.choice(
        [
            head + after[0] + here + after[1:],
            head + after,
            head + rng.choice(ascii_lowercase) + after,
            head + here + here + after,
        ]
    )
    return " ".join(words)


def with_typos(questions: list[Question], each: int = 4) -> Iterator[Question]:
    rng = random.Random(1928)
    for question in questions:
        for _ in range(each):
            yield question | {"ask": misspelt(question["ask"], rng)}


def share(questions: list[Question], most: int) -> float:
    """Give the share of questions with a right rule among the first answers."""
    right = [
        not set(question["answers"]).isdisjoint(
            found(game(question["game"]), question["ask"], most)
        )
        for question in questions
    ]
    return sum(right) / len(right)


# Rates


def test_the_questions_name_rules_that_are_there() -> None:
    for question in [*QUESTIONS["questions"], *MORE["questions"]]:
        there = {entry.id for entry in load_book(game(question["game"])).entries}
        assert there.issuperset(question["answers"]), question


def test_the_right_rule_comes_first_or_among_the_first_three() -> None:
    assert share(QUESTIONS["questions"], 1) >= 0.90
    assert share(QUESTIONS["questions"], 3) >= 0.97


def test_a_typo_hardly_matters() -> None:
    assert share([*with_typos(QUESTIONS["questions"])], 3) >= 0.93


def test_questions_never_tuned_on_are_answered_too() -> None:
    assert share(MORE["questions"], 1) >= 0.80
    assert share(MORE["questions"], 3) >= 0.90
    assert share([*with_typos(MORE["questions"])], 3) >= 0.85


# Nonsense and whatever else is typed


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("question", [nonsense["ask"] for nonsense in QUESTIONS["nonsense"]])
def test_nonsense_has_no_answer(key: str, question: str) -> None:
    assert not ask(game(key), question)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        '"',
        "'",
        '"joker',
        "joker*",
        "title:joker",
        "NEAR(joker, 2)",
        "a AND",
        "NOT",
        "(",
        "^",
        "-",
        "🃏🃏",
        "\x00",
        "%_",
        "' OR 1=1 --",
        "ı́ß",
        "x" * 10_000,
        "joker " * 2_000,
        "1" * 10_000,
    ],
)
def test_nothing_typed_is_an_error(typed: str) -> None:
    for key in GAMES:
        assert len(ask(game(key), typed)) <= 5


@settings(deadline=None)
@given(st.text(), st.sampled_from(GAMES))
def test_any_text_is_answered_or_not_but_never_refused(text: str, key: str) -> None:
    answers = ask(game(key), text)
    assert [*answers] == sorted(answers, key=lambda answer: -answer.score)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["joker", "buy", "may", "i", "not", "7", "knock", "zip", "kings"])))
def test_any_words_of_the_table_are_answered_with_rules_of_the_game(words: list[str]) -> None:
    for key in GAMES:
        there = {entry.id for entry in load_book(game(key)).entries}
        assert there.issuperset(found(game(key), " ".join(words), 99))


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    question = "steal the joker".ljust(LONGEST)
    assert found(game("zioncheck"), question + "knock " * 99) == found(game("zioncheck"), question)


# The game that is played


def test_house_rules_change_what_the_answer_says() -> None:
    book = game("contract-rummy")
    choice = next(choice for choice in book.choices if choice.key == "jokers")
    said = set()
    for option in choice.options:
        house = with_choices(book, {choice.key: option.value})
        answer = ask(house, "how many jokers do we use")[0]
        assert answer.entry in load_book(house).entries
        said.add(answer.entry.text)
    assert len(said) > 1


def test_answers_come_from_the_book_of_the_game() -> None:
    for variant in all_variants():
        there = load_book(variant).entries
        answers = ask(variant, "who wins a tie")
        assert answers
        assert all(answer.entry in there for answer in answers), variant.key


def test_the_same_question_has_another_answer_in_another_game() -> None:
    texts = {
        key: ask(game(key), "not my turn, may i take the discard")[0].entry.text for key in GAMES
    }
    assert texts["contract-rummy"].startswith("Yes")
    assert texts["chicago-rummy"].startswith("No")
    assert texts["zip-zilch-zero"].startswith("No")


@pytest.mark.parametrize(
    ("asked", "plain"),
    [("7th deal contract", "seventh deal contract"), ("STEAL JOKER!", "steal joker")],
)
def test_digits_capitals_and_marks_do_not_matter(asked: str, plain: str) -> None:
    assert found(game("contract-rummy"), asked) == found(game("contract-rummy"), plain)
