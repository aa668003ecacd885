"""The hands that phones entered of a deal, as pages show them and as the review reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from companion.games.changes import amend_deal
from companion.games.reading import StoredGame
from companion.melds import MeldRules
from companion.phones.pending_deal import (
    EndedDeal,
    PendingDeal,
    ReportedHand,
    late_reports,
    pending_deal,
    seats_with_phones,
)
from companion.rules.contracts import contract_words
from companion.rules.variant import Bonus, Variant
from companion.scoring import Tally, TallyError
from companion.scoring.bonuses import asked_bonuses
from companion.scoring.cards_left import count
from companion.store.models import db
from companion.web.frame.forms import HandEntry
from companion.web.middleware.guard import my_league

from .deal_entry import DealEntry, as_sent, as_told, late_entry, new_entry

OPEN_DEALS = 6


class HandState(Struct, frozen=True):
    """One hand of the deal on the table: who entered it, and who is waited for.

    `has_phone` tells whether the player has a phone at this table; `is_asked` whether there is
    anything to tell of this hand; `points` what its cards come to, where that is their sum.
    """

    seat: int
    name: str
    is_asked: bool
    has_phone: bool
    report: ReportedHand | None
    versions: tuple[ReportedHand, ...]
    tally: Tally | None = None
    points: int | None = None

    @property
    def is_waited_for(self) -> bool:
        """Whether this hand is missing, or entered in two ways."""
        return self.is_asked and self.report is None

    @property
    def is_cards_left(self) -> bool:
        """Whether it is told by the cards left and nothing else, so that they can be drawn."""
        tally = self.tally
        return bool(tally and tally.cards and not tally.zips and tally.zipped is None)

    @property
    def cards(self) -> str:
        """What was entered, in one line."""
        return in_one_line(self.report) if self.report else ""


class PendingEntry(Struct, frozen=True, dict=True):
    """The deal on the table as the phones entered it so far.

    `phones` are those of each seat; `confirms` tells whether this league has neighbours confirm.
    `typed` is what the table typed itself, for hands that no phone entered.
    """

    game: StoredGame
    pending_deal: PendingDeal
    phones: Mapping[int, list[int]]
    confirms: bool
    typed: Mapping[str, Any]

    @cached_property
    def entry(self) -> DealEntry:
        """What phones and the table entered, as if one form had sent it."""
        sent = _untold(self.typed, self.pending_deal) | _told(self.game, self.pending_deal)
        return new_entry(self.game, self.pending_deal.position, sent)

    @cached_property
    def hands(self) -> list[HandState]:
        """Every hand of the deal, as far as it was entered."""
        deal = self.pending_deal
        rules = self.game.record.variant.melds
        return [_state(hand, deal, hand.seat in self.phones, rules) for hand in self.entry.hands]

    @property
    def missing(self) -> list[str]:
        """Name the players whose hands are not in, or not settled."""
        return [hand.name for hand in self.hands if hand.is_waited_for]

    @property
    def without_phone(self) -> list[str]:
        """Name those of them who have no phone to enter theirs on."""
        return [hand.name for hand in self.hands if hand.is_waited_for and not hand.has_phone]

    @property
    def is_whole(self) -> bool:
        """Whether the deal ended and every hand is in."""
        return self.pending_deal.ended is not None and not self.missing

    @property
    def devices(self) -> list[int]:
        """The phones of all seats."""
        return [device for phones in self.phones.values() for device in phones]

    def seat_of(self, device_id: int) -> int | None:
        """Return the seat of the player whose own phone this is, if they sit here."""
        return next((seat for seat, mine in self.phones.items() if device_id in mine), None)

    def to_confirm(self, seat: int) -> HandState | None:
        """Return the hand that this seat confirms: its right neighbour's, once it is reported."""
        place = next((n for n, hand in enumerate(self.hands) if hand.seat == seat), 0)
        hand = self.hands[place - 1]
        waits = hand.is_asked and hand.report and not hand.report.confirmed_by
        return hand if waits and hand.seat != seat else None


def how_it_ended(game: StoredGame, ended: EndedDeal) -> str:
    """Say how a deal ended, for somebody who reads it on another phone."""
    return ending_words(game, ended.how, ended.by)


def ending_words(game: StoredGame, how: str, by: int | None) -> str:
    """Say one way in which a deal can end."""
    name = "" if by is None else game.names[by]
    win = game.record.variant.scoring.instant_win
    words = {
        "out": f"{name} went out",
        "knock": f"{name} knocked",
        "rummy": f"{name} went rummy",
        "instant_win": f"{name} has {win.name if win else ''}",
    }
    variant = game.record.variant
    word = variant.deal_word if not variant.has_cards else "deal"
    nobody = "The stock ran out" if variant.scoring.zips else f"The {word} is over"
    return words.get(how, nobody)


