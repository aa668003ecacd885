"""Everything that can happen to a game, each as a function from one record to the next.

A change that the rules forbid raises `TallyError`; what is odd but possible comes back beside the
new record as doubts, for the table to answer before anything is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from companion.cards import Pack, Refusal
from companion.rules import Variant
from companion.scoring import Finding, Standing, Tally, deal_doubts, objections
from companion.scoring.knock import with_agreed_penalty, with_penalty_redecided
from companion.scoring.played import MOST_DEALS, VoidNext
from companion.scoring.point_scores import filled_in
from companion.store.notes import clean_note

from .deal_lines import in_bounds, scored_lines
from .record import DealRecord, LineRecord, Record, SeatRecord, StartRule


class ChangeError(Refusal):
    """A change that makes no sense for this game now, in a sentence."""


class Change(Struct, frozen=True):
    """The record after a change, and what to ask the table before storing it.

    `forbidden` are the later deals, by position, that the new scores would not have allowed.
    """

    record: Record
    doubts: tuple[Finding, ...] = ()
    forbidden: tuple[tuple[int, Finding], ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether there is nothing to ask."""
        return not self.doubts and not self.forbidden


def play_deal(record: Record, tallies: Mapping[int, Tally], *, wrong_knock: bool = False) -> Change:
    """Score the next deal from the report of every player in it.

    A `wrong_knock`, over its limit, was made and gets the penalty that the table agrees on (H-21).
    Raises `TallyError` with every fault, `ChangeError` when the game is over or was stopped.
    """
    standing = record.standing()
    upcoming = standing.upcoming
    if upcoming is None:
        raise ChangeError("The game is over: there are no more deals.")
    if record.stopped:
        raise ChangeError("The game was ended early. Continue it first.")
    _refuse_more(record)
    by_seat = filled_in(record.variant, _in_seats(record, tallies, standing.playing))
    if wrong_knock:
        by_seat = with_agreed_penalty(record.variant, upcoming.step, by_seat)
    lines = scored_lines(
        record, upcoming.step, by_seat, standing.totals, standing.bags, as_played=wrong_knock
    )
    deal = DealRecord(step=upcoming.step, dealer=upcoming.dealer, lines=lines)
    doubts = deal_doubts(record.variant, deal.step, by_seat, standing.totals, record.pack)
    return Change(replace(record, deals=(*record.deals, deal)), tuple(doubts))


def amend_deal(
    record: Record, position: int, tallies: Mapping[int, Tally], *, void_later: bool = False
) -> Change:
    """Score an earlier deal again; later deals stay as the table played them (`I7`).

    `void_later` strikes out the later deals that the new scores would have forbidden instead.
    Raises `TallyError` with every fault, `ChangeError` where there is no such deal.
    """
    old = _deal_at(record, position)
    if old.void and any(d.step == old.step and not d.void for d in record.deals[position:]):
        word = record.variant.deal_word.capitalize()
        raise ChangeError(f"{word} {old.step} was cancelled and dealt again. Correct that one.")
    before = record.standing(position - 1)
    seats = tuple(old.lines) or before.playing
    by_seat = with_penalty_redecided(
        record.variant,
        old.step,
        {seat: line.tally for seat, line in old.lines.items()},
        filled_in(record.variant, _in_seats(record, tallies, seats)),
        before.totals,
    )
    lines = _lines_again(record, old, by_seat, before)
    amended = replace(record, deals=_with(record, position, replace(old, lines=lines, void=False)))
    amended = _with_bags_following(amended, position)
    raised = _newly_forbidden(record, amended)
    own_findings = [finding for at, finding in raised if at == position]
    doubts = dict.fromkeys([*_newly_doubted(record, old, by_seat, before.totals), *own_findings])
    forbidden = _later(raised, position)
    # Each deal struck out changes the totals for the next: one at a time, the first first.
    while forbidden and void_later:
        amended = void_deals(amended, [forbidden[0][0]]).record
        forbidden = _later(_newly_forbidden(record, amended), position)
    return Change(amended, tuple(doubts), forbidden)


def _later(
    findings: Iterable[tuple[int, Finding]], position: int
) -> tuple[tuple[int, Finding], ...]:
    return tuple(finding for finding in findings if finding[0] > position)


def rescore(record: Record, position: int) -> Mapping[int, LineRecord]:
    """Score a deal again as it was reported, by the rules of its game as they are read today.

    Raises `TallyError` where such reports would be refused now.
    """
    deal = _deal_at(record, position)
    by_seat = _in_seats(
        record, {s: line.tally for s, line in deal.lines.items()}, tuple(deal.lines)
    )
    return _lines_again(record, deal, by_seat, record.standing(position - 1))


def throw_in(record: Record, after_void: VoidNext) -> Change:
    """Record that the deal on the table does not count, and say what is dealt next.

    Raises `ChangeError` when no deal is on the table.
    """
    upcoming = record.standing().upcoming
    if upcoming is None or record.stopped:
        raise ChangeError("No deal is being played.")
    _refuse_more(record)
    deal = DealRecord(
        step=upcoming.step, dealer=upcoming.dealer, lines={}, void=True, after_void=after_void
    )
    return Change(replace(record, deals=(*record.deals, deal)))


