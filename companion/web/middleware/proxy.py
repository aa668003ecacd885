"""What a proxy in front says of a request, believed from the proxy's own address alone."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any

from werkzeug.middleware.proxy_fix import ProxyFix

from companion.store.database import SettingError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PREFIX",
)
MORE = ("host", "prefix")
MOST_HOPS = 9
UNIX = "unix"
log = logging.getLogger(__name__)


def _words(text: str) -> list[str]:
    return [word for word in text.replace(",", " ").lower().split() if word]


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise SettingError(f"PROXY_ADDRESSES: {text} is no address.") from None


class BehindProxy:
    """The app behind a proxy: who asks, over what, under which name and path.

    Headers of anybody else are dropped. A server that finds them without a proxy in its settings
    says so once: behind an unknown proxy all phones look like one, and https looks like http.
    """

    def __init__(self, app: WSGIApplication, config: Mapping[str, Any]) -> None:
        """Read `PROXY_HOPS`, `PROXY_ADDRESSES` and `PROXY_HEADERS`.

        Raises `SettingError` in a sentence for what makes no sense.
        """
        hops = str(config["PROXY_HOPS"])
        if not hops.isascii() or not hops.isdecimal() or int(hops) > MOST_HOPS:
            raise SettingError(f"PROXY_HOPS must be a small whole number, not {hops}.")
        addresses, more = _words(config["PROXY_ADDRESSES"]), _words(config["PROXY_HEADERS"])
        if unknown := set(more) - set(MORE):
            raise SettingError(f"PROXY_HEADERS knows host and prefix, not {min(unknown)}.")
        self.plain, self.warned, self.hops = app, False, int(hops)
        self.networks = [_network(text) for text in addresses if text != UNIX]
        self.on_socket = UNIX in addresses
        # A proxy that does not set the last two hands on whatever the client sent.
        also = {f"x_{name}": self.hops if name in more else 0 for name in MORE}
        self.behind = ProxyFix(app, x_for=self.hops, x_proto=self.hops, **also)

    def _believes(self, address: str) -> bool:
        """Return whether a request from this address comes from the proxy."""
        if not address or address == UNIX:
            return self.on_socket
        try:
            asking = ip_address(address)
        except ValueError:
            return False
        # On a socket for both versions a proxy at 127.0.0.1 speaks from ::ffff:127.0.0.1.
        asking = getattr(asking, "ipv4_mapped", None) or asking
        return any(asking in network for network in self.networks)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if self.hops and self._believes(environ.get("REMOTE_ADDR", "")):
            return self.behind(environ, start_response)
        found = [name for name in FORWARDED if environ.pop(name, None) is not None]
        if found and not self.warned:
            self.warned = True
            log.warning(self._warning(environ.get("REMOTE_ADDR", "") or UNIX))
        return self.plain(environ, start_response)

    def _warning(self, address: str) -> str:
        if self.hops:
            return (
                f"A request from {address} says what a proxy says, and was not believed: name the "
                "proxy's address in PROXY_ADDRESSES if it is one."
            )
        return (
            f"A request came through a proxy at {address}, and PROXY_HOPS is not set: all phones "
            "behind it count as one, and https is taken for http. See docs/hosting.md."
        )
