"""A document before and after masking, and texts searched for what detection missed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from linkmask.commands.decide import unchanged_input
from linkmask.corpus import Corpus
from linkmask.errors import RunError, UsageError
from linkmask.pipeline.job import Job
from linkmask.records import Document, Masked, Mention, SetAside, Why, entity_id
from linkmask.redact import ValueLocator
from linkmask.review.estimates import Estimate
from linkmask.review.opened import STATES, OpenedRun

SHORTEST, LONGEST = 2, 300
"""Characters of a value that is searched for."""
MARK = Why("review", "marked")


class Piece(NamedTuple):
    """A piece of a text; `kind` is where the plan masks its entity, or "" for no value's."""

    text: str
    kind: str = ""
    label: str = ""
    type: str = ""


class FieldView(NamedTuple):
    """A field of a document, before and after masking."""

    name: str
    before: list[Piece]
    after: list[Piece]


class Found(NamedTuple):
    """A document, by number, that holds a text that was searched for, and around its first place.

    `known`: how many of its places lie within values that are known.
    """

    document: int
    times: int
    known: int
    around: tuple[str, str, str]


class Texts:
    """The texts of an opened run, read from its input when they are asked for.

    Raises:
        RunError: when first asked: the run has no input, or it has changed since.
    """

    def __init__(self, opened: OpenedRun) -> None:
        self._opened = opened
        self._job: tuple[Estimate, Job] | None = None

    @cached_property
    def _corpus(self) -> Corpus:
        return unchanged_input(self._opened.run, self._opened.settings)

    @cached_property
    def number(self) -> dict[str, int]:
        """Document by id."""
        return {name: n for n, name in enumerate(self._opened.incidence.documents)}

    def document(self, number: int) -> tuple[Document, list[Mention]]:
        """Return a document and the mentions in it.

        Raises:
            RunError: the input does not hold it any more.
        """
        name = self._opened.incidence.documents[number]
        read = next(iter(self._corpus(only={name})), None)
        if not isinstance(read, Document):
            raise RunError("the input does not hold this document any more: scan it again")
        found = (held for one, held in self._opened.run.by_document() if one == name)
        return read, next(found, [])

    def masked(self, number: int, estimate: Estimate) -> tuple[Masked, list[Mention]]:
        """Return a document as a plan masks it, and the mentions in it."""
        if self._job is None or self._job[0] is not estimate:
            opened = self._opened
            job = Job(opened.run, opened.settings, self._corpus)
            job.analysis = opened.planner.analysis
            self._job = estimate, job.with_plan(estimate.plan, opened.settings)
        document, mentions = self.document(number)
        return self._job[1].redaction().redactor(document, mentions), mentions

    def view(self, number: int, estimate: Estimate) -> list[FieldView]:
        """Return the fields of a document before and after masking, in pieces."""
        masked, mentions = self.masked(number, estimate)
        state = self._opened.state(estimate.plan)
        spans: dict[str, list[tuple[int, int, str, str]]] = {}
        for one in masked.replacements:
            spans.setdefault(one.field, []).append((one.start, one.end, one.entity, one.text))
        covered = {name: [(a, b) for a, b, _, _ in held] for name, held in spans.items()}
        for mention in mentions:
            taken = covered.get(mention.field, ())
            if not any(a < mention.end and mention.start < b for a, b in taken):
                entity = entity_id(mention.value, mention.type, self._opened.settings.id_separator)
                text = mention.original
                spans.setdefault(mention.field, []).append(
                    (mention.start, mention.end, entity, text)
                )

        def piece(text: str, entity: str) -> Piece:
            n = self._opened.ids.get(entity, -1)
            if n < 0:
                return Piece(text)
            return Piece(text, STATES[state[n]], self._opened.labels[n], self._opened.type(n))

        views = []
        for name, text in masked.original.fields():
            own = sorted(spans.get(name, ()))
            cuts = [0, *(end for _, end, _, _ in own)]
            before, after = list[Piece](), list[Piece]()
            for at, (start, end, entity, new) in zip(cuts, own, strict=False):
                before += [Piece(text[at:start]), piece(text[start:end], entity)]
                after += [Piece(text[at:start]), piece(new, entity)]
            rest = Piece(text[cuts[-1] :])
            views.append(FieldView(name, [*before, rest], [*after, rest]))
        return [view for view in views if view.before[0].text or len(view.before) > 1]

    def search(self, text: str) -> Iterator[Found]:
        """Yield the documents that hold a text, in input order, as whole words, case folded.

        Raises:
            UsageError: the text is too short or too long.
        """
        words = " ".join(text.split())
        if not SHORTEST <= len(words) <= LONGEST:
            raise UsageError(f"search for {SHORTEST} to {LONGEST} characters")
        finder, stray = ValueLocator([words]), Mention("", "", -1, -1, "", words, "", 1.0, MARK)
        held = dict(self._opened.run.by_document())
        for item in self._corpus():
            if isinstance(item, SetAside) or item.id not in self.number:
                continue
            places, _ = finder.place(item, [stray])
            if places:
                yield self._found(item, places, held.get(item.id, []))

    def _found(
        self, document: Document, places: Sequence[Mention], known: Sequence[Mention]
    ) -> Found:
        taken = [(m.field, m.start, m.end) for m in known]
        inside = sum(
            any(f == p.field and a < p.end and p.start < b for f, a, b in taken) for p in places
        )
        first = places[0]
        text = dict(document.fields())[first.field]
        around = text[max(first.start - 60, 0) : first.start], first.original
        after = text[first.end : first.end + 60]
        return Found(self.number[document.id], len(places), inside, (*around, after))
