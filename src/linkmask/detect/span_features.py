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
from typing import NamedTuple

from linkmask.detect.lexicon import word_features as w

LISTS = tuple(
    (name, int(getattr(w, name, 0)))
    for name in tomllib.loads(Path(__file__).with_name("resolver.toml").read_text("utf-8"))["lists"]
)
"""The lists of the lexicon by which words are told apart; one that is gone has no words."""

Key = tuple[object, ...]
"""What is seen, and its name first."""

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


class Proposer(NamedTuple):
    """Who proposes a span: detector, rule, score in twelfths."""

    detector: str
    rule: str
    score: int


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
        text, manner = self.text, self.manner
        first = bisect_left(self.starts, start, 0, len(self.starts) - 1)
        after = bisect_left(self.starts, end, first, len(self.starts) - 1)
        value = text[start : min(end, start + LONG)]
        known, a, b = self.known, first + NEIGHBOURS, after + NEIGHBOURS
        before, behind = known[a - 1], known[b]
        size = after - first
        digits = 0 if value.isalpha() else sum(map(str.isdigit, value))
        found: list[Key] = [
            ("size", min(len(value) // 3, 14), min(size, 7), min(digits, 9), manner),
            (
                "gaps",
                _gap(text[self.ends[first] : start], start == 0),
                _gap(text[end : self.starts[after]], end == len(text)),
            ),
            ("before", *before),
            ("behind", *behind),
            ("near before", known[a - 2][0]),
            ("near before", known[a - 3][0]),
            ("near behind", known[b + 1][0]),
            ("near behind", known[b + 2][0]),
        ]
        if not value.isalnum():
            marks = "".join(dict.fromkeys(_MARKS.findall(value)))
            edges = "" if value[0].isalnum() else value[0], "" if value[-1].isalnum() else value[-1]
            found.append(("marks", marks, *edges))
        if size:
            one, last = known[a], known[b - 1]
            found += [("first", *one, manner), ("last", *last)]
            if size > 1:
                every, inside = one[0] & last[0], 0
                for word in known[a + 1 : min(b - 1, a + MOST)]:
                    every, inside = every & word[0], inside | word[0]
                found += [("every", every), ("inside", inside)]
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
    """Yield the features that hold where a key does."""
    slot, *of = key
    if slot == "size":
        characters, words, digits, manner = of
        yield from (f"characters:{characters}", f"words:{words}", f"digits:{digits}")
        yield f"{manner}/words:{words}"
    elif slot == "gaps":
        before, behind = of
        yield from (f"gap before={before}", f"gap behind={behind}")
    elif slot == "marks":
        marks, first, last = of
        yield from (f"has:{mark}" for mark in str(marks).replace("  ", "_"))
        yield from (f"{name}:{mark}" for name, mark in (("begins", first), ("ends", last)) if mark)
    elif slot == "sources":
        by, sources = of
        yield f"by:{by}"
        yield f"sources:{min(len(sources), 4)}"  # type: ignore[arg-type]
        for detector, rule, score in sources:  # type: ignore[attr-defined]
            yield f"rule:{detector}/{rule}"
            yield f"score:{detector}/{rule}/{score}"
    elif slot == "document":
        by, manner, nobody, foreign = of
        yield from (f"text:{manner}", f"text:{manner}:{by}")
        yield from (name for name, holds in (("nobody", nobody), ("foreign", foreign)) if holds)
    elif slot == "over":
        how, same, by, other, others, certain, rules, manner = of
        yield f"over:{how}:{same}:{by}:{others}"
        yield f"over:{how}:{other}"
        yield f"over:{how}:{others}:{same}"
        yield f"over:{how}:certain:{certain}"
        yield f"{manner}/over:{how}:{same}:{by}:{others}"
        yield from (f"over:{how}:{same}:{rule}" for rule in rules)  # type: ignore[attr-defined]
    elif slot == "alone":
        yield "alone"
    else:
        listed = [name for name, bit in LISTS if of[0] & bit]  # type: ignore[operator]
        yield from (f"{slot}:{name}" for name in listed)
        if len(of) > 1:
            yield f"{slot}~{of[1]}"
        if len(of) > 2:
            yield from (f"{of[2]}/{slot}:{name}" for name in listed)


def shape(word: str) -> str:
    """Return the shape of a word: "Xx", "XX2", "d4"; its length where it is short."""
    if not word:
        return ""
    if word.isdigit():
        return f"d{min(len(word), 6)}"
    rest = word[1:]
    tail = "" if not rest else "X" if rest.isupper() else "x" if rest.islower() else "m"
    digits = "d" if any(map(str.isdigit, word)) else ""
    short = str(len(word)) if len(word) < 4 else ""
    return f"{'X' if word[0].isupper() else 'x'}{tail}{digits}{short}"


_LISTED = reduce(or_, (bit for _, bit in LISTS))
_known = w.WordCache[tuple[int, str]](lambda word: (w.MARKS[word] & _LISTED, shape(word)))
"""Word → the lists it is in, and its shape."""
_NONE = ((0, ""),) * NEIGHBOURS
