"""Proposes the tagger's spans without its corrections: with other boundaries and other types.

Spans are cut at gaps, line ends and brackets, and widened to hyphenated words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from training.resolving.features import FILE

from linkmask.detect import ner
from linkmask.detect.candidates import Candidate
from linkmask.detect.ner.boundaries import without_outer_marks
from linkmask.detect.ner.model import Span
from linkmask.detect.ner.propagation import repeated_mentions
from linkmask.detect.patterns.date_triggers import score as is_score

TYPES: Mapping[str, Sequence[str]] = tomllib.loads(FILE.read_text("utf-8"))["types"]
"""Label of the tagger → types it may mean, where there are several."""

_CUT = re.compile(r"[ \t]{2,}|\t|\n[ \t]*|[()\[\]]")
"""What may stand between two values: the gap between columns, a line end, a bracket."""
_LONG = 24
"""Characters of a hyphenated word that are looked at."""
_BEFORE = re.compile(rf"(?<![\w-])[\w-]{{1,{_LONG}}}-\Z")
_BEHIND = re.compile(rf"-[^\W\d_][\w-]{{0,{_LONG}}}")
MOST = 4
"""Cuts of a span, at most."""


def alternatives(text: str, start: int, end: int) -> set[tuple[int, int]]:
    """Return a span, its parts between gaps, line ends and brackets, and with hyphenated words.

    None begins or ends with a mark, and none is empty.
    """
    start, end = without_outer_marks(text, start, end)
    if start == end:
        return set()
    found = {(start, end)}
    if text[start:end].isalnum() and "-" not in (text[start - 1 : start], text[end : end + 1]):
        return found
    cuts = [cut.span() for cut in _CUT.finditer(text, start, end)][:MOST]
    if cuts:
        edges = [(start, start), *cuts, (end, end)]
        parts = [(a, b) for (_, a), (b, _) in pairwise(edges)]
        parts += [(start, cuts[-1][0]), (cuts[0][1], end)]
        found.update(without_outer_marks(text, *part) for part in parts)
    found.add(with_hyphenated_words(text, start, end))
    return {(a, b) for a, b in found if a < b}


def with_hyphenated_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with all of the hyphenated words it begins or ends in: "GM" of "anti-GM"."""
    if text[start - 1 : start] == "-":
        before = _BEFORE.search(text, max(start - _LONG - 1, 0), start)
        start = before.start() if before else start
    behind = _BEHIND.match(text, end) if text[end : end + 1] == "-" else None
    return start, behind.end() if behind else end


def of_text(
    text: str,
    masks: list[tuple[int, int]],
    split: list[str],
    starts: list[int],
    ends: list[int],
    offset: int,
    spans: list[Span],
) -> Iterator[Candidate]:
    """Yield what `ner._of_text` does, with alternatives in place of its corrections."""
    for begin, after, label, sure in ner._bounded([*spans, *repeated_mentions(split, spans)]):
        if label not in ner.TYPES:
            continue
        first, (kind, most) = begin, ner.TYPES[label]
        while first < after and split[first] in ner._TAILS and split[first - 1] in ner._APOSTROPHES:
            first += 1
        if first == after:
            continue
        start, end = starts[first] - offset, ends[after - 1] - offset
        if masks and label in ner.NEAR_NO_MASK:
            low, high = max(first - ner.REACH, 0), min(after + ner.REACH, len(ends)) - 1
            if ner._beside(masks, starts[low] - offset, ends[high] - offset):
                continue
        if label == "QUANTITY" and sum(map(str.isdigit, text[start:end])) < ner.FIGURES:
            continue
        if label == "DATE" and "/" in text[start:end] and is_score(text, start, end):
            continue
        believed = round(min(sure, most), 3)
        for at, to in alternatives(text, start, end):
            for one in TYPES.get(label, (kind,)):
                yield Candidate(at, to, one, "ner", label.lower(), believed)
