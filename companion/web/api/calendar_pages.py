"""The evenings of a league as a calendar that others subscribe to, behind a link to look on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from flask import Blueprint, Response, abort, url_for

from companion.games.shown.game_lists import ListedGame
from companion.games.shown.game_search import GameQuery, find_games
from companion.phones.links import DeadLinkError, LinkRow, find_link
from companion.rules.words import list_words
from companion.store.models import db
from companion.web.frame.codes import count_dead_link
from companion.web.middleware.guard import public

blueprint = Blueprint("calendar", __name__)
MOST_GAMES = 200
LONGEST_LINE = 75
"""Bytes of a line, RFC 5545, 3.1."""
NO_EVENING_YET = (
    *("BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"),
    *("TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"),
)
"""A calendar holds one component at least, RFC 5545, 3.6; a time zone is one that shows nothing."""


@blueprint.get("/j/<token>/evenings.ics")
@public
def evenings(token: str) -> Response:
    """Write the latest evenings as a calendar; only a link to look on opens it."""
    try:
        link = find_link(db.session(), token)
        if link.role != "viewer" or link.game_id is not None:
            raise DeadLinkError
    except DeadLinkError:
        count_dead_link()
        abort(404)
    wanted = GameQuery(status="finished")
    games = find_games(db.session(), link.league_id, wanted, most=MOST_GAMES).games
    lines = "".join(f"{_folded(line)}\r\n" for line in _calendar(link, games))
    return Response(lines, content_type="text/calendar; charset=utf-8")


def _calendar(link: LinkRow, games: Sequence[ListedGame]) -> Iterator[str]:
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Card Table Companion//EN")
    yield f"X-WR-CALNAME:{_text(link.league_name)}"
    if not games:
        yield from NO_EVENING_YET
    for day, played in groupby(games, key=lambda game: game.played_on):
        evening, stamp = list(played), f"{day:%Y%m%d}"
        yield from ("BEGIN:VEVENT", f"UID:{stamp}-{link.league_id}@card-table-companion")
        yield from (f"DTSTAMP:{stamp}T000000Z", f"DTSTART;VALUE=DATE:{stamp}")
        count = f"{len(evening)} game{'s' * (len(evening) > 1)}"
        yield f"SUMMARY:{_text(f'{link.league_name}: {count}')}"
        yield f"DESCRIPTION:{_text(chr(10).join(map(_result, reversed(evening))))}"
        yield f"URL:{url_for('evenings.show', day=day.isoformat(), _external=True)}"
        yield "END:VEVENT"
    yield "END:VCALENDAR"


def _result(game: ListedGame) -> str:
    wins = "wins" if len(game.winners) == 1 else "win"
    won = f"{list_words(game.winners)} {wins}" if game.winners else "nobody wins"
    return f"{game.variant_name}: {won}"


def _text(words: str) -> str:
    """Write words as a calendar has them: RFC 5545, 3.3.11."""
    for sign in ("\\", ";", ","):
        words = words.replace(sign, f"\\{sign}")
    return words.replace("\n", "\\n")


def _folded(line: str) -> str:
    """Break a long line as calendars do, between letters: the next ones begin with a space."""
    parts, part = [], b""
    for sign in line:
        letter = sign.encode()
        # One less: the space before a folded line counts among its bytes.
        if len(part) + len(letter) > LONGEST_LINE - 1:
            parts.append(part)
            part = b""
        part += letter
    return b"\r\n ".join([*parts, part]).decode()
