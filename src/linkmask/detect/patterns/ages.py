"""Holds the judge of French ages: the same words also say how long something lasts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask.detect.patterns.rule import Judge, Verdict, after, before

DURATION = re.compile(
    r"(?i)(?<!\w)(?:depuis|pendant|durant|il y a|dans|après|avant|sur|tous les|toutes les|en"
    r"|environ|d'ici|encore|durée(?: \w+)? de|suivi de|période de|délai de|bail de|contrat de"
    r"|garantie de|peine de|au bout de|à|\d+e?)(?: les)?(?: plus de| moins de| environ)? $"
)
AGED = re.compile(
    r"(?i)(?:âgé|agé|âge|age)\w*(?: moyen)?(?: \w+){0,2}\W{0,3}(?:entre )?$|(?:patiente?s?|hommes?"
    r"|femmes?|fille|garçon|enfants?|adultes?|personnes?|monsieur|madame|assurée?s?|retraitée?"
    r"|adhérente?s?) (?:\w+ )?(?:de|entre) $"
)
LONGER = re.compile(r"(?i) ?ans (?:plus|après|auparavant|d['’]|de )")


def _french(text: str, start: int, end: int) -> Verdict:
    """Tell an age from a duration: "48 ans" after "depuis" is none."""
    lead = before(text, start, 40)
    if AGED.search(lead):
        return "AGE", 0.95
    lasting = DURATION.search(lead) or LONGER.match(after(text, end))
    return None if lasting else ("AGE", 0.8)


JUDGES: Mapping[str, Judge] = {"age-fr": _french}
