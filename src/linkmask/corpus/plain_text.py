"""Reads and writes plain text files (.txt, .md): the whole file is the content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import BinaryIO

from linkmask.config import Settings
from linkmask.corpus.encodings import HEAD, decode, encoding_of
from linkmask.corpus.files import File, Flaw, byte_limit, set_aside_row
from linkmask.records import Document, Masked, Origin, SetAside

SHIFTED = re.compile(f"[{''.join(chr(ord(c) << 8) for c in ascii_lowercase)}]{{6}}")
"""Six small Latin letters in UTF-16, read from the wrong byte on."""


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the one document of a text file; its id is its name without the ending."""
    name = file.name.rsplit(".", 1)[0]
    try:
        data = file.read(byte_limit(settings.max_characters))
        encoding = encoding_of(data, settings.encoding)
        content = decode(data, encoding)
        if len(content) > settings.max_characters:
            raise Flaw("longer than max_characters: raise it, or split the text")
        if "\0" in content:
            raise Flaw("holds NUL bytes: not a text file")
        if encoding.codec.startswith("utf-16") and SHIFTED.search(content):
            raise Flaw("its UTF-16 is shifted by a byte")
    except Flaw as flaw:
        yield set_aside_row(file.name, str(flaw), document=name)
    else:
        yield Document(name, content, {}, Origin(file.name))


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the file's name without the ending."""
    yield file.name.rsplit(".", 1)[0]


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked content in the file's encoding, with its byte order mark."""
    with file.open() as handle:
        encoding = encoding_of(handle.read(HEAD), settings.encoding)
    for masked in group:
        out.write(encoding.mark + masked.content.encode(encoding.codec))