class ComingDeal(Struct, frozen=True):
    """A deal that may be played before a phone is back: its place in the game and its contract."""

    position: int
    name: str
    contract: str

    @property
    def words(self) -> str:
        """The deal as a heading names it, with what is to be laid down."""
        return f"{self.name}: {self.contract}" if self.contract else self.name


def coming_deals(game: StoredGame) -> list[ComingDeal]:
    """List the deals that follow if each is scored, so that a phone knows them by itself."""
    variant, position = game.record.variant, len(game.record.deals) + 1
    upcoming = game.record.standing().upcoming
    if upcoming is None:
        return []
    steps = range(upcoming.step, (variant.deal_count or upcoming.step + OPEN_DEALS) + 1)
    return [
        ComingDeal(place, f"{variant.deal_word.capitalize()} {step}", _contract(variant, step))
        for place, step in enumerate(steps, start=position)
    ]


def _contract(variant: Variant, step: int) -> str:
    contract = None if variant.is_each_on_their_own else variant.deal(step).contract
    return contract_words(contract) if contract else ""


class LateHand(Struct, frozen=True):
    """A hand that came after its deal was saved and says something else."""

    position: int
    seat: int
    name: str
    who: str
    entered: str
    sent: Mapping[str, str]
    points: int
    saved: int


def in_one_line(report: ReportedHand) -> str:
    """Say what was entered of a hand as it was tapped or typed, a joker by its name."""
    return re.sub(r"\b[Xx]\b", "joker", as_told(report).entered)


def pending_entry(game: StoredGame, typed: Mapping[str, Any] | None = None) -> PendingEntry:
    """Read what phones entered of the deal that the table has come to."""
    position = len(game.record.deals) + 1
    reported = pending_deal(db.session(), game.league_id, game.game_id, position, game.pulse)
    phones = seats_with_phones(db.session(), game.game_id)
    return PendingEntry(game, reported, phones, my_league().confirm_hands, typed or {})


def _untold(typed: Mapping[str, Any], gathered: PendingDeal) -> dict[str, Any]:
    agreed = tuple(f"seat{seat}-" for seat in gathered.reports if gathered.agreed(seat))
    return {
        name: text
        for name, text in typed.items()
        if name.startswith(("seat", "bonus-", "group-", "asks-")) and not name.startswith(agreed)
    }


def _state(hand: HandEntry, gathered: PendingDeal, has_phone: bool, rules: MeldRules) -> HandState:
    versions = tuple(gathered.reports.get(hand.seat, ()))
    asked = hand.is_asked and gathered.ended is not None
    report = gathered.agreed(hand.seat)
    tally = hand.tally() if report else None
    total = (
        count(rules, tally).points if tally and (tally.cards or tally.total is not None) else None
    )
    return HandState(hand.seat, hand.name, asked, has_phone, report, versions, tally, total)


def _told(game: StoredGame, gathered: PendingDeal) -> dict[str, str]:
    """Write what was entered as the form of the whole deal would send it."""
    ended = gathered.ended
    sent = {"how": ended.how if ended else ""}
    sent |= {"by": "" if ended is None or ended.by is None else str(ended.by)}
    sent |= {"pulse": str(gathered.pulse)}
    for seat in gathered.reports:
        if report := gathered.agreed(seat):
            told = as_sent(game.record.variant, report)
            sent |= _own_part(told, ended is not None and ended.by == seat)
    return sent


def _own_part(entered: dict[str, str], went_out: bool) -> dict[str, str]:
    """Leave out how the deal was won where somebody else tells it than who won it."""
    return {n: text for n, text in entered.items() if went_out or not n.startswith("group-")}


def own_bonuses(entry: DealEntry, seat: int) -> list[Bonus]:
    """List the bonuses that a player tells of their own hand."""
    bonuses = asked_bonuses(entry.game.record.variant)
    return [bonus for bonus in bonuses if bonus.who in ("each", "one") or seat == entry.by]


def late_hands(game: StoredGame) -> list[LateHand]:
    """List hands that came late and would change their deal."""
    if not game.pulse:
        return []
    deals = game.record.deals
    reports = late_reports(db.session(), game.league_id, game.game_id, len(deals))
    late = [
        _late(game, position, report)
        for position, report in reports
        if report.seat in deals[position - 1].lines
    ]
    return [hand for hand in late if hand and hand.points != hand.saved]


def _late(game: StoredGame, position: int, report: ReportedHand) -> LateHand | None:
    deal = game.record.deals[position - 1]
    line = deal.lines[report.seat]
    tallies = {seat: one.tally for seat, one in deal.lines.items()}
    sent = as_sent(game.record.variant, report)
    (hand,) = late_entry(game, position, report.seat, sent).shown
    try:
        amended = amend_deal(game.record, position, tallies | {report.seat: hand.tally()})
    except TallyError:
        points = line.points
    else:
        points = amended.record.deals[position - 1].lines[report.seat].points
    return LateHand(
        position,
        report.seat,
        hand.name,
        report.who,
        in_one_line(report),
        sent,
        points,
        line.points,
    )
