"""Folds a text so that the same words have the same characters, and maps offsets back.

Case, runs of white space, typographic hyphens and apostrophes, and hidden characters are folded;
letters and separate accents are composed. `str.lower` alone would shift every later offset,
because "İ".lower() has two characters.
"""

from __future__ import annotations

import codecs
import re
from itertools import chain

from linkmask.text.characters import APOSTROPHES, HIDDEN_CLASS, HYPHENS
from linkmask.text.view import (
    ACCENTED,
    TextView,
    compose,
    has_accents_apart,
    recomposed,
    view_after_edits,
    without_hidden,
)

_PLAIN = {"İ": "i", **dict.fromkeys(HYPHENS, "-"), **dict.fromkeys(APOSTROPHES, "'")}
_SPECIAL = re.compile(f"[{''.join(_PLAIN)}]")
_RUNS = re.compile(rf"(?:[^\S ]|[{HIDDEN_CLASS}])[\s{HIDDEN_CLASS}]*| [\s{HIDDEN_CLASS}]+")
"""Matches hidden characters, and white space other than a single blank."""
_ACCENTED = re.compile(ACCENTED)
_RUNS_OR_ACCENTED = re.compile(f"{ACCENTED}|{_RUNS.pattern}")


def fold(text: str) -> TextView:
    """Fold a text in linear time, with a map back to its offsets."""
    same_length = lower(text)
    runs = _RUNS_OR_ACCENTED if has_accents_apart(text) else _RUNS
    if not runs.search(same_length):
        return TextView(same_length)
    return view_after_edits(
        same_length, chain.from_iterable(map(recomposed, runs.finditer(same_length)))
    )


def lower(text: str) -> str:
    """Lower-case per character: the result is as long as the text, offset for offset."""
    if text.isascii():
        return text.lower()
    for character in sorted(set(_SPECIAL.findall(text))):
        text = text.replace(character, _PLAIN[character])
    return text.lower().replace("ς", "σ")


def word_bytes(text: str) -> bytes:
    """Return words in small letters and all else as blanks, one byte per character.

    `split` then yields the words in a fifth of the time that a regular expression takes. All
    letters beyond Latin-1 become the same letter.
    """
    return lower(text).encode("latin-1", _BEYOND).translate(_WORDS)


def _beyond(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    run = error.object[error.start : error.end]
    return "".join(_OTHER if character.isalnum() else " " for character in run), error.end


_OTHER = "\x81"
_BEYOND = "linkmask.letters"
codecs.register_error(_BEYOND, _beyond)
_WORDS = bytes(
    code if chr(code).isalnum() or chr(code) in ("_", _OTHER) else 32 for code in range(256)
)


def folded_value(value: str) -> str:
    """Fold a value to be looked for: as `fold`, and without blanks at its ends."""
    text = lower(value)
    if not text.isascii():
        text = _ACCENTED.sub(compose, text) if has_accents_apart(text) else text
        text = without_hidden(text)
    return " ".join(text.split())
