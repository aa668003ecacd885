"""The deal on the table as phones entered it: how it ended, and each hand that is in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from werkzeug.datastructures import MultiDict

from companion.games.reading import StoredGame, load_game
from companion.phones.pending_deal import (
    PendingDeal,
    ReportedHand,
    ended_elsewhere,
    late_reports,
    pending_deal,
    seats_with_phones,
)
from companion.rules.contracts import contract_words
from companion.scoring import Tally, TallyError
from companion.scoring.bonuses import BID, TRICKS
from companion.scoring.cards_left import count
from companion.scoring.zip_scores import zipped_points
from companion.store.models import db
from companion.web.middleware.guard import author_in, i_may, my_league

from .deal_form import NOT_ENDED, DealForm
from .hand_form import HandForm, TypedHand

OPEN_DEALS = 6
COLOURS = {"R": "red", "B": "black"}
SIGNS = {"R": "−", "B": "+"}
ZIPPED_OR_LEFT = {"cards": "left", "total": "left", "zips": "zipped", "zipped": "zipped"}


def ending_words(game: StoredGame, how: str, by: int | None) -> str:
    """Say one way in which a deal can end, for somebody who reads it on another phone."""
    variant, name = game.record.variant, "" if by is None else game.names[by]
    win = variant.scoring.instant_win
    words = {
        "out": f"{name} {variant.closing}",
        "knock": f"{name} knocked",
        "rummy": f"{name} went rummy",
        "instant_win": f"{name} has {win.name if win else ''}",
    }
    word = "deal" if variant.has_cards else variant.deal_word
    nobody = "The stock ran out" if variant.scoring.zips else f"The {word} is over"
    return words.get(how, nobody)


def coming_deals(game: StoredGame) -> list[tuple[int, str, str]]:
    """List the deals that follow if each is scored, so that a phone knows them by itself.

    Each with its position, its name and its heading.
    """
    variant, position = game.record.variant, len(game.record.deals) + 1
    upcoming = game.record.standing().upcoming
    if upcoming is None:
        return []
    coming = []
    for step in range(upcoming.step, (variant.deal_count or upcoming.step + OPEN_DEALS) + 1):
        contract = None if variant.is_each_on_their_own else variant.deal(step).contract
        laid_down = f": {contract_words(contract)}" if contract else ""
        name = f"{variant.deal_word.capitalize()} {step}"
        coming.append((position + step - upcoming.step, name, f"{name}{laid_down}"))
    return coming


_COLOURED = re.compile(r"\b(10|[2-9AJQK])([RB])\b")


def in_one_line(report: ReportedHand) -> str:
    """Say what was entered of a hand as it was tapped or typed, cards as their keys name them."""
    hand = TypedHand()
    hand.show(report.tally, report.typed)
    if BID in report.tally.bonuses:
        bid, took = (report.tally.bonuses.get(name) for name in (BID, TRICKS))
        return f"bid {bid}" if took is None else f"bid {bid}, took {took}"
    if not report.tally.zips and report.tally.zipped is None:
        words = _COLOURED.sub(lambda card: f"{COLOURS[card[2]]} {card[1]}", hand.entered)
        return re.sub(r"\b[Xx]\b", "joker", words)
    texts = [f"{ZIPPED_OR_LEFT[name]} {text}" for name, text in hand.typed.items() if text]
    return _COLOURED.sub(lambda card: SIGNS[card[2]] + card[1], ", ".join(texts))


class PendingForm(DealForm):
    """The form of the deal on the table: `reports` are what phones entered of it.

    `phones` are those of each seat; `confirms` tells whether this league has neighbours confirm.
    """

    reports: PendingDeal
    phones: Mapping[int, Sequence[int]]
    confirms = False

    @property
    def missing(self) -> list[str]:
        """Name the players whose hands are not in, or not settled."""
        return [hand.name for hand in self.hands if hand.is_waited_for]

    @property
    def without_phone(self) -> list[str]:
        """Name those of them who have no phone to enter theirs on."""
        return [
            hand.name for hand in self.hands if hand.is_waited_for and hand.seat not in self.phones
        ]

    @property
    def is_whole(self) -> bool:
        """Whether the deal ended and every hand is in."""
        return self.reports.ended is not None and not self.missing

    @property
    def devices(self) -> list[int]:
        """The phones of all seats."""
        return [device for phones in self.phones.values() for device in phones]

    def seat_of(self, device_id: int) -> int | None:
        """Return the seat of the player whose own phone this is, if they sit here."""
        return next((seat for seat, mine in self.phones.items() if device_id in mine), None)

    def to_confirm(self, seat: int) -> HandForm | None:
        """Return the hand that this seat confirms: its right neighbour's, once it is reported."""
        at = next((at for at, hand in enumerate(self.hands) if hand.seat == seat), 0)
        # Index -1 is meant: the right neighbour of the first seat is the last.
        hand = self.hands[at - 1]
        waits = hand.is_due and hand.report and not hand.report.confirmed_by
        return hand if waits and hand.seat != seat else None


