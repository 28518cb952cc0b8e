"""Maps a text as a person reads it to the source: each character to its place there.

A `Field` is one text of a document: the body of a page, the headers of a mail. Its text consists of
pieces. A piece is copied from the source (each character stands there as itself), or decoded from
it (`&eacute;`, a run of blanks), or it stands nowhere in the source: the line end between two
paragraphs. Edits of the text become edits of the source; what no edit covers keeps its characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, Protocol

from linkmask.corpus.files import Flaw

ADDED = -1
"""The source position of a piece that stands nowhere in the source."""
REPEATED = -2
"""The source position of a piece that repeats another piece of the field, where it is masked."""
LABEL_END = ": "
"""What ends a label."""
_GOES_ON = re.compile(r"(?:st|nd|rd|th|er|re|ère|e|ème|o)\b|[\w.+-]{1,64}@")
"""Goes on with a word: the ending of an ordinal (English, French, Italian), a mail address."""


class Mark(NamedTuple):
    """A separator between two pieces of a text; of several, the widest is written."""

    width: int
    text: str


NONE, GAP, TAB, LINE, CELL, ROW, APART = (
    Mark(*each) for each in enumerate(("", " ", "\t", "\n", " | ", "\n", "\n\n"))
)
"""Separators between words, after a tabulator, between lines, cells, rows of cells, and lines that
do not belong together."""


class Edit(NamedTuple):
    """The characters `[start, end)` of a text or source are replaced by `text`."""

    start: int
    end: int
    text: str


class ViewPiece(NamedTuple):
    """A stretch of a text from `at` to the next piece, and `[start, end)` of the source for it.

    `kind` names what the source is there, which decides how a new text is escaped.
    """

    at: int
    start: int
    end: int
    kind: str


class Escape(Protocol):
    """Returns a text as it is written where the source is of this kind."""

    def __call__(self, text: str, kind: str) -> str:
        """Return the source of a text."""


@dataclass(slots=True)
class Field:
    """One text of a document, with its name and the pieces that lead back to the source.

    `running`: it is prose, and no list of short values. `fixed`: it names what others refer to, as
    names of elements do, and can't be written over. `named`: lines of it that name a value, as the
    name of an input does. `edits` are what is to be masked in it.
    """

    name: tuple[str, ...]
    text: str
    pieces: Sequence[ViewPiece]
    running: bool = True
    fixed: bool = False
    named: frozenset[str] = frozenset()
    edits: list[Edit] = field(default_factory=list)

    def labels(self) -> Iterator[tuple[str, bool]]:
        """Yield what was written before values where lines and cells begin, as `birth date: `.

        Lines that name a value count, too, also without one. The flag tells whether the file has
        the label elsewhere.
        """
        yield from ((f"{name}{LABEL_END}", True) for name in self.named)
        for piece, after in pairwise(self.pieces):
            begins = not piece.at or self.text.endswith(("\n", CELL.text), 0, piece.at)
            if piece.start < 0 and begins:
                text = self.text[piece.at : after.at]
                if text.endswith(LABEL_END):
                    yield text, piece.start == REPEATED

    def in_source(self) -> Iterator[tuple[Edit, str]]:
        """Yield the edits of the source, each with the kind of the source there.

        Raises:
            Flaw: the field can't be written over, or an edit covers nothing of the source.
        """
        if self.edits and self.fixed:
            raise Flaw("a name of an element or attribute holds a value: rename it")
        starts = [piece.at for piece in self.pieces]
        decoded: dict[int, list[Edit]] = {}
        for edit in self.edits:
            new: str | None = edit.text
            repeated = False
            for number in range(bisect_right(starts, edit.start) - 1, len(starts)):
                piece = self.pieces[number]
                if piece.at >= edit.end:
                    break
                if piece.start < 0:
                    repeated = repeated or piece.start == REPEATED
                    continue
                stop = starts[number + 1] if number + 1 < len(starts) else len(self.text)
                inner = Edit(max(edit.start, piece.at), min(edit.end, stop), new or "")
                new = None
                if stop - piece.at == piece.end - piece.start:
                    by = piece.start - piece.at
                    yield Edit(inner.start + by, inner.end + by, inner.text), piece.kind
                else:
                    decoded.setdefault(number, []).append(inner)
            if new is not None and not repeated:
                raise Flaw("a masked value was not found in the file: it can't be written back")
        for number, edits in decoded.items():
            piece = self.pieces[number]
            stop = starts[number + 1] if number + 1 < len(starts) else len(self.text)
            whole = self.text[piece.at : stop]
            moved = [e._replace(start=e.start - piece.at, end=e.end - piece.at) for e in edits]
            yield Edit(piece.start, piece.end, with_edits(whole, moved)), piece.kind


class View:
    """Builds the text of a field, piece by piece, from a source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._parts: list[str] = []
        self._pieces: list[ViewPiece] = []
        self._length = 0
        self._due = NONE
        self._between = False
        self._named = set[str]()

    def name(self, text: str) -> None:
        """Mark the last line as the name of a value; it is no label of the next line."""
        self._named.add(text)
        self.part(APART)

    def copy(self, start: int, end: int, kind: str) -> None:
        """Add `[start, end)` of the source as it stands."""
        if start < end:
            self._add(self.source[start:end], start, end, kind)

    def decode(self, text: str, start: int, end: int, kind: str) -> None:
        """Add what `[start, end)` of the source means."""
        if text:
            self._add(text, start, end, kind)

    def label(self, text: str, place: int = ADDED) -> None:
        """Add a text that stands nowhere in the source, or `REPEATED`."""
        self._add(text, place, place, "")

    def part(self, mark: Mark) -> None:
        """Separate the next text from the last one; of several marks the widest counts."""
        if self._length and mark >= self._due:
            self._due = mark

    def between(self) -> None:
        """Note that one element ends here and another begins in the line, or a picture stands here.

        Words are sometimes cut there ("Brand", "vold"), and styles may set the two far apart. A
        blank parts them if they don't go on alike: "Brandvold" and "4821377", "Name" and "Otto".
        """
        self._between = True

    def blank(self, start: int, end: int, kind: str) -> None:
        """Add a run of blanks of the source as one, unless a blank or a line end stands there."""
        if self._length and not self._due.text and not self._parts[-1][-1:].isspace():
            self._add(" ", start, end, kind)

    def _add(self, text: str, start: int, end: int, kind: str) -> None:
        if self._between and not self._due.text and self._parts:
            self._due = GAP if _unlike(self._parts[-1][-1:], text) else self._due
        self._between = False
        if self._due.text:
            mark, self._due = self._due.text, NONE
            self._add(mark, ADDED, ADDED, "")
        self._parts.append(text)
        self._pieces.append(ViewPiece(self._length, start, end, kind))
        self._length += len(text)

    @property
    def text(self) -> str:
        """What was added so far."""
        return "".join(self._parts)

    def field(self, *name: str, running: bool = True, fixed: bool = False) -> Iterator[Field]:
        """Yield the field, unless it holds nothing."""
        if (text := self.text) and not text.isspace():
            yield Field(name, text, self._pieces, running, fixed, frozenset(self._named))


