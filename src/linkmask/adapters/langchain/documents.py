"""Masks LangChain's documents before they are indexed, and checks them again when retrieved."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, BaseDocumentTransformer, Document
from pydantic import PrivateAttr

from linkmask.adapters import framework_documents
from linkmask.adapters.framework_documents import FrameworkDocument
from linkmask.adapters.masking import RunMasker


class LinkmaskTransformer(BaseDocumentTransformer):
    """Masks the documents of a run as the run released them, with their metadata and ids.

    Give it whole documents, before any splitter: the run knows documents, not chunks. The arguments
    and errors are those of `linkmask.adapters.masking.RunMasker`.
    """

    def __init__(self, run: Any, **options: Any) -> None:
        self._by = RunMasker(run, **options)

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """Return the documents masked, without those that are set aside.

        Raises:
            UnknownDocument: the run does not hold one as it is given, and refuses it.
        """
        made = self._by.documents([_item(one) for one in documents])
        return [_document(one) for one in made if one is not None]


class LinkmaskCompressor(BaseDocumentCompressor):
    """Masks values that are still readable in retrieved documents: a second check after retrieval.

    It serves an index in which not every document was masked; what is masked stays as it is.
    """

    run: str
    """The run's folder, or the folder that it wrote to."""
    key_file: str | None = None
    """File of the run's key, where it is not the one that the run knows."""
    _by: RunMasker = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Open the run."""
        self._by = RunMasker(self.run, key_file=self.key_file)

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Return the documents masked; all of them, in their order."""
        return [_document(one) for one in self._by.texts([_item(one) for one in documents])]


def write_corpus(
    documents: Iterable[Document], path: str | os.PathLike[str], *, id_key: str = ""
) -> None:
    """Write documents to a JSONL file that `linkmask mask` reads; its owner alone can read it.

    Args:
        documents: as they will be given to `LinkmaskTransformer`.
        path: the file.
        id_key: key of the metadata that holds the id; "" for `Document.id`.

    Raises:
        UsageError: a document has no id.
        InputError: its metadata hold a value of no JSON kind.
    """
    framework_documents.write_corpus((_item(one).selected(id_key, None) for one in documents), path)


def _item(document: Document) -> FrameworkDocument:
    return FrameworkDocument(document.id or "", document.page_content, document.metadata)


def _document(item: FrameworkDocument) -> Document:
    return Document(page_content=item.text, metadata=dict(item.metadata), id=item.id or None)
