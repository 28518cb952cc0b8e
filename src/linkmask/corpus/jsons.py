"""JSON files of one document each, and JSONL files of one document a line.

A document's `record` holds each field's own bytes (`msgspec.Raw`), so that what is not masked is
written as it was read: numbers to the last digit, escapes, nested spacing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import msgspec

from linkmask.config import Settings
from linkmask.corpus.files import (
    Encoding,
    File,
    Flaw,
    aside,
    byte_limit,
    decode,
    encoding_of,
    not_encoded,
    open_regular,
    read_bytes,
)
from linkmask.records import Document, Masked, Origin, SetAside

Raw = msgspec.Raw
RECORD = msgspec.json.Decoder(dict[str, Raw])
TEXT = msgspec.json.Decoder(str)
ANY = msgspec.json.Decoder()
ENCODER = msgspec.json.Encoder()

NAMES = {b'"': "text", b"{": "an object", b"[": "a list", b"t": "true", b"f": "false", b"n": "null"}
POSITION = re.compile(r"\(byte (\d+)\)")


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def documents(file: File, settings: Settings) -> Iterator[Document | SetAside]:
    """Yield the documents of a JSON or JSONL file, and what can't be one with its reason."""
    lone = file.kind == "json"
    lines = _whole(file, settings) if lone else _lines(file, settings)
    for row, line in lines:
        place = file.name.rsplit(".", 1)[0] if lone else f"{file.name}:{row + 1}"
        try:
            if isinstance(line, Flaw):
                raise line
            yield _document(line, place, Origin(file.name, row), settings)
        except Flaw as flaw:
            yield aside(file.name, str(flaw), row, place)


def ids(file: File, settings: Settings) -> Iterator[str]:
    """Yield the id of each document, without looking at the rest of it."""
    lone = file.kind == "json"
    field = ("id", Any, None)
    decoder = msgspec.json.Decoder(
        msgspec.defstruct("Id", [field], rename={"id": settings.id_field})
    )
    lines = _whole(file, settings) if lone else _lines(file, settings)
    for row, line in lines:
        place = file.name.rsplit(".", 1)[0] if lone else f"{file.name}:{row + 1}"
        try:
            if not isinstance(line, Flaw):
                yield _identity(decoder.decode(line).id, place)  # type: ignore[attr-defined]
        except (msgspec.MsgspecError, RecursionError, Flaw):
            continue  # set aside when it is read


def _whole(file: File, settings: Settings) -> Iterator[tuple[int, bytes | Flaw]]:
    try:
        yield 0, _utf8(read_bytes(file.path, byte_limit(settings.max_characters)))
    except Flaw as flaw:
        yield 0, flaw


def _lines(file: File, settings: Settings) -> Iterator[tuple[int, bytes | Flaw]]:
    """Yield (line number from 0, line as UTF-8), blank lines left out."""
    limit = byte_limit(settings.max_characters)
    try:
        with open_regular(file.path) as handle:
            encoding = encoding_of(handle.read(4))
            handle.seek(len(encoding.mark))
            lines = (
                _split(handle, limit) if encoding.codec == "utf-8" else _recode(handle, encoding)
            )
            for row, line in enumerate(lines):
                if isinstance(line, Flaw) or (line := line.strip()):
                    yield row, line
    except Flaw as flaw:
        yield 0, flaw
    except UnicodeDecodeError:
        yield 0, Flaw(not_encoded(encoding.codec))
    except OSError as error:
        yield 0, Flaw(f"can't be read: {error.strerror}")


def _split(handle: BinaryIO, limit: int) -> Iterator[bytes | Flaw]:
    while line := handle.readline(limit):
        if len(line) == limit and line[-1:] != b"\n":
            while (rest := handle.readline(limit)) and rest[-1:] != b"\n":
                pass
            yield Flaw("too large: raise max_characters, or split it")
        elif line.isascii():
            yield line
        else:
            try:
                line.decode()
                yield line
            except UnicodeDecodeError as error:
                yield Flaw(not_encoded("utf-8", error.start))


