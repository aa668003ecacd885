"""Card Table Companion: scores and rules for rummy games played with real cards."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

VERSION = "1.1.0"
PACKING = {
    "COMPRESS_ALGORITHM": ["br", "gzip"],
    "COMPRESS_BR_LEVEL": 5,
    "COMPRESS_LEVEL": 9,
    "COMPRESS_MIN_SIZE": 900,
    "COMPRESS_STREAMS": False,
}
"""How answers are packed: none that one packet holds anyway, and no file to take home."""


def create_app(settings: Mapping[str, Any] | None = None) -> Flask:
    """Build the app from settings, or from the environment where they are silent.

    `DATABASE_URL`: a database other than the file in the instance folder. `PROXY_HOPS`: how many
    proxies are in front; `PROXY_ADDRESSES`: where the nearest one speaks from; `PROXY_HEADERS`:
    what it may say beside address and scheme (`host`, `prefix`). `HTTPS_SUBDOMAINS`: 1 where all
    names below this one speak https too. `TRUSTED_HOSTS`: host names to answer to, comma list.
    `OPEN_TO_ALL`: 0 where new leagues come from the command line only.
    Raises `SettingError` for a setting that makes no sense.
    """
    from . import web
    from .commands import serve_commands
    from .store import database
    from .store.installation import ROOT, instance_folder
    from .web.frame.application import Application
    from .web.frame.static_files import assets_version

    app = Application(
        __name__,
        instance_path=str(instance_folder()),
        template_folder=str(ROOT / "templates"),
        static_folder=str(ROOT / "static"),
        static_url_path=f"/static/{assets_version(ROOT / 'static')}",
    )
    try:
        Path(app.instance_path).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        raise database.SettingError(
            f"The folder {app.instance_path} cannot be made ({fault.strerror})."
        ) from None
    app.config.from_mapping(PACKING | _from_environment(), **(settings or {}))
    url = database.database_url(app.config["DATABASE_URL"], Path(app.instance_path))
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = database.engine_options(url)
    database.init_app(app)
    web.init_app(app)
    serve_commands.init_app(app)
    return app


def _from_environment() -> dict[str, Any]:
    hosts = os.environ.get("TRUSTED_HOSTS")
    return {
        "VERSION": VERSION,
        "DATABASE_URL": os.environ.get("DATABASE_URL"),
        "PROXY_HOPS": os.environ.get("PROXY_HOPS", "0"),
        "PROXY_ADDRESSES": os.environ.get("PROXY_ADDRESSES", "127.0.0.1, ::1"),
        "PROXY_HEADERS": os.environ.get("PROXY_HEADERS", ""),
        "HTTPS_SUBDOMAINS": os.environ.get("HTTPS_SUBDOMAINS", "0"),
        "OPEN_TO_ALL": os.environ.get("OPEN_TO_ALL", "1"),
        "TRUSTED_HOSTS": [host.strip() for host in hosts.split(",")] if hosts else None,
        "MAX_CONTENT_LENGTH": 256 * 1024,
        "MAX_FORM_PARTS": 500,
    }
