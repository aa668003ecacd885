"""Rule texts filled from the rules: a number, a word or a phrase for every placeholder."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from companion.melds import RANKS
from companion.melds.slots import CONNECTED

from .card_values import Counted, what_counts
from .contracts import contract_words
from .field_text import Say, at, bonus_words, in_words, labels, signed, span
from .validation import buys_needed
from .variant import Variant, VariantError
from .words import list_words, many, number, pack_words

SUITS = 4
NATURAL = [rank for rank in RANKS if rank != "joker"]

MANY_DEALS = 10
"""So many deals are not told one by one where each has a card more than the one before."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+(?:\.[A-Za-z0-9_]+)*)(?::([a-z ]+))?\}")


def fill(variant: Variant, text: str, say: Say | None = None) -> str:
    """Fill a text's placeholders from the rules, such as `{melds.set_size:word}`.

    A placeholder is a path, or one of `DERIVED` with a number where it needs one (`{need.7}`).
    `:word` says a number as a word, any other name behind a colon is what the number counts:
    `{pickup.penalty_cards:card}` is `1 card` or `2 cards`, with `:word card` in words.
    Words may hold placeholders themselves. Raises `VariantError` for one that nothing fills.
    """
    # Few rounds: words that name each other would be filled for ever.
    for _ in range(3):
        filled = _PLACEHOLDER.sub(lambda found: _filled(variant, found, say), text)
        if filled == text:
            return text
        text = filled
    return text


def counted(variant: Variant) -> list[Counted]:
    """Say what counts in a game of points, with the numbers of the game."""
    values = what_counts(variant)
    if values is None:
        return []
    rows = (
        [Counted(" to ".join(map(signed, values.shown)), "what they show", "")]
        if values.shown
        else []
    )
    rows += [
        Counted(
            name, points if isinstance(points, str) else signed(points), values.also.get(name, "")
        )
        for name, points in values.cards
    ]
    bonuses = {f"bonus.{bonus.key}" for bonus in variant.scoring.bonuses}
    return rows + [
        Counted(name, fill(variant, said), also)
        for name, said, also in values.counts
        # A house may have taken out the bonus that a row speaks of.
        if {path for path in placeholders(said) if path.startswith("bonus.")} <= bonuses
    ]


def placeholders(text: str) -> list[str]:
    """List what a text takes from the rules."""
    return [path for path, _ in _PLACEHOLDER.findall(text)]


def _filled(variant: Variant, found: re.Match[str], say: Say | None) -> str:
    path, form = found.groups()
    name, _, argument = path.partition(".")
    # A name made here may begin that of a field: `players`, and how many are best.
    if name in DERIVED and path not in labels():
        made = DERIVED[name](variant, argument)
        return _formed(int(made), form) if form else made
    value = at(variant, path)
    if form and isinstance(value, int):
        return _formed(value, form)
    return in_words(variant, path, say)


def _formed(count: int, form: str) -> str:
    if form == "word":
        return number(count)
    said = number(count) if form.startswith("word ") else signed(count)
    return f"{said} {form.removeprefix('word ')}{'s'[: abs(count) != 1]}"


def _step(variant: Variant, argument: str) -> int:
    step = int(argument) if argument.isdecimal() else len(variant.deals)
    if not 1 <= step <= len(variant.deals):
        raise VariantError(f"{variant.name} has no deal {argument}.")
    return step


def _contract(variant: Variant, argument: str) -> str:
    contract = variant.deal(_step(variant, argument)).contract
    said = contract_words(contract) if contract else "No contract"
    return said[0].lower() + said[1:]


def _need(variant: Variant, argument: str) -> str:
    contract = variant.deal(_step(variant, argument)).contract
    return str(contract.least_cards if contract else 0)


def _by_deal(variant: Variant, words: Callable[[int], str], form: str = "{said} in {deals}") -> str:
    """Say what holds in which deals: `10 cards in deals 1 to 4; 12 cards in deals 5 to 7`."""
    steps = range(1, len(variant.deals) + 1)
    spans = [(said, list(group)) for said, group in groupby(steps, key=words)]
    if len(spans) == 1:
        return spans[0][0]
    return "; ".join(
        form.format(
            said=said,
            deals=f"{variant.deal_word}{'s'[: len(group) > 1]} {span(group[0], group[-1])}",
        )
        for said, group in spans
    )


def _dealt(variant: Variant, argument: str) -> str:
    if argument:
        return str(variant.deal(_step(variant, argument)).dealt)
    dealt = [deal.dealt for deal in variant.deals]
    if len(dealt) >= MANY_DEALS and dealt == [*range(dealt[0], dealt[0] + len(dealt))]:
        word, first = variant.deal_word, _formed(dealt[0], "card")
        return f"{first} in {word} 1, and one card more in each {word} after it"
    return _by_deal(variant, lambda step: _formed(variant.deal(step).dealt, "card"))


