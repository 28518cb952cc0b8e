"""Normalizes the layout of a text: plain spaces and digits, no italics, unwrapped lines.

`unify_blanks` keeps the length, so offsets in its result are offsets in the text. `doubled` gives
the superfluous spaces, which the text view leaves out before (`text.view`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, pairwise

_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
"""Blanks that do not break, or are narrow or wide."""
_WIDE_FORMS = {0xFEE0 + code: code for code in range(0x21, 0x7F)}
_DIGITS = {
    zero + figure: 0x30 + figure
    for zero in (0x660, 0x6F0, 0x966)  # Arabic, Persian, Devanagari
    for figure in range(10)
}
_OTHER_FORMS: dict[int, int] = {**_WIDE_FORMS, **_DIGITS}
_OTHER_FORM = re.compile(f"[{''.join(map(chr, _OTHER_FORMS))}]")
"""Letters, figures and signs as wide as ideograms, figures of other scripts."""
_HYPHEN = re.compile("(?<=[0-9])[‐‑‒](?=[0-9])")
"""Hyphens that do not break, or are as wide as a figure: (415) 555‑0188."""
_DASHES = re.compile("[‐-–−]")
_GROUPED = re.compile(r"[0-9]{1,6}(?:[-‐-–−][0-9]{1,6}){2,8}(?![0-9])")
"""Dashes for the hyphens of a number of three groups and more: 415–555–0188."""
_ITALICS = re.compile(r"(?<!\w)_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?!\w)")
"""Underscores around words in Markdown, which belong to none of the words."""
WIDTHS = range(40, 121)
"""Characters of the longest line of a text that may have been wrapped."""
SEEN = 3
"""Number of lines that seem to be wrapped from which a text counts as wrapped."""
_ENDS = frozenset(".:;!?|-,>")
"""What a line that is not wrapped ends with, or one that another rule reads over its end."""
_LABEL = re.compile(r"[^\n:|\t]{1,40}:|[^\n]{0,200}[|\t]")
_PARTED = (re.compile(";"), re.compile(","), re.compile(r"\S {2,}(?=\S)"))
"""What separates the columns of a table."""
_WIDE = re.compile(r"[|\t]|\S {3,}+\S")
"""What only parts columns."""
COLUMNS = 3
"""Columns that rows have at least, as many each, of a table without lines."""


_BREAKS = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
"""What else ends a line: messages of HL7 end their segments with a carriage return alone."""


def unify_blanks(text: str) -> str:
    """Return the text with plain blanks and line ends, also for italics and wrapped lines."""
    text = _BREAKS.sub("\n", text)
    if not text.isascii():
        text = _BLANKS.sub(" ", text)
        if _OTHER_FORM.search(text):
            text = text.translate(_OTHER_FORMS)
        if _DASHES.search(text):
            text = _HYPHEN.sub("-", text)
            text = _GROUPED.sub(lambda number: _DASHES.sub("-", number[0]), text)
    if "_" in text:
        text = _ITALICS.sub(lambda run: " " * len(run[0]), text)
    return _unwrapped(text) if "\n" in text else text


def _unwrapped(text: str) -> str:
    """Join lines that a mailer or scanner broke: the next word would not have fitted.

    What ends a sentence, stands before a label or is a row of a table is left alone.
    """
    lines = text.split("\n")
    width = max(map(len, lines))
    if width not in WIDTHS:
        return text
    ends = [" " if _goes_on(*two, width) else "\n" for two in pairwise(lines)]
    if ends.count(" ") < SEEN:
        return text
    return "".join(chain.from_iterable(zip(lines, [*ends, ""], strict=True)))


def _goes_on(line: str, following: str, width: int) -> bool:
    word = following.partition(" ")[0]
    if len(line) + 1 + len(word) <= width or line[-1:] in _ENDS or not word[:1].isalnum():
        return False
    if _WIDE.search(line) or _WIDE.search(following):
        return False
    return not _LABEL.match(following) and not _rows(line, following)


def _rows(line: str, following: str) -> bool:
    """Tell whether two lines are rows of one table, with the same number of columns."""
    found = ((len(part.findall(line)), len(part.findall(following))) for part in _PARTED)
    return any(one == other and one >= COLUMNS - 1 for one, other in found)


_GAP = re.compile(r"(?<=\S)  (?=\S)")
_LABELLED = re.compile(r"[^\W\d_][\w/-]{0,20}(?: [\w/-]{1,20}){0,3} ?:")
_CELL = re.compile(r"(?:[^ ]{1,60}+ ){5}[^ ]")
"""Matches as many words as no cell of a table has."""
CELLS = 6
"""Number of gaps in each of two lines above which the lines are prose and no rows."""


def doubled(text: str) -> list[tuple[int, int]]:
    """Return the offsets of superfluous spaces in prose: the second of two between words.

    Scanners and justified text leave such spaces. Lines with wider gaps, rows of a table, and gaps
    before a label are left alone, because there two spaces separate two values.
    """
    lines = text.split("\n")
    gaps = [[gap.start() for gap in _GAP.finditer(line)] if "  " in line else [] for line in lines]
    found: list[tuple[int, int]] = []
    at = 0
    row = False
    for number, (line, here) in enumerate(zip(lines, gaps, strict=True)):
        if here:
            row = (row and len(here) == len(gaps[number - 1])) or any(
                (gaps[other] and _columns(line, here, lines[other], gaps[other]))
                or (_WIDE.search(lines[other]) and _head_of(here, lines[other]))
                for other in (number - 1, number + 1)
                if 0 <= other < len(lines)
            )
            if not row and not _WIDE.search(line):
                found += [
                    (at + gap + 1, at + gap + 2)
                    for gap in here
                    if not _LABELLED.match(line, gap + 2)
                ]
        else:
            row = False
        at += len(line) + 1
    return found


_BEGINS = re.compile(r" {2}(?=\S)")


def _head_of(gaps: Sequence[int], other: str) -> bool:
    """Tell whether the text behind most gaps begins where cells of the other line begin."""
    begins = {gap.end() for gap in _BEGINS.finditer(other)}
    return 2 * sum(gap + 2 in begins for gap in gaps) > len(gaps)


def _columns(line: str, gaps: Sequence[int], other: str, others: Sequence[int]) -> bool:
    """Tell whether the gaps of two lines separate columns.

    They do if both lines have as many gaps and short values, or if most gaps are at one place.
    """
    if len(gaps) == len(others) <= CELLS and not (_CELL.search(line) and _CELL.search(other)):
        return True
    return 2 * len({*gaps} & {*others}) > min(len(gaps), len(others))
