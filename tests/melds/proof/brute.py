"""Slow and obvious answers to compare with: every group of cards is tried as every meld.

Nothing of the product is used but the names of the rules: cards are read from their text.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from companion.cards import Card
from companion.melds import Contract, MeldRules

ORDER = {
    "low": "A 2 3 4 5 6 7 8 9 10 J Q K",
    "high": "2 3 4 5 6 7 8 9 10 J Q K A",
    "either": "A 2 3 4 5 6 7 8 9 10 J Q K A",
    "corner": "A 2 3 4 5 6 7 8 9 10 J Q K A 2 3 4 5 6 7 8 9 10 J Q K",
    "wild": "2 3 4 5 6 7 8 9 10 J Q K",
}
RED = ("D", "H")


class Reading(NamedTuple):
    """What a group of cards can be: its kind, its rank or suit, the places it covers.

    `wild` of its cards stand for others; `unlike` are sets in which no suit is there twice.
    """

    kind: str
    what: str
    places: frozenset[int]
    ranks: frozenset[str]
    wild: int = 0
    unlike: bool = False


def split(card: Card) -> tuple[str, str]:
    """Rank and suit of a card as text; a joker is X."""
    text = str(card)
    return ("joker", "") if text == "X" else (text[:-1], text[-1])


def stands_for_any(card: tuple[str, str], rules: MeldRules) -> bool:
    """Whether the card may be anything at all."""
    if card[0] not in rules.wilds:
        return False
    return card[0] == "joker" or rules.wild_scope == "any_card"


def is_own(card: tuple[str, str], rank: str, suit: str, rules: MeldRules) -> bool:
    """Whether the card lies there as itself."""
    if card[0] != rank:
        return False
    bound = rank in rules.wilds and rules.wild_scope == "own_rank_any_suit"
    return suit == "" or card[1] == suit or bound


@lru_cache(maxsize=200_000)
def readings(group: tuple[tuple[str, str], ...], rules: MeldRules) -> tuple[Reading, ...]:
    """Everything the group can be, whatever its size as a set; limits on wilds are kept."""
    places = ORDER[rules.ace].split()
    found = []
    fixed = [card for card in group if not stands_for_any(card, rules)]
    ranks = {rank for rank, _ in fixed}
    for rank in (ranks or places[:13]) if len(ranks) < 2 else ():
        never = rank in rules.wilds and stands_for_any((rank, "C"), rules)
        no_place = (rank == "A" and rules.ace == "wild") or (never and not rules.natural_wilds)
        wild = None if no_place else lent(group, [(rank, "")] * len(group), rules)
        if wild is not None and may_be_wild("set", wild, len(group), rules):
            found.append(Reading("set", rank, frozenset(), frozenset({rank}), len(wild)))
        wild = None if no_place else lent_unlike(group, rank, rules)
        if wild is not None and may_be_wild("set", wild, len(group), rules):
            found.append(Reading("set", rank, frozenset(), frozenset({rank}), len(wild), True))
    if len(ranks) < len(fixed) - (rules.run_max > 13) or len(group) > min(rules.run_max, 14):
        return tuple(found)
    suits = {suit for rank, suit in fixed if rank not in rules.wilds}
    last_start = 13 if rules.ace == "corner" else len(places) - len(group) + 1
    for suit, start in product(["", *("CDHS" if len(suits) < 2 else "")], range(last_start)):
        row = places[start : start + len(group)]
        likely = (not suit or suits <= {suit}) and ranks <= set(row)
        wild = lent(group, [(rank, suit) for rank in row], rules) if likely else None
        if wild is not None and may_be_wild("run", wild, len(group), rules):
            where = {start + step for step in range(len(group))}
            if rules.ace == "corner":
                where = {place % 13 for place in where}
            found.append(Reading("run", suit, frozenset(where), frozenset(row), len(wild)))
    return tuple(found)


def lent(
    group: Sequence[tuple[str, str]], places: list[tuple[str, str]], rules: MeldRules
) -> list[int] | None:
    """The places that wild cards fill, as many cards as can being themselves; None if none fits."""
    empty, others = list(range(len(places))), []
    for card in sorted(group, key=lambda card: stands_for_any(card, rules)):
        is_natural = rules.natural_wilds or not stands_for_any(card, rules)
        own = [place for place in empty if is_natural and is_own(card, *places[place], rules)]
        if own:
            empty.remove(own[0])
        else:
            others.append(card)
    return empty if all(stands_for_any(card, rules) for card in others) else None


def lent_unlike(group: Sequence[tuple[str, str]], rank: str, rules: MeldRules) -> list[int] | None:
    """The same for a set in which no suit may be there twice; a wild takes a suit that is free."""
    wild, there = [], set()
    for place, card in enumerate(sorted(group, key=lambda card: stands_for_any(card, rules))):
        bound = card[0] in rules.wilds and not stands_for_any(card, rules)
        natural = rules.natural_wilds or not stands_for_any(card, rules)
        if natural and card[0] == rank and (bound or card[1] not in there):
            there |= set() if bound else {card[1]}
        elif stands_for_any(card, rules):
            wild.append(place)
        else:
            return None
    return wild if len(group) <= 4 else None


def may_be_wild(kind: str, wild: list[int], size: int, rules: MeldRules) -> bool:
    """Whether so many cards of a meld, at these places, may be wild."""
    natural = size - len(wild)
    needed = max(rules.min_naturals, rules.set_naturals if kind == "set" else 0)
    if kind == "run" and rules.wilds_apart and any(place + 1 in wild for place in wild):
        return False
    return natural >= needed and not too_wild(len(wild), natural, rules)


def too_wild(wild: int, natural: int, rules: MeldRules) -> bool:
    """Whether a meld of so many wild and natural cards breaks a limit on wilds."""
    if rules.max_wilds is not None and wild > rules.max_wilds:
        return True
    if rules.wild_share == "half" and wild > natural:
        return True
    if rules.wild_share == "less_than_half" and wild >= natural:
        return True
    allowed = rules.wild_table[0][1] if rules.wild_table else None
    for size, most in rules.wild_table:
        if wild + natural >= size:
            allowed = most
    return allowed is not None and wild > allowed


def groups(
    hand: Sequence[tuple[str, str]], least: int
) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
    """Every group of cards of a hand, as bits and as cards."""
    for size in range(least, len(hand) + 1):
        for chosen in combinations(range(len(hand)), size):
            yield sum(1 << n for n in chosen), tuple(hand[n] for n in chosen)


def deadwood(cards: Sequence[Card], rules: MeldRules) -> tuple[int, int, int]:
    """Least points unmelded; then the fewest cards unmelded; then the fewest wild cards melded."""
    hand = tuple(sorted(map(split, cards)))
    least = min(rules.set_size, rules.run_size)
    melds = []
    for bits, group in groups(hand, least):
        sizes = {"set": rules.set_size, "run": rules.run_size}
        found = [reading for reading in readings(group, rules) if reading[:2] != ("run", "")]
        if any(len(group) >= sizes[reading.kind] for reading in found):
            melds.append((bits, sum(stands_for_any(card, rules) for card in group)))
    by_first: dict[int, list[tuple[int, int]]] = {}
    for bits, wilds in melds:
        by_first.setdefault((bits & -bits).bit_length() - 1, []).append((bits, wilds))
    known: dict[int, tuple[int, int, int]] = {0: (0, 0, 0)}

    def best(rest: int) -> tuple[int, int, int]:
        if rest not in known:
            first = (rest & -rest).bit_length() - 1
            points, loose, used = best(rest & ~(1 << first))
            answer = (points + rules.values[hand[first][0]], loose + 1, used)
            for bits, wilds in by_first.get(first, ()):
                if bits & rest == bits:
                    points, loose, used = best(rest & ~bits)
                    answer = min(answer, (points, loose, used + wilds))
            known[rest] = answer
        return known[rest]

    return best((1 << len(hand)) - 1)


def holds(cards: Sequence[Card], contract: Contract, rules: MeldRules) -> bool:
    """Whether some groups of the hand are the contract."""
    hand = tuple(sorted(map(split, cards)))
    for way in (contract.melds, *contract.or_melds):
        options = []
        for spec in way:
            exact = spec.exact if spec.exact is not None else rules.laydown == "exact"
            may_connect = nine(rules) and spec.kind == "run" and spec.suits == "same"
            most = spec.size if exact and not may_connect else len(hand)
            options.append(
                [
                    (bits, reading)
                    for bits, group in groups(hand, spec.size)
                    if len(group) <= most
                    for reading in readings(group, rules)
                    if reading.kind == spec.kind
                    and (reading.kind == "set" or (reading.what == "") == (spec.suits == "any"))
                    and all(not spec.ranks or rank in spec.ranks for rank in reading.ranks)
                    and (spec.wilds is None or reading.wild <= spec.wilds)
                    and reading.unlike == (spec.kind == "set" and spec.suits == "different")
                ]
            )
        if find(options, (), (1 << len(hand)) - 1, way, rules, contract.all_cards):
            return True
    return False


def nine(rules: MeldRules) -> bool:
    return rules.same_suit_runs == "adjacent_needs_9"


def find(options, chosen, rest, way, rules, all_cards) -> bool:  # type: ignore[no-untyped-def]
    """Whether groups that do not share a card can be chosen, one for each meld."""
    if len(chosen) == len(way):
        return side_by_side(chosen, way, rules) and not (all_cards and rest)
    seen = set()
    for bits, reading in options[len(chosen)]:
        if bits & rest == bits and (bits, reading) not in seen:
            seen.add((bits, reading))
            if may_pair(chosen, reading, rules) and find(
                options, (*chosen, (bits, reading)), rest & ~bits, way, rules, all_cards
            ):
                return True
    return False


def may_pair(chosen, reading, rules) -> bool:  # type: ignore[no-untyped-def]
    """A quick look that refuses what can never lie together."""
    same = [other for _, other in chosen if other[:2] == reading[:2]]
    if reading.kind == "set":
        return rules.same_rank_sets or not same
    return not same or reading.what == "" or rules.same_suit_runs != "different_suits"


def side_by_side(chosen, way, rules) -> bool:  # type: ignore[no-untyped-def]
    """Whether the melds may lie beside one another."""
    connected = set()
    exact = [s.exact if s.exact is not None else rules.laydown == "exact" for s in way]
    for (a, (bits_a, first)), (b, (bits_b, second)) in combinations(enumerate(chosen), 2):
        if first.kind != second.kind or first.what != second.what or first.what == "":
            continue
        if first.kind == "set":
            if not rules.same_rank_sets:
                return False
            continue
        overlap = bool(first.places & second.places)
        touch = not overlap and (touches(first, second, rules) or touches(second, first, rules))
        rule = rules.same_suit_runs
        if rule == "different_suits" or (rule == "gap_only" and (overlap or touch)):
            return False
        if rule == "not_adjacent" and touch:
            return False
        if nine(rules) and touch:
            total, needed = (bits_a | bits_b).bit_count(), max(9, way[a].size + way[b].size)
            if total < needed or (exact[a] and exact[b] and total > needed):
                return False
            connected |= {a, b}
    return all(
        bits.bit_count() == spec.size or not must or step in connected
        for step, ((bits, _), spec, must) in enumerate(zip(chosen, way, exact, strict=True))
    )


def touches(first: Reading, second: Reading, rules: MeldRules) -> bool:
    """Whether some place of the second follows one of the first."""
    following = {place + 1 for place in first.places}
    if rules.ace == "corner":
        following = {place % 13 for place in following}
    return bool(following & second.places)


def zip_values(cards: Sequence[Card]) -> tuple[int, int]:
    """The most that can be zipped, and the most with a card left, by trying every group."""
    best = kept = 0
    for size in range(2, len(cards) + 1):
        for group in combinations(cards, size):
            signed = [(-1 if str(card)[-1] in (*RED, "R") else 1) * number(card) for card in group]
            if sum(signed) == 0:
                worth = sum(map(abs, signed))
                best = max(best, worth)
                kept = max(kept, worth) if size < len(cards) else kept
    return best, kept


def number(card: Card) -> int:
    """The value of a card in Zip."""
    return ORDER["low"].split().index(split(card)[0]) + 1


def is_useful(hand: Sequence[Card], pile: Sequence[Card], place: int) -> bool:
    """Whether a group of the hand and the cards taken holds that discard and sums to zero."""
    cards = [*hand, *pile[place:]]
    for size in range(2, len(cards)):
        for group in combinations(range(len(cards)), size):
            signed = [
                (-1 if str(cards[n])[-1] in (*RED, "R") else 1) * number(cards[n]) for n in group
            ]
            if len(hand) in group and sum(signed) == 0:
                return True
    return False
