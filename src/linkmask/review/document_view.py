"""Shows a document before and after masking, and searches texts for missed values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from linkmask.commands.decide import unchanged_input
from linkmask.corpus import Corpus
from linkmask.errors import RunError, UsageError
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.records import Document, Masked, Mention, SetAside, Why, entity_id
from linkmask.redact import ValueLocator
from linkmask.review.estimates import Estimate
from linkmask.review.opened_run import STATES, OpenedRun

SHORTEST, LONGEST = 2, 300
"""Characters of a value that is searched for."""
MARK = Why("review", "marked")


class TextPiece(NamedTuple):
    """A piece of a text; `kind` is where the plan masks its entity, or "" for no value's."""

    text: str
    kind: str = ""
    label: str = ""
    type: str = ""


class FieldView(NamedTuple):
    """A field of a document, before and after masking."""

    name: str
    before: list[TextPiece]
    after: list[TextPiece]


class Stretch(NamedTuple):
    """A stretch `[start, end)` of a field: what stands there before masking, and after."""

    start: int
    end: int
    before: TextPiece
    after: TextPiece


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
        self._job: tuple[Estimate, ReleaseJob] | None = None
        self._read: dict[int, Document] = {}

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
        self.read([number])
        if number not in self._read:
            raise RunError("the input does not hold this document any more: scan it again")
        return self._read[number], self._opened.mentions_of(
            self._opened.incidence.documents[number]
        )

    def holds(self, number: int) -> bool:
        """Tell whether a document is held, so that asking for it reads nothing."""
        return number in self._read

    def read(self, numbers: Sequence[int]) -> None:
        """Read documents that will be asked for, all in one pass over the input.

        Those of the last such pass are held, and no others.
        """
        if self._read.keys() >= set(numbers):
            return
        names = {self._opened.incidence.documents[n] for n in numbers}
        found = (one for one in self._corpus(only=names) if isinstance(one, Document))
        self._read = {self.number[one.id]: one for one in found}

    def masked(self, number: int, estimate: Estimate) -> tuple[Masked, list[Mention]]:
        """Return a document as a plan masks it, and the mentions in it."""
        if self._job is None or self._job[0] is not estimate:
            opened = self._opened
            job = ReleaseJob(opened.run, opened.settings, self._corpus)
            job.analysis = opened.planner.analysis
            self._job = estimate, job.with_plan(estimate.plan, opened.settings)
        document, mentions = self.document(number)
        return self._job[1].redaction().redactor(document, mentions), mentions

    def view(self, number: int, estimate: Estimate) -> list[FieldView]:
        """Return the fields of a document before and after masking, in pieces."""
        fields = self.pieces(number, estimate).items()
        return [
            FieldView(name, [one.before for one in held], [one.after for one in held])
            for name, held in fields
            if held[0].end or len(held) > 1
        ]

    def pieces(self, number: int, estimate: Estimate) -> dict[str, list[Stretch]]:
        """Return each field of a document as stretches, one after the other, before and after."""
        masked, mentions = self.masked(number, estimate)
        state = self._opened.state(estimate.plan)
        spans = _spans(masked, mentions, self._opened.settings.id_separator)

        def piece(text: str, entity: str) -> TextPiece:
            n = self._opened.ids.get(entity, -1)
            if n < 0:
                return TextPiece(text)
            return TextPiece(text, STATES[state[n]], self._opened.labels[n], self._opened.type(n))

        found: dict[str, list[Stretch]] = {}
        for name, text in masked.original.fields():
            own, at = found.setdefault(name, []), 0
            for start, end, entity, new in sorted(spans.get(name, ())):
                plain = TextPiece(text[at:start])
                own.append(Stretch(at, start, plain, plain))
                pieces = piece(text[start:end], entity), piece(new, entity)
                own.append(Stretch(start, end, *pieces))
                at = end
            plain = TextPiece(text[at:])
            own.append(Stretch(at, len(text), plain, plain))
        return found

    def every(self) -> Iterator[Document]:
        """Yield the documents of the run, in input order."""
        for item in self._corpus():
            if not isinstance(item, SetAside) and item.id in self.number:
                yield item

    def search(self, text: str) -> Iterator[Found]:
        """Yield the documents that hold a text, in input order, as whole words, case folded.

        Raises:
            UsageError: the text is too short or too long.
        """
        words = " ".join(text.split())
        if not SHORTEST <= len(words) <= LONGEST:
            raise UsageError(f"search for {SHORTEST} to {LONGEST} characters")
        finder, stray = ValueLocator([words]), Mention("", "", -1, -1, "", words, "", 1.0, MARK)
        for item in self.every():
            places, _ = finder.place(item, [stray])
            if places:
                yield self._found(item, places, self._opened.mentions_of(item.id))

    def _found(
        self, document: Document, places: Sequence[Mention], mentions: Sequence[Mention]
    ) -> Found:
        taken = [(m.field, m.start, m.end) for m in mentions]
        inside = sum(
            any(f == p.field and a < p.end and p.start < b for f, a, b in taken) for p in places
        )
        first = places[0]
        text = dict(document.fields())[first.field]
        around = text[max(first.start - 60, 0) : first.start], first.original
        after = text[first.end : first.end + 60]
        return Found(self.number[document.id], len(places), inside, (*around, after))


def _spans(
    masked: Masked, mentions: Sequence[Mention], separator: str
) -> dict[str, list[tuple[int, int, str, str]]]:
    """Return what is masked in each field, and what was found there and is not.

    As (start, end, entity, text that stands there after masking), disjoint.
    """
    spans: dict[str, list[tuple[int, int, str, str]]] = {}
    for one in masked.replacements:
        spans.setdefault(one.field, []).append((one.start, one.end, one.entity, one.text))
    for m in sorted(mentions, key=lambda m: (m.start, -m.end)):
        own = spans.setdefault(m.field, [])
        if not any(a < m.end and m.start < b for a, b, _, _ in own):
            own.append((m.start, m.end, entity_id(m.value, m.type, separator), m.original))
    return spans
