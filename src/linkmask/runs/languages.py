"""Keeps which documents of a run are in languages that detection does not cover."""

from __future__ import annotations

from collections.abc import Mapping

from linkmask.runs.file_names import UNCOVERED
from linkmask.runs.folder import Run


def keep_uncovered(run: Run, languages: Mapping[str, str]) -> None:
    """Keep the language (ISO 639-1) of each such document by its id, where there are any."""
    if languages or run.find(UNCOVERED).exists():
        run.write_json(UNCOVERED, dict(languages))


def uncovered(run: Run) -> dict[str, str]:
    """Return the language of each such document by its id."""
    return dict(run.read_json(UNCOVERED)) if run.find(UNCOVERED).exists() else {}
