"""Defines what a reader returns: fields with edits, from which the file is written again."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from linkmask.corpus.encodings import HEAD, Encoding, decode, encoding_of
from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.source_view import Field, View, with_field_edits

DEEPEST = 12
"""Layers that may lie in one another: an archive in a mail in a mail."""


CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
"""Characters that no text has; a blank is read for each in files of pages."""


class Markup(Protocol):
    """A text of which fields were read."""

    fields: list[Field]

    def write(self) -> str:
        """Return it with the edits of its fields made."""


class Source(Protocol):
    """Bytes of which fields were read.

    `removed` says what could not be read and is left out where it is written: a place and a reason.
    """

    removed: list[str]

    @property
    def fields(self) -> Sequence[Field]:
        """The fields in order."""

    def write(self) -> bytes:
        """Return the bytes with the edits of the fields made, and without what is removed.

        Raises:
            Flaw: an edit can't be made.
        """


def written_as(source: object) -> str:
    """Return the kind of a source that is written as another (`FileKind.written`), else ""."""
    return str(getattr(source, "written_as", ""))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a reader must keep to: bytes that may still be unpacked, layers that may still follow.

    `encoding` is that of texts that name none; `ocr` the command that recognizes the text of scans.
    `budget` is shared by all layers of a file.
    """

    budget: list[int]
    encoding: str = ""
    layers: int = DEEPEST
    ocr: str = ""

    def inner(self) -> Limits:
        """Return the limits of what lies in a layer.

        Raises:
            Flaw: no layer may follow.
        """
        if not self.layers:
            raise Flaw(f"nested too deeply: more than {DEEPEST} layers of files in files")
        return replace(self, layers=self.layers - 1)

    def spend(self, size: int) -> None:
        """Count bytes that were unpacked.

        Raises:
            Flaw: they are more than are left.
        """
        self.budget[0] -= size
        if self.budget[0] < 0:
            raise Flaw("too large when it is unpacked: raise max_characters, or split it")


@dataclass(frozen=True, slots=True)
class Kind:
    """What is declared of some bytes: file name, media type and charset."""

    name: str = ""
    media: str = ""
    charset: str = ""


Inner = Callable[[bytes, Kind, Limits], Source]
"""Reads what lies in another file: `inner(data, kind, limits)`."""


class Plain:
    """A text without markup: one field."""

    def __init__(self, source: str) -> None:
        self.source = source
        view = View(source)
        view.copy(0, len(source), "plain")
        self.fields = list(view.field("text"))

    def write(self) -> str:
        """Return the text with the edits of its field made."""
        return with_field_edits(self.source, self.fields, lambda text, kind: text)


class MarkdownText(NamedTuple):
    """What was read of a file: Markdown, and what could not be read, each with its reason.

    `pages` has for each page of a file where its text stands in the Markdown, half-open; a page
    whose text was recognized in a picture has none.
    """

    text: str
    removed: list[str]
    pages: Sequence[tuple[int, int]] = ()


class Markdown:
    """A file that can't be written: what was read of it is written instead, as Markdown."""

    written_as = ""

    def __init__(self, read: MarkdownText) -> None:
        self.read = read
        self.removed = read.removed
        self._plain = Plain(read.text)
        self.fields = self._plain.fields

    def write(self) -> bytes:
        """Return the text with the edits of its field made."""
        return self._plain.write().encode()


@dataclass(slots=True)
class Encoded:
    """A text in some encoding."""

    data: bytes
    encoding: Encoding
    markup: Markup
    errors: str = "strict"
    removed: list[str] = field(default_factory=list)

    @property
    def fields(self) -> list[Field]:
        """The fields of the text."""
        return self.markup.fields

    def write(self) -> bytes:
        """Return the text with the edits made, in its encoding.

        Raises:
            Flaw: a mask can't be written in this encoding.
        """
        if not any(one.edits for one in self.fields):
            return self.data
        try:
            written = self.markup.write().encode(self.encoding.codec, self.errors)
        except UnicodeEncodeError:
            codec = self.encoding.codec.upper()
            raise Flaw(f"a mask can't be written in {codec}: convert the file to UTF-8") from None
        return self.encoding.mark + written


def read_text(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Encoded:
    """Read a text without markup."""
    return read_markup(data, kind.charset, Plain, limits, "strict")


def read_markup(
    data: bytes,
    charset: str,
    made: Callable[[str], Markup],
    limits: Limits,
    errors: str = "xmlcharrefreplace",
) -> Encoded:
    """Read a text by its markup; `errors` says how a character that its encoding lacks is written.

    Raises:
        Flaw: as for `decode_bytes`, or its markup is broken.
    """
    encoding, text = decode_bytes(data, charset, limits)
    return Encoded(data, encoding, made(text), errors)


def decode_bytes(data: bytes, charset: str, limits: Limits) -> tuple[Encoding, str]:
    """Return the encoding and text of some bytes.

    A byte order mark decides; then the charset that the bytes or what holds them declare, then the
    one that settings name. ISO-8859-1 means Windows-1252, as in browsers.

    Raises:
        Flaw: the bytes are not text in this encoding, or it can't be written again.
    """
    encoding = encoding_of(data[:HEAD], _codec(charset) or limits.encoding)
    text = decode(data, encoding)
    if "\0" in text:
        raise Flaw("holds NUL bytes: not a text file")
    if not encoding.codec.startswith("utf-") and text.encode(encoding.codec, "replace") != data:
        raise Flaw(f"its {encoding.codec.upper()} can't be written back: convert it to UTF-8")
    return encoding, text


def _codec(charset: str) -> str:
    """Return the codec that a declared charset means, "" if it means none.

    Raises:
        Flaw: no codec has this name.
    """
    if not charset:
        return ""
    try:
        name = codecs.lookup(charset).name
        b"".decode(name)
    except (LookupError, ValueError):
        raise Flaw("it declares an encoding that is not known: convert it to UTF-8") from None
    return {"iso8859-1": "cp1252", "ascii": "utf-8", "utf-7": "utf-8"}.get(name, name)


def fields_within(place: str, fields: Iterable[Field]) -> list[Field]:
    """Return the fields of what lies at a place of another file, named by this place."""
    fields = list(fields)
    for one in fields:
        one.name = (place, *one.name)
    return fields
