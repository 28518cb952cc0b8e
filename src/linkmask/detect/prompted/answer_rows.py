"""Checks a model's answer row by row; no row is used unchecked.

Unusable rows are dropped and counted by reason, in words; the rest of the answer counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple

LONGEST = 240
"""Characters of a value, at most: longer than nearly all sentences."""
WORDS = 40
"""Words of a value, at most; from `CLAUSE` words on it must not run over the end of a sentence."""
CLAUSE = 12
SHORT = 80
"""Characters up to which a value may be more than half of a (short) document."""

_RUN_ON = re.compile(r"(?<=\w\w\w)[.!?]['\")\]]?\s+[^\W\d_]")


class AnswerEntry(NamedTuple):
    """One row of an answer that passed the checks; relevance in [0, 1]."""

    original: str
    normalized: str
    type: str
    relevance: float


def entries(
    answer: Any,
    type_of: Callable[[str], str | None],
    size: int,
    dropped: Counter[str],
) -> list[AnswerEntry]:
    """Return the usable rows of an answer (formulas.md §2.2), and count the others in `dropped`.

    `type_of` reads types through a schema's aliases; `size`: characters of the whole document.
    A row that comes twice counts once, with the larger relevance (formulas.md §2.4).
    """
    kept: dict[tuple[str, str, str], AnswerEntry] = {}
    for row in _rows(answer):
        checked = _checked(row, type_of, size)
        if isinstance(checked, str):
            dropped[checked] += 1
        elif checked[:3] not in kept or kept[checked[:3]].relevance < checked.relevance:
            kept[checked[:3]] = checked
    return list(kept.values())


def _rows(answer: Any) -> Iterator[Any]:
    rows = answer.get("entities") if isinstance(answer, Mapping) else None
    yield from rows if isinstance(rows, list | tuple) else ()


def _checked(row: Any, type_of: Callable[[str], str | None], size: int) -> AnswerEntry | str:
    """Return a row as an entry, or say in words why it is none."""
    if not isinstance(row, list | tuple) or len(row) != 4:
        return "not four items"
    original, normalized, name, relevance = row
    if not isinstance(original, str) or not isinstance(name, str):
        return "value is not text"
    entity_type = type_of(name.strip()) or type_of(name.strip().upper().replace(" ", "_"))
    if entity_type is None:
        return "unknown type"
    number = isinstance(relevance, int | float) and not isinstance(relevance, bool)
    if not number or not isfinite(relevance):
        return "relevance is not a number"
    original = original.strip()
    if not any(map(str.isalnum, original)):
        return "empty value"
    words = original.count(" ") + 1
    runs_on = words >= CLAUSE and _RUN_ON.search(original)
    if len(original) > LONGEST or words > WORDS or runs_on:
        return "longer than a sentence"
    if len(original) > SHORT and 2 * len(original) > size:
        return "over half of the document"
    if not isinstance(normalized, str) or not 0 < len(normalized.strip()) <= LONGEST:
        normalized = original
    return AnswerEntry(
        original, normalized.strip(), entity_type, min(max(float(relevance), 0.0), 1.0)
    )
