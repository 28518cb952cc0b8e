"""Fold a text so that the same words are the same characters, and know where each one stood.

Case, runs of whitespace, typographic hyphens and apostrophes, and characters of no width are
folded. `str.lower` alone would not do: "İ".lower() has two characters and shifts every offset.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from dataclasses import dataclass

_PLAIN = {"İ": "i", **dict.fromkeys("‐‑‒–−", "-"), **dict.fromkeys("’‘ʼ`´", "'")}
_SPECIAL = re.compile(f"[{''.join(_PLAIN)}]")
_NONE = "\u00ad\u200b-\u200d\u2060\ufeff"
_NO_WIDTH = re.compile(f"[{_NONE}]+")
_UNSEEN = re.compile(rf"[{_NONE}]+(?<!\u00ad(?=[ \t]{{0,2}}\n))")
_RUNS = re.compile(rf"(?:[^\S ]|[{_NONE}])[\s{_NONE}]*| [\s{_NONE}]+")
"""What changes length or is no plain blank: whitespace that is not one blank, and no-width."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; `starts` and `shifts` map its offsets back: original = folded + shift."""

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of one or more folded characters to the span of the original text."""
        if not self.starts:
            return start, end
        return start + self._shift(start), end - 1 + self._shift(end - 1) + 1

    def _shift(self, offset: int) -> int:
        at = bisect_right(self.starts, offset)
        return self.shifts[at - 1] if at else 0


def fold(text: str) -> Folded:
    """Fold a text in time linear in its length, keeping the way back to its offsets."""
    same_length = lower(text)
    parts: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    position = length = 0
    for run in _RUNS.finditer(same_length):
        parts.append(same_length[position : run.start()])
        length += run.start() - position
        if any(map(str.isspace, run.group())):
            parts.append(" ")
            length += 1
        position = run.end()
        starts.append(length)
        shifts.append(position - length)
    if not starts:
        return Folded(same_length)
    parts.append(same_length[position:])
    return Folded("".join(parts), tuple(starts), tuple(shifts))


def visible(text: str) -> Folded:
    """Return a text without characters of no width; a soft hyphen at the end of a line stays."""
    runs = [] if text.isascii() else [run.span() for run in _UNSEEN.finditer(text)]
    if not runs:
        return Folded(text)
    parts: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    at = 0
    for start, end in runs:
        parts.append(text[at:start])
        at = end
        starts.append(start - (shifts[-1] if shifts else 0))
        shifts.append(end - starts[-1])
    return Folded("".join([*parts, text[at:]]), tuple(starts), tuple(shifts))


def lower(text: str) -> str:
    """Lower-case per character: the result is as long as the text, offset for offset."""
    if text.isascii():
        return text.lower()
    for character in sorted(set(_SPECIAL.findall(text))):
        text = text.replace(character, _PLAIN[character])
    return text.lower().replace("ς", "σ")


def plain(text: str) -> bytes:
    """Return words in small letters and all else as blanks, one byte per character.

    So that `split` gives the words, in a fifth of the time an expression takes. Letters beyond
    Latin-1 are all the same one.
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


def folded(value: str) -> str:
    """Fold a value to be looked for: as `fold`, and without blanks at its ends."""
    text = lower(value)
    return " ".join((text if text.isascii() else _NO_WIDTH.sub("", text)).split())
