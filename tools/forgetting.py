"""What is remembered from one question to the next, forgotten: each is met as the first one."""

from __future__ import annotations

import sys


def forget(package: str = "companion.melds") -> None:
    """Forget what a package remembers: without another, the judge from hand to hand."""
    for name, module in sys.modules.items():
        if name.startswith(package):
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()
