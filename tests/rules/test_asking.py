"""Asking the rules: the right rule of the right game first, however asked; nothing for nonsense."""

import random
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.ways import digest, ways_of_asking
from companion.rules import Variant, card_games, find_variant, with_choices
from companion.rules.asking.answered import answered_before, often_right
from companion.rules.asking.language import words_of
from companion.rules.asking.named_game import LONG, named_games
from companion.rules.asking.subjects import corrected, speller, weights
from companion.rules.book import load_book, load_rules
from companion.rules.search import LONGEST, SHOWN, Reply, ask
from companion.rules.wording import wording_of

HERE = Path(__file__).parent


def table_of(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


Question = dict[str, Any]
OPEN = ("questions", "more_questions", "fresh_questions", "table_questions")
LEARNED = (*OPEN, "examined_questions", "seldom_questions")
QUESTIONS: list[Question] = [each for name in OPEN for each in table_of(name)["questions"]]
"""The open questions: the search has learned from them too."""

EXAMINED: list[Question] = table_of("examined_questions")["questions"]
"""Those of examiners, harder ones: learned from as well, once they had been asked."""

SELDOM: list[Question] = table_of("seldom_questions")["questions"]
"""About what is seldom asked: sources, variants, words and mishaps."""

NONSENSE = [each["ask"] for each in table_of("questions")["nonsense"]]
TOPICS = table_of("question_topics")
GAMES = ["contract-rummy", "zioncheck", "chicago-rummy", "zip-zilch-zero"]
SHELF = card_games()


def game(key: str) -> Variant:
    return find_variant(key)


def found(variant: Variant, question: str, most: int = 3) -> list[str]:
    reply = ask(variant, question, SHELF, most)
    return [entry.id for entry in reply.entries] if reply.certain else []


def right_ones(question: Question) -> set[str]:
    return set(question.get("answers") or TOPICS[question["topic"]])


@cache
def reply_to(key: str, asked: str) -> Reply:
    """Ask once, however often the answer is looked at."""
    return ask(game(key), asked, SHELF)


def is_right(question: Question, most: int) -> bool:
    """A right rule is among the first that a page shows, of the game that is asked about.

    What is not certain answers nothing, but its nearest rules are shown.
    """
    reply = reply_to(question["game"], question["ask"])
    if not reply.certain and most == 1:
        return False
    same = "topic" in question or reply.variant.key == question.get("about", question["game"])
    right = right_ones(question)
    return same and any(entry.id in right for entry in reply.shown[:most])


def share(questions: list[Question], most: int) -> float:
    """The share of questions with a right rule among the first that a page shows."""
    return sum(is_right(question, most) for question in questions) / len(questions)


def answerable(questions: list[Question]) -> list[Question]:
    return [question for question in questions if question.get("kind") != "nothing"]


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


def with_typos(questions: list[Question], each: int = 2) -> Iterator[Question]:
    rng = random.Random(1928)
    for question in questions:
        for _ in range(each):
            yield question | {"ask": misspelt(question["ask"], rng)}


# What was learned


def test_the_weights_were_learned_from_the_files_as_they_are() -> None:
    assert weights().learned_from == digest(), "run make search"
    assert {*weights().subjects} == {*ways_of_asking()}


def test_no_way_of_asking_names_a_game_by_which_its_words_would_be_words_of_the_table() -> None:
    """A name that is also a word of the table is read as a game in few places only."""
    ways = chain.from_iterable(asked for key, asked in ways_of_asking().items() if key != "nothing")
    named = {way for way in ways if _names_in_a_word_or_two(words_of(way))}
    assert named == {
        "what counts as wild in king",
        "other kinds of contract rummy",
        "jo, what's that",
        "My son asks what absolute value is, can rules of zip tell him?",
    }


def _names_in_a_word_or_two(words: list[str]) -> bool:
    """Whether a game is named so briefly, Three Thirteen aside: nothing else is called that."""
    games, rest = named_games(words, SHELF)
    short = [each for each in games if each.key != "three-thirteen"]
    return bool(short) and len(words) - len(rest) < LONG


def test_every_subject_but_nothing_is_the_subject_of_a_rule() -> None:
    about = {s for variant in SHELF for rule in load_rules(variant.key)[0] for s in rule.about}
    assert about == {*ways_of_asking()} - {"nothing"}


# Rates


@pytest.mark.parametrize("name", LEARNED)
def test_the_questions_name_rules_that_are_there(name: str) -> None:
    for question in answerable(table_of(name)["questions"]):
        book = load_book(game(question.get("about") or question["game"]))
        there = {entry.id for entry in book.entries}
        assert "topic" in question or there.issuperset(question["answers"]), question


def test_topics_are_rules_of_some_book() -> None:
    there = {entry.id for variant in SHELF for entry in load_book(variant).entries}
    assert all(there.issuperset(rules) for rules in TOPICS.values())


def test_what_was_learned_from_is_known() -> None:
    assert share(answerable(QUESTIONS), 1) >= 0.95
    assert share(answerable(QUESTIONS), 3) >= 0.99


def test_what_examiners_asked_is_known() -> None:
    assert share(answerable(EXAMINED), 1) >= 0.92
    assert share(answerable(EXAMINED), 3) >= 0.98
    nothing = [each for each in EXAMINED if each["kind"] == "nothing"]
    answered = [ask(game(each["game"]), each["ask"], SHELF).certain for each in nothing]
    assert sum(answered) <= 0.02 * len(nothing)


def test_what_is_seldom_asked_is_known() -> None:
    assert share(SELDOM, 1) >= 0.82
    assert share(SELDOM, 3) >= 0.95


def test_a_typo_hardly_matters() -> None:
    misspelt_ones = [*with_typos(answerable(QUESTIONS))]
    assert share(misspelt_ones, 1) >= 0.88
    assert share(misspelt_ones, 3) >= 0.97


# Nonsense and whatever else is typed


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("question", NONSENSE)
def test_nonsense_has_no_answer(key: str, question: str) -> None:
    assert not ask(game(key), question, SHELF).certain


@pytest.mark.parametrize(
    "question",
    [
        "tell me a joke",
        "uno draw four",
        "can i castle",
        "what trumps hearts",
        "zip code of boston",
        "the of and to",
        "who goes first in snakes and ladders",
    ],
)
def test_words_of_the_table_alone_make_no_question_about_it(question: str) -> None:
    for key in GAMES:
        assert not ask(game(key), question, SHELF).certain


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
        assert len(ask(game(key), typed, SHELF).answers) <= 5


@settings(deadline=None)
@given(st.text(), st.sampled_from(GAMES))
def test_any_text_is_answered_or_not_but_never_refused(text: str, key: str) -> None:
    answers = ask(game(key), text, SHELF, 99).answers
    assert answers[0].score == max(answer.score for answer in answers)
    assert [*answers[SHOWN:]] == sorted(answers[SHOWN:], key=lambda answer: -answer.score)
    assert len({answer.entry.id for answer in answers}) == len(answers)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["joker", "buy", "may", "i", "not", "7", "knock", "zip", "kings"])))
