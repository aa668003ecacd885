"""Templates that stay compiled from one start of the server to the next, as Python's modules do."""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache

READABLE = 0o644
"""As Python's own compiled modules are: whoever serves may be another user."""


class Compiled(FileSystemBytecodeCache):
    """Jinja's own memory of compiled templates, kept beside the compiled modules of some code.

    Whoever can write there can change what runs anyway. A template is compiled anew when it, Jinja
    or any of the code has changed, for what a filter makes of a constant is compiled too. It is a
    help and not a duty: where a file can't be read or written the template is compiled as if there
    were none, and Python's own setting to write no bytecode holds for templates too.
    """

    def __init__(self, code: Path) -> None:
        """Keep the templates of the code in a folder."""
        super().__init__(str(Path(cache_from_source(str(code / "_.py"))).parent), "%s.template")
        self._code = _fingerprint(code)

    def get_source_checksum(self, source: str) -> str:
        """Return what tells a template, and the code that it is compiled for, from others."""
        return super().get_source_checksum(self._code + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template that was compiled before, if it is there and whole."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # of a spoilt file anything may come, and it is as none
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template for the next start, if that may be."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)
            Path(self.directory, self.pattern % (bucket.key,)).chmod(READABLE)


def _fingerprint(code: Path) -> str:
    """Return a hash of the time and size of each file, by which Python compares modules too."""
    written = hashlib.sha256(jinja2.__version__.encode())
    for path in sorted(code.rglob("*.py")):
        state = path.stat()
        written.update(f"{path.relative_to(code)} {state.st_mtime_ns} {state.st_size}\n".encode())
    return written.hexdigest()
