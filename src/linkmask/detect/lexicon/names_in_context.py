"""Recognizes names by their context: in a mail's header, beside an age, in a text without capitals.

A listed name needs less evidence than an unlisted one: an unlisted word counts only where the
context leaves hardly another reading, and never if it is a label, a heading or a form's title.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.names import NOT_A_NAME, UNLIKE, claim_name
from linkmask.detect.lexicon.tokens import BLANK, Text

_NAME = w.GIVEN | w.SURNAME
_IN_NAME = _NAME | w.PARTICLE | w.SUFFIX | w.INITIAL
_NO_NAME = NOT_A_NAME | w.NUMBER | UNLIKE & ~(w.UPPER | w.PLACE)
_NO_PERSON = UNLIKE & ~w.UPPER | w.NATIONALITY
_IN_SURNAME = BLANK | {"'", "’", "-"}


# ── mails ───────────────────────────────────────────────────────────────────────────────────────


def headers(t: Text) -> Iterator[Candidate]:
    """Find the persons listed after "To:", "Cc:", "From:": "Finch, Arlo; Tom Roe <roe@a.org>"."""
    for i in t.words_with(w.HEADER):
        behind = t.gap[i + 1]
        if "\n" in t.gap[i] and behind.lstrip(" ")[:1] == ":" and "\n" not in behind:
            end = i + 2
            while not _line_ends(t.gap[end]):
                end += 1
            yield from _listed(t, i + 1, end)


def _line_ends(gap: str) -> bool:
    return "\n" in gap and gap.rpartition("\n")[2][:1] not in {" ", "\t"}


def _listed(t: Text, k: int, end: int) -> Iterator[Candidate]:
    while k < end:
        if "<" in t.gap[k]:
            while k < end and ">" not in t.gap[k]:
                k += 1
            if k == end:
                return
        if not t.features[k] & w.CAP or t.gap[k][-1:] in {"@", "/", "."}:
            k += 1
            continue
        j = _entry_end(t, k, end)
        given = _given_end(t, k, j, end)
        if given > j:
            yield claim_name(t, k, given, "mail header", 0.85)
        elif _is_whole(t, k, j):
            yield claim_name(t, k, j, "mail header", 0.8)
        k = max(j, given)


def _entry_end(t: Text, k: int, end: int) -> int:
    """Return the end of the words from k on that may stand in one name."""
    j = k + 1
    while j < end and j - k < 5 and t.features[j] & (w.CAP | w.PARTICLE):
        if t.gap[j] not in _IN_SURNAME and not (t.features[j - 1] & w.INITIAL and t.gap[j] == ". "):
            break
        j += 1
    return j


def _given_end(t: Text, k: int, j: int, end: int) -> int:
    """Return the end of "Finch, Arlo B." when [k, j) is its surname, else 0."""
    surname = j - k == 1 or t.gap[k + 1] in {"'", "’"} or t.features[j - 1] & w.SUFFIX
    if not surname or t.gap[j].rstrip() != ",":
        return 0
    g = j
    while g < end and g < j + 3 and t.features[g] & w.CAP and (g == j or t.gap[g] in {" ", ". "}):
        g += 1
    place = t.features[j] & (w.STATE | w.COUNTRY) and not t.features[j] & w.GIVEN
    return g if g > j and not place and _nameable(t, k, g) else 0


def _is_whole(t: Text, k: int, j: int) -> bool:
    """Is [k, j) a whole entry, two words or a listed given name?"""
    if t.gap[j][:1] in {"@", "."} or not _nameable(t, k, j):
        return False
    is_given = t.features[k] & w.GIVEN and not t.features[k] & NOT_A_NAME
    return j - k > 1 or bool(is_given) or "<" in t.gap[j]


def _nameable(t: Text, k: int, j: int) -> bool:
    """May all words of [k, j) stand in a name?"""
    return t.free(k, j) and not any(m & _NO_NAME for m in t.features[k:j] if not m & _IN_NAME)


# ── of an age ───────────────────────────────────────────────────────────────────────────────────

_VERBS = {"is", "was", "est", "ist", "war"}
_BEFORE_AGE = _VERBS | {"a", "an", "un", "une", "ein", "eine", "âgé", "âgée", "de", "aged", "now"}
_YEARS_JOINED = ("year-old", "yo", "yr-old", "jährige", "jähriger", "jährigen")
_YEARS = {*_YEARS_JOINED, "year", "years", "ans", "jahre", "yr", "y"}


def aged(t: Text) -> Iterator[Candidate]:
    """Find "Zelko" in "Zelko is a 61-year-old", "Zelko (61)", "Zelko, 61,"."""
    for i in t.words_with(w.NUMBER):
        j, word = i, t.words[i]
        if t.words[i + 1].lower() in _YEARS or word.endswith(_YEARS_JOINED):
            while j > i - 4 and j and t.words[j - 1].lower() in _BEFORE_AGE:
                j -= 1
            introduced = any(word in _VERBS for word in t.words[j:i])
        else:
            between = len(word) == 2 and word.isdigit() and t.gap[i] + t.gap[i + 1][:1]
            introduced = between in {", ,", " ()"} and t.gap[i + 1][:2] in _CLOSES_AGE
        if introduced and j and not t.taken[j - 1] and t.gap[j].strip(" \n") in {"", ",", "("}:
            k = _person_start(t, j)
            sure = j < i or j - k > 1 or bool(t.features[k] & _NAME) or t.opens(k)
            if k < j and sure and t.free(k, j) and not _unlike(t, k, j):
                yield claim_name(t, k, j, "age", 0.75)


_CLOSES_AGE = {", ", ")", ") ", "),", ")."}


def _person_start(t: Text, j: int) -> int:
    """Return the first word of the name that ends before word j (j itself: no name there)."""
    k = j
    while k and j - k < 4 and t.features[k - 1] & w.CAP and (k == j or t.gap[k] in BLANK):
        m, before = t.features[k - 1], t.features[k - 2]
        behind_given = before & w.GIVEN and before & w.CAP and not m & (w.STOP | w.NUMBER)
        if m & NOT_A_NAME and not m & _NAME and not behind_given:
            break
        k -= 1
    return k


def _unlike(t: Text, k: int, j: int) -> bool:
    """Is any word of [k, j) unlike a name, or a people's name?"""
    return any(m & _NO_PERSON for m in t.features[k:j] if not m & _NAME)


