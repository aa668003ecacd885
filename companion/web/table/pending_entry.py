"""The hands that phones entered of a deal, as pages show them and as the review reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from companion.games.changes import amend_deal
from companion.games.reading import StoredGame
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

from .deal_entry import DealEntry, late_entry, new_entry, show_report

OPEN_DEALS = 6


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


def in_one_line(report: ReportedHand) -> str:
    """Say what was entered of a hand as it was tapped or typed, a joker by its name."""
    hand = HandEntry(report.seat, report.who)
    hand.show_report(report)
    return re.sub(r"\b[Xx]\b", "joker", hand.entered)


def pending_entry(game: StoredGame, typed: Mapping[str, Any] | None = None) -> DealEntry:
    """Read what phones entered of the deal that the table has come to.

    `typed` is what the table typed itself, for hands that no phone entered.
    """
    position = len(game.record.deals) + 1
    told = pending_deal(db.session(), game.league_id, game.game_id, position, game.pulse)
    entry = new_entry(game, position, _untold(typed or {}, told) | ending_fields(told.ended))
    entry.told, entry.pulse = told, told.pulse
    entry.phones = seats_with_phones(db.session(), game.game_id)
    entry.confirms = my_league().confirm_hands
    for hand in entry.hands:
        hand.has_phone, hand.versions = hand.seat in entry.phones, told.reports.get(hand.seat, ())
        hand.is_due = hand.is_asked and told.ended is not None
        if report := told.agreed(hand.seat):
            show_report(entry, hand, report)
            hand.points = _points(game, hand.tally())
    return entry


def _untold(typed: Mapping[str, Any], told: PendingDeal) -> dict[str, Any]:
    agreed = tuple(f"seat{seat}-" for seat in told.reports if told.agreed(seat))
    return {
        name: text
        for name, text in typed.items()
        if name.startswith(("seat", "bonus-", "group-", "asks-")) and not name.startswith(agreed)
    }


def ending_fields(ended: EndedDeal | None) -> dict[str, str]:
    """Write how a deal ended as a form sends it."""
    if ended is None:
        return {"how": "", "by": ""}
    return {"how": ended.how, "by": "" if ended.by is None else str(ended.by)}


def _points(game: StoredGame, tally: Tally) -> int | None:
    """Count the cards of a hand, where its points are their sum."""
    if not tally.cards and tally.total is None:
        return None
    return count(game.record.variant.melds, tally).points


def own_bonuses(entry: DealEntry, seat: int) -> list[Bonus]:
    """List the bonuses that a player tells of their own hand."""
    bonuses = asked_bonuses(entry.game.record.variant)
    return [bonus for bonus in bonuses if bonus.who in ("each", "one") or seat == entry.by]


def late_hands(game: StoredGame) -> list[DealEntry]:
    """List hands that came late and would change their deal: its entry, narrowed to that hand."""
    if not game.pulse:
        return []
    deals = game.record.deals
    late = [
        _late(game, position, report)
        for position, report in late_reports(db.session(), game.league_id, game.game_id, len(deals))
        if report.seat in deals[position - 1].lines
    ]
    return [entry for entry in late if entry.shown[0].points is not None]


def _late(game: StoredGame, position: int, report: ReportedHand) -> DealEntry:
    """Show a hand that came late, with its points where they are not those that were saved."""
    entry, lines = late_entry(game, position, report), game.record.deals[position - 1].lines
    (hand,) = entry.shown
    tallies = {seat: line.tally for seat, line in lines.items()} | {hand.seat: hand.tally()}
    with suppress(TallyError):
        amended = amend_deal(game.record, position, tallies).record.deals[position - 1]
        points = amended.lines[hand.seat].points
        hand.points = points if points != lines[hand.seat].points else None
    return entry
