"""Addresses → answers. Every handler is short: it reads what was asked, and fills in a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from linkmask.commands.decide import LIMITS
from linkmask.errors import LinkmaskError, RunError, UsageError
from linkmask.report import page as report_page
from linkmask.report.wording import count
from linkmask.review.decisions import REASONS, Stale
from linkmask.review.documents import LONGEST, SHORTEST
from linkmask.review.entities import DECIDED, SIZES, Query, by_risk, row, table
from linkmask.review.estimates import change, turned
from linkmask.review.opened import STATES, OpenedRun
from linkmask.review.pages import page
from linkmask.review.room import Room
from linkmask.review.sampling import CONFIDENCE, bounds, draw

STATIC = Path(__file__).parent / "static"
FILES = {
    "review.css": (STATIC / "review.css", "text/css"),
    "page.css": (Path(report_page.__file__).parent / "page.css", "text/css"),
    "review.js": (STATIC / "review.js", "text/javascript"),
    "htmx.min.js": (STATIC / "htmx.min.js", "text/javascript"),
    "idiomorph-ext.min.js": (STATIC / "idiomorph-ext.min.js", "text/javascript"),
}
"""All that the pages load, by name."""

FOUND = 100
"""Documents listed at most that hold a text."""
Handler = Callable[[Room, Request], Awaitable[Response]]


class Form:
    """What was sent: names with one value or more."""

    def __init__(self, given: dict[str, list[str]]) -> None:
        self._given = given

    @classmethod
    async def of(cls, request: Request) -> Form:
        """Read the form of a request.

        Raises:
            UsageError: it is no form.
        """
        try:
            text = (await request.body()).decode()
            return cls(parse_qs(text, keep_blank_values=True, max_num_fields=5_000))
        except ValueError:
            raise UsageError("the form can't be read, or names more than 5,000 values") from None

    def text(self, name: str) -> str:
        """Return the last value of a name, or ""."""
        return self._given.get(name, [""])[-1]

    def all(self, name: str) -> list[str]:
        """Return all values of a name."""
        return self._given.get(name, [])

    def number(self, name: str) -> int:
        """Return a whole number from 0 on.

        Raises:
            UsageError: it is none.
        """
        text = self.text(name)
        if not (text.isascii() and text.isdigit() and len(text) < 12):
            raise UsageError(f"{name} must be a number")
        return int(text)

    def back(self) -> str:
        """Return the page to go back to: one of ours, or the first."""
        given = self.text("back")
        ours = given.startswith("/") and not given.startswith("//") and given.isprintable()
        return given if ours and "\\" not in given else "/"


def unit(text: str, usual: float) -> float:
    """Read a number in [0, 1]; anything else is the usual one."""
    try:
        number = float(text)
    except ValueError:
        return usual
    return number if 0 <= number <= 1 else usual


def differing(opened: OpenedRun, limits: Mapping[str, float]) -> dict[str, float]:
    """Return the limits that are not those of the plan."""
    return {name: one for name, one in limits.items() if getattr(opened.settings, name) != one}


def rendered(room: Room, request: Request, name: str, status: int = 200, **data: Any) -> Response:
    """Return a page within its frame: the run, the plan, what is pending, what is to be said."""
    pending = room.decisions.pending
    address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    frame = {
        "run": room.folder.name,
        "reviewer": room.decisions.reviewer,
        "version": room.decisions.kept.version,
        "planned": room.planned,
        "estimate": room.estimated(),
        "pending": len(pending.mask) + len(pending.keep) + len(pending.lift) + len(pending.limits),
        "last_step": next((s for s in reversed(room.decisions.kept.steps) if not s.undone), None),
        "said": room.said(),
        "here": request.url.path,
        "back": address if request.method == "GET" else "/",
    }
    return HTMLResponse(page(name, **frame, **data), status)


# ── pages ───────────────────────────────────────────────────────────────────────────────────────


async def entities(room: Room, request: Request) -> Response:
    """The table of entities."""
    query = Query.of(request.query_params)
    found = table(room.decisions, room.estimated().plan, query)
    return rendered(
        room, request, "entities",
        query=query, table=found, types=room.opened.types, states=STATES, decided=DECIDED,
        sizes=SIZES, reasons=REASONS,
    )  # fmt: skip


async def decisions(room: Room, request: Request) -> Response:
    """The steps of this review, each to be undone."""
    named = room.opened.ids
    steps = [
        (step, [named[one] for one in step.entities if one in named])
        for step in reversed(room.decisions.kept.steps)
    ]
    return rendered(room, request, "decisions", steps=steps, opened=room.opened)


async def what_if(room: Room, request: Request) -> Response:
    """The plan under other limits, with what is pending."""
    opened, pending = room.opened, room.decisions.pending
    usual = {name: float(getattr(opened.settings, name)) for name in LIMITS} | {**pending.limits}
    limits = {name: unit(request.query_params.get(name, ""), usual[name]) for name in LIMITS}
    found = change(opened, room.estimated(), pending._replace(limits=differing(opened, limits)))
    return rendered(room, request, "what_if", limits=limits, found=found, opened=opened)


async def value(room: Room, request: Request) -> Response:
    """One value: where it stands, and what the other decision about it would come to."""
    opened = room.opened
    entity = opened.numbers.get(request.path_params["label"])
    if entity is None:
        return rendered(room, request, "refused", 404, why="This run holds no such value")
    now = room.estimated()
    state, after = opened.state(opened.plan), opened.state(now.plan)
    other = "keep" if entity in now.plan.masked else "mask"
    decided = turned(room.decisions.pending, opened.incidence.entities[entity], other)
    return rendered(
        room, request, "value",
        row=row(room.decisions, entity, state, after), other=other, reasons=REASONS,
        found=change(opened, now, decided), opened=opened, spellings=opened.spellings(entity),
    )  # fmt: skip


async def documents(room: Room, request: Request) -> Response:
    """The documents, riskiest first, or those that hold a text."""
    asked, page_ = request.query_params.get("q", "").strip(), request.query_params.get("page", "1")
    found = list(islice(room.texts.search(asked), FOUND + 1)) if asked else None
    listed = by_risk(room.opened, room.estimated().plan, page_)
    return rendered(
        room, request, "documents",
        q=asked, found=found, most=FOUND, listed=listed, opened=room.opened, types=types(room),
    )  # fmt: skip


async def document(room: Room, request: Request) -> Response:
    """One document before and after."""
    number = request.path_params["number"] - 1
    if not 0 <= number < room.opened.incidence.n_documents:
        return rendered(room, request, "refused", 404, why="This run holds no such document")
    now = room.estimated()
    return rendered(
        room, request, "document",
        number=number, last=room.opened.incidence.n_documents, types=types(room),
        title=room.opened.incidence.documents[number],
        views=room.texts.view(number, now), risks=(now.plan.before[number], now.plan.after[number]),
    )  # fmt: skip


async def sample(room: Room, request: Request) -> Response:
    """The next passage of the sample, and what those that were read prove."""
    drawn, plan = room.decisions.kept.sample, room.opened.digest
    if drawn is None:
        return rendered(room, request, "sample", drawn=None)
    given = request.query_params.get("at", "")
    asked = int(given) - 1 if given.isascii() and given.isdigit() and len(given) < 8 else None
    at = drawn.next(plan) if asked is None or asked not in range(len(drawn.passages)) else asked
    counted = drawn.counted(plan)
    return rendered(
        room, request, "sample",
        drawn=drawn, at=at, read=None if at is None else drawn.read.get(at),
        passage=[] if at is None else room.passage(drawn.passages[at]),
        bounds=bounds(counted), counted=len(counted), older=len(drawn.read) - len(counted),
        types=types(room), confidence=CONFIDENCE, plan=plan,
    )  # fmt: skip


def types(room: Room) -> list[str]:
    """Return the types that a value may have, those of the corpus first."""
    known = room.opened.types
    return [*known, *(t for t in room.opened.settings.entity_types.types if t not in known)]


# ── what changes something ──────────────────────────────────────────────────────────────────────


async def decide(room: Room, request: Request) -> Response:
    """Mask, keep or leave undecided what was chosen in the table."""
    form = await Form.of(request)
    numbers = room.opened.numbers
    chosen = [numbers[label] for label in form.all("entity") if label in numbers]
    known = form.text("reason"), form.text("words")
    choice = form.text("choice")
    room.decisions.decide(
        form.number("version"),
        dict.fromkeys(chosen),
        "" if choice == "undecided" else choice,
        *known,
    )
    return RedirectResponse(form.back(), 303)


async def limits(room: Room, request: Request) -> Response:
    """Decide on the limits."""
    form = await Form.of(request)
    usual = {name: float(getattr(room.opened.settings, name)) for name in LIMITS}
    given = {name: unit(form.text(name), usual[name]) for name in LIMITS}
    room.decisions.limit(form.number("version"), given)
    return RedirectResponse(form.back(), 303)


async def undo(room: Room, request: Request) -> Response:
    """Take a step back."""
    form = await Form.of(request)
    room.decisions.undo(form.number("version"), form.number("step"))
    return RedirectResponse(form.back(), 303)


async def apply(room: Room, request: Request) -> Response:
    """Make the plan that was decided."""
    form = await Form.of(request)
    room.apply(form.number("version"))
    room.say(
        "The plan holds every decision now. Release it with: "
        f"linkmask apply {room.folder} -o OUT --overwrite"
    )
    return RedirectResponse(form.back(), 303)


async def missed(room: Room, request: Request) -> Response:
    """Take a value that detection missed into the run, to be masked everywhere."""
    form = await Form.of(request)
    value = " ".join(form.text("value").split())
    if not SHORTEST <= len(value) <= LONGEST:
        raise UsageError(f"mark {SHORTEST} to {LONGEST} characters")
    found = room.mark(form.number("version"), value, form.text("type"))
    where = count(found.mentions, "place"), count(found.documents, "document")
    room.say(f"It was found in {' of '.join(where)}, and is masked there once this is the plan.")
    return RedirectResponse(form.back(), 303)


async def draw_sample(room: Room, request: Request) -> Response:
    """Draw a sample to be read."""
    form = await Form.of(request)
    version, size, seed = (form.number(name) for name in ("version", "size", "seed"))
    room.decisions.check(version)
    number = room.texts.number
    found = draw(((number[one.id], one) for one in room.texts.every()), size, seed)
    room.decisions.begin_sample(version, found)
    return RedirectResponse("/sample", 303)


async def read(room: Room, request: Request) -> Response:
    """Note what was found in a passage of the sample."""
    form = await Form.of(request)
    known = types(room)
    missed = [form.text("type")] if form.text("found") == "missed" else []
    if not set(missed) <= set(known):
        raise UsageError("there is no such type of value")
    room.decisions.mark_read(form.number("version"), form.number("passage"), missed)
    if missed and form.text("value").strip():
        room.mark(room.decisions.kept.version, " ".join(form.text("value").split()), missed[0])
        room.say("The passage counts as missed, and the value is masked once this is the plan.")
    return RedirectResponse("/sample", 303)


def static(request: Request) -> Response:
    """A file that the pages load."""
    known = FILES.get(request.path_params["name"])
    return Response(known[0].read_bytes(), media_type=known[1]) if known else Response("", 404)


ROUTES: list[tuple[str, str, Handler]] = [
    ("GET", "/", entities),
    ("GET", "/what-if", what_if),
    ("GET", "/value/{label}", value),
    ("GET", "/documents", documents),
    ("GET", "/document/{number:int}", document),
    ("GET", "/sample", sample),
    ("GET", "/decisions", decisions),
    ("POST", "/decide", decide),
    ("POST", "/limits", limits),
    ("POST", "/missed", missed),
    ("POST", "/sample", draw_sample),
    ("POST", "/read", read),
    ("POST", "/undo", undo),
    ("POST", "/apply", apply),
]


def make_app(room: Room) -> Starlette:
    """Return the application on a room; one request is answered after the other."""

    def bound(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                room.refresh()
                return await handler(room, request)
            except Stale as error:
                return rendered(room, request, "refused", 409, why=str(error))
            except RunError as error:
                return rendered(room, request, "refused", 409, why=str(error))
            except LinkmaskError as error:
                return rendered(room, request, "refused", 422, why=str(error))

        return answer

    routes = [Route(path, bound(handler), methods=[method]) for method, path, handler in ROUTES]
    return Starlette(routes=[*routes, Route("/static/{name}", static, methods=["GET"])])
