"""What a browser keeps of a league goes with the first answer after its phone is in it no more.

Browsers listen over https and on the server's own machine only; on plain http going back may show
a page as it was.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, g, request

from companion.games.memberships import latest_departure
from companion.store.authors import token_hash
from companion.store.models import db

from .guard import cookie_name, device_token, my_leagues, remember

LEFT = "left"
OWN_MACHINE = ("localhost", "127.0.0.1", "::1")


def forget_league(answer: Response) -> None:
    """Ask the browser to forget its pages, once after each removal or departure of this phone.

    Who is in no league forgets everything. Who is in another keeps what waits to be sent there:
    the service worker forgets its pages where it sees this on a page it fetched (`sw.js`).
    """
    if not _may_have_left(answer):
        return
    departed = latest_departure(db.session(), token_hash(device_token()))
    if departed is None or request.cookies.get(cookie_name(LEFT)) == str(departed):
        return
    stays = bool(my_leagues())
    answer.headers["Clear-Site-Data"] = '"cache"' if stays else '"cache", "storage"'
    # The worker sees navigations only: after any other request it still has to be told.
    if stays and request.headers.get("Sec-Fetch-Mode") != "navigate":
        return
    remember(answer, cookie_name(LEFT), str(departed))


def _may_have_left(answer: Response) -> bool:
    # Where nobody asked whose phone this is an answer asks no database for it.
    if "leagues" not in g or g.new_token or answer.status_code >= 500:
        return False
    if not request.is_secure and not on_own_machine():
        return False
    return answer.status_code in (403, 404) or not my_leagues()


def on_own_machine() -> bool:
    """Return whether the server was asked by a name that only its own machine knows it by."""
    return urlsplit(request.host_url).hostname in OWN_MACHINE
