"""Answers are compressed where it is worth it, the same once unpacked, and hide their length."""

from __future__ import annotations

import gzip

import pytest
from flask import Flask

from companion.web.middleware.compression import LONGEST_NAME, pack_page
from tests.visits.phones import Phone

GZIP = {"Accept-Encoding": "gzip, deflate"}
PAGES = ("/rules", "/rules/zioncheck", "/rules/contract-rummy/book")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_the_same_once_unpacked(lone: Phone, path: str) -> None:
    plain = lone.client.get(path)
    packed = lone.client.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.status_code == plain.status_code
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) == int(packed.headers["Content-Length"]) < len(plain.data) / 2
    assert "Accept-Encoding" in plain.vary
    assert "Accept-Encoding" in packed.vary


def test_a_browser_that_cannot_unpack_is_believed(lone: Phone) -> None:
    for header in ("", "identity", "br", "gzip;q=0"):
        answer = lone.client.get("/", headers={"Accept-Encoding": header})
        assert "Content-Encoding" not in answer.headers, header


def test_the_length_of_a_page_says_nothing(lone: Phone) -> None:
    lengths = {len(lone.client.get("/", headers=GZIP).data) for _ in range(60)}
    assert len(lengths) > 20
    page = b"the same words " * 200
    assert (
        50 < max(spread := [len(pack_page(page)) for _ in range(300)]) - min(spread) < LONGEST_NAME
    )


def test_a_file_is_packed_once_and_asked_for_again_by_its_mark(app: Flask) -> None:
    client = app.test_client()
    script = f"{app.static_url_path}/pad.js"
    plain = client.get(script, buffered=True)
    first, second = (client.get(script, headers=GZIP, buffered=True) for _ in range(2))
    assert first.data == second.data
    assert gzip.decompress(first.data) == plain.data
    etag = first.headers["ETag"]
    assert etag.startswith('W/"')
    again = client.get(script, headers=GZIP | {"If-None-Match": etag}, buffered=True)
    assert again.status_code == 304
    assert again.data == b""
    assert "Content-Encoding" not in again.headers


def test_what_is_small_or_a_picture_goes_as_it_is(app: Flask) -> None:
    client = app.test_client()
    for path in ("/healthz", f"{app.static_url_path}/icon.svg"):
        answer = client.get(path, headers=GZIP, buffered=True)
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers
        assert len(answer.data) < 900
    headers = client.head("/", headers=GZIP)
    assert headers.data == b""
    assert "Content-Encoding" not in headers.headers