def _recode(handle: BinaryIO, encoding: Encoding) -> Iterator[bytes]:
    """UTF-16 and UTF-32 line by line as UTF-8."""
    import io

    with io.TextIOWrapper(handle, encoding=encoding.codec, newline="\n") as text:
        for line in text:
            yield line.encode()


def _utf8(data: bytes) -> bytes:
    """Return the file's bytes as UTF-8 without a mark."""
    encoding = encoding_of(data[:4])
    if encoding.plain and data.isascii():
        return data
    return decode(data, encoding).encode()


def _document(line: bytes, place: str, origin: Origin, settings: Settings) -> Document:
    """Make a document of one JSON object.

    Raises:
        Flaw: it is not one; the reason names the field, never its value.
    """
    if not line:
        raise Flaw("an empty file")
    record = _decode(RECORD, line)
    for name in (settings.text_field, settings.id_field, settings.metadata_field):
        if line.count(b'"%b"' % name.encode()) > 1 and name in _repeats(line, top=True):
            raise Flaw(f"the field {name!r} occurs twice")
    raw = record.get(settings.text_field)
    if raw is None:
        raise Flaw(f"no field {settings.text_field!r}: name the text with --text-field")
    given = record.get(settings.id_field)
    identity = _identity(None if given is None else _decode(ANY, given), place)
    content = _text(raw, settings)
    held = record.get(settings.metadata_field)
    metadata = {} if held is None else _metadata(held, settings)
    return Document(identity, content, metadata, origin, record)


def _text(raw: Raw, settings: Settings) -> str:
    if bytes(raw)[:1] != b'"':
        raise Flaw(f"the field {settings.text_field!r} is {_kind(raw)}, not text")
    content: str = _decode(TEXT, raw)
    if len(content) > settings.max_characters:
        raise Flaw("longer than max_characters: raise it, or split the text")
    return content


def _metadata(raw: Raw, settings: Settings) -> Mapping[str, Any]:
    value = _decode(ANY, raw)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Flaw(f"the field {settings.metadata_field!r} is {_kind(raw)}, not an object")
    data = bytes(raw)
    if data.count(b":") != _keys(value) and _repeats(data):
        raise Flaw(f"a key of {settings.metadata_field!r} occurs twice")
    return value


def metadata_of(text: str, name: str) -> Mapping[str, Any]:
    """Decode metadata that a table holds as JSON text; an empty cell is no metadata.

    Raises:
        Flaw: the text is not a JSON object, or says a key twice.
    """
    if not text.strip():
        return {}
    data = text.encode()
    try:
        value = _decode(ANY, data)
    except Flaw:
        raise Flaw(f"the field {name!r} is not a JSON object") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Flaw(f"the field {name!r} is not a JSON object")
    if data.count(b":") != _keys(value) and _repeats(data):
        raise Flaw(f"a key of {name!r} occurs twice")
    return value


def _identity(given: object, place: str) -> str:
    """Return the id as text; a document without one goes by its place."""
    if given is None or given == "":
        return place
    if isinstance(given, str) or (isinstance(given, int) and not isinstance(given, bool)):
        return str(given)
    raise Flaw("its id is neither text nor a whole number")


def _decode(decoder: Any, data: bytes | Raw) -> Any:
    try:
        return decoder.decode(data)
    except RecursionError:
        raise Flaw("nested too deeply") from None
    except msgspec.ValidationError:
        if decoder is RECORD:
            raise Flaw("not a JSON object; of a list, make a .jsonl of one object a line") from None
        raise Flaw("holds a number out of range") from None
    except msgspec.DecodeError as error:
        raise Flaw(_broken(bytes(data), str(error))) from None


def _broken(data: bytes, message: str) -> str:
    found = POSITION.search(message)
    if not found:
        return "broken JSON: it ends too early, or holds half a character"
    before = data[: int(found[1])]
    line = before.count(b"\n") + 1
    column = len(before) - before.rfind(b"\n")
    return f"broken JSON at line {line}, column {column}"


