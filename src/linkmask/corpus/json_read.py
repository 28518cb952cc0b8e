"""Reads JSON files of one document or of a list of them, and JSONL files of one document a line.

A document's `record` holds each field's own bytes (`msgspec.Raw`), so that what is not masked is
written as it was read: numbers to the last digit, escapes, nested spacing.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any, BinaryIO

import msgspec
import numpy as np

from linkmask.config import Settings
from linkmask.corpus import fields
from linkmask.corpus.encodings import HEAD, Encoding, decode, encoding_of, not_encoded
from linkmask.corpus.fields import Record, place_of
from linkmask.corpus.files import WHOLE, File, Flaw, byte_limit
from linkmask.records import Document, SetAside

Raw = msgspec.Raw
RECORD = msgspec.json.Decoder(dict[str, Raw])
OBJECT = msgspec.json.Decoder(dict[str, Any])
ANY = msgspec.json.Decoder()
LIST = msgspec.json.Decoder(list[Raw])

CHUNK = 1 << 16
"""Bytes read at a time; few, so that the garbage collector does not visit their objects."""
KEY = re.compile(rb'"[ \t\r\n]*:')
"""The end of a key; it also matches in some texts (`":)"`), so it never counts too few keys."""
TWICE = "an object has a key twice, and only the last would be read: rename or remove one"
NO_NUMBER = re.compile(rb"-?(?:NaN|Infinity)")
"""Numbers as Python and JavaScript print them."""
POSITION = re.compile(r"\(byte (\d+)\)")


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a JSON or JSONL file, and what can't be one with its reason."""
    return fields.documents(records(file, settings), file, settings)


def parts(file: File, settings: Settings) -> Iterator[fields.Parts]:
    """Yield the id, content, metadata and fields of each record, without making documents.

    Raises:
        Flaw: a record can't be read.
    """
    shape = fields.shape_of(settings)
    for _, found in records(file, settings):
        if isinstance(found, Flaw):
            raise found
        yield shape.parts(found.values)


def records(file: File, settings: Settings) -> Iterator[tuple[int, Record | Flaw]]:
    """Yield (row, record) of a JSON or JSONL file, or why there is none.

    Lines are counted from 0 and the objects of a list from 1; the row of a lone object is 0.
    A record in which one object has a key twice is none: JSON readers keep the last value alone, so
    the first would be neither read nor masked.
    """
    for row, piece in _pieces(file, settings):
        if isinstance(piece, Flaw):
            yield row, piece
        elif file.kind == "json":
            for number, one in _objects(piece):
                yield number, one if isinstance(one, Flaw) else _record(one)
        elif fast := _records(piece):
            yield from enumerate(fast, row)
        else:
            for number, line in _split(piece, row):
                yield number, _record(line)


def _records(piece: bytes) -> list[Record | Flaw] | None:
    """Return the records of many lines at once; None where one of them needs a closer look."""
    try:
        values, kept = OBJECT.decode_lines(piece), RECORD.decode_lines(piece)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if len(values) != _lines(piece) + (not piece.endswith(b"\n")):
        return None  # a blank line, or an object over several
    if len(KEY.findall(piece)) == _keys(values):
        return list(map(Record, values, kept))
    lines = piece.split(b"\n")
    both = zip(lines, map(Record, values, kept), strict=False)
    return [Flaw(TWICE) if has_key_twice(line, record.values) else record for line, record in both]


def _objects(data: bytes) -> Iterator[tuple[int, bytes | Flaw]]:
    """Yield the objects of a JSON file: those of a list with their numbers from 1, a lone one as 0.

    A list without any object is no list of documents.
    """
    if not data.lstrip().startswith(b"["):
        yield 0, data
        return
    try:
        held = list(map(bytes, decode_json(LIST, data)))
    except Flaw as flaw:
        yield 0, flaw
        return
    if not any(one.lstrip().startswith(b"{") for one in held):
        yield 0, Flaw("a list that holds no JSON object")
        return
    yield from enumerate(held, 1)


