"""The app, for `flask` and for servers that want a module."""

import os
import sys

from companion import create_app
from companion.store.database import SettingError

try:
    app = create_app()
    # A command of `flask` may be the one that makes the database ready.
    if os.environ.get("FLASK_RUN_FROM_CLI") != "true":
        from companion.web.frame.serving import ready_to_serve

        ready_to_serve(app)
except SettingError as fault:
    print(f"Card Table Companion cannot start. {fault}", file=sys.stderr)
    sys.exit(3)  # with any other code gunicorn starts its worker again, for ever
