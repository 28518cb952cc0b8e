"""Loads the sentence model that the settings name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from linkmask.config import Settings
from linkmask.config.detectors import folder_digest
from linkmask.errors import SettingsError
from linkmask.graph.linkage.sentences import SentenceModel


def sentence_model(settings: Settings) -> SentenceModel | None:
    """Return the sentence model of the settings, None where they name none.

    Raises:
        SettingsError: there is no such model, or not the one of the settings' digest.
    """
    if not settings.sentence_model:
        return None
    return read_model(settings.sentence_model, settings.sentence_model_digest)


@cache
def read_model(name: str, digest: str) -> SentenceModel:
    """Read the model in a folder, once in a process; `digest` is that of its files, or "".

    Raises:
        SettingsError: as `sentence_model` says.
    """
    folder = Path(name).expanduser()
    if digest and folder_digest(folder) != digest:
        raise SettingsError(
            f"sentence_model: the model in {name!r} is not the one that the run began with: put "
            "that one back, or begin another run"
        )
    return SentenceModel(folder)
