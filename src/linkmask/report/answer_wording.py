"""Words what a release leaves of the answers to a user's questions, for the page and terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkmask.report.wording import count


def answer_lines(found: Mapping[str, Any]) -> list[str]:
    """Say how many answers are left, and what took words of the others; nothing if nobody asked."""
    if not found:
        return []
    unanswered, many = found["unanswered"], found["questions"]
    line = (
        f"{count(many, 'question')}: the release holds {found['whole']:,} of the answers whole and "
        f"{found['in_part']:,} in part; {found['gone']:,} are gone."
    )
    if unanswered:
        line += f" {unanswered:,} had no word in a released document."
    taken = [
        (-many, f"{kind} ({stage}) {many:,}")
        for kind, stages in found["taken"].items()
        for stage, many in stages.items()
    ]
    if not taken:
        return [line]
    causes = ", ".join(words for _, words in sorted(taken))
    return [line, f"Answers that lost words, by the type and stage of the masks: {causes}."]
