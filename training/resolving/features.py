"""Names what the resolver sees of a span: its form, its neighbours, its sources, its overlaps.

Each feature holds for a type ("first:GIVEN|NAME"). Training and resolution use the same functions.
What is seen depends on few words at a time, so a sum of weights is computed once for all spans that
show the same (`Key`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from linkmask.detect.lexicon import word_features as w

FILE = Path(__file__).with_name("features.toml")
LISTS = tuple((name, getattr(w, name)) for name in tomllib.loads(FILE.read_text("utf-8"))["lists"])
"""The lists of the lexicon whose members are told apart."""

Key = tuple[object, ...]
"""A function of `FEATURES` and its arguments: what they return holds for a span."""

REACH = 36
"""Characters before and behind a span in which its neighbours stand."""
NEIGHBOURS = 3
"""Words on each side of a span that are looked at."""
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_GAP_BEFORE = re.compile(r"[\W_]*\Z")
_GAP_BEHIND = re.compile(r"[\W_]*")
_MARKS = "\n\t()[],/-:.'"
"""Marks within a span that are told apart."""
_LONG = 200
"""Characters of a span that are looked at."""


def of_form(value: str, kind: str) -> Iterator[str]:
    """Yield what is seen of a span itself: length, first and last word, lists, digits, marks."""
    value = value[:_LONG]
    words = _WORD.findall(value)
    yield f"|{kind}"
    yield f"characters:{min(len(value) // 3, 14)}|{kind}"
    yield f"words:{min(len(words), 7)}|{kind}"
    yield f"digits:{min(sum(map(str.isdigit, value)), 9)}|{kind}"
    if words:
        listed = [set(lists(word)) for word in words]
        yield f"first={shape(words[0])}|{kind}"
        yield f"last={shape(words[-1])}|{kind}"
        yield from (f"first:{name}|{kind}" for name in listed[0])
        yield from (f"last:{name}|{kind}" for name in listed[-1])
        yield from (f"inside:{name}|{kind}" for name in set[str]().union(*listed[1:-1]))
        yield from (f"every:{name}|{kind}" for name in listed[0].intersection(*listed[1:]))
    yield from (f"has:{mark}|{kind}" for mark in _MARKS if mark in value)
    if "  " in value:
        yield f"has:gap|{kind}"
    if not value[0].isalnum():
        yield f"begins:{value[0]}|{kind}"
    if not value[-1].isalnum():
        yield f"ends:{value[-1]}|{kind}"


def of_gap(side: str, gap: str, kind: str) -> Iterator[str]:
    """Yield what lies between a span and the word on one side."""
    yield f"{side}={gap}|{kind}"


def of_next(side: str, word: str, kind: str) -> Iterator[str]:
    """Yield what is seen of the next word on one side, "" if there is none."""
    yield f"{side}~{shape(word) if word else ''}|{kind}"
    yield from (f"{side}:{name}|{kind}" for name in lists(word))


def of_near(side: str, word: str, kind: str) -> Iterator[str]:
    """Yield what is seen of a word behind the next one on one side."""
    yield from (f"near {side}:{name}|{kind}" for name in lists(word))


def of_sources(sources: tuple[tuple[str, str, int], ...], kind: str) -> Iterator[str]:
    """Yield who proposes a span: (detector, rule, score in twelfths), distinct and sorted."""
    yield f"by:{detectors(sources)}|{kind}"
    yield f"sources:{min(len(sources), 4)}|{kind}"
    for detector, rule, score in sources:
        yield f"rule:{detector}/{rule}|{kind}"
        yield f"score:{detector}/{rule}/{score}|{kind}"


def of_overlap(
    how: str, kind: str, by: str, other: str, others: str, certain: bool, rules: frozenset[str]
) -> Iterator[str]:
    """Yield what is seen of a span that overlaps: how, its type and sources, and its rules."""
    same = "same" if kind == other else "other"
    yield f"over:{how}:{same}:{by}:{others}"
    yield f"over:{how}:{other}|{kind}"
    yield f"over:{how}:{others}:{same}|{kind}"
    yield f"over:{how}:{certain}"
    yield from (f"over:{how}:{same}:{rule}|{kind}" for rule in rules)


def of_document(
    times: int, manner: str, nobody: bool, foreign: bool, by: str, kind: str
) -> Iterator[str]:
    """Yield how often its words are proposed for its type, and what kind of text it stands in."""
    yield f"times:{times}|{kind}"
    yield f"text:{manner}|{kind}"
    yield f"text:{manner}:{by}|{kind}"
    if nobody:
        yield f"nobody|{kind}"
    if foreign:
        yield f"foreign|{kind}"


def of_lone(kind: str) -> Iterator[str]:
    """Yield what is seen of a span that overlaps no other."""
    yield f"alone|{kind}"


FEATURES: Mapping[str, Callable[..., Iterator[str]]] = {
    "form": of_form,
    "gap": of_gap,
    "next": of_next,
    "near": of_near,
    "sources": of_sources,
    "overlap": of_overlap,
    "document": of_document,
    "lone": of_lone,
}


@lru_cache(maxsize=1 << 14)
def lists(word: str) -> tuple[str, ...]:
    """Return the names of the lists that a word is in."""
    marks = w.MARKS[word] if word else 0
    return tuple(name for name, bit in LISTS if marks & bit) if marks else ()


def shape(word: str) -> str:
    """Return the shape of a word: "Xx", "XX2", "d4"; its length where it is short."""
    if word.isdigit():
        return f"d{min(len(word), 6)}"
    rest = word[1:]
    tail = "" if not rest else "X" if rest.isupper() else "x" if rest.islower() else "m"
    digits = "d" if any(map(str.isdigit, word)) else ""
    short = str(len(word)) if len(word) < 4 else ""
    return f"{'X' if word[0].isupper() else 'x'}{tail}{digits}{short}"


@lru_cache(maxsize=1 << 12)
def detectors(sources: tuple[tuple[str, str, int], ...]) -> str:
    """Return the names of the detectors among sources, joined."""
    return "+".join(sorted({detector for detector, _, _ in sources}))


def neighbours(text: str, start: int, end: int) -> list[Key]:
    """Return the keys, but for the type, of what stands before a span and behind it."""
    first, last = max(start - REACH, 0), min(end + REACH, len(text))
    before = _WORD.findall(text, first, start)[: -NEIGHBOURS - 1 : -1]
    behind = _WORD.findall(text, end, last)[:NEIGHBOURS]
    gap = _GAP_BEFORE.search(text, first, start)
    gap_before = gap_class(gap[0]) if gap and start else "edge"
    gap = _GAP_BEHIND.match(text, end, last)
    gap_behind = gap_class(gap[0]) if gap and end < len(text) else "edge"
    return [
        ("gap", "before", gap_before),
        ("gap", "behind", gap_behind),
        ("next", "before", before[0] if before else ""),
        ("next", "behind", behind[0] if behind else ""),
        *[("near", "before", word) for word in before[1:]],
        *[("near", "behind", word) for word in behind[1:]],
    ]


def gap_class(gap: str) -> str:
    """Return the class of what lies between two words: its first marks, or which blanks it is."""
    bare = gap.strip()
    if "\n" in gap:
        return "paragraph" if "\n\n" in gap else "line"
    return bare[:2] or {"": "touching", " ": "blank"}.get(gap, "gap")
