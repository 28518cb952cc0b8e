"""Texts in which «…» marks the spans that patterns are to find."""

from __future__ import annotations

import re

from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import find

COUNTRIES = ("us", "gb", "fr", "de", "ch")
MORE = " and so on, as long as a line is in letters like this one."
"""Put behind a text, so that nothing is found only because the text ends."""


def found(
    marked: str, language: str = "en", types: str = "", behind: str = ""
) -> tuple[list[str], list[str]]:
    """Return what is marked and what is found, as texts, of the given types or of all."""
    text = re.sub("[«»]", "", marked) + behind
    hits = find(text, Scope(language, COUNTRIES))
    got = [text[f.start : f.end] for f in hits if not types or f.type in types.split()]
    return re.findall("«(.*?)»", marked, re.DOTALL), got


def check(types: str, marked: str, language: str = "en", behind: str = "") -> None:
    """Assert that exactly the marked spans are found as one of the types."""
    expected, got = found(marked, language, types, behind)
    assert got == expected
