"""From a view's answer to JSON, and from what was sent to what a view takes."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar, get_type_hints

import msgspec
from flask import Response, request
from msgspec import Struct

from companion.cards import Refusal
from companion.web.middleware.plain_request import plain

Shape = TypeVar("Shape", bound=Struct)
JSON = "application/json"


class Described(Struct, frozen=True):
    """What a view answers and takes, for those who read its description."""

    answer: type[Struct]
    takes: type[Struct] | None
    parameters: dict[str, Any]


views: dict[str, Described] = {}
"""By the name of the view."""


class UnreadableError(Refusal):
    """Something sent that is not of the shape that is taken, with the path to what is wrong."""


def answers(
    *, takes: type[Struct] | None = None, **parameters: Any
) -> Callable[[Callable[..., Struct]], Callable[..., Response]]:
    """Mark a view, which names the shape of its answer, with what it takes and its parameters."""

    def mark(view: Callable[..., Struct]) -> Callable[..., Response]:
        views[view.__name__] = Described(get_type_hints(view)["return"], takes, parameters)

        @wraps(view)
        def answered(**values: Any) -> Response:
            return as_json(view(**values), 201 if takes else 200)

        return answered

    return mark


def as_json(answer: Struct, status: int = 200) -> Response:
    """Write an answer."""
    return Response(msgspec.json.encode(answer), status, content_type=JSON)


def sent(shape: type[Shape]) -> Shape:
    """Read what was sent; raises `UnreadableError`."""
    try:
        raw = READER.decode(request.get_data().removeprefix(BOM_UTF8))
        found = msgspec.convert(raw, shape, str_keys=True)
    # A reader follows brackets within brackets until the stack ends; half a surrogate pair, which
    # neither a digest nor a database takes, is a ValueError of this one.
    except (ValueError, RecursionError) as fault:
        if isinstance(fault.__cause__, Refusal):
            raise fault.__cause__ from None  # a hand says itself what is wrong with it
        raise UnreadableError(f"This can't be read: {fault}."[:400]) from fault
    # No export with such signs could be read again, and PostgreSQL can't hold them.
    if any(plain(text) != text for text in _texts(raw)):
        raise UnreadableError("This can't be read: there are signs that cannot be seen.")
    return found


def _number(digits: str) -> float:
    """Read 12.0 as the integer that it is in JSON Schema, which msgspec takes for none."""
    number = float(digits)
    return int(number) if number.is_integer() else number


READER = msgspec.json.Decoder(float_hook=_number)


def _texts(part: object) -> Iterator[str]:
    """List every text in plain data, names of fields as well."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        items = [*part, *part.values()] if isinstance(part, dict) else part
        for item in items:
            yield from _texts(item)
