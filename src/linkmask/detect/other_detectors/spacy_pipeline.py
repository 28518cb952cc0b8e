"""Finds spans by a spaCy pipeline in a local folder."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from linkmask.detect.other_detectors.spans import DetectorSpan, windows

UNSCORED = 0.85
"""Score of a span, because spaCy gives none; Presidio gives the same."""


class SpacyPipeline:
    """A spaCy pipeline: its entities, and the spans of its span rulers and span categorizers."""

    def __init__(self, folder: Path) -> None:
        self._pipeline: Any = import_module("spacy").load(folder)

    def spans(self, text: str, language: str) -> list[DetectorSpan]:
        """Return the spans that the pipeline finds in a text, sorted."""
        found: set[DetectorSpan] = set()
        for begin, part in windows(text):
            document = self._pipeline(part)
            for one in [*document.ents, *(s for group in document.spans.values() for s in group)]:
                start, end = begin + one.start_char, begin + one.end_char
                found.add(DetectorSpan(start, end, one.label_, UNSCORED))
        return sorted(found)
