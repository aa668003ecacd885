"""Who is asking, and what they may do: one guard before every page, and nothing is open by itself.

A viewer reads; a player enters and corrects their own hand of the running deal; a scorekeeper does
everything in a game; an owner everything in the league. A view that says nothing needs a viewer to
be read and a scorekeeper to be written to.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import unwrap
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from flask import Flask, abort, current_app, g, redirect, request, url_for
from werkzeug.exceptions import Forbidden, NotFound, Unauthorized
from werkzeug.wrappers import Response

from companion.games.memberships import Membership, memberships, was_put_out
from companion.games.reading import StoredGame, league_of_game, load_game
from companion.phones.joining import rename_phone
from companion.phones.presence import note_presence
from companion.store.authors import Author, Newcomer, Role, Writer, token_hash
from companion.store.dates import read_zone, zone
from companion.store.event_log import log_refusal
from companion.store.models import db
from companion.store.trouble import TROUBLES

from . import newcomers
from .device_cookie import UNPROVED, Cookie, new_cookie
from .plain_request import plain
from .user_agents import my_phone_name

View = TypeVar("View", bound=Callable[..., Any])
COOKIE = "device"
LEAGUE_COOKIE = "league"
COOKIE_LIFE = 400 * 24 * 3600  # browsers keep no cookie longer
ROLE_DENIED: dict[Role, tuple[str, str]] = {
    "owner": (
        "Only the owner can change this",
        "Nothing was changed. Ask an owner of the league.",
    ),
    "scorekeeper": (
        "Only the scorekeeper can do this",
        "Nothing was changed. Ask the scorekeeper to do it, or to let you.",
    ),
    "player": (
        "This phone is just watching",
        "Nothing was changed. Ask the scorekeeper for a seat at the table.",
    ),
    "viewer": (
        "This phone is no longer in the league",
        "Nothing was changed. Ask for the code to scan, and join again.",
    ),
}
NEW_LEAGUE = "Our league"
"""What a league is called until its people say."""
READING = ("GET", "HEAD", "OPTIONS")
JOIN_PAGE = "join.show"
SECRETS = {"token", "code"}
"""Parts of an address that open something: whoever guesses at them is counted."""
PROGRAMS = "/api/"
"""Below this address programs ask, with a token: cookies count for nothing there."""


class Access(NamedTuple):
    """Who may have a view: a least role, None for everybody; `strangers` to open a league."""

    least: Role | None
    strangers: bool = False


_access: dict[Callable[..., Any], Access] = {}


class ForbiddenError(Forbidden):
    """Something that the asking device's role does not cover."""

    def __init__(self, least: Role = "owner") -> None:
        super().__init__()
        self.sentences = ROLE_DENIED[least]
        g.lacked = least


class NoLongerInLeagueError(NotFound):
    """A game of a league that the asking device was in once."""

    sentences = (
        "This phone is no longer in this league",
        "An owner removed it, or it left. Scan the table's QR code to come back.",
    )


def init_app(app: Flask) -> None:
    """Put the guard before every view."""
    app.before_request(_guard)


def asks_a_program() -> bool:
    """Return whether what was asked for is for programs, also where nothing is there."""
    return request.path.startswith(PROGRAMS)


def public(view: View) -> View:
    """Mark a view that answers a stranger."""
    _access[unwrap(view)] = Access(None)
    return view


def needs(least: Role, *, strangers: bool = False) -> Callable[[View], View]:
    """Mark a view with the least role that it answers.

    `strangers`: whoever has no league may as well, for it opens one of their own.
    """

    def mark(view: View) -> View:
        _access[unwrap(view)] = Access(least, strangers)
        return view

    return mark


