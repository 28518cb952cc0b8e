"""Handles forms that change something, and leads back to a page."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from linkmask.choices import ANOTHER, APART, NOBODY
from linkmask.commands.decide import LIMITS
from linkmask.errors import UsageError
from linkmask.report.wording import count
from linkmask.review import views
from linkmask.review.correction_wording import in_words, keys_in, next_person
from linkmask.review.document_view import LONGEST, SHORTEST
from linkmask.review.forms import Form, share_or_usual
from linkmask.review.opened_run import fold
from linkmask.review.sampling import draw
from linkmask.review.session import ReviewSession
from linkmask.review.views import types


async def decide(review: ReviewSession, request: Request) -> Response:
    """Mask, keep or leave undecided the values that were chosen in the table."""
    form = await Form.of(request)
    numbers = review.opened.numbers
    chosen = [numbers[label] for label in form.all("entity") if label in numbers]
    reason = form.text("reason"), form.text("words")
    choice = form.text("choice")
    review.decisions.decide(
        form.number("version"),
        dict.fromkeys(chosen),
        "" if choice == "undecided" else choice,
        *reason,
    )
    return RedirectResponse(form.back(), 303)


async def correct(review: ReviewSession, request: Request) -> Response:
    """Correct some values, take a correction back, or only try its effect."""
    form = await Form.of(request)
    numbers = review.opened.numbers
    chosen = [numbers[label] for label in form.all("entity") if label in numbers]
    correction, keys = _requested_correction(review, form, chosen)
    if form.text("try") and chosen:
        tried = views.TriedCorrections(
            dict.fromkeys(keys, correction), in_words(review.opened, correction), form
        )
        return views.value_page(review, request, chosen[0], tried)
    reason = form.text("reason"), form.text("words")
    review.decisions.correct(form.number("version"), keys, correction, *reason)
    return RedirectResponse(form.back(), 303)


def _requested_correction(
    review: ReviewSession, form: Form, chosen: list[int]
) -> tuple[str, list[str]]:
    """Return the correction that a form asks for, and the keys of the corrected values.

    Raises:
        UsageError: there is no such correction, or it does not fit these values.
    """
    correction, opened = form.text("said"), review.opened
    if form.all("key"):
        return correction, form.all("key")
    documents = [int(one) - 1 for one in form.all("in") if one.isdigit() and len(one) < 12]
    if correction == "one":
        other = _other(review, chosen, form.text("other"))
        return opened.incidence.entities[other], _keys(review, set(chosen) - {other}, documents)
    if correction == APART:
        ids, spelling = opened.incidence.entities, form.text("spelling")
        ways = {own for n in chosen for own, _, _ in views.spellings_apart(review, n)}
        return correction, [f"{ids[n]}/{spelling}" for n in chosen if spelling in ways]
    if correction == "another" or ANOTHER.fullmatch(correction):
        return _another(review, correction, chosen, documents)
    if correction not in (NOBODY, "", *types(review)):
        raise UsageError(
            "choose what the value is: nobody’s, a type, the same as another, or two values"
        )
    return correction, _keys(review, chosen, documents)


def _another(
    review: ReviewSession, correction: str, chosen: list[int], documents: list[int]
) -> tuple[str, list[str]]:
    """Return the correction by which documents are about another person of the same name.

    Raises:
        UsageError: no name is chosen, or not some of its documents.
    """
    opened = review.opened
    names = [entity for entity in chosen[:1] if opened.is_name(entity)]
    held = {d for entity in names for d in opened.holders(entity)}
    if not names or not held.intersection(documents) or held <= set(documents):
        raise UsageError("choose the documents that speak of another person of this name: not all")
    entity = names[0]
    if correction == "another":
        correction = next_person(review.decisions, opened.incidence.entities[entity])
    return correction, _keys(review, [entity], documents)


def _keys(review: ReviewSession, chosen: Iterable[int], documents: list[int]) -> list[str]:
    """Return the keys of corrected values: of the whole value, or in some documents."""
    opened = review.opened
    if not documents:
        return [opened.incidence.entities[entity] for entity in sorted(chosen)]
    return [
        key
        for entity in sorted(chosen)
        for key in keys_in(opened, entity, sorted({*documents} & {*opened.holders(entity)}))
    ]


def _other(review: ReviewSession, chosen: list[int], text: str) -> int:
    """Return the value that others are one with: as it is named, or the most frequent of them.

    Raises:
        UsageError: none is named so, or several are.
    """
    opened = review.opened
    if not text.strip():
        if len(chosen) < 2:
            raise UsageError("choose two values or more, or name the other one")
        return max(chosen, key=lambda n: (int(opened.mentions[n]), -n))
    label, folded = text.strip().lower(), fold(" ".join(text.split()))
    named = [n for n, one in enumerate(opened.folded) if one == folded and n not in chosen]
    if label in opened.numbers:
        named = [opened.numbers[label]]
    alike = [n for n in named if chosen and opened.type(n) == opened.type(chosen[0])]
    if len(found := alike or named) != 1:
        raise UsageError(
            f"{count(len(found), 'value is', 'values are')} written so: name the other by its id, "
            "which stands below its value"
        )
    return found[0]


async def limits(review: ReviewSession, request: Request) -> Response:
    """Decide on the limits."""
    form = await Form.of(request)
    usual = {name: float(getattr(review.opened.settings, name)) for name in LIMITS}
    given = {name: share_or_usual(form.text(name), usual[name]) for name in LIMITS}
    review.decisions.limit(form.number("version"), given)
    return RedirectResponse(form.back(), 303)


async def undo(review: ReviewSession, request: Request) -> Response:
    """Take a step back."""
    form = await Form.of(request)
    review.decisions.undo(form.number("version"), form.number("step"))
    return RedirectResponse(form.back(), 303)


async def approve(review: ReviewSession, request: Request) -> Response:
    """Sign the plan as it is."""
    form = await Form.of(request)
    review.reading.approve(form.number("version"))
    review.show_next("You approved the plan as it is; any other plan needs another approval.")
    return RedirectResponse(form.back(), 303)


async def sign_visit(review: ReviewSession, request: Request) -> Response:
    """Sign that the reviewer has seen the run as it is."""
    form = await Form.of(request)
    review.reading.sign_visit(form.number("version"))
    review.show_next("Your visit is signed: the next one shows what changed since.")
    return RedirectResponse(form.back(), 303)


async def apply(review: ReviewSession, request: Request) -> Response:
    """Make the plan that was decided."""
    form = await Form.of(request)
    review.apply(form.number("version"))
    review.show_next(
        "The plan holds every decision now. Release it with: "
        f"linkmask apply {review.folder} -o OUT --overwrite"
    )
    return RedirectResponse(form.back(), 303)


async def missed(review: ReviewSession, request: Request) -> Response:
    """Take a value that detection missed into the run, to be masked everywhere."""
    form = await Form.of(request)
    value = " ".join(form.text("value").split())
    if not SHORTEST <= len(value) <= LONGEST:
        raise UsageError(f"mark {SHORTEST} to {LONGEST} characters")
    document = form.number("here") - 1 if form.text("here") else None
    found = review.mark(form.number("version"), value, form.text("type"), document)
    where = count(found.mentions, "place"), count(found.documents, "document")
    review.show_next(
        f"It was found in {' of '.join(where)}, and is masked there once this is the plan."
    )
    return RedirectResponse(form.back(), 303)


async def draw_sample(review: ReviewSession, request: Request) -> Response:
    """Draw a sample to be read."""
    form = await Form.of(request)
    version, size, seed = (form.number(name) for name in ("version", "size", "seed"))
    review.decisions.check(version)
    number = review.texts.number
    found = draw(((number[one.id], one) for one in review.texts.every()), size, seed)
    review.reading.begin_sample(version, found)
    return RedirectResponse("/sample", 303)


async def looked(review: ReviewSession, request: Request) -> Response:
    """Note that a document of the queue was read."""
    form = await Form.of(request)
    review.reading.look(form.number("version"), form.number("document"))
    return RedirectResponse("/riskiest", 303)


async def read(review: ReviewSession, request: Request) -> Response:
    """Note what was found in a passage of the sample."""
    form = await Form.of(request)
    known = types(review)
    missed = [form.text("type")] if form.text("found") == "missed" else []
    if not set(missed) <= set(known):
        raise UsageError("there is no such type of value")
    value = " ".join(form.text("value").split())
    if value and not missed:
        raise UsageError("a value is named: press “A value was missed”, or clear the field")
    review.reading.mark_read(form.number("version"), form.number("passage"), missed)
    if value:
        review.mark(review.decisions.kept.version, value, missed[0])
        review.show_next(
            "The passage counts as missed, and the value is masked once this is the plan."
        )
    return RedirectResponse("/sample", 303)
