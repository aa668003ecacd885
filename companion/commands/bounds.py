"""How much one connection may ask of the server: waitress' own settings are for trusted ones."""

from __future__ import annotations

from typing import Any

BOUNDS: dict[str, Any] = {
    # Whoever hangs up is noticed while the answer is made, so that dear work can be left.
    "channel_request_lookahead": 1,
}
"""What `waitress.create_server` is called with, beside where to listen."""
