"""Commands to start the server; those that keep the scores safe are in `companion.commands`."""

from __future__ import annotations

import compileall
import errno
import signal
import socket
import sys
from typing import Any

import click
from flask import Flask, current_app
from sqlalchemy import select

from companion import commands
from companion.store import database
from companion.store.dates import clock_fault
from companion.store.installation import COMMAND, INSTALLED, ROOT
from companion.store.models import Game, db
from companion.upkeep import startup

from .output import PlainCommand

A_TURN = 0.0005
"""Seconds for which a thread that computes may keep others waiting; Python's own are ten times."""


def init_app(app: Flask) -> None:
    """Add the commands to `flask`."""
    app.cli.add_command(serve)
    app.cli.add_command(prepare)
    commands.init_app(app)


@click.command(cls=PlainCommand)
@click.option("--backed-up", is_flag=True, help="PostgreSQL: you made a backup with pg_dump.")
def prepare(*, backed_up: bool) -> None:
    """Make the database ready: backup if data will be migrated, then migrate."""
    saved = startup.prepare(is_backed_up=backed_up)
    _warn()
    click.echo(f"Backup before migrating: {saved}" if saved else "The database is ready.")
    compileall.compile_dir(ROOT / "companion", quiet=2, maxlevels=20)


@click.command(cls=PlainCommand)
@click.option("--host", default="0.0.0.0", help="Where to listen.")  # noqa: S104
@click.option(
    "--port", type=click.IntRange(0, 65535), default=5000, show_default=True, help="0: a free one."
)
@click.option(
    "--threads",
    type=click.IntRange(20, 2000),
    default=216,
    show_default=True,
    help="All but 16 may wait for news of a game: eight for each table.",
)
def serve(host: str, port: int, threads: int) -> None:
    """Make everything ready and serve the app on the home network."""
    from waitress.server import create_server

    from companion.upkeep.backups import in_use

    from .bounds import BOUNDS, bound, most_connections

    startup.prepare()
    _warn()
    sys.setswitchinterval(A_TURN)
    listening: dict[int, Any] = {}
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    try:
        server = create_server(
            app,
            map=listening,
            host=host,
            port=port,
            threads=threads,
            # Above our own bound: at its limit waitress takes nobody, and nobody makes room.
            connection_limit=most_connections(threads) + 100,
            # Waitress would drop what a proxy says: nothing could be saved behind https.
            clear_untrusted_proxy_headers=False,
            **BOUNDS,
        )
        bound(listening.values(), threads)
    except OSError as fault:
        if fault.errno == errno.EADDRNOTAVAIL:
            raise click.ClickException(_no_address(host)) from None
        raise click.ClickException(
            f"Port {port} cannot be used ({fault.strerror}). Try another: {_elsewhere(port + 1)}"
        ) from None
    except ValueError:
        # So waitress refuses a host that it can't look up.
        raise click.ClickException(_no_address(host)) from None
    waiting = app.extensions["waiting"]
    waiting.allow(threads)
    stops = (signal.SIGTERM, signal.SIGINT)

    def stop(*_: object) -> None:
        # make passes SIGTERM on to a server that had it already, and people tap Ctrl+C twice: a
        # second one in here waited for ever for the lock that the first held.
        for one in stops:
            signal.signal(one, signal.SIG_IGN)
        waiting.stop()
        sys.exit(0)

    for one in stops:
        signal.signal(one, stop)
    with in_use():
        # Where a name has several addresses, waitress' server of several sockets has no such field.
        _announce(host, getattr(server, "effective_port", port))
        server.run()


def _no_address(host: str) -> str:
    return f"This computer has no address {host} to listen at."


def _elsewhere(port: int) -> str:
    return f"{COMMAND} serve --port {port}" if INSTALLED else f"make run PORT={port}"


def _warn() -> None:
    """Warn if the database is a careless copy, or the clock can't be right."""
    from companion.upkeep.backups import contents, is_plain_copy

    begun_here = (Game.act_id.is_(None), Game.hidden.is_(False))
    latest = select(Game.started_at).where(*begun_here).order_by(Game.id.desc()).limit(1)
    if fault := clock_fault(db.session.execute(latest).scalar()):
        click.echo(f"Warning: {fault}", err=True)
    db.session.remove()

    path = database.sqlite_file()
    if path and is_plain_copy(path):
        click.echo(
            f"Warning: {path} was copied by hand from a server in use: its latest scores may be "
            f"missing. It holds {contents(path).words}.",
            err=True,
        )


def _announce(host: str, port: int) -> None:
    """Print the address for phones, also as a QR code."""
    import segno

    address = f"http://{_own_address() if host in ('0.0.0.0', '::') else host}:{port}/"  # noqa: S104
    click.echo(
        f"\nCard Table Companion is at {address}\nScan this with a phone on the same network:\n"
    )
    # The code is drawn with blocks that other encodings lack.
    if sys.stdout.encoding.lower().startswith("utf"):
        segno.make(address, error="m").terminal(compact=True)
    click.echo("\nStop with Ctrl+C.")
    sys.stdout.flush()


def _own_address() -> str:
    """Find this machine's address on its network; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # An address for documentation (RFC 5737), which is nobody's.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