def _buys(variant: Variant, argument: str) -> str:
    """Return the limit of one deal, or say it for all of them."""
    if argument:
        return str(variant.buys(_step(variant, argument)))
    if variant.pickup.limit and variant.pickup.limit_scope == "game":
        return f"at most {_formed(variant.pickup.limit, 'time')} in the whole game"
    if len({variant.buys(step) for step in range(1, len(variant.deals) + 1)}) == 1:
        limit = variant.buys(1)
        each = f"at most {_formed(limit, 'time')} in each {variant.deal_word}"
        return each if limit else "as often as you like"
    return _by_deal(
        variant,
        lambda step: (
            f"at most {_formed(variant.buys(step), 'time')}"
            if variant.buys(step)
            else "as often as you like"
        ),
    )


def _wilds(variant: Variant, argument: str) -> str:
    """Name the wild ranks, of one deal or of all of them."""
    if argument:
        return wild_words(variant, _step(variant, argument))
    return _by_deal(variant, lambda step: wild_words(variant, step))


def wild_words(variant: Variant, step: int) -> str:
    """Name the wild ranks of one deal."""
    return list_words(list(map(many, variant.meld_rules(step).wilds))) or "none"


GOING_OUT = {
    "discard": "the last card must be discarded",
    "either": "the last card may be discarded or played on the table",
    "no_discard": "every card must be played on the table, none is discarded",
}


def _usual(variant: Variant) -> str:
    usual = variant.players.usual
    return f"; usual are {span(*usual)}" if usual else ""


def _goout(variant: Variant, argument: str) -> str:
    """Say how the last card goes, in one deal or in all of them."""
    if argument:
        return GOING_OUT[variant.deal(_step(variant, argument)).goout]
    return _by_deal(variant, lambda step: GOING_OUT[variant.deal(step).goout], "in {deals} {said}")


def _room(variant: Variant, argument: str) -> str:
    """Say what a contract leaves of the cards dealt and one drawn."""
    step, word = _step(variant, argument), variant.deal_word
    contract = variant.deal(step).contract
    at_once = contract is not None and contract.all_cards
    spare = variant.deal(step).dealt + 1 - int(_need(variant, argument))
    if needed := buys_needed(variant, step):
        cards = _formed(needed, "discard")
        said = f"You must take at least {cards} out of turn to meet it in one turn"
    elif spare <= 0:
        said = f"That is every card of this {word}, the one drawn included"
    elif at_once:
        said = f"Once you have drawn, {_formed(spare, 'card')} more must find a place in it"
    else:
        is_or_are = "is" if spare == 1 else "are"
        said = f"Once you have drawn, {_formed(spare, 'card')} {is_or_are} left over"
    return f"{said}. Whoever lays it down goes out in that turn" if at_once else said


def _last(variant: Variant, argument: str) -> str:
    """Begin what is said of the last of several deals, and of no other."""
    step, last = _step(variant, argument), len(variant.deals)
    if variant.is_each_on_their_own:
        return "The last contract: " if step == last > 1 else ""
    return f"The last {variant.deal_word}: " if step == last == variant.deal_count != 1 else ""


def _step_name(variant: Variant, argument: str) -> str:
    """Name a deal, or the contract where players stay on theirs."""
    step, last = _step(variant, argument), len(variant.deals)
    word = variant.deal_word
    if variant.is_each_on_their_own:
        return f"Contract {step}"
    if last == 1:
        return f"Every {word}"
    goes_on = step == last and variant.deal_count != last
    return f"{word.capitalize()} {step}{' and later' if goes_on else ''}"


def _pack_table(variant: Variant) -> str:
    rows = [(span(*row.players), pack_words(variant.pack(row.players[0]))) for row in variant.packs]
    words = " players"
    return "; ".join(
        f"{span}{words if index == 0 else ''}: {said}" for index, (span, said) in enumerate(rows)
    )


def _values(variant: Variant) -> str:
    """Say what cards count; neighbours that count what they show are said together."""
    values = variant.counted
    alike = [list(group) for _, group in groupby(values, key=values.__getitem__)]
    rows = []
    for shown, groups in groupby(alike, key=lambda ranks: _counts_as_shown(variant, ranks)):
        if shown:
            ranks = [name for group in groups for name in group]
            said = "what they show" if len(ranks) > 1 else str(values[ranks[0]])
            rows.append(f"{_rank_span(ranks)}: {said}")
        else:
            rows += [
                f"{_rank_span(ranks)}: {values[ranks[0]]}{' each' if len(ranks) > 1 else ''}"
                for ranks in groups
            ]
    return "; ".join(rows)


def _counts_as_shown(variant: Variant, ranks: Sequence[str]) -> bool:
    return len(ranks) == 1 and ranks[0] == str(variant.counted[ranks[0]])


def _points_said(variant: Variant) -> str:
    rows = [f"{each.name}: {each.points}" for each in counted(variant)]
    return f"{'; '.join(rows)}." if rows else ""


def _scored(variant: Variant) -> str:
    values = what_counts(variant)
    return values.scored if values else ""


def _bid_missed(variant: Variant) -> str:
    """Say what a bid counts that was not made exactly."""
    bids = variant.scoring.points.bids if variant.scoring.points else None
    if bids is None:
        return ""
    if bids.off:
        return f"Each trick more or fewer than the bid counts {signed(bids.off)}."
    return f"Without the exact bid each trick counts {bids.missed}."


