"""The Chromium that this machine has: none is ever downloaded."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path() -> str | None:
    """Find a Chromium: the one that `CHROMIUM` names, or the system's."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def launch(playwright: Playwright) -> Browser:
    """Start it without a window."""
    return playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
