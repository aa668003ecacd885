"""The deal on the table for whoever looks at it: whose hand is in, and whose is awaited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import and_, or_
from sqlalchemy.orm import Session

from companion.games.reading import StoredGame, load_game
from companion.rules import Variant
from companion.scoring import asks_cards
from companion.scoring.bonuses import reported_bonuses
from companion.scoring.cards_left import count
from companion.scoring.zip_scores import without_open_zip, zipped_points
from companion.store.authors import Author
from companion.store.models import HandReport

from .pending_deal import (
    NOT_ENDED,
    PendingDeal,
    ReportedHand,
    by_seat,
    ended_elsewhere,
    read_ending,
    read_reports,
    seats_with_phones,
)


class HandOnTable(Struct, frozen=True):
    """One player's hand of the deal on the table.

    What phones entered of it is in `versions`; `report` is that on which they agree or which was
    chosen, and `points` what its cards come to. `is_asked` tells whether the player has cards or
    points to enter, `is_due` whether they are to be in by now.
    """

    seat: int
    name: str
    versions: Sequence[ReportedHand]
    report: ReportedHand | None
    points: int | None
    is_asked: bool
    is_due: bool
    has_bonuses: bool

    @property
    def is_waited_for(self) -> bool:
        """Whether this hand is missing, or entered in two ways."""
        return self.is_due and self.report is None


class DealOnTable(PendingDeal, frozen=True, kw_only=True):
    """The deal that a table has come to, with its hands and the phones of each seat.

    `late` are hands of earlier deals that came after those were saved and that nobody looked at.
    `confirms` tells whether neighbours confirm a hand.
    """

    game: StoredGame
    phones: Mapping[int, Sequence[int]]
    hands: Sequence[HandOnTable]
    late: Sequence[ReportedHand]
    confirms: bool

    @property
    def missing(self) -> list[str]:
        """The players whose hands are not in, or not settled."""
        return [hand.name for hand in self.hands if hand.is_waited_for]

    @property
    def without_phone(self) -> list[str]:
        """Those of them who have no phone to enter theirs on."""
        return [
            hand.name for hand in self.hands if hand.is_waited_for and hand.seat not in self.phones
        ]

    @property
    def is_whole(self) -> bool:
        """Whether the deal ended and every hand is in."""
        return self.ended is not None and not self.missing

    @property
    def devices(self) -> list[int]:
        """The phones of all seats."""
        return [device for phones in self.phones.values() for device in phones]

    def seat_of(self, device_id: int) -> int | None:
        """Return the seat of the player whose own phone this is, if they sit here."""
        return next((seat for seat, phones in self.phones.items() if device_id in phones), None)

    def to_confirm(self, seat: int) -> HandOnTable | None:
        """Return the hand that this seat confirms: its right neighbour's, once it is reported."""
        at = next((at for at, hand in enumerate(self.hands) if hand.seat == seat), 0)
        # Index -1 is meant: the right neighbour of the first seat is the last.
        hand = self.hands[at - 1]
        waits = hand.is_due and hand.report and not hand.report.confirmed_by
        return hand if waits and hand.seat != seat else None


def deal_on_table(session: Session, game: StoredGame, *, confirms: bool = False) -> DealOnTable:
    """Read the deal that a table has come to, in two to four queries."""
    position, reports, ended = len(game.record.deals) + 1, [], None
    if game.report_revision:
        is_late = and_(HandReport.position < position, HandReport.chosen.is_(False))
        shown = or_(HandReport.position == position, is_late)
        reports = read_reports(session, game.league_id, game.game_id, shown)
    if game.report_revision and game.status == "running":
        ended = read_ending(session, game.game_id, position)
    late = [report for report in reports if report.position < position]
    pending = PendingDeal(position, game.report_revision, ended, by_seat(reports[len(late) :]))
    return DealOnTable(
        position=position,
        report_revision=game.report_revision,
        ended=ended,
        reports=pending.reports,
        game=game,
        phones=seats_with_phones(session, game.game_id),
        hands=[_hand(game, pending, seat) for seat in game.record.standing().playing],
        late=late,
        confirms=confirms,
    )


def _hand(game: StoredGame, deal: PendingDeal, seat: int) -> HandOnTable:
    variant, report = game.record.variant, deal.agreed(seat)
    ending: Any = deal.ended or NOT_ENDED
    is_ender = seat == ending.by
    has_cards = asks_cards(variant, ending.how, ending.how if is_ender else "")
    # Who went out of Zip has no cards, and tells what was zipped.
    is_asked = has_cards or variant.scoring.entry == "zips"
    return HandOnTable(
        seat=seat,
        name=game.names[seat],
        versions=deal.versions(seat),
        report=report,
        points=_points(variant, report, has_cards=has_cards) if report else None,
        is_asked=is_asked,
        is_due=is_asked and deal.ended is not None,
        has_bonuses=any(bonus.who != "out" or is_ender for bonus in reported_bonuses(variant)),
    )


def _points(variant: Variant, report: ReportedHand, *, has_cards: bool) -> int | None:
    """Count the cards of a hand, and in Zip what was zipped less those; None without any."""
    if not variant.scoring.zips:
        tally = report.tally
        has_points = has_cards and not variant.bids and (tally.cards or tally.total is not None)
        return count(variant.melds, tally).points if has_points else None
    tally = replace(report.tally, zipped=None) if report.tally.zips else report.tally
    tally = without_open_zip(tally, has_cards=has_cards)
    return zipped_points(variant, tally) - (count(variant.melds, tally).points if has_cards else 0)


def awaited_elsewhere(session: Session, author: Author, game_id: int) -> StoredGame | None:
    """Find another game whose table waits for the hand of the player whose phone asks."""
    for number in ended_elsewhere(session, author, game_id):
        pending = deal_on_table(session, load_game(session, author.league_id, number))
        seat = pending.seat_of(author.device_id)
        if any(hand.is_waited_for for hand in pending.hands if hand.seat == seat):
            return pending.game
    return None
