"""Holds an edited text and its offset map: every view of a text is made by `view_after_edits`.

`visible_text` is the text as a reader sees it, the view that detection works on. `fold.fold`
compares spellings, `each_character` compares letters, and `detect.view` joins broken words;
all of them return a `TextView`.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from linkmask.records import Longs
from linkmask.text.characters import ACCENT_CLASS, HIDDEN_CLASS
from linkmask.text.escapes import escapes, may_hold
from linkmask.text.layout import doubled

Edit = tuple[int, int, str]
"""Start and end of what is replaced in a text, and by what."""

ACCENTED = rf"[^\W\d_](?:[{HIDDEN_CLASS}]*+[{ACCENT_CLASS}])++"
"""Matches a letter and the accents behind it: some systems store "é" so."""
_ACCENT = re.compile(f"[{ACCENT_CLASS}]")
_HIDDEN = re.compile(f"[{HIDDEN_CLASS}]+")
_UNSEEN = re.compile(rf"[{HIDDEN_CLASS}]+(?<!\u00ad(?=[ \t]{{0,2}}\n))")
_UNSEEN_OR_ACCENTED = re.compile(f"{ACCENTED}|{_UNSEEN.pattern}")


@dataclass(frozen=True, slots=True)
class TextView:
    """An edited text and its offset map: original offset = offset in the view + shift.

    `shifts[i]` holds from `starts[i]` on for the first character of a span, and from `ends[i]` on
    for its last character: the last letter takes its accents with it.
    """

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of one or more characters of the view to the span of the original text."""
        if not self.starts:
            return start, end
        return start + self._shift(self.starts, start), end + self._shift(self.ends, end - 1)

    def originals(self, starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
        """Map many spans as `original` does."""
        shifts = np.array((0, *self.shifts))
        first = starts + shifts[np.searchsorted(self.starts, starts, "right")]
        return first, ends + shifts[np.searchsorted(self.ends, ends - 1, "right")]

    def viewed(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the original text to the view, in which no edit may be longer than before.

        A span that ends between a letter and its accents is extended to the whole letter. The
        result has at least one character, unless the view is empty.
        """
        if not self.starts:
            return start, end
        last = max(self._viewed(end), 1)
        return min(self._viewed(start), last - 1), last

    def crosses_edit(self, start: int, end: int) -> bool:
        """Return whether something was edited within a span of the view."""
        return bisect_right(self.starts, start) != bisect_right(self.starts, end - 1)

    def _viewed(self, offset: int) -> int:
        at = bisect_right(range(len(self.starts)), offset, key=self._edit_end)
        viewed = offset - (self.shifts[at - 1] if at else 0)
        return min(viewed, self.starts[at]) if at < len(self.starts) else viewed

    def _edit_end(self, number: int) -> int:
        return self.starts[number] + self.shifts[number]

    def _shift(self, since: tuple[int, ...], offset: int) -> int:
        at = bisect_right(since, offset)
        return self.shifts[at - 1] if at else 0


def view_after_edits(text: str, edits: Iterable[Edit]) -> TextView:
    """Return the view of a text after disjoint edits, which come in order.

    An edit writes at most one character, or several for a single one.
    """
    parts: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    ends: list[int] = []
    at = length = 0
    for start, end, new in edits:
        parts += text[at:start], new
        length += start - at
        for further in range(1, len(new)):
            starts.append(length + further)
            shifts.append(start - length - further)
            ends.append(length + further)
        if end - start != 1 or not new:
            starts.append(length + len(new))
            shifts.append(end - length - len(new))
            ends.append(length + len(new) - len(new.strip()))
        length += len(new)
        at = end
    if not parts:
        return TextView(text)
    return TextView("".join([*parts, text[at:]]), tuple(starts), tuple(shifts), tuple(ends))


def visible_text(text: str) -> TextView:
    """Return a text as it is seen: no hidden characters, accents on their letters, no escapes.

    An escaped blank in a web address is "+" there. The second of two spaces in prose is left out,
    too. A soft hyphen at the end of a line stays, because it says that the word goes on.
    """
    edits = list(_with_addresses_whole(text, escapes(text))) if may_hold(text) else []
    if not text.isascii():
        runs = (_UNSEEN_OR_ACCENTED if has_accents_apart(text) else _UNSEEN).finditer(text)
        shown = list(chain.from_iterable(map(recomposed, runs)))
        edits = _disjoint(sorted([*edits, *shown])) if edits else shown
    view = view_after_edits(text, edits) if edits else TextView(text)
    if "  " not in view.text or not (spaces := doubled(view.text)):
        return view
    return view_after_edits(
        text, sorted([*edits, *((*view.original(*span), "") for span in spaces)])
    )


_WEB_ADDRESS = re.compile(r"(?:://|(?<!\w)www\.)[^\s<>\"'`|)\]}]++")


def _with_addresses_whole(text: str, edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield the edits; an escaped blank in a web address becomes "+", as it goes on there."""
    spans = _WEB_ADDRESS.finditer(text)
    start = end = 0
    for one in edits:
        while end <= one[0] < len(text):
            start, end = next((span.span() for span in spans), (len(text), len(text) + 1))
        yield (*one[:2], "+") if one[2] == " " and start < one[0] else one


def text_unescaped(text: str) -> str:
    """Return a text with the characters that its escapes stand for."""
    return view_after_edits(text, escapes(text)).text if may_hold(text) else text


def _disjoint(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits, in order, without those that overlap the one before."""
    kept: list[Edit] = []
    for one in edits:
        if not kept or one[0] >= kept[-1][1]:
            kept.append(one)
    return kept


def each_character(text: str, becomes: Callable[[str], str]) -> TextView:
    """Return the view of a text in which each character is replaced by what it becomes."""
    changes = ((at, one, becomes(one)) for at, one in enumerate(text))
    return view_after_edits(text, ((at, at + 1, new) for at, one, new in changes if new != one))


def recomposed(run: re.Match[str]) -> Iterator[Edit]:
    """Yield the edits of a run of hidden characters and blanks, or of an accented letter.

    Blanks become one blank.
    """
    if any(map(str.isspace, run[0])):
        yield *run.span(), " "
    elif len(letter := compose(run)) <= 1:
        yield *run.span(), letter
    else:
        for gap in _HIDDEN.finditer(run[0]):
            yield run.start() + gap.start(), run.start() + gap.end(), ""


def has_accents_apart(text: str) -> bool:
    """Return whether an accent stands by itself in a text."""
    return not text.isascii() and _ACCENT.search(text) is not None


def compose(letter: re.Match[str]) -> str:
    """Return a letter and its accents as one character, if such a character exists."""
    apart = without_hidden(letter[0])
    one = unicodedata.normalize("NFC", apart)
    return one if len(one) == 1 else apart


def without_hidden(text: str) -> str:
    """Return a text without hidden characters."""
    return _HIDDEN.sub("", text)
