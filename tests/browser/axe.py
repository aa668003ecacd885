"""What shuts anyone out of a page, as axe finds it in both schemes."""

from __future__ import annotations

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(page: Page) -> list[tuple[str, str, list[str]]]:
    """Let axe look at a page in both schemes: what it finds, and where.

    The window is as tall as the page, so that nothing lies half under the bar at its edge.
    """
    found: list[tuple[str, str, list[str]]] = []
    size = page.viewport_size
    assert size
    tall = page.evaluate("document.documentElement.scrollHeight")
    if tall > size["height"]:
        page.set_viewport_size({"width": size["width"], "height": tall + 100})
    for scheme, rules in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        told = Axe().run(page, options={"runOnly": rules}).response
        assert told["passes"], "axe has looked at nothing"
        for one in told["violations"]:
            found.append((scheme, one["id"], [node["html"][:120] for node in one["nodes"][:3]]))
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(size)
    return found


AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


SCHEMES: list[tuple[Literal["light", "dark"], Any]] = [
    ("light", AXE_RULES),
    ("dark", {"type": "rule", "values": ["color-contrast"]}),
]
