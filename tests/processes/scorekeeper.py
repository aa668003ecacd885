"""A process that keeps score until it is killed.

`python -m tests.processes.scorekeeper URL LEAGUE DEVICE`

It waits with everything imported; each line on its input starts a child that writes. A child
tells its own number, each submission before it is sent and each one that was acknowledged.
"""

from __future__ import annotations

import os
import sys
import tempfile
from uuid import uuid4

from companion import create_app
from companion.games import writer
from companion.games.changes import play_deal
from companion.store.authors import Author
from tests.leagues.game_driver import told
from tests.support.reports import CONTRACT, THREE


def tell(*words: object) -> None:
    """Say it at once: what stays in a buffer dies with the process."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def write_on(author: Author) -> None:
    """Play game after game, telling each submission before and after it is stored."""
    tell("pid", os.getpid())
    while True:
        key = uuid4().hex
        tell("send", key, 0, 0)
        saved = writer.start_game(author, key, CONTRACT, THREE)
        tell("done", key, saved.game_id, saved.revision)
        for number in range(len(CONTRACT.deals)):
            key, tallies = uuid4().hex, told(0, 5 + number, 5)
            tell("send", key, saved.game_id, saved.revision)
            saved = writer.change_game(
                author,
                saved.game_id,
                saved.revision,
                key,
                "scored",
                lambda record, tallies=tallies: play_deal(record, tallies),  # type: ignore[misc]
            )
            tell("done", key, saved.game_id, saved.revision)


def main() -> None:
    """Start one writing child for each line read, and wait for its death."""
    url, league, device = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("INSTANCE_PATH", folder)
        app = create_app({"DATABASE_URL": url})
        for _ in sys.stdin:
            child = os.fork()
            if not child:
                with app.app_context():
                    write_on(Author(int(league), int(device)))
            os.waitpid(child, 0)
            tell("dead")


if __name__ == "__main__":
    main()
