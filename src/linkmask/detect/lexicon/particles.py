"""Lists the particles of surnames, whole and abbreviated: "de la Cruz", "v. d. Aue"."""

from __future__ import annotations

from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import BLANK, Text

NOT_A_NAME = w.STOP | w.FUNCTION | w.NUMBER | w.LABEL
_NO_SURNAME = NOT_A_NAME | w.INITIAL | w.UPPER
_NO_FORENAME = w.WORDY | w.SURNAME
_TIES = BLANK | {"'", "’", ". "}
_POINT = {".", ". ", ".\u00a0"}


def is_particle(t: Text, j: int) -> bool:
    """Tell whether a particle stands at word j: "de", "v."."""
    return bool(t.marks[j] & w.PARTICLE) or _pointed(t, j)


def _pointed(t: Text, j: int) -> bool:
    return t.words[j] == "v" and t.gap[j + 1] in _POINT


def surname_end(t: Text, i: int, j: int) -> int:
    """Return the word after the surname whose particles begin at word j of a name, else 0.

    The name begins at word i.
    """
    return _after_particles(t, j) if t.marks[j] & w.PARTICLE else abbreviated_end(t, i, j)


def _after_particles(t: Text, j: int) -> int:
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


def abbreviated_end(t: Text, i: int, j: int) -> int:
    """Return the word after "v. d. Aue", "v.d. Aue", "v. Aue" that begins at word j, else 0.

    "v." alone also stands between the parties of a case: it is believed
    behind a title or a given name only.
    """
    if not _pointed(t, j):
        return 0
    k = j + 1
    if t.words[k] in {"d", "der", "den", "dem"} and t.gap[k + 1] in (
        _POINT if t.words[k] == "d" else BLANK
    ):
        k += 1
    elif j > i and not (j == i + 1 and t.marks[i] & w.GIVEN and not t.marks[i] & _NO_FORENAME):
        return 0
    m = t.marks[k]
    return k + 1 if m & w.CAP and not m & _NO_SURNAME else 0