def _record(line: bytes) -> Record | Flaw:
    """Return the record that is one object, or say why it is none."""
    if not line:
        return Flaw("an empty file")
    try:
        decode(line, Encoding())
        value, kept = decode_json(OBJECT, line), decode_json(RECORD, line)
        return Flaw(TWICE) if has_key_twice(line, value) else Record(value, kept)
    except Flaw as flaw:
        return flaw


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each document, without looking at the rest of it."""
    decoder = _given(settings.id_field)
    for row, piece in _pieces(file, settings):
        if isinstance(piece, Flaw):
            continue
        if file.kind == "json":
            lone = [(number, one) for number, one in _objects(piece) if isinstance(one, bytes)]
            yield from _ids(lone, decoder, file)
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
        yield place_of(file, number) if given is None or given == "" else str(given)


@cache
def _given(name: str) -> Any:
    """Return a decoder of the id alone, from its field's name."""
    fields = [("id", str | int | None, None)]
    return msgspec.json.Decoder(msgspec.defstruct("Id", fields, rename={"id": name}))


def _split(chunk: bytes, row: int) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered lines of a chunk, blank ones left out."""
    for number, line in enumerate(chunk.removesuffix(b"\n").split(b"\n"), row):
        if line and not line.isspace():
            yield number, line


def _pieces(file: File, settings: Settings) -> Iterator[tuple[int, bytes | Flaw]]:
    """Yield (number of its first row, some rows as UTF-8): whole lines, or a whole JSON file.

    If the file can't be read on, it is `WHOLE`.
    """
    limit = byte_limit(settings.max_characters)
    try:
        if file.kind == "json":
            data = file.read(limit)
            encoding = encoding_of(data, settings.encoding)
            yield 0, data if encoding.is_plain_utf8 else decode(data, encoding).encode()
            return
        with file.open() as handle:
            encoding = encoding_of(handle.read(HEAD), settings.encoding)
            handle.seek(len(encoding.mark))
            row = 0
            for chunk in _chunks(handle, encoding, limit):
                yield row, chunk
                row += 1 if isinstance(chunk, Flaw) else _lines(chunk)
    except Flaw as flaw:
        yield WHOLE, flaw
    except UnicodeDecodeError:
        yield WHOLE, Flaw(not_encoded(encoding.codec))
    except OSError as error:
        yield WHOLE, Flaw(f"can't be read: {error.strerror}")


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


def decode_json(decoder: Any, data: Any) -> Any:
    """Decode JSON.

    Raises:
        Flaw: it is broken or too deep; the reason gives the place, never the value.
    """
    try:
        return decoder.decode(data)
    except RecursionError:
        raise Flaw("nested too deeply") from None
    except msgspec.ValidationError as error:
        if "Expected `object`" in str(error):
            raise Flaw("not a JSON object") from None
        raise Flaw("holds a number out of range") from None
    except msgspec.DecodeError as error:
        found = POSITION.search(str(error))
        if not found:
            raise Flaw("broken JSON: it ends too early, or a character is incomplete") from None
        before = bytes(data)[: int(found[1])]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        place = f"line {line}, " if b"\n" in bytes(data) else ""  # a line of JSONL has a row
        number = NO_NUMBER.match(bytes(data), len(before))
        said = f": {number[0].decode()} is no JSON, write null" if number else ""
        raise Flaw(f"broken JSON at {place}column {column}{said}") from None


def has_key_twice(data: bytes, value: Any) -> bool:
    """Tell whether JSON, decoded to `value`, has a key twice in one object.

    If the bytes have as many ends of keys as the value has keys, none was lost. Otherwise a slower
    parser, which returns every pair, decides.
    """
    if len(KEY.findall(data)) == _keys([value]):
        return False
    twice = False

    def pairs(items: list[tuple[str, Any]]) -> None:
        nonlocal twice
        twice |= len({key for key, _ in items}) < len(items)

    try:
        json.loads(data, object_pairs_hook=pairs, parse_int=len, parse_float=len)
    except RecursionError:
        return False  # set aside for its depth, which is seen in the value
    return twice


def _keys(values: list[Any]) -> int:
    """Count the keys of all objects in some decoded values."""
    count, level = 0, values
    while level:
        objects = [one for one in level if type(one) is dict]
        lists = [one for one in level if type(one) is list]
        count += sum(map(len, objects))
        held = chain(*map(dict.values, objects), *lists)
        level = [one for one in held if type(one) in (dict, list)]
    return count


def metadata_of(text: str) -> Any:
    """Decode metadata that a table holds as JSON text; what is no JSON object is a text.

    An object that has a key twice is a text, too: decoded it would lack a value.
    """
    data = text.encode()
    try:
        value = decode_json(ANY, data)
    except Flaw:
        return text
    return value if isinstance(value, dict) and not has_key_twice(data, value) else text
