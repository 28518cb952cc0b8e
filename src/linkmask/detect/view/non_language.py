"""Finds stretches that are not language: base64, hexadecimal, sequences, one very long word.

Lexicon, tagger and labels do not read them. They are searched only for values whose form shows
without context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from linkmask.schema import types_of

RUN = 60
"""Characters of a run, at least: a line of base64 in a mail has 76, a signed one 64."""
LEAST = 160
"""Smallest number of characters of a stretch; a single digest, key or token is a value."""
LETTERS = 40
"""Letters up to which a word may be one; German and chemistry have such."""
BYTES = 16
"""Bytes of a run of bytes, at least: "4a 6f 0d", as hexadecimal dumps have it."""
MIXED = 0.1
"""Share of the bytes that are a digit and a letter, at least: of random ones it is half, of bytes
that spell English a fifth. Telephone numbers and small words in pairs have none."""
ROW = 8
"""Bytes of a row that has its number in front, at least: fewer may be a numbered list."""
BESIDE = 24
"""Characters of text beside a row of a dump, at most: what its sixteen bytes spell."""
SHAPED = types_of("email", "phone", "account", "card", "national", "url", "network")
"""Types whose values have a form that shows without words around it."""

Kind = Literal["language", "encoded", "bytes", "row"]
SEARCHED: Mapping[Kind, frozenset[str]] = {
    "encoded": SHAPED,
    **dict.fromkeys(("bytes", "row"), SHAPED - types_of("phone", "card")),
}
"""Types that are searched for in each kind of stretch. In dumps, pairs of digits look like
telephone numbers, and one row in ten like a card number; other forms do not occur by chance."""

_PAIR = r"[0-9A-Fa-f]{2}"
_BYTE = rf"(?:0x|\\x)?{_PAIR}(?!\w)"
_SEPARATED = r"(?:[,:;]?[\s>]{1,8}|[,:;]|(?=\\x))"
_RUN = re.compile(
    rf"(?P<encoded>[A-Za-z0-9+/=_-]{{{RUN},}}+)"
    r"|(?<!\w)(?P<row>(?P<offset>[0-9A-Fa-f]{4,16})(?::[ \t]{1,2}"
    rf"(?:{_PAIR}){{1,4}}(?!\w)(?:[ \t]{{1,2}}(?:{_PAIR}){{1,4}}(?!\w)){{0,15}}+"
    rf"|[ \t]{{1,2}}{_PAIR}(?!\w)(?:[ \t]{{1,2}}{_PAIR}(?!\w)){{0,31}}+))"
    rf"|(?<![\w.,])(?P<bytes>{_BYTE}(?:{_SEPARATED}{_BYTE}){{{BYTES - 1},}}+)"
)
"""A run without words. A row of a dump begins with the number of its first byte, as xxd, hexdump
and od write it; only behind a colon its bytes stand in groups, as otherwise codes do, too."""
_LINE_END = re.compile(r"[\s>]{1,8}")
"""A line end, also one that reads as a blank because the lines were taken for wrapped prose."""
_PART = re.compile(r"[^\W_]++")
_DIGITS = re.compile(r"[0-9A-Fa-f]{2}")

Stretch = tuple[int, int, Kind]
"""Begin and end, and what it may be."""


def stretches(text: str) -> Iterator[Stretch]:
    """Yield the stretches of a text in order and without gaps, in linear time.

    The rows of a dump are a stretch each; what stands beside them is language.
    """
    at = 0
    for block in _blocks(text):
        if block[-1][1] - block[0][0] < LEAST:
            continue
        for start, end, kind in block:
            if at < start:
                yield at, start, "language"
            yield start, end, kind
            at = end
    if at < len(text) or not text:
        yield at, len(text), "language"


def _blocks(text: str) -> Iterator[list[Stretch]]:
    """Yield runs without words that go on from one another; lines of one kind are one stretch."""
    block: list[Stretch] = []
    last: re.Match[str] | None = None
    for run in _RUN.finditer(text):
        kind: Kind = "encoded" if run["encoded"] else "bytes" if run["bytes"] else "row"
        if (run["encoded"] and not _wordless(run[0])) or (run["bytes"] and not _mixed(run[0])):
            continue
        goes_on = last is not None and block[-1][2] == kind and _goes_on(last, run, text)
        if block and not goes_on:
            yield block
        if not goes_on:
            block = [(*run.span(), kind)]
        elif kind == "row":
            block.append((*run.span(), kind))
        else:
            block[-1] = block[-1][0], run.end(), kind
        last = run
    if block:
        yield block


def _goes_on(last: re.Match[str], run: re.Match[str], text: str) -> bool:
    """Does a run go on from the last one of its kind, line below line, row after row?"""
    if not run["row"]:
        return bool(_LINE_END.fullmatch(text, last.end(), run.start()))
    size = len(_DIGITS.findall(text, last.end("offset"), last.end()))
    grown = int(run["offset"], 16) - int(last["offset"], 16)
    return run.start() - last.end() <= BESIDE and ROW <= grown <= size


def _mixed(run: str) -> bool:
    """Do letters and digits stand in one byte as often as in bytes, not numbers or words alone?"""
    pairs = _DIGITS.findall(run.replace("0x", ""))
    mixed = sum(not pair.isdecimal() and not pair.isalpha() for pair in pairs)
    return mixed >= MIXED * len(pairs)


def _wordless(run: str) -> bool:
    """Is less than half of a run made of words, in small letters, in capitals or with one?"""
    words = sum(len(part) for part in _PART.findall(run) if _word(part))
    return 2 * words < len(run)


def _word(part: str) -> bool:
    return len(part) <= LETTERS and part.isalpha() and (part[1:].islower() or part.isupper())
