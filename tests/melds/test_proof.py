"""A part of the proof, so that every run of the tests tries some thousand hands in every way."""

import pytest

from companion.cards import read_hand
from companion.melds import Meld, Melding
from tests.melds.proof import certificate
from tests.melds.proof.every_way import prove
from tests.melds.proof.rules_of_games import CHICAGO
from tests.support.doses import doses


@pytest.mark.slow
@doses("hands", 100, 600)
@pytest.mark.parametrize("seed", range(3))
def test_the_judge_agrees_with_trying_everything(seed: int, hands: int) -> None:
    assert [fault for fault in prove(hands, seed + 1000) if fault] == []


def test_the_certificate_is_refused_if_anything_in_it_is_wrong() -> None:
    hand = read_hand("7H 8H 2C KS KD KC 4D")
    run = Meld("run", read_hand("7H 8H 2C"), read_hand("7H 8H 9H"))
    kings = Meld("set", read_hand("KS KD KC"), read_hand("KS KD KC"))
    left = read_hand("4D")
    assert certificate.faults(hand, Melding(4, (run, kings), left), CHICAGO) == []
    assert certificate.faults(hand, Melding(3, (run, kings), left), CHICAGO)
    assert certificate.faults(hand, Melding(4, (run,), left), CHICAGO)
    wrong = Meld("run", run.cards, read_hand("7H 8H 10H"))
    assert certificate.faults(hand, Melding(4, (wrong, kings), left), CHICAGO)
    lie = Meld("run", run.cards, read_hand("6H 7H 8H"))
    assert certificate.faults(hand, Melding(4, (lie, kings), left), CHICAGO)
