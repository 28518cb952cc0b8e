"""Routes addresses to handlers, and refuses all other requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from linkmask.errors import LinkmaskError, RunError
from linkmask.report import page as report_page
from linkmask.review import actions, views
from linkmask.review.record import StaleVersion
from linkmask.review.session import ReviewSession

STATIC = Path(__file__).parent / "static"
FILES = {
    "review.css": (STATIC / "review.css", "text/css"),
    "page.css": (Path(report_page.__file__).parent / "page.css", "text/css"),
    "review.js": (STATIC / "review.js", "text/javascript"),
    "htmx.min.js": (STATIC / "htmx.min.js", "text/javascript"),
    "idiomorph-ext.min.js": (STATIC / "idiomorph-ext.min.js", "text/javascript"),
}
"""All that the pages load, by name."""

Handler = Callable[[ReviewSession, Request], Awaitable[Response]]


def static(request: Request) -> Response:
    """A file that the pages load."""
    media = FILES.get(request.path_params["name"])
    return Response(media[0].read_bytes(), media_type=media[1]) if media else Response("", 404)


ROUTES: list[tuple[str, str, Handler]] = [
    ("GET", "/", views.entities),
    ("GET", "/what-if", views.what_if),
    ("GET", "/value/{label}", views.value),
    ("GET", "/documents", views.documents),
    ("GET", "/document/{number:int}", views.document),
    ("GET", "/links", views.links),
    ("GET", "/sample", views.sample),
    ("GET", "/riskiest", views.riskiest),
    ("GET", "/decisions", views.decisions),
    ("GET", "/decisions.toml", views.export),
    ("GET", "/since", views.since),
    ("GET", "/protocol", views.protocol),
    ("POST", "/decide", actions.decide),
    ("POST", "/correct", actions.correct),
    ("POST", "/limits", actions.limits),
    ("POST", "/missed", actions.missed),
    ("POST", "/sample", actions.draw_sample),
    ("POST", "/read", actions.read),
    ("POST", "/looked", actions.looked),
    ("POST", "/undo", actions.undo),
    ("POST", "/apply", actions.apply),
    ("POST", "/approve", actions.approve),
    ("POST", "/visit", actions.sign_visit),
]


def make_app(review: ReviewSession) -> Starlette:
    """Return the application on a review; one request is answered after the other."""

    def bound(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                review.refresh()
                return await handler(review, request)
            except (StaleVersion, RunError) as error:
                return views.framed_page(review, request, "refused", 409, why=str(error))
            except LinkmaskError as error:
                return views.framed_page(review, request, "refused", 422, why=str(error))

        return answer

    routes = [Route(path, bound(handler), methods=[method]) for method, path, handler in ROUTES]
    return Starlette(routes=[*routes, Route("/static/{name}", static, methods=["GET"])])
