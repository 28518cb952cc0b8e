"""Sends bytes to a server and back over httpx's bare transport; it follows no redirect."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.version import __version__

if TYPE_CHECKING:
    import httpx

LARGEST = 64 << 20
"""Bytes of a reply beyond which it is not read on."""

CONNECT = 10.0
"""Seconds until a server must have taken the connection."""


DOWN = "is it running? Start it"
SLOW = "raise llm_timeout, or ask less at once (llm_connections)"


class TryFailed(Exception):  # noqa: N818 - what the try did
    """One try failed; another may not. `wait`: seconds the server asks for; `hint`: what helps."""

    def __init__(
        self, message: str, *, wait: float = 0.0, busy: bool = False, there: bool = True,
        hint: str = DOWN,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.wait, self.busy, self.there, self.hint = wait, busy, there, hint


class Transport:
    """Connections to one server, kept and used again; any thread may send.

    No cookies, redirects or credentials of other files: what is not there can't be misused, and
    the CPU per request is a third less than with `httpx.Client`.

    Raises:
        SettingsError: the URL, the key or the proxy can't be used.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        self.base = base_url(settings.llm_url)
        self.clock = clock
        self._headers = _headers(settings)
        self._http = _transport(settings, self.base)
        self._urls: dict[str, httpx.URL] = {}

    def send(
        self, method: str, url: str, body: bytes, seconds: float
    ) -> tuple[int, httpx.Headers, bytes]:
        """Send one request, read the body to its end; return status, headers and body.

        Raises:
            TryFailed: the body is too large, or takes too long.
            httpx.HTTPError: the connection failed.
        """
        import httpx

        until = self.clock() + seconds
        if url not in self._urls:
            self._urls[url] = httpx.URL(url)
        waits = {"connect": CONNECT, "read": seconds, "write": seconds, "pool": None}
        request = httpx.Request(
            method, self._urls[url], headers=self._headers, content=body,
            extensions={"timeout": waits},
        )  # fmt: skip
        response = self._http.handle_request(request)
        parts: list[bytes] = []
        size = 0
        try:
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > LARGEST:
                    raise TryFailed("sends more than an answer can be")
                if self.clock() > until:
                    raise TryFailed(f"takes longer than {seconds:g} s", hint=SLOW)
        finally:
            response.close()
        return response.status_code, response.headers, b"".join(parts)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()


def base_url(url: str) -> str:
    """Return where the server's API begins: `/v1` where the URL names no path.

    Raises:
        SettingsError: it is no http or https URL, or holds what belongs elsewhere.
    """
    if not url:
        raise SettingsError(
            "llm_url is empty: name a server, such as --llm-url http://127.0.0.1:11434/v1"
        )
    try:
        parts = urlsplit(url)
        port_fits = parts.port is None or parts.port > 0
    except ValueError:
        raise SettingsError("llm_url is no URL") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_fits:
        raise SettingsError("llm_url must look like http://127.0.0.1:11434/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise SettingsError(
            "llm_url holds a user, query or fragment: a key goes into the environment, "
            "and the variable's name into llm_key_env"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def _headers(settings: Settings) -> list[tuple[bytes, bytes]]:
    """Return the headers of every request; the key is read here and kept nowhere else.

    Raises:
        SettingsError: the environment holds no key where `llm_key_env` says.
    """
    headers = [
        (b"content-type", b"application/json"),
        (b"accept", b"application/json"),
        (b"accept-encoding", b"identity"),
        (b"user-agent", f"linkmask/{__version__}".encode()),
    ]
    if name := settings.llm_key_env:
        key = os.environ.get(name, "").strip()
        if not (key and key.isascii() and key.isprintable()):
            raise SettingsError(f"the environment holds no key in {name} (named by llm_key_env)")
        headers.append((b"authorization", f"Bearer {key}".encode()))
    return headers


def _transport(settings: Settings, base: str) -> httpx.HTTPTransport:
    """Return the connections to a server; by way of a proxy only if that is asked for.

    `trust_env` is about certificates here (`SSL_CERT_FILE`), not about proxies.

    Raises:
        SettingsError: the environment names a proxy that can't be used.
    """
    import httpx

    connections = settings.llm_connections
    parts = urlsplit(base)
    proxy = None
    if settings.llm_proxies and not proxy_bypass(parts.netloc):
        proxies = getproxies()
        proxy = proxies.get(parts.scheme) or proxies.get("all")
    try:
        return httpx.HTTPTransport(
            verify=proxy is not None or parts.scheme == "https",  # else a tenth of a second, unused
            proxy=proxy,
            trust_env=True,
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        )
    except (ValueError, ImportError, httpx.InvalidURL):
        raise SettingsError("the environment names a proxy that can't be used") from None
