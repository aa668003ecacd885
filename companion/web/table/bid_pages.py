"""Bids before a deal is played: stored when they are entered, changed until it is scored."""

from __future__ import annotations

from flask import Blueprint, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue as Page

from companion.cards import Refusal
from companion.games.reading import StoredGame
from companion.phones.hand_reports import TooEarlyError, report_bids
from companion.scoring.bonuses import BID, TRICKS
from companion.scoring.point_scores import bid_fault, point_rules
from companion.web.frame.forms import see_other
from companion.web.middleware.fault_pages import asks_for_data
from companion.web.middleware.guard import my_game, needs

from .deal_form import DealForm
from .hand_form import HandForm, Sent
from .pending_deal_form import show_bids

blueprint = Blueprint("bids", __name__, url_prefix="/games/<int:game_id>/bids")


class BidForm(DealForm):
    """What each player bids, whoever deals bidding last; bids told before stand in it."""

    def __init__(self, game: StoredGame, fields: Sent | None = None) -> None:
        super().__init__(game, len(game.record.deals) + 1, fields and _joined(game, fields))
        upcoming = game.record.standing().upcoming
        if upcoming is None or TRICKS not in self.hands[0]:
            abort(404)
        self.dealt, first = upcoming.dealt, upcoming.first
        order = [hand.seat for hand in self.hands]
        at = order.index(first) if first in order else 0
        self.hands = [*self.hands[at:], *self.hands[:at]]
        for hand in self.hands:
            del hand[TRICKS]
        if fields is None:
            show_bids(self)

    @property
    def rows(self) -> list[tuple[HandForm, str, str, str]]:
        """Who bids, in turn: the hand, the name, the field and what stands in it."""
        people = max(len(self.game.sides[hand.seat]) for hand in self.hands)
        rows = []
        for turn in range(people * len(self.hands)):
            hand = self.hands[turn % len(self.hands)]
            side, field = self.game.sides[hand.seat], f"seat{hand.seat}-bid"
            name = self.game.in_turn(hand.seat, self.position, 1 + turn)
            if hand.is_pair:
                at = side.index(name)
                parts = hand[BID].text.split("+")
                part = parts[at] if len(parts) == 2 else ""
                rows.append((hand, name, f"{field}-1" if at else field, part))
            elif turn < len(self.hands):
                rows.append((hand, hand.name, field, hand[BID].text))
        return rows

    @property
    def bids(self) -> dict[int, tuple[int, ...]]:
        """What was bid, by seat."""
        read = {hand.seat: hand[BID].data for hand in self.hands}
        return {seat: bid for seat, bid in read.items() if bid is not None}

    def is_taken(self) -> bool:
        """Look whether the bids can be kept; `faults` say why they can't."""
        if not self.validate():
            return False
        for hand in self.hands:
            if min(hand[BID].data or (0,)) < 0:
                hand[BID].errors = [f"{hand.name} can't bid less than 0."]
        rules = point_rules(self.game.record.variant).bids
        order = [hand.seat for hand in self.hands]
        bids = {seat: sum(parts) for seat, parts in self.bids.items()}
        if rules and (fault := bid_fault(rules, self.dealt, order, bids)):
            self.hands[-1][BID].errors = [fault.in_words(self.game.names)]
        if not self.bids:
            self.form_errors.append("Enter what each player bids.")
        return not self.faults


def _joined(game: StoredGame, fields: Sent) -> Sent:
    """Read the bids of two partners as the bid of their side."""
    joined = fields.copy()
    for seat in range(len(game.sides)):
        field = f"seat{seat}-bid"
        parts = [fields.get(name, "").strip() for name in (field, f"{field}-1") if name in fields]
        joined[field] = "+".join(parts) if any(parts) else ""
    return joined


@blueprint.get("")
@needs("scorekeeper")
def show(game_id: int) -> Page:
    """Ask what each player bids."""
    game, _ = my_game(game_id)
    return _page(BidForm(game))


@blueprint.post("")
@needs("scorekeeper")
def keep(game_id: int) -> Page:
    """Keep the bids: every page of the game shows them from now on."""
    game, author = my_game(game_id)
    form, early = BidForm(game, request.form), False
    position = form.of_deal.number or form.position
    if form.is_taken():
        try:
            report_bids(author, game_id, position, form.own_key, form.bids)
            return (
                jsonify(taken=True) if asks_for_data() else see_other("table.show", game_id=game_id)
            )
        except Refusal as fault:
            form.form_errors.append(str(fault))
            early = isinstance(fault, TooEarlyError)
    if asks_for_data():
        words = " ".join(words for _, words in form.faults)
        return jsonify(taken=False, words=words, early=early), 409
    return _page(form), 422


def _page(form: BidForm) -> str:
    return render_template("table/bids.html", entry=form, game=form.game)
