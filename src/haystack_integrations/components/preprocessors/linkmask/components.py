"""Components of Haystack over an opened run. Each is saved by its arguments, and opens the run when
it is warmed up or first used."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.dataclasses import ChatMessage

from linkmask.adapters import framework_documents
from linkmask.adapters.framework_documents import FrameworkDocument
from linkmask.adapters.masking import RunMasker
from linkmask.errors import InputError


class _OverRun:
    """A component over a run: it is saved by its arguments.

    `@component` makes another class of the one that it decorates, so `super()` would not find this.
    """

    def __init__(self, **given: Any) -> None:
        self._given = given
        self._by: RunMasker | None = None

    def warm_up(self) -> None:
        """Open the run.

        Raises:
            RunError: there is no run, it holds no plan, or the key is another one.
        """
        self._opened()

    def to_dict(self) -> dict[str, Any]:
        """Return the component as plain data: its arguments, no value of the run."""
        data: dict[str, Any] = default_to_dict(self, **self._given)
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Any:
        """Make the component anew from plain data."""
        return default_from_dict(cls, data)

    def _opened(self) -> RunMasker:
        if self._by is None:
            self._by = RunMasker(**self._given)
        return self._by


@component
class LinkmaskDocumentMasker(_OverRun):
    """Masks the documents of a run as the run released them, with their metadata and ids.

    It stands before any splitter: the run knows documents, not chunks. The arguments and errors are
    those of `linkmask.adapters.masking.RunMasker`.
    """

    def __init__(
        self,
        run: str,
        on_unknown: str = "refuse",
        id_key: str = "",
        metadata_keys: list[str] | None = None,
        key_file: str | None = None,
    ) -> None:
        _OverRun.__init__(
            self,
            run=run,
            on_unknown=on_unknown,
            id_key=id_key,
            metadata_keys=metadata_keys,
            key_file=key_file,
        )

    @component.output_types(documents=list[Document], set_aside=list[str])
    def run(self, documents: list[Document]) -> dict[str, Any]:
        """Return the documents masked, and the ids of those that are set aside.

        Raises:
            UnknownDocument: the run does not hold one as it is given, and refuses it.
        """
        made = self._opened().documents([_item(one) for one in documents])
        pairs = list(zip(documents, made, strict=True))
        return {
            "documents": [_document(old, new) for old, new in pairs if new is not None],
            "set_aside": [old.id for old, new in pairs if new is None],
        }

    @component.output_types(documents=list[Document], set_aside=list[str])
    async def run_async(self, documents: list[Document]) -> dict[str, Any]:
        """Do the same in a thread."""
        return await asyncio.to_thread(self.run, documents)


@component
class LinkmaskSecondNet(_OverRun):
    """Masks what stands unmasked in retrieved documents.

    It serves a store in which not every document was masked; what is masked stays as it is.
    """

    def __init__(self, run: str, key_file: str | None = None) -> None:
        _OverRun.__init__(self, run=run, key_file=key_file)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, Any]:
        """Return the documents masked; all of them, in their order."""
        made = self._opened().texts([_item(one) for one in documents])
        return {"documents": [_document(*pair) for pair in zip(documents, made, strict=True)]}

    @component.output_types(documents=list[Document])
    async def run_async(self, documents: list[Document]) -> dict[str, Any]:
        """Do the same in a thread."""
        return await asyncio.to_thread(self.run, documents)


@component
class LinkmaskQuestionMasker(_OverRun):
    """Masks a question as the corpus is masked: it goes before embedders, retrievers, prompts."""

    def __init__(self, run: str, key_file: str | None = None) -> None:
        _OverRun.__init__(self, run=run, key_file=key_file)

    @component.output_types(text=str)
    def run(self, text: str) -> dict[str, Any]:
        """Return the question masked."""
        return {"text": self._opened().question(text)}

    @component.output_types(text=str)
    async def run_async(self, text: str) -> dict[str, Any]:
        """Do the same in a thread."""
        return await asyncio.to_thread(self.run, text)


@component
class LinkmaskAnswerUnmasker(_OverRun):
    """Puts originals into a model's replies.

    Raises:
        RunError: when it is warmed up, if the run has no vault.
    """

    def __init__(self, run: str, key_file: str | None = None) -> None:
        _OverRun.__init__(self, run=run, key_file=key_file)

    def warm_up(self) -> None:
        """Open the run, and see that it has a vault."""
        self._opened().check_originals()

    @component.output_types(replies=list[str] | list[ChatMessage])
    def run(self, replies: list[str] | list[ChatMessage]) -> dict[str, Any]:
        """Return the replies with their originals.

        Raises:
            InputError: a reply is more than text, such as a tool call.
        """
        return {"replies": [self._reply(one) for one in replies]}

    @component.output_types(replies=list[str] | list[ChatMessage])
    async def run_async(self, replies: list[str] | list[ChatMessage]) -> dict[str, Any]:
        """Do the same in a thread."""
        return await asyncio.to_thread(self.run, replies)

    def _reply(self, reply: str | ChatMessage) -> str | ChatMessage:
        by = self._opened()
        if isinstance(reply, str):
            return str(by.answer(reply))
        if len(reply) != 1 or reply.text is None:
            raise InputError("a reply holds more than one text: originals are put into texts alone")
        return ChatMessage.from_assistant(by.answer(reply.text), meta=reply.meta, name=reply.name)


def write_corpus(
    documents: Iterable[Document], path: str | os.PathLike[str], *, id_key: str = ""
) -> None:
    """Write documents to a JSONL file that `linkmask mask` reads; its owner alone can read it.

    Args:
        documents: as they will be given to `LinkmaskDocumentMasker`.
        path: the file.
        id_key: key of the metadata that holds the id; "" for `Document.id`.

    Raises:
        InputError: the metadata of one hold a value of no JSON kind.
    """
    framework_documents.write_corpus((_item(one).selected(id_key, None) for one in documents), path)


def _item(document: Document) -> FrameworkDocument:
    return FrameworkDocument(document.id, document.content or "", document.meta)


def _document(old: Document, new: FrameworkDocument) -> Document:
    """Return a document with what is masked; bytes and embeddings are those of the original."""
    return replace(
        old,
        id=new.id,
        content=None if old.content is None else new.text,
        meta=dict(new.metadata),
        blob=None,
        embedding=None,
        sparse_embedding=None,
    )
