"""Generalizes numbers: the last digits of a card, ages in bands, amounts in ranges."""

from __future__ import annotations

import re
from bisect import bisect_right

_OLDEST = 90
_SPELLED = re.compile(r"\d+")
_AMOUNT = re.compile(r"\d[\d.,'’\u00a0\u202f ]{0,20}\d|\d")
_LEAST = 12
"""Digits below which four of them are more than a third of a number."""


def last4(original: str, value: str, language: str) -> str | None:
    """`4242 4242 4242 4242` → `****4242`; a number of fewer than 12 characters is not cut."""
    kept = [c for c in original if c.isalnum()]
    return "****" + "".join(kept[-4:]) if len(kept) >= _LEAST else None


def band(original: str, value: str, language: str) -> str | None:
    """`47-year-old` → `40–49-year-old`, `93 ans` → `90+ ans`, `7 months` → `0–9`."""
    years = _years(value)
    if years is None:
        return None
    low = years // 10 * 10
    return _instead(original, value, "90+" if years >= _OLDEST else f"{low}–{low + 9}")


def under90(original: str, value: str, language: str) -> str | None:
    """Leave ages up to 89 as they are; `93-year-old` → `90+-year-old`."""
    years = _years(value)
    if years is None:
        return None
    return original if years < _OLDEST else _instead(original, value, "90+")


def _years(value: str) -> int | None:
    """Return an age in whole years from its normalized form: "47", "7 months"."""
    number = re.fullmatch(r"(\d{1,3})(?: (days?|weeks?|months?))?", value)
    if number is None:
        return None
    return 0 if number[2] else int(number[1])


def _instead(original: str, value: str, written: str) -> str:
    """Write the band where the number stood; alone where it was written in words."""
    numbers = _SPELLED.findall(original)
    return original.replace(value, written) if numbers == [value] else written


_STEPS = [step * 10**power for power in range(10) for step in (1, 2, 5)]


def range_(original: str, value: str, language: str) -> str | None:
    """`$1,234.50` → `$1,000–2,000`, `1 234,50 €` → `1 000–2 000 €`: steps of 1, 2, 5, 10."""
    found = _AMOUNT.findall(original)
    if len(found) != 1 or (whole := _whole(found[0])) is None or whole >= _STEPS[-1]:
        return None
    at = bisect_right(_STEPS, whole)
    low, high = (_STEPS[at - 1] if at else 0), _STEPS[at]
    point = {"en": ",", "fr": " "}.get(language, ".")
    written = f"{_grouped(low, point)}–{_grouped(high, point)}"
    return original.replace(found[0], written)


def _whole(text: str) -> int | None:
    """Return the whole part of an amount in an English, French, German or Swiss form."""
    plain = re.sub(r"[\s'’]", "", text)
    cents = re.fullmatch(r"(.*?)[.,](\d{1,2})", plain)
    digits = re.sub(r"[.,]", "", cents[1] if cents else plain)
    return int(digits) if digits.isdecimal() else None


def _grouped(number: int, point: str) -> str:
    return f"{number:,}".replace(",", point)
