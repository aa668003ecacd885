"""The search for games: what is looked for, read from the address, and the way to the next page."""

from __future__ import annotations

from datetime import date

from flask import render_template

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
from companion.store.dates import read_day
from companion.store.models import db
from companion.store.names import one_line
from companion.web.frame.forms import Faults, asked, noting, read_ordinal

MOST_WORDS, LONGEST_WORDS = 6, 200
FIELDS = ("who", "with", "variant", "since", "until", "words", "status", "act")


def games_page(league: Membership) -> str | tuple[str, int]:
    """Show a page of the games that are looked for."""
    sent = {name: asked(name)[:LONGEST_WORDS] for name in FIELDS}
    faults: Faults = []
    found = find_games(
        db.session(),
        league.league_id,
        _query(sent, faults),
        before=read_key(asked("before")),
        after=read_key(asked("after")),
    )
    offered = people_offered(db.session(), league.league_id)
    page = render_template(
        "league/games.html",
        found=found,
        older=write_key(found.older),
        newer=write_key(found.newer),
        sent=sent,
        filled={name: text for name, text in sent.items() if text},
        everybody=[(row.person_id, row.name) for row in offered],
        variants=found_variants(db.session(), league.league_id),
        faults=faults,
    )
    return (page, 422) if faults else page


def _query(sent: dict[str, str], faults: Faults) -> GameQuery:
    """Read what is looked for; what makes no sense is left out, but for dates, which are typed."""
    days: dict[str, date] = {}
    for name in ("since", "until"):
        if sent[name]:
            with noting(faults, f"{name}-day"):
                days[name] = read_day(sent[name])
    people = [read_ordinal(sent[name]) or 0 for name in ("who", "with") if sent[name]]
    return GameQuery(
        people=tuple(dict.fromkeys(people)),
        variant_key=sent["variant"],
        since=days.get("since"),
        until=days.get("until"),
        words=tuple(one_line(sent["words"]).split()[:MOST_WORDS]),
        status=sent["status"] if sent["status"] in STATUSES else "",
        act_id=read_ordinal(sent["act"]),
    )
