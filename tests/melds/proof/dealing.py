"""Random and adversarial hands and rules, from a seed."""

from dataclasses import replace
from random import Random

from companion.cards import NATURALS, SUITS, Card, Hand, Rank
from companion.melds import RANKS, Contract, MeldRules, MeldSpec

JOKER = Card(Rank.JOKER)


def pack_of(rng: Random, rules: MeldRules, decks: int) -> list[Card]:
    """Cards to deal from: all of them, or few ranks or suits so that melds crowd together."""
    low = rng.randint(1, 13)
    few = [rank for rank in NATURALS if (rank - low) % 13 < rng.choice((3, 5, 6, 9))]
    ranks = rng.choice((NATURALS, few))
    suits = rng.choice((SUITS, SUITS, rng.sample(SUITS, 2), rng.sample(SUITS, 1)))
    cards = [Card(rank, suit) for rank in ranks for suit in suits] * decks
    wilds = [JOKER] * 3 * decks if "joker" in rules.wilds else []
    for name, rank in (("2", Rank.TWO), ("A", Rank.ACE)):
        if name in rules.wilds:
            wilds += [Card(rank, suit) for suit in SUITS] * decks
    return cards + wilds * rng.choice((0, 1, 1, 3))


def deal(rng: Random, rules: MeldRules, size: int) -> Hand:
    """A hand of at most so many cards."""
    cards = pack_of(rng, rules, rng.choice((1, 2, 2, 3)))
    return tuple(rng.sample(cards, min(size, len(cards))))


def deal_near(rng: Random, rules: MeldRules, contract: Contract, size: int) -> Hand:
    """A hand that all but holds the contract: runs that touch or overlap, wilds put in."""
    cards: list[Card] = []
    suit, start = rng.choice(SUITS), rng.randint(1, 11)
    for meld in contract.melds:
        if meld.kind == "set":
            rank = Rank(rng.choice(((start - 1) % 13 + 1, rng.randint(1, 13))))
            cards += [Card(rank, rng.choice(SUITS)) for _ in range(meld.size)]
        else:
            places = range(start, start + meld.size)
            cards += [Card(Rank((place - 1) % 13 + 1), suit) for place in places]
            start += meld.size + rng.choice((-2, -1, 0, 0, 1))
            suit = suit if rng.random() < 0.8 else rng.choice(SUITS)
    if rng.random() < 0.5:
        cards.append(Card(Rank((start - 1) % 13 + 1), suit))
    cards += deal(rng, rules, max(0, size - len(cards)))
    wild = JOKER if "joker" in rules.wilds else Card(RANKS[rules.wilds[-1]], rng.choice(SUITS))
    for _ in range(rng.choice((0, 0, 1, 2))):
        cards[rng.randrange(len(cards))] = wild
    if rng.random() < 0.4:
        cards.pop(rng.randrange(len(cards)))
    rng.shuffle(cards)
    return tuple(cards[:size])


def deal_beside(rng: Random, rules: MeldRules, contract: Contract) -> Hand:
    """A hand of runs in one suit that touch or overlap, one of them longer, or a card short."""
    suit, place, cards = rng.choice(SUITS), rng.randint(1, 8), list[Card]()
    for meld in contract.melds:
        size = meld.size + rng.choice((0, 0, 0, 1))
        cards += [Card(Rank((at - 1) % 13 + 1), suit) for at in range(place, place + size)]
        place += size + rng.choice((-2, -1, -1, 0, 0, 1))
    if rng.random() < 0.3:
        cards[rng.randrange(len(cards))] = deal(rng, rules, 1)[0]
    if rng.random() < 0.5:
        cards.pop(rng.randrange(len(cards)))
    rng.shuffle(cards)
    return tuple(cards[:14])


def some_rules(rng: Random) -> MeldRules:
    """Rules of any kind that a variant can state."""
    values = {name: min(int(rank), 10) or 15 for name, rank in RANKS.items()}
    if rng.random() < 0.3:
        values = {name: rng.choice((0, 1, 5, 10, 25)) for name in RANKS}
    rules = MeldRules(
        set_size=3,
        run_size=rng.choice((3, 3, 4)),
        ace=rng.choice(("low", "high", "either", "corner")),
        wilds=rng.choice((("2",), ("joker",), ("joker", "2"))),
        values=values,
    )
    if rng.random() < 0.4:
        rules = replace(
            rules,
            wild_scope=rng.choice(("any_card", "own_rank_any_suit")),
            min_naturals=rng.choice((0, 0, 1, 2)),
            max_wilds=rng.choice((None, None, 1, 2)),
            run_max=rng.choice((13, 14, rules.run_size, rules.run_size + 1)),
            set_size=rng.choice((3, 3, 2, 4)),
        )
    return with_more(rng, rules)


