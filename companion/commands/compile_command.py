"""What Python doesn't compile when it installs the program: `flask compile`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
from flask import current_app

from companion.rules.toml_files import read_toml

from .output import PlainCommand


@click.command("compile", cls=PlainCommand)
def compile_files() -> None:
    """Compile pages and games, where the server may not write beside the program."""
    if sys.dont_write_bytecode:
        raise click.ClickException("PYTHONDONTWRITEBYTECODE is set, so that nothing is compiled.")
    os.umask(0o022)  # others serve what was compiled here
    pages = current_app.jinja_env
    names = pages.list_templates(extensions=["html"])
    for name in names:
        pages.get_template(name)
    files = sorted(Path(current_app.root_path).rglob("*.toml"))
    for file in files:
        read_toml(file)
    click.echo(f"{len(names)} templates and {len(files)} files of games are compiled.")
