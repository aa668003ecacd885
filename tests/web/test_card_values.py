"""What counts in games of points: on their rules pages, one tap from the pad, and when asked."""

import pytest

from companion.rules.card_values import what_counts
from companion.rules.catalogue import load, point_games
from companion.rules.placeholders import fill
from companion.rules.search import search
from companion.web.rules.answering import headline
from tests.visits.phones import Phone

EVERY = pytest.mark.parametrize("key", [game.key for game in point_games()])


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("five-crowns", ("Joker 50", "Wild card of the round 20", "King 13")),
        ("phase-10", ("Wild 25", "Skip 15", "10 to 12 10", "1 to 9 5")),
        ("flip-7", ("0 to 12 what they show", "×2 double")),
        ("uno", ("0 to 9 what they show", "Wild, wild draw four 50", "Skip, reverse, draw two 20")),
        ("hearts", ("Queen of spades 13", "Each heart 1")),
        ("spades", ("Each trick bid and made 10", "Nil made 100", "Double nil made 200")),
        ("golf", ("3 to 10 what they show", "2 −2", "King 0")),
    ],
)
def test_card_values_stand_on_the_rules_page(lone: Phone, game: str, said: tuple[str, ...]) -> None:
    page = lone.show(f"/rules/{game}")
    cards, points = page.said("#card-values dt"), page.said("#card-values dd")
    rows = [" ".join(row) for row in zip(cards, points, strict=True)]
    assert [line for line in said if line not in rows] == []


@EVERY
def test_every_game_of_points_says_what_counts_and_from_where(lone: Phone, key: str) -> None:
    values = what_counts(load(key))
    assert values
    said = lone.show(f"/rules/{key}").say("#card-values")
    assert fill(load(key), values.scored) in said
    assert values.source in said
    assert "{" not in said


@pytest.mark.parametrize(
    ("page", "asked", "game", "answer"),
    [
        ("uno", "what is a wild worth", "uno", "50 points"),
        ("uno", "how much is a skip card", "uno", "20 points"),
        ("uno", "how much does a wild draw four cost", "uno", "50 points"),
        ("uno", "hearts queen of spades worth", "hearts", "13 points"),
        ("hearts", "queen of spades in hearts", "hearts", "13 points"),
        ("contract-rummy", "what is a wild worth in phase 10", "phase-10", "25 points"),
        ("phase-10", "skip points", "phase-10", "15 points"),
        ("five-crowns", "how many points for a wild thats not a joker", "five-crowns", "20 points"),
        ("five-crowns", "what does a king count", "five-crowns", "13 points"),
        ("golf", "how much is a two", "golf", "−2 points"),
        ("romme", "joker on hand minus", "romme", "20 points"),
        ("skat", "how much is an ace", "skat", "11 points"),
    ],
)
def test_what_a_card_counts_is_found(page: str, asked: str, game: str, answer: str) -> None:
    reply = search(load(page), asked, point_games())
    head = headline(reply)
    assert (reply.certain, reply.variant.key) == (True, game)
    assert head
    assert head.answer == answer


def test_bags_and_nil_stand_on_the_page_of_spades(lone: Phone) -> None:
    said = lone.show("/rules/spades").say("#rules")
    assert "Every 10 bags of a side count −100." in said
    assert "A double nil counts 200." in said
    assert "they are bags" in said
