"""What is looked over before a deal is saved: what each hand costs, what follows, what is odd."""

from __future__ import annotations

from flask import render_template
from msgspec import Struct

from companion.games.changes import Change
from companion.games.record import Record
from companion.games.shown.outcome import outcome
from companion.melds import signed_value
from companion.rules.words import list_words
from companion.scoring.knock import OVER_LIMIT
from companion.scoring.shown_hands import Shown, shown_hands
from companion.web.frame.numerals import figure

from .deal_form import DealForm
from .hand_form import HandForm


class Doubt(Struct, frozen=True):
    """What the review asks about: in words, whose hand it is, and how a sure table answers.

    The answer is known by the `key`.
    """

    key: str
    words: str
    seat: int | None
    sure: str = ""


def review_page(form: DealForm, planned: Change, notice: str = "") -> str:
    """Show the review of a deal that is planned, with what is asked about and not yet accepted."""
    game, record = form.game, planned.record
    lines = record.deals[form.position - 1].lines
    return render_template(
        "table/review.html",
        entry=form,
        game=game,
        lines=sorted(lines.items(), key=lambda line: line[0] != form.ending.by),
        totals=record.standing(form.position).totals,
        shown=hands_of_deal(record, form.position),
        outcome=outcome(game.record.standing(), record.standing()),
        standing=record.standing(),
        doubts=open_doubts(form, planned),
        later=[
            (record.number(at), finding.in_words(game.names)) for at, finding in planned.forbidden
        ],
        notice=notice,
    )


def open_doubts(form: DealForm, planned: Change) -> list[Doubt]:
    """List what is odd and not answered yet: what the rules question, and zips left open."""
    doubts = [
        Doubt(finding.key, finding.in_words(form.game.names), next(iter(finding.seats), None))
        for finding in planned.doubts
        if not (form.wrong_knock.data and finding.code == OVER_LIMIT)
    ]
    doubts += [_open_zip(hand) for hand in form.hands if hand.open_zip]
    return [doubt for doubt in doubts if doubt.key not in form.sure.data]


def _open_zip(hand: HandForm) -> Doubt:
    cards = list_words([card.name for card in hand.open_zip])
    made = figure(sum(map(signed_value, hand.open_zip)))
    words = f"{hand.name}'s last zip is open: {cards} make {made}, not 0."
    key = f"open-zip-{hand.seat}"
    if hand.leaves_open_zip:
        return Doubt(key, f"{words} They count as left in hand.", hand.seat, "Count them as left")
    return Doubt(key, f"{words} It won't count.", hand.seat, "Leave it out")


def hands_of_deal(record: Record, position: int) -> dict[int, Shown]:
    """Lay out the whole hands of a deal."""
    deal = record.deals[position - 1]
    tallies = deal.played.tallies
    return shown_hands(
        record.variant, deal.step, [tallies.get(seat) for seat in range(len(record.seats))]
    )
