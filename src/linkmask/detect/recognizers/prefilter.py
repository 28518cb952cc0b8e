"""Finds where rules need to be tried: near literals that their values always contain.

The literals of all rules are searched for at once (Aho–Corasick) in the text's *shape*: lower-case
letters, every digit a 0. Most of a text is near none of them, and there a rule costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from linkmask.detect.recognizers.rule import Rule

LONGEST = 12
"""Pieces that are digits alone, at most so many of them, are found as runs: one hit per run."""

PART, OVERLAP = 1 << 16, 32
"""Characters searched at once, so that the hits of a long text are never all in memory, and by how
many parts overlap: more than any piece is long."""

Stretches = list[list[int]]
"""Begin and end of each; the first and the last may reach beyond the text."""

Use = tuple[int, int, int, int, int, bool]
"""Number of a key, its reach before and beyond a piece, how far from it a digit must stand, and
whether the piece counts as whole words only."""

Uses = tuple[list[Use], bool, bool, list[Use]]
"""Of a piece: its uses; whether a letter before it, and one behind, makes it part of a word
(neither, if all its uses are also in a word); its uses in a word."""

Hit = tuple[int, int, int]
"""Number of a piece, or length of a run of digits; where it begins and ends."""

_FLAT = {10: 32, **dict.fromkeys(range(48, 58), 48)}
_SMALL = bytes(
    _FLAT.get(code, ord(chr(code).lower()) if chr(code).isupper() else code) for code in range(256)
)
_LETTER = "[" + "".join(filter(str.isalpha, map(chr, range(256)))) + "]"
_LIKE = {"-": "‐‑‒–—−", "'": "’", "s": "ſ", "k": "\u212a", "i": "İı"}
"""What stands for a plain character, or is matched by it whatever the case."""
_FIRST, _LAST, _CODES, _MICRO, _IDEOGRAM = 0x370, 0x52F, 0x80, "\u03bc", 0x7F
"""Greek and Cyrillic letters, and the first of the 32 codes (of control characters) that stand for
them; mu is the micro sign of Latin-1; the code of all ideograms."""


def shape(text: str) -> str:
    """Return the text in small letters with every digit a 0, as long as the text.

    A line break is a blank, as a value may be wrapped; typographic hyphens and apostrophes are
    plain ones; a Greek or Cyrillic letter is one of 32 codes, whatever its case, and an ideogram
    one code; other letters beyond Latin-1 are question marks.
    """
    try:
        narrow = text.encode("latin-1")
    except UnicodeEncodeError:
        for plain, marks in _LIKE.items():
            for mark in marks:
                text = text.replace(mark, plain)
        wide = {ord(one): code for one in set(text) if one > "\xff" and (code := _code_of(one))}
        narrow = text.translate(wide).encode("latin-1", "replace")
    return narrow.translate(_SMALL).decode("latin-1")


def _code_of(letter: str) -> int:
    """Return the code of a Greek or Cyrillic letter or an ideogram in a shape, 0 of others."""
    folded = letter.casefold()
    if len(folded) > 1 or not _FIRST <= ord(folded) <= _LAST:
        return _IDEOGRAM if "\u4e00" <= letter <= "\u9fff" else 0
    return 0xB5 if folded == _MICRO else _CODES + ord(folded) % 32


class Near:
    """The search for all pieces of some rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        from ahocorasick_rs import AhoCorasick, Implementation

        self.keys = list(dict.fromkeys(map(key_of, rules)))
        uses: dict[str, list[Use]] = {}
        for number, (near, reach, digit, whole) in enumerate(self.keys):
            for piece in near:
                uses.setdefault(piece, []).append((number, *reach, *digit, whole))
        letters = {one: uses.pop(one) for one in list(uses) if _alone(one, uses[one])}
        self._letters: list[Uses] = [(row, False, False, row) for row in letters.values()]
        self._letter = [re.compile(f"{one}(?<!{_LETTER}.)(?!{_LETTER})") for one in letters]
        """"n" before a number: as a piece it would be a hit in most words."""
        runs = {len(piece): uses.pop(piece) for piece in list(uses) if not piece.strip("0")}
        more = min(runs, default=1) - 1
        self._run = re.compile(f"0(?=0{{{more}}})0{{{more},63}}")
        """One 0 first: of two `re` would look for pairs, four times as slowly."""
        literals = [
            [use for size, row in sorted(runs.items()) if size <= length for use in row]
            for length in range(LONGEST + 1)
        ]
        self._runs: list[Uses] = [(row, False, False, row) for row in literals]
        self._uses = [_parted(piece, row) for piece, row in uses.items()]
        self._search = AhoCorasick(list(uses), implementation=Implementation.ContiguousNFA)
        self._everywhere = [number for number, (near, *_) in enumerate(self.keys) if not near]

    def stretches(self, outline: str) -> dict[int, Stretches]:
        """Return the disjoint stretches of a shape around the pieces of each of `keys` seen."""
        found: dict[int, Stretches] = {}
        padded = outline + " "
        _note(found, self._digits(outline), self._runs, padded)
        rows: dict[int, Stretches] = {}
        for base in range(0, len(outline), PART):
            part = outline[base : base + PART + OVERLAP]
            hits = self._search.find_matches_as_indexes(part, overlapping=True)
            if base:
                hits = [(piece, base + start, base + end) for piece, start, end in hits]
            _note(rows, hits, self._uses, padded)
        _add(found, rows)
        for place, letter in enumerate(self._letter):
            if hits := [(place, *one.span()) for one in letter.finditer(outline)]:
                rows = {}
                _note(rows, hits, self._letters, padded)
                _add(found, rows)
        for number in self._everywhere:
            found[number] = [[0, len(outline)]]
        return found

    def _digits(self, outline: str) -> list[Hit]:
        """Return the runs of digits; what asks for no more digits than it has is awake there."""
        spans = [run.span() for run in self._run.finditer(outline)]
        return [(min(end - start, LONGEST), start, end) for start, end in spans]


