"""Names what the resolver sees of a span: its form, its neighbours, its sources, its overlaps.

A key is what one or two words or sources show; `names` gives the features that hold where it does.
Few keys are met over and over, so that their weights are summed once (`span_chances`). Training and
resolution use the same functions.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator
from functools import reduce
from itertools import accumulate
from operator import or_
from pathlib import Path

from linkmask.detect.lexicon import word_features as w
from linkmask.detect.ner.features import word_class

LISTS = tuple(
    (name, int(getattr(w, name)))
    for name in tomllib.loads(Path(__file__).with_name("resolver.toml").read_text("utf-8"))["lists"]
)
"""The lists of the lexicon by which words are told apart."""

Word = tuple[int, str]
"""The lists that a word is in, as bits, and its class."""
Key = tuple[object, ...]
"""What is seen: its name, what leads, and what is seen beside it."""

REACH = 36
"""Characters before and behind a group of spans in which their neighbours stand."""
NEIGHBOURS = 3
"""Words on each side of a span that are looked at."""
LONG = 200
"""Characters of a span that are looked at."""
MOST = 12
"""Words of a span that are looked at, beside its last."""
_SPLIT = re.compile(r"([^\W_]+(?:[-'’][^\W_]+)*)")
_MARKS = re.compile(r"[\n\t()\[\],/:.'-]|  ")
"""Marks within a span that are told apart."""


class Surroundings:
    """The words of a part of a text, by which its spans are told apart."""

    def __init__(self, text: str, low: int, high: int, manner: str) -> None:
        """Read the words of [low, high), once for all spans there."""
        self.text, self.manner = text, manner
        split = _SPLIT.split(text[low:high])
        ends = list(accumulate(map(len, split), initial=low))
        self.known = [*_NONE, *[_known[word] for word in split[1::2]], *_NONE]
        self.ends = ends[:-1:2]
        self.starts = ends[1::2]

    def keys(self, start: int, end: int) -> list[Key]:
        """Return what is seen of a span by its words and those around it."""
        text, known = self.text, self.known
        first = bisect_left(self.starts, start, 0, len(self.starts) - 1)
        after = bisect_left(self.starts, end, first, len(self.starts) - 1)
        value = text[start : min(end, start + LONG)]
        a, b, size = first + NEIGHBOURS, after + NEIGHBOURS, after - first
        digits = 0 if value.isalpha() else sum(map(str.isdigit, value))
        before = _gap(text[self.ends[first] : start], start == 0)
        behind = _gap(text[end : self.starts[after]], end == len(text))
        found: list[Key] = [
            ("size", min(size, 7), min(len(value) // 3, 14), min(digits, 9), self.manner),
            ("before", before, known[a - 1]),
            ("behind", behind, known[b]),
            ("near before", "", known[a - 2]),
            ("near before", "", known[a - 3]),
            ("near behind", "", known[b + 1]),
            ("near behind", "", known[b + 2]),
        ]
        if not value.isalnum():
            marks = "".join(dict.fromkeys(_MARKS.findall(value)))
            edges = "" if value[0].isalnum() else value[0], "" if value[-1].isalnum() else value[-1]
            found.append(("marks", marks, *edges))
        if size:
            found += [("first", self.manner, known[a]), ("last", self.manner, known[b - 1])]
        if size > 1:
            every, inside = known[a][0] & known[b - 1][0], 0
            for lists, _ in known[a + 1 : min(b - 1, a + MOST)]:
                every, inside = every & lists, inside | lists
            found += [("every", "", (every, "")), ("inside", "", (inside, ""))]
        return found


def _gap(gap: str, edge: bool) -> str:
    """Return the class of what lies between two words: its first marks, or which blanks it is."""
    if edge or gap in _GAPS:
        return "edge" if edge else _GAPS[gap]
    if "\n" in gap:
        return "paragraph" if "\n\n" in gap else "line"
    return gap.strip()[:2] or "gap"


_GAPS = {"": "touching", " ": "blank", "\n": "line"}


def names(key: Key) -> Iterator[str]:
    """Yield the features that hold where a key does: each that is seen, alone and with its lead."""
    slot, lead, *beside = key
    yield f"{slot}:{lead}"
    for n, of in enumerate(beside):
        if isinstance(of, tuple):
            for name in (*(name for name, bit in LISTS if of[0] & bit), f"~{of[1]}"):
                yield f"{slot}={name}"
                if lead:
                    yield f"{slot}:{lead}={name}"
        else:
            yield f"{slot}:{lead}/{n}:{of}"
    if len(beside) > 1:
        yield f"{slot}:{'/'.join(map(str, key[1:]))}"


_LISTED = reduce(or_, (bit for _, bit in LISTS))
_known = w.WordCache[Word](lambda word: (w.MARKS[word] & _LISTED, word and word_class(word)))
_NONE: tuple[Word, ...] = ((0, ""),) * NEIGHBOURS
