"""Answers are packed where it is worth it, and the same once unpacked."""

from __future__ import annotations

import gzip

import pytest
from flask import Flask

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
    for header in ("", "identity", "zstd"):
        answer = lone.client.get("/", headers={"Accept-Encoding": header})
        assert "Content-Encoding" not in answer.headers, header


def test_the_length_of_a_page_tells_no_form_s_token(lone: Phone) -> None:
    """Words beside it may be tried until a page is shorter (BREACH): each page has another."""
    assert len({lone.token() for _ in range(20)}) == 20


def test_a_packed_file_is_asked_for_again_by_its_mark(app: Flask) -> None:
    client = app.test_client()
    script = f"{app.static_url_path}/table/pad.js"
    plain = client.get(script, buffered=True)
    first = client.get(script, headers=GZIP, buffered=True)
    assert gzip.decompress(first.data) == plain.data
    headers = GZIP | {"If-None-Match": first.headers["ETag"]}
    again = client.get(script, headers=headers, buffered=True)
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
