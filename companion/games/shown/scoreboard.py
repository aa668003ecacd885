"""What the score pad shows of a game: plain values worked out once, for pages that only print."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.games.reading import StoredGame
from companion.games.record import DealRecord, LineRecord, Record, SeatRecord
from companion.rules import Variant
from companion.scoring import Standing, knock_limit

from .outcome import lead_of, sole_leader


class BoardRow(Struct, frozen=True):
    """One seat on the score pad. `last` is what the latest scored deal added, if it did.

    `state` is playing, out or left; `limit` is Chicago's knock limit (None: only rummy); `joined`
    is the number of the first deal the player sat down for, `to_go` how many points lack to the
    score that ends the game: everybody's where that wins, else of who is nearest. `bags` are those
    on the way to the next penalty, `opening` is what a first meld must count. `race` is how much of
    the way to the end lies behind, of a hundred.
    """

    seat: int
    name: str
    total: int
    place: int | None
    last: int | None
    last_position: int | None
    state: str
    limit: int | None
    deals: bool
    plays_first: bool
    leads_by: int | None
    start_rule: str
    joined: int
    to_go: int | None
    bags: int | None
    opening: int | None
    race: float


class SheetRow(Struct, frozen=True):
    """One deal on the score sheet, with the totals after it."""

    position: int
    deal: DealRecord
    totals: Sequence[int]


class Scoreboard(Struct, frozen=True):
    """A game as its table sees it; `dealer` and `first` are the people whose turn that is."""

    rows: Sequence[BoardRow]
    sheet: Sequence[SheetRow]
    standing: Standing
    winners: Sequence[str]
    dealer: str = ""
    first: str = ""

    @property
    def as_they_sit(self) -> list[BoardRow]:
        """The seats clockwise, a late joiner where they took a chair."""
        return [self.rows[seat] for seat in self.standing.circle]

    @property
    def states(self) -> tuple[str, ...]:
        """Who plays, is out or left, by seat."""
        return tuple(row.state for row in self.rows)

    @property
    def by_place(self) -> list[BoardRow]:
        """The seats in the order of their places; those outside the order last."""
        return sorted(self.rows, key=lambda row: (row.place is None, row.place or 0, row.seat))


def scoreboard(game: StoredGame) -> Scoreboard:
    """Work out everything the table page prints."""
    record, standing = game.record, game.record.standing()
    latest = max((n for n, d in enumerate(record.deals, 1) if not d.void), default=None)
    rows = [_row(game, standing, seat, name, latest) for seat, name in enumerate(game.names)]
    sheet = [
        SheetRow(position, deal, totals)
        for position, (deal, totals) in enumerate(
            zip(record.deals, standing.running, strict=True), start=1
        )
    ]
    winners, upcoming = [game.names[seat] for seat in standing.winners], standing.upcoming
    if upcoming is None:
        return Scoreboard(rows, sheet, standing, winners)
    position = len(record.deals) + 1
    dealer = game.in_turn(upcoming.dealer, position)
    first = game.in_turn(upcoming.first, position, 1)
    return Scoreboard(rows, sheet, standing, winners, dealer, first)


def _row(
    game: StoredGame, standing: Standing, seat: int, name: str, latest: int | None
) -> BoardRow:
    record, stay, upcoming = game.record, game.record.seats[seat], standing.upcoming
    variant = record.variant
    line = record.deals[latest - 1].lines.get(seat) if latest else None
    return BoardRow(
        seat=seat,
        name=name,
        total=standing.totals[seat],
        place=standing.places[seat],
        last=line.points if line else None,
        last_position=latest if line else None,
        state=_state(standing, seat, stay.left),
        limit=knock_limit(variant, standing.totals[seat]),
        deals=upcoming is not None and variant.has_dealer and upcoming.dealer == seat,
        plays_first=upcoming is not None and variant.has_starter and upcoming.first == seat,
        leads_by=lead_of(standing, seat) or None if seat == sole_leader(standing) else None,
        start_rule=stay.start_rule,
        joined=record.number(stay.joined),
        to_go=_to_go(record.variant, standing, seat),
        bags=_bags(record.variant, standing, seat),
        opening=record.variant.opening(standing.totals[seat]),
        race=_race(record.variant, standing, seat),
    )


def _race(variant: Variant, standing: Standing, seat: int) -> float:
    """Return how far a seat has come: towards the end of the game, or the highest total."""
    done, whole = standing.totals[seat], max(*standing.totals, variant.ending.target)
    if standing.met:
        done, whole = standing.met[seat], len(variant.deals)
    elif variant.ending.eliminate:
        whole = max(whole, variant.ending.eliminate.at)
    return round(100 * done / whole, 1) if done > 0 else 0


def _bags(variant: Variant, standing: Standing, seat: int) -> int | None:
    each = variant.bids.bags if variant.bids else 0
    return standing.bags[seat] % each if each and not standing.over else None


def _to_go(variant: Variant, standing: Standing, seat: int) -> int | None:
    total, target = standing.totals[seat], variant.ending.target
    if not target or standing.over or not standing.running or seat not in standing.playing:
        return None
    is_race = variant.ending.winner == "highest"
    return target - total if is_race or total == max(standing.totals) else None


def _state(standing: Standing, seat: int, left: int | None) -> str:
    if left is not None:
        return "left"
    return "out" if standing.out_at[seat] is not None else "playing"


def totals_course(game: StoredGame) -> list[list[int | None]]:
    """List everybody's total before the first deal and after each that counts, by seat.

    None for a seat that had not joined yet, was out or had left.
    """
    seats, standing = game.record.seats, game.record.standing()
    totals = [tuple(seat.start for seat in seats), *standing.running]
    return [
        [
            total if seat.joined <= position + 1 and not _is_gone(seat, out, position) else None
            for seat, out, total in zip(seats, standing.out_at, after, strict=True)
        ]
        for position, after in enumerate(totals)
        if position == 0 or _has_number(game.record.deals[position - 1])
    ]


def _has_number(deal: DealRecord) -> bool:
    """Return whether no later deal is dealt again under this one's number."""
    return not deal.void or deal.after_void == "skip"


def _is_gone(seat: SeatRecord, out_at: int | None, position: int) -> bool:
    """Return whether a seat was out or had left before the deal at this position."""
    was_out = out_at is not None and out_at < position
    return was_out or (seat.left is not None and seat.left <= position)


def running_totals(record: Record, seat: int) -> list[tuple[int, LineRecord, int]]:
    """List a seat's deals: the position, the line and the total after it."""
    standing = record.standing()
    return [
        (position, deal.lines[seat], standing.running[position - 1][seat])
        for position, deal in enumerate(record.deals, start=1)
        if seat in deal.lines
    ]
