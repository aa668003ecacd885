"""Forms: what people type, read into names, tallies and whole numbers, with faults as sentences."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from flask import abort, g, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import Field, Form, HiddenField, StringField
from wtforms.validators import ValidationError

from companion.cards import Refusal
from companion.rules import Variant
from companion.scoring.tally import MOST_POINTS
from companion.store.names import PlayerNameError, clean_name, read_names
from companion.web.middleware.security import DeviceCSRF

_SUM = re.compile(r"[+-]?[0-9]+([+-][0-9]+)*")
_MINUS = str.maketrans({"−": "-", "–": "-"})
SEND_AGAIN = "Please send this again."
Faults = list[tuple[str, str]]
"""What is wrong on a page: the field's id, and a sentence."""
LONGEST_FIELD = 400


def read_ordinal(text: str) -> int | None:
    """Read the number of a seat, a deal or a version; None for what cannot be one.

    >>> read_ordinal("12"), read_ordinal("-1"), read_ordinal("٣"), read_ordinal("9" * 5000)
    (12, None, None, None)
    """
    # Nine digits fit every column; int() itself fails for a number of thousands of digits.
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def asked(name: str, default: str = "") -> str:
    """Return what the address asks for under a name, cut as fields are."""
    return request.args.get(name, default)[:LONGEST_FIELD].strip()


def asked_number(name: str) -> int | None:
    """Return the number that the address asks for under a name; None for what cannot be one."""
    return read_ordinal(asked(name))


class OrdinalField(HiddenField):
    """The number of a seat, a deal or a version; None for what cannot be one."""

    @property
    def number(self) -> int | None:
        """The number that was sent."""
        return read_ordinal(str(self.data or ""))

    @property
    def required(self) -> int:
        """The number that was sent; answer 400 without one: no page of ours sends none."""
        if self.number is None:
            abort(400)
        return self.number


class TextField(StringField):
    """A short text; the page of a refusal sends it back, and so it has an end."""

    @property
    def text(self) -> str:
        """What was sent."""
        return (self.data or "")[:LONGEST_FIELD]


class SafeForm(Form):
    """A form that only the device it was made for can send."""

    class Meta:
        """WTForms' settings."""

        csrf = True
        csrf_class = DeviceCSRF

    def validate(self, extra_validators: Any = None) -> bool:
        """Look at the token first: of a form of another device, no other field is checked."""
        # Fields can be made slow to check (marks in a row): a form that is not ours ends here. What
        # a `ReadField` reads is read before, and is short.
        return self["csrf_token"].validate(self) and super().validate(extra_validators)

    def checked(self) -> Self:
        """Return the form; raises `Refusal` for one that cannot be taken as it is."""
        if not self.validate():
            raise Refusal(SEND_AGAIN)
        return self

    def sentences(self) -> Faults:
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

    revision = OrdinalField()

    @property
    def seen(self) -> int:
        """The revision on which the change rests; one that makes no sense is stale."""
        return self.revision.number or 0


class TapForm(SafeForm):
    """A tap about a deal that phones enter: how it ended, or which version of a hand is right."""

    position = OrdinalField()
    device = OrdinalField()
    revision_seen = OrdinalField(name="told")
    how = HiddenField(default="")
    by = OrdinalField()
    page = HiddenField(name="from")


@contextmanager
def noting(faults: Faults, field: str) -> Iterator[None]:
    """Go on after a refusal; its sentence is among the faults, beside the field it is about."""
    try:
        yield
    except Refusal as fault:
        faults.append((field, str(fault)))


def see_other(view: str, **values: Any) -> Response:
    """Answer a form: lead to the page of a view, which asks nothing twice when it is reloaded."""
    return redirect(url_for(view, **values), 303)


def new_key() -> str:
    """Make the key under which one submission is stored once."""
    return secrets.token_urlsafe(12)


def page_key() -> str:
    """Return the key of a page: whatever is sent from it first is stored, once."""
    key: str = g.setdefault("page_key", new_key())
    return key


def whole_number(text: str) -> int:
    """Read a whole number, or a sum such as `12+11+7`.

    >>> whole_number("12 + 11 + 7"), whole_number("−5")
    (30, -5)

    Raises `ValueError` with a sentence for anything else.
    """
    plain = "".join(text[:LONGEST_FIELD].translate(_MINUS).split())
    if not _SUM.fullmatch(plain):
        raise ValueError(f'"{text.strip()[:20]}" isn\'t a number. Try 25 or 12+11+7.')
    total = sum(map(int, re.findall(r"[+-]?[0-9]+", plain)))
    if abs(total) > MOST_POINTS:
        raise ValueError(f"{text.strip()[:20]} is too large.")
    return total


class ReadField(Field):
    """A text that is read: `text` stays as it was typed, `data` is None where nothing is."""

    def __init__(
        self,
        read: Callable[[str], Any],
        write: Callable[[Any], str] = str,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.read, self.write = read, write

    @property
    def written(self) -> str:
        """What was read, as it is written."""
        return "" if self.data in (None, ()) else self.write(self.data)

    def process_data(self, value: Any) -> None:
        """Show a stored value as it would be typed."""
        self.data = value
        self.text = self.written

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Read what was typed; nothing where the field was not sent."""
        self.text = str(valuelist[0])[:LONGEST_FIELD].strip() if valuelist else ""
        # First: where reading fails, what was stored must not stand beside the fault.
        self.data = None
        self.data = self.read(self.text) if self.text else None


class NewGameForm(KeyForm):
    """Who plays, in seat order, and with which rules and cards."""

    names = StringField(default="")
    league_name = ReadField(clean_name)
    dealer = OrdinalField()
    decks = ReadField(whole_number)
    jokers = ReadField(whole_number)

    def __init__(self, variant: Variant, formdata: Any = None, **kwargs: Any) -> None:
        super().__init__(formdata, **kwargs)
        self.variant = variant

    def validate_names(self, field: StringField) -> None:
        """Ask for as many different names as the game has seats."""
        try:
            self.players = read_names(str(field.data))
        except PlayerNameError as fault:
            raise ValidationError(str(fault)) from None
        if not self.players:
            raise ValidationError("Enter the players' names, with commas between them.")
        if not self.variant.players.min <= len(self.players) <= self.variant.players.max:
            raise ValidationError(self.variant.wrong_players(len(self.players)))

    def validate_decks(self, field: ReadField) -> None:
        """Take a number of decks that a table can hold."""
        _in_range(field, 1, 12, "decks")

    def validate_jokers(self, field: ReadField) -> None:
        """Take a number of jokers that the decks can hold."""
        _in_range(field, 0, 48, "jokers")


def _in_range(field: ReadField, low: int, high: int, what: str) -> None:
    if field.data is not None and not low <= field.data <= high:
        raise ValidationError(f"{field.data} {what} cannot be: {low} to {high}.")
