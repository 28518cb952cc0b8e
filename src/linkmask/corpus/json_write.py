"""Writes JSON in the style of the file it came from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import msgspec

from linkmask.config import Settings
from linkmask.corpus.encodings import Encoding, encoding_of
from linkmask.corpus.fields import changed_fields
from linkmask.corpus.files import File
from linkmask.records import Masked

ENCODER = msgspec.json.Encoder()

TOGETHER = 1 << 17
"""Bytes that are collected before they are written."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a file writes its objects: what stands around members, and which characters it escapes.

    `end` follows each object. Of a list, `head` stands before the first object, `between` before
    each other and `tail` after the last.
    """

    encoding: Encoding
    opening: bytes = b"{"
    colon: bytes = b": "
    comma: bytes = b", "
    closing: bytes = b"}"
    end: bytes = b"\n"
    ascii: bool = False
    head: bytes = b""
    between: bytes = b""
    tail: bytes = b""

    frames: dict[tuple[str, ...], list[bytes]] = field(default_factory=dict)

    def frame(self, names: tuple[str, ...]) -> list[bytes]:
        """Return the pieces of an object with these keys; every second one, for a value, is empty.

        Kept, since the same few keys come with every object.
        """
        if names not in self.frames:
            keys = [json.dumps(k).encode() if self.ascii else ENCODER.encode(k) for k in names]
            pieces = [piece for key in keys for piece in (self.comma + key + self.colon, b"")]
            pieces[:1] = [self.opening + one.removeprefix(self.comma) for one in pieces[:1]]
            self.frames[names] = [*pieces, (self.closing if names else b"{}") + self.end]
        return self.frames[names]

    @property
    def indent(self) -> int:
        """Blanks a level for msgspec: −1 compact, 0 one line with blanks, else the indentation."""
        if b"\n" in self.opening:
            return _margin(self.opening) - (_margin(self.head) if b"\n" in self.head else 0)
        return 0 if self.colon.endswith(b" ") else -1


def _margin(opening: bytes) -> int:
    """Return how many blanks begin a line after the opening of an object or list."""
    return len(opening.rsplit(b"\n")[-1].expandtabs(4))


HEAD = re.compile(rb'\s*(\[\s*)?(\{\s*)"(?:[^"\\]|\\.){0,1000}"(\s{0,9}:\s{0,9})')


def style_of(file: File, settings: Settings) -> Style:
    """Read off the style from the file's first object; exact where a JSON library wrote it."""
    lone = file.kind == "json"
    with file.open() as handle:
        data = handle.read() if lone else handle.read(1 << 16)
    encoding = encoding_of(data, settings.encoding)
    text = data[len(encoding.mark) :]
    if encoding.codec != "utf-8":
        text = text.decode(encoding.codec, errors="ignore").encode(errors="ignore")
    found = HEAD.match(text)
    head, opening, colon = (found[1] or b"", found[2], found[3]) if found else (b"", b"{", b": ")
    comma = _comma(opening, colon)
    escaped = b"\\u" in text and text.isascii()
    if not lone:
        end = b"\r\n" if b"\r\n" in text else b"\n"
        return Style(encoding, opening, colon, comma, b"}", end, escaped)
    closing, after = _last(text)
    if not text.lstrip().startswith(b"["):
        return Style(encoding, opening, colon, comma, closing, after, escaped)
    head, tail = head or b"[", closing + after
    closing, _ = _last(text.removesuffix(tail))
    between = _comma(head, colon)
    return Style(encoding, opening, colon, comma, closing, b"", escaped, head, between, tail)


def _comma(opening: bytes, colon: bytes) -> bytes:
    """Return the comma of an object or list that begins so, with the blanks after it."""
    blank = opening[1:]
    return b"," + (blank if b"\n" in blank else b" " if colon.endswith(b" ") else b"")


def _last(text: bytes) -> tuple[bytes, bytes]:
    """Return the last sign of a text with the blanks before it, and the blanks after it."""
    body = text.rstrip()
    return body[len(body[:-1].rstrip()) :], text[len(body) :]


def write(file: File, out: BinaryIO, group: Iterator[Masked], settings: Settings) -> None:
    """Write the masked documents of a file in the style of the file they came from."""
    style = style_of(file, settings)
    head, between, tail = (
        part if style.encoding.codec == "utf-8" else part.decode().encode(style.encoding.codec)
        for part in (style.head, style.between, style.tail)
    )
    out.write(style.encoding.mark + head)
    waiting, size = [], 0
    for number, masked in enumerate(group):
        text = (between if number else b"") + render(masked, style, settings)
        waiting.append(text)
        size += len(text)
        if size > TOGETHER:
            out.write(b"".join(waiting))
            waiting, size = [], 0
    out.write(b"".join([*waiting, tail]))


def render(masked: Masked, style: Style, settings: Settings) -> bytes:
    """Write a masked document's record with the changed fields replaced, in its file's style."""
    members: dict[str, Any] = dict(masked.original.record)
    for name, value in changed_fields(masked, settings).items():
        members[name] = _value(value, style)
    pieces: list[Any] = style.frame(tuple(members)).copy()
    pieces[1::2] = members.values()
    text = b"".join(pieces)
    return text if style.encoding.codec == "utf-8" else text.decode().encode(style.encoding.codec)


def _value(value: Any, style: Style) -> bytes:
    data = json.dumps(value).encode() if style.ascii else ENCODER.encode(value)
    if isinstance(value, str):
        return data
    data = msgspec.json.format(data, indent=style.indent)
    margin = style.comma[1:] if style.indent > 0 else b""
    return data.replace(b"\n", margin) if margin else data


def metadata_text(cell: str, read: Any, written: Any) -> str:
    """Return masked metadata as the JSON text of a table's cell, as it stands where it may."""
    if written == read:
        return cell
    indent = 0 if '": ' in cell else -1
    return msgspec.json.format(ENCODER.encode(written), indent=indent).decode()
