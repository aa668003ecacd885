"""A process that works out ratings until it is killed: `python -m tests.rater URL LEAGUE`.

Like `tests.writer`, it waits with everything imported; each line on its input starts a child.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

from companion import create_app
from companion.statistics.rating_replay import catch_up

from .writer import tell


def main() -> None:
    """Start one rating child for each line read, and wait for its death."""
    url, league = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INSTANCE_PATH"] = folder
        app = create_app({"DATABASE_URL": url})
        for _ in sys.stdin:
            child = os.fork()
            if not child:
                with app.app_context():
                    tell(os.getpid())
                    catch_up(int(league))
                    time.sleep(60)  # it dies by the hand of the test
            os.waitpid(child, 0)
            tell("dead")


if __name__ == "__main__":
    main()
