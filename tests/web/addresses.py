"""Every address, what it answers and to whom: a new one needs a row in `ROWS`.

A viewer reads; a player enters and corrects their own hand of the running deal; a scorekeeper does
everything in the game; an owner everything in the league.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from companion.store import authors
from companion.web.frame.static_files import assets_version
from tests.support.page_judge import STATIC

EDITION = assets_version(STATIC)
KINGS = {"seat1-cards": "K", "seat2-cards": "K", "seat3-cards": "K"}
WINTER: dict[str, Any] = {
    "seen_name": "Winter",
    "seen_starts": "2026-01-01",
    "seen_ends": "2026-03-01",
}


@dataclass(frozen=True)
class Row:
    """What an address answers, and the least role that it answers at all.

    Parts in braces are the Harpers' own: a game, a person, a season, an act, a house. `+` after a
    role: whoever has no league at all as well, since a league of their own is opened with it.
    """

    rule: str
    method: str
    least: str
    owner: int
    address: str
    form: dict[str, str]
    elsewhere: int

    def __str__(self) -> str:
        return f"{self.method} {self.address}"

    def answer(self, who: str) -> int:
        """Tell what somebody is answered, by the rights as they are written down.

        Who may, is answered as the owner. A member who may not: 403. Nobody's phone, or one that
        was taken out: the start for a plain page, else 404. The owner of another league is the
        owner in that one, and nothing of the Harpers' is there.
        """
        least = self.least.rstrip("+")
        if who == "elsewhere" and "{" in self.address:
            return self.elsewhere
        if least == "anybody" or who == "elsewhere":
            return self.owner
        if who in ("stranger", "revoked"):
            plain = self.method == "GET" and "<" not in self.rule
            return self.owner if self.least.endswith("+") else 302 if plain else 404
        return self.owner if authors.may(who, least) else 403  # type: ignore[arg-type]


def _get(rule: str, least: str, owner: int, address: str = "") -> Row:
    return Row(rule, "GET", least, owner, address or _example(rule), {}, 404)


def _post(rule: str, least: str, owner: int, address: str = "", **form: Any) -> Row:
    elsewhere = form.pop("elsewhere", 404)
    return Row(rule, "POST", least, owner, address or _example(rule), form, elsewhere)


def _for_programs(path: str, method: str = "GET") -> Row:
    """An address for programs, which takes no cookie: whose phone asks makes no difference."""
    rule = f"/api/v1/{path}"
    return Row(rule, method, "anybody", 401, _example(rule), {}, 401)


def _example(rule: str) -> str:
    place = re.sub(r"<int:(game|person|season|device)_id>", r"{\1}", rule).replace(
        "<key>", "zioncheck"
    )
    return re.sub(r"<int:\w+>", "1", place)


GAME = "/games/<int:game_id>"
ASKED = "any(correct, 'throw-in', dealer, join, leave, phones, points, seats, stop)"
MORE = f"{GAME}/more/<{ASKED}:what>"

HAND = f"{GAME}/hands/<int:position>/<int:seat>"
TOLD = {"device": "999", "told": "1"}
ROWS = [
    _get("/", "anybody", 200),
    _post("/samples", "anybody", 303),
    _get("/samples", "anybody", 302),
    _post("/departures", "viewer", 303),
    _get("/healthz", "anybody", 200),
    _get("/protection", "anybody", 200),
    _get("/readyz", "anybody", 200),
    _get(f"/static/{EDITION}/<path:filename>", "anybody", 200, f"/static/{EDITION}/styles/app.css"),
    _get("/static/<path:filename>", "anybody", 302, "/static/app.css"),
    _get("/rules", "anybody", 200),
    _get("/rules/search", "anybody", 200, "/rules/search?q=joker"),
    _get("/rules/<key>", "anybody", 200),
    _get("/rules/<key>", "anybody", 200, "/rules/zioncheck?game={game}"),
    _get("/rules/<key>/book", "anybody", 200),
    _get("/rules/<key>/book", "anybody", 200, "/rules/zioncheck/book?game={game}"),
    _get("/rules/<key>/contracts", "anybody", 200),
    _get("/rules/<key>/sheet", "anybody", 200),
    _get("/rules/<key>/sheet", "anybody", 200, "/rules/zioncheck/sheet?players=3&game={game}"),
    _get("/rules/<key>/record", "anybody", 200),
    _get("/rules/<key>/search", "anybody", 200, "/rules/zioncheck/search?q=joker"),
    _get("/rules/<key>/search", "anybody", 200, "/rules/zioncheck/search?q=joker&game={game}"),
    _get("/rules/<key>/rule/<rule>", "anybody", 302, "/rules/zioncheck/rule/values"),
    _get("/rules/<key>/judge", "anybody", 200, "/rules/zioncheck/judge?deal=2&hand=7H+7S+7D+X"),
    _get("/rules/<key>/judge", "anybody", 200, "/rules/zip-zilch-zero/judge?hand=6R+6B&pile=4R+5B"),
    _get(
        "/rules/<key>/practice", "anybody", 200, "/rules/chicago-rummy/practice?hand=one&answer=no"
    ),
    _get("/games/another", "scorekeeper+", 200),
    _post("/games/another", "scorekeeper+", 422, name=""),
    _get("/games/another/<key>", "scorekeeper", 404, "/games/another/zioncheck"),
    _post("/games/another/<key>", "scorekeeper", 404, "/games/another/zioncheck", name="x"),
    _get("/house/<key>", "anybody", 200),
    _post("/house/<key>", "scorekeeper+", 303),
    _get("/house/<key>/new", "scorekeeper+", 200),
    _post("/house/<key>/new", "scorekeeper+", 200, name="Ours"),
    _get("/house/<key>/edit", "scorekeeper", 200, "/house/{house}/edit"),
    _get("/house/<key>/edit", "scorekeeper", 404),
    _post("/house/<key>/edit", "scorekeeper", 422, "/house/{house}/edit", name=""),
    _post("/house/<key>/drop", "scorekeeper", 303),
    _get("/house/<key>/file", "anybody", 200),
    _get("/house/files", "scorekeeper+", 200),
    _post("/house/files", "scorekeeper+", 422, text="name = 7"),
    _get("/return", "anybody", 200),
    _post("/return", "anybody", 422, league="Nobody", passphrase="no words at all"),
    _get("/claims/<code>", "anybody", 404, "/claims/nothing"),
    _post("/claims/<code>", "anybody", 404, "/claims/nothing"),
    _get("/games/new/<key>", "anybody", 200),
    _post("/games/new/<key>", "anybody", 303, names="Ann, Bob"),
    _get("/league", "viewer", 200),
    _get("/league", "viewer", 200, "/league?season=all"),
    _get("/league/settings", "viewer", 200),
    _post("/league/phone/<what>", "viewer", 303, "/league/phone/look", chosen="dark"),
    _post("/league/phone/<what>", "viewer", 303, "/league/phone/look", chosen="green"),
    _post("/league/phone/<what>", "viewer", 404, "/league/phone/sound", chosen="dark"),
    _get("/league/name", "owner", 200),
    _post("/league/name", "owner", 303, name="The Harpers again"),
    _get("/league/games", "viewer", 200),
    _get("/league/games", "viewer", 200, "/league/games?who=1&with=2&words=won&status=finished"),
    _get("/league/games", "viewer", 422, "/league/games?since=yesterday"),
    _get("/league/records", "viewer", 200),
    _get("/league/rivals", "viewer", 200),
    _get("/league/evenings", "viewer", 200),
    _get("/league/evenings/<day>", "viewer", 404, "/league/evenings/1999-01-01"),
    _get("/league/years/<int:year>", "viewer", 404, "/league/years/1999"),
    _get("/league/players/<int:person_id>", "viewer", 200),
    _post("/league/choices", "viewer", 303, league="1"),
    _post("/league/standings", "owner", 303, variant=""),
    _post("/league/settings/<what>", "owner", 303, "/league/settings/show_chances", chosen="0"),
    _post("/league/settings/<what>", "owner", 404, "/league/settings/everything", chosen="0"),
    _get("/league/passphrase", "owner", 200),
    _post("/league/passphrase", "owner", 422, passphrase="too short"),
    _get("/league/people", "viewer", 200),
    _get("/league/people/<int:person_id>", "owner", 200),
    _post("/league/people/<int:person_id>/name", "owner", 303, name="Zoe", seen="Ann"),
    _post("/league/people/<int:person_id>/name", "owner", 409, name="Zoe", seen="Somebody"),
    _post("/league/people/<int:person_id>/archive", "owner", 303, archived="1"),
    _get(
        "/league/people/<int:person_id>/merge",
        "owner",
        200,
        "/league/people/{person}/merge?other=2",
    ),
    _post("/league/people/<int:person_id>/merge", "owner", 422, other="2"),
    _post(
        "/league/people/acts/<int:act_id>/undo", "owner", 303, "/league/people/acts/{renaming}/undo"
    ),
    _get("/league/seasons", "viewer", 200),
    _post("/league/seasons", "owner", 303, name="Spring", starts="2026-04-01", ends="2026-05-01"),
    _get("/league/seasons/<int:season_id>", "owner", 200),
    _post(
        "/league/seasons/<int:season_id>",
        "owner",
        303,
        elsewhere=409,
        **WINTER,
        name="Cold",
        starts="2026-01-01",
    ),
    _post("/league/seasons/<int:season_id>/drop", "owner", 303, elsewhere=409, **WINTER),
    _post(
        "/league/seasons/acts/<int:act_id>/undo",
        "owner",
        303,
        "/league/seasons/acts/{season_made}/undo",
    ),
    _get("/league/files", "owner+", 200),
    _get("/league/files/league.json", "owner", 200),
    _get("/league/files/tables.zip", "owner", 200),
    _get("/league/files/league.html", "owner", 200),
    _post("/league/files/looks", "owner+", 422, text="{}"),
    _post("/league/files/imports", "owner+", 422, file="0", into="ours"),
    _post("/league/files/undoings", "owner", 422, act="1"),
    _get("/league/past", "scorekeeper+", 200),
    _post("/league/past/looks", "scorekeeper+", 422, text="1,2"),
    _post("/league/past/imports", "scorekeeper+", 422, file="0"),
    _post("/league/past/undoings", "scorekeeper", 422, act="1"),
    _get("/league/old-scores", "scorekeeper", 200),
    _get("/league/old-scores/<key>", "scorekeeper", 200),
    _get(
        "/league/old-scores/<key>",
        "scorekeeper",
        200,
        "/league/old-scores/zioncheck?names=A,B&day=2020-01-01",
    ),
    _get(
        "/league/old-scores/<key>",
        "scorekeeper",
        422,
        "/league/old-scores/zioncheck?names=A&day=2020",
    ),
    _get("/league/old-scores/<key>", "scorekeeper", 404, "/league/old-scores/mau-mau"),
    _post("/league/old-scores/<key>", "scorekeeper", 422, names="A, B", day="2020-01-01"),
    _get("/sw.js", "anybody", 200),
    _get("/offline", "anybody", 200),
    _get("/app.webmanifest", "anybody", 200),
    _get("/j/<token>", "anybody", 404, "/j/nothing"),
    _post("/j/<token>", "anybody", 404, "/j/nothing", person="1"),
    _get("/league/devices", "owner", 200),
    _post("/league/devices/<int:device_id>", "owner", 303, name="Tablet", role="owner"),
    _post("/league/devices/<int:device_id>/departures", "owner", 422),
    _post("/league/devices/<int:device_id>/person", "owner", 303),
    _post("/league/devices/<int:device_id>/answer", "owner", 303, answer="no"),
    _get("/league/departure", "viewer", 200),
    _post("/league/departure", "viewer", 303),
    _post("/league/links", "owner", 303, role="viewer", lasts="", uses=""),
    _post("/league/programs", "owner", 200, program="Screen", role="viewer"),
    _get("/j/<token>/evenings.ics", "anybody", 404, "/j/nothing/evenings.ics"),
    _get("/api/v1/openapi.json", "anybody", 200),
    *(
        _for_programs(path)
        for path in ("league", "players", "games", "table", "standings", "rules")
    ),
    _for_programs("games/<int:game_id>"),
    _for_programs("games/<int:game_id>/deals", "POST"),
    _for_programs("rules/<key>"),
    _get("/league/links/<int:link_id>", "owner", 404, "/league/links/999"),
    _post("/league/links/<int:link_id>/departures", "owner", 404, "/league/links/999/departures"),
    _post(f"{GAME}/link", "scorekeeper", 303),
    _post(f"{GAME}/asks/<int:device_id>", "player", 303, answer="no"),
    _post(f"{GAME}/guests/<int:device_id>", "scorekeeper", 303),
    _get(GAME, "viewer", 200),
    _post(f"{GAME}/put-away", "scorekeeper", 303),
    _get(f"{GAME}/mine", "viewer", 200),
    _get(f"{GAME}/live", "viewer", 200),
    _get(f"{GAME}/far", "viewer", 200),
    _get(f"{GAME}/hands/<int:seat>", "player", 200),
    _get(f"{GAME}/hands/<int:seat>", "scorekeeper", 200, "/games/{game}/hands/2"),
    _post(HAND, "player", 303, "/games/{game}/hands/2/1", **{"seat1-cards": "K"}),
    _post(HAND, "scorekeeper", 303, "/games/{game}/hands/2/2", **{"seat2-cards": "K"}),
    _post(f"{HAND}/confirmations", "player", 409, "/games/{game}/hands/2/0/confirmations", **TOLD),
    _post(f"{HAND}/choices", "scorekeeper", 422, device="1"),
    _post(f"{HAND}/settled", "scorekeeper", 303),
    _post(f"{GAME}/endings", "player", 303, how="out", by="1"),
    _post(f"{GAME}/endings", "scorekeeper", 303, how="out", by="2"),
    _post(f"{GAME}/endings/back", "player", 303),
    _get(f"{GAME}/deals/told", "scorekeeper", 200),
    _get(f"{GAME}/outlook", "viewer", 200),
    _get(f"{GAME}/history", "viewer", 200),
    _get(f"{GAME}/sheet", "viewer", 200),
    _get(f"{GAME}/picture", "viewer", 404),
    _get(f"{GAME}/picture/drawing.svg", "viewer", 404),
    _get(f"{GAME}/seats/<int:seat>", "viewer", 200),
    _get(f"{GAME}/deals/<int:position>", "viewer", 200),
    _get(f"{GAME}/deals/<int:position>/seats/<int:seat>", "viewer", 200),
    _post(f"{GAME}/rematch", "scorekeeper", 303),
    _get(f"{GAME}/about", "scorekeeper", 200),
    _get(f"{GAME}/removal", "owner", 200),
    _post(f"{GAME}/removal", "owner", 303),
    _get("/league/games/removed", "owner", 200),
    _post(
        "/league/games/removed/acts/<int:act_id>/undo",
        "owner",
        404,
        "/league/games/removed/acts/999/undo",
    ),
    _post(f"{GAME}/about", "scorekeeper", 303, played_on="2026-03-03", note="Snow", counts="0"),
    _get(
        MORE,
        "scorekeeper",
        200,
        "/games/{game}/more/throw-in",
    ),
    _get(
        MORE,
        "scorekeeper",
        200,
        "/games/{game}/more/join",
    ),
    _get(
        MORE,
        "scorekeeper",
        200,
        "/games/{game}/more/stop",
    ),
    _post(f"{GAME}/voids", "scorekeeper", 303, after_void="again"),
    _post(f"{GAME}/deals/<int:position>/void", "scorekeeper", 303),
    _post(f"{GAME}/seats", "scorekeeper", 303, name="Zoe", start_rule="zero"),
    _post(f"{GAME}/departures", "scorekeeper", 303, seat="1", placed="0"),
    _post(f"{GAME}/stops", "scorekeeper", 303, stopped="1"),
    _post(f"{GAME}/dealer", "scorekeeper", 422, seat="1"),
    _post(f"{GAME}/places", "scorekeeper", 303, seat="1"),
    _post(f"{GAME}/tie", "scorekeeper", 422, seat="1"),
    _post(f"{GAME}/restorations", "scorekeeper", 303, version="1"),
    _get(f"{GAME}/bids", "scorekeeper", 404),
    _post(f"{GAME}/bids", "scorekeeper", 404),
    _get(f"{GAME}/deals/new", "scorekeeper", 200, "/games/{game}/deals/new?how=out&by=0"),
    _post(f"{GAME}/deals", "scorekeeper", 200, how="out", by="0", **KINGS),
    _get(f"{GAME}/deals/<int:position>/edit", "scorekeeper", 200),
    _get(f"{GAME}/deals/<int:position>/ended", "scorekeeper", 200),
    _get(
        f"{GAME}/deals/<int:position>/seats/<int:seat>/<any(cards, points):what>",
        "scorekeeper",
        200,
        "/games/{game}/deals/1/seats/2/cards",
    ),
    _get(f"{GAME}/deals/left-over", "viewer", 200, "/games/{game}/deals/left-over?hand=7H+7S+7D"),
    _post(f"{GAME}/deals/<int:position>", "scorekeeper", 303, only="2", **{"seat2-cards": "Q"}),
]

READ = [row for row in ROWS if row.method == "GET"]
