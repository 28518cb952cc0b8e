"""Recognizes events that somebody experienced: "after the grain bin collapse"."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import BLANK, WRAPPED, Text
from linkmask.detect.lexicon.unique_facts import is_listed
from linkmask.schema import types, words

_NO_PART = (
    w.FUNCTION | w.STOP | w.LABEL | w.NUMBER | w.MODIFIER
    | w.CONDITION | w.CONDITION_HEAD | w.TREATMENT | w.TREATMENT_HEAD
)  # fmt: skip
_LONGEST = 4


def find(t: Text) -> Iterator[Candidate]:
    """Yield EVENT spans: an event with its modifiers, where somebody experienced it.

    A hypothetical event is not one: "in the event of a flood".
    """
    for i in t.words_with(w.HAPPENING):
        j = _object(t, i)
        bare = j == i + 1
        if t.taken[i] or (bare and _goes_on(t, j)):
            continue
        k = i
        while k and i - k < _LONGEST and t.gap[k] in BLANK and _which(t, k - 1):
            k -= 1
        if bare and is_listed(t, i, "with_object") and (k == i or t.marks[i] & w.CAP):
            continue
        named = i > k and t.marks[k] & w.CAP and not t.opens(k)
        of_one = any(t.marks[n] & w.CAP and t.words[n].isalpha() for n in range(i + 1, j))
        heads = not bare and "\n" in t.gap[k] and t.gap[j].strip() == ":"
        if (named or of_one or heads or _befell(t, k, i)) and not _may_happen(t, k):
            found = t.claim if t.free(k, j) else t.candidate
            yield found(k, j, types.EVENT, "happening", 0.6)


def _object(t: Text, i: int) -> int:
    """Return where a happening ends with what it befell: "naufrage du Bel Espoir", "Orkan Lothar".

    "Brand" is one in German only.
    """
    j = i + 1
    if is_listed(t, i, "storms") and t.marks[j] & w.CAP and t.gap[j] == " ":
        return j + 1
    for _ in range(2):
        n = j
        while n < j + 3 and t.words[n].lower() in _OF and t.gap[n] in _JOINED:
            n += 1
        if n == j or not t.words[n] or t.gap[n] not in _JOINED:
            break
        m = t.marks[n]
        if m & (_NO_PART | w.CALENDAR) and not (m & w.CAP and m & w.MODIFIER):
            break
        j = n + 1
        while j < n + 3 and t.marks[j] & w.CAP and t.gap[j] in BLANK:
            j += 1
    german = t.words[i] == "Brand" and t.words[i + 1] in {"der", "des", "von", "vom"}
    return i + 1 if w.KEYS[t.words[i]] == "brand" and not german else j


_OF = frozenset(words("context")["within_event"])
_JOINED = WRAPPED | {"'", "’"}


def _which(t: Text, n: int) -> bool:
    """May word n, before a happening, say which it was?"""
    return bool(t.words[n]) and not t.taken[n] and not t.marks[n] & _NO_PART


def _goes_on(t: Text, n: int) -> bool:
    """Is word n what the happening before it only tells the kind of: "fire department"?"""
    word, m = t.words[n], t.marks[n]
    return (
        t.gap[n] == " "
        and word.isalpha()
        and not m & w.FUNCTION
        and not word.endswith(("ed", "ing"))
    )


def _befell(t: Text, k: int, i: int) -> bool:
    """Does "after the", "hurt in a" stand before the happening [k, i]?"""
    if k and t.words[k - 1].lower() in _AT and t.gap[k] in WRAPPED:
        return True
    a = k - 1
    while a > max(k - _LONGEST, 0) and t.marks[a] & (w.NUMBER | w.CALENDAR):
        a -= 1  # "the July 2023 dust explosion"
    if a < 1 or not (is_listed(t, a, "definite") or (i > k and is_listed(t, a, "indefinite"))):
        return False
    if t.words[a - 1].lower() in {"de", "d"} and a > 1:
        a -= 1  # "lors de l'incendie"
    return is_listed(t, a - 1, "befell") and t.gap[a] in WRAPPED


_AT = {"beim", "am", "au", "aux"}
"""Of these each is two words before a happening: "bei dem"."""


def _may_happen(t: Text, k: int) -> bool:
    """Does the sentence before word k speak of what may happen to anybody?"""
    for n in range(k - 1, max(k - 10, -1), -1):
        if is_listed(t, n, "anybody") or is_listed(t, n, "insuring"):
            return True
        if t.gap[n].strip()[:1] in {".", ";", "?", "!"}:
            return False
    return False
