"""Settings of `[run]`: processes and approvals."""

from __future__ import annotations

from linkmask.config.sections.llm import LlmSettings
from linkmask.config.sections.ranges import Count


class RunSettings(LlmSettings, frozen=True, kw_only=True):
    """All settings up to those of `[run]`."""

    workers: Count = 0
    """Number of processes. 0 means one for each core."""
    approvals: Count = 0
    """Reviewers who must approve a plan before `apply` releases it ([four
    eyes](review.md#four-eyes)). With 1 or more, only `apply` releases."""
