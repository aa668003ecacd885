"""What is remembered from hand to hand never grows beyond its most."""

from companion.melds.remembered import Memory


def test_the_answer_after_a_thousand_and_twenty_four_begins_anew() -> None:
    known: Memory[int, str] = Memory()
    for question in range(1_024):
        known[question] = "remembered"
    assert len(known) == 1_024
    known[1_024] = "the first again"
    assert known == {1_024: "the first again"}
