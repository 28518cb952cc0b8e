"""Recognizes employers: "works at Shepherd-Merritt", "joined Kennedy, Webster and Allen"."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import BLANK, Text
from linkmask.schema import types

_NOT_ALONE = (
    w.PLACE | w.GIVEN | w.NATIONALITY | w.TITLE | w.CLINICIAN | w.CALENDAR | w.INITIAL | w.NUMBER
    | w.CONDITION | w.CONDITION_HEAD | w.TREATMENT | w.TREATMENT_HEAD
)  # fmt: skip
_NOTHING = w.STOP | w.FUNCTION | w.GENERIC | w.HEALTH | w.PLACE_HEAD | w.LABEL
_LONGEST = 5


def find(t: Text) -> Iterator[Candidate]:
    """Yield ORGANIZATION spans: capitalised words after "works at", "employed by", "joined"."""
    for i in t.words_with(w.EMPLOYED):
        k = i + 1
        if t.words[k].lower() in _AT and t.gap[k] in BLANK:
            k += 1
        elif t.words[i].lower() not in _STRAIGHT:
            continue
        k += t.words[k].lower() in {"the", "der", "dem", "la", "le", "firma"}
        j = _name_end(t, k)
        marks = t.marks[k:j]
        if j == k or not t.free(k, j) or all(m & _NOTHING for m in marks):
            continue
        if j - k == 1 and (marks[0] & _NOT_ALONE or len(t.words[k]) < 3):
            continue
        yield t.claim(k, j, types.ORGANIZATION, "employer", 0.6)


_AT = {"at", "for", "by", "with", "bei", "chez", "von", "par"}
_STRAIGHT = {"joined", "joins", "rejoint", "employer", "employeur", "arbeitgeber"}


def _name_end(t: Text, k: int) -> int:
    """Return the end of the name that begins at word k: "Kennedy, Webster and Allen"."""
    j = k
    while j < len(t.words) and j - k < _LONGEST and t.marks[j] & w.CAP and t.gap[j] in _JOINED:
        j += 1
    listed = j - k == 1 and t.gap[j] == ", " and t.marks[j] & w.CAP
    if (
        listed
        and t.words[j + 1] in {"and", "&", "et", "und"}
        and sum(t.marks[j + 2 : j + 3]) & w.CAP
    ):
        return j + 3
    return j


_JOINED = BLANK | {"-", " & ", "'", "’"}
