"""The program `card-table`, for those who installed it: the same commands as `flask`."""

from __future__ import annotations

import sys

from flask.cli import ScriptInfo

from companion import create_app
from companion.store.database import SettingError


def main() -> None:
    """Run one command; a setting that makes no sense is one sentence."""
    try:
        app = create_app()
    except SettingError as fault:
        sys.exit(f"Card Table Companion cannot start. {fault}")
    with app.app_context():
        app.cli.main(prog_name="card-table", obj=ScriptInfo(create_app=lambda: app))


if __name__ == "__main__":
    main()
