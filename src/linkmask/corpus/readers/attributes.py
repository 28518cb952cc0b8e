"""Reads the attributes of markup as one field: each value on a line, after its name.

Names of attributes that every page has, such as `lang`, are left out: they identify nobody, and may
equal the name of a person.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from linkmask.corpus.readers.markup_tokens import Attribute
from linkmask.corpus.readers.source_view import ADDED, LINE, Field, View
from linkmask.schema import MASK

REFERENCE = re.compile(r"&(?:#[0-9]{1,9};?|#[xX][0-9a-fA-F]{1,8};?|[A-Za-z][A-Za-z0-9]{1,31};?)")
_READ = re.compile(rf"[\r\n]+|{REFERENCE.pattern}")
LETTER_OR_DIGIT = re.compile(r"[^\W_]")
"""What a value must contain to be read."""


class Attributes:
    """Collects the values of attributes; those of one name and value are read once.

    Values with a mask are all read, because lines that a masked value separated in the original
    would otherwise be adjacent, and could be read as one value.

    `twins`: equal values are read once. The key is where that value begins; the value is its
    length, and where the others begin.
    """

    def __init__(self, source: str) -> None:
        self._source, self._view = source, View(source)
        self._firsts: dict[tuple[str, str], int] = {}
        self.twins: dict[int, tuple[int, list[int]]] = {}

    def add(self, one: Attribute, label: str, place: int = ADDED, *, names: bool = False) -> None:
        """Add an attribute's value, after a label if there is one, which stands at `place`.

        `names`: the value names what another attribute of the element holds, or the user's input.
        """
        value = self._source[one.start : one.end]
        first = self._firsts.setdefault((label, value), one.start)
        _, others = self.twins.setdefault(first, (len(value), []))
        if first != one.start and not MASK.search(value):
            others.append(one.start)
            return
        self._view.part(LINE)
        if label:
            self._view.label(f"{label}: ", place)
        value_of(self._view, one)
        if names:
            self._view.name(value)

    def field(self) -> Iterator[Field]:
        """Yield the field, unless there is no attribute."""
        return self._view.field("attributes", running=False)


def value_of(view: View, one: Attribute) -> None:
    """Add the value of an attribute to a view, in one line: in a list, a line end parts values."""
    kind, at = "bare" if one.bare else "attribute", one.start
    for found in _READ.finditer(view.source, one.start, one.end):
        view.copy(at, found.start(), kind)
        means = html.unescape(found[0])
        view.decode(" " if means.isspace() else means, *found.span(), kind)
        at = found.end()
    view.copy(at, one.end, kind)
