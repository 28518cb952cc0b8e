"""Loads the models of other detectors from local folders: spaCy's here. Nothing is fetched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from linkmask.detect.other_detectors.gliner_model import GlinerModel
from linkmask.detect.other_detectors.spans import DetectorSpan, OtherDetector, windows
from linkmask.errors import SettingsError

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


READERS: Mapping[str, type[SpacyPipeline | GlinerModel]] = {
    "spacy": SpacyPipeline,
    "gliner": GlinerModel,
}
"""Kind of model (`choices.LOCAL_MODELS`) → the class that reads texts with it."""
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
"""Environment variables that keep these packages from using the network; set before the import."""


def load(kind: str, folder: Path) -> OtherDetector:
    """Return the detector that a model in a folder is; `kind` is one of `READERS`.

    Raises:
        SettingsError: the package is not installed, or can't load the model.
    """
    os.environ.update(OFFLINE)
    try:
        return READERS[kind](folder).spans
    except ImportError as error:
        raise SettingsError(
            f"other_detectors: {kind}:{folder} needs a package that is missing: {error.name}"
        ) from None
    except SettingsError:
        raise
    except Exception as error:
        raise SettingsError(
            f"other_detectors: {kind} can't load {folder} ({type(error).__name__})"
        ) from error