def test_any_words_of_the_table_are_answered_with_rules_of_one_game(words: list[str]) -> None:
    for key in GAMES:
        reply = ask(game(key), " ".join(words), SHELF, 99)
        there = {entry.id for entry in load_book(reply.variant).entries}
        assert there.issuperset(entry.id for entry in reply.entries)


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    question = "steal the joker".ljust(LONGEST)
    assert found(game("zioncheck"), question + "knock " * 99) == found(game("zioncheck"), question)


# The rule that is meant


def test_of_rules_about_the_same_the_one_answers_that_says_the_question() -> None:
    wording = wording_of(game("telefunken"))
    said = wording.said(["what", "are", "the", "little", "chips", "for"])
    assert max(said, key=said.__getitem__) == "TF-2.1"
    assert found(game("telefunken"), "what is a clean trio", 1) == ["TF-4.1"]
    assert found(game("kalooki-jamaica"), "what does a black ace count", 1) == ["KJ-6.3"]


@pytest.mark.parametrize(
    ("key", "asked", "rule", "why"),
    [
        ("liverpool", "how many deals", "CR-7.1", "LV-s.1"),
        ("carioca", "can ace go round the corner", "CR-3.4", "CA-s.3"),
    ],
)
def test_a_rule_comes_before_why_it_is_so(key: str, asked: str, rule: str, why: str) -> None:
    shown = [entry.id for entry in ask(game(key), asked, SHELF).shown]
    assert shown[0] == rule
    assert why in shown


def test_how_much_of_a_question_a_rule_says_lies_between_nothing_and_all() -> None:
    wording = wording_of(game("zioncheck"))
    assert set(wording.said([]).values()) == {0}
    assert set(wording.said(["xyzzy", "of", "the"]).values()) == {0}
    assert all(
        0 <= share <= 1 for share in wording.said(["what", "is", "a", "joker", "worth"]).values()
    )


def test_the_three_that_are_shown_are_not_about_one_subject_alone() -> None:
    """Where two subjects are likely, a rule of each is shown, whatever others say the first."""
    asked = "may i buy the discard when i am down, or only on my turn"
    shown = ask(game("contract-rummy"), asked, SHELF).answers[:SHOWN]
    assert len({answer.subject for answer in shown}) > 1


def test_rules_are_known_by_the_questions_that_they_answered() -> None:
    near = answered_before(["what", "do", "the", "little", "chips", "do"])
    assert max(near, key=near.__getitem__) == "TF-2.1"
    assert all(0 < share <= 1.001 for share in near.values())
    assert not answered_before(["the", "of", "xyzzy"])
    assert often_right("CR-Q14", "swap-joker") > often_right("C-14", "swap-joker")
    assert often_right("CR-1.1", "no-such-subject") == 1


# The game that is played


def test_house_rules_change_what_the_answer_says() -> None:
    book = game("contract-rummy")
    choice = next(choice for choice in book.choices if choice.key == "jokers")
    said = set()
    for option in choice.options:
        house = with_choices(book, {choice.key: option.value})
        answer = ask(house, "how many jokers do we use").entries[0]
        assert answer in load_book(house).entries
        said.add(answer.text)
    assert len(said) > 1


@pytest.mark.parametrize("variant", SHELF, ids=lambda v: v.key)
def test_answers_come_from_the_book_of_the_game(variant: Variant) -> None:
    reply = ask(variant, "who wins a tie", SHELF)
    assert reply.certain
    assert reply.variant == variant
    assert all(entry in load_book(variant).entries for entry in reply.entries)


def test_the_same_question_has_another_answer_in_another_game() -> None:
    texts = {
        key: ask(game(key), "not my turn, may i take the discard").entries[0].text for key in GAMES
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


@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("Maeve says how many cards are dealt", "says how many cards are dealt"),
        ("Sinéad: who deals first?", "who deals first"),
        ("may I buy Kasia's jack", "may I buy s jack"),
        ("brodie reckons jokers are free", "reckons jokers are free"),
    ],
)
def test_names_of_people_are_left_out(asked: str, plain: str) -> None:
    assert corrected(asked) == words_of(plain)


@pytest.mark.parametrize("asked", ["Waht is wild", "How Many Jokres Are There", "A Jokre In Hand"])
def test_a_misspelt_word_written_large_is_no_name(asked: str) -> None:
    assert corrected(asked) == [*map(speller().read, words_of(asked))]
