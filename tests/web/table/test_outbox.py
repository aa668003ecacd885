"""Letters of a phone's outbox: taken, answered, or refused as data."""

from __future__ import annotations

import pytest

from .phones_at_table import DATA, Party

TAKEN = {"taken": True, "words": ""}


def test_the_answers_of_the_outbox(harpers: Party) -> None:
    bob, cleo = harpers.bob, harpers.cleo
    ended = {"how": "out", "by": "1", "position": "1"}
    for _ in range(2):
        assert harpers.sends(bob, "/endings", 200, **ended) == {**TAKEN, "early": False}
    other = harpers.sends(cleo, "/endings", 409, **{**ended, "by": "2"})
    assert (other["taken"], other["early"]) == (False, False)
    assert "Bob went out" in other["words"]
    hand = {"key": "one", "told": "0", "seat2__cards": "K"}
    for _ in range(2):
        assert harpers.sends(cleo, "/hands/1/2", 200, **hand) == {"taken": True, "told": 1}
    stale = harpers.sends(cleo, "/hands/1/2", 409, **{**hand, "key": "two"})
    assert (stale["taken"], stale["early"]) == (False, False)
    early = harpers.sends(cleo, "/hands/2/2", 409, **{**hand, "key": "three"})
    assert (early["taken"], early["early"]) == (False, True)
    early = harpers.sends(bob, "/endings", 409, **{**ended, "position": "2"})
    assert (early["taken"], early["early"]) == (False, True)
    newer = {"key": "four", "told": "0", "instead": "lost one", "seat2__cards": "K A"}
    assert harpers.sends(cleo, "/hands/1/2", 200, **newer) == {"taken": True, "told": 2}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"seat2__cards": "K K Q$"}, "Cleo"),
        ({"seat2__total": "1e3"}, 'We don\'t know "1E3"'),
        ({"seat2__cards": ""}, "Enter Cleo's cards."),
        ({"seat1__cards": "K"}, "Enter Cleo's cards."),
        ({"seat2__cards": "K", "csrf_token": "old"}, "send it again"),
    ],
)
def test_a_letter_that_cannot_be_read_says_why(
    harpers: Party, typed: dict[str, str], said: str
) -> None:
    answer = harpers.sends(harpers.cleo, "/hands/1/2", 422, key="one", told="0", **typed)
    assert (answer["taken"], answer["early"]) == (False, False)
    assert said in answer["words"]


def test_a_letter_of_somebody_elses_hand_is_refused_as_data(harpers: Party) -> None:
    hand = {"key": "one", "told": "0", "seat2__cards": "K"}
    for phone, status in ((harpers.bob, 403), (harpers.eve, 403), (harpers.dev, 404)):
        answer = harpers.sends(phone, "/hands/1/2", status, **hand)
        assert (answer["taken"], answer["early"]) == (False, False)
        assert answer["words"]


@pytest.mark.parametrize("place", ["/hands/0/2", "/hands/99999999999999999999/2", "/hands/1/99"])
def test_a_letter_of_no_hand_is_refused(harpers: Party, place: str) -> None:
    form = {"csrf_token": harpers.ann.token(), "key": "k", "told": "0", "seat2-cards": "K"}
    answer = harpers.ann.send(f"{harpers.path}{place}", "POST", data=form, headers=DATA)
    assert answer.status_code in (404, 409, 422)
    assert harpers.ann.show(harpers.path).heading