def key_of(rule: Rule) -> tuple[tuple[str, ...], tuple[int, int], tuple[int, int], bool]:
    """Return what rules that are tried in the same places have in common."""
    return rule.near, rule.reach, rule.digit, rule.whole


def _alone(piece: str, uses: Iterable[Use]) -> bool:
    """Is a piece one letter, which counts as a word only?"""
    return len(piece) == 1 and piece.isalpha() and all(whole for *_, whole in uses)


def _parted(piece: str, uses: list[Use]) -> Uses:
    """Return the uses of a piece, where a letter makes it part of a word, its uses in one."""
    inside = [use for use in uses if not use[-1]]
    whole = len(inside) < len(uses)
    return uses, whole and piece[0].isalpha(), whole and piece[-1].isalpha(), inside


def _note(
    rows: dict[int, Stretches], hits: Iterable[Hit], uses: Sequence[Uses], padded: str
) -> None:
    """Add to each key's stretches those around hits, which come in order; close ones are one.

    `padded` is the shape and a blank, which its index -1 finds before its begin, too.
    """
    for piece, start, end in hits:
        here, opens, closes, inside = uses[piece]
        if (closes and padded[end].isalpha()) or (opens and padded[start - 1].isalpha()):
            here = inside
        for number, before, beyond, left, right, _ in here:
            if left >= 0 and padded.find("0", max(start - left, 0), end + right) < 0:
                continue
            begin, stop = start - before, end + beyond
            row = rows.get(number)
            if row is None:
                rows[number] = [[begin, stop]]
                continue
            last = row[-1]
            if begin > last[1]:
                row.append([begin, stop])
            else:
                if stop > last[1]:
                    last[1] = stop
                if begin < last[0]:
                    last[0] = begin


def _add(found: dict[int, Stretches], rows: dict[int, Stretches]) -> None:
    """Add to each key's stretches some more."""
    for number, row in rows.items():
        found[number] = _union(found[number], row) if number in found else row


def _union(one: Stretches, other: Stretches) -> Stretches:
    """Return two rows of stretches as one, sorted and disjoint."""
    merged: Stretches = []
    for begin, end in sorted([*one, *other]):
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(end, merged[-1][1])
        else:
            merged.append([begin, end])
    return merged
