"""Forms: what people type, read into names, tallies and whole numbers, with faults as sentences."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from wtforms import Form, HiddenField, StringField
from wtforms.validators import ValidationError

from companion.cards import Hand, NotationError, write_hand
from companion.melds import is_zip
from companion.phones.pending_deal import ReportedHand
from companion.rules import Variant
from companion.scoring import Tally
from companion.scoring.bonuses import BID, TRICKS
from companion.scoring.tally import Declared
from companion.spoken import hear_hand
from companion.store.names import PlayerNameError, clean_name, read_names
from companion.web.middleware.security import DeviceCSRF

_SUM = re.compile(r"[+-]?[0-9]{1,5}([+-][0-9]{1,5})*")
_MINUS = str.maketrans({"−": "-", "–": "-"})
SEND_AGAIN = "Please send this again."
LONGEST_FIELD = 400
LONGEST_REASON = 80
HAND_FIELDS = ("cards", "total", "hand", "zips", "zipped", BID, TRICKS)


def place_number(text: str) -> int | None:
    """Read the number of a seat, a deal or a version; None for what cannot be one.

    >>> place_number("12"), place_number("-1"), place_number("٣"), place_number("9" * 5000)
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


class PlaceField(HiddenField):
    """The number of a seat, a deal or a version; None for what cannot be one."""

    @property
    def number(self) -> int | None:
        """The number that was sent."""
        return place_number(str(self.data or ""))


class SafeForm(Form):
    """A form that only the device it was made for can send."""

    class Meta:
        """WTForms' settings."""

        csrf = True
        csrf_class = DeviceCSRF

    def validate(self, extra_validators: Any = None) -> bool:
        """Look at the token first: of a form that another device sent, no other field is read."""
        return self["csrf_token"].validate(self) and super().validate(extra_validators)

    def sentences(self) -> list[tuple[str, str]]:
        """List every fault as the field's id and its sentence."""
        return [(name, words) for name, faults in self.errors.items() if name for words in faults]


class KeyForm(SafeForm):
    """What is stored once, however often it is sent: a submission with a key of its own."""

    key = HiddenField()

    @property
    def own_key(self) -> str:
        """The submission's key, made here if the browser sent none."""
        return str(self.key.data or "")[:64] or new_key()


class ChangeForm(KeyForm):
    """What every change of a game carries: the revision it saw and a key of its own."""

    revision = PlaceField()

    @property
    def seen(self) -> int:
        """The revision on which the change rests; one that makes no sense is stale."""
        return self.revision.number or 0


class DealForm(ChangeForm):
    """What comes with the hands of a deal: which deal it is, and what the table says of it.

    `pulse` is how much phones had entered when it was looked over, `step` the button that was
    tapped, `later` what becomes of later deals; `late` marks a hand that came after its deal.
    """

    position = PlaceField()
    pulse = PlaceField()
    step = HiddenField()
    accepted = HiddenField()
    later = HiddenField()
    late = HiddenField()


class HandForm(KeyForm):
    """What comes with one hand of a phone: how often it had told it, and what this stands for."""

    told = PlaceField()
    instead = HiddenField(default="")


class TapForm(SafeForm):
    """A tap about a deal that phones enter: how it ended, or which version of a hand is right."""

    position = PlaceField()
    device = PlaceField()
    told = PlaceField()
    how = HiddenField(default="")
    by = PlaceField()
    seen = HiddenField(default="")
    page = HiddenField(name="from")


def new_key() -> str:
    """Make the key under which one submission is stored once."""
    return secrets.token_urlsafe(12)


def whole_number(text: str) -> int:
    """Read a whole number, or a sum such as `12+11+7`.

    >>> whole_number("12 + 11 + 7"), whole_number("−5")
    (30, -5)

    Raises `ValueError` with a sentence for anything else.
    """
    plain = "".join(text.translate(_MINUS).split())
    if re.fullmatch("[+-]?[0-9]{6,}", plain):
        raise ValueError(f"{text.strip()[:20]} is too large.")
    if not _SUM.fullmatch(plain):
        raise ValueError(f'"{text.strip()[:20]}" isn\'t a number. Try 25 or 12+11+7.')
    return sum(map(int, re.findall(r"[+-]?[0-9]+", plain)))


def read_zips(text: str) -> tuple[Hand, ...]:
    """Read zips told card by card, with `/` between them; an empty one is passed over.

    >>> [write_hand(zipped) for zipped in read_zips("6R 6B / KB 2R 3R 8R /")]
    ['6R 6B', 'KB 2R 3R 8R']

    Raises `NotationError` as `hear_hand` does.
    """
    return tuple(zipped for part in text.split("/") if (zipped := hear_hand(part)))


def _without_open(zips: tuple[Hand, ...]) -> tuple[tuple[Hand, ...], Hand]:
    """Part a last zip that does not sum to zero from the others."""
    last = zips[-1] if zips else ()
    told = bool(last) and all(card.rank and card.suit for card in last)
    return (zips[:-1], last) if told and not is_zip(last) else (zips, ())


