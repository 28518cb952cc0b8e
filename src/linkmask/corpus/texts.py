"""Plain text files (.txt, .md): the whole file is the content, line ends included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from linkmask.config import Settings
from linkmask.corpus.files import (
    File,
    Flaw,
    aside,
    byte_limit,
    decode,
    encoding_of,
    open_regular,
    read_bytes,
)
from linkmask.records import Document, Masked, Origin, SetAside


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the one document of a text file; its id is its name without the ending."""
    name = file.name.rsplit(".", 1)[0]
    try:
        data = read_bytes(file.path, byte_limit(settings.max_characters))
        content = decode(data, encoding_of(data[:4]))
        if len(content) > settings.max_characters:
            raise Flaw("longer than max_characters: raise it, or split the text")
        if "\0" in content:
            raise Flaw("holds NUL bytes: not a text file")
    except Flaw as flaw:
        yield aside(file.name, str(flaw), document=name)
    else:
        yield Document(name, content, {}, Origin(file.name))


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the file's name without the ending."""
    yield file.name.rsplit(".", 1)[0]


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked content in the file's encoding, with its byte order mark."""
    with open_regular(file.path) as handle:
        encoding = encoding_of(handle.read(4))
    for masked in group:
        out.write(encoding.mark + masked.content.encode(encoding.codec))
