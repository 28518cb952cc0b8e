"""Finds names whose words underscores join, as in names of files: "Ms_Ottoline_Roth.pdf"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask.detect import lexicon
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.lexicon import word_features as w
from linkmask.schema import types_of

NAMED = types_of("person", "provider")
_JOINED = re.compile(r"(?<![^\W_])[^\W\d_]{1,30}(?:_[^\W\d_]{1,30}){1,7}(?![^\W_])")
_LEADING = w.TITLE | w.LABEL | w.GIVEN


def find(text: str, scope: Scope) -> Iterator[Candidate]:
    """Yield the persons who are named in words that underscores join, in linear time.

    The words are read as if blanks stood between them. Only runs count that have a title, a label
    or a given name, and another capitalized word.
    """
    runs = [one for one in _JOINED.finditer(text) if _may_name(one[0])] if "_" in text else []
    shown = "\n".join(one[0].replace("_", " ") for one in runs)
    found = sorted(one for one in lexicon.find(shown, scope) if one.type in NAMED) if runs else []
    begin, number = 0, 0
    for run in runs:
        end = begin + len(run[0])
        while number < len(found) and found[number].start < end:
            one = found[number]
            number += 1
            if begin <= one.start and one.end <= end and _names(shown, one, begin):
                by = run.start() - begin
                yield one._replace(start=one.start + by, end=one.end + by)
        begin = end + 1


def _may_name(run: str) -> bool:
    parts = run.split("_")
    return any(w.MARKS[one] & _LEADING for one in parts[:-1]) and sum(map(_proper, parts)) > 1


def _names(shown: str, one: Candidate, begin: int) -> bool:
    """Tell whether a find names somebody: two words, or one behind a title or a label."""
    words = shown[one.start : one.end].split()
    return all(map(_proper, words)) and (len(words) > 1 or one.start > begin)


def _proper(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()
