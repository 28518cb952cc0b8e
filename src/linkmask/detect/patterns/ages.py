"""Holds the judge of French ages: the same words also say how long something lasts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask.detect.patterns.rule import Judge, Verdict, after, before
from linkmask.schema import expression, types

DURATION = re.compile(expression("ages_duration"))
AGED = re.compile(expression("ages_aged"))
LONGER = re.compile(r"(?i) ?ans (?:plus|après|auparavant|d['’]|de )")


def _french(text: str, start: int, end: int) -> Verdict:
    """Tell an age from a duration: "48 ans" after "depuis" is none."""
    lead = before(text, start, 40)
    if AGED.search(lead):
        return types.AGE, 0.95
    lasting = DURATION.search(lead) or LONGER.match(after(text, end))
    return None if lasting else (types.AGE, 0.8)


JUDGES: Mapping[str, Judge] = {"age-fr": _french}
