"""A process that works out ratings until it is killed.

`python -m tests.processes.rater URL LEAGUE`

Like the scorekeeper it waits with everything imported; each number on its input starts a child that
is killed before that one of its statements.
"""

from __future__ import annotations

import os
import sys
import tempfile

from companion import create_app
from companion.statistics.rating_replay import catch_up
from companion.store.models import db
from tests.processes.crash import kill_before

from .scorekeeper import tell


def main() -> None:
    """Start one rating child for each line read, and tell how it ended: 0, or by which signal."""
    url, league = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INSTANCE_PATH"] = folder
        app = create_app({"DATABASE_URL": url})
        for line in sys.stdin:
            child = os.fork()
            if not child:
                with app.app_context():
                    kill_before(int(line), db.engine)
                    catch_up(int(league))
                    db.session.remove()
                    db.engine.dispose()
                os._exit(0)
            _, status = os.waitpid(child, 0)
            tell(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
