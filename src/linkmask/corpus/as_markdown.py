"""Reads files that can't be written, and writes their masked text as Markdown (`x.pdf.md`).

The document has that file name from the start, so that released and read documents can be compared
by number. A redacted file, where one is asked for, is written beside (`redacted_files`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from linkmask.config import Settings
from linkmask.corpus.document_files import limits_of
from linkmask.corpus.encodings import Encoding, decode, encoding_of
from linkmask.corpus.file_kinds import read_name
from linkmask.corpus.files import File, Flaw, byte_limit, set_aside_row
from linkmask.corpus.readers import kinds
from linkmask.corpus.readers.source import Kind, Markdown, MarkdownText
from linkmask.records import Document, Masked, Origin, SetAside


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the document of a file, or of the Markdown that was written of it."""
    name = read_name(file.name).removesuffix(".gz")
    try:
        _, (text, removed, _) = read_file(file, settings)
        if len(text) > settings.max_characters:
            raise Flaw("longer than max_characters: raise it, or split the text")
        yield Document(name, text, {}, Origin(file.name))
    except Flaw as flaw:
        yield set_aside_row(file.name, str(flaw), document=name)
        return
    for reason in removed:
        yield set_aside_row(file.name, reason, document=name)


def read_file(file: File, settings: Settings) -> tuple[bytes, MarkdownText]:
    """Return the bytes of a file, or of the Markdown written of it, and what was read.

    Raises:
        Flaw: it can't be read, or is not what its ending says.
    """
    data = file.read(byte_limit(settings.max_characters))
    name = Path(file.path).name
    if read_name(name) != name:
        return data, MarkdownText(decode(data, encoding_of(data)), [])
    source: Markdown = kinds.read_as(file.kind, data, Kind(), limits_of(settings))
    return data, source.read


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the file's name."""
    yield read_name(file.name).removesuffix(".gz")


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked text; with a byte order mark where settings name another encoding."""
    mark = Encoding(mark=b"\xef\xbb\xbf").mark if settings.encoding else b""
    for masked in group:
        out.write(mark + masked.content.encode())
