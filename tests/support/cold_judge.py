"""The judge as a process has it that was just started."""

import sys
from functools import _lru_cache_wrapper


def forget_tables() -> None:
    """Forget every table that the judge remembers."""
    for name in [name for name in sys.modules if name.startswith("companion.melds")]:
        for remembered in vars(sys.modules[name]).values():
            if isinstance(remembered, _lru_cache_wrapper):
                remembered.cache_clear()
