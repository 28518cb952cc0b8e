"""Loads the models of other detectors from local folders. Nothing is fetched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from linkmask.detect.other_detectors.gliner_model import GlinerModel
from linkmask.detect.other_detectors.spacy_pipeline import SpacyPipeline
from linkmask.detect.other_detectors.spans import OtherDetector
from linkmask.errors import SettingsError

READERS: Mapping[str, type[SpacyPipeline | GlinerModel]] = {
    "spacy": SpacyPipeline,
    "gliner": GlinerModel,
}
"""Kind of model (`config.detectors.LOCAL`) → the class that reads texts with it."""
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
