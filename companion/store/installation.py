"""Where the program's own files are, and what a person types: in a checkout or installed."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]

INSTALLED = (_PACKAGE / "templates").is_dir()
"""Whether pages, styles and migrations lie inside the package, as a wheel has them."""
ROOT = _PACKAGE if INSTALLED else _PACKAGE.parent
COMMAND = "card-table" if INSTALLED else "flask"


def instance_folder() -> Path:
    """Where scores are kept: as `INSTANCE_PATH` says, with the user's data, or in the checkout."""
    if chosen := os.environ.get("INSTANCE_PATH"):
        return Path(chosen)
    if not INSTALLED:
        return ROOT / "instance"
    from platformdirs import user_data_path

    return user_data_path("card-table-companion", appauthor=False)
