"""The form of a deal: a hand for each player, and what the table says of the deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from wtforms import BooleanField, HiddenField, SelectMultipleField

from companion.games.changes import Change, ChangeError, amend_deal, play_deal
from companion.games.reading import StoredGame
from companion.games.record import LineRecord, Record
from companion.phones.pending_deal import NOT_ENDED, EndedDeal
from companion.rules.variant import Bonus
from companion.scoring import Finding, Tally, TallyError, endings
from companion.scoring.knock import OVER_LIMIT
from companion.web.frame.forms import ChangeForm, OrdinalField, read_ordinal

from .hand_form import HandForm, Sent

Typed = Mapping[str, str]
"""Of a report the texts that its tally does not say."""


class DealForm(ChangeForm):
    """One deal as it is entered: a hand for each player, and what the table says of the deal.

    `hands` are in seat order, `only` narrows them to one seat. `step` is the button that was
    tapped, `sure` are doubts that were answered, `later` says what becomes of later deals,
    `report_revision` how much phones had entered when the deal was looked over. `late` marks a
    hand that came after its deal; with a phone's own hand come `revision_seen`, how often it had
    reported it, and `instead`, the keys of reports that this one stands for.
    """

    of_deal = OrdinalField(name="position")
    report_revision = OrdinalField(name="pulse")
    step = HiddenField()
    changing = HiddenField(name="change")
    accepted = BooleanField()
    sure: Any = SelectMultipleField(validate_choice=False, default=())
    later = HiddenField()
    late = BooleanField()
    wrong_knock = BooleanField()
    revision_seen = OrdinalField(name="told")
    instead = HiddenField(default="")

    refused_knock = ""

    def __init__(
        self,
        game: StoredGame,
        position: int,
        fields: Sent | None = None,
        ending: EndedDeal | None = None,
        only: int | None = None,
    ) -> None:
        """Build the form of a deal from what was sent, over what is stored of an earlier one.

        `ending` says how the deal ended where the form does not; `only` is the one seat whose hand
        is entered.
        """
        super().__init__(fields)
        self.game, self.position, self.is_sent = game, position, fields is not None
        stored = saved_lines(game, position)
        if only is None and fields and read_ordinal(fields.get("only", "")) in stored:
            only = read_ordinal(fields["only"])
        self.only, self.ending = only, ending or ending_in(game, position, fields)
        seats = seats_of(game, position)
        # A stored deal is scored as a whole; of a new one a phone's own hand is enough.
        self.hands = [
            HandForm(
                game,
                position,
                self.ending,
                seat,
                fields if only in (None, seat) else None,
                stored.get(seat),
            )
            for seat in (seats if only is None or stored else {only}.intersection(seats))
        ]

    def validate(self, extra_validators: Any = None) -> bool:
        """Look at every hand as well, once the form is known to be this device's."""
        if not super().validate(extra_validators):
            return False
        checked = [hand.validate() for hand in self.hands]
        return all(checked)

    @property
    def number(self) -> int:
        """The number of the deal in the course of the game."""
        return self.game.record.number(self.position)

    @property
    def is_new(self) -> bool:
        """Whether the deal is still to be saved."""
        return self.position > len(self.game.record.deals)

    @property
    def is_edited(self) -> bool:
        """Whether somebody went back from the review to a hand."""
        return self.step.data == "change" or bool(self.changing.raw_data)

    @property
    def tabs(self) -> list[HandForm]:
        """Every hand of the deal, first that of the player who ended it."""
        return sorted(self.hands, key=lambda hand: hand.seat != self.ending.by)

    @property
    def shown(self) -> list[HandForm]:
        """The hands that are asked for on this page, the one who ended the deal first."""
        if self.only is not None:
            return [hand for hand in self.hands if hand.seat == self.only]
        return [hand for hand in self.tabs if hand.is_asked]

    @property
    def modes(self) -> tuple[str, ...]:
        """How any hand of this page can be entered."""
        return max((hand.modes for hand in self.shown), key=len, default=())

    @property
    def fields(self) -> dict[str, str]:
        """Everything that was entered, as the form of the whole deal sends it."""
        fields = {"position": str(self.position), "how": self.ending.how, "asks-bonuses": "1"}
        about = {"by": self.ending.by, "only": self.only, "pulse": self.report_revision.number}
        fields |= {name: str(number) for name, number in about.items() if number is not None}
        fields |= {"wrong_knock": "1"} if self.wrong_knock.data else {}
        for hand in self.hands:
            fields |= hand.fields
        return fields

    @property
    def faults(self) -> list[tuple[str, str]]:
        """Everything that is wrong, each with the field that it is about."""
        of_deal = [("entry", words) for words in (*self["csrf_token"].errors, *self.form_errors)]
        fields = [field for hand in self.hands for field in hand.every_field]
        return of_deal + [(field.name, words) for field in fields for words in field.errors]

    def play(self, record: Record) -> Change:
        """Score the deal as it was entered, on a record of its game."""
        tallies = {hand.seat: hand.tally for hand in self.hands}
        if self.is_new:
            return play_deal(record, tallies, wrong_knock=self.wrong_knock.data)
        later = self.later.data == "void"
        return amend_deal(record, self.position, tallies, void_later=later)

    def planned(self) -> Change | None:
        """Score the deal on the game as it was loaded; None where `faults` say what is wrong."""
        if self.is_sent and not self.validate():
            return None
        try:
            return self.play(self.game.record)
        except TallyError as fault:
            for finding in fault.findings:
                self._note(finding, is_alone=len(fault.findings) == 1)
        except ChangeError as fault:
            self.form_errors.append(str(fault))
        return None

    def _note(self, finding: Finding, *, is_alone: bool) -> None:
        """Put a fault beside the hand that it is about."""
        words = finding.in_words(self.game.names)
        if finding.code == OVER_LIMIT and is_alone:
            self.refused_knock = self.game.names[finding.seats[0]]
        hands = [hand for hand in self.shown if not finding.seats or hand.seat == finding.seats[0]]
        field = hands[0].field_of(finding) if hands else None
        if field is None:
            self.form_errors.append(words)
        else:
            field.errors = [*field.errors, words]

    def show_report(self, hand: HandForm, reported: Tally, typed: Typed) -> None:
        """Show a hand as a phone entered it; of what others may have too, what stands there stays.

        Points by agreement stay too: no phone reports them.
        """
        shared = {
            bonus: hand.bonuses[bonus.key].data
            for bonus in hand.own_bonuses
            if bonus.who == "one" or (self.is_new and bonus.group)
        }
        bonuses = {**reported.bonuses, **{bonus.key: had for bonus, had in shared.items()}}
        tally = replace(reported, bonuses=bonuses)
        hand.show(tally, typed, adjust=hand.adjust.data, why=hand.why.data)
        hand.is_reported = True
        for bonus in shared if self.is_new else ():
            if times := reported.bonuses.get(bonus.key):
                self._give(hand, bonus, times)

    def _give(self, hand: HandForm, bonus: Bonus, times: int) -> None:
        """Note a bonus of a hand: one that only one may have, or its group, is nobody else's."""
        for other in self.hands if bonus.who == "one" else ():
            other.bonuses[bonus.key].process(None, None)
        for rival in hand.own_bonuses:
            if bonus.group and rival.group == bonus.group:
                hand.bonuses[rival.key].process(None, None)
        hand.bonuses[bonus.key].process(None, times)


def ending_in(game: StoredGame, position: int, fields: Sent | None) -> EndedDeal:
    """Read how a deal ended; an earlier one as it stands, where nothing else is said."""
    stored = NOT_ENDED
    for seat, line in saved_lines(game, position).items():
        if line.tally.declared:
            stored = EndedDeal(line.tally.declared, seat)
    if not fields or "how" not in fields:
        return stored
    how, by = fields["how"], read_ordinal(fields.get("by") or "")
    by = stored.by if by is None else by
    is_known = how and how in endings(game.record.variant) and by in seats_of(game, position)
    return EndedDeal(how, by) if is_known else NOT_ENDED


def seats_of(game: StoredGame, position: int) -> tuple[int, ...]:
    """Say who plays a deal; somebody of an earlier one may be out of the game by now."""
    lines = saved_lines(game, position)
    return tuple(lines) or game.record.standing(position - 1).playing


def saved_lines(game: StoredGame, position: int) -> Mapping[int, LineRecord]:
    """Return what is saved of a deal, by seat; nothing of one that was cancelled or is to come."""
    deals = game.record.deals
    return deals[position - 1].lines if 1 <= position <= len(deals) else {}
