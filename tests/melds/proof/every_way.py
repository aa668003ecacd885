"""The judge against trying everything: each hand proved, or told what is wrong with it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

from companion.cards import NATURALS, SUITS, Card, Hand, Pack, write_hand
from companion.melds import (
    Contract,
    MeldRules,
    MeldSpec,
    best_melds,
    best_zips,
    free_cards,
    is_contract,
    judge_contract,
    useful_discards,
)

from . import brute, certificate
from .dealing import (
    JOKER,
    deal,
    deal_beside,
    deal_near,
    some_contract,
    some_contract_of_runs,
    some_contract_rules,
    some_rules,
)
from .rules_of_games import CHICAGO

EVERY_CARD = [*(Card(rank, suit) for rank in NATURALS for suit in SUITS), JOKER]


def prove_deadwood(rng: Random, chicago: bool) -> str | None:
    """One hand's least points, its melds and how ties are broken."""
    rules = CHICAGO if chicago else some_rules(rng)
    hand = deal(rng, rules, rng.choice((3, 5, 6, 7, 7, 8, 8, 9)))
    melding = best_melds(hand, rules)
    found = certificate.faults(hand, melding, rules)
    melded = [card for meld in melding.melds for card in meld.cards]
    got = (
        melding.points,
        len(melding.loose),
        sum(card.rank in rules.free_ranks for card in melded),
    )
    expected = brute.deadwood(hand, rules)
    if got != expected or found:
        return f"{write_hand(hand)}: {got}, expected {expected}; {found}\n{rules}\n{melding}"
    return None


def prove_contract(rng: Random) -> str | None:
    """One hand: whether it holds the contract; if one card short, which cards help."""
    rules, contract = some_contract_rules(rng), some_contract(rng)
    size = rng.choice((contract.least_cards, contract.least_cards + 1, 8, 9))
    maker = deal_near if rng.random() < 0.75 else (lambda r, m, _, n: deal(r, m, n))
    hand = maker(rng, rules, contract, size)
    pack = Pack(rng.choice((1, 2, 2, 3)), rng.choice((0, 2, 4)))
    return prove_hand(rng, hand, contract, rules, pack)


def prove_beside(rng: Random) -> str | None:
    """One hand of three or four runs that mostly lie in one suit."""
    rules, contract = some_contract_rules(rng), some_contract_of_runs(rng)
    rules = replace(rules, same_suit_runs=rng.choice(("not_adjacent", "adjacent_needs_9")))
    return prove_hand(rng, deal_beside(rng, rules, contract), contract, rules, Pack(4, 2))


def prove_whole(rng: Random) -> str | None:
    """One hand that must be melded whole, of two runs that mostly connect, and what lies over."""
    rules = replace(
        some_contract_rules(rng),
        same_suit_runs=rng.choice(("adjacent_needs_9",) * 3 + ("any", "not_adjacent")),
        laydown=rng.choice(("exact", "exact", "at_least")),
    )
    sizes = rng.choice(((3, 3), (3, 4), (4, 4)))
    runs = tuple(MeldSpec(kind="run", size=size) for size in sizes)
    contract = Contract(melds=runs, all_cards=True)
    longer = Contract(melds=(MeldSpec(kind="run", size=rng.choice((3, 4, 5))), *runs[1:]))
    over = deal(rng, rules, rng.choice((0, 1, 1, 2)))
    hand = (*deal_beside(rng, rules, longer), *over)[:11]
    return prove_hand(rng, hand, contract, rules, Pack(4, 4))


