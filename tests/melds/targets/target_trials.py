"""Small targets and hands, and how few draws fill them, found by trying every way."""

from __future__ import annotations

from random import Random

from companion.melds import MeldRules, MeldSpec
from companion.melds.targets.candidates import Candidates
from companion.melds.targets.filling import Candidate, Holding

NEVER = 99
RULES = {
    "a wild each": MeldRules(run_size=3, max_wilds=1),
    "two naturals each": MeldRules(run_size=3, min_naturals=2),
    "twos are wild, also in their own place": MeldRules(
        run_size=3, wilds=("joker", "2"), min_naturals=2
    ),
    "no limits": MeldRules(run_size=3),
}
MELDS = [MeldSpec(kind="set", size=3), MeldSpec(kind="run", size=3)]
MIXED = MeldSpec(kind="run", size=3, suits="any")


def fewest_draws(
    places: list[tuple[int, tuple[int, ...]]], caps: list[int], cards: Holding, free: set[int]
) -> int:
    """Try to fill the first place with each card there is, held or drawn, or with a wild."""
    if not places:
        return 0
    (meld, slot), *rest = places
    held, unseen, wilds, unseen_wilds, _ = cards
    found = NEVER
    for cell in set(slot):
        lent = cell & 15 in free
        if held[cell] and (not lent or wilds):
            left = Holding(without(held, cell), unseen, wilds - lent, unseen_wilds)
            found = min(found, fewest_draws(rest, caps, left, free))
        if unseen[cell] and (not lent or unseen_wilds):
            left = Holding(held, without(unseen, cell), wilds, unseen_wilds - lent)
            found = min(found, 1 + fewest_draws(rest, caps, left, free))
    if caps[meld]:
        fewer = [cap - (number == meld) for number, cap in enumerate(caps)]
        if wilds:
            left = Holding(held, unseen, wilds - 1, unseen_wilds)
            found = min(found, fewest_draws(rest, fewer, left, free))
        if unseen_wilds:
            left = Holding(held, unseen, wilds, unseen_wilds - 1)
            found = min(found, 1 + fewest_draws(rest, fewer, left, free))
    return found


def without(cards: list[int], cell: int) -> list[int]:
    return [number - (place == cell) for place, number in enumerate(cards)]


def some_target(rng: Random, rules: MeldRules) -> list[Candidate]:
    """Choose two melds of low cards of two suits, which often want the same."""
    chosen: list[Candidate] = []
    for meld in rng.choices([*MELDS, MIXED], k=2):
        can_be = [choice for _, _, choice in Candidates([meld], rules, 0, grow=False).all(meld)]
        near = [
            choice
            for choice in can_be
            if choice.suit < 2 and {slot[0] & 15 for slot in choice.places} <= {1, 2, 3, 4}
        ]
        chosen.append(rng.choice(near))
    return chosen


def some_cards(rng: Random, rules: MeldRules) -> Holding:
    """Deal a few low cards of two suits; those of a wild rank are wilds too."""
    low = [16 * suit + rank for suit in (0, 1) for rank in (1, 2, 3, 4)]
    held, unseen = [0] * 64, [0] * 64
    for cell in low:
        if cell & 15 != 2 or rules.limits_wilds or 2 not in rules.free_ranks:
            held[cell], unseen[cell] = rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 1))
    own = [sum(cards[2::16]) if 2 in rules.free_ranks else 0 for cards in (held, unseen)]
    return Holding(held, unseen, own[0] + rng.randint(0, 2), own[1] + rng.randint(0, 1))
