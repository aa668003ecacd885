"""What went wrong, on a page of the product and in a sentence, never a trace."""

from __future__ import annotations

from flask import Flask, render_template
from werkzeug.exceptions import HTTPException, InternalServerError

from companion.league.devices import NotAllowedError

from .guard import NotForYouError

SENTENCES = {
    400: ("This did not arrive whole", "Go back and send it again; nothing was changed."),
    403: ("This came from another site", "Nothing was changed. Open the page here and try again."),
    404: ("Nothing is here", "There is no such page, or it belongs to another league."),
    405: ("That does not work here", "Nothing was changed. Go back to the page you came from."),
    413: ("That is too much", "Nothing was changed. Send less at once."),
}
OTHERS = ("Something went wrong here", "Nothing was changed. Try it again in a moment.")


def init_app(app: Flask) -> None:
    """Answer every fault with a page."""
    app.register_error_handler(HTTPException, _page)
    app.register_error_handler(InternalServerError, _page)
    app.register_error_handler(NotAllowedError, lambda _: _page(NotForYouError("viewer")))


def _page(fault: HTTPException) -> tuple[str, int]:
    code = fault.code or 500
    title, words = fault.told if isinstance(fault, NotForYouError) else SENTENCES.get(code, OTHERS)
    return render_template("fault.html", title=title, words=words), code
