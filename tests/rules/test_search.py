"""The right rule of the right game first, however asked, and nothing for nonsense."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import Variant, card_games, extend, find_variant, load, with_choices
from companion.rules.book import load_book, load_rules
from companion.rules.catalogue import point_games
from companion.rules.search import LONGEST, SHOWN, Reply, search, search_all
from companion.rules.search.games import LONG, named_games
from companion.rules.search.model import NOTHING, SILENT, WEIGHTS, answered_before, model
from companion.rules.search.text import words_of
from companion.rules.search.wording import wording_of
from tests.support.doses import doses
from tools.questions import FILE as QUESTIONS_FILE
from tools.questions import Asked, digest, read_questions

WRITTEN, ASKED = read_questions()
"""What the search learned from. The rates of these flatter it; they show that nothing broke."""

QUESTIONS = [each for each in ASKED if each.rules and each.kind != "seldom"]
SELDOM = [each for each in ASKED if each.kind == "seldom"]
"""About what is seldom asked: sources, variants, words and mishaps."""

NOTHING_ASKED = [each for each in ASKED if not each.rules]
GAMES = ["contract-rummy", "zioncheck", "chicago-rummy", "zip-zilch-zero"]
SHELF = card_games()


def game(key: str) -> Variant:
    return find_variant(key)


def found(variant: Variant, question: str, most: int = 3) -> list[str]:
    reply = search(variant, question, SHELF, most)
    return [entry.id for entry in reply.entries] if reply.certain else []


@cache
def reply_to(key: str, text: str) -> Reply:
    """Search once, however often the answer is looked at."""
    return search(load(key), text, SHELF)


def is_right(question: Asked, most: int) -> bool:
    """A right rule is among the first that a page shows, of the game that is asked about.

    What is not certain answers nothing, but its nearest rules are shown.
    """
    reply = reply_to(question.game, question.text)
    if not reply.certain and most == 1:
        return False
    shown = reply.shown[:most]
    return reply.variant.key == question.about and any(each.id in question.rules for each in shown)


def share(questions: Sequence[Asked], most: int) -> float:
    """The share of questions with a right rule among the first that a page shows."""
    return sum(is_right(question, most) for question in questions) / len(questions)


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


def with_typos(questions: Sequence[Asked]) -> Iterator[Asked]:
    rng = random.Random(1928)
    for question in questions:
        yield question._replace(text=misspelt(question.text, rng))


# What was learned


def test_the_weights_were_learned_from_the_questions_as_they_are() -> None:
    assert model().learned_from == digest(), "run make search"
    assert {*model().subjects} == {each.subject for each in WRITTEN}


def test_what_is_learned_and_what_it_is_learned_from_stay_small() -> None:
    """Both travel with every copy of the program."""
    assert WEIGHTS.stat().st_size <= 800_000
    assert QUESTIONS_FILE.stat().st_size <= 600_000


def test_no_question_names_a_game_by_which_its_words_would_be_words_of_the_table() -> None:
    """A name that is also a word of the table is read as a game in few places only."""
    texts = [each.text for each in WRITTEN if each.subject != NOTHING]
    named = {text for text in texts if _names_in_a_word_or_two(words_of(text))}
    assert named <= {
        "what counts as wild in king",
        "other kinds of contract rummy",
        "how is it different from contract rummy",
        "jo, what's that",
        "my son asks what absolute value is, can rules of zip tell him",
    }


def _names_in_a_word_or_two(words: list[str]) -> bool:
    """Whether a game is named so briefly, Three Thirteen aside: nothing else is called that."""
    games, rest = named_games(words, SHELF)
    short = [each for each in games if each.key != "three-thirteen"]
    return bool(short) and len(words) - len(rest) < LONG


def test_every_subject_that_has_answers_is_the_subject_of_a_rule() -> None:
    games = (*SHELF, *point_games())
    about = {s for variant in games for rule in load_rules(variant.key)[0] for s in rule.about}
    assert about == {*model().subjects} - {NOTHING, SILENT}


# Rates


def test_the_questions_name_rules_that_are_there() -> None:
    for question in ASKED:
        there = {entry.id for entry in load_book(load(question.about)).entries}
        assert there.issuperset(question.rules), question


@doses("every", 10, 5)
def test_what_was_learned_from_is_known(every: int) -> None:
    assert share(QUESTIONS[::every], 1) >= 0.92
    assert share(QUESTIONS[::every], 3) >= 0.98
    answered = [reply_to(each.game, each.text).certain for each in NOTHING_ASKED[:: every // 2]]
    assert sum(answered) <= 0.02 * len(answered)


def test_what_is_seldom_asked_is_known() -> None:
    assert share(SELDOM, 1) >= 0.82
    assert share(SELDOM, 3) >= 0.95


@doses("most", 200, 400)
def test_a_typo_hardly_matters(most: int) -> None:
    misspelt_ones = [*with_typos(QUESTIONS[:most])]
    assert share(misspelt_ones, 1) >= 0.88
    assert share(misspelt_ones, 3) >= 0.97


# What a table asks though no rule may say it


@pytest.mark.parametrize("key", ["contract-rummy", "zioncheck", "kalooki-jamaica", "frustration"])
@pytest.mark.parametrize(
    "asked",
    [
        "how many calls a hand",
        "may i skip a contract",
        "cards dealt in the 8th",
        "two people go out at the same time",
        "we lost track of whose turn it is",
        "both of us finished together",
        "can we play in pairs",
    ],
)
def test_a_question_about_a_game_is_never_taken_for_none(key: str, asked: str) -> None:
    assert search(load(key), asked, SHELF).shown


@pytest.mark.parametrize("key", GAMES)
def test_whose_turn_it_is_can_be_found_out(key: str) -> None:
    assert found(load(key), "we lost track of whose turn it is", 1) == ["AT-2.12"]


# Nonsense and whatever else is typed


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize(
    "asked",
    [
        "what happens if two people go out at the same time",
        "two players finish in the same moment, who wins the deal",
        "can i swap a card with my neighbour if we both want to",
        "do we get a new deal when my hand is awful",
        "what does somebody lose who cheats",
        "can we play in teams of two",
        "may i write down the discards",
    ],
)
def test_what_no_rule_says_is_not_answered_by_its_neighbour(key: str, asked: str) -> None:
    assert not search(game(key), asked, SHELF).certain


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize(
    "asked",
    [
        *("asdf qwer", "pizza recipe", "what is the capital of france", "!!!", "xyzzy 42", "hjkl;"),
        *("weather tomorrow", "🎉🎉🎉", "lorem ipsum dolor sit amet", "wifi password"),
        *("how tall is mount everest", "zzzzzzzzzz"),
    ],
)
def test_nonsense_has_no_answer(key: str, asked: str) -> None:
    assert not search(game(key), asked, SHELF).certain


@pytest.mark.parametrize(
    "question",
    [
        "tell me a joke",
        "can i castle",
        "what trumps hearts",
        "zip code of boston",
        "the of and to",
        "who goes first in snakes and ladders",
    ],
)
def test_words_of_the_table_alone_make_no_question_about_it(question: str) -> None:
    for key in GAMES:
        assert not search(game(key), question, SHELF).certain


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
        assert len(search(game(key), typed, SHELF).answers) <= 5


@settings(deadline=None)
@given(st.text(), st.sampled_from(GAMES))
def test_any_text_is_answered_or_not_but_never_refused(text: str, key: str) -> None:
    answers = search(game(key), text, SHELF, 99).answers
    assert max(answers[:SHOWN], key=lambda each: each.score) == max(
        answers, key=lambda each: each.score
    )
    assert [*answers[SHOWN:]] == sorted(answers[SHOWN:], key=lambda answer: -answer.score)
    assert len({answer.entry.id for answer in answers}) == len(answers)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["joker", "buy", "may", "i", "not", "7", "knock", "zip", "kings"])))
def test_any_words_of_the_table_are_answered_with_rules_of_one_game(words: list[str]) -> None:
    for key in GAMES:
        reply = search(game(key), " ".join(words), SHELF, 99)
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
    assert found(game("kalooki-jamaica"), "can i throw away a joker", 1) == ["KJ-2.1"]


@pytest.mark.parametrize(
    ("key", "asked", "rule", "why"),
    [
        ("liverpool", "how many deals", "CR-7.1", "LV-s.1"),
        ("carioca", "can ace go round the corner", "CR-3.4", "CA-s.3"),
    ],
)
def test_a_rule_comes_before_why_it_is_so(key: str, asked: str, rule: str, why: str) -> None:
    shown = [entry.id for entry in search(game(key), asked, SHELF).shown]
    assert shown[0] == rule
    assert why in shown


def test_how_much_of_a_question_a_rule_says_lies_between_nothing_and_all() -> None:
    wording = wording_of(game("zioncheck"))
    assert set(wording.said([]).values()) == {0}
    assert set(wording.said(["xyzzy"]).values()) == {0}
    assert all(
        0 <= share <= 1 for share in wording.said(["what", "is", "a", "joker", "worth"]).values()
    )


def test_rules_are_known_by_the_questions_that_they_answered() -> None:
    near = answered_before(["what", "do", "the", "little", "chips", "do"])
    assert max(near, key=near.__getitem__) == "TF-2.1"
    assert all(0 < share <= 1.001 for share in near.values())
    assert not answered_before(["xyzzy"])


# The game that is played


def test_house_rules_change_what_the_answer_says() -> None:
    book = game("contract-rummy")
    choice = next(choice for choice in book.choices if choice.key == "jokers")
    said = set()
    for option in choice.options:
        house = with_choices(book, {choice.key: option.value})
        answer = search(house, "how many jokers do we use").entries[0]
        assert answer in load_book(house).entries
        said.add(answer.text)
    assert len(said) > 1


def test_a_game_of_the_league_is_named_in_words_like_those_of_the_table() -> None:
    """Hull is one slip from full, and is no slip here."""
    own = extend(
        game("contract-rummy"),
        {"key": "our-hull", "name": "Hull House", "extends": "contract-rummy"},
    )
    asked = "in hull house, how many cards are dealt"
    assert search(game("king"), asked, [*SHELF, own]).variant == own
    assert search(own, asked, SHELF).variant == own
    assert [reply.variant for reply in search_all(asked, [*SHELF, own])] == [own]


@pytest.mark.parametrize("variant", SHELF, ids=lambda v: v.key)
def test_answers_come_from_the_book_of_the_game(variant: Variant) -> None:
    reply = search(variant, "who wins a tie", SHELF)
    assert reply.certain
    assert reply.variant == variant
    assert all(entry in load_book(variant).entries for entry in reply.entries)


def test_the_same_question_has_another_answer_in_another_game() -> None:
    texts = {
        key: search(game(key), "not my turn, may i take the discard").entries[0].text
        for key in GAMES
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