def void_deals(record: Record, positions: Sequence[int]) -> Change:
    """Strike out deals already scored: they keep their number and count nothing.

    The latest deal is dealt again; an earlier one is left out, for the table has gone on since.
    """
    changed = record
    for position in positions:
        # An earlier deal can't be dealt again: the contracts after it were played since.
        after: VoidNext = "again" if position == len(record.deals) else "skip"
        deal = replace(_deal_at(record, position), lines={}, void=True, after_void=after)
        changed = replace(changed, deals=_with(changed, position, deal))
    changed = _with_bags_following(changed, min(positions, default=0))
    return Change(changed, (), _newly_forbidden(record, changed))


def join(
    record: Record, player_id: int, start_rule: StartRule, sits_after: int | None = None
) -> Change:
    """Seat a late joiner with points by the rule the table chose, on the left of a seat.

    Without one they sit after the last. Raises `ChangeError` when the player sits already, the
    table is full, the game is over, or nobody plays on the seat.
    """
    standing, position = record.standing(), len(record.deals) + 1
    if standing.over:
        raise ChangeError("The game is over: no one can join.")
    for number, seat in enumerate(record.seats):
        if seat.player_id == player_id:
            return _come_back(record, number, position)
    if is_full(record):
        raise ChangeError(record.variant.wrong_players(len(standing.playing) + 1))
    if sits_after is not None and sits_after not in standing.playing:
        raise ChangeError("Nobody sits there any more: choose another place.")
    cost = record.variant.ending.cost
    start = _start(start_rule, [standing.totals[seat] for seat in standing.playing], cost)
    rule = record.variant.ending.eliminate
    if rule and rule.takes(start):
        raise ChangeError(f"Starting with {start}, the player would be out at once.")
    newcomer = SeatRecord(
        player_id=player_id,
        start=start,
        start_rule=start_rule,
        joined=position,
        sits_after=sits_after,
    )
    pack = pack_for(record.variant, record.pack, len(standing.playing) + 1)
    joined = replace(record, seats=(*record.seats, newcomer), **vars(pack))
    if joined.standing().over:
        raise ChangeError(_too_many_rounds(joined))
    return Change(joined)


def _too_many_rounds(record: Record) -> str:
    """Say that the cards don't last for one player more."""
    players, word = len(record.standing().playing), record.variant.deal_word
    count = record.variant.deal_count
    return f"For {players} players there are {count} {word}s. Add them in the next game."


def _come_back(record: Record, number: int, position: int) -> Change:
    """Seat a player again who left before this deal, as if they had not."""
    seat = record.seats[number]
    if seat.left is None:
        raise ChangeError("This player already has a seat in this game.")
    if seat.left != position:
        raise ChangeError("This player left before the latest deals and can't come back.")
    stays = replace(seat, left=None, placed=True)
    seats = (*record.seats[:number], stays, *record.seats[number + 1 :])
    return Change(replace(record, seats=seats))


def pack_for(variant: Variant, pack: Pack, players: int) -> Pack:
    """Fetch the book's packs for another number of players; a table's own packs stay."""
    numbers = range(variant.players.min, variant.players.max + 1)
    if players not in numbers or pack not in map(variant.pack, numbers):
        return pack
    return variant.pack(players)


def check_pack(variant: Variant, pack: Pack, players: int) -> None:
    """Refuse packs too small for a deal to these players, or jokers in a game without any."""
    if not variant.has_cards:
        return
    most = max(deal.dealt for deal in variant.deals) * players + 1
    if pack.size < most:
        raise ChangeError(f"{players} players need {most} cards, these decks hold {pack.size}.")
    if pack.jokers and "joker" not in variant.melds.values:
        raise ChangeError(f"{variant.name} is played without jokers.")


