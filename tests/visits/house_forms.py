"""The form of a family's own game, filled in."""

from __future__ import annotations

from tests.visits.pages import Filled, Page, spaced
from tests.visits.phones import Phone


def made(phone: Phone, base: str, **typed: str) -> Page:
    """Make a game of our own: the form, a look at what it means, keep it, see how it differs."""
    form = phone.show(f"/house/{base}/new").form()
    for name, text in typed.items():
        form.fill(name, text)
    return phone.show(keep(phone, form).link("/house/"))


def keep(phone: Phone, form: Filled) -> Page:
    """Look at what a filled form means, and keep it."""
    return phone.press(phone.press(form, "look", status=200).form(), "save")


def values(page: Page) -> list[str]:
    rows = page.all("#scoring table:first-of-type tbody tr")
    return [spaced(row) for row in rows]