def _unlike(last: str, text: str) -> bool:
    """Tell whether a word ends and a number begins, or the reverse, or a word with a capital.

    The ending of an ordinal, as in "3rd", and a mail address go on.
    """
    first = text[:1]
    if _GOES_ON.match(text):
        return False
    numeric = last.isdigit(), first.isdigit()
    word = last.isalnum() and first.isalnum()
    return word and (numeric[0] != numeric[1] or (last.islower() and first.isupper()))


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits made.

    Raises:
        Flaw: two of them overlap.
    """
    parts, at = [], 0
    for start, end, new in sorted(edits):
        if start < at:
            raise Flaw("two values of a place overlap: it can't be written back")
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def with_field_edits(
    source: str,
    fields: Iterable[Field],
    escape: Escape,
    twins: Mapping[int, tuple[int, Sequence[int]]] | None = None,
) -> str:
    """Return a source with the edits of its fields made.

    `twins`: equal stretches of the source are read once. The key is where the one that is read
    begins; the value is its length, and where the others begin.
    """
    edits = [
        edit._replace(text=escape(edit.text, kind))
        for one in fields
        for edit, kind in one.in_source()
    ]
    if twins and edits:
        firsts = sorted(twins)
        for start, end, text in tuple(edits):
            begin = firsts[max(0, bisect_right(firsts, start) - 1)]
            length, others = twins[begin]
            if begin <= start <= end <= begin + length:
                edits += [Edit(o + start - begin, o + end - begin, text) for o in others]
    return with_edits(source, edits) if edits else source
