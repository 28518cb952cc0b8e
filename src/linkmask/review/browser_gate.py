"""Admits the browser that was given the address, on this machine, from this very page."""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from secrets import token_urlsafe

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
ENTER = "/enter"
"""Where the token is exchanged for a cookie, once."""
SAFE = ("GET", "HEAD")
WELCOME = (
    '<!doctype html><link rel="icon" href="data:,">'
    '<meta http-equiv="refresh" content="0;url=/"><a href="/">Go on</a>'
)
"""Leads to the page from within this site: after a redirect, a strict cookie would not be sent."""
BODY = 2 << 20
"""Bytes of a form at most."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every answer carries: nothing is kept, framed, sniffed, or loaded from elsewhere."""


class BrowserGate:
    """Lets one browser in, by a token that serves once, and passes on what it asks.

    Host must be this very address, so that no other name leads here (DNS rebinding). What changes
    something must come from this page: its Origin must be the page's.

    Args:
        app: what answers those who are let in.
        port: where it listens on 127.0.0.1.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._host = f"{LOOPBACK}:{port}"
        self._origin = f"http://{self._host}"
        self._cookie = f"linkmask-{port}"
        self._token = token_urlsafe(32)
        self._secret = token_urlsafe(32)

    @property
    def address(self) -> str:
        """The address to open, with the token; it is used up by the first visit."""
        return f"{self._origin}{ENTER}?token={self._token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        request = Request(scope)
        answer = self._refusal(request) or self._entered(request)
        if answer is None and not self._has_secret(request.headers):
            answer = PlainTextResponse(
                "This page belongs to a review on this machine: open the address that linkmask "
                "review printed. It serves once; start the command again for another one.",
                403,
            )
        await (answer or self._app)(scope, receive, guarded)

    def _refusal(self, request: Request) -> Response | None:
        """Refuse what does not come from this page on this machine."""
        headers = request.headers
        if headers.getlist("host") != [self._host]:
            return PlainTextResponse("Wrong Host.", 403)
        origin = headers.get("origin")
        if origin != self._origin and (origin is not None or request.method not in SAFE):
            return PlainTextResponse("Wrong Origin.", 403)
        elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if elsewhere and request.url.path != ENTER:
            return PlainTextResponse("Asked from another site.", 403)
        if not headers.get("content-length", "0").isdigit():
            return PlainTextResponse("Wrong Content-Length.", 400)
        if int(headers.get("content-length", "0")) > BODY or "transfer-encoding" in headers:
            return PlainTextResponse("Too large.", 413)
        return None

    def _entered(self, request: Request) -> Response | None:
        """Exchange the token for the cookie; None for any other request."""
        if request.url.path != ENTER:
            return None
        given = request.query_params.get("token", "")
        if not self._token or not hmac.compare_digest(given.encode(), self._token.encode()):
            again = self._has_secret(request.headers)  # a reload of the first address
            return HTMLResponse(WELCOME) if again else PlainTextResponse("Wrong token.", 403)
        self._token = ""
        answer = HTMLResponse(WELCOME)
        answer.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict", path="/")
        return answer

    def _has_secret(self, headers: Headers) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        given = cookies[self._cookie].value if self._cookie in cookies else ""
        return hmac.compare_digest(given.encode(), self._secret.encode())
