"""What the small model of a pending deal knows: letters, phones, reports and reviews."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

from companion.store.authors import Author

Place = tuple[int, int]


@dataclass
class Letter:
    """A telling on its way: what the phone typed, and what it knew."""

    phone: int
    place: Place
    cards: str
    seen: int
    key: str = field(default_factory=lambda: uuid4().hex)
    instead: tuple[str, ...] = ()


@dataclass
class MPhone:
    """What a phone knows by itself: the deal on the table, how often it told, what waits."""

    author: Author
    online: bool = True
    revoked: bool = False
    position: int = 1
    told: dict[Place, int] = field(default_factory=dict)
    outbox: list[Letter] = field(default_factory=list)


@dataclass
class MReport:
    """A hand on the model's paper."""

    count: int
    key: str
    cards: str
    confirmed: int | None = None
    chosen: bool = False


@dataclass
class Review:
    """What the scorekeeper looked over: when, and what it comes to."""

    revision: int
    report_revision: int
    cards: dict[int, str]
    by: int
    key: str = field(default_factory=lambda: uuid4().hex)
