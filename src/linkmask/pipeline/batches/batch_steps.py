"""Does each step over the documents of one record batch, for the functions in `batches`.

Each step is plain data that a process loads once. It makes a row of each document of a batch, and
the last one gives the batch back masked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from linkmask.config import Settings
from linkmask.corpus import record_digest
from linkmask.corpus.arrow import masked_table
from linkmask.corpus.frames import table_documents
from linkmask.detect import written_language_of
from linkmask.errors import RunError
from linkmask.pipeline.batches.record_batches import COLUMNS, DATA, KEY, schema
from linkmask.pipeline.checking.checked_documents import CheckedRow
from linkmask.pipeline.checking.document_check import EarlierCheck, MaskedCheck
from linkmask.pipeline.detection.detector import TOGETHER, Detector, size
from linkmask.pipeline.linkage.readable_words import hashes_of_document, mentions_of_terms
from linkmask.pipeline.reading import Pair
from linkmask.records import Document, Mention, SetAside
from linkmask.redact import Redactor
from linkmask.runs import row_in, row_of
from linkmask.runs.mentions import encode, mentions_in, place
from linkmask.workers import Batched, Failure, ordered

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class BatchStep:
    """A step that makes a row of each document; `name` and `failed` tell where one is set aside."""

    settings: Settings
    name = failed = ""

    def batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return a row for each document of a batch."""
        import pyarrow as pa

        items = list(_items(batch, self.settings))
        first = DATA not in batch.schema.names
        due = (
            (one, self.taken(one, data))
            for one, data in items
            if isinstance(one, Document) and (first or data is not None)
        )
        results = ordered(Batched(self.one, self.many, size, TOGETHER), due, 1)
        rows: list[tuple[Any, ...]] = []
        for one, data in items:
            if isinstance(one, SetAside):
                rows.append((one.document, None, one.step, one.reason, None, None))
                continue
            if not first and data is None:  # an earlier step set it aside
                rows.append((one.id, *[None] * 5))
                continue
            made = next(results)
            if isinstance(made, Failure):
                rows.append((one.id, None, self.name, made.message_or(self.failed), None, None))
            else:
                rows.append((one.id, self.encoded(made), None, None, *self.about(one)))
        columns = list(zip(*rows, strict=True)) or [()] * len(COLUMNS)
        arrays = [
            pa.array(column, kind) for column, kind in zip(columns, schema().types, strict=True)
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=schema())

    def one(self, pair: Pair) -> Any:
        """Do the work on one document."""
        return self.many([pair])[0]

    def many(self, pairs: Sequence[Pair]) -> list[Any]:
        """Do the work on some documents."""
        raise NotImplementedError

    def taken(self, document: Document, data: bytes | None) -> list[Mention]:
        """Return the mentions that a document has by now."""
        return mentions_in(data) if data else []

    def encoded(self, made: Any) -> bytes:
        """Return what is kept of a document's result: its mentions, as lines of a run's log."""
        return b"".join(map(encode, made))

    def about(self, document: Document) -> tuple[str | None, int | None]:
        """Return language and number of characters, where they are asked for."""
        return None, None


@dataclass(frozen=True)
class FirstPass(BatchStep):
    """Detection in each document by itself; `speak` asks for its language, too."""

    speak: bool = False
    name, failed = "detect", "detection failed"

    def many(self, pairs: Sequence[Pair]) -> list[Any]:
        """Find mentions in some documents."""
        return Detector(self.settings).first_passes(pairs)

    def about(self, document: Document) -> tuple[str | None, int | None]:
        """Return language and number of characters."""
        characters = sum(len(text) for _, text in document.fields())
        written = written_language_of(document, self.settings) if self.speak else None
        return written, characters


@dataclass(frozen=True)
class CorpusPassStep(BatchStep):
    """The search for what was found anywhere in the corpus, by the detector that knows it."""

    detector: Detector = field(kw_only=True)
    name, failed = "detect", "detection failed"

    def many(self, pairs: Sequence[Pair]) -> list[Any]:
        """Search some documents for what was found anywhere in the corpus."""
        return list(map(self.detector.corpus_pass, pairs))


