"""Decides which places are addresses: those with a house number and a word for a street."""

from __future__ import annotations

import re
from collections.abc import Iterable

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.patterns.rule import words
from linkmask.schema import types

NAME = r"[^\W_][\w.'’-]{0,24}"
"""A word of a street's name."""
STREETS = schema.words("streets")
STREET_EN = "|".join(sorted(STREETS["en"], key=lambda word: (-len(word), word)))
STREET_FR = words(STREETS["fr"], point=True)
ENDS_DE = "|".join(f"(?<={re.escape(end)})" for end in STREETS["de"])
HOUSE = re.compile(
    rf"(?i)(?<![\w.,/$€£#-])(?:[0-9]{{1,6}}[a-z]?,?\s{{1,3}}(?:(?:{NAME}\s{{1,3}}){{1,4}}?(?:{STREET_EN})"
    rf"|{STREET_FR}\s{{1,3}}{NAME})(?!\w)"
    rf"|[^\W\d_][\w.'’-]{{2,40}}+(?:{ENDS_DE})\s{{1,3}}[0-9]{{1,3}}(?!\w))"
)


def with_multiline_addresses(text: str, spans: Iterable[Candidate]) -> list[Candidate]:
    """Return the spans; a place with a house number and a street word becomes an ADDRESS."""
    return [
        one._replace(type=types.ADDRESS)
        if one.type == types.LOCATION and HOUSE.search(text[one.start : one.end])
        else one
        for one in spans
    ]
