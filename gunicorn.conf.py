"""Where gunicorn serves, which reads this by itself: a worker ends once those after it serve."""

import signal
from mmap import mmap
from threading import Thread
from time import sleep
from typing import Any

threads = 64
graceful_timeout = 5
LAST, WANTED, SERVING, SIZE = 0, 1, 2, 512
"""Of the board that all processes share, in numbers: the last worker that a reload ends, how many
come after it, and from there on the workers that serve."""
LOOK, LET_GO = 0.1, 3.0
"""Seconds between two looks at the board, and over which the phones that wait go to the others."""


def board_of(server: Any) -> memoryview:
    """Return the numbers that the processes of this gunicorn share; a reload keeps them."""
    if not hasattr(server, "board"):
        server.board = memoryview(mmap(-1, 8 * SIZE)).cast("Q")
    return server.board  # type: ignore[no-any-return]


def on_reload(server: Any) -> None:
    """Note who is to end, before those who follow are made and they are told."""
    board = board_of(server)
    board[LAST], board[WANTED] = server.worker_age, server.cfg.workers


def pre_fork(server: Any, worker: Any) -> None:
    """Hand the board to a worker."""
    worker.board = board_of(server)


def post_worker_init(worker: Any) -> None:
    """Serve, and when told to end go on until as many serve as a reload wanted."""
    board, age = worker.board, worker.age
    questions = worker.wsgi.extensions["waiting"]
    questions.allow(worker.cfg.threads)

    def end() -> None:
        is_followed = age <= board[LAST]
        while age <= board[LAST] and sum(n > board[LAST] for n in board[SERVING:]) < board[WANTED]:
            sleep(LOOK)
        worker.handle_exit(signal.SIGTERM, None)
        questions.stop(LET_GO if is_followed else 0)

    def begin_to_end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # gunicorn says it again each second
        Thread(target=end, daemon=True).start()

    signal.signal(signal.SIGTERM, begin_to_end)
    board[SERVING + age % (SIZE - SERVING)] = age
