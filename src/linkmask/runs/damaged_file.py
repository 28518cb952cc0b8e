"""Says which file of a run can't be read, and what to do."""

from __future__ import annotations

from pathlib import Path

from linkmask.errors import RunError
from linkmask.runs.file_names import COMMON_WORDS, PLAN

MADE_AGAIN = {
    PLAN: "remove it and run linkmask plan, with each --mask and --keep that you gave",
    COMMON_WORDS: "mask the corpus anew",
}
"""File → what to do where it is damaged, if that is less than a new run."""


def damaged(path: Path) -> RunError:
    """Return the error for a file of a run that is damaged."""
    return RunError(f"{path} is damaged: {MADE_AGAIN.get(path.name, 'start a new run')}")
