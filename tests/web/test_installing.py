"""What a phone needs to put the app on its home screen, and what it drops at an update."""

from __future__ import annotations

import struct
from pathlib import Path

from companion.web.frame.static_files import assets_version
from tests.visits.pages import attribute
from tests.visits.phones import Phone

PNG = b"\x89PNG\r\n\x1a\n"


def size(picture: bytes) -> str:
    """Read the width and height of a PNG."""
    assert picture.startswith(PNG)
    width, height = struct.unpack(">II", picture[16:24])
    return f"{width}x{height}"


def test_every_page_leads_to_icons_of_the_sizes_that_phones_want(lone: Phone) -> None:
    named = [one for one in lone.show("/rules").elements if one.tag == "link"]
    links = {attribute(one, "rel"): attribute(one, "href") for one in named}
    manifest = lone.client.get(links["manifest"]).json
    assert manifest
    assert manifest["id"] == manifest["scope"] == "/"
    icons = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    for icon in icons:
        assert size(lone.client.get(icon["src"], buffered=True).data) == icon["sizes"]
    assert {(icon["sizes"], icon["purpose"]) for icon in icons} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    touch = lone.client.get(links["apple-touch-icon"], buffered=True)
    assert size(touch.data) == "180x180"
    assert lone.client.get(links["icon"], buffered=True).mimetype == "image/svg+xml"


def test_what_a_phone_keeps_is_named_by_the_edition_of_our_files(lone: Phone) -> None:
    now = assets_version(Path(lone.client.application.static_folder or ""))
    assert lone.client.get("/sw.js").text.startswith(f'const KEPT = "kept-{now}";')
