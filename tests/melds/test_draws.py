"""The cards of which one says *draw these*: each is still in the pack, and with them it holds."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.cards import Pack, write_hand
from companion.melds import MeldRules, judge_contract
from tests.melds.proof.asked import asked


def draw_from_little(number: int) -> str | None:
    """A few cards, far from a contract, and few jokers: many must be drawn, and wilds of each."""
    rng = Random(number)
    wilds = rng.choice((("joker", "2"), ("2",), ("joker", "2", "3")))
    pack = Pack(rng.choice((1, 2)), rng.choice((1, 2)) if "joker" in wilds else 0)
    rules = MeldRules(wilds=wilds, ace=rng.choice(("low", "high", "either")))
    contract = asked(*rng.choices(("S3", "S4", "R4"), k=rng.choice((1, 2, 3))))
    hand = tuple(rng.sample(list(pack.unseen(())), rng.randint(1, 4)))
    found = judge_contract(hand, contract, rules, pack)
    told = f"{write_hand(hand)} and {write_hand(found.draw)}: {contract.melds} {rules.wilds} {pack}"
    if found.missing is None:
        return None
    if len(found.draw) != found.missing:
        return f"{found.missing} missing, {told}"
    if not_there := Counter(found.draw) - Counter(pack.unseen(hand)):
        return f"{not_there} cannot be drawn, {told}"
    then = judge_contract((*hand, *found.draw), contract, rules, pack)
    return None if then.holds else f"does not hold, {told}"


def test_what_is_to_be_drawn_can_be_drawn_and_is_enough() -> None:
    assert [fault for number in range(1_000) if (fault := draw_from_little(number))] == []
