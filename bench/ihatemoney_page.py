"""What the page of a project in I Hate Money costs, run by a Python in which it is installed.

PYTHON -m bench.ihatemoney_page CALLS BILLS NAME...
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.wsgi_calls import ask, beside

PROJECT = "/harpers/"
SETTINGS = """
SQLALCHEMY_DATABASE_URI = {database!r}
SECRET_KEY = "bench"
WTF_CSRF_ENABLED = False
ALLOW_PUBLIC_PROJECT_CREATION = True
"""
CREATED = {
    "name": "The Harpers",
    "id": PROJECT.strip("/"),
    "password": "the-bench-knows-it",
    "contact_email": "harpers@example.org",
    "default_currency": "XXX",
}
BILL = {"date": "2026-11-25", "amount": "15", "bill_type": "Expense", "original_currency": "XXX"}


def settings_in(folder: Path) -> dict[str, str]:
    """Write settings for an empty database in a folder; returns what names them to the app."""
    settings = folder / "ihatemoney.cfg"
    settings.write_text(SETTINGS.format(database=f"sqlite:///{folder / 'ihatemoney.db'}"))
    return {"IHATEMONEY_SETTINGS_FILE_PATH": str(settings)}


def project(bills: int, names: list[str]) -> tuple[Any, str]:
    """Make an app with a project of these people and so many bills; returns it and a cookie."""
    os.environ |= settings_in(Path(tempfile.mkdtemp()))
    from ihatemoney.run import create_app  # type: ignore[import-not-found]

    app = create_app()
    browser = app.test_client()
    browser.post("/create", data=CREATED)
    for name in names:
        browser.post(f"{PROJECT}members/add", data={"name": name, "weight": 1})
    people = list(range(1, len(names) + 1))
    for number in range(bills):
        payer = people[number % len(people)]
        owed = {"what": f"Deal {number}", "payer": payer, "payed_for": people}
        browser.post(f"{PROJECT}add", data=BILL | owed)
    return app, f"session={browser.get_cookie('session').value}"


def main() -> None:
    """Print the CPU of the page and how many times faster bare Flask returns its bytes."""
    calls, bills, *names = sys.argv[1:]
    app, cookie = project(int(bills), names)
    headers = {"Cookie": cookie}
    page = ask(app, PROJECT, headers)
    if page.status != 200 or f"Deal {int(bills) - 1}".encode() not in page.body:
        sys.exit(f"The project answers {page.status}.")
    taken, share = beside(app, PROJECT, headers, int(calls))
    print(f"{taken:.2f} ms   {share:.3f} of bare Flask")


if __name__ == "__main__":
    main()