# ── small letters ───────────────────────────────────────────────────────────────────────────────

_ONLY_A_NAME = w.GIVEN | w.SURNAME | w.WORDY | w.GAZETTEER
_OTHER = ~(_ONLY_A_NAME | w.PHRASE | w.WORK)
_BARE = 50
"""A text with fewer than one capitalised word in so many has no letter case to go by."""


def uncapitalised(t: Text) -> Iterator[Candidate]:
    """Yield listed names in small letters, if a text has no capitals."""
    for number, (first, last) in enumerate(t.spans):
        if len(t.within(w.CAP, number)) * _BARE > last - first + 1:
            continue
        for k in t.within(w.GIVEN, number):
            if _given_word(t, k) and not t.taken[k]:
                j = _lower_end(t, k)
                yield claim_name(t, k, j, "no capitals", 0.7 if j - k > 1 else 0.5)


def _given_word(t: Text, k: int) -> bool:
    """Is word k, in small letters, a given name and nothing else?"""
    m = t.features[k]
    return bool(m & w.GIVEN and not m & (w.WORDY | w.CAP) and not m & _OTHER & ~w.NAMING)


def _lower_end(t: Text, k: int) -> int:
    """Return the end of the name that begins at word k: "david", "david finch"."""
    m = t.features[k + 1]
    named = t.gap[k + 1] == " " and m & _NAME and not m & (NOT_A_NAME | w.CAP)
    return k + 2 if named else k + 1
