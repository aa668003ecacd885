"""The form of one hand, as it was typed and read into a `Tally`.

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
from wtforms import BooleanField, Form
from wtforms.validators import ValidationError

from companion.cards import Hand, write_hand
from companion.games.reading import StoredGame
from companion.games.record import LineRecord
from companion.phones.pending_deal import EndedDeal
from companion.rules import Variant
from companion.rules.variant import Bonus
from companion.scoring import Finding, Tally, asks_cards, knock_limit
from companion.scoring.bonuses import BID, TRICKS, bid_parts, reported_bonuses, told_bid
from companion.scoring.knock import whole_hand
from companion.scoring.point_scores import counts_as_entered
from companion.scoring.shown_hands import lays_off
from companion.scoring.tally import Declared
from companion.scoring.zip_scores import open_zip, without_open_zip
from companion.spoken import hear_hand
from companion.web.frame.forms import ReadField, whole_number

Sent = MultiDict[str, str]
LONGEST_REASON = 80


def read_zips(text: str) -> tuple[Hand, ...]:
    """Read zips card by card, with `/` between them; an empty one is passed over.

    >>> [write_hand(zipped) for zipped in read_zips("6R 6B / KB 2R 3R 8R /")]
    ['6R 6B', 'KB 2R 3R 8R']

    Raises `NotationError` as `hear_hand` does.
    """
    return tuple(zipped for part in text.split("/") if (zipped := hear_hand(part)))


def read_bid(text: str) -> tuple[int, ...]:
    """Read what a player bids, or each of two partners: `4+2`.

    Raises `ValueError` with a sentence for anything else.
    """
    parts = text.split("+")
    if not all(parts):
        raise ValueError("enter both bids, 0 for nil.")
    return tuple(map(whole_number, parts))


class TypedHand(Form):
    """What is entered of a hand."""

    cards = ReadField(hear_hand, write_hand)
    total = ReadField(whole_number)
    hand = ReadField(hear_hand, write_hand)
    zips = ReadField(read_zips, lambda zips: " / ".join(map(write_hand, zips)))
    zipped = ReadField(whole_number)
    bid = ReadField(read_bid, lambda parts: "+".join(map(str, parts)))
    tricks = ReadField(whole_number)

    if TYPE_CHECKING:

        def __getitem__(self, name: str) -> Any:
            """Return a field of the hand, of whichever kind it is."""

    @property
    def typed(self) -> dict[str, str]:
        """The text of each field of `ENTRY_FIELDS` that this hand has, by the field's name."""
        return {name: self[name].text for name in ENTRY_FIELDS if name in self}

    @property
    def entered(self) -> str:
        """What was typed for this hand, in one line."""
        return ", ".join(text for text in self.typed.values() if text)

    def show(self, tally: Tally, typed: Mapping[str, str], **other_values: Any) -> None:
        """Show a report as it was typed; what is `kept` stays."""
        self.process(data=_values(tally) | other_values)
        for name in typed.keys() & self.typed.keys():
            self[name].text = typed[name]

    def show_bid(self, bid: Sequence[int]) -> None:
        """Show what was bid before the deal was played, where nothing else was typed."""
        if BID in self and not self[BID].text:
            self[BID].process_data(bid)


ENTRY_FIELDS = ("cards", "total", "hand", "zips", "zipped", BID, TRICKS)


def _values(tally: Tally) -> dict[str, Any]:
    """Return what the fields of a hand show of a tally."""
    bids = {BID: bid_parts(tally.bonuses) or None, TRICKS: tally.bonuses.get(TRICKS)}
    zipped = None if tally.zips else tally.zipped
    return asdict(tally) | bids | {"zipped": zipped, "adjust": tally.adjust or None}


