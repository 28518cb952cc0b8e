"""Answers each request: admits, reads, decodes, counts and logs it."""

from __future__ import annotations

import asyncio
import logging
from time import perf_counter
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from linkmask.errors import TooMuchWork, UsageError
from linkmask.serve.access import TokenGate
from linkmask.serve.pool import Busy, TookTooLong, WorkerFailed
from linkmask.serve.routes import ROUTES
from linkmask.serve.service import HttpError, Reply, Route, Service, as_json

log = logging.getLogger("linkmask.serve")
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
NO_JSON = "The body is no valid JSON"
MALFORMED = "The browser (or proxy) sent a request that this server could not understand."
NO_ROUTE = (
    "The requested URL was not found on the server. If you entered the URL manually please check "
    "your spelling and try again."
)
NO_METHOD = "The method is not allowed for the requested URL."
KIND = (
    "Did not attempt to load JSON data because the request Content-Type was not 'application/json'."
)


def application(service: Service, doorkeeper: TokenGate) -> Starlette:
    """Return the application over a service."""
    return Starlette(
        routes=[
            StarletteRoute(one.path, _endpoint(one, service, doorkeeper), methods=[one.method])
            for one in ROUTES
        ],
        exception_handlers={HTTPException: _no_route},
    )


def _endpoint(route: Route, service: Service, doorkeeper: TokenGate) -> Any:
    async def endpoint(request: Request) -> Response:
        begun = perf_counter()
        headers = dict(HEADERS)
        try:
            reply = await _answer(route, service, doorkeeper, request)
        except Exception as error:
            fault = _fault(route, error)
            reply = as_json({"error": fault.message}, fault.status)
            headers |= fault.headers
        seconds = perf_counter() - begun
        service.metrics.answered(route.path, reply.status, seconds)
        log.info("%s %s %d %.0f ms", route.method, route.path, reply.status, seconds * 1000)
        return Response(reply.body, reply.status, headers, reply.kind)

    return endpoint


async def _answer(route: Route, service: Service, doorkeeper: TokenGate, request: Request) -> Reply:
    """Return the answer to a request."""
    if not route.open and not doorkeeper.admits(request.headers):
        raise HttpError(401, doorkeeper.refusal, {"WWW-Authenticate": "Bearer"})
    body = None
    if route.body is not None:
        data = await _read(request, service)
        body = _decoded(route, request.headers.get("content-type", ""), data)
    return await route.handler(service, body, request.query_params)


def _fault(route: Route, error: Exception) -> HttpError:
    """Return what is answered in place of a reply; it holds nothing of the request."""
    if isinstance(error, HttpError):
        return error
    if isinstance(error, Busy):
        message = "The service can't work on this now; try again later"
        if isinstance(error, TookTooLong):
            message = "The answer takes longer than --seconds; try again later, or send less text"
        return HttpError(503, message, {"Retry-After": "1"})
    if isinstance(error, TooMuchWork):
        return HttpError(413, "A text takes more work than max_work allows")
    if isinstance(error, UsageError):  # for those who run the service: it may name its files
        log.warning("%s %s: %s", route.method, route.path, error)
        return HttpError(409, "The service, or its run, can't do this")
    kind = (
        error.kind if isinstance(error, WorkerFailed) else type(error).__name__
    )  # no message: values
    log.error("%s %s failed: %s", route.method, route.path, kind)
    return HttpError(500, "Internal server error")


async def _read(request: Request, service: Service) -> bytes:
    """Return the body of a request.

    Raises:
        HttpError: it is too large, takes too long, or breaks off.
    """
    most = service.limits.body
    too_large = HttpError(413, f"A request may have {most} bytes", {"Connection": "close"})
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise too_large
    data = bytearray()
    try:
        async with asyncio.timeout(service.limits.seconds):
            async for chunk in request.stream():
                data += chunk
                if len(data) > most:
                    raise too_large
    except TimeoutError:
        raise HttpError(
            408, "The request did not arrive in time", {"Connection": "close"}
        ) from None
    except ClientDisconnect:
        raise HttpError(400, MALFORMED) from None
    return bytes(data)


def _decoded(route: Route, kind: str, data: bytes) -> Any:
    """Return a body as the type that a route takes.

    Raises:
        HttpError: it is no JSON, or not of this type. The message names types and fields of the
        route.
    """
    media = kind.partition(";")[0].strip().lower()
    if media != "application/json" and not (
        media.startswith("application/") and media.endswith("+json")
    ):
        raise HttpError(415, KIND)
    try:
        return msgspec.json.decode(data, type=route.body)
    except msgspec.ValidationError as error:
        message = str(error)
        if "unknown field" in message:  # its name may be a value
            message = f"Unknown field; there are: {', '.join(route.body.__struct_fields__)}"
        raise HttpError(400, message) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise HttpError(400, MALFORMED if route.body is Any else NO_JSON) from None


async def _no_route(request: Request, error: Exception) -> Response:
    """Answer where there is no route, or none with this method."""
    assert isinstance(error, HTTPException)
    message = NO_METHOD if error.status_code == 405 else NO_ROUTE
    body = msgspec.json.encode({"error": message})
    headers = {**HEADERS, **(error.headers or {})}
    return Response(body, error.status_code, headers, "application/json")
