"""The course of a game: which deal is next, who deals, who is out, is it over, who has won.

Everything here is derived from the deals as the table played them; nothing is remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from companion.cards import Pack
from companion.rules import Variant

from .deal import bounded, eliminated_seats
from .knock import knock_over_limit
from .placing import has_met, place_seats, won_deal
from .played import NextDeal, PlayedDeal, SeatStay, Standing
from .point_scores import bags_of
from .tally import Finding


def course(variant: Variant, players: int, first_dealer: int = 0) -> Iterator[NextDeal]:
    """Yield what each deal demands if nothing unforeseen happens: without end for Chicago.

    >>> from companion.rules import find_variant
    >>> [(plan.dealt, plan.dealer) for plan in course(find_variant("zip"), 3)]
    [(7, 0), (7, 1), (7, 2), (7, 0)]
    """
    pack = variant.pack(players)
    steps = count(1) if variant.deal_count is None else range(1, variant.deal_count + 1)
    direction = 1 if variant.turn.direction == "left" else -1
    for step in steps:
        dealer = (first_dealer + direction * (step - 1)) % players
        yield plan(variant, step, dealer, tuple(range(players)), pack)


def plan(variant: Variant, step: int, dealer: int, playing: Sequence[int], pack: Pack) -> NextDeal:
    """Say what this deal demands with this dealer and these seats playing."""
    deal = variant.deal(step)
    contract = None if variant.is_each_on_their_own else deal.contract
    turns = 2 if variant.turn.first_player == "two_turns" else 1
    first = _next(variant, dealer, playing, playing)
    return NextDeal(step, deal.dealt, contract, pack, dealer, first, turns)


def standing_after(
    variant: Variant,
    seats: Sequence[SeatStay],
    deals: Sequence[PlayedDeal],
    first_dealer: int,
    pack: Pack,
    order: Sequence[int] = (),
    dealer: int | None = None,
    before: Standing | None = None,
) -> Standing:
    """Derive where a game stands from its deals: totals, who is out, what comes next, who won.

    `order` is how the seats sit now, clockwise, where they changed places, `dealer` who deals next
    where the table said so; `before` is where it stood after some of the first of these deals.
    """
    out_at: list[int | None] = list(before.out_at) if before else [None] * len(seats)
    totals = list(before.totals) if before else [seat.start for seat in seats]
    running = list(before.running) if before else []
    for position, deal in enumerate(deals[len(running) :], start=len(running) + 1):
        _add_points(variant, deal, totals)
        # A hand that wins the game ends it before anybody's total is looked at.
        if deal.won_by is None:
            _put_out(variant, seats, position, totals, out_at)
        running.append(tuple(totals))
    position, circle = len(deals) + 1, sitting_order(seats, order)
    playing = tuple(s for s in circle if out_at[s] is None and seats[s].plays(position))
    winner = next((d.won_by for d in deals if d.won_by is not None), None)
    met = contracts_met(variant, len(seats), deals)
    lasting, extra = _split_extra_deals(variant, len(seats), deals, running)
    # Extra deals only settle a tie: records and averages would else compare games of unlike length.
    regular = _add_up(variant, seats, lasting) if extra else running
    decisive = regular[-1] if regular else tuple(totals)
    places, merits = place_seats(variant, seats, deals, extra, decisive, out_at, winner, met)
    step = next_step(variant, deals)
    ended = step is None or _is_reached(variant, deals, totals, met)
    tied = tuple(seat for seat in playing if places[seat] == 1)
    if ended and variant.plays_off and len(tied) > 1:
        # An extra deal has a number of its own.
        step, ended = max(_settled(deals), default=0) + 1, False
        playing = tied if variant.ending.tiebreak == "extra_deal" else playing
    over = winner is not None or ended or _is_last(variant, playing)
    return Standing(
        totals=tuple(totals),
        running=tuple(running),
        regular=tuple(regular),
        out_at=tuple(out_at),
        circle=circle,
        playing=playing,
        places=places,
        winners=tuple(seat for seat, place in enumerate(places) if place == 1),
        over=over,
        upcoming=None
        if over or step is None or not playing
        else replace(
            plan(
                variant,
                step,
                dealer
                if dealer in playing
                else _dealer(variant, deals, first_dealer, circle, playing),
                playing,
                pack,
            ),
            steps=tuple(min(done + 1, len(variant.deals)) for done in met),
        ),
        met=met,
        bags=bags_of(variant, len(seats), deals),
        levels=tuple(
            merits[seat].level if seat in merits and _points_tell(variant, met, seat) else None
            for seat in range(len(seats))
        ),
    )


def sitting_order(seats: Sequence[SeatStay], order: Sequence[int] = ()) -> tuple[int, ...]:
    """List the seats clockwise, each late joiner on the left of whom they sat down beside.

    `order` are those who sit otherwise than they first sat down.

    >>> sitting_order([SeatStay(), SeatStay(), SeatStay(sits_after=0), SeatStay()])
    (0, 2, 1, 3)
    >>> sitting_order([SeatStay(), SeatStay(), SeatStay(), SeatStay(sits_after=2)], (2, 0, 1))
    (2, 3, 0, 1)
    """
    circle = list(order)
    for number, seat in enumerate(seats):
        if number in circle:
            continue
        after = seat.sits_after
        # Who took no chair sits where their number says, as on a paper sheet.
        circle.insert(number if after is None else circle.index(after) + 1, number)
    return tuple(circle)


def _is_last(variant: Variant, playing: Sequence[int]) -> bool:
    return len(playing) < (2 if variant.ending.winner == "last_standing" else 1)


def _is_reached(
    variant: Variant, deals: Sequence[PlayedDeal], totals: Sequence[int], met: Sequence[int]
) -> bool:
    """Return whether a score, or the last contract, has ended the game."""
    if variant.is_each_on_their_own:
        return any(done == len(variant.deals) for done in met)
    return variant.ending.is_reached(totals) and bool(deals)


def contracts_met(variant: Variant, seats: int, deals: Sequence[PlayedDeal]) -> tuple[int, ...]:
    """Count the contracts that each seat has met; none where every deal has its own contract."""
    if not variant.is_each_on_their_own:
        return ()
    done = [0] * seats
    for deal in deals:
        _add_met(variant, deal, done)
    return tuple(done)


def _add_met(variant: Variant, deal: PlayedDeal, done: list[int]) -> None:
    for seat in deal.tallies:
        if not deal.void and has_met(deal, seat):
            done[seat] = min(done[seat] + 1, len(variant.deals))


def _points_tell(variant: Variant, met: Sequence[int], seat: int) -> bool:
    """Return whether points can decide about a seat: not before it has met every contract."""
    return not met or met[seat] == len(variant.deals)


def next_step(variant: Variant, deals: Sequence[PlayedDeal]) -> int | None:
    """Find the first deal of the game that is neither scored nor skipped; None after the last."""
    if variant.deal_count is None:
        return max(_settled(deals), default=0) + 1
    return next(iter(steps_left(variant, deals)), None)


def steps_left(variant: Variant, deals: Sequence[PlayedDeal]) -> list[int]:
    """List the deals of a game with a fixed number of them that are neither scored nor skipped."""
    settled = _settled(deals)
    return [n for n in range(1, (variant.deal_count or 0) + 1) if n not in settled]


def _settled(deals: Sequence[PlayedDeal]) -> set[int]:
    return {deal.step for deal in deals if not deal.void or deal.after_void == "skip"}


def _dealer(
    variant: Variant,
    deals: Sequence[PlayedDeal],
    first_dealer: int,
    circle: Sequence[int],
    playing: Sequence[int],
) -> int:
    """Pass the deal on among those still playing, or to the winner; a void deal is dealt again."""
    if not deals:
        named = first_dealer in playing
        return first_dealer if named else _next(variant, first_dealer, circle, playing)
    last = deals[-1]
    if last.void and last.after_void == "again" and last.dealer in playing:
        return last.dealer
    won = [seat for seat in playing if won_deal(last, seat)]
    if variant.turn.next_dealer == "winner" and won and not last.void:
        return won[0]
    return _next(variant, last.dealer, circle, playing)


def _next(variant: Variant, seat: int, circle: Sequence[int], playing: Sequence[int]) -> int:
    """Find the next playing seat round the table, which may be the same if it plays alone."""
    at, direction = circle.index(seat), 1 if variant.turn.direction == "left" else -1
    chairs = (circle[(at + direction * step) % len(circle)] for step in range(1, len(circle) + 1))
    return next((other for other in chairs if other in playing), seat)


def _put_out(
    variant: Variant,
    seats: Sequence[SeatStay],
    position: int,
    totals: Sequence[int],
    out_at: list[int | None],
) -> None:
    still_in = [s for s, seat in enumerate(seats) if out_at[s] is None and seat.plays(position)]
    for seat in eliminated_seats(variant, {s: totals[s] for s in still_in}):
        out_at[seat] = position


def _split_extra_deals(
    variant: Variant, seats: int, deals: Sequence[PlayedDeal], running: Sequence[Sequence[int]]
) -> tuple[Sequence[PlayedDeal], Sequence[PlayedDeal]]:
    """Part the deals into the regular ones and those that only part tied players."""
    if variant.ending.tiebreak != "extra_deal":
        return deals, ()
    last = variant.deal_count
    if last is not None:
        return [d for d in deals if d.step <= last], [d for d in deals if d.step > last]
    ended = (
        position
        for position, totals in enumerate(running, start=1)
        if _is_reached(
            variant, deals[:position], totals, contracts_met(variant, seats, deals[:position])
        )
    )
    end = next(ended, len(deals))
    return deals[:end], deals[end:]


def _add_up(
    variant: Variant, seats: Sequence[SeatStay], deals: Sequence[PlayedDeal]
) -> list[tuple[int, ...]]:
    """Return the totals after each of these deals."""
    totals, running = [seat.start for seat in seats], []
    for deal in deals:
        _add_points(variant, deal, totals)
        running.append(tuple(totals))
    return running


def _add_points(variant: Variant, deal: PlayedDeal, totals: list[int]) -> None:
    """Add what a deal brought; a void one brings nothing."""
    for seat, points in deal.points.items():
        # Floored after each deal and not at the end: what was lost below the floor doesn't come
        # back.
        totals[seat] = totals[seat] if deal.void else bounded(variant, totals[seat] + points)


def objections(
    variant: Variant, seats: Sequence[SeatStay], deals: Sequence[PlayedDeal]
) -> Iterator[tuple[int, Finding]]:
    """Find what the scores as they now are would have forbidden in deals already played (`I7`).

    Yields the position of the deal and the finding: a knock over its limit, points for a player
    already out, a deal after the end.
    """
    for position, (deal, before) in enumerate(
        zip(deals, _found_by_each(variant, seats, deals), strict=True), start=1
    ):
        if not deal.void:
            for finding in _forbidden(variant, before, deal):
                yield position, finding


class _Found(Struct, frozen=True):
    """What a deal found at the table: the totals, who was out, who played, was the game over."""

    totals: Sequence[int]
    out: Set[int]
    playing: Sequence[int]
    over: bool


def _found_by_each(
    variant: Variant, seats: Sequence[SeatStay], deals: Sequence[PlayedDeal]
) -> Iterator[_Found]:
    """Yield what each deal found, from the totals of one standing: they never look ahead."""
    pack = Pack(1, 0)  # only who is out matters here, not the cards
    last = standing_after(variant, seats, deals, 0, pack)
    settled: set[int] = set()
    # A game without a last deal is never through with them.
    all_steps = range(1, variant.deal_count + 1) if variant.deal_count else (0,)
    met, is_won = [0] * len(seats), False
    starts = tuple(seat.start for seat in seats)
    for position, (deal, totals) in enumerate(zip(deals, (starts, *last.running), strict=False), 1):
        out = {s for s, at in enumerate(last.out_at) if at is not None and at < position}
        playing: Sequence[int] = [
            s for s, seat in enumerate(seats) if s not in out and seat.plays(position)
        ]
        earlier = deals[: position - 1]
        ended = settled.issuperset(all_steps) or _is_reached(variant, earlier, totals, met)
        over = is_won or ended or _is_last(variant, playing)
        if ended and variant.plays_off:
            # Only the places say who plays a tie off.
            tied = standing_after(variant, seats, earlier, 0, pack)
            over, playing = tied.over, tied.playing
        yield _Found(totals, out, playing, over)
        is_won = is_won or deal.won_by is not None
        settled |= _settled([deal])
        _add_met(variant, deal, met)


def _forbidden(variant: Variant, before: _Found, deal: PlayedDeal) -> Iterator[Finding]:
    if before.over:
        yield Finding("The game was over before this deal.", code="game-was-over")
        return
    for seat in sorted(deal.points.keys() | deal.tallies.keys()):
        tally = deal.tallies.get(seat)
        if seat in before.out:
            yield Finding("{0} was already out.", (seat,), code="was-out")
        elif seat not in before.playing:
            words = "{0} was not at the table for this deal."
            yield Finding(words, (seat,), code="was-not-there")
        elif tally and tally.declared == "knock":
            yield from knock_over_limit(variant, deal.step, seat, tally, before.totals[seat])