def _start(rule: StartRule, totals: Sequence[int], cost: int) -> int:
    """Choose the points with which a late joiner begins, at a `cost` of each point."""
    match rule:
        case "highest":
            return max(totals)
        case "lowest":
            return min(totals)
        case "average":
            # Rounded without floats: a late joiner never starts better than the average.
            return -cost * (-cost * sum(totals) // len(totals))
        case _:
            return 0


def late_starts(record: Record) -> dict[StartRule, int]:
    """Say with how many points a player who joins now would begin, by each rule.

    The usual one, with the total of whoever is doing worst, comes first (AT-1.9). Of rules that
    give the same points only the first is listed.
    """
    standing, cost = record.standing(), record.variant.ending.cost
    totals = [standing.totals[seat] for seat in standing.playing]
    rules: tuple[StartRule, ...] = ("highest" if cost > 0 else "lowest", "average", "zero")
    starts: dict[StartRule, int] = {}
    for rule in rules if totals else ():
        points = _start(rule, totals, cost)
        if points not in starts.values():
            starts[rule] = points
    return starts


def is_full(record: Record) -> bool:
    """Return whether as many play as the game is for."""
    return len(record.standing().playing) >= record.variant.players.max


def free_chairs(record: Record) -> list[tuple[int, int]]:
    """List the places for a late joiner, as the seats to the right and to the left of each.

    There is none at a full table.
    """
    playing = record.standing().playing
    if is_full(record):
        return []
    return list(zip(playing, (*playing[1:], *playing[:1]), strict=True))


def leave(record: Record, seat: int, *, placed: bool) -> Change:
    """Let a player leave: the points so far stay, the place only if the table says so.

    Raises `ChangeError` when the player is not playing, or too few would be left.
    """
    standing = record.standing()
    if seat not in standing.playing:
        raise ChangeError("This player has left the game.")
    if len(standing.playing) <= 2:
        raise ChangeError("With one player left there's no game. End it instead.")
    gone = replace(record.seats[seat], left=len(record.deals) + 1, placed=placed)
    seats = (*record.seats[:seat], gone, *record.seats[seat + 1 :])
    return Change(replace(record, seats=seats))


def stop(record: Record, *, stopped: bool) -> Change:
    """Break the game off with the scores as they stand, or go on with it."""
    return Change(replace(record, stopped=stopped))


def describe(record: Record, played_on: date, note: str, *, counts: bool) -> Change:
    """Say when the game was played, what to remember of it, and whether the standings count it.

    Raises `NoteError` for a note that is too long.
    """
    return Change(replace(record, played_on=played_on, note=clean_note(note), counts=counts))


def choose_dealer(record: Record, seat: int) -> Change:
    """Choose who deals first.

    Raises `ChangeError` once a deal was played, or where there is no such seat.
    """
    if record.deals:
        raise ChangeError("The first deal has been played, so its dealer can't change.")
    if not 0 <= seat < len(record.seats):
        raise ChangeError("There is no such seat.")
    return Change(replace(record, first_dealer=seat))


def _in_seats(
    record: Record, tallies: Mapping[int, Tally], seats: Sequence[int]
) -> list[Tally | None]:
    """Put the reports in seat order; a seat in the deal without one has reported nothing."""
    # A form of a page that was open while somebody left.
    if strangers := tallies.keys() - set(seats):
        raise ChangeError(f"Seat {min(strangers) + 1} is not in this deal.")
    return [
        tallies.get(seat, Tally()) if seat in seats else None for seat in range(len(record.seats))
    ]


def _with_bags_following(record: Record, position: int) -> Record:
    """Score the deals after a corrected one again where its bags are carried on to them."""
    if not record.standing().bags:
        return record
    for later in range(position + 1, len(record.deals) + 1):
        deal = _deal_at(record, later)
        if not deal.void:
            lines = rescore(record, later)
            record = replace(record, deals=_with(record, later, replace(deal, lines=lines)))
    return record


def _lines_again(
    record: Record, deal: DealRecord, by_seat: Sequence[Tally | None], before: Standing
) -> dict[int, LineRecord]:
    """Score an earlier deal; one known from paper stays so until cards are entered."""
    if deal.is_on_paper and not any(tally and _has_cards(tally) for tally in by_seat):
        tallies = ((seat, tally) for seat, tally in enumerate(by_seat) if tally)
        return in_bounds(
            {s: LineRecord.on_paper(tally.adjust, tally.declared) for s, tally in tallies}
        )
    at_start = (before.totals, before.bags)
    return scored_lines(record, deal.step, by_seat, *at_start, as_played=True)


def _has_cards(tally: Tally) -> bool:
    entered = (tally.cards, tally.total, tally.hand)
    return any(one is not None for one in entered) or bool(tally.zips or tally.zipped)


def _refuse_more(record: Record) -> None:
    if len(record.deals) >= MOST_DEALS:
        raise ChangeError(f"A game has at most {MOST_DEALS:,} deals: end it, and start another.")


def _deal_at(record: Record, position: int) -> DealRecord:
    if not 1 <= position <= len(record.deals):
        raise ChangeError(f"There is no deal {position} in this game.")
    return record.deals[position - 1]


def _with(record: Record, position: int, deal: DealRecord) -> tuple[DealRecord, ...]:
    return (*record.deals[: position - 1], deal, *record.deals[position:])


def _newly_doubted(
    record: Record, old: DealRecord, by_seat: Sequence[Tally | None], totals: Sequence[int]
) -> tuple[Finding, ...]:
    """Find the doubts that a correction raises; those accepted before are not asked again."""
    played = [line.tally if (line := old.lines.get(s)) else None for s in range(len(by_seat))]
    old_doubts = deal_doubts(record.variant, old.step, played, totals, record.pack)
    doubts = deal_doubts(record.variant, old.step, by_seat, totals, record.pack)
    return tuple(doubt for doubt in doubts if doubt not in old_doubts)


def _newly_forbidden(before: Record, after: Record) -> tuple[tuple[int, Finding], ...]:
    """Find the objections that the change itself raises, not those already lived with."""
    # A knock over the limit that the table once let stand is not asked about at each correction.
    old_objections = set(_objections(before))
    return tuple(objection for objection in _objections(after) if objection not in old_objections)


def _objections(record: Record) -> list[tuple[int, Finding]]:
    seats = record.seats
    return list(objections(record.variant, seats, [deal.played for deal in record.deals]))
