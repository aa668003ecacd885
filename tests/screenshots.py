"""Draw the pictures of the README from the running product: `make screenshots`."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from waitress.server import create_server

from .conftest import fresh_app
from .test_browser import FLAGS, PHONE, chromium_path, ended, tap

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"


def main() -> None:
    """Serve a sample family, walk through an evening and take a picture of each place."""
    FOLDER.mkdir(exist_ok=True)
    app = fresh_app(Path(tempfile.mkdtemp()))
    server: Any = create_server(app, host="127.0.0.1", port=0)
    threading.Thread(target=server.run, daemon=True).start()
    address = f"http://127.0.0.1:{server.effective_port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": PHONE[0], "height": PHONE[1]},
                base_url=address,
                color_scheme="dark" if scheme == "dark" else "light",
            )
            walk(context.new_page(), scheme)
            context.close()


def walk(page: Page, suffix: str) -> None:
    """Visit the places a family sees in an evening."""

    def picture(name: str) -> None:
        page.wait_for_timeout(150)
        page.screenshot(path=FOLDER / f"{name}-{suffix}.png")
        print(f"{name}-{suffix}.png")

    page.goto("/")
    page.get_by_role("button", name="Look round").click()
    page.get_by_role("link", name="Continue").click()
    picture("table")
    ended(page, "Who went out?", "Bob")
    tap(page, "K 7 7 X")
    picture("entry")
    page.goto("/rules/contract-rummy/search?q=stael+joker")
    picture("ask")
    page.goto("/rules/shanghai")
    picture("card")


if __name__ == "__main__":
    main()
