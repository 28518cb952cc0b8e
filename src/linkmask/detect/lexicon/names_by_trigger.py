"""Recognizes personal names after a title or a label: "Mr. Finch", "Insured: Arlo Finch"."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.names import (
    HEADS,
    NOT_A_NAME,
    NOT_BEHIND,
    UNLIKE,
    claim_name,
    person_end,
)
from linkmask.detect.lexicon.tokens import BLANK, Text
from linkmask.schema import words

AFTER_TITLE = BLANK | {". ", ".", ".\u00a0", " **", ". **", " *"}
_ANNOUNCES = {":", "(", ': "', "=", "#"}
_EMPHASIS = "*_`"
"""What stands around a label or a value in Markdown: "**Patient:** Zelko"."""
_LOOSE = BLANK | {", ", " – ", " - "}
_ANNOUNCING = w.LABEL | w.PARTICLE
_NAME = w.GIVEN | w.SURNAME | w.UNMET_GIVEN
_NO_NAME = UNLIKE & ~w.UPPER
_NOT_GIVEN = NOT_A_NAME | NOT_BEHIND | HEADS | w.STATE
_REPLIES = {"I", "It", "That", "But"}

_ADDRESS = frozenset(words("titles")["address"])
CIVIL = frozenset(words("titles")["only"])
"""Titles of persons that are neither words of their own nor letters for something else."""


def find(t: Text, language: str) -> Iterator[Candidate]:
    """Yield NAME spans after a title or a label.

    Titles stay outside, so "Mr. Finch" and "Finch" are one value.
    """
    yield from _titled(t, language)
    yield from _labelled(t)


def titled_end(t: Text, i: int, *, alone: bool) -> int:
    """Return the word after the name behind a title, be its first word a day, a month or a feast.

    `alone`: such a word may be the whole name ("M. Dimanche"), but before a number it is a date. A
    stopword may be where the title has no other use ("Mrs Easter").
    """
    j, m = person_end(t, i, announced=True), t.features[i]
    dated = m & w.CALENDAR or (m & w.STOP and not m & w.FUNCTION and t.words[i - 1] in CIVIL)
    if j > i or not (dated and m & w.CAP):
        return j
    after = person_end(t, i + 1) if t.gap[i + 1] in BLANK else i + 1
    return after if after > i + 1 or (alone and not t.features[i + 1] & w.NUMBER) else i


def _titled(t: Text, language: str) -> Iterator[Candidate]:
    monsieur = [i for i in t.words_with(w.INITIAL) if t.words[i] == "M"] if language == "fr" else []
    for i in sorted(t.words_with(w.TITLE) + monsieur):
        if not t.features[i] & w.CAP or t.gap[i + 1] not in AFTER_TITLE or _code(t, i):
            continue
        j = titled_end(t, i + 1, alone=True)
        first = i + 2 if t.words[i + 1] in _ADDRESS else i + 1
        if j == i + 2 and (first == j or _is_title(t.features[i + 1], language)):
            continue
        if j > i + 1 and t.free(i, j) and not is_title_without_name(t, i):
            yield claim_name(t, first, j, "title", 0.9)


def _is_title(features: int, language: str) -> bool:
    """Tell whether a word behind a title is another one: "Herr Doktor", "Frau Zahnärztin"."""
    role = language == "de" and not features & (_NAME | w.LISTED_NAME)
    return bool(role if features & w.ROLE else features & w.CLINICIAN)


def is_title_without_name(t: Text, i: int) -> bool:
    """Tell whether the title at word i belongs to no name: "Bürgermeister der …", "Madame la …"."""
    m = t.features[i + 1]
    if m & w.PARTICLE and not m & w.CAP:
        article = t.words[i + 1] in {"le", "la", "l"} and t.words[i] != "Dr"
        return article or (len(t.words[i]) > 5 and t.words[i + 1] in {"der", "des", "du"})
    return bool(m & (w.GENERIC | w.HEALTH)) and not m & _NAME


def _code(t: Text, i: int) -> bool:
    """Is the title at word i no title: "MS Word", "20 MM RCM"?"""
    after = t.features[i + 1]
    return t.words[i] in {"MS", "MM"} and bool(
        not after & w.UPPER or t.features[i - 1] & w.NUMBER or len(t.words[i + 1]) < 4
    )


def _labelled(t: Text) -> Iterator[Candidate]:
    for i in t.words_with(w.LABEL):
        k = i + 1
        while k < i + 4 and t.features[k] & _ANNOUNCING:
            if ":" in t.gap[k]:
                break
            k += 1
        m, gap = t.features[k], t.gap[k].strip().strip(_EMPHASIS).strip()
        colon = gap in _ANNOUNCES
        closing = t.features[i] & w.CLOSING and gap in {"", ","}
        if not (colon or closing or t.gap[k] in _LOOSE):
            continue
        j = person_end(t, k, announced=colon)
        if j == k or not t.free(k, j) or (colon and m & w.NO_VALUE and not m & w.GIVEN):
            continue
        j = _given_name_end(t, j) if colon else j
        named = any(m & _NAME for m in t.features[k:j])
        if colon and j - k == 1 and _begins_speech(t, k, named):
            continue
        if named or (not (closing and t.gap[k] in BLANK) and _is_unlisted_name(t, i, k, j, colon)):
            yield claim_name(t, k, j, "label", 0.9 if colon else 0.85 if named else 0.7)


def _given_name_end(t: Text, j: int) -> int:
    """Return the word after the given names that capitals show behind "Patient: ROTH, ", else j."""
    m, end = t.features[j], j + 1
    if t.gap[j] != ", " or not t.features[j - 1] & m & w.UPPER or m & _NOT_GIVEN:
        return j
    while t.gap[end] in BLANK and t.features[end] & (w.GIVEN | w.INITIAL):
        end += 1
    return end if t.free(j, end) else j


def _begins_speech(t: Text, k: int, named: bool) -> bool:
    """Does word k begin an utterance: "Patient: Yeah, it hurts", "Patient: Great!"?"""
    m, behind, after = t.features[k], t.gap[k + 1], t.words[k + 1]
    goes_on = behind in BLANK | {", "} and after[:1].islower()
    if named and not m & w.WORDY:
        return bool(m & w.FUNCTION and goes_on)
    return goes_on or behind.strip()[:1] in {".", "!", "?"} or after in _REPLIES


def _is_unlisted_name(t: Text, i: int, k: int, j: int, colon: bool) -> bool:
    """Are the unlisted words [k, j) behind the label at word i a name?"""
    bits = t.features[i]
    if any(m & _NO_NAME for m in t.features[k:j]):
        return False
    upper = any(m & w.UPPER for m in t.features[k:j])
    if colon and (bits & w.NAMING or j - k > 1):
        return True
    if j - k > 1:
        return not upper or bool(bits & w.KIN)
    relative = bits & w.KIN and not bits & w.CAP and k == i + 1 and t.gap[k] in BLANK
    return bool(relative and not t.features[k] & w.NATIONALITY)
