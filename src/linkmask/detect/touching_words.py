"""Parts numbers from words that touch them ("280-11-1680Reason"), as lost line ends leave them.

A text with such numbers is read a second time with a blank between, by the recognizers of values
with a shape alone, and only what ends at such a blank counts.
"""

from __future__ import annotations

import re

from linkmask.detect.candidates import Candidate
from linkmask.text.view import TextView, edited

TYPES = frozenset("IBAN CREDIT_CARD NATIONAL_ID PHONE_NUMBER".split())
"""Types whose values have a checksum, a numbering plan or a grouping of their own."""
SURE = 0.9
"""Score from which on digits in groups count: any ten are a telephone number with less. Digits
without groups need a checksum, as codes and alphabets ("0123456789abcdef") have them."""

WORD = 3
"""Letters of a word, at least: "mm" and "th" belong to their number."""

_NUMBER = re.compile(r"[0-9](?:[ ./-]?[0-9]){6,30}+")


def part_touching_words(text: str) -> TextView | None:
    """Return the view of a text with blanks between numbers and words, None if none touch.

    The numbers are those of seven digits or more with a word right behind or before.
    """
    at = [place for run in _NUMBER.finditer(text) if (place := _touched(text, *run.span())) >= 0]
    return edited(text, ((place, place, " ") for place in at)) if at else None


def _touched(text: str, start: int, end: int) -> int:
    """Return where a word touches a number: at its end or its start; -1 where none does."""
    before, after = text[max(start - WORD, 0) : start], text[end : end + WORD]
    if len(after) == WORD and after.isalpha():
        return end if not before or _parts(before[-1]) else -1
    if len(before) == WORD and before.isalpha():
        return start if not after or _parts(after[0]) or after[0] in "./-" else -1
    return -1


def _parts(character: str) -> bool:
    """Does a character end a number or a word, rather than go on with it?"""
    return not (character.isalnum() or character in "_./-")


def beside_word(view: TextView, found: Candidate) -> Candidate | None:
    """Map a span of a parted text to the original text; None if no word touched it there."""
    grouped = not view.text[found.start : found.end].isdecimal()
    if found.type not in TYPES or found.score < (SURE if grouped else 1):
        return None
    if found.start not in view.starts and found.end + 1 not in view.starts:
        return None
    start, end = view.original(found.start, found.end)
    return found._replace(start=start, end=end) if end - start == found.end - found.start else None
