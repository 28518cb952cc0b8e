"""Cuts masked texts into pieces for a retrieval index: `chunks.jsonl`.

Each line holds a document's id, the field, where the chunk begins in it, the headings above it,
and the text. No chunk begins or ends within a mask or a word; one that is longer than the size
makes a longer chunk.
"""

from __future__ import annotations

import re
import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import msgspec

from linkmask.errors import SettingsError
from linkmask.records import CONTENT, Masked, Replacement, SetAside
from linkmask.schema import MASK

NAME = "chunks.jsonl"
_BREAKS = tuple(map(re.compile, (r"\n[ \t]*\n\s*", r"\n", r"[.!?][)\"'»”]*\s+", r"\s+")))
"""Places where a text is preferably cut: between paragraphs, lines, sentences, words."""
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t#]*$", re.MULTILINE)


class Chunk(NamedTuple):
    """A piece of a text: where it begins, the headings above it, and what it says."""

    start: int
    headings: tuple[str, ...]
    text: str


def parse(given: str) -> dict[str, int]:
    """Return the settings that `SIZE[,OVERLAP]` means.

    Raises:
        SettingsError: it is not of this form.
    """
    found = re.fullmatch(r"\s*([1-9]\d{0,8})\s*(?:,\s*(\d{1,9})\s*)?", given)
    if not found:
        raise SettingsError("--chunks takes SIZE or SIZE,OVERLAP in characters, such as 1000,100")
    return {"chunk_size": int(found[1]), "chunk_overlap": int(found[2] or 0)}


def cut_into_chunks(
    text: str, size: int, overlap: int, masks: Sequence[tuple[int, int]] = ()
) -> Iterator[Chunk]:
    """Yield a text in chunks of at most `size` characters that begin `overlap` before the last.

    `masks` are spans that are never cut, sorted and disjoint; placeholders are found without them.
    """
    spans = sorted({*masks, *(found.span() for found in MASK.finditer(text))})
    firsts = [start for start, _ in spans]
    headings = [(h.start(), len(h[1]), h[2]) for h in _HEADING.finditer(text)]
    start = 0
    while start < len(text):
        end = _end(text, start, start + size, spans, firsts)
        piece = text[start:end]
        if piece.strip():
            by = len(piece) - len(piece.lstrip())
            yield Chunk(start + by, _path(headings, start + by), piece.strip())
        if end >= len(text):
            return
        begin = _begin(text, end - overlap, end, spans, firsts) if overlap else end
        start = begin if begin > start else end


def _end(text: str, start: int, most: int, spans: list[tuple[int, int]], firsts: list[int]) -> int:
    """Return where a chunk ends: at the best break in its second half, or the next one after."""
    if most >= len(text):
        return len(text)
    half = (start + most) // 2
    for wanted, first in (*((wanted, half) for wanted in _BREAKS), (_BREAKS[-1], start + 1)):
        ends = [found.end() for found in wanted.finditer(text, first, most + 1)]
        ends = [end for end in ends if start < end <= most and not _within(end, spans, firsts)]
        if ends and text[start : ends[-1]].strip():
            return ends[-1]
    for found in _BREAKS[-1].finditer(text, start + 1):
        whole = not _within(found.end(), spans, firsts)
        if whole and text[start : found.end()].strip():
            return found.end()
    return len(text)


def _begin(text: str, least: int, end: int, spans: list[tuple[int, int]], firsts: list[int]) -> int:
    """Return the first beginning of a word from `least` on that no mask covers, at most `end`."""
    for found in _BREAKS[-1].finditer(text, max(0, least - 1), end):
        if found.end() >= least and not _within(found.end(), spans, firsts):
            return found.end()
    return end


def _within(place: int, spans: list[tuple[int, int]], firsts: list[int]) -> bool:
    number = bisect_right(firsts, place - 1) - 1
    return number >= 0 and spans[number][0] < place < spans[number][1]


def _path(headings: list[tuple[int, int, str]], place: int) -> tuple[str, ...]:
    """Return the headings above a place, from the highest."""
    path: dict[int, str] = {}
    for start, level, title in headings:
        if start > place:
            break
        path = {above: heading for above, heading in path.items() if above < level}
        path[level] = title
    return tuple(path.values())


def masks_in(text: str, replacements: Iterable[Replacement]) -> list[tuple[int, int]]:
    """Return the spans of masks in a masked text; none if they are not where they should be."""
    spans, by = [], 0
    for _, start, end, _, _, new in replacements:
        begin = start + by
        if text[begin : begin + len(new)] != new:
            return []
        spans.append((begin, begin + len(new)))
        by += len(new) - (end - start)
    return spans


class ChunkFile:
    """Collects the chunks of what is released, in a file without a name in a private folder."""

    def __init__(self, size: int, overlap: int, folder: Path) -> None:
        self._size, self._overlap = size, overlap
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115 - it goes with this object
        self.missing: list[SetAside] = []
        """Nothing: chunks can be made of every text."""

    def passing(self, items: Iterable[Masked | SetAside]) -> Iterator[Masked | SetAside]:
        """Pass documents on, and note the chunks of those that are released, from the start."""
        self._file.seek(0)
        self._file.truncate()
        for item in items:
            if isinstance(item, Masked):
                for line in self._lines(item):
                    self._file.write(msgspec.json.encode(line) + b"\n")
            yield item

    def _lines(self, item: Masked) -> Iterator[dict[str, object]]:
        fields = {CONTENT: item.content}
        if item.written.texts != (CONTENT,):
            fields = dict(item.written.every_field())
        for name in item.written.texts:
            own = [one for one in item.replacements if one.field == name]
            masks = masks_in(fields[name], own)
            for chunk in cut_into_chunks(fields[name], self._size, self._overlap, masks):
                yield {"document": item.id, "field": name, **chunk._asdict()}

    def put(self, folder: Path) -> None:
        """Write the chunks to a folder."""
        self._file.seek(0)
        with (folder / NAME).open("xb") as out:
            shutil.copyfileobj(self._file, out)