def _openings(variant: Variant) -> str:
    rows = variant.scoring.points.openings if variant.scoring.points else ()
    return "; ".join(
        f"{least} with a total {'below zero' if above < 0 else f'from {above}'}"
        for above, least in rows
    )


def _rank_span(ranks: Sequence[str]) -> str:
    return f"{ranks[0]} to {ranks[-1]}" if len(ranks) > 2 else " and ".join(ranks)


def _sum(variant: Variant, argument: str) -> str:
    counts = [variant.melds.values[name] for name in argument.split("_")]
    return f"{' + '.join(map(str, counts))} = {sum(counts)}"


def _not_down(variant: Variant) -> str:
    cost = variant.scoring.not_down
    more = f"{_formed(cost.points, 'point')} more" if cost.points else ""
    twice = "the same once again" if cost.double else ""
    return list_words([words for words in (twice, more) if words]) or "nothing more"


def _bonus_said(variant: Variant, key: str) -> str:
    bonus = at(variant, f"scoring.bonuses.{key}")
    return bonus_words(bonus) if bonus else "no bonus"


def _a_set(variant: Variant, more: int = 0) -> str:
    suits = [list("CDHS")[index % 4] for index in range(variant.melds.set_size + more)]
    return f"[{' '.join(f'8{suit}' for suit in suits)}]"


def _a_run(variant: Variant) -> str:
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    size = variant.melds.run_size
    # From the 4 on, since many houses have twos or threes wild.
    first = 3 if size <= 10 else 0
    return f"[{' '.join(f'{rank}C' for rank in ranks[first : first + size])}]"


def _copies(variant: Variant) -> str:
    """Say how many cards of each rank are in play, by number of players."""
    rows = [(span(*row.players), f"{row.decks * SUITS}") for row in variant.packs]
    return "; ".join(
        f"{players}{' players' if index == 0 else ''}: {cards}"
        for index, (players, cards) in enumerate(rows)
    )


def _how_long(variant: Variant) -> str:
    if variant.deal_count is None:
        return in_words(variant, "ending.length")
    return _formed(variant.deal_count, variant.deal_word)


def _sizes(variant: Variant) -> str:
    sizes = sorted({deal.dealt for deal in variant.deals})
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"


DERIVED: dict[str, Callable[[Variant, str], str]] = {
    "name": lambda variant, _: variant.name,
    "deal_word": lambda variant, _: variant.deal_word,
    "deals": lambda variant, _: str(variant.deal_count or len(variant.deals)),
    "summary": lambda variant, _: variant.summary,
    "deck_size": lambda _variant, _: str(SUITS * len(NATURAL)),
    "copies": lambda variant, _: _copies(variant),
    "how_long": lambda variant, _: _how_long(variant),
    "sizes": lambda variant, _: _sizes(variant),
    "step": _step_name,
    "side": lambda variant, _: variant.turn.direction,
    "players": lambda variant, _: span(variant.players.min, variant.players.max),
    "usual": lambda variant, _: _usual(variant),
    "dealt": _dealt,
    "contract": _contract,
    "tasks": lambda variant, _: "; ".join(
        f"{step}: {deal.task}" for step, deal in enumerate(variant.deals, 1)
    ),
    "need": _need,
    "spare": lambda v, step: str(v.deal(_step(v, step)).dealt + 1 - int(_need(v, step))),
    "room": _room,
    "last": _last,
    "goout": _goout,
    "buys": _buys,
    "buys_needed": lambda variant, step: str(buys_needed(variant, _step(variant, step))),
    "packs": lambda variant, players: (
        pack_words(variant.pack(int(players))) if players else _pack_table(variant)
    ),
    "cards": lambda variant, players: str(variant.pack(int(players)).size),
    "values": lambda variant, _: _values(variant),
    "sum": _sum,
    "value": lambda variant, rank: str(variant.melds.values.get(rank, 0)),
    "wilds": _wilds,
    "a_set": lambda variant, _: _a_set(variant),
    "a_larger_set": lambda variant, _: _a_set(variant, more=1),
    "a_run": lambda variant, _: _a_run(variant),
    "not_down": lambda variant, _: _not_down(variant),
    "bonus": lambda v, key: str(abs(next(b.points for b in v.scoring.bonuses if b.key == key))),
    "bonus_said": _bonus_said,
    "bonuses": lambda variant, _: "; ".join(
        f"{bonus.name}: {bonus_words(bonus)}" for bonus in variant.scoring.bonuses
    ),
    "points_said": lambda variant, _: _points_said(variant),
    "scored": lambda variant, _: _scored(variant),
    "openings": lambda variant, _: _openings(variant),
    "bid_missed": lambda variant, _: _bid_missed(variant),
    "bottom": lambda variant, _: (
        f", or {signed(variant.ending.bottom)} or fewer" if variant.ending.bottom else ""
    ),
    "whole": lambda v, key: str(
        abs(next(b.full_points for b in v.scoring.bonuses if b.key == key))
    ),
    "touching": lambda _variant, _: str(CONNECTED),
}
"""What rule texts may take from the rules that is no single field."""
