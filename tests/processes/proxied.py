"""A real proxy with https in front of a real server, set up by the snippets of docs/hosting.md."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes.served import PROJECT
from tests.support.patience import HANGS

NGINX = """
daemon off;
user root;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{snippet}
}}
"""
CADDY = """
{{
    admin off
    skip_install_trust
    auto_https disable_redirects
    storage file_system {folder}/caddy
}}
{snippet}
"""


def snippet(name: str, page: str = "hosting") -> str:
    """A block of a page of docs, as it stands there."""
    text = (PROJECT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^```{re.escape(name)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(found)


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


@contextmanager
def proxied(folder: Path, kind: str, server: int) -> Iterator[int]:
    """Run the proxy of a snippet before the server at this port; gives the port of https."""
    port = free_port()
    words = snippet(kind).replace("127.0.0.1:5000", f"127.0.0.1:{server}")
    if kind.startswith("nginx"):
        command = _nginx(folder, words, port)
    else:
        command = _caddy(folder, words, port)
    log = (folder / "proxy.log").open("wb")
    process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    try:
        _wait_for(port, process, folder)
        yield port
    finally:
        process.terminate()
        process.wait(HANGS)
        log.close()


def _nginx(folder: Path, words: str, port: int) -> list[str]:
    certificate, key = folder / "cards.crt", folder / "cards.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    words = words.replace("/etc/ssl/cards.example.org.crt", str(certificate))
    words = words.replace("/etc/ssl/cards.example.org.key", str(key))
    words = words.replace("listen 443", f"listen 127.0.0.1:{port}")
    words = words.replace("cards.example.org", "localhost")
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, snippet=words))
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def _caddy(folder: Path, words: str, port: int) -> list[str]:
    inside = words.replace("cards.example.org {", f"https://localhost:{port} {{\n    tls internal")
    (folder / "Caddyfile").write_text(CADDY.format(folder=folder, snippet=inside))
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def _wait_for(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until the proxy speaks https."""
    for _ in range(600):
        assert process.poll() is None, (folder / "proxy.log").read_text()
        try:
            with socket.create_connection(("localhost", port), 5) as raw:
                unchecked().wrap_socket(raw, server_hostname="localhost").close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError((folder / "proxy.log").read_text())


def unchecked() -> ssl.SSLContext:
    """Believe any certificate: ours is made for one test."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
