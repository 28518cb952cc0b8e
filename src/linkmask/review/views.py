"""Fills the pages from what is asked; no handler here changes anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from linkmask.choices import ANOTHER
from linkmask.commands.decide import LIMITS
from linkmask.pipeline.correcting import spelling_id, subject
from linkmask.review.clusters import clusters, picture_of_cluster, pictured_documents
from linkmask.review.correction_wording import correction_in_words, corrections, in_words
from linkmask.review.decisions import REASONS
from linkmask.review.entities import DECIDED, SIZES, Query, by_risk, riskiest_first, row, table
from linkmask.review.estimates import plan_change, with_choice
from linkmask.review.exporting import as_toml
from linkmask.review.forms import Form, share_or_usual
from linkmask.review.opened_run import STATES, OpenedRun
from linkmask.review.pages import page
from linkmask.review.sampling import CONFIDENCE, bounds
from linkmask.review.session import ReviewSession
from linkmask.review.stored_review import ReviewStep
from linkmask.review.why import links_of_document, picture
from linkmask.runs.decision_log import now

LINES = 100
"""Lines of the log shown at most, the last ones."""
FOUND = 100
"""Documents listed at most that hold a text."""
HOLDERS = 500
"""Documents listed at most that hold a value."""


def changed_limits(opened: OpenedRun, limits: Mapping[str, float]) -> dict[str, float]:
    """Return the limits that are not those of the plan."""
    return {name: one for name, one in limits.items() if getattr(opened.settings, name) != one}


def framed_page(
    review: ReviewSession, request: Request, name: str, status: int = 200, **data: Any
) -> Response:
    """Return a page within its frame: the run, the plan, what is pending, what is to be said."""
    pending = review.decisions.pending
    address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    frame = {
        "run": review.folder.name,
        "reviewer": review.decisions.reviewer,
        "version": review.decisions.kept.version,
        "limit": pending.limits.get("theta_doc", review.opened.settings.theta_doc),
        "planned": review.planned,
        "estimate": review.estimated(),
        "pending": sum(map(len, pending)),
        "last_step": next((s for s in reversed(review.decisions.kept.steps) if not s.undone), None),
        "said": review.take_message(),
        "here": request.url.path,
        "back": address if request.method == "GET" else "/",
    }
    return HTMLResponse(page(name, **frame, **data), status)


async def entities(review: ReviewSession, request: Request) -> Response:
    """The table of entities."""
    query = Query.of(request.query_params)
    found = table(review.decisions, review.estimated().plan, query)
    return framed_page(
        review, request, "entities",
        query=query, table=found, types=review.opened.types, states=STATES, decided=DECIDED,
        sizes=SIZES, reasons=REASONS, every_type=types(review),
    )  # fmt: skip


async def decisions(review: ReviewSession, request: Request) -> Response:
    """The steps of this review, each to be undone."""
    named = review.opened.ids
    steps = [
        (step, [named[e] for e in _heads(step) if e in named])
        for step in reversed(review.decisions.kept.steps)
    ]
    lines = review.decisions.log.entries()
    return framed_page(
        review, request, "decisions",
        steps=steps, corrections=corrections(review.decisions), opened=review.opened,
        in_words=partial(in_words, review.opened), lines=lines[: -LINES - 1 : -1], every=len(lines),
        head=review.decisions.log.head, approvals=sorted(review.reading.approvals),
        needed=max(review.opened.settings.approvals, review.opened.run.settings.approvals),
    )  # fmt: skip


async def since(review: ReviewSession, request: Request) -> Response:
    """What changed since the reviewer's last signed visit, and what others did meanwhile."""
    found = review.reading.since_visit
    lines = review.decisions.log.entries()[found.visit.lines :] if found else []
    others = [one for one in lines if one.get("reviewer") != review.decisions.reviewer]
    return framed_page(
        review, request, "since", found=found, others=others[: -LINES - 1 : -1], every=len(others),
        opened=review.opened, most=FOUND, state=review.opened.state(review.opened.plan).tolist(),
        states=STATES,
    )  # fmt: skip


