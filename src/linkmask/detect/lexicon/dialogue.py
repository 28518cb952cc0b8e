"""Recognizes speaker turns in questions and answers: "Q. And then?", "A. I fell.", "F: Wann?"."""

from __future__ import annotations

import re

_TURN = re.compile(r"(?m)^[ \t>]{0,8}(?:\[[\d:.]{4,12}\][ \t]?)?([QARF])[.:](?=[ \t])")
_ASKED = ("Q. ", "Q: ", "F: ")


def turns(text: str) -> frozenset[int]:
    """Return the offsets of the letters that mark speakers; none if the text is not a dialogue."""
    if not any(map(text.__contains__, _ASKED)):
        return frozenset()
    found = {turn.start(1): turn[1] for turn in _TURN.finditer(text)}
    speakers = set(found.values())
    return frozenset(found) if speakers & {"Q", "F"} and speakers & {"A", "R"} else frozenset()
