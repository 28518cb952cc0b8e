"""Joins words that a line end breaks: by a hyphen ("Schnei-\\nder"), or by a scanner under a label.

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
_LABELLED = re.compile(
    r"\n(?=[a-zß-ÿ]{1,10}(?:[ \t]{0,2}(?:\n|$)|,? [A-ZÀ-Þ][^\W\d_]{1,24}[ \t]{0,2}(?:\n|$)))"
)
_VALUE = re.compile(
    r"[^\W\d_][^\n:|\t]{1,38}:[ \t]{1,4}(?:[^\n:|\t]{0,60} )?([A-ZÀ-Þ][^\W\d_]{0,24})"
)
_LABEL = "of: "
_FRAGMENT = re.compile(r"[^\W\d_]+")


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
    """Return a value with its broken words joined, as if it stood after a label."""
    found = join_broken_words(_LABEL + surface) if "\n" in surface else None
    return found.text[len(_LABEL) :] if found else surface


def _breaks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where something stands between the halves of a word."""
    if "\n" not in text:
        return
    spans = []
    if any(end in text for end in _ENDS):
        spans = [m.span() for m in _HYPHEN.finditer(text) if _in_word(text, *m.span())]
    if ":" in text:
        spans += [m.span() for m in _LABELLED.finditer(text) if _under_label(text, m.start())]
    yield from sorted(spans)


def _in_word(text: str, start: int, end: int) -> bool:
    """Are both halves of a word in small letters, but for the first, or both in capitals?"""
    half = text[max(start - 2, 0) : start]
    if not half.isalpha() or len(half) < 2:
        return False
    return half[-1].isupper() == text[end].isupper()


def _under_label(text: str, at: int) -> bool:
    """Does a name behind a label go on in the next line: "Name: Karen Smi", "th"?

    So it does where both halves together are a name that is known, or neither is a word.
    """
    from linkmask.detect.lexicon import word_features
    from linkmask.detect.relevance.rarity import is_everyday

    value = _VALUE.fullmatch(text, text.rfind("\n", 0, at) + 1, at)
    fragment = _FRAGMENT.match(text, at + 1)
    if not value or not fragment:
        return False
    listed = word_features.GIVEN | word_features.SURNAME
    if word_features.MARKS[value[1] + fragment[0]] & listed:
        return True
    word = len(fragment[0]) > 1 and (word_features.MARKS[fragment[0]] or is_everyday(fragment[0]))
    return not word and not word_features.MARKS[value[1]] & listed
