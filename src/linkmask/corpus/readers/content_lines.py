"""Reads vCards and calendars (RFC 6350, RFC 5545): content lines as a person reads them.

The lines that begin and end a component, and its version, are words of the format. The parts of a
name (`N:Brandvold;Ottoline;;Dr.;`) are one name, read after a label, and so are those of an address
(`ADR:;;12 Orchard Dene;Thornby;;TH1 9ZZ;UK`). A line that begins with a
blank continues the one before, and a word may be folded there. Commas, semicolons and line ends of
a text are written with a backslash. In vCard 2.1 a line may be written in quoted-printable form.
"""

from __future__ import annotations

import binascii
import re

from linkmask.corpus.files import Flaw
from linkmask.corpus.readers.source import Inner, Kind, Limits, Source, read_markup
from linkmask.corpus.readers.source_view import LABEL_END, LINE, View, with_field_edits

_LINES = re.compile(
    r"(?im)^(?:(?P<format>(?:(?:BEGIN|END):[A-Z-]{1,40}|VERSION:[0-9.]{1,9})[ \t]*\r?$)"
    r"|(?P<key>[\w.-]{1,40})(?P<form>(?:;[^:\r\n;]{1,99}){0,9}?;(?:ENCODING=)?QUOTED-PRINTABLE"
    r"(?:;[^:\r\n;]{1,99}){0,9}):(?P<encoded>(?:=\r?\n|[^\r\n])*)"
    r"|(?:[\w-]{1,20}\.)?(?P<property>N|ADR)(?:;[^:\r\n]{0,200})?"
    r":(?P<parts>(?:[^\r\n]|\r?\n[ \t]){1,1000}))"
)
_FOLD_OR_ESCAPE = re.compile(r"\r?\n[ \t]|\\([nN,;\\])")
_CHARSET = re.compile(r"(?i);CHARSET=([\w-]{1,40})")
_PARTS = re.compile(r"[^;]+|;+")
_PROPERTY = re.compile(r"(?i)(?:[\w-]+\.)?(N|ADR)")
LABELS = {"N": ("name: ", " "), "ADR": ("address: ", ", ")}
"""Property whose value has parts → the label it is read after, and what parts these."""
PLAIN = "plain"


class Card:
    """A vCard or calendar as one field.

    Raises:
        Flaw: a line in quoted-printable form has another charset than it says.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        view, at = View(source), 0
        for found in _LINES.finditer(source):
            part = next(one for one in ("form", "format", "parts") if found[one])
            _copy(view, at, found.start(part), PLAIN)
            at = found.end()
            if part == "parts":
                _parts(view, found["property"], *found.span(part), PLAIN)
            elif part == "form":
                charset = _CHARSET.search(found["form"])
                encoded = (*found.span("encoded"), charset[1] if charset else "utf-8")
                if structured := _PROPERTY.fullmatch(found["key"]):
                    _parts(view, structured[1], *encoded)
                else:
                    _labelled(view, *encoded)
        _copy(view, at, len(source), PLAIN)
        self.fields = list(view.field("text"))

    def write(self) -> str:
        """Return the text with the edits of its field made."""
        return with_field_edits(self.source, self.fields, _written)


def read_card(data: bytes, kind: Kind, limits: Limits, inner: Inner) -> Source:
    """Read a vCard or calendar."""
    return read_markup(data, kind.charset, Card, limits, "strict")


def _parts(view: View, name: str, start: int, end: int, kind: str) -> None:
    """Add the parts of a name or an address as one value."""
    label, between = LABELS[name.upper()]
    view.part(LINE)
    view.label(label)
    for part in _PARTS.finditer(view.source, start, end):
        if part[0].startswith(";"):
            inner = start < part.start() and part.end() < end
            view.decode(between if inner else " ", *part.span(), PLAIN)
        else:
            _copy(view, *part.span(), kind)
    view.part(LINE)


def _labelled(view: View, start: int, end: int, kind: str) -> None:
    """Add an encoded value after the name of its property."""
    view.label(LABEL_END)
    _copy(view, start, end, kind)


def _copy(view: View, start: int, end: int, kind: str) -> None:
    """Add a part of the source without its folds, and with what its escapes mean (`\\,`); `kind` is
    its charset where it is encoded.
    """
    if kind != PLAIN:
        try:
            text = binascii.a2b_qp(view.source[start:end]).decode(kind)
        except (LookupError, UnicodeError):
            raise Flaw(f"a line in quoted-printable form is not {kind}") from None
        view.decode(text, start, end, kind)
        return
    for found in _FOLD_OR_ESCAPE.finditer(view.source, start, end):
        view.copy(start, found.start(), kind)
        if found[1]:
            view.decode("\n" if found[1] in "nN" else found[1], *found.span(), kind)
        start = found.end()
    view.copy(start, end, kind)


def _written(text: str, kind: str) -> str:
    """Return a text as it is written where the source is of this kind."""
    if kind == PLAIN:
        return text
    return binascii.b2a_qp(text.encode(kind), istext=False).decode()
