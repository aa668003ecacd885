"""A checker of what `best_melds` gives back: it trusts nothing but the cards named there."""

from collections import Counter
from itertools import pairwise

from companion.cards import NATURALS, Hand, Rank
from companion.melds import RANK_NAMES, Meld, Melding, MeldRules


def faults(hand: Hand, melding: Melding, rules: MeldRules) -> list[str]:
    """What is wrong with a melding; that no better one exists is for others to show."""
    told = [card for meld in melding.melds for card in meld.cards] + list(melding.loose)
    found = [] if Counter(told) == Counter(hand) else ["not the cards of the hand"]
    if sum(rules.values[RANK_NAMES[card.rank]] for card in melding.loose) != melding.points:
        found.append("the sum is wrong")
    return found + [fault for meld in melding.melds for fault in meld_faults(meld, rules)]


def meld_faults(meld: Meld, rules: MeldRules) -> list[str]:
    ranks = [card.rank for card in meld.stands_for]
    lent, places = 0, []
    for card, meant in zip(meld.cards, meld.stands_for, strict=True):
        name = RANK_NAMES[card.rank]
        bound = rules.wild_scope == "own_rank_any_suit" and card.rank is not Rank.JOKER
        if name in rules.wilds and (not bound or card.rank is meant.rank):
            own = card.rank is meant.rank and (bound or meant.suit in (None, card.suit))
            own = own and (bound or rules.natural_wilds)
            lent += not own
            places.append(not own)
        elif card != meant:
            return [f"{card} is not {meant}"]
        else:
            places.append(False)
    natural = len(ranks) - lent
    most = [lent if rules.max_wilds is None else rules.max_wilds]
    most += [{"any": lent, "half": natural, "less_than_half": natural - 1}[rules.wild_share]]
    table = sorted(rules.wild_table)
    most += ([w for size, w in table if size <= len(ranks)] or [w for _, w in table[:1]])[-1:]
    needed = max(rules.min_naturals, rules.set_naturals if meld.kind == "set" else 0)
    if lent > min(most) or natural < needed:
        return ["too many wilds"]
    side_by_side = any(one and other for one, other in pairwise(places))
    if rules.wilds_apart and meld.kind == "run" and side_by_side:
        return ["wilds side by side"]
    if rules.ace == "wild" and Rank.ACE in ranks:
        return ["an ace that is no ace"]
    if meld.kind == "set":
        return [] if len(set(ranks)) == 1 and len(ranks) >= rules.set_size else ["no set"]
    order = {"low": NATURALS, "high": (*NATURALS[1:], Rank.ACE)}.get(
        rules.ace, (*NATURALS, *(NATURALS if rules.ace == "corner" else (Rank.ACE,)))
    )
    rows = [list(order[start : start + len(ranks)]) for start in range(len(order))]
    one_suit = len({card.suit for card in meld.stands_for}) == 1 and ranks in rows
    return [] if one_suit and rules.run_size <= len(ranks) <= rules.run_max else ["no run"]
