"""What went wrong, on a page of the product and in a sentence, never a trace."""

from __future__ import annotations

from flask import (
    Flask,
    Response,
    current_app,
    g,
    jsonify,
    make_response,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue as Page
from flask_limiter import RateLimitExceeded
from limits import RateLimitItemPerHour
from limits.strategies import FixedWindowRateLimiter
from werkzeug.exceptions import (
    HTTPException,
    MethodNotAllowed,
    SecurityError,
)

from companion.cards import Refusal
from companion.phones.attempts import TooManyError
from companion.phones.gate import BusyError
from companion.store.authors import NotAllowedError
from companion.store.database import SettingError
from companion.store.schema import refuse_behind
from companion.store.trouble import TROUBLES, trouble

from .guard import asks_a_program
from .limits import Counters
from .newcomers import ClosedError

ERROR_MESSAGES = {
    400: ("This arrived incomplete", "Go back and send it again; nothing was changed."),
    401: ("This needs a program's token", "Its owner makes one on the league's page of phones."),
    403: ("This came from another site", "Nothing was changed. Open the page here and try again."),
    404: ("We can't find that page", "It may have been removed, or belong to another league."),
    405: ("That doesn't work here", "Nothing was changed. Go back to the page you came from."),
    413: ("That is too much", "Nothing was changed. Send less at once."),
}
MAY_NOT = "This phone may not do that"
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
UNKNOWN_HOST = ("Nothing is here under this name.", 400, PLAIN)
"""In place of a page: under a name that is not believed no page can have links."""
TOO_OFTEN = "Too many tries"
ONCE, OUTAGES = RateLimitItemPerHour(1), FixedWindowRateLimiter(Counters())
"""Of an outage that every request meets the log has one trace; the process that it is in knows."""
BUSY = ("Please wait a moment", "Others are being answered first. Try again in a few seconds.")
OUT_OF_REACH = "The scores can't be reached right now"
WAIT_A_MOMENT = 15
WAY_BACK = {
    "house": "rules.index",
    "people": "people.show",
    "removed": "removed.show",
    "seasons": "seasons.show",
}
"""Where a refusal leads back to, by the blueprint that refused; the table where it has a game."""
OTHERS = ("Something went wrong here", "Nothing was changed. Try again in a moment.")


def init_app(app: Flask) -> None:
    """Answer every fault with a page."""
    app.register_error_handler(HTTPException, _http_fault)
    app.register_error_handler(Refusal, lambda fault: refusal_page(str(fault), fault.status))
    app.register_error_handler(NotAllowedError, _not_allowed)
    app.register_error_handler(SecurityError, lambda _: UNKNOWN_HOST)
    app.register_error_handler(TooManyError, lambda fault: _too_often(str(fault), fault.seconds))
    app.register_error_handler(RateLimitExceeded, _limited)
    app.register_error_handler(BusyError, lambda fault: _fault_page(*BUSY, 503, fault.seconds))
    app.register_error_handler(ClosedError, lambda _: (closed_page(), 403))
    app.register_error_handler(SettingError, lambda fault: _away(str(fault)))
    for cause in TROUBLES:
        app.register_error_handler(cause, _out_of_reach)


def refusal_page(words: str, status: int, *, early: bool = False) -> Page:
    """Say in a sentence why something was not done, with the way back.

    `early`: an outbox may send it again once the table has come to it.
    """
    if asks_for_data():
        return jsonify(taken=False, words=words, early=early), status
    game_id = (request.view_args or {}).get("game_id")
    if game_id is None:
        back = url_for(WAY_BACK.get(request.blueprint or "", "home.front"))
    else:
        back = url_for("table.show", game_id=game_id)
    return render_template("refused.html", words=words, back=back), status


def closed_page() -> str:
    """Say to somebody without a league that this server is for those who were invited."""
    g.refusal = "This server is for those who were invited"
    return render_template("home/closed.html")


def asks_for_data() -> bool:
    """Return whether a script asks, which shows the words itself."""
    return request.accept_mimetypes.best == "application/json"


def _fault_page(title: str, words: str, status: int, seconds: int = 0) -> Response:
    """Say what went wrong, to whoever asked and in the log; `seconds` is when to try again."""
    g.refusal = title
    if asks_a_program():
        answer = jsonify(words=f"{title}. {words}", faults=[], doubts=[])
    elif asks_for_data():
        answer = jsonify(taken=False, words=f"{title}. {words}", early=False)
    else:
        again = status in (429, 500, 503) and ("page" if request.method == "GET" else "form")
        answer = make_response(render_template("fault.html", title=title, words=words, again=again))
    answer.status_code = status
    if seconds:
        answer.headers["Retry-After"] = str(seconds)
    return answer


def _http_fault(fault: HTTPException) -> Response:
    code = fault.code or 500
    title, words = getattr(fault, "sentences", None) or ERROR_MESSAGES.get(code, OTHERS)
    answer = _fault_page(title, words, code)
    if code == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(fault, MethodNotAllowed) and fault.valid_methods:
        answer.allow.update(sorted(fault.valid_methods))  # RFC 9110, 15.5.6
    return answer


def _not_allowed(fault: NotAllowedError) -> Response:
    answer = _fault_page(MAY_NOT, f"{fault} Nothing was changed.", 403)
    g.refusal = str(fault)
    return answer


def _out_of_reach(fault: Exception) -> Response:
    """Ask to wait where the disk or the database does not answer; the outbox sends it again."""
    words = trouble(fault)
    if not words:
        try:
            refuse_behind()
        except SettingError as behind:
            return _away(str(behind))
        # No trouble from outside but a fault of our own: it is logged with its trace.
        raise fault
    if OUTAGES.hit(ONCE, words):
        current_app.logger.error("%s", words, exc_info=fault)
    return _away(words)


def _away(words: str) -> Response:
    waits = f"{words} Nothing was changed. Try again in a moment."
    answer = _fault_page(OUT_OF_REACH, waits, 503, WAIT_A_MOMENT)
    g.refusal = words
    return answer


def _limited(fault: RateLimitExceeded) -> Response:
    seconds = fault.limit.limit.get_expiry()
    wait = "an hour" if seconds > 60 else "a minute"
    return _too_often(f"Nothing was changed. Wait {wait}, then try again.", seconds)


def _too_often(words: str, seconds: int) -> Response:
    return _fault_page(TOO_OFTEN, words, 429, seconds)
