"""Joins words that a hyphen and a line end break: "Schnei-\\nder".

A text with such words is read a second time with them joined, and only what is found across a break
counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.text.view import TextView, view_after_edits

_ENDS = ("-\n", "\u00ad\n", "\u2010\n")
_HYPHEN = re.compile("[-\u00ad\u2010]\n[ \t>|]{0,6}(?=[a-zß-ÿ]{2}|[A-ZÀ-Þ]{2})")


def join_broken_words(text: str) -> TextView | None:
    """Return the view of a text with its broken words joined, None if it has none."""
    joined = view_after_edits(text, ((start, end, "") for start, end in _breaks(text)))
    return joined if joined.starts else None


def across_break(view: TextView, found: Candidate) -> Candidate | None:
    """Map a span of a joined text to the original text; None if it does not cross a break."""
    if not view.crosses_edit(found.start, found.end):
        return None
    start, end = view.original(found.start, found.end)
    return found._replace(start=start, end=end)


def without_breaks(surface: str) -> str:
    """Return a value with its broken words joined."""
    joined = join_broken_words(surface)
    return joined.text if joined else surface


def _breaks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where something stands between the halves of a word."""
    if any(end in text for end in _ENDS):
        yield from (m.span() for m in _HYPHEN.finditer(text) if _in_word(text, *m.span()))


def _in_word(text: str, start: int, end: int) -> bool:
    """Tell whether both halves are in small letters (except the first letter) or in capitals."""
    half = text[max(start - 2, 0) : start]
    if not half.isalpha() or len(half) < 2:
        return False
    return half[-1].isupper() == text[end].isupper()
