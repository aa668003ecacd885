"""The search for games: what was asked, read from the address, and the way to the next page."""

from __future__ import annotations

from datetime import date

from flask import render_template, request
from msgspec import Struct

from companion.games.memberships import Membership
from companion.games.shown.game_search import (
    STATUSES,
    GameQuery,
    find_games,
    found_variants,
    read_key,
    write_key,
)
from companion.people.roster import people_offered
from companion.store.dates import DateError, read_day
from companion.store.models import db
from companion.store.names import one_line
from companion.web.frame.forms import place_number

MOST_WORDS, LONGEST_WORDS = 6, 200
FIELDS = ("who", "with", "variant", "since", "until", "words", "status")


class Asked(Struct, frozen=True):
    """What the form asks for, as it was sent and as it is understood, with its faults."""

    sent: dict[str, str]
    wanted: GameQuery
    faults: list[tuple[str, str]]

    @property
    def is_anything(self) -> bool:
        """Whether not every game is asked for."""
        return bool(self.sent)


def games_page(league: Membership) -> str | tuple[str, int]:
    """Show a page of the games that were asked for."""
    asked = _asked()
    found = find_games(
        db.session(),
        league.league_id,
        asked.wanted,
        before=read_key(request.args.get("before", "")),
        after=read_key(request.args.get("after", "")),
    )
    offered = people_offered(db.session(), league.league_id)
    page = render_template(
        "league/games.html",
        found=found,
        older=write_key(found.older),
        newer=write_key(found.newer),
        asked=asked,
        sent=dict.fromkeys(FIELDS, "") | asked.sent,
        everybody=[(row.person_id, row.name) for row in offered],
        variants=found_variants(db.session(), league.league_id),
        faults=asked.faults,
    )
    return (page, 422) if asked.faults else page


def _asked() -> Asked:
    """Read the address; what makes no sense there is left out, but for dates, which are typed."""
    sent = {name: request.args.get(name, "")[:LONGEST_WORDS].strip() for name in FIELDS}
    sent = {name: text for name, text in sent.items() if text}
    days: dict[str, date] = {}
    faults: list[tuple[str, str]] = []
    for name in ("since", "until"):
        try:
            if name in sent:
                days[name] = read_day(sent[name])
        except DateError as fault:
            faults.append((f"{name}-day", str(fault)))
    numbers = [place_number(sent[name]) for name in ("who", "with") if name in sent]
    status = sent.get("status", "")
    wanted = GameQuery(
        people=tuple(dict.fromkeys(number or 0 for number in numbers)),
        variant_key=sent.get("variant", ""),
        since=days.get("since"),
        until=days.get("until"),
        words=tuple(one_line(sent.get("words", "")).split()[:MOST_WORDS]),
        status=status if status in STATUSES else "",
    )
    return Asked(sent, wanted, faults)
