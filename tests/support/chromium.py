"""The Chromium that this machine has: none is ever downloaded."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Playwright, expect

from .patience import HANGS

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--ignore-certificate-errors",  # those that a test made for itself
]
PATIENCE = HANGS * 1000 / 2
"""Milliseconds; half of it, since a test that fails waits for it more than once."""


# Plays the same evening in three quarters of the time; what is put on a home screen needs a window.
WITHOUT_WINDOWS = "chromium-headless-shell"
WITH_WINDOWS = ("chromium", "chromium-browser", "google-chrome")


def chromium_path(*names: str) -> str | None:
    """Find a Chromium: the one that `CHROMIUM` names, or the system's, best without windows."""
    names = names or (WITHOUT_WINDOWS, *WITH_WINDOWS)
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def launch(playwright: Playwright) -> Browser:
    """Start it without a window."""
    expect.set_options(timeout=PATIENCE)
    return playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS, timeout=PATIENCE)
