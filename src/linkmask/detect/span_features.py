"""Names what the resolver sees of a span: its form, its neighbours, its sources, its overlaps.

A key is what one or two words or sources show; `names` gives the features that hold where it does.
Few keys are met over and over, so that their weights are summed once (`span_chances`). Training and
resolution use the same functions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import reduce
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
"""Characters before and behind a span in which its neighbours stand."""
NEIGHBOURS = 3
"""Words on each side of a span that are looked at."""
LONG = 200
"""Characters of a span that are looked at."""
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_MARKS = "\n\t()[],/-:.'"
"""Marks within a span that are told apart."""


class Proposer(NamedTuple):
    """Who proposes a span: detector, rule, score in twelfths."""

    detector: str
    rule: str
    score: int


def keys(text: str, start: int, end: int, manner: str) -> list[Key]:
    """Return what is seen of a span by its words and those around it."""
    value, known = text[start : min(end, start + LONG)], _known
    words = _WORD.findall(value)
    marks = "".join([mark for mark in _MARKS if mark in value]) if not value.isalnum() else ""
    edges = "" if value[0].isalnum() else value[0], "" if value[-1].isalnum() else value[-1]
    digits = 0 if value.isalpha() else sum(map(str.isdigit, value))
    low, high = max(start - REACH, 0), min(end + REACH, len(text))
    ahead, after = list(_WORD.finditer(text, low, start)), list(_WORD.finditer(text, end, high))
    before = [word[0] for word in ahead[: -NEIGHBOURS - 1 : -1]]
    behind = [word[0] for word in after[:NEIGHBOURS]]
    gap_before = text[ahead[-1].end() if ahead else low : start]
    gap_behind = text[end : after[0].start() if after else high]
    found: list[Key] = [
        ("size", min(len(value) // 3, 14), min(len(words), 7), min(digits, 9), manner),
        ("marks", marks, "  " in value, *edges),
        ("gap before", _gap(gap_before, start == 0)),
        ("gap behind", _gap(gap_behind, end == len(text))),
        ("before", *known[before[0] if before else ""]),
        ("behind", *known[behind[0] if behind else ""]),
        *[("near before", known[word][0]) for word in before[1:]],
        *[("near behind", known[word][0]) for word in behind[1:]],
    ]
    if words:
        first, last = known[words[0]], known[words[-1]]
        found += [("first", *first), ("last", *last), (f"{manner}/first", first[0])]
        every, inside = first[0] & last[0], 0
        for word in words[1:-1]:
            every, inside = every & known[word][0], inside | known[word][0]
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
    elif slot == "marks":
        marks, gap, first, last = of
        yield from (f"has:{mark}" for mark in (*str(marks), *("gap",) * bool(gap)))
        yield from (f"{name}:{mark}" for name, mark in (("begins", first), ("ends", last)) if mark)
    elif slot == "sources":
        by, sources = of
        yield f"by:{by}"
        yield f"sources:{min(len(sources), 4)}"  # type: ignore[arg-type]
        for detector, rule, score in sources:  # type: ignore[attr-defined]
            yield f"rule:{detector}/{rule}"
            yield f"score:{detector}/{rule}/{score}"
    elif slot == "document":
        times, manner, by, nobody, foreign = of
        yield from (f"times:{times}", f"text:{manner}", f"text:{manner}:{by}")
        yield from (name for name, holds in (("nobody", nobody), ("foreign", foreign)) if holds)
    elif slot == "over":
        how, same, by, other, others, certain, rules, manner = of
        yield f"over:{how}:{same}:{by}:{others}"
        yield f"over:{how}:{other}"
        yield f"over:{how}:{others}:{same}"
        yield f"over:{how}:certain:{certain}"
        yield f"{manner}/over:{how}:{same}:{by}:{others}"
        yield from (f"over:{how}:{same}:{rule}" for rule in rules)  # type: ignore[attr-defined]
    elif isinstance(of[0], int):
        yield from (f"{slot}:{name}" for name, bit in LISTS if of[0] & bit)
        yield from (f"{slot}~{shape}" for shape in of[1:])
    else:
        yield f"{slot}={of[0]}"


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
