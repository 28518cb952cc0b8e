"""Reads vCards and calendars (RFC 6350, RFC 5545): content lines as a person reads them.

The lines that begin and end a component are words of the format. The parts of a name
(`N:Brandvold;Ottoline;;Dr.;`) are one name, read after a label.
"""

from __future__ import annotations

import re

from linkmask.corpus.readers.source_view import LINE, View, with_field_edits

_LINES = re.compile(
    r"(?im)^(?:(?P<format>(?:BEGIN|END):[A-Z-]{1,40}[ \t]*\r?$)"
    r"|(?:[\w-]{1,20}\.)?N(?:;[^:\r\n]{0,200})?:(?P<name>[^\r\n]{1,1000}))"
)
LABEL = "name: "


class Card:
    """A vCard or calendar as one field."""

    def __init__(self, source: str) -> None:
        self.source = source
        view, at = View(source), 0
        for found in _LINES.finditer(source):
            end = found.start("format" if found["format"] else "name")
            view.copy(at, end, "plain")
            at = found.end()
            if found["name"]:
                _name(view, end, at)
        view.copy(at, len(source), "plain")
        self.fields = list(view.field("text"))

    def write(self) -> str:
        """Return the text with the edits of its field made."""
        return with_field_edits(self.source, self.fields, lambda text, kind: text)


def _name(view: View, start: int, end: int) -> None:
    """Add the parts of a name, each from the next by a blank."""
    view.part(LINE)
    view.label(LABEL)
    for part in re.compile(r"[^;]+|;+").finditer(view.source, start, end):
        if part[0].startswith(";"):
            view.decode(" ", *part.span(), "plain")
        else:
            view.copy(*part.span(), "plain")
    view.part(LINE)
