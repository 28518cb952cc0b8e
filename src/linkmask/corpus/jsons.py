"""JSON files of one document each, and JSONL files of one document a line.

A document's `record` holds each field's own bytes (`msgspec.Raw`), so that what is not masked is
written as it was read: numbers to the last digit, escapes, nested spacing.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, BinaryIO

import msgspec
import numpy as np

from linkmask.config import Settings
from linkmask.corpus.files import (
    HEAD,
    Encoding,
    File,
    Flaw,
    aside,
    byte_limit,
    decode,
    encoding_of,
    no_text,
    not_encoded,
)
from linkmask.records import Document, Origin, SetAside

Raw = msgspec.Raw
RECORD = msgspec.json.Decoder(dict[str, Raw])
TEXT = msgspec.json.Decoder(str)
ANY = msgspec.json.Decoder()

KINDS = {
    b'"': "text",
    b"{": "an object",
    b"[": "a list",
    b"t": "true",
    b"f": "false",
    b"n": "null",
}
CHUNK = 1 << 16
"""Bytes read at a time: so few that what is made of them is gone before it is garbage collected."""
POSITION = re.compile(r"\(byte (\d+)\)")


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a JSON or JSONL file, and what can't be one with its reason.

    Of a key said twice in one object the last counts, as in every JSON reader; the earlier ones
    are neither read nor written.
    """
    known = _known(settings.text_field, settings.id_field, settings.metadata_field)
    for row, piece in _pieces(file, settings):
        if isinstance(piece, Flaw):
            yield aside(file.name, str(piece), row, _place(file, row))
        elif file.kind == "json":
            yield _document(piece, row, known, file, settings)
        elif fast := _documents(piece, row, known, file, settings):
            yield from fast
        else:
            for number, line in _split(piece, row):
                yield _document(line, number, known, file, settings)


def _documents(
    piece: bytes, row: int, known: Any, file: File, settings: Settings
) -> list[Document | SetAside] | None:
    """Make documents of many lines at once; None where one of them needs a closer look."""
    name, longest = file.name, settings.max_characters
    try:
        heads, records = known.decode_lines(piece), RECORD.decode_lines(piece)
        if len(heads) != _lines(piece) + (not piece.endswith(b"\n")):
            return None  # a blank line, or an object over several
        piece.isascii() or piece.decode()  # fields that are only copied were not decoded above
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if not all(head.id and len(head.text) <= longest for head in heads):
        return None
    return [
        Document(str(head.id), head.text, head.metadata or {}, Origin(name, number), record)
        for number, (head, record) in enumerate(zip(heads, records, strict=True), row)
    ]


def _document(
    line: bytes, row: int, known: Any, file: File, settings: Settings
) -> Document | SetAside:
    """Make a document of one object, or say why it is none."""
    place = _place(file, row)
    try:
        decode(line, Encoding())
        head, record = known.decode(line), RECORD.decode(line)
        if len(head.text) > settings.max_characters:
            raise Flaw("longer than max_characters: raise it, or split the text")
    except Flaw as flaw:
        return aside(file.name, str(flaw), row, place)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return aside(file.name, _reason(line, settings), row, place)
    given = place if head.id is None or head.id == "" else str(head.id)
    return Document(given, head.text, head.metadata or {}, Origin(file.name, row), record)


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each document, without looking at the rest of it."""
    decoder = _given(settings.id_field)
    for row, piece in _pieces(file, settings):
        if isinstance(piece, Flaw):
            continue
        if file.kind == "json":
            yield from _ids([(row, piece)], decoder, file)
            continue
        try:
            found = [head.id for head in decoder.decode_lines(piece)]
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            found = [None]
        yield from map(str, found) if all(found) else _ids(_split(piece, row), decoder, file)


def _ids(lines: Iterable[tuple[int, bytes]], decoder: Any, file: File) -> Iterator[str]:
    """Yield the ids one by one, where a line is broken or lacks its id."""
    for number, line in lines:
        try:
            given = decoder.decode(line).id
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue  # set aside when it is read
        yield _place(file, number) if given is None or given == "" else str(given)


@cache
def _known(text: str, given: str, metadata: str) -> Any:
    """Return a decoder of the three fields that linkmask reads, from their names."""
    fields: list[Any] = [
        ("text", str),
        ("id", str | int | None, None),
        ("metadata", dict[str, Any] | None, None),
    ]
    names = {"text": text, "id": given, "metadata": metadata}
    return msgspec.json.Decoder(msgspec.defstruct("Known", fields, rename=names, gc=False))


@cache
def _given(name: str) -> Any:
    """Return a decoder of the id alone, from its field's name."""
    fields = [("id", str | int | None, None)]
    return msgspec.json.Decoder(msgspec.defstruct("Id", fields, rename={"id": name}))