def _guard() -> Response | None:
    """Deny by default: a stranger sees only public views, another site can post nothing."""
    # A NUL in an address would reach a statement, and PostgreSQL refuses it with an error.
    if plain(request.path) != request.path:
        abort(404)
    # As `times.js` keeps it: evenings are dated where they are played.
    zone.set(read_zone(request.cookies.get("zone", "")))
    _know_the_phone()
    _refuse_by_method()
    view = current_app.view_functions.get(request.endpoint or "")
    # Routing's own 404 and 405 are raised after the guard; files are everybody's.
    if view is None or request.endpoint == "static":
        return None
    usual = Access("viewer" if request.method in READING else "scorekeeper")
    least, strangers = _access.get(unwrap(view), usual)
    g.least = least or "viewer"
    if least is None:
        return None
    if strangers and not my_leagues():
        newcomers.refuse_if_closed()
        return None
    league = _league_here()
    if league is None:
        return _answer_a_stranger()
    if not league.may(least):
        # With one league the game was not looked up: only a refusal does it.
        if "game_id" in (request.view_args or {}) and _league_of_game() != league.league_id:
            abort(404)
        raise ForbiddenError(least)
    return None


def _answer_a_stranger() -> Response:
    """Lead to the front where a page was asked for; nothing else says what there is."""
    if asks_a_program():
        raise Unauthorized
    if request.method == "GET" and not (request.view_args or {}):
        return redirect(url_for("home.front"))
    league = None if g.new_token else _league_of_game()
    if league is not None and was_put_out(db.session(), token_hash(device_token()), league):
        raise NoLongerInLeagueError
    raise NotFound


def _know_the_phone() -> None:
    """Read the phone's cookie; what we did not make is no phone, unless it joined long ago.

    Earlier versions gave the token without proof: one that is in a league is taken, and proved
    from then on. Pages that such a phone had open before it joined anything still work.
    """
    if asks_a_program():
        sent = request.authorization
        token = sent.token or "" if sent and sent.type == "bearer" else ""
        g.cookie, g.new_token, g.renews_cookie = Cookie(token), not token, False
        return
    kept = request.cookies.get(cookie_name())
    # A phone that came by plain http is known over https too, and renewed under the other name.
    text = kept or request.cookies.get(COOKIE) or ""
    cookie, is_new = Cookie.read(text), False
    if cookie is None and UNPROVED.fullmatch(text):
        is_new = not memberships(db.session(), token_hash(text))
        cookie = new_cookie([text]) if is_new else Cookie(text)
    g.cookie, g.new_token = cookie or new_cookie(), cookie is None or is_new
    g.renews_cookie = not kept or g.new_token or g.cookie.is_old


def _refuse_by_method() -> None:
    """Refuse what another site posts, and guesses that would not be counted.

    A wrong guess at a secret address is written down; whoever asks only for the headers changes
    nothing, and so may not guess. A messenger that looks at a join link before it shows it is
    answered as the page is, and is limited with those who open it.
    """
    if request.method not in READING and not _same_origin():
        abort(403)
    is_secret = SECRETS & (request.view_args or {}).keys() and request.endpoint != JOIN_PAGE
    if request.method == "HEAD" and is_secret:
        abort(405)


def _league_of_game() -> int | None:
    """Return the league of the game in the address, asked once a request; None for no game."""
    if "game_league" not in g:
        game = (request.view_args or {}).get("game_id")
        g.game_league = None if game is None else league_of_game(db.session(), game)
    league: int | None = g.game_league
    return league


def _same_origin() -> bool:
    origin = request.headers.get("Origin")
    if origin is None:  # a program, or an old browser; plain http on a home network says no more
        return request.headers.get("Sec-Fetch-Site") != "cross-site"
    return origin == request.host_url.rstrip("/")


def cookie_name(cookie: str = COOKIE) -> str:
    """Return what a cookie of ours is called: over https a name that no other site can set.

    A browser takes `__Host-` only over https, for this very host and the path `/`, also where the
    app stands below another path.
    """
    return f"__Host-{cookie}" if request.is_secure else cookie


def device_token() -> str:
    """Return the asking device's own token."""
    token: str = g.cookie.token
    return token


def rotated_token() -> str:
    """Return the token with which the asking device gains a right: a new one.

    A phone that is in leagues already gains it with the one it has and is renewed afterwards, in
    all of them; `renew_phone` does so once the answer says that it came to something.
    """
    form = request.form.get("csrf_token", "")
    g.gained = g.cookie.renewed(form)
    token: str = device_token() if my_leagues() else g.gained.token
    return token


