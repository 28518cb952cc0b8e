"""Finds the particles of surnames: "de la Cruz"."""

from __future__ import annotations

from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import BLANK, Text

NOT_A_NAME = w.STOP | w.FUNCTION | w.NUMBER | w.LABEL
_TIES = BLANK | {"'", "’", ". "}


def is_particle(t: Text, j: int) -> bool:
    """Tell whether a particle stands at word j: "de"."""
    return bool(t.marks[j] & w.PARTICLE)


def surname_end(t: Text, j: int) -> int:
    """Return the word after "de la Cruz" when such a surname begins at word j, else 0."""
    for k in range(j + 1, min(j + 4, len(t.words))):
        if t.gap[k] not in _TIES:
            return 0
        m = t.marks[k]
        if m & w.CAP and not m & NOT_A_NAME:
            return k + 1
        if not m & w.PARTICLE:
            return 0
    return 0
