"""The app, for `flask` and for servers that want a module."""

import os
import sys

from companion.store.installation import note_start

# A command of `flask` may be the one that makes the database ready.
is_served = os.environ.get("FLASK_RUN_FROM_CLI") != "true"
if is_served:
    note_start()  # before the rest of the program is read: an older process serves on meanwhile

from companion import create_app  # noqa: E402
from companion.store.database import SettingError  # noqa: E402

try:
    app = create_app()
    if is_served:
        from companion.web.frame.serving import ready_to_serve

        ready_to_serve(app)
except SettingError as fault:
    print(f"Card Table Companion cannot start. {fault}", file=sys.stderr)
    sys.exit(3)  # with any other code gunicorn starts its worker again, for ever