def prove_hand(
    rng: Random, hand: Hand, contract: Contract, rules: MeldRules, pack: Pack
) -> str | None:
    """What the judge says of a hand; now and then of each card, where one is missing."""
    told = f"{write_hand(hand)}\n{contract}\n{rules}\n{pack}"
    judgement = judge_contract(hand, contract, rules, pack)
    held = brute.holds(hand, contract, rules)
    if judgement.holds != held:
        return f"{judgement.holds}, expected {held}: {told}"
    if judgement.missing is not None:
        faults = is_contract([meld.cards for meld in judgement.layout], contract, rules)
        if faults or len(judgement.draw) != judgement.missing:
            return f"{faults} {judgement}: {told}"
    if not_there := Counter(judgement.draw) - Counter(pack.unseen(hand)):
        return f"{not_there} cannot be drawn: {told}"
    if judgement.missing == 0:
        over = len(hand) - sum(len(meld.cards) for meld in judgement.layout)
        if contract.all_cards and (fewer := less_over(hand, contract, rules, over)):
            return f"{over} over, not {fewer}: {told}"
    if judgement.missing == 1 and not contract.all_cards and rng.random() < 0.3:
        return prove_helping(hand, contract, rules, pack, told)
    return None


def less_over(hand: Hand, contract: Contract, rules: MeldRules, over: int) -> str | None:
    """Fewer cards than so many, without which the rest of the hand is the contract."""
    for fewer in range(over):
        for without in combinations(range(len(hand)), fewer):
            rest = [card for place, card in enumerate(hand) if place not in without]
            if brute.holds(rest, contract, rules):
                return f"{fewer}"
    return None


def prove_helping(
    hand: Hand, contract: Contract, rules: MeldRules, pack: Pack, told: str
) -> str | None:
    """A hand one card short: each card of the rest of the pack is tried."""
    helping = judge_contract(hand, contract, rules, pack).helping
    for card in EVERY_CARD:
        unseen = max(0, pack.copies(card) - hand.count(card))
        wrong = card.rank == 0 and "joker" not in rules.wilds
        helps = not wrong and unseen > 0 and brute.holds((*hand, card), contract, rules)
        if helping.get(card, 0) != (unseen if helps else 0):
            return f"{card} {helps}, but {helping}: {told}"
    return None


def prove_steps(rng: Random) -> str | None:
    """Any distance: a helping card brings the hand one nearer, and no other does."""
    rules, contract = some_contract_rules(rng), some_contract(rng)
    hand = deal(rng, rules, rng.randint(4, 8))
    pack = Pack(rng.choice((1, 2, 2, 3)), 2)
    judgement = judge_contract(hand, contract, rules, pack)
    told = f"{write_hand(hand)}\n{contract}\n{rules}\n{pack}\n{judgement}"
    if judgement.missing is None or contract.all_cards:
        return None
    for card in EVERY_CARD:
        if pack.copies(card) <= hand.count(card) or (card.rank == 0 and "joker" not in rules.wilds):
            continue
        then = judge_contract((*hand, card), contract, rules, pack).missing
        if then != judgement.missing - (card in judgement.helping):
            return f"with {card} {then}: {told}"
    free = free_cards(hand, contract, rules, pack)
    used = {card for meld in judgement.layout for card in meld.cards}
    if any(card not in used and card not in free for card in hand):
        return f"free {free}: {told}"
    return None


def prove_zips(rng: Random) -> str | None:
    """One hand's zips, and what can be taken from a pile."""
    cards = rng.sample(EVERY_CARD[:-1], 12)
    hand, pile = tuple(cards[: rng.randint(1, 9)]), cards[9:]
    got = (best_zips(hand).value, best_zips(hand, keep_one=True).value)
    if got != brute.zip_values(hand):
        return f"{write_hand(hand)}: {got}"
    useful = tuple(n for n in range(len(pile) - 1) if brute.is_useful(hand[:6], pile, n))
    return None if useful_discards(hand[:6], pile) == useful else f"{hand} {pile} {useful}"


def prove(hands: int, seed: int) -> Iterator[str | None]:
    """So many hands of every kind, each proved or told what is wrong with it."""
    for number in range(hands):
        rng = Random(f"{seed}-{number}")
        kind = number % 20
        if kind < 12:
            yield prove_deadwood(rng, chicago=kind < 4)
        elif kind < 17:
            yield prove_contract(rng)
        elif kind == 17 and number % 3 == 0:
            yield prove_beside(rng)
        elif kind == 17 and number % 3 == 1:
            yield prove_whole(rng)
        elif kind < 18:
            yield prove_steps(rng) if number % 100 == kind else prove_contract(rng)
        else:
            yield prove_zips(rng)
