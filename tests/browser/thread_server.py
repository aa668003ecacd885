"""The app behind a server in a thread of this process, for tests whose subject is the page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

TICK = 0.1
THREADS = 40


@contextmanager
def answering(app: Flask) -> Iterator[str]:
    """Serve an app and give its address; at the end the loop stops before its sockets close."""
    server: Any = create_server(app, host="127.0.0.1", port=0, threads=THREADS)
    waiting = app.extensions["waiting"]
    waiting.allow(THREADS)
    over = threading.Event()

    def loop() -> None:
        while not over.is_set():
            wasyncore.loop(timeout=TICK, map=server._map, count=1)

    thread = threading.Thread(target=loop, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        waiting.stop()
        server.task_dispatcher.shutdown()
        over.set()
        thread.join()
        wasyncore.close_all(server._map, ignore_all=True)
