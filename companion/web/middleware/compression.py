"""Answers go out compressed: files once for all, pages each time, each of a length of its own."""

from __future__ import annotations

import gzip
import secrets
import struct
import zlib
from functools import lru_cache

from flask import Flask, Response, request

LEAST = 900
"""Bytes below which a packet holds the answer anyway."""
KINDS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
PAGE_LEVEL, FILE_LEVEL = 6, 9
LONGEST_NAME = 100


def init_app(app: Flask) -> None:
    """Compress what is worth it for whoever takes gzip."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if not (response.mimetype or "").startswith(KINDS) or response.status_code in (204, 206, 304):
        return response
    response.vary.add("Accept-Encoding")
    is_file = request.endpoint == "static"
    if not _is_wanted(response, is_file):
        return response
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) < LEAST:
        return response
    response.set_data(_packed_file(body) if is_file else pack_page(body))
    response.headers["Content-Encoding"] = "gzip"
    if (etag := response.get_etag()[0]) is not None:
        response.set_etag(etag, weak=True)
    return response


def _is_wanted(response: Response, is_file: bool) -> bool:
    return (
        "Content-Encoding" not in response.headers
        and not response.headers.get("Content-Disposition", "").startswith("attachment")
        and (is_file or not response.is_streamed)
        and request.method != "HEAD"
        and request.accept_encodings["gzip"] > 0
    )


@lru_cache(maxsize=64)
def _packed_file(body: bytes) -> bytes:
    return pack_for_all(body)


def pack_for_all(body: bytes) -> bytes:
    """Compress what holds no secret and is sent many times, as small as it gets."""
    return gzip.compress(body, FILE_LEVEL, mtime=0)


def pack_page(body: bytes) -> bytes:
    """Compress a page so that its length says nothing about one secret in it.

    A form's token stands on the page beside words that a stranger may have chosen. Whoever sees
    how long answers are could try words until one is shorter; a file name of random length, which
    gzip's header may have and every browser skips, hides the difference ("Heal the BREACH").
    """
    packer = zlib.compressobj(PAGE_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    name = b"x" * secrets.randbelow(LONGEST_NAME) + b"\0"
    header = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"
    end = struct.pack("<LL", zlib.crc32(body), len(body) & 0xFFFFFFFF)
    return header + name + packer.compress(body) + packer.flush() + end
