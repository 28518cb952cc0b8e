"""Happenings that befell somebody: "after the grain bin collapse", "since the spring floods"."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.found import Found
from linkmask.detect.lexicon import marks as w
from linkmask.detect.lexicon.remarks import on
from linkmask.detect.lexicon.words import BLANK, Text

_WRAPPED = BLANK | {"\n"}
_NO_PART = (
    w.FUNCTION | w.STOP | w.LABEL | w.NUMBER | w.MODIFIER
    | w.CONDITION | w.CONDITION_HEAD | w.TREATMENT | w.TREATMENT_HEAD
)  # fmt: skip
_LONGEST = 4


def find(t: Text) -> Iterator[Found]:
    """Yield EVENT spans: a happening with the words that say which, where it befell somebody.

    What may happen to anybody is none: "in the event of a flood".
    """
    for i in t.at(w.HAPPENING):
        if t.taken[i] or _goes_on(t, i + 1):
            continue
        k = i
        while k and i - k < _LONGEST and t.gap[k] in BLANK and _which(t, k - 1):
            k -= 1
        named = i > k and t.marks[k] & w.CAP and not t.opens(k)
        if (named or _befell(t, k, i)) and not _may_happen(t, k):
            yield t.take(k, i + 1, "EVENT", "happening", 0.6)


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
    a = k - 1
    while a > max(k - _LONGEST, 0) and t.marks[a] & (w.NUMBER | w.CALENDAR):
        a -= 1  # "the July 2023 dust explosion"
    if a < 1 or not (on(t, a, "definite") or (i > k and on(t, a, "indefinite"))):
        return False
    return on(t, a - 1, "befell") and t.gap[a] in _WRAPPED


def _may_happen(t: Text, k: int) -> bool:
    """Does the sentence before word k speak of what may happen to anybody?"""
    for n in range(k - 1, max(k - 10, -1), -1):
        if on(t, n, "anybody") or on(t, n, "insuring"):
            return True
        if t.gap[n].strip()[:1] in {".", ";", "?", "!"}:
            return False
    return False
