"""Tells whether a sentence or a line begins at an offset, where a capital says nothing of a word.

Points and line ends show this, but they also end abbreviations and wrapped lines, so each answer is
wrong somewhere. A function for each caller is wrong where it does the least harm:

    begins_sentence           denies it of a wrapped line, as who believes it drops a name
    begins_sentence_or_line   affirms it of every line, as a word within a sentence counts as a name
    follows_end               goes by the last mark alone, as a common word may be a name elsewhere
    takes_capital             denies it after an abbreviation, as it decides what is written

`begins_line_with_capital` tells whether the letters of a line have capitals at all.
"""

from __future__ import annotations

import re

from linkmask.text.codes import SEPARATOR

AHEAD, LINE = 32, 1 << 12
"""Characters before an offset that are read for the end of a sentence, and for a line's start."""
REACH = 24
"""Characters before an offset that `takes_capital` reads."""
NEAR = 3
"""Characters before an offset that are read for the last mark before it."""
_BEGINS = re.compile(
    r"(?:^|(?:[^\W\d_]{5}|[\d)\]\"'”»])\.[\"”»]?|[!?:¿¡][\"”»]?) ?[\"“«¿¡(]?[^\S\n]*$"
)
"""What stands in a line before the first word of a sentence."""
_LAST_WORD = re.compile(r"[^\W\d_]{4}\.\Z")


def begins_sentence(text: str, start: int) -> bool:
    """Tell whether a sentence begins there; where lines are wrapped, a line's start begins none."""
    near = text[max(start - AHEAD, 0) : start]
    line = near.rpartition("\n")[2].lstrip("> ")  # of a quoted message
    if line.strip():
        return _BEGINS.search(line) is not None
    ahead = near.rstrip(" \t")
    last = ahead.rstrip()[-1:]
    return last in {"", ".", "!", "?", ":", ")", '"'} or ahead.endswith("\n\n")


def begins_sentence_or_line(text: str, start: int) -> bool:
    """Tell whether a sentence, a line or a list's entry begins there, by the last mark before."""
    near = text[max(0, start - NEAR) : start].rstrip(" \"'“(")
    return not near or near[-1] in ".!?:\n•-"


def follows_end(text: str, start: int) -> bool:
    """Tell whether the last mark before an offset ends a sentence, also where a line ends there."""
    near = text[max(start - NEAR, 0) : start].rstrip()
    return not near or near[-1] in ".!?:"


def takes_capital(text: str, start: int) -> bool:
    """Tell whether what is written there begins a sentence, a heading or a text after another.

    A short word with a point is an abbreviation ("vs."), and a line goes on behind one that ends
    in a small letter or a comma.
    """
    before = text[max(0, start - REACH) : start].rstrip(" \t")
    if not before or before[-1] in f"!?{SEPARATOR}" or before.endswith("\n\n"):
        return True
    if before[-1] == ".":
        return _LAST_WORD.search(before) is not None
    line = before.rstrip("\n")[-1:]
    return before[-1] == "\n" and not line.islower() and line not in (",", ";")


def begins_line_with_capital(text: str, start: int) -> bool:
    """Tell whether the line before an offset begins with a capital."""
    first = max(start - LINE, 0)
    line = text[text.rfind("\n", first, start) + 1 or first : start]
    return line.lstrip()[:1].isupper()