def _kind(raw: Raw) -> str:
    return NAMES.get(bytes(raw)[:1], "a number")


def _keys(value: object) -> int:
    """Count the keys at all depths."""
    if isinstance(value, dict):
        return len(value) + sum(map(_keys, value.values()))
    if isinstance(value, list):
        return sum(map(_keys, value))
    return 0


def _repeats(data: bytes, top: bool = False) -> set[str]:
    """Return keys said twice in one object: of the outermost only, or of any.

    Every colon outside of a string follows a key, so callers ask only where colons outnumber keys.
    """
    twice: set[str] = set()

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if top:
            twice.clear()  # objects close from the inside out: the last call is the outermost
        seen: set[str] = set()
        for key, _ in items:
            (twice if key in seen else seen).add(key)
        return {}

    try:
        json.loads(data, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        raise Flaw("nested too deeply, or holds a number out of range") from None
    return twice


# ── writing ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Style:
    """How a file writes its objects: what stands around members, and which characters it escapes.

    `indent` counts blanks a level; 0 is one line. `end` follows each object.
    """

    encoding: Encoding
    opening: bytes = b"{"
    colon: bytes = b": "
    comma: bytes = b", "
    closing: bytes = b"}"
    end: bytes = b"\n"
    ascii: bool = False

    @property
    def indent(self) -> int:
        """Blanks a level for msgspec: −1 compact, 0 one line with blanks, else the indentation."""
        if b"\n" in self.opening:
            return len(self.opening.rsplit(b"\n")[-1].expandtabs(4))
        return 0 if self.colon.endswith(b" ") else -1


HEAD = re.compile(rb'\s*(\{\s*)"(?:[^"\\]|\\.){0,1000}"(\s{0,9}:\s{0,9})')


def style_of(file: File) -> Style:
    """Read off the style from the file's first object; exact where a JSON library wrote it."""
    lone = file.kind == "json"
    with open_regular(file.path) as handle:
        data = handle.read() if lone else handle.read(1 << 16)
    encoding = encoding_of(data[:4])
    text = data[len(encoding.mark) :]
    if encoding.codec != "utf-8":
        text = text.decode(encoding.codec, errors="ignore").encode(errors="ignore")
    found = HEAD.match(text)
    opening, colon = (found[1], found[2]) if found else (b"{", b": ")
    blank = opening[1:]
    comma = b"," + (blank if b"\n" in blank else b" " if colon.endswith(b" ") else b"")
    escaped = b"\\u" in text and text.isascii()
    if not lone:
        end = b"\r\n" if b"\r\n" in text else b"\n"
        return Style(encoding, opening, colon, comma, b"}", end, escaped)
    body = text.rstrip()
    closing = body[len(body[:-1].rstrip()) :]
    return Style(encoding, opening, colon, comma, closing, text[len(body) :], escaped)


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked documents of a file in the style of the file they came from."""
    style = style_of(file)
    out.write(style.encoding.mark)
    for masked in group:
        out.write(render(masked, style, settings))


def render(masked: Masked, style: Style, settings: Settings) -> bytes:
    """Write a masked document's record with content and metadata replaced, in its file's style."""
    document = masked.document
    changed: dict[str, Any] = {}
    if masked.content != document.content:
        changed[settings.text_field] = masked.content
    if masked.metadata != document.metadata:
        changed[settings.metadata_field] = masked.metadata
    members = [
        ENCODER.encode(name)
        + style.colon
        + (_value(changed[name], style) if name in changed else raw)
        for name, raw in document.record.items()
    ]
    text = style.opening + style.comma.join(members) + style.closing + style.end
    return text if style.encoding.codec == "utf-8" else text.decode().encode(style.encoding.codec)


def _value(value: Any, style: Style) -> bytes:
    data = json.dumps(value).encode() if style.ascii else ENCODER.encode(value)
    if isinstance(value, str):
        return data
    data = msgspec.json.format(data, indent=style.indent)
    margin = style.comma[1:] if style.indent > 0 else b""
    return data.replace(b"\n", margin) if margin else data
