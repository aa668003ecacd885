"""Templates as they were compiled, kept beside the compiled program and under its trust."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from zlib import crc32

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from companion.store.installation import ROOT


def init_app(app: Flask) -> None:
    """Let a process that starts read what an earlier one compiled: half a second of each start."""
    folder = ROOT / "__pycache__"
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
    app.jinja_env.bytecode_cache = CompiledPages(folder, _compiled_by())


def _compiled_by() -> str:
    """Sum up what a template is compiled by: Jinja, and the code that sets it up."""
    ours = sorted(Path(__file__).parents[1].rglob("*.py"))
    return f"{version('jinja2')} {crc32(b''.join(path.read_bytes() for path in ours))}"


class CompiledPages(FileSystemBytecodeCache):
    """Compiled templates in a folder, where it may be written, for as long as they are true."""

    def __init__(self, folder: Path, compiled_by: str) -> None:
        super().__init__(str(folder), "%s.template")
        self.compiled_by = compiled_by

    def get_source_checksum(self, source: str) -> str:
        """Sum up all that the compiled template depends on."""
        return super().get_source_checksum(f"{self.compiled_by} {source}")

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        with suppress(OSError):
            super().dump_bytecode(bucket)