async def protocol(review: ReviewSession, request: Request) -> Response:
    """What was decided, why and by whom, and what that rests on, for paper: without a value."""
    opened, made = review.opened, review.decisions
    sample = made.kept.sample
    counted = sample.counted(opened.digest) if sample else []
    kinds = [opened.type(entity) for entity in opened.plan.masked.tolist()]
    return framed_page(
        review, request, "protocol",
        opened=opened, decided=made.in_force, drawn=sample,
        corrections=corrections(made), labelled=partial(correction_in_words, opened),
        by_type=Counter(zip(kinds, opened.plan.stage, strict=True)),
        bounds=bounds(counted) if counted else {}, confidence=CONFIDENCE, made=now()[:16],
        head=made.log.head, approvals=sorted(review.reading.approvals),
        given=opened.run.about["input"],
        needed=max(opened.settings.approvals, opened.run.settings.approvals),
        limits={name: getattr(opened.settings, name) for name in LIMITS},
    )  # fmt: skip


def _heads(step: ReviewStep) -> dict[str, None]:
    """Return the ids of the entities that a step is about."""
    return dict.fromkeys(map(subject, (*step.entities, *step.corrections)))


async def export(review: ReviewSession, request: Request) -> Response:
    """The decisions as a configuration file, to be saved."""
    headers = {"Content-Disposition": 'attachment; filename="decisions.toml"'}
    return PlainTextResponse(as_toml(review.decisions), headers=headers)


async def what_if(review: ReviewSession, request: Request) -> Response:
    """The plan under other limits, with what is pending."""
    opened, pending = review.opened, review.decisions.pending
    usual = {name: float(getattr(opened.settings, name)) for name in LIMITS} | {**pending.limits}
    limits = {
        name: share_or_usual(request.query_params.get(name, ""), usual[name]) for name in LIMITS
    }
    found = plan_change(
        opened, review.estimated(), pending._replace(limits=changed_limits(opened, limits))
    )
    return framed_page(review, request, "what_if", limits=limits, found=found, opened=opened)


async def value(review: ReviewSession, request: Request) -> Response:
    """One value: where it stands, and what the other decision about it would come to."""
    entity = review.opened.numbers.get(request.path_params["label"])
    if entity is None:
        return framed_page(review, request, "refused", 404, why="This run holds no such value")
    return value_page(review, request, entity)


class TriedCorrections(NamedTuple):
    """Corrections that are tried, in words, and the form that was sent, whose choices stay."""

    correct: Mapping[str, str]
    words: str
    form: Form


NOTHING_TRIED = TriedCorrections({}, "", Form({}))


def value_page(
    review: ReviewSession, request: Request, entity: int, tried: TriedCorrections = NOTHING_TRIED
) -> Response:
    """Return the page of a value, with the effect of corrections that are only tried."""
    opened = review.opened
    now = review.estimated()
    state, after = opened.state(opened.plan), opened.state(now.plan)
    other = "keep" if entity in now.plan.masked else "mask"
    name, every = opened.incidence.entities[entity], corrections(review.decisions)
    own = [one for one in every if one.entity == name]
    pending = review.decisions.pending
    decided = with_choice(pending, name, other)
    then = pending._replace(correct={**pending.correct, **tried.correct})
    return framed_page(
        review, request, "value",
        row=row(review.decisions, entity, state, after, every), other=other, reasons=REASONS,
        found=plan_change(opened, now, decided), opened=opened, spellings=opened.spellings(entity),
        holders=opened.holders(entity), now=now, types=types(review), trying=tried.words,
        ways=spellings_apart(review, entity), given=tried.form,
        tried=plan_change(opened, now, then) if tried.correct else None,
        most=HOLDERS,
        parts={d: in_words(opened, one.correction) for one in own for d in one.documents},
        is_name=opened.is_name(entity),
        persons=[(p, in_words(opened, p)) for p in sorted({one.correction for one in own})
                 if ANOTHER.fullmatch(p)],
    )  # fmt: skip