class HandForm(TypedHand):
    """One player's part of a deal: it asks what follows from how the deal ended.

    `limit` are the most points with which this player could knock, `size` the cards of a whole
    hand that the judge may count while it is entered; `is_reported` tells that the form
    shows a hand as a phone entered it.
    """

    met = BooleanField()
    adjust = ReadField(whole_number)
    why = ReadField(lambda text: " ".join(text.split())[:LONGEST_REASON])
    limit: int | None = None
    size = 0
    task = ""
    asks_adjust = asks_points = is_reported = False
    bonuses: dict[str, Any]

    def __init__(
        self,
        game: StoredGame,
        position: int,
        ending: EndedDeal,
        seat: int,
        fields: Sent | None,
        stored: LineRecord | None,
    ) -> None:
        self.seat, self.name, self.bonuses = seat, game.names[seat], {}
        self.is_pair = len(game.sides[seat]) == 2
        super().__init__(prefix=f"seat{seat}-")
        variant, standing = game.record.variant, game.record.standing(position - 1)
        self.variant = variant
        self.before = standing.totals[seat]
        declared: Any = ending.how if seat == ending.by else ""
        self.declared: Declared = declared
        for name in set(ENTRY_FIELDS) - _entry_fields(variant, ending.how, self.declared):
            del self[name]
        if variant.scoring.entry == "worth":
            self.total.name = "worth"  # of the deal, and so of every hand
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
        self.own_bonuses = [bonus for bonus in bonuses if bonus.who != "out" or seat == ending.by]
        self.bonuses = {bonus.key: _bonus_field(self, bonus) for bonus in self.own_bonuses}
        self.process(fields, data=_values(stored.tally) if stored else {})

    def process(self, formdata: Any = None, *settings: Any, data: Any = None, **more: Any) -> None:
        """Read what was sent, and keep what is stored of all that the page did not ask."""
        super().process(formdata, *settings, data=data, **more)  # type: ignore[misc]
        fields, stored = formdata or {}, data or {}
        self.asks_adjust, self.asks_points = self._asks("adjust", fields), "asks-points" in fields
        asked_fields = {
            "met": self._asks("met", fields),
            "adjust": self.asks_adjust,
            "why": self.asks_adjust,
        }
        for name, is_asked in asked_fields.items():
            if formdata is not None and not is_asked:
                self[name].process(None, stored.get(name))
        counted = stored.get("bonuses", {})
        for key, field in self.bonuses.items():
            field.process(formdata if "asks-bonuses" in fields else None, counted.get(key))
        if "cards" in self:
            self._exchange_cards_and_total()
        for field in self.every_field:
            field.process_errors = [f"{self.name}: {words}" for words in field.process_errors]

    def _asks(self, what: str, fields: Any) -> bool:
        return f"seat{self.seat}-asks-{what}" in fields

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
    def may_be_nil(self) -> bool:
        """Whether somebody here bid nothing, or it isn't known of two partners."""
        parts = (self[BID].data if BID in self else None) or ()
        return len(parts) < 2 or 0 in parts

    @property
    def keeps_points(self) -> bool:
        """Whether what is entered for this hand is added to its own total as it stands."""
        return counts_as_entered(self.variant, self.declared)

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
        fields = {field.name: field.text for field in texts}
        fields |= {f"seat{self.seat}-asks-met": "1"} | (
            {self.met.name: "1"} if self.met.data else {}
        )
        return fields | ({f"seat{self.seat}-asks-adjust": "1"} if self.asks_adjust else {})

    @property
    def open_zip(self) -> Hand:
        """A last zip that does not sum to zero: it is none, and the review asks (ZZ-4.4)."""
        return open_zip(self.zips.data or ()) if "zips" in self else ()

    @property
    def read(self) -> Tally:
        """The hand as it was read, word for word."""
        read = {field.short_name: field.data for field in self if field.data is not None}
        parts = read.pop(BID, ())
        bids = told_bid(parts if self.is_pair else [sum(parts)]) if parts else {}
        bids |= {TRICKS: read.pop(TRICKS)} if TRICKS in read else {}
        bonuses = {key: field.data for key, field in self.bonuses.items() if field.data}
        if not self.adjust.data:
            read["why"] = ""
        return Tally(declared=self.declared, bonuses=bonuses | bids, **read)

    @property
    def tally(self) -> Tally:
        """The hand as it counts: the cards of an open zip are left, and nothing zipped is zero."""
        read = self.read
        is_zero = "zips" in self and not read.zips and not self.zipped.text
        counted = without_open_zip(read, has_cards="cards" in self)
        return replace(counted, zipped=0) if is_zero else counted

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
            entered = (name for name in ("hand", "cards", "total") if texts.get(name))
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
        return {BID, TRICKS} if variant.bids else {"total"}
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