def with_more(rng: Random, rules: MeldRules) -> MeldRules:
    """Now and then aces that are wild, and limits on wilds that go by a meld's size."""
    if rng.random() < 0.15:
        rules = replace(rules, ace="wild", wilds=rng.choice((("A",), ("joker", "A"), ("joker",))))
    if rng.random() < 0.3:
        rules = replace(
            rules,
            wild_share=rng.choice(("any", "half", "half", "less_than_half")),
            wild_table=rng.choice(TABLES),
        )
    if rng.random() < 0.3:
        rules = replace(
            rules,
            wilds_apart=rng.random() < 0.8,
            set_naturals=rng.choice((0, 0, 1, 2, 2)),
        )
    return rules


TABLES: list[tuple[tuple[int, int], ...]] = [
    (),
    (),
    ((3, 1), (4, 1), (5, 2), (7, 3), (10, 4)),
    ((3, 0), (4, 1), (6, 4)),
    ((4, 1), (5, 4)),
    ((2, 1), (4, 3)),
]
"""Shanghai's rows, and rows that let larger melds need fewer naturals."""


def some_contract_rules(rng: Random) -> MeldRules:
    """Rules of any kind for a contract game."""
    rules = MeldRules(
        run_size=4,
        ace=rng.choice(("either", "either", "low", "high", "corner")),
        wilds=rng.choice((("joker",), ("joker",), ("joker", "2"), ("2",))),
        same_suit_runs=rng.choice(
            (
                "adjacent_needs_9",
                "adjacent_needs_9",
                "gap_only",
                "not_adjacent",
                "different_suits",
                "any",
            )
        ),
        laydown=rng.choice(("at_least", "exact")),
        same_rank_sets=rng.random() < 0.8,
    )
    if rng.random() < 0.3:
        rules = replace(
            rules,
            min_naturals=rng.choice((0, 1, 2)),
            max_wilds=rng.choice((None, 1, 2)),
            wild_scope=rng.choice(("any_card", "own_rank_any_suit")),
        )
    return with_more(rng, rules)


def some_contract_of_runs(rng: Random) -> Contract:
    """A contract of so many runs that one may lie between two others."""
    sizes = rng.choice((*[(3, 3, 3)] * 8, (3, 3, 4), (4, 4, 4), (3, 3, 3, 3)))
    return Contract(melds=tuple(MeldSpec(kind="run", size=size) for size in sizes))


def some_contract(rng: Random) -> Contract:
    """A contract small enough to be tried in every way."""
    sizes = [
        [("set", 3), ("set", 3)],
        [("set", 3), ("run", 4)],
        [("run", 4), ("run", 4)],
        [("run", 4), ("run", 4)],
        [("run", 3), ("run", 4)],
        [("set", 2), ("set", 4)],
        [("run", 3), ("run", 3), ("set", 2)],
        [("run", 5)],
        [("run", 3), ("run", 3)],
        [("run", 7)],
        [("run", 8)],
    ]
    melds = tuple(MeldSpec(kind=kind, size=size) for kind, size in rng.choice(sizes))  # type: ignore[arg-type]
    if rng.random() < 0.1:
        melds = (
            MeldSpec(kind="set", size=2, ranks=("A", "K")),
            MeldSpec(kind="run", size=4, exact=True),
        )
    if rng.random() < 0.1:
        melds = tuple(replace(m, suits="any") if m.kind == "run" else m for m in melds)
    elif rng.random() < 0.05:
        melds = (*melds[:-1], MeldSpec(kind="run", size=4, suits="any"))
    if rng.random() < 0.1:
        melds = tuple(replace(m, wilds=rng.choice((0, 0, 1))) for m in melds)
    if rng.random() < 0.1:
        melds = tuple(replace(m, suits="different") if m.kind == "set" else m for m in melds)
    ways = ((*melds[:1], MeldSpec(kind="set", size=4)),) if rng.random() < 0.1 else ()
    whole, only_out = rng.random() < 0.1, rng.random() < 0.1
    return Contract(melds=melds, or_melds=ways, all_cards=whole, only_out=only_out)
