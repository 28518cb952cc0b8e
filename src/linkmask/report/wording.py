"""How ids, names and numbers are put before people: short, and harmless whatever they hold."""

from __future__ import annotations

import re

SHORT = 10
"""Hex digits of an entity id that people are shown; `explain --entity` takes them back."""

_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)


def shown(text: str, most: int | None = None) -> str:
    """Return text without what moves a cursor, turns the writing around or can't be encoded.

    Each such character becomes `�`, so offsets stay; tabs and line ends are kept. Beyond `most`
    characters the middle is left out.
    """
    if most is not None and len(text) > most:
        half = (most - 1) // 2
        text = f"{text[: most - 1 - half]}…{text[len(text) - half :]}"
    return _UNSAFE.sub("\ufffd", text)


def short(entity: str) -> str:
    """Return the beginning of an entity id."""
    return entity[:SHORT]


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 document, 2 documents, 10,000 documents."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def risk(value: float, limit: float = 1.0) -> str:
    """Return a risk in three decimals; rounding never makes it 0, or lifts it to a limit."""
    if 0.0 < value < 0.001:
        return "<0.001"
    if value < limit < 1.0 and round(value, 3) >= round(limit, 3):
        return f"<{limit:.3f}"
    if 0.9995 <= value < 1.0:
        return ">0.999"
    return f"{value:.3f}"
