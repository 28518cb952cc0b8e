"""Masks documents and texts by an opened run: the object that `linkmask.open` returns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from linkmask.corpus.fields import shape_of
from linkmask.corpus.frames import is_frame, masked_frame, table_documents, table_of
from linkmask.corpus.in_memory import Given, document_of, items_of
from linkmask.masker.document_masking import DocumentMasker, OnUnknown, check_on_unknown
from linkmask.masker.masked_text import MaskedSpan, MaskedText, as_query, checked_texts
from linkmask.masker.run_index import RunIndex
from linkmask.records import Document, Masked, SetAside
from linkmask.redact import UnknownEntities

if TYPE_CHECKING:
    from linkmask.masker.found import FoundMasker

Frame = TypeVar("Frame")
"""A data frame or data set; the result has the class of the argument."""


def open(  # noqa: A001 - linkmask.open is the public name
    path: str | os.PathLike[str],
    *,
    key: bytes | str | os.PathLike[str] | None = None,
    on_unknown: OnUnknown = "refuse",
) -> Masker:
    """Open a finished run.

    Args:
        path: the run's folder, or the folder that it wrote to.
        key: the key of the run's pseudonyms and vault as bytes, or the path of the file that holds
            it. By default, the file that the run's settings name, LINKMASK_KEY, or the run's own.
        on_unknown: what `mask_documents` does with documents that the run does not hold as they
            are given: `refuse` raises `UnknownDocument`, `mask_all` masks all that is detected in
            them, `set_aside` yields a `SetAside`.

    Raises:
        RunError: there is no run, it holds no plan, or the key is another one.
        SettingsError: the key is shorter than 16 bytes.
        UsageError: `on_unknown` is none of the three.
    """
    return Masker(path, key=key, on_unknown=on_unknown)


class Masker:
    """A finished run, opened: it masks documents and texts by the run's plan.

    Threads may share it. It can be pickled: another process opens the same run again. What it
    gives back holds masked text alone, except for `Masked.original`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        key: bytes | str | os.PathLike[str] | None = None,
        on_unknown: OnUnknown = "refuse",
    ) -> None:
        check_on_unknown(on_unknown)
        self.path = Path(path)
        self.on_unknown = on_unknown
        self._key = key
        self._index = RunIndex(self.path, key)
        self.settings = self._index.settings

    @cached_property
    def _found(self) -> FoundMasker:
        """What masks by detection, which takes long to load."""
        from linkmask.masker.found import FoundMasker

        index = self._index
        redactor = index.text_redactor
        return FoundMasker(
            redactor,
            UnknownEntities(self.settings, index.unknown_style_context, redactor.search.hold_any),
            index.detector,
            index.status_of,
            self.settings.masked_if_unknown,
            index.masks.spans,
        )

    @cached_property
    def _documents(self) -> DocumentMasker:
        """What masks whole documents."""
        return DocumentMasker(self._index, lambda: self._found)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Masker, key=self._key, on_unknown=self.on_unknown), (self.path,)

    def __enter__(self) -> Masker:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the run's files. It can mask no document of the run then, but texts as before."""
        self._index.close()

    @property
    def digest(self) -> str:
        """Digest of the plan, 32 hex digits, keyed with the run's secret.

        It differs for another plan, key or version of linkmask, so use it in the keys of caches of
        masked texts.
        """
        return self._index.digest

    def renewed_id(self, name: str) -> str:
        """Return an id to be used in place of a document's own, if that contains a value.

        It is a hash keyed with the run's secret, in the form of a random UUID, which all stores
        accept. It is the same for each opening and edition of the run.
        """
        return self._index.renewed_id(name)

    # ── texts ───────────────────────────────────────────────────────────────────────────────────

    def mask_text(self, text: str) -> MaskedText:
        """Mask a question, a prompt or an answer.

        Values that the plan masks are masked as in the corpus, in every known form; values that it
        keeps stay. Of values that the run does not know, those of the floor are masked if detection
        finds them, in the style of their type. Placeholders in the text stay as they are.

        Raises:
            TypeError: `text` is no string.
        """
        return self.mask_texts([text])[0]

    def mask_texts(self, texts: Sequence[str]) -> list[MaskedText]:
        """Mask some texts, each by itself; faster than one call for each.

        Raises:
            TypeError: one of them is no string, or `texts` is itself a string.
        """
        return self._found.texts(checked_texts(texts))

    def mask_query(self, text: str) -> str:
        """Mask a question for a search by words, such as BM25 or LSA, in the masked corpus.

        The text is that of `mask_text`, with these differences. Each pseudonym, surrogate or token
        is repeated until it has about twice as many words as the value, so that a name of three
        words does not weigh as one. If masks differ by document, the masks of all documents with
        the value are written. A value that has several types in the corpus gets the mask of each.
        If detection finds a longer value than the corpus has, the masks are those of the corpus's
        value. Whoever reads the query learns the number of words, and which masks share a value.
        """
        return self.mask_queries([text])[0]

    def mask_queries(self, texts: Sequence[str]) -> list[str]:
        """Mask some questions for a search by words; faster than one call for each."""
        masked = self.mask_texts(texts)
        return [
            as_query(text, one, partial(self._masks_of, text))
            for text, one in zip(texts, masked, strict=True)
        ]

    def _masks_of(self, text: str, span: MaskedSpan) -> list[tuple[str, list[str], float]]:
        """Return the masked values of the corpus that a span is or contains, each with its masks.

        These are its entity, and the same value with other types. A span that the run does not know
        may contain values that it knows, as a hospital's name contains a town.
        """
        original, index = text[span.start : span.end], self._index
        if not span.known:
            return [(held, *index.masks_of(one, held)) for one, held in index.masked_in(original)]
        others = [one for one in index.masked_as(original) if one != span.entity]
        return [(original, *index.masks_of(one, original)) for one in (span.entity, *others)]

    def mask_parts(self, parts: Sequence[Document]) -> list[Masked]:
        """Mask parts of documents, or messages, as `mask_text` masks a text.

        All fields are searched and masked, also those that settings exclude; a value in metadata is
        read with its key. Nothing is looked up in the run by its id.
        """
        return self._found.documents(parts)

    def unmask_text(self, text: str) -> str:
        """Return a text with the originals of the run's masks, as far as their style can be undone.

        A placeholder becomes the spelling nearest to its entity's normalized value.

        Raises:
            RunError: the run has no vault, or the key is another one.
            SettingsError: there is no key.
            TypeError: `text` is no string.
        """
        checked_texts([text])
        self._index.check_vault()
        return self._index.masks.put_back(text)

    # ── questions ───────────────────────────────────────────────────────────────────────────────

    def explain(
        self,
        entity: str = "",
        *,
        document: str = "",
        pair: Sequence[str] = (),
        person: str = "",
        show_values: bool = False,
    ) -> Mapping[str, Any]:
        """Return why an entity was masked or kept, or another answer of `linkmask explain --json`.

        Args:
            entity: an entity's id, the beginning of it, or a value.
            document: a document's id, in place of an entity.
            pair: the ids of two documents, in place of an entity.
            person: a value that names a person, in place of an entity.
            show_values: name entities by id and value, otherwise by label alone.

        Raises:
            UsageError: what was asked for is not in the run, or not the only one.
        """
        from linkmask.masker.explaining import explain_run

        asked = {"entity": entity, "document": document, "pair": tuple(pair), "person": person}
        answer = explain_run(self.path, show_values=show_values, **asked)
        return answer.data

    # ── documents ───────────────────────────────────────────────────────────────────────────────

    def mask_documents(
        self, documents: Iterable[Given], *, on_unknown: OnUnknown | None = None
    ) -> Iterator[Masked | SetAside]:
        """Yield documents masked, in their order; those of the run as the run released them.

        A document is the run's if the run released one with its id and the digest of its fields.

        Args:
            documents: `Document`s, records, texts, or a data frame; as for `linkmask.mask`. They
                are read a batch at a time.
            on_unknown: in place of that of the masker.

        Raises:
            UnknownDocument: a document is not the run's, and `on_unknown` is `refuse`. Documents
                of earlier batches were yielded by then.
            InputError: an item is no document.
        """
        how = self.on_unknown if on_unknown is None else on_unknown
        check_on_unknown(how)
        if is_frame(documents):
            return self._documents.masked(table_documents(table_of(documents), self.settings), how)
        return self._documents.masked(items_of(documents), how)

    def mask_frame(self, frame: Frame, *, on_unknown: OnUnknown | None = None) -> Frame:
        """Return a data frame or data set with its documents masked, one a row.

        Args:
            frame: of pandas, Polars or Arrow, or a data set of Hugging Face.
            on_unknown: in place of that of the masker; rows that are set aside are left out.

        Returns:
            The same class, with its columns, their order and types, and its index. A mask that a
            column's type can't hold is null.

        Raises:
            UnknownDocument: a row is not a document of the run, and `on_unknown` is `refuse`.
            InputError: a column can't be read.
            TypeError: a list is no data frame.
        """
        if isinstance(frame, list | tuple):
            raise TypeError("a list is no data frame: give documents to mask_documents")
        table = table_of(frame)
        how = self.on_unknown if on_unknown is None else on_unknown
        check_on_unknown(how)
        made = self._documents.masked(table_documents(table, self.settings), how)
        released = [one for one in made if isinstance(one, Masked)]
        masked: Frame = masked_frame(frame, table, released, self.settings)
        return masked

    def mask_batch(self, batch: Frame, *, on_unknown: OnUnknown | None = None) -> Frame:
        """Return an Arrow record batch with its documents masked: its schema and order are kept.

        This is the function for engines that hand over batches; see `mask_frame`.
        """
        return self.mask_frame(batch, on_unknown=on_unknown)

    def unmask_documents(self, documents: Iterable[Given]) -> Iterator[Document]:
        """Yield masked documents of the run, in their order, with their originals byte for byte.

        Raises:
            RunError: the run has no vault, the key is another one, or a document was changed
                since it was masked.
            SettingsError: there is no key.
            InputError: an item is no document.
        """
        vault, shape = self._index.vault(), shape_of(self.settings)
        items = items_of(documents)
        return (
            vault.restore(document_of(item, number, shape))
            for number, item in enumerate(items)
            if not isinstance(item, SetAside)
        )
