"""Files to take home: made in their turn, packed where the browser unpacks, sent without a thread.

A file is written to disk first, beside the database and without a name. So a thread is free as
soon as it is made, however slowly somebody reads; and only so much of it is in memory.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable
from tempfile import TemporaryFile
from typing import IO

from flask import Response, current_app, request
from werkzeug.wsgi import wrap_file

from companion.web.middleware.gates import file_slot

PACKED = ("application/octet-stream",)
"""What is worth packing; the other files are packed already."""


def download(parts: Iterable[bytes], kind: str, name: str) -> Response:
    """Return an answer that a browser saves under this name.

    Raises `BusyError` where others have files for too long.
    """
    packs = kind in PACKED and bool(request.accept_encodings["gzip"])
    file = TemporaryFile(dir=current_app.instance_path)  # noqa: SIM115 - the answer closes it
    try:
        with file_slot():
            _write(file, parts, packs)
    except BaseException:
        file.close()
        raise
    answer = Response(wrap_file(request.environ, file), mimetype=kind, direct_passthrough=True)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.vary.add("Accept-Encoding")
    answer.content_length = file.seek(0, os.SEEK_END)
    file.seek(0)
    if packs:
        answer.content_encoding = "gzip"
    return answer


def _write(file: IO[bytes], parts: Iterable[bytes], packs: bool) -> None:
    if not packs:
        file.writelines(parts)
        return
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed:
        for part in parts:
            packed.write(part)
