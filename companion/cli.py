"""Commands for whoever runs the server."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import click
from flask import Flask, current_app

from companion.league import store


def init_app(app: Flask) -> None:
    """Add the commands to `flask`."""
    app.cli.add_command(serve)
    app.cli.add_command(prepare)
    app.cli.add_command(backup)


@click.command()
def prepare() -> None:
    """Make the database ready: backup if data will be migrated, then migrate."""
    saved = store.prepare()
    click.echo(f"Backup before migrating: {saved}" if saved else "The database is ready.")


@click.command()
@click.option("--host", default="0.0.0.0", help="Where to listen.")  # noqa: S104
@click.option("--port", default=5000, show_default=True)
def serve(host: str, port: int) -> None:
    """Make everything ready and serve the app on the home network."""
    from waitress.server import create_server

    store.prepare()
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    try:
        server = create_server(app, host=host, port=port, threads=8)
    except OSError as fault:
        raise click.ClickException(
            f"Port {port} cannot be used ({fault.strerror}). Try another: make run PORT={port + 1}"
        ) from None
    _announce(host, port)
    server.run()


def _announce(host: str, port: int) -> None:
    """Print the address for phones, also as a QR code."""
    import segno

    address = f"http://{_own_address() if host in ('0.0.0.0', '::') else host}:{port}/"  # noqa: S104
    click.echo(
        f"\nCard Table Companion is at {address}\nScan this with a phone on the same network:\n"
    )
    if sys.stdout.encoding.lower().startswith("utf"):
        segno.make(address, error="m").terminal(compact=True)
    click.echo("\nStop with Ctrl+C.")
    sys.stdout.flush()


def _own_address() -> str:
    """Find this machine's address on its network; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
def backup(target: Path) -> None:
    """Copy the live SQLite database to TARGET and check the copy."""
    from companion.league.models import db

    if db.engine.dialect.name != "sqlite":
        raise click.ClickException("PostgreSQL is backed up with its own pg_dump.")
    try:
        store.copy_database(Path(db.engine.url.database or ""), target)
    except store.SettingError as fault:
        raise click.ClickException(str(fault)) from None
    click.echo(f"Copied and checked: {target}, {target.stat().st_size // 1024} KiB.")