def spellings_apart(review: ReviewSession, entity: int) -> list[tuple[str, str, int]]:
    """Return the spellings that could be values of their own: id, count, spelling."""
    opened, found = review.opened, dict[str, tuple[str, int]]()
    kind, separator = opened.type(entity), opened.settings.id_separator
    for text, times in opened.spellings(entity):
        own = spelling_id(text, kind, separator)
        first, before = found.get(own, (text, 0))
        found[own] = first, before + times
    found.pop(opened.incidence.entities[entity], None)
    return [(own, text, times) for own, (text, times) in found.items()]


async def documents(review: ReviewSession, request: Request) -> Response:
    """The documents, riskiest first, or those that hold a text."""
    asked, page_ = request.query_params.get("q", "").strip(), request.query_params.get("page", "1")
    found = list(islice(review.texts.search(asked), FOUND + 1)) if asked else None
    listed = by_risk(review.opened, review.estimated().plan, page_)
    return framed_page(
        review, request, "documents",
        q=asked, found=found, most=FOUND, listed=listed, opened=review.opened, types=types(review),
    )  # fmt: skip


async def document(review: ReviewSession, request: Request) -> Response:
    """One document before and after."""
    number = request.path_params["number"] - 1
    if not 0 <= number < review.opened.incidence.n_documents:
        return framed_page(review, request, "refused", 404, why="This run holds no such document")
    now = review.estimated()
    found = links_of_document(review.opened, now.plan, number)
    return framed_page(
        review, request, "document",
        number=number, last=review.opened.incidence.n_documents, types=types(review),
        title=review.opened.incidence.documents[number],
        why=found, picture=picture(review.opened, found), opened=review.opened,
        views=review.texts.view(number, now),
        risks=(now.plan.before[number], now.plan.after[number]),
    )  # fmt: skip


async def links(review: ReviewSession, request: Request) -> Response:
    """The clusters of linked documents, and one of them, or the strongest links of all, drawn."""
    opened, now = review.opened, review.estimated()
    rows, every = clusters(opened, now.after)
    given = request.query_params.get("cluster", "")
    asked = next((one for one in rows if str(one.first + 1) == given), None)
    graph = picture_of_cluster(opened, now.plan, None if asked is None else asked.first)
    return framed_page(
        review, request, "links",
        clusters=rows, every=every, asked=asked, graph=graph, opened=opened,
        pictures=[Markup(one) for one in graph.pictures(["before", "after"])] if graph else [],  # noqa: S704 - our own SVG
        nodes=pictured_documents(graph, review.texts.number) if graph else [],
    )  # fmt: skip


async def sample(review: ReviewSession, request: Request) -> Response:
    """The next passage of the sample, and what those that were read prove."""
    found, plan = review.decisions.kept.sample, review.opened.digest
    if found is None:
        return framed_page(review, request, "sample", drawn=None)
    given = request.query_params.get("at", "")
    asked = int(given) - 1 if given.isascii() and given.isdigit() and len(given) < 8 else None
    at = found.next(plan) if asked is None or asked not in range(len(found.passages)) else asked
    counted = found.counted(plan)
    return framed_page(
        review, request, "sample",
        drawn=found, at=at, read=None if at is None else found.read.get(at),
        passage=[] if at is None else review.passage(found, at),
        bounds=bounds(counted), counted=len(counted), older=len(found.read) - len(counted),
        types=types(review), confidence=CONFIDENCE, plan=plan,
    )  # fmt: skip


async def riskiest(review: ReviewSession, request: Request) -> Response:
    """The document that keeps the most risk of those that nobody read under this plan."""
    opened, now, read = review.opened, review.planned, review.decisions.kept.looked
    order = riskiest_first(now.plan).tolist()
    number = next((n for n in order if read.get(n) != opened.digest), None)
    return framed_page(
        review, request, "riskiest", number=number, opened=opened, types=types(review),
        read=sum(plan == opened.digest for plan in read.values()),
        views=[] if number is None else review.texts.view(number, now),
    )  # fmt: skip


def types(review: ReviewSession) -> list[str]:
    """Return the types that a value may have, those of the corpus first."""
    known = review.opened.types
    return [*known, *(t for t in review.opened.settings.entity_types.types if t not in known)]
