"""The form of a deal: one hand for each player, as it was typed and read into a `Tally`.

A hand that no page sent is shown from the tally that is stored. Field names are `seat2-cards`; a
bonus that only one player may have is named for all hands: `bonus-cut` with a seat, `group-blind`
with a bonus.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict, replace
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Form, HiddenField, SelectMultipleField
from wtforms.validators import ValidationError

from companion.cards import Hand, write_hand
from companion.games.changes import Change, ChangeError, amend_deal, play_deal
from companion.games.reading import StoredGame
from companion.games.record import LineRecord, Record
from companion.melds import is_zip
from companion.phones.pending_deal import EndedDeal, ReportedHand
from companion.rules import Variant
from companion.rules.variant import Bonus
from companion.scoring import Finding, Tally, TallyError, asks_cards, endings, knock_limit
from companion.scoring.bonuses import BID, TRICKS, reported_bonuses
from companion.scoring.knock import OVER_LIMIT, whole_hand
from companion.scoring.shown_hands import lays_off
from companion.scoring.tally import Declared
from companion.spoken import hear_hand
from companion.web.frame.forms import (
    ChangeForm,
    OrdinalField,
    ReadField,
    read_ordinal,
    whole_number,
)

Sent = MultiDict[str, str]
LONGEST_REASON = 80
NOT_ENDED = EndedDeal("", None)


def read_zips(text: str) -> tuple[Hand, ...]:
    """Read zips card by card, with `/` between them; an empty one is passed over.

    >>> [write_hand(zipped) for zipped in read_zips("6R 6B / KB 2R 3R 8R /")]
    ['6R 6B', 'KB 2R 3R 8R']

    Raises `NotationError` as `hear_hand` does.
    """
    return tuple(zipped for part in text.split("/") if (zipped := hear_hand(part)))


class TypedHand(Form):
    """What is entered of a hand."""

    cards = ReadField(hear_hand, write_hand)
    total = ReadField(whole_number)
    hand = ReadField(hear_hand, write_hand)
    zips = ReadField(read_zips, lambda zips: " / ".join(map(write_hand, zips)))
    zipped = ReadField(whole_number)
    bid = ReadField(whole_number)
    tricks = ReadField(whole_number)

    if TYPE_CHECKING:

        def __getitem__(self, name: str) -> Any:
            """Return a field of the hand, of whichever kind it is."""

    @property
    def typed(self) -> dict[str, str]:
        """What stands in each field in which this hand is entered."""
        return {name: self[name].text for name in ENTRY_FIELDS if name in self}

    @property
    def entered(self) -> str:
        """What was typed for this hand, in one line."""
        return ", ".join(text for text in self.typed.values() if text)

    def show(self, tally: Tally, typed: Mapping[str, str], **kept: Any) -> None:
        """Show a report as it was typed; what is `kept` stays."""
        self.process(data=_values(tally) | kept)
        for name in typed.keys() & self.typed.keys():
            self[name].text = typed[name]


ENTRY_FIELDS = ("cards", "total", "hand", "zips", "zipped", BID, TRICKS)


def _values(tally: Tally) -> dict[str, Any]:
    """Return what the fields of a hand show of a tally."""
    bids = {name: tally.bonuses.get(name) for name in (BID, TRICKS)}
    zipped = None if tally.zips else tally.zipped
    return asdict(tally) | bids | {"zipped": zipped, "adjust": tally.adjust or None}


class HandForm(TypedHand):
    """One player's part of a deal: it asks what follows from how the deal ended.

    `limit` are the most points with which this player could knock, `size` the cards of a whole
    hand that the judge may count while it is entered. What phones entered of it is in `versions`,
    `report` is that on which they agree or which was chosen, and `points` what its cards come to;
    `is_due` tells whether the hand is to be in by now.
    """

    met = BooleanField()
    adjust = ReadField(whole_number)
    why = ReadField(lambda text: " ".join(text.split())[:LONGEST_REASON])
    limit: int | None = None
    size = 0
    task = ""
    is_due = asks_adjust = asks_points = False
    versions: Sequence[ReportedHand] = ()
    report: ReportedHand | None = None
    points: int | None = None
    bonuses: dict[str, Any]

    def __init__(
        self,
        game: StoredGame,
        position: int,
        ending: EndedDeal,
        seat: int,
        sent: Sent | None,
        stored: LineRecord | None,
    ) -> None:
        self.seat, self.name, self.bonuses = seat, game.names[seat], {}
        super().__init__(prefix=f"seat{seat}-")
        variant, standing = game.record.variant, game.record.standing(position - 1)
        self.before = standing.totals[seat]
        declared: Any = ending.how if seat == ending.by else ""
        self.declared: Declared = declared
        for name in set(ENTRY_FIELDS) - _entry_fields(variant, ending.how, self.declared):
            del self[name]
        self.asks_met = variant.asks_who_went_down and not self.declared
        if standing.met:
            self.task = variant.deal(standing.met[seat] + 1).task
        is_new = position > len(game.record.deals)
        if self.declared == "knock" and is_new:  # an earlier one may be over its limit (I7)
            self.limit = knock_limit(variant, self.before)
        if "hand" in self and (self.declared or not lays_off(variant)):
            step = game.record.number(position)
            self.size = whole_hand(variant, step, Tally(declared=declared))
        bonuses = reported_bonuses(variant)
        self.own_bonuses = [one for one in bonuses if one.who != "out" or seat == ending.by]
        self.bonuses = {bonus.key: _bonus_field(self, bonus) for bonus in self.own_bonuses}
        self.process(sent, data=_values(stored.tally) if stored else {})

    def process(self, formdata: Any = None, *settings: Any, data: Any = None, **more: Any) -> None:
        """Read what was sent, and keep what is stored of all that the page did not ask."""
        super().process(formdata, *settings, data=data, **more)  # type: ignore[misc]
        sent, stored = formdata or {}, data or {}
        self.asks_adjust, self.asks_points = self._asks("adjust", sent), "asks-points" in sent
        kept = {"met": self._asks("met", sent), "adjust": self.asks_adjust, "why": self.asks_adjust}
        for name, is_asked in kept.items():
            if formdata is not None and not is_asked:
                self[name].process(None, stored.get(name))
        counted = stored.get("bonuses", {})
        for key, field in self.bonuses.items():
            field.process(formdata if "asks-bonuses" in sent else None, counted.get(key))
        if "cards" in self:
            self._exchange_cards_and_total()
        for field in self.every_field:
            field.process_errors = [f"{self.name}: {words}" for words in field.process_errors]

    def _asks(self, what: str, sent: Any) -> bool:
        return f"seat{self.seat}-asks-{what}" in sent

    def _exchange_cards_and_total(self) -> None:
        """Take a sum typed as cards for a total, and cards typed as a total for cards."""
        cards, total = self.cards.text, self.total.text
        is_sum = "+" in cards and not total
        if is_sum or (not cards and re.search(r"[A-Za-z]|\d\s+\d", total)):
            swapped = MultiDict({self.cards.name: total, self.total.name: cards})
            self.cards.process(swapped)
            self.total.process(swapped)

    @property
    def every_field(self) -> list[Any]:
        """The fields of this hand, those of its bonuses as well."""
        return [*self, *self.bonuses.values()]

    def validate(self, extra_validators: Any = None) -> bool:
        """Look whether everything could be read, bonuses as well."""
        bonuses = [field.validate(self) for field in self.bonuses.values()]
        return super().validate(extra_validators) and all(bonuses)

    def validate_total(self, field: ReadField) -> None:
        """Refuse cards that take points away."""
        if "cards" in self and (field.data or 0) < 0:
            raise ValidationError(f"{self.name} can't have {field.data} left.")

    def validate_adjust(self, field: ReadField) -> None:
        """Ask for the points where only a reason was given, or nothing at all."""
        if self.asks_points and not field.text and (self.why.text or not field.object_data):
            raise ValidationError("Enter how many points.")

    @property
    def faults(self) -> dict[str, str]:
        """What is wrong, by the field that it is about."""
        return {field.short_name: field.errors[0] for field in self.every_field if field.errors}

    @property
    def is_asked(self) -> bool:
        """Whether this player has anything to report."""
        return bool(self.modes)

    @property
    def is_waited_for(self) -> bool:
        """Whether this hand is missing, or entered in two ways."""
        return self.is_due and self.report is None

    @property
    def modes(self) -> tuple[str, ...]:
        """How this hand can be entered, the usual first."""
        modes = ("zips", "cards", "total", "hand", BID, TRICKS)
        return tuple(mode for mode in modes if mode in self or (mode == "total" and "zips" in self))

    @property
    def mode(self) -> str:
        """How this hand was entered, and goes on being entered."""
        texts = self.typed
        of_field = {"hand": "hand", "zips": "zips", "total": "total", "zipped": "total"}
        entered = (mode for name, mode in of_field.items() if texts.get(name))
        return next(entered, self.modes[0] if self.modes else "cards")

    @property
    def fields(self) -> dict[str, str]:
        """Everything that was entered for this hand, as its form sends it."""
        texts = [field for field in self.every_field if field is not self.met and field.text]
        sent = {field.name: field.text for field in texts}
        sent |= {f"seat{self.seat}-asks-met": "1"} | ({self.met.name: "1"} if self.met.data else {})
        return sent | ({f"seat{self.seat}-asks-adjust": "1"} if self.asks_adjust else {})

    @property
    def open_zip(self) -> Hand:
        """A last zip that does not sum to zero: it is none, and the review asks (ZZ-4.4)."""
        zips = (self.zips.data if "zips" in self else None) or ((),)
        is_entered = bool(zips[-1]) and all(card.rank and card.suit for card in zips[-1])
        return zips[-1] if is_entered and not is_zip(zips[-1]) else ()

    @property
    def read(self) -> Tally:
        """The hand as it was read, word for word."""
        read = {field.short_name: field.data for field in self if field.data is not None}
        bids = {name: read.pop(name) for name in (BID, TRICKS) if name in read}
        bonuses = {key: field.data for key, field in self.bonuses.items() if field.data}
        if not self.adjust.data:
            read["why"] = ""
        return Tally(declared=self.declared, bonuses=bonuses | bids, **read)

    @property
    def tally(self) -> Tally:
        """The hand as it counts: the cards of an open zip are left, and nothing zipped is zero."""
        read = self.read
        is_zero = "zips" in self and not read.zips and not self.zipped.text
        zips = read.zips[:-1] if self.open_zip else read.zips
        cards = (*(read.cards or ()), *self.open_zip) if self.leaves_open_zip else read.cards
        return replace(read, zips=zips, zipped=0 if is_zero else read.zipped, cards=cards)

    @property
    def leaves_open_zip(self) -> bool:
        """Whether the cards of an open zip count as left: not of who went out, nor in a total."""
        return bool(self.open_zip) and "cards" in self and self.read.total is None

    def field_of(self, finding: Finding) -> Any:
        """Return the field that a finding is about: the one in which the hand was entered."""
        if finding.field in ("adjust", "why"):
            return self[finding.field]
        texts, name = self.typed, next(iter(self.modes), "")
        if finding.field == "zips":
            name = "zips" if texts["zips"] else "zipped"
        elif "cards" in self:
            entered = (one for one in ("hand", "cards", "total") if texts.get(one))
            name = next(entered, "cards")
        return self[name] if name else None

    @property
    def reported(self) -> tuple[Tally, dict[str, str]]:
        """The hand as a phone reports it, and what was typed otherwise than it would be written."""
        tally = replace(self.read, declared="", adjust=0, why="")
        typed = {name: text for name, text in self.typed.items() if text != self[name].written}
        return tally, typed


def _entry_fields(variant: Variant, ended: Any, declared: Any) -> set[str]:
    """Name the fields in which a hand is entered."""
    asks = asks_cards(variant, ended, declared)
    zips = {"zips", "zipped"} if variant.scoring.entry == "zips" else set()
    if not asks:
        return zips
    points = variant.scoring.points
    if points:
        return {BID, TRICKS} if points.bids else {"total"}
    return zips | {"cards", "total"} | ({"hand"} if variant.scoring.entry == "unmelded" else set())


def _bonus_field(hand: HandForm, bonus: Bonus) -> Any:
    """Read how often a bonus was earned; of one that is chosen among others, whether it was."""
    field: Any = ReadField(whole_number)
    name, chosen = f"seat{hand.seat}-bonus-{bonus.key}", ""
    if bonus.group:
        name, chosen = f"group-{bonus.group}", bonus.key
    elif bonus.who == "one":
        name, chosen = f"bonus-{bonus.key}", str(hand.seat)
    if chosen:
        field = ReadField(lambda text: 1 if text == chosen else None, lambda _: chosen)
    return field.bind(hand, name)


class DealForm(ChangeForm):
    """One deal as it is entered: a hand for each player, and what the table says of the deal.

    `hands` are in seat order, `only` narrows them to one seat. `step` is the button that was
    tapped, `sure` are doubts that were answered, `later` says what becomes of later deals,
    `pulse` how much phones had entered when the deal was looked over. `late` marks a hand that
    came after its deal; with a phone's own hand come `revision_seen`, how often it had reported
    it, and `instead`, the keys of reports that this one stands for.
    """

    of_deal = OrdinalField(name="position")
    pulse = OrdinalField()
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
        sent: Sent | None = None,
        ending: EndedDeal | None = None,
        only: int | None = None,
    ) -> None:
        """Build the form of a deal from what was sent, over what is stored of an earlier one.

        `ending` says how the deal ended where the form does not; `only` is the one seat whose hand
        is entered.
        """
        super().__init__(sent)
        self.game, self.position, self.is_sent = game, position, sent is not None
        stored = saved_lines(game, position)
        if only is None and sent and read_ordinal(sent.get("only", "")) in stored:
            only = read_ordinal(sent["only"])
        self.only, self.ending = only, ending or ending_in(game, position, sent)
        seats = seats_of(game, position)
        # A stored deal is scored as a whole; of a new one a phone's own hand is enough.
        self.hands = [
            HandForm(
                game,
                position,
                self.ending,
                seat,
                sent if only in (None, seat) else None,
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
        sent = {"position": str(self.position), "how": self.ending.how, "asks-bonuses": "1"}
        about = {"by": self.ending.by, "only": self.only, "pulse": self.pulse.number}
        sent |= {name: str(number) for name, number in about.items() if number is not None}
        sent |= {"wrong_knock": "1"} if self.wrong_knock.data else {}
        for hand in self.hands:
            sent |= hand.fields
        return sent

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
        if finding.field == OVER_LIMIT and is_alone:
            self.refused_knock = self.game.names[finding.seats[0]]
        hands = [hand for hand in self.shown if not finding.seats or hand.seat == finding.seats[0]]
        field = hands[0].field_of(finding) if hands else None
        if field is None:
            self.form_errors.append(words)
        else:
            field.errors = [*field.errors, words]

    def show_report(self, hand: HandForm, report: ReportedHand) -> None:
        """Show a hand as a phone entered it; of what others may have too, what stands there stays.

        Points by agreement stay too: no phone reports them.
        """
        shared = {
            bonus: hand.bonuses[bonus.key].data
            for bonus in hand.own_bonuses
            if bonus.who == "one" or (self.is_new and bonus.group)
        }
        bonuses = {**report.tally.bonuses, **{bonus.key: had for bonus, had in shared.items()}}
        tally = replace(report.tally, bonuses=bonuses)
        hand.show(tally, report.typed, adjust=hand.adjust.data, why=hand.why.data)
        hand.report = report
        for bonus in shared if self.is_new else ():
            if times := report.tally.bonuses.get(bonus.key):
                self._give(hand, bonus, times)

    def _give(self, hand: HandForm, bonus: Bonus, times: int) -> None:
        """Note a bonus of a hand: one that only one may have, or its group, is nobody else's."""
        for other in self.hands if bonus.who == "one" else ():
            other.bonuses[bonus.key].process(None, None)
        for rival in hand.own_bonuses:
            if bonus.group and rival.group == bonus.group:
                hand.bonuses[rival.key].process(None, None)
        hand.bonuses[bonus.key].process(None, times)


def ending_in(game: StoredGame, position: int, sent: Sent | None) -> EndedDeal:
    """Read how a deal ended; an earlier one as it stands, where nothing else is said."""
    stored = NOT_ENDED
    for seat, line in saved_lines(game, position).items():
        if line.tally.declared:
            stored = EndedDeal(line.tally.declared, seat)
    if not sent or "how" not in sent:
        return stored
    how, by = sent["how"], read_ordinal(sent.get("by") or "")
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