@dataclass(frozen=True)
class ReadWords(BatchStep):
    """The words of each document that may be rare."""

    name, failed = "detect", "reading words failed"

    def many(self, pairs: Sequence[Pair]) -> list[Any]:
        """Read the words of some documents."""
        return [hashes_of_document(*pair, self.settings) for pair in pairs]

    def encoded(self, made: Any) -> bytes:
        """Return the hashes of the words."""
        data: bytes = made.tobytes()
        return data


@dataclass(frozen=True)
class AddRareTerms(BatchStep):
    """Adds rare words, chosen by hash for each document, to its mentions."""

    chosen: Mapping[str, Collection[int]] = field(kw_only=True)
    name, failed = "detect", "reading words failed"

    def many(self, pairs: Sequence[Pair]) -> list[Any]:
        """Add rare words to the mentions of some documents."""
        every = []
        for one, mentions in pairs:
            rare = mentions_of_terms(one, mentions, self.chosen.get(one.id, ()), self.settings)
            every.append(sorted([*mentions, *rare], key=place) if rare else mentions)
        return every


@dataclass(frozen=True)
class MaskAndCheck(BatchStep):
    """Masks documents by a plan, and checks them.

    `fresh`: mentions that an earlier check found, by document, as lines of a run's log.
    """

    redactor: Redactor = field(kw_only=True)
    check: MaskedCheck = field(kw_only=True)
    fresh: Mapping[str, bytes] = field(kw_only=True)
    name, failed = "redact", "masking failed"

    def taken(self, document: Document, data: bytes | None) -> list[Mention]:
        """Return the mentions that a document has by now, in their order."""
        found = super().taken(document, (data or b"") + self.fresh.get(document.id, b""))
        return sorted(found, key=place)

    def many(self, pairs: Sequence[Pair]) -> list[Any]:
        """Mask some documents, and check them."""
        lines = [row_of(one) for one in self.redactor.many(pairs)]
        both = zip(pairs, lines, strict=True)
        items = [
            (document, found, row_in(line), EarlierCheck()) for (document, found), line in both
        ]
        return list(zip(lines, self.check.many(items), strict=True))

    def encoded(self, made: Any) -> bytes:
        """Return the masked document and the result of its check, encoded."""
        return msgspec.msgpack.encode(made)


def checked_in(data: bytes) -> tuple[bytes, CheckedRow]:
    """Return what `check` made of a document: its masked row, and the result of its check."""
    return CHECKED.decode(data)


CHECKED = msgspec.msgpack.Decoder(tuple[bytes, CheckedRow])


@dataclass(frozen=True)
class Release:
    """Masked rows in the corpus's own columns, without the documents set `aside`."""

    settings: Settings
    aside: frozenset[str]

    def batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows that are released.

        Raises:
            RunError: a document is not what was checked.
        """
        import pyarrow as pa

        released = []
        for one, data in _items(batch, self.settings):
            name = one.document if isinstance(one, SetAside) else one.id
            if name in self.aside:
                continue
            if isinstance(one, SetAside) or data is None:
                raise RunError("a document is not what was checked: the corpus has changed")
            line, seen = checked_in(data)
            released.append(row_in(line).over(one))
            if record_digest(released[-1].written) != seen.digest:
                raise RunError("a document is not what was checked: the corpus has changed")
        table = pa.Table.from_batches([batch]).drop_columns(_beside(batch))
        columns = [
            column.combine_chunks()
            for column in masked_table(table, 0, released, self.settings).columns
        ]
        return pa.RecordBatch.from_arrays(columns, schema=table.schema)


def _beside(batch: pa.RecordBatch) -> list[str]:
    return [name for name in (KEY, DATA) if name in batch.schema.names]


def _items(
    batch: pa.RecordBatch, settings: Settings
) -> Iterator[tuple[Document | SetAside, bytes | None]]:
    """Yield the documents of a batch by the ids in `KEY`, with what was made of them by now."""
    import pyarrow as pa

    table = pa.Table.from_batches([batch])
    keys = table.column(KEY).to_pylist()
    data = table.column(DATA).to_pylist() if DATA in table.schema.names else [None] * len(keys)
    documents = table_documents(table.drop_columns(_beside(batch)), settings)
    for one, key, made in zip(documents, keys, data, strict=True):
        yield replace(one, **{"id" if isinstance(one, Document) else "document": key}), made