class HandEntry(Struct):
    """One player's part of a deal as it was typed: it stays as typed, faults beside it.

    `limit` are the most points with which this player could knock, `size` the cards of a whole
    hand that the judge may count while it is entered. `open_zip` is a last zip that does not sum
    to zero yet: it counts nothing, and the review asks about it.

    `versions` are what phones entered, `report` that on which they agree or which was chosen, and
    `points` what its cards come to. `is_due` tells whether the hand is to be told by now.
    """

    seat: int
    name: str
    declared: Declared = ""
    asks_cards: bool = True
    asks_zipped: bool = False
    asks_hand: bool = False
    asks_points: bool = False
    asks_bid: bool = False
    cards: str = ""
    total: str = ""
    hand: str = ""
    zips: str = ""
    zipped: str = ""
    bid: str = ""
    tricks: str = ""
    asks_met: bool = False
    task: str = ""
    met: bool = False
    bonuses: dict[str, str] = field(default_factory=dict)
    asks_adjust: bool = False
    adjust: str = ""
    why: str = ""
    limit: int | None = None
    size: int = 0
    open_zip: Hand = ()
    faults: dict[str, str] = field(default_factory=dict)
    has_phone: bool = False
    is_due: bool = False
    versions: Sequence[ReportedHand] = ()
    report: ReportedHand | None = None
    points: int | None = None

    @property
    def is_waited_for(self) -> bool:
        """Whether this hand is missing, or entered in two ways."""
        return self.is_due and self.report is None

    @property
    def is_asked(self) -> bool:
        """Whether this player has anything to report."""
        return self.asks_cards or self.asks_zipped or self.asks_points or self.asks_bid

    @property
    def typed(self) -> dict[str, str]:
        """What stands in each field of this hand."""
        return {name: getattr(self, name) for name in HAND_FIELDS}

    @property
    def is_blank(self) -> bool:
        """Whether nothing was entered for this hand: its fields are then the same for everybody."""
        return not (self.entered or self.met or self.faults)

    @property
    def entered(self) -> str:
        """What was typed for this hand, in one line."""
        return ", ".join(text for text in self.typed.values() if text)

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways in which this hand can be entered, the usual one first."""
        ways = {
            "zips": self.asks_zipped,
            "cards": self.asks_cards,
            "total": self.is_asked and not self.asks_bid,
            "hand": self.asks_hand,
            BID: self.asks_bid,
            TRICKS: self.asks_bid,
        }
        return tuple(way for way, is_asked in ways.items() if is_asked)

    @property
    def mode(self) -> str:
        """The way in which this hand was entered, and goes on being entered."""
        typed = ("hand", self.hand), ("zips", self.zips), ("total", self.total or self.zipped)
        return next((way for way, text in typed if text), self.ways[0] if self.ways else "cards")

    def take(self, sent: Mapping[str, Any]) -> None:
        """Take what was typed for this seat."""
        for name in HAND_FIELDS:
            text = str(sent.get(f"seat{self.seat}-{name}", ""))
            setattr(self, name, text[:LONGEST_FIELD].strip())
        if self._asked("met", sent):
            self.met = str(sent.get(f"seat{self.seat}-met", "")) == "1"
        self.asks_adjust = self._asked("adjust", sent)
        if self.asks_adjust:
            self.adjust = str(sent.get(f"seat{self.seat}-adjust", ""))[:LONGEST_FIELD].strip()
            self.why = " ".join(str(sent.get(f"seat{self.seat}-why", "")).split())[:LONGEST_REASON]

    def _asked(self, what: str, sent: Mapping[str, Any]) -> bool:
        """Return whether the page that was sent asked for this: what it did not ask stays."""
        return f"seat{self.seat}-asks-{what}" in sent

    def show(self, tally: Tally) -> None:
        """Show a stored report as it would be typed."""
        self.cards = write_hand(tally.cards or ())
        self.hand = write_hand(tally.hand or ())
        self.zips = " / ".join(map(write_hand, tally.zips))
        self.total = "" if tally.total is None else str(tally.total)
        self.zipped = "" if tally.zipped is None or tally.zips else str(tally.zipped)
        self.met = tally.met
        counted = {key: str(times) for key, times in tally.bonuses.items()}
        self.bid, self.tricks = counted.pop(BID, ""), counted.pop(TRICKS, "")
        self.bonuses = {key: times for key, times in counted.items() if times != "0"}
        self.adjust, self.why = str(tally.adjust) if tally.adjust else "", tally.why

    def show_report(self, report: ReportedHand) -> None:
        """Show what a phone entered as it was typed there; points by agreement stay as they are."""
        adjust, why = self.adjust, self.why
        self.show(report.tally)
        for name, text in report.typed.items():
            setattr(self, name, text)
        self.adjust, self.why, self.report = adjust, why, report

    @property
    def fields(self) -> dict[str, str]:
        """Everything that was entered for this hand but bonuses, as its form sends it."""
        entered = {name: text for name, text in self.typed.items() if text}
        entered |= {"asks-met": "1"} | ({"met": "1"} if self.met else {})
        if self.asks_adjust:
            entered |= {"asks-adjust": "1", "adjust": self.adjust, "why": self.why}
        return {f"seat{self.seat}-{name}": text for name, text in entered.items()}

    def told(self) -> tuple[Tally, dict[str, str]]:
        """Read what a phone tells of this hand, and what `show_report` needs beside it."""
        read = self.tally()
        zips = (*read.zips, self.open_zip) if self.open_zip else read.zips
        zipped = read.zipped if self.zipped else None
        told = replace(read, declared="", zips=zips, zipped=zipped, adjust=0, why="")
        again = HandEntry(self.seat, self.name)
        again.show(told)
        return told, {n: text for n, text in self.typed.items() if text != again.typed[n]}

    def tally(self) -> Tally:
        """Read what was typed; what cannot be read is noted in `faults`."""
        if self.asks_points:
            pass  # letters are no cards here
        elif "+" in self.cards and not self.total:
            self.total, self.cards = self.cards, ""
        elif self.total and not self.cards and re.search(r"[A-Za-z]|\d\s+\d", self.total):
            self.total, self.cards = "", self.total
        cards = self._read("cards", self.cards, hear_hand) if self.asks_cards else None
        asks_total = self.asks_cards or self.asks_points
        total = self._read("total", self.total, whole_number) if asks_total else None
        hand = self._read("hand", self.hand, hear_hand) if self.asks_hand else None
        zips = self._read("zips", self.zips, read_zips) if self.asks_zipped else None
        zips, self.open_zip = _without_open(zips or ())
        zipped = self._read("zipped", self.zipped, whole_number) if self.asks_zipped else None
        if self.asks_zipped and not zips and not self.zipped:
            zipped = 0
        if self.asks_cards and total is not None and total < 0:
            self.faults["total"] = f"{self.name} can't have {total} left."
        adjust = self._read("adjust", self.adjust, whole_number)
        bonuses = {
            key: self._read(f"bonus-{key}", times, whole_number)
            for key, times in self.bonuses.items()
        }
        bids = {name: self._read(name, getattr(self, name), whole_number) for name in (BID, TRICKS)}
        return Tally(
            declared=self.declared,
            cards=cards,
            total=total,
            hand=hand,
            zips=zips,
            zipped=zipped,
            met=self.met,
            bonuses={key: times for key, times in bonuses.items() if times}
            | {name: number for name, number in bids.items() if number is not None},
            adjust=adjust or 0,
            why=self.why if adjust else "",
        )

    def _read(self, name: str, text: str, read: Any) -> Any:
        if not text:
            return None
        try:
            return read(text)
        except (NotationError, ValueError) as fault:
            self.faults[name] = f"{self.name}: {fault}"
            return None


class NamesField(StringField):
    """A comma list of names in seat order."""

    def names(self) -> list[str]:
        """Return the names; empty where the field is."""
        return read_names(self.data or "")


class NewGameForm(SafeForm):
    """Who plays, in seat order, and with which rules and cards."""

    names = NamesField("Players in seat order")
    league_name = StringField("Family or club")
    dealer = StringField("First dealer")
    decks = StringField("Decks")
    jokers = StringField("Jokers")
    key = HiddenField()

    def __init__(self, variant: Variant, formdata: Any = None, **kwargs: Any) -> None:
        super().__init__(formdata, **kwargs)
        self.variant = variant

    def validate_names(self, names_field: NamesField) -> None:
        """Ask for as many different names as the game has seats."""
        try:
            names = names_field.names()
        except PlayerNameError as fault:
            raise ValidationError(str(fault)) from None
        if not names:
            raise ValidationError("Enter the players' names, with commas between them.")
        low, high = self.variant.players.min, self.variant.players.max
        if not low <= len(names) <= high:
            raise ValidationError(self.variant.wrong_players(len(names)))

    def validate_league_name(self, name_field: StringField) -> None:
        """Take any name people can read."""
        if name_field.data:
            try:
                clean_name(name_field.data)
            except PlayerNameError as fault:
                raise ValidationError(str(fault)) from None

    def validate_decks(self, number_field: StringField) -> None:
        """Take a number of decks that a table can hold."""
        if number_field.data:
            _in_range(number_field.data, 1, 12, "decks")

    def validate_jokers(self, number_field: StringField) -> None:
        """Take a number of jokers that the decks can hold."""
        if number_field.data:
            _in_range(number_field.data, 0, 48, "jokers")


def _in_range(text: str, low: int, high: int, what: str) -> int:
    try:
        number = whole_number(text)
    except ValueError as fault:
        raise ValidationError(str(fault)) from None
    if not low <= number <= high:
        raise ValidationError(f"{number} {what} cannot be: {low} to {high}.")
    return number
