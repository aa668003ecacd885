"""What is kept between requests, compared with what would be made now."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any

from companion.web.middleware.kept import Kept

Once = Callable[[Kept, Hashable, Callable[[], Any]], Any]


def made_again(once: Once) -> Once:
    """Let what was kept be made again, and fail where that comes to anything else."""

    @wraps(once)
    def checked(kept: Kept, key: Hashable, make: Callable[[], Any]) -> Any:
        made: list[Any] = []

        def first() -> Any:
            made.append(make())
            return made[0]

        shown = once(kept, key, first)
        if not made:
            assert make() == shown, f"What is kept for {key} is not what is so now."
        return shown

    return checked
