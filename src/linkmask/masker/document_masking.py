"""Masks the documents of a run as released; others are refused, masked whole or set aside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from linkmask import corpus
from linkmask.corpus.fields import shape_of
from linkmask.corpus.in_memory import Given, document_of
from linkmask.corpus.normalize import document_id
from linkmask.errors import UnknownDocument, UsageError, unknown_name
from linkmask.masker.run_index import RunIndex
from linkmask.records import Document, Masked, SetAside
from linkmask.redact.batch_size import CHARACTERS, batch_weight
from linkmask.workers import batches

if TYPE_CHECKING:
    from linkmask.masker.found import FoundMasker

OnUnknown = Literal["refuse", "mask_all", "set_aside"]
"""What happens to a document that the run does not hold in this form."""
ON_UNKNOWN = ("refuse", "mask_all", "set_aside")
UNKNOWN = "the run did not release it, or released another text of it"
NAMED = 5
"""Largest number of documents that an error names."""


def check_on_unknown(how: str) -> None:
    """Check that a value of `on_unknown` is known.

    Raises:
        UsageError: it is none of the three.
    """
    if how not in ON_UNKNOWN:
        raise UsageError(unknown_name("on_unknown", how, ON_UNKNOWN))


class DocumentMasker:
    """Masks documents by a run, a batch at a time.

    Args:
        found: masks texts by detection; it is used only if a document is unknown.
    """

    def __init__(self, index: RunIndex, found: Callable[[], FoundMasker]) -> None:
        self._index, self._found = index, found

    def masked(self, items: Iterable[Given], how: OnUnknown) -> Iterator[Masked | SetAside]:
        """Yield documents masked, in their order.

        Raises:
            UnknownDocument: a document is not the run's, and `how` is `refuse`.
            InputError: an item is no document.
        """
        shape = shape_of(self._index.settings)
        read = (
            (number, item if isinstance(item, SetAside) else document_of(item, number, shape))
            for number, item in enumerate(items)
        )
        for batch in batches(read, CHARACTERS, _weight):
            yield from self._batch(batch, how)

    def _batch(
        self, batch: Sequence[tuple[int, Document | SetAside]], how: OnUnknown
    ) -> Iterator[Masked | SetAside]:
        """Mask some documents at once."""
        index = self._index
        names = {n: self._name_of(one) for n, one in batch if isinstance(one, Document)}
        others = [(n, one) for n, one in batch if isinstance(one, Document) and names[n] is None]
        if others and how == "refuse":
            raise self._refusal(others)
        pairs = [
            (one, index.mentions_of(name))
            for n, one in batch
            if isinstance(one, Document) and (name := names[n]) is not None
        ]
        masked = index.redactor.many(pairs)
        rest: Iterator[Masked | SetAside]
        if how == "mask_all":
            rest = iter(self._found().documents([one for _, one in others], everything=True))
        else:
            rest = (SetAside(one.id, "open", UNKNOWN, one.origin) for _, one in others)
        for number, one in batch:
            if isinstance(one, SetAside):
                yield one
            else:
                yield next(rest if names[number] is None else masked)

    def _name_of(self, document: Document) -> str | None:
        """Return the id by which the run knows a document; None if it is not the run's."""
        digest = corpus.record_digest(document)
        for name in (document.id, document_id(document.id, document.text)):
            if self._index.released(name, digest):
                return name
        return None

    def _refusal(self, others: Sequence[tuple[int, Document]]) -> UnknownDocument:
        """Return the error that names documents, by number where an id holds a masked value."""
        ids = self._found().texts([one.id for _, one in others])
        named = [
            f"number {number + 1}" if any(span.known for span in text.spans) else one.id
            for (number, one), text in zip(others, ids, strict=True)
        ]
        more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
        return UnknownDocument(
            f"{self._index.path} did not release {', '.join(named[:NAMED])}{more} as given: the "
            "id or the text is another; mask the corpus again, or give on_unknown as mask_all or "
            "set_aside",
            named,
        )


def _weight(item: tuple[int, Document | SetAside]) -> int:
    one = item[1]
    return batch_weight("" if isinstance(one, SetAside) else one.content)
