"""What arrives, made plain before any view reads it."""

from __future__ import annotations

import re
from typing import Any

from flask import Request
from werkzeug.datastructures import ImmutableMultiDict, iter_multi_items

_BEYOND = "".join(chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
_UNTYPED = f"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef{_BEYOND}"
_SIGN = re.compile(f"[{_UNTYPED}]")
PLAIN = f"^[^{_UNTYPED}]*$"
"""What matches plain text, as an expression for others."""


class PlainParameters(ImmutableMultiDict[str, Any]):
    """Fields without characters that no key types, no page can hold and PostgreSQL refuses."""

    def __init__(self, mapping: Any = None) -> None:
        super().__init__([(plain(k), plain(v)) for k, v in iter_multi_items(mapping or ())])


def plain(value: Any) -> Any:
    """Leave out control characters and what is no character; anything but text stays."""
    return _SIGN.sub("", value) if isinstance(value, str) else value


class PlainRequest(Request):
    """A request whose address and form hold only plain text."""

    parameter_storage_class = PlainParameters
