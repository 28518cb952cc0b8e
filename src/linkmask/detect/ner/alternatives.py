"""Proposes the spans that the tagger may mean: with other boundaries and other types.

Spans are cut at gaps, brackets and before labels, and widened to hyphenated words. The resolver
chooses among them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path

from linkmask.detect.lexicon import word_features as w
from linkmask.schema import expression

MEANT: Mapping[str, Sequence[str]] = tomllib.loads(
    Path(__file__).with_name("labels.toml").read_text("utf-8")
)["meant"]
"""Label of the tagger → the types that it may mean, where there are several."""

_CUT = re.compile(r"\t[ \t]*|(?<![\n ]) {2,}|[()\[\]]")
"""What may stand between two values: a tab, a gap, a bracket."""
_BEFORE_LABEL = re.compile(
    r"(?:\n| {2,})(?=(?:Née?|NÉE?|[Gg]eb(?:oren)?|DOB|[Bb]orn)(?!\w)"
    r"|[^\W\d_](?:[^\W\d_]| (?! )|[./'’()-]){0,20} ?:)"
)
"""A line end or a gap before a label, where a value ends."""
_LABEL = 24
"""Characters of a label, at most."""
_TOUCHED = re.compile(r"[0-9]{4}([^\W\d_]{3,})\Z")
_LONG = 24
"""Characters of a hyphenated word that are looked at."""
_BEFORE = re.compile(rf"(?<![\w-])[\w-]{{1,{_LONG}}}-\Z")
_BEHIND = re.compile(rf"-(?:\r?\n(?![a-z]))?{expression('alternatives_word_behind')}")
_STAGE = re.compile(
    rf",? \(?(?:\w{{2,3}} )?{expression('alternatives_stage')} (?:[IVX]{{1,4}}|\d)[A-Da-d]?"
    r"(?![\w.,-]*\d)(?!\w)"
)
"""The stage, type, grade or class of a condition behind it."""
_UNSAYING = w.WEAK | w.CALENDAR
_WORDS = re.compile(r"\w+")
_INNER = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)
MOST = 4
"""Cuts of a span, at most."""


def span_alternatives(text: str, start: int, end: int, clinical: bool) -> set[tuple[int, int]]:
    """Return a span, its parts between gaps, brackets and labels, and with what belongs to it.

    That is the rest of a hyphenated word. A clinical term has all of its first and last
    word: "L4-L5". None ends with a mark, and none is empty.
    """
    start, end = without_outer_marks(text, start, end)
    if not text[start:end].isalnum():
        label = _BEFORE_LABEL.search(text, start, min(end + _LABEL, len(text)))
        if label and label.end() < end:
            end = without_outer_marks(text, start, label.start())[1]
    if start == end:
        return set()
    if clinical:
        start, end = with_hyphenated_words(text, start, end)
    found = {(start, end)}
    beside = text[start - 1 : start], text[end : end + 1]
    stage = _STAGE.match(text, end) if clinical else None
    if text[start:end].isalnum() and "-" not in beside and not stage:
        return found
    cuts = [cut.span() for cut in islice(_CUT.finditer(text, start, end), MOST)]
    if cuts:
        edges = [(start, start), *cuts, (end, end)]
        parts = [(a, b) for (_, a), (b, _) in pairwise(edges)]
        parts += [(start, cuts[-1][0]), (cuts[0][1], end)]
        found.update(without_outer_marks(text, *part) for part in parts)
    if "-" in beside and not clinical:
        whole = with_hyphenated_words(text, start, end)
        halves = text[whole[0] : start], text[end : whole[1]].lstrip("-\r\n")
        if all(half[0].isupper() for half in halves if half):
            found.add(whole)  # a double name
    if stage:
        found.add((start, stage.end()))
    return {(a, b) for a, b in found if a < b}


def before_touching_word(text: str, start: int, end: int) -> int:
    """Return where a date ends before a word that touches its year: "12.03.1980geboren"."""
    word = _TOUCHED.search(text, max(start, end - 40), end)
    return word.start(1) if word else end


def without_outer_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without marks at its ends; one of marks alone is empty."""
    inner = _INNER.search(text, start, end)
    return inner.span() if inner else (start, start)


def with_hyphenated_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with all of the hyphenated words it begins or ends in: "GM" of "anti-GM"."""
    if text[start - 1 : start] == "-":
        before = _BEFORE.search(text, max(start - _LONG - 1, 0), start)
        start = before.start() if before else start
    behind = _BEHIND.match(text, end) if text[end : end + 1] == "-" else None
    return start, behind.end() if behind else end


def is_no_term(text: str, start: int, end: int) -> bool:
    """Tell whether a span is no clinical term by its last word: "visual documentation"."""
    words = _WORDS.findall(text, start, end)
    return bool(words) and bool(w.MARKS[words[-1]] & _UNSAYING)
