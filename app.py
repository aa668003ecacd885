"""The app, for `flask` and for servers that want a module."""

import sys

from companion import create_app
from companion.store.database import SettingError

try:
    app = create_app()
except SettingError as fault:
    sys.exit(f"Card Table Companion cannot start. {fault}")
