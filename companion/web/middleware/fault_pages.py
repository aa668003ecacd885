"""What went wrong, on a page of the product and in a sentence, never a trace."""

from __future__ import annotations

from flask import Flask, Response, current_app, jsonify, render_template, request
from flask_limiter import RateLimitExceeded
from werkzeug.exceptions import (
    HTTPException,
    InternalServerError,
    MethodNotAllowed,
    SecurityError,
)

from companion.phones.attempts import TooManyError
from companion.store.authors import NotAllowedError
from companion.store.trouble import TROUBLES, trouble
from companion.web.middleware.gates import BusyError
from companion.web.middleware.guard import NotAnyMoreError, NotForYouError, asks_a_program
from companion.web.middleware.newcomers import ClosedError

SENTENCES = {
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
BUSY = ("Please wait a moment", "Others are being answered first. Try again in a few seconds.")
OUT_OF_REACH = "The scores can't be reached right now"
WAIT_A_MOMENT = 15
OTHERS = ("Something went wrong here", "Nothing was changed. Try again in a moment.")


def init_app(app: Flask) -> None:
    """Answer every fault with a page."""
    app.register_error_handler(HTTPException, _page)
    app.register_error_handler(InternalServerError, _page)
    app.register_error_handler(NotAllowedError, _not_allowed)
    app.register_error_handler(SecurityError, lambda _: UNKNOWN_HOST)
    app.register_error_handler(TooManyError, lambda fault: _wait(str(fault), fault.seconds))
    app.register_error_handler(RateLimitExceeded, _slow_down)
    app.register_error_handler(BusyError, _busy)
    app.register_error_handler(ClosedError, lambda _: (closed_page(), 403))
    for cause in TROUBLES:
        app.register_error_handler(cause, _out_of_reach)


def _out_of_reach(fault: Exception) -> tuple[str | Response, int, dict[str, str]]:
    """Ask to wait where the disk or the database does not answer; the outbox sends it again."""
    words = trouble(fault)
    if not words:
        raise fault
    current_app.logger.error("%s", words, exc_info=fault)
    told = _told(OUT_OF_REACH, f"{words} Nothing was changed. Try again in a moment.")
    return told, 503, {"Retry-After": str(WAIT_A_MOMENT)}


def refusal_page(words: str, back: str, status: int = 422) -> tuple[str, int]:
    """Say in a sentence why something was not done, with the way back."""
    return render_template("refused.html", words=words, back=back), status


def closed_page() -> str:
    """Say to somebody without a league that this server is for those who were invited."""
    return render_template("home/closed.html")


def asks_for_data() -> bool:
    """Return whether a script asks, which shows the words itself."""
    return request.accept_mimetypes.best == "application/json"


def _page(fault: HTTPException) -> tuple[str | Response, int, dict[str, str]]:
    code = fault.code or 500
    asked = {"WWW-Authenticate": "Bearer"} if code == 401 else {}
    if isinstance(fault, MethodNotAllowed) and fault.valid_methods:
        asked["Allow"] = ", ".join(sorted(fault.valid_methods))  # RFC 9110, 15.5.6
    if isinstance(fault, NotForYouError | NotAnyMoreError):
        return _told(*fault.told), code, asked
    title, words = SENTENCES.get(code, OTHERS)
    return _told(title, words), code, asked


def _not_allowed(fault: NotAllowedError) -> tuple[str | Response, int]:
    return _told(MAY_NOT, f"{fault} Nothing was changed."), 403


def _told(title: str, words: str) -> str | Response:
    if asks_a_program():
        return jsonify(words=f"{title}. {words}", faults=[], doubts=[])
    if asks_for_data():
        return jsonify(taken=False, words=f"{title}. {words}", early=False)
    return render_template("fault.html", title=title, words=words)


def _slow_down(fault: RateLimitExceeded) -> tuple[str | Response, int, dict[str, str]]:
    seconds = fault.limit.limit.get_expiry()
    wait = "an hour" if seconds > 60 else "a minute"
    return _wait(f"Nothing was changed. Wait {wait}, then try again.", seconds)


def _busy(fault: BusyError) -> tuple[str | Response, int, dict[str, str]]:
    return _told(*BUSY), 503, {"Retry-After": str(fault.seconds)}


def _wait(words: str, seconds: int) -> tuple[str | Response, int, dict[str, str]]:
    return _told(TOO_OFTEN, words), 429, {"Retry-After": str(seconds)}