def _place(file: File, row: int) -> str:
    """Name a document that has no id."""
    return file.name.rsplit(".", 1)[0] if file.kind == "json" else f"{file.name}:{row + 1}"


def _split(chunk: bytes, row: int) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered lines of a chunk, blank ones left out."""
    for number, line in enumerate(chunk.removesuffix(b"\n").split(b"\n"), row):
        if line and not line.isspace():
            yield number, line


def _pieces(file: File, settings: Settings) -> Iterator[tuple[int, bytes | Flaw]]:
    """Yield (number of its first row, some rows as UTF-8): whole lines, or a whole JSON file."""
    limit = byte_limit(settings.max_characters)
    try:
        if file.kind == "json":
            data = file.read(limit)
            encoding = encoding_of(data)
            yield 0, data if encoding.plain else decode(data, encoding).encode()
            return
        with file.open() as handle:
            encoding = encoding_of(handle.read(HEAD))
            handle.seek(len(encoding.mark))
            row = 0
            for chunk in _chunks(handle, encoding, limit):
                yield row, chunk
                row += 1 if isinstance(chunk, Flaw) else _lines(chunk)
    except Flaw as flaw:
        yield 0, flaw
    except UnicodeDecodeError:
        yield 0, Flaw(not_encoded(encoding.codec))
    except OSError as error:
        yield 0, Flaw(f"can't be read: {error.strerror}")


def _lines(chunk: bytes) -> int:
    """Count the line ends; `bytes.count` takes four times as long where there are many."""
    return int(np.count_nonzero(np.frombuffer(chunk, np.uint8) == ord("\n")))


def _chunks(handle: BinaryIO, encoding: Encoding, limit: int) -> Iterator[bytes | Flaw]:
    """Yield the file as UTF-8 in pieces of whole lines; a line beyond the limit is one flaw."""
    if encoding.codec != "utf-8":
        with io.TextIOWrapper(handle, encoding=encoding.codec, newline="\n") as text:
            for line in text:
                yield line.encode()
        return
    while chunk := handle.read(CHUNK):
        rest = b"" if chunk.endswith(b"\n") else handle.readline(limit)
        if len(rest) < limit or rest.endswith(b"\n"):
            yield chunk + rest
            continue
        whole = chunk.rfind(b"\n") + 1
        if whole:
            yield chunk[:whole]
        while (rest := handle.readline(limit)) and not rest.endswith(b"\n"):
            pass
        yield Flaw("too large: raise max_characters, or split it")


# ── reasons ─────────────────────────────────────────────────────────────────────────────────────


def _reason(line: Any, settings: Settings) -> str:
    """Say why an object is no document: by position or by field, never by value."""
    if not line:
        return "an empty file"
    try:
        record = decode_json(RECORD, line)
        given = decode_json(ANY, record.get(settings.id_field, b"null"))
        if isinstance(given, bool) or not isinstance(given, str | int | None):
            return f"the field {settings.id_field!r} is neither text nor a whole number"
        if settings.text_field not in record:
            return no_text(f"field {settings.text_field!r}")
        kind = _kind(record[settings.text_field])
        if kind != "text":
            return f"the field {settings.text_field!r} is {kind}, not text"
        decode_json(TEXT, record[settings.text_field])
        decode_json(ANY, record.get(settings.metadata_field, b"null"))
        kind = _kind(record.get(settings.metadata_field, b"null"))
        return f"the field {settings.metadata_field!r} is {kind}, not an object"
    except Flaw as flaw:
        return str(flaw)


def decode_json(decoder: Any, data: Any) -> Any:
    """Decode JSON.

    Raises:
        Flaw: it is broken or too deep; the reason gives the place, never the value.
    """
    try:
        return decoder.decode(data)
    except RecursionError:
        raise Flaw("nested too deeply") from None
    except msgspec.ValidationError:
        if decoder is RECORD:
            raise Flaw("not a JSON object; of a list, make a .jsonl of one object a line") from None
        raise Flaw("holds a number out of range") from None
    except msgspec.DecodeError as error:
        found = POSITION.search(str(error))
        if not found:
            raise Flaw("broken JSON: it ends too early, or holds half a character") from None
        before = bytes(data)[: int(found[1])]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        raise Flaw(f"broken JSON at line {line}, column {column}") from None


def metadata_of(text: str, name: str) -> dict[str, Any]:
    """Decode metadata that a table holds as JSON text; an empty cell is no metadata.

    Raises:
        Flaw: the text is not a JSON object.
    """
    if not text.strip():
        return {}
    try:
        value = decode_json(ANY, text.encode())
    except Flaw:
        value = text
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Flaw(f"the field {name!r} is not a JSON object: name another with --metadata-field")
    return value


def _kind(raw: Any) -> str:
    return KINDS.get(bytes(raw)[:1], "a number")
