"""Lists characters that look alike or are not seen: data of every folding, spelled here alone."""

from __future__ import annotations

from itertools import chain

_HIDDEN = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""First and last of the code points with the property Default_Ignorable_Code_Point (Unicode 15,
DerivedCoreProperties.txt), except those of musical notation and shorthand."""
HIDDEN_CLASS = "".join(f"{chr(first)}-{chr(last)}" for first, last in _HIDDEN)
"""Characters that are not seen, as they stand in brackets in a regular expression."""
HIDDEN = "".join(map(chr, chain.from_iterable(range(a, b + 1) for a, b in _HIDDEN)))
"""The same characters, all of them."""
ACCENT_CLASS = "\u0300-\u036f"
"""Accents that stand behind their letter, as they stand in brackets in a regular expression."""
HYPHENS = "‐‑‒–−"
"""Characters typed for a hyphen."""
DASHES = HYPHENS + "—"
APOSTROPHES = "’‘ʼ`´"
PRIMES = "′ʹ"
QUOTES = "“”„«»″"
LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "œ": "oe", "æ": "ae"}
"""Letters that Unicode does not decompose, and how they are typed without them."""
