"""The bounds that every set of rules must keep, whoever wrote it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any
from unicodedata import category

from companion.cards import SUITS, Pack
from companion.melds import RANKS, Contract, MeldSpec
from companion.melds.slots import MOST_CARDS

from .field_text import is_so
from .variant import Choice, Scoring, Variant, VariantError

LONGEST_NAME, LONGEST_SUMMARY = 60, 200
MOST_PLAYERS = 100
MOST_POINTS = 1000
MOST_DEALS = 40
MOST_PLAYED = 1_000
"""The deals of an old game: whatever its rules were, it has as many as its sheet."""
MOST_DEALT = MOST_CARDS - 1  # one more is drawn, and the judge takes no larger hand
MOST_DEALT_UNJUDGED = 60
MOST_MELDS = 6
LARGEST_CONTRACT = MOST_CARDS
MOST_ALTERNATIVES = 4
MOST_BONUSES = 12
# All thirteen ranks, and the ace at both ends.
LONGEST_MELD = 14
MOST_BUYS = 99
MOST_TOTAL = 10_000
MOST_DECKS = 100
MOST_JOKERS = 400

_NUMBERS = {
    "pickup.penalty_cards": (0, MOST_DEALT),
    "pickup.penalty_points": (-MOST_POINTS, MOST_POINTS),
    "pickup.limit": (0, MOST_BUYS),
    "melds.set_size": (1, LONGEST_MELD),
    "melds.run_size": (1, LONGEST_MELD),
    "melds.run_max": (1, LONGEST_MELD),
    "melds.min_naturals": (0, LONGEST_MELD),
    "melds.set_naturals": (0, LONGEST_MELD),
    "melds.max_wilds": (0, LONGEST_MELD),
    "joker_trade.set_cards": (1, 4),
    "scoring.knock.limit": (0, MOST_POINTS),
    "scoring.knock.below": (0, MOST_TOTAL),
    "scoring.knock.penalty": (0, MOST_POINTS),
    "scoring.instant_win.count": (1, MOST_DEALT),
    "scoring.zips.min_cards": (2, MOST_DEALT),
    "scoring.points.step": (1, MOST_POINTS),
    "scoring.points.lost": (1, 10),
    "scoring.points.together": (0, MOST_TOTAL),
    "scoring.points.bids.made": (-MOST_POINTS, MOST_POINTS),
    "scoring.points.bids.trick": (-MOST_POINTS, MOST_POINTS),
    "scoring.points.bids.off": (-MOST_POINTS, MOST_POINTS),
    "scoring.points.bids.missed": (-MOST_POINTS, MOST_POINTS),
    "scoring.points.bids.over": (-MOST_POINTS, MOST_POINTS),
    "scoring.points.bids.lost": (-MOST_POINTS, MOST_POINTS),
    "scoring.points.bids.bags": (0, MOST_DEALT_UNJUDGED),
    "scoring.points.bids.bags_points": (-MOST_POINTS, MOST_POINTS),
    "ending.target": (0, MOST_TOTAL),
    "ending.floor": (-MOST_TOTAL, MOST_TOTAL),
    "ending.eliminate.at": (1, MOST_TOTAL),
}
"""The least and the most of each number that stands alone."""


def faults_of(variant: Variant) -> Iterator[str]:
    """Find every fault in a set of rules, each as a line that begins with its path."""
    yield from _text_faults(variant)
    yield from _number_faults(variant)
    yield from _player_faults(variant)
    if variant.has_cards:
        yield from _value_faults(variant)
        yield from _pack_faults(variant)
    yield from _deal_faults(variant)
    yield from _scoring_faults(variant)
    yield from _ending_faults(variant)
    yield from _choice_faults(variant)


def _number_faults(variant: Variant) -> Iterator[str]:
    for path, (least, most) in _NUMBERS.items():
        value: Any = variant
        for name in path.split("."):
            value = getattr(value, name, None)
        if value is not None and not least <= value <= most:
            yield f"{path}: must be {least} to {most}"


def _text_faults(variant: Variant) -> Iterator[str]:
    """Find names that no page can show: empty, endless, or with signs that rule texts use."""
    win = variant.scoring.instant_win
    texts = [
        ("name", variant.name, LONGEST_NAME),
        ("summary", variant.summary, LONGEST_SUMMARY),
        ("deal_word", variant.deal_word, 20),
        ("players.best", variant.players.best or "-", 40),
        *((f"deals[{n}].task", d.task or "-", LONGEST_NAME) for n, d in enumerate(variant.deals)),
        *(("scoring.instant_win.name", win.name, LONGEST_NAME) for win in ([win] if win else [])),
        *(
            (f"scoring.bonuses[{n}]", text, LONGEST_NAME)
            for n, bonus in enumerate(variant.scoring.bonuses)
            for text in (bonus.name, bonus.key or "-")
        ),
    ]
    for path, text, longest in texts:
        if not text.strip() or len(text) > longest:
            yield f"{path}: needs 1 to {longest} characters"
        if any(sign in "{}[]" or category(sign)[0] == "C" for sign in text):
            yield f"{path}: cannot hold brackets, or signs that cannot be seen"


def _value_faults(variant: Variant) -> Iterator[str]:
    melds, jokers = variant.melds, any(row.jokers for row in variant.packs)
    for name in RANKS:
        if name not in melds.values and (jokers or name != "joker"):
            yield f"melds.values: {name} has no value"
    yield from _points_faults("melds.values", melds.values, [*RANKS])
    # Without the last of the ranks: a joker has no colour.
    yield from _points_faults("melds.black_values", melds.black_values, [*RANKS][:-1])
    if not any(melds.values.values()):
        yield "melds.values: at least one card must count something"
    if melds.black_values and variant.scoring.entry != "cards_left":
        yield "melds.black_values: belong to the entry `cards_left`, and only there"
    for name in melds.wilds:
        if name not in RANKS:
            yield f"melds.wilds: there is no rank {name}"


def _points_faults(path: str, values: Mapping[str, int], ranks: Collection[str]) -> Iterator[str]:
    for name, value in values.items():
        if name not in ranks:
            yield f"{path}.{name}: there is no such rank"
        if not 0 <= value <= MOST_POINTS:
            yield f"{path}.{name}: must be 0 to {MOST_POINTS} points"


def _player_faults(variant: Variant) -> Iterator[str]:
    low, high = variant.players.min, variant.players.max
    rows = [number for row in variant.packs for number in row.players]
    if not 1 <= low <= high <= MOST_PLAYERS or not all(1 <= n <= MOST_PLAYERS for n in rows):
        yield f"players: {low} to {high} is no number of players"


def _pack_faults(variant: Variant) -> Iterator[str]:
    # Numbers of players are listed one by one below, and a file may say millions.
    if any(_player_faults(variant)):
        return
    low, high = variant.players.min, variant.players.max
    covered = sorted(
        number for row in variant.packs for number in range(row.players[0], row.players[1] + 1)
    )
    if covered != list(range(low, high + 1)):
        yield f"packs: must name each number of players from {low} to {high} once"
    for index, row in enumerate(variant.packs):
        if not 1 <= row.decks <= MOST_DECKS or not 0 <= row.jokers <= MOST_JOKERS:
            yield f"packs[{index}]: 1 to {MOST_DECKS} decks, and 0 to {MOST_JOKERS} jokers"
        most = max((deal.dealt for deal in variant.deals), default=0)
        # One card more than is dealt: it is turned up beside the stock.
        needed, there = row.players[1] * most + 1, Pack(row.decks, row.jokers).size
        if needed > there:
            yield f"packs[{index}]: {row.players[1]} players need {needed} cards, there are {there}"


def _deal_faults(variant: Variant) -> Iterator[str]:
    if not 1 <= len(variant.deals) <= MOST_DEALS:
        yield f"deals: a game needs at least one and at most {MOST_DEALS}"
    for index, deal in enumerate(variant.deals):
        least, most = _dealt_range(variant)
        if not least <= deal.dealt <= most:
            yield f"deals[{index}].dealt: must be at least {least} and at most {most}"
        if deal.task and variant.has_cards:
            yield f"deals[{index}].task: belongs to the entry `points`, and only there"
        if deal.buys is not None and not 0 <= deal.buys <= MOST_BUYS:
            yield f"deals[{index}].buys: must be 0 to {MOST_BUYS}"
        for name in {*(deal.wilds or ())} - {*RANKS}:
            yield f"deals[{index}].wilds: there is no rank {name}"
        if deal.contract is not None:
            yield from (
                f"deals[{index}].contract: {fault}"
                for fault in _contract_faults(variant, index + 1, deal.contract)
            )


def _dealt_range(variant: Variant) -> tuple[int, int]:
    """Return how many cards a deal may have: hands that are judged have a limit of their own."""
    return (1, MOST_DEALT) if variant.has_cards else (0, MOST_DEALT_UNJUDGED)


def _contract_faults(variant: Variant, step: int, contract: Contract) -> Iterator[str]:
    alternatives, melds = (contract.melds, *contract.or_melds), contract.specs
    for name in (name for meld in melds for name in meld.ranks):
        if name not in RANKS or name == "joker":
            yield f"there is no rank {name} of which melds are made"
    for meld in melds:
        yield from _suit_faults(meld)
    if not all(alternatives):
        yield "names no meld"
    elif max(map(len, alternatives)) > MOST_MELDS or len(alternatives) > MOST_ALTERNATIVES:
        most = f"{MOST_MELDS} melds, or has more than {MOST_ALTERNATIVES} ways to meet it"
        yield f"asks for more than {most}"
    elif (
        max(sum(meld.size for meld in alternative) for alternative in alternatives)
        > LARGEST_CONTRACT
    ):
        yield f"asks for more than {LARGEST_CONTRACT} cards, and no hand holds more"
    elif any(not 1 <= meld.size <= LONGEST_MELD for meld in melds):
        yield f"a meld has at least 1 and at most {LONGEST_MELD} cards"
    elif (needed := buys_needed(variant, step)) and not can_buy(variant, step, needed):
        deal = variant.deal(step)
        last = ", and the last is discarded" if deal.goout == "discard" else ""
        yield f"needs {contract.least_cards} cards, {deal.dealt} are dealt and 1 drawn{last}"


def _suit_faults(meld: MeldSpec) -> Iterator[str]:
    if meld.kind == "run" and meld.suits == "different":
        yield "a run is of one suit or of any suits: only sets can be of different suits"
    if meld.is_unlike and meld.size > len(SUITS):
        yield f"a set of different suits has at most {len(SUITS)} cards"
    if meld.wilds is not None and not 0 <= meld.wilds <= LONGEST_MELD:
        yield f"a meld has 0 to {LONGEST_MELD} wild cards"


def can_buy(variant: Variant, step: int, needed: int) -> bool:
    """Return whether a player may take so many discards out of turn in this deal."""
    most = variant.buys(step)
    return variant.pickup.allowed and (most == 0 or most >= needed)


def buys_needed(variant: Variant, step: int, cards: int = 0) -> int:
    """Return how many discards a player must take out of turn to meet this contract in one turn.

    Who goes down has drawn one card and, where the deal asks for a discard, keeps one for it.
    `cards` is what the contract takes where rules make it larger than its melds say.

    >>> from companion.rules import find_variant
    >>> buys_needed(find_variant("contract rummy"), 7)
    0
    """
    deal = variant.deal(step)
    if deal.contract is None:
        return 0
    cards = max(cards, deal.contract.least_cards)
    lacking = cards + (deal.goout == "discard") - (deal.dealt + 1)
    return max(0, -(-lacking // (1 + max(0, variant.pickup.penalty_cards))))


def _scoring_faults(variant: Variant) -> Iterator[str]:
    scoring = variant.scoring
    if scoring.knock and scoring.entry != "unmelded":
        yield "scoring.knock: only where cards in no meld count can a player knock"
    if scoring.entry == "unmelded" and variant.has_contracts:
        yield "scoring.entry: where contracts are laid down, the cards left are counted"
    if (scoring.entry == "zips") != (scoring.zips is not None):
        yield "scoring.zips: only where zips are counted are there rules for them, and there always"
    if variant.has_cards != (scoring.points is None):
        yield "scoring.points: rules for written points go with a game whose points are written"
    if not variant.has_cards and (variant.packs or variant.has_contracts):
        yield "scoring.entry: where points are written down, there are no packs and no contracts"
    if scoring.instant_win and scoring.instant_win.rank not in RANKS:
        yield f"scoring.instant_win.rank: there is no rank {scoring.instant_win.rank}"
    if scoring.instant_win and scoring.knock is None:
        yield "scoring.instant_win: only in a game of knocking can a hand win at once"
    points = (scoring.out_points, scoring.not_down.points, *(b.points for b in scoring.bonuses))
    if any(abs(number) > MOST_POINTS for number in points):
        yield f"scoring: bonuses are at most {MOST_POINTS} points"
    yield from _bonus_faults(scoring)


def _bonus_faults(scoring: Scoring) -> Iterator[str]:
    if scoring.bonuses and scoring.entry in ("unmelded", "zips"):
        yield "scoring.bonuses: there are none where cards in no meld, or zips, are counted"
    if scoring.entry == "payments" and not scoring.bonuses:
        yield "scoring.bonuses: a game of payments needs at least one"
    keys = [bonus.key for bonus in scoring.bonuses]
    if scoring.entry in ("winner", "worth") and keys != ["won"]:
        yield "scoring.bonuses: a game of winners has one, `won`"
    for index, bonus in enumerate(scoring.bonuses):
        if bonus.key in keys[:index] or not bonus.key.isidentifier():
            yield f"scoring.bonuses[{index}].key: must be a short word of its own"
        if bonus.doubles and (scoring.entry != "cards_left" or bonus.who != "out" or bonus.counts):
            yield f"scoring.bonuses[{index}].doubles: belongs to who went out, where cards count"
        if bonus.given != "told" and (bonus.who != "out" or bonus.counts):
            yield f"scoring.bonuses[{index}].given: what is not told belongs to who went out"
    if len(keys) > MOST_BONUSES:
        yield f"scoring.bonuses: at most {MOST_BONUSES}"


def _ending_faults(variant: Variant) -> Iterator[str]:
    ending = variant.ending
    last_standing = ending.length == "until_one_left"
    if last_standing and ending.eliminate is None:
        yield "ending.eliminate: a game until one is left must say when a player is out"
    if last_standing != (ending.winner == "last_standing"):
        yield "ending.winner: whoever is left last wins where players drop out, and only there"
    if variant.is_each_on_their_own != (ending.winner == "furthest"):
        yield "ending.winner: whoever got furthest wins only where each stays on an unmet contract"
    if variant.is_each_on_their_own and not all(d.contract or d.task for d in variant.deals):
        yield "deals: where players stay on a contract, every deal needs one"
    if variant.is_each_on_their_own and len({deal.dealt for deal in variant.deals}) > 1:
        yield "deals: where players stay on a contract, every deal has as many cards"
    if any(not 1 <= deals <= MOST_DEALS for _, deals in ending.deals_for):
        yield f"ending.deals_for: 1 to {MOST_DEALS} deals"
    yield from _race_faults(variant)
    most = MOST_PLAYED if variant.is_as_played else MOST_DEALS
    if not 0 <= ending.deals <= most or (ending.deals and ending.length != "fixed"):
        yield f"ending.deals: 0 to {most}, for a game of a fixed number of deals"


def _race_faults(variant: Variant) -> Iterator[str]:
    ending = variant.ending
    if ending.bottom > 0 or (ending.bottom and ending.length != "until_score"):
        yield "ending.bottom: a score below zero, for a game until a score is reached"
    told = any(bonus.key == "first" for bonus in variant.scoring.bonuses)
    is_race = ending.length == "until_score" and ending.winner == "highest" and told
    if ending.tiebreak == "first_there" and not is_race:
        yield "ending.tiebreak: who was there first is told in a race up to a score, and only there"
    if (ending.length == "until_score") != (ending.target != 0):
        yield "ending.target: a game that ends at a score needs it, and no other game has one"


def _is_condition(variant: Variant, when: str) -> bool:
    try:
        is_so(variant, when)
    except VariantError:
        return False
    return True


def _choice_faults(variant: Variant) -> Iterator[str]:
    keys = [choice.key for choice in variant.choices]
    for index, choice in enumerate(variant.choices):
        if choice.key in keys[:index]:
            yield f"choices[{index}].key: {choice.key} is there twice"
        for fault in _faults_of_choice(variant, choice):
            yield f"choices[{index}]{fault}"
    for key, value in variant.chosen.items():
        offered = [c for c in variant.choices if c.key == key]
        if not any(str(option.value) == str(value) for c in offered for option in c.options):
            yield f"chosen.{key}: {value} is not offered"


def _faults_of_choice(variant: Variant, choice: Choice) -> Iterator[str]:
    if len({str(option.value) for option in choice.options}) < len(choice.options):
        yield ".options: a value is there twice"
    if len(choice.options) < 2:
        yield ": a choice needs at least two options"
    if choice.options and choice.options[0].changes:
        yield ".options[0]: the first option is the book's and changes nothing"
    for when in choice.when:
        if not _is_condition(variant, when):
            yield f".when: {when} asks for no field of the rules"
