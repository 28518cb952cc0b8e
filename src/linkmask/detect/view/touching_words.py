"""Parts numbers from words that touch them ("280-11-1680Reason"), as lost line ends leave them.

A text with such numbers is read a second time with a blank between, by the recognizers of values
with a shape alone, and only what ends at such a blank counts. A value that the corpus holds is
known: of it, `apart_from_words` tells whether the words that touch it are none of it.

A text with words that a hyphen and a line end break ("Schnei-\\nder") is read a second time with
them joined, and only what is found across a break counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.schema import types_of
from linkmask.text.character_kinds import DIGIT, IN_WORD, KIND, LOWER, POINTS, UPPER
from linkmask.text.view import TextView, view_after_edits

TYPES = types_of("account", "card", "national", "phone")
"""Types whose values have a checksum, a numbering plan or a grouping of their own."""
SURE = 0.9
"""Score from which on digits in groups count: any ten are a telephone number with less. Digits
without groups need a checksum, as codes and alphabets ("0123456789abcdef") have them."""

WORD = 3
"""Letters of a word, at least: "mm" and "th" belong to their number."""

PIECES = 3
"""Pieces that a known word may have itself: "McDonald" has two."""
FARTHEST = 100
"""Letters and digits of one run before or behind a known value from which on it is encoded data."""

_OF_USER = re.compile(r"[0-9]{1,4}(?![^\W_])")
"""A number behind a name, as a user's name or a file's has it: a count, or a year."""
_NUMBER = re.compile(r"[0-9](?:[ ./-]?[0-9]){6,30}+")


def part_touching_words(text: str) -> TextView | None:
    """Return the view of a text with blanks between numbers and words, None if none touch.

    The numbers are those of seven digits or more with a word right behind or before.
    """
    at = [place for run in _NUMBER.finditer(text) if (place := _touched(text, *run.span())) >= 0]
    return view_after_edits(text, ((place, place, " ") for place in at)) if at else None


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


def apart_from_words(text: str, start: int, end: int) -> bool:
    """Tell whether a known value stands in a text, though words may touch it.

    A word begins where a small letter meets a capital ("seenBrandvold"), where capitals meet a
    capitalized word ("MRBrandvold"), and where a digit meets three letters ("1980geboren"). A
    name may end in the "s" of a genitive or a plural, or in the number of a user ("brandvold42").
    """
    before = text[start - FARTHEST if start > FARTHEST else 0 : start]
    after = text[end : end + FARTHEST]
    if start >= FARTHEST and before.isalnum():
        return False
    if end + FARTHEST <= len(text) and after.isalnum():
        return False
    return _begins(before, text[start:end]) and _ends(text[start:end], after)


def words_within(run: str) -> Iterator[str]:
    """Yield what may be a word of a known value within a run of letters and digits.

    It holds each word of at most `PIECES` pieces that `apart_from_words` tells from the rest.
    """
    plain = run.isdecimal() or (run.isalpha() and run.islower())
    if plain or len(run) > 4 * FARTHEST:
        return
    inner = (n for n in range(1, len(run)) if _is_cut(run[n - 1], run[n], run[n + 1 : n + 2]))
    cuts = [0, *inner, len(run)]
    for first in range(len(cuts) - 1):
        for last in range(first + 1, min(first + PIECES, len(cuts) - 1) + 1):
            within = run[cuts[first] : cuts[last]]
            yield within
            if last == len(cuts) - 1 and within.endswith("s"):
                yield within[:-1]


def _is_cut(before: str, first: str, second: str) -> bool:
    """Tell whether a word may begin with its first letters behind a letter or a digit."""
    last, begin = KIND[before], KIND[first]
    if (begin | last) & DIGIT:
        return not begin & last & DIGIT
    capital = begin & UPPER and (last & LOWER or (last & UPPER and KIND[second] & LOWER))
    return capital != 0


def _begins(before: str, value: str) -> bool:
    last, first = before[-1:], value[0]
    digit = KIND[first] & DIGIT
    if not KIND[last] & IN_WORD:
        return not (digit and last in POINTS and before[-2:-1].isdigit())
    if digit and not (len(before) >= WORD and before[-WORD:].isalpha()):
        return False
    return _is_cut(last, first, value[1:2])


def _ends(value: str, after: str) -> bool:
    last, first = KIND[value[-1]], KIND[after[:1]]
    if not first & IN_WORD:
        return not (last & DIGIT and after[:1] in POINTS and after[1:2].isdigit())
    if last & DIGIT:
        return len(after) >= WORD and after[:WORD].isalpha()
    if first & DIGIT:
        return _OF_USER.match(after) is not None
    genitive = after[:1] == "s" and not KIND[after[1:2]] & IN_WORD
    return genitive or (last & LOWER and first & UPPER) != 0


# ── words that a line end breaks ──────────────────────────────────────────────────────────────

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
