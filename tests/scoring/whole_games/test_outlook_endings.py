"""Who can still win: never a word that a game could belie, over every ending and at random."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import NATURALS, Card, Pack, Rank, Suit
from companion.melds import RANKS
from companion.rules import Variant, card_games, extend, load
from companion.rules.variant import Bonus
from companion.scoring import PlayedDeal, SeatStay, Tally, endings, score_deal, standing_after
from companion.scoring.certainty import Outlook, outlooks
from tests.support.reports import (
    OUT,
    played,
    void,
)

from .outlooks_in_short import NO_BUYING, SHORT, before_the_last, look


def every_ending(
    variant: Variant, seats: Sequence[SeatStay], deals: list[PlayedDeal]
) -> Iterator[tuple[int, ...]]:
    """Play a game of one card each on in every way there is, deals skipped among them."""
    standing = standing_after(variant, seats, deals, 0, variant.pack(3))
    if standing.over or not standing.upcoming:
        yield standing.winners
        return
    step, playing = standing.upcoming.step, standing.playing
    if step > (variant.deal_count or 0):
        yield from ((seat,) for seat in playing)
        return
    yield from every_ending(variant, seats, [*deals, void(step, 0, "skip")])
    for out in playing:
        for costs in product((5, 10), repeat=len(playing) - 1):
            rest = iter(costs)
            worth = {s: variant.scoring.out_points if s == out else next(rest) for s in playing}
            deal = PlayedDeal(step=step, dealer=0, points=worth, tallies={out: OUT})
            yield from every_ending(variant, seats, [*deals, deal])


EXACT = [
    {},
    {"scoring": {"out_points": -10}},
    {"scoring": {"out_points": 20}, "ending": {"winner": "highest"}},
]
"""Games of which everything that is certain is said, as long as nobody leaves."""

SOUND = [
    {"scoring": {"out_points": 7}},
    {"ending": {"tiebreak": "most_deals_won"}},
    {"ending": {"tiebreak": "best_last_deal"}},
    {"ending": {"tiebreak": "extra_deal"}},
    {"ending": {"floor": 20}, "scoring": {"out_points": -10}},
    {"ending": {"floor": 20, "winner": "highest"}, "scoring": {"out_points": -10}},
    {"ending": {"eliminate": {"at": 26}}},
    {"ending": {"eliminate": {"at": 26, "all_out": "extra_deal"}}},
    {"ending": {"eliminate": {"at": 26}, "winner": "highest"}},
    {"ending": {"eliminate": {"at": 25, "op": ">"}, "tiebreak": "extra_deal"}},
]
"""Games of which nothing wrong is said."""

SCORES = st.lists(st.integers(0, 8).map(lambda fives: 5 * fives), min_size=2, max_size=3)


@settings(max_examples=50)
@given(SCORES, st.integers(1, 2), st.sampled_from([None, 0, 1]), st.sampled_from([*EXACT, *SOUND]))
def test_every_way_to_end_a_short_game_agrees(
    scores: list[int], done: int, left: int | None, changes: dict[str, Any]
) -> None:
    """What is said is right; and in plain games it is all that could be said."""
    variant = extend(SHORT, changes)
    seats = [SeatStay(left=2 if seat == left else None) for seat in range(len(scores))]
    still = [5 if seat.plays(2) else None for seat in seats]
    deals = [played(1, *scores), *([played(2, *still)] if done == 2 else [])]
    standing = standing_after(variant, seats, deals, 0, variant.pack(3))
    told = outlooks(variant, standing, deals, variant.pack(3))
    if told is None:
        assert standing.over
        return
    ends = list(every_ending(variant, seats, deals))
    for one in told:
        can = any(one.seat in winners for winners in ends)
        has = all(one.seat in winners for winners in ends)
        assert one.can_win >= can
        assert one.has_won <= has
        if changes in EXACT and left is None:
            assert (one.can_win, one.has_won) == (can, has)


def test_points_that_make_sure_and_points_that_lose_are_right_in_every_ending() -> None:
    for totals in product((0, 5, 10, 15), repeat=3):
        deals = before_the_last(SHORT, *totals)
        found = look(SHORT, deals)
        for out, costs in product(range(3), product((5, 10), repeat=2)):
            worth = [*costs[:out], 0, *costs[out:]]
            end = standing_after(
                SHORT, [SeatStay()] * 3, [*deals, played(3, *worth)], 0, SHORT.pack(3)
            )
            for one, points in zip(found, worth, strict=True):
                if one.sure_with is not None and points <= one.sure_with:
                    assert one.seat in end.winners
                if one.lost_beyond is not None and points > one.lost_beyond:
                    assert one.seat not in end.winners


HOUSES = [
    *[load(variant.key) for variant in card_games()],
    NO_BUYING,
    SHORT,
    extend(SHORT, {"ending": {"floor": 5}}),
    extend(SHORT, {"ending": {"floor": -5, "winner": "highest"}, "scoring": {"out_points": -10}}),
    extend(SHORT, {"scoring": {"out_points": -10, "not_down": {"points": 10, "double": True}}}),
    extend(SHORT, {"ending": {"eliminate": {"at": 12}}}),
    extend(SHORT, {"ending": {"eliminate": {"at": 12, "all_out": "extra_deal"}}}),
    extend(SHORT, {"ending": {"tiebreak": "extra_deal"}}),
    extend(SHORT, {"ending": {"tiebreak": "best_last_deal"}}),
    extend(
        SHORT,
        {
            "scoring": {
                "bonuses": [
                    {
                        "key": "first",
                        "name": "First",
                        "points": 5,
                        "who": "one",
                        "payer": "each_opponent",
                    }
                ]
            }
        },
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("variant", HOUSES, ids=lambda variant: variant.key)
def test_no_game_played_to_its_end_belies_what_was_said(variant: Variant) -> None:
    random = Random(variant.key)
    for _ in range(25):
        seats = random.randint(variant.players.min, min(5, variant.players.max))
        starts = [SeatStay(start=random.choice((0, 0, 0, 20, -20))) for _ in range(seats)]
        said, winners = play_on(variant, random, starts)
        for one in (outlook for told in said for outlook in told):
            assert one.can_win or one.seat not in winners
            assert not one.has_won or one.seat in winners


def play_on(
    variant: Variant, random: Random, seats: Sequence[SeatStay]
) -> tuple[list[tuple[Outlook, ...]], Sequence[int]]:
    """Play a game by chance, at most forty deals, and note what was said on the way."""
    pack, said, deals = variant.pack(len(seats)), list[tuple[Outlook, ...]](), list[PlayedDeal]()
    for _ in range(40):
        standing = standing_after(variant, seats, deals, 0, pack)
        if standing.over or not standing.upcoming:
            return said, standing.winners
        told = outlooks(variant, standing, deals, pack)
        said.append(told or ())
        step = standing.upcoming.step
        if random.random() < 0.1:
            deals.append(void(step, 0, random.choice(("again", "next_dealer", "skip"))))
            continue
        tallies = a_deal(variant, random, step, pack, standing.playing, len(seats))
        lines = score_deal(variant, step, tallies, standing.totals, as_played=True).lines
        points = {seat: line.points for seat, line in enumerate(lines) if line}
        reports = {seat: tally for seat, tally in enumerate(tallies) if tally}
        deals.append(PlayedDeal(step=step, dealer=0, points=points, tallies=reports))
    return [], ()


def a_deal(
    variant: Variant, random: Random, step: int, pack: Pack, playing: Sequence[int], seats: int
) -> list[Tally | None]:
    """Make up reports with the cards in play: short hands, whole hands, often the dearest."""
    coloured = [RANKS[name] for name in variant.melds.by_colour]
    deck = [Card(rank) for rank in NATURALS if rank not in coloured] * (4 * pack.decks)
    deck += [Card(rank, suit) for rank in coloured for suit in (Suit.RED, Suit.BLACK)] * (
        2 * pack.decks
    )
    deck += [Card(Rank.JOKER)] * pack.jokers
    random.shuffle(deck)
    if random.random() < 0.5:
        deck.sort(
            key=lambda card: variant.melds.values.get(
                "joker" if not card.rank else str(card.rank.letter), 0
            )
        )
    ends, how = random.choice(list(playing)), random.choice(endings(variant) or ("out",))
    tallies: list[Tally | None] = [None] * seats
    for seat in playing:
        size = random.choice((1, variant.deal(step).dealt, variant.deal(step).dealt))
        hand = tuple(deck.pop() for _ in range(size))
        bonuses = _bonuses(variant, random, out=seat == ends)
        if variant.scoring.entry == "payments":
            tallies[seat] = OUT if seat == ends else Tally()
        elif seat == ends:
            cards = hand if how in ("knock", "") else None
            tallies[seat] = Tally(declared=how, cards=cards, bonuses=bonuses)
        else:
            zipped = 2 * (_zipped(deck, random) // 2) if variant.scoring.zips else None
            tallies[seat] = Tally(
                cards=hand, met=random.random() < 0.5, bonuses=bonuses, zipped=zipped
            )
    return tallies


def _zipped(deck: list[Card], random: Random) -> int:
    return sum(deck.pop().rank for _ in range(random.randint(0, 8)))


def _bonuses(variant: Variant, random: Random, *, out: bool) -> dict[str, int]:
    return {
        bonus.key: 1
        for bonus in variant.scoring.bonuses
        if _may_tell(bonus, out=out) and random.random() < 0.5
    }


def _may_tell(bonus: Bonus, *, out: bool) -> bool:
    return bonus.given == "told" and out
