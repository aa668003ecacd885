"""What the cards of games of points count, on their rules pages."""

import pytest

from tests.visits.phones import Phone


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("five-crowns", ("Joker 50", "Wild card of the round 20", "King 13")),
        ("phase-10", ("Wild 25", "Skip 15", "10 to 12 10", "1 to 9 5")),
        ("golf", ("3 to 10 what they show", "2 −2")),
        ("flip-7", ("0 to 12 what they show", "×2 double")),
        ("uno", ("0 to 9 what they show", "Wild, wild draw four 50", "Skip, reverse, draw two 20")),
    ],
)
def test_card_values_stand_on_the_rules_page(lone: Phone, game: str, said: tuple[str, ...]) -> None:
    page = lone.show(f"/rules/{game}")
    cards, points = page.said("#card-values dt"), page.said("#card-values dd")
    rows = [" ".join(row) for row in zip(cards, points, strict=True)]
    assert [line for line in said if line not in rows] == []
