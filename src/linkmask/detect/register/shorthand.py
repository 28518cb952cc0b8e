"""Drops treatments that are capitals of any meaning before a word for any treatment.

"Drops" are a form of drugs, but in a text without clinical words, "VPN drops" is no treatment.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.register.evidence import LISTED

CLINICAL = schema.types_of("clinical")
_KNOWN = w.CONDITION | w.CONDITION_HEAD | w.TREATMENT | w.TREATMENT_HEAD | w.MODIFIER


def without_shorthand(text: str, found: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates of a text without words of health, without such treatments.

    If something else in it is clinical, or the tagger also takes one for clinical, they count. A
    listed abbreviation counts in any text: "PE" may be a class at school, but "she had a PE" leaks.
    """
    clinical = [one for one in found if one.type in CLINICAL]
    doubtful = {one for one in clinical if _is_shorthand(text, one)}
    return found if len(doubtful) < len(clinical) else [one for one in found if one not in doubtful]


def _is_shorthand(text: str, one: Candidate) -> bool:
    """Is a value of a list unknown capitals and words for any treatment?"""
    first, *more = text[one.start : one.end].split()
    return bool(
        one.detector == LISTED
        and more
        and first.isupper()
        and not w.FEATURES[first] & _KNOWN
        and all(w.FEATURES[word] & _KNOWN == w.TREATMENT_HEAD for word in more)
    )
