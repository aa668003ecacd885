"""Print every blank score sheet and record form and count the sheets: `make sheets`."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from waitress.server import create_server

from companion.rules import card_games
from companion.scoring.blank_sheet import sheet_sizes
from tests.browser.browsing import pages_of
from tests.conftest import fresh_app
from tests.support.chromium import launch


def main() -> int:
    """Print on A4 and on Letter; tell what needs more than one sheet."""
    server: Any = create_server(fresh_app(Path(tempfile.mkdtemp())), host="127.0.0.1", port=0)
    threading.Thread(target=server.run, daemon=True).start()
    printed, faults = 0, []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(base_url=f"http://127.0.0.1:{server.effective_port}")
        for address in addresses():
            page.goto(address)
            for paper in ("A4", "Letter"):
                printed += 1
                if pages_of(page, paper) != 1:
                    faults.append(f"{address} on {paper}")
    print(f"{printed} prints, {len(faults)} on more than one sheet.", *faults, sep="\n")
    return bool(faults)


def addresses() -> Iterator[str]:
    """List every page of paper to write on."""
    for variant in card_games():
        yield f"/rules/{variant.key}/record"
        for players in sheet_sizes(variant):
            yield f"/rules/{variant.key}/sheet?players={players}"


if __name__ == "__main__":
    sys.exit(main())
