"""Three servers on one database, killed one by one: `python -m tests.processes.servers URL`.

It tells their ports; each number on its input kills that server, if it runs, and starts it again.
A port stays open all the time, as behind a proxy: whoever asks meanwhile waits for the next server.
"""

from __future__ import annotations

import os
import signal
import socket
import sys

from flask import Flask
from waitress.server import create_server

from companion import create_app
from companion.web.frame.live_questions import THREADS

from .scorekeeper import tell

SERVERS = 3


def main() -> None:
    """Start and kill servers until the input ends; then none is left."""
    app = create_app({"DATABASE_URL": sys.argv[1]})
    doors = [_door() for _ in range(SERVERS)]
    running: dict[int, int] = {}
    tell(*(door.getsockname()[1] for door in doors))
    try:
        for line in sys.stdin:
            number = int(line)
            _kill(running.pop(number, 0))
            running[number] = os.fork() or _serve(app, doors[number])
            tell("pid", running[number])
    finally:
        for child in running.values():
            _kill(child)


def _door() -> socket.socket:
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    door.listen(64)
    return door


def _kill(child: int) -> None:
    if child:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _serve(app: Flask, door: socket.socket) -> int:
    """Serve until killed; a forked server never goes back to the loop above."""
    try:
        create_server(app, sockets=[door], threads=THREADS).run()
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
