"""Folds a text so that the same words have the same characters, and maps offsets back.

Case, runs of white space, typographic hyphens and apostrophes, and characters of no width are
folded; letters and separate accents are composed. `str.lower` alone would shift every later offset,
because "İ".lower() has two characters.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

_PLAIN = {"İ": "i", **dict.fromkeys("‐‑‒–−", "-"), **dict.fromkeys("’‘ʼ`´", "'")}
_SPECIAL = re.compile(f"[{''.join(_PLAIN)}]")
_NONE = "\u00ad\u200b-\u200d\u2060\ufeff"
_NO_WIDTH = re.compile(f"[{_NONE}]+")
_UNSEEN = re.compile(rf"[{_NONE}]+(?<!\u00ad(?=[ \t]{{0,2}}\n))")
_RUNS = re.compile(rf"(?:[^\S ]|[{_NONE}])[\s{_NONE}]*| [\s{_NONE}]+")
"""What changes length or is no plain blank: whitespace that is not one blank, and no-width."""
_MARKS = "\u0300-\u036f"
_ACCENTED = rf"[^\W\d_](?:[{_NONE}]*+[{_MARKS}])++"
"""A letter and the accents behind it, as some systems keep "é"."""
_MARK = re.compile(f"[{_MARKS}]")
_COMPOSABLE = re.compile(_ACCENTED)
_APART = re.compile(f"{_ACCENTED}|{_RUNS.pattern}")
_HIDDEN = re.compile(f"{_ACCENTED}|{_UNSEEN.pattern}")

Edit = tuple[int, int, str]
"""Begin and end of what is replaced in a text, and by what."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text, and the way back: original = folded + shift.

    `shifts[i]` holds from `starts[i]` on for where a span begins, and for its last character from
    `ends[i]` on: the last letter takes its accents with it.
    """

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of one or more folded characters to the span of the original text."""
        if not self.starts:
            return start, end
        return start + self._shift(self.starts, start), end + self._shift(self.ends, end - 1)

    def _shift(self, since: tuple[int, ...], offset: int) -> int:
        at = bisect_right(since, offset)
        return self.shifts[at - 1] if at else 0


def _edited(text: str, edits: Iterable[Edit]) -> Folded:
    """Return the text with disjoint edits, which come in order, and the way back."""
    parts: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    ends: list[int] = []
    at = length = 0
    for start, end, new in edits:
        parts += text[at:start], new
        length += start - at + len(new)
        at = end
        starts.append(length)
        shifts.append(at - length)
        ends.append(length - len(new.strip()))
    if not starts:
        return Folded(text)
    return Folded("".join([*parts, text[at:]]), tuple(starts), tuple(shifts), tuple(ends))


def fold(text: str) -> Folded:
    """Fold a text in linear time, with a map back to its offsets."""
    same_length = lower(text)
    runs = _APART if _accented(text) else _RUNS
    return _edited(same_length, chain.from_iterable(map(_edits, runs.finditer(same_length))))


def visible(text: str, doubled: Iterable[tuple[int, int]] = ()) -> Folded:
    """Return a text without characters of no width, with letters and accents composed.

    A soft hyphen at the end of a line stays. `doubled`: further offsets to leave out.
    """
    edits: list[Edit] = [(start, end, "") for start, end in doubled]
    if not text.isascii():
        runs = (_HIDDEN if _accented(text) else _UNSEEN).finditer(text)
        edits = sorted(chain(edits, *map(_edits, runs)))
    return _edited(text, edits)


def _edits(run: re.Match[str]) -> Iterator[Edit]:
    """Yield what is done with a run of blanks and of no width, or with an accented letter."""
    if not run[0][0].isalpha():
        yield *run.span(), " " if any(map(str.isspace, run[0])) else ""
    elif len(letter := _compose(run)) == 1:
        yield *run.span(), letter
    else:
        for gap in _NO_WIDTH.finditer(run[0]):
            yield run.start() + gap.start(), run.start() + gap.end(), ""


def _accented(text: str) -> bool:
    """Does an accent stand by itself in a text?"""
    return not text.isascii() and _MARK.search(text) is not None


def _compose(letter: re.Match[str]) -> str:
    """Return a letter and its accents as one, if there is such a one."""
    apart = _NO_WIDTH.sub("", letter[0])
    one = unicodedata.normalize("NFC", apart)
    return one if len(one) == 1 else apart


def lower(text: str) -> str:
    """Lower-case per character: the result is as long as the text, offset for offset."""
    if text.isascii():
        return text.lower()
    for character in sorted(set(_SPECIAL.findall(text))):
        text = text.replace(character, _PLAIN[character])
    return text.lower().replace("ς", "σ")


def word_bytes(text: str) -> bytes:
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
    if not text.isascii():
        text = _COMPOSABLE.sub(_compose, text) if _accented(text) else text
        text = _NO_WIDTH.sub("", text)
    return " ".join(text.split())
