"""Makes documents of Python objects: records, texts, rows of a data frame."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from linkmask.config import Settings
from linkmask.corpus.fields import (
    TOO_DEEP,
    Record,
    Shape,
    as_json_value,
    nested_too_deeply,
    shape_of,
)
from linkmask.corpus.files import Flaw
from linkmask.corpus.normalize import document_id
from linkmask.errors import InputError
from linkmask.records import Document, Origin, SetAside

BROKEN = "half a surrogate pair stands in its text: it can't be written as UTF-8"

GIVE = "give a list of records, Documents or texts, or a data frame"
FILES = "mask files and folders with linkmask.commands.mask_files(Path(INPUT), Path(OUT), settings)"

Given = Document | SetAside | Mapping[str, Any] | str
"""Objects that are one document; so is a row of a data frame."""


def items_of(documents: Any) -> Iterable[Given]:
    """Return what was given one by one: the rows of a data frame, or the one text or record.

    Raises:
        TypeError: it is neither documents nor a data frame.
        InputError: it is one text, and that is the path of a file or folder; two columns of a
            data frame have one name.
    """
    if isinstance(documents, os.PathLike):
        raise TypeError(f"{type(documents).__name__} is no documents: {FILES}")
    if isinstance(documents, str) and _is_path(documents):
        raise InputError(f"the text is a path of a file or folder: {FILES}, and the text as [text]")
    if isinstance(documents, str | Document | Mapping):
        return [documents]
    if hasattr(documents, "__arrow_c_stream__") or hasattr(documents, "__arrow_c_array__"):
        return _arrow_rows(documents)
    if isinstance(documents, bytes | bytearray) or not isinstance(documents, Iterable):
        raise TypeError(f"{type(documents).__name__} is no documents: {GIVE}")
    if hasattr(documents, "columns"):
        raise TypeError(f'a data frame that is not read by rows: {GIVE}, as to_dict("records")')
    return documents


def _arrow_rows(documents: Any) -> list[Given]:
    """Return the rows of a data frame, or the texts of one column, of pandas, Polars or Arrow."""
    import pyarrow as pa

    column = pa.chunked_array(documents)
    if pa.types.is_struct(column.type):
        names = [field.name for field in column.type]
        if len(set(names)) != len(names):
            raise InputError("two columns have one name: rename one")
    rows: list[Given] = column.to_pylist()
    return rows


def _is_path(text: str) -> bool:
    try:
        return os.path.lexists(text)
    except ValueError:  # half a character, or a NUL
        return False


def distinct_documents(items: Iterable[Given], settings: Settings) -> Iterator[Document | SetAside]:
    """Make documents of what was given; an id that comes again gets its content's hash."""
    seen: set[str] = set()
    shape = shape_of(settings)
    for number, item in enumerate(items):
        if isinstance(item, SetAside):
            yield item
            continue
        document = document_of(item, number, shape)
        if document.id in seen:
            document = replace(document, id=document_id(document.id, document.text))
        if document.id in seen:
            document = replace(document, id=f"{document.id}#{number}")
        seen.add(document.id)
        yield (
            document
            if _whole(document)
            else SetAside(_encodable(document.id), "read", BROKEN, document.origin)
        )


def document_of(item: Given, number: int, shape: Shape) -> Document:
    """Make a document of what was given, with the fields marked that settings exclude.

    Raises:
        InputError: it is no document, text or record, or nested too deeply.
    """
    if isinstance(item, Document) and nested_too_deeply((item.metadata, item.others)):
        raise InputError(f"document {number}: {TOO_DEEP}")
    origin = Origin("", number)
    if isinstance(item, str):
        return Document(str(number), item, {}, origin)
    if not isinstance(item, Mapping | Document):
        raise InputError(f"document {number} is no Document, no text, and no record")
    try:
        if isinstance(item, Document):
            held = {name: as_json_value(getattr(item, name)) for name in ("metadata", "others")}
            return shape.excluding(replace(item, **held))
        values = as_json_value(item)
        record = Record(values, dict(zip(values, item.values(), strict=True)))
        return shape.document(record, str(number), origin)
    except Flaw as flaw:
        raise InputError(f"document {number}: {flaw}") from None


def fields_of(item: Given, settings: Settings) -> Mapping[str, Any]:
    """Return the fields of what was given, by the names that settings give them.

    A text, and a `Document`, has those that every document has.
    """
    if isinstance(item, Mapping):
        return item
    shape = shape_of(settings)
    fields: dict[str, Any] = dict.fromkeys((*shape.texts, shape.id, shape.metadata))
    if isinstance(item, Document):
        fields |= {**item.others, shape.metadata: item.metadata}
    return fields


def _whole(document: Document) -> bool:
    """Tell whether a document can be written at all, as a file or to a run."""
    texts = [document.id, *(part for field in document.every_field() for part in field)]
    return all(text == _encodable(text) for text in texts)


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