def renew_phone(response: Response) -> None:
    """Let a phone that gained a right have its new token."""
    gained: Cookie | None = g.pop("gained", None)
    # Every gain of a right is answered by 303; after a refusal the old token must stay good.
    if gained is None or response.status_code != 303:
        return
    if my_leagues():
        # A phone that was in no league joined with the new token already.
        try:
            rename_phone(device_token(), gained.token)
        except TROUBLES:
            # What the phone came for is done, and the token that it has stays good.
            log_refusal("phone not renewed")
            return
    g.cookie, g.renews_cookie = gained, True


def my_leagues() -> list[Membership]:
    """List the leagues of the asking device, the chosen one first, asked once a request."""
    if "leagues" not in g:
        known = not g.new_token
        mine = memberships(db.session(), token_hash(device_token())) if known else []
        chosen = request.cookies.get(cookie_name(LEAGUE_COOKIE), "")
        g.leagues = sorted(mine, key=lambda one: str(one.league_id) != chosen)
    leagues: list[Membership] = g.leagues
    return leagues


def forget_the_phone() -> None:
    """Ask once more which leagues the asking phone is in: time has passed since it was asked."""
    for name in ("leagues", "game_league"):
        g.pop(name, None)


def my_league() -> Membership:
    """Return the league this request is about; 404 for whoever is not in it."""
    league = _league_here()
    if league is None:
        abort(404)
    return league


def _league_here() -> Membership | None:
    """Find the league of the game in the address, else the one that this device looks at."""
    leagues = my_leagues()
    # With one league the game is not looked up: a view that loads another league's answers 404,
    # and so the usual request costs a query less.
    if "game_id" not in (request.view_args or {}) or len(leagues) < 2:
        return leagues[0] if leagues else None
    return next((league for league in leagues if league.league_id == _league_of_game()), None)


def i_may(least: Role, *, strangers: bool = False) -> bool:
    """Return whether the asking device may do what needs this role, in the league asked about.

    `strangers` as in `needs`.
    """
    league = _league_here()
    if league:
        return league.may(least)
    return strangers and not my_leagues() and newcomers.is_open()


def author_in(league: Membership) -> Author:
    """Return the asking device as whoever writes; the write looks once more at what it may."""
    return Author(league.league_id, league.device_id, g.least)


def current_author() -> Author:
    """Return the asking device in a league whose games it may write; 404 where it has none."""
    mine = current_league()
    if mine is None:
        abort(404)
    # The view may be open to everybody: the write looks once more for the role that this needs.
    g.least = "scorekeeper"
    return author_in(mine)


def current_writer(league_name: str = "") -> Writer:
    """Return the asking device as whoever keeps something; without a league it opens its own."""
    if current_league():
        return current_author()
    return Newcomer(opening_token(), league_name or NEW_LEAGUE, my_phone_name())


def opening_token() -> str:
    """Return the token with which the asking device opens a league of its own.

    Raises `ClosedError` where nobody may, and `TooManyError` for one more of an address.
    """
    newcomers.count_new_league()
    return rotated_token()


def current_league() -> Membership | None:
    """Return the league in which a new game of the asking device is kept, None if it has none."""
    return next((league for league in my_leagues() if league.may("scorekeeper")), None)


def my_game(game_id: int) -> tuple[StoredGame, Author]:  # noqa: RET503
    """Load a game of one of the asking device's leagues; another league's answers 404."""
    for league in my_leagues():
        try:
            game = load_game(db.session(), league.league_id, game_id)
        except LookupError:
            continue
        return game, author_at(league, game_id)
    abort(404)


def author_at(league: Membership, game_id: int) -> Author:
    """Return the asking device as an author, and note that it shows this game."""
    author = author_in(league)
    note_presence(Path(current_app.instance_path), author, game_id)
    return author


def remember(response: Response, cookie: str, value: str) -> None:
    """Let the browser keep a value as long as browsers allow, out of reach of scripts."""
    response.set_cookie(
        cookie,
        value,
        max_age=COOKIE_LIFE,
        httponly=True,
        # Plain http at home is the first use: a secure cookie would never come back there.
        secure=request.is_secure,
        # With Strict a phone that follows a link in a message would arrive as a stranger.
        samesite="Lax",
    )


def choose_league(response: Response, league_id: int) -> Response:
    """Let the browser remember which of its leagues it looks at; the guard does not trust it."""
    remember(response, cookie_name(LEAGUE_COOKIE), str(league_id))
    return response