def pending_form(game: StoredGame, sent: MultiDict[str, str] | None = None) -> PendingForm:
    """Read what phones entered of the deal that the table has come to.

    `sent` is what the table typed itself, for hands that no phone entered.
    """
    position = len(game.record.deals) + 1
    reports = pending_deal(db.session(), game.league_id, game.game_id, position, game.pulse)
    agreed = {seat: report for seat in reports.reports if (report := reports.agreed(seat))}
    ending = reports.ended or NOT_ENDED
    # A bonus that only one may have is the table's to give, to a hand that a phone entered too.
    theirs = tuple(f"seat{seat}-" for seat in agreed)
    typed = sent and MultiDict(
        (name, text) for name, text in sent.items(multi=True) if not name.startswith(theirs)
    )
    form = PendingForm(game, position, typed, ending)
    form.reports, form.pulse.data = reports, str(reports.pulse)
    form.phones = seats_with_phones(db.session(), game.game_id)
    form.confirms = my_league().confirm_hands
    for hand in form.hands:
        hand.versions = reports.versions(hand.seat)
        hand.is_due = hand.is_asked and reports.ended is not None
        if hand.seat in agreed:
            form.show_report(hand, agreed[hand.seat])
            hand.points = _points(game, hand.tally)
        elif hand.seat in reports.bids:
            hand.show_bid(reports.bids[hand.seat])
    return form


def awaited_elsewhere(game: StoredGame) -> StoredGame | None:
    """Find another game whose table waits for the hand of the player whose phone asks."""
    league = my_league()
    if league.player_id is None or not i_may("player"):
        return None
    for number in ended_elsewhere(db.session(), author_in(league), game.game_id):
        other = load_game(db.session(), league.league_id, number)
        pending = pending_form(other)
        seat = pending.seat_of(league.device_id)
        if any(hand.is_waited_for for hand in pending.hands if hand.seat == seat):
            return other
    return None


def show_bids(form: DealForm) -> None:
    """Show in the form of the deal on the table what was bid before it was played."""
    game = form.game
    if game.record.variant.bids:
        deal = (game.league_id, game.game_id, form.position, game.pulse)
        told = pending_deal(db.session(), *deal).bids
        for hand in form.hands:
            if hand.seat in told:
                hand.show_bid(told[hand.seat])


def _points(game: StoredGame, tally: Tally) -> int | None:
    """Count the cards of a hand, and in Zip what was zipped less those; None without any."""
    variant = game.record.variant
    left = count(variant.melds, tally).points
    if variant.scoring.zips:
        return zipped_points(variant, tally) - left
    return left if tally.cards or tally.total is not None else None


def late_hands(game: StoredGame) -> list[DealForm]:
    """List hands that came late and would change their deal: its form, narrowed to that hand."""
    if not game.pulse:
        return []
    deals = game.record.deals
    late = [
        _late(game, report)
        for report in late_reports(db.session(), game.league_id, game.game_id, len(deals))
        if report.seat in deals[report.position - 1].lines
    ]
    return [form for form in late if form.shown[0].points is not None]


def _late(game: StoredGame, report: ReportedHand) -> DealForm:
    """Show a hand that came late, with its points where they are not those that were saved."""
    form, at = DealForm(game, report.position, only=report.seat), report.position - 1
    (hand,) = form.shown
    form.show_report(hand, report)
    with suppress(TallyError):
        amended = form.play(game.record).record.deals[at].lines[hand.seat].points
        saved = game.record.deals[at].lines[hand.seat].points
        hand.points = amended if amended != saved else None
    return form
