"""Recognizes facts that single a person out: "the only woman among the crew".

They need a person as their subject: a pronoun, a name, "the patient". Statements about anybody
("the first claim", "the last member of the plan") do not count. A fact runs to the end of its
clause, or to the beginning of a place, a date or a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import WRAPPED, Text
from linkmask.schema import types, words

_ELIDED = WRAPPED | {"'", "’"}
_INSIDE = _ELIDED | {"-", "'s ", "’s ", ' "', '" ', " “", "” "}
_MOST = 14
"""Words that a fact has at most."""
_NO_PERSON = (
    w.PLACE | w.HEALTH | w.PRACTICE | w.INSTITUTION | w.EITHER | w.KNOWN | w.ORGANIZATION
    | w.PLACE_HEAD
)  # fmt: skip
_NAMED = w.PEOPLE | w.OCCUPATION
_AMONG = frozenset(words("context")["among"])


def _is(t: Text, i: int, name: str) -> bool:
    """Is word i in this list of data/unique_facts.toml?"""
    return w.KEYS[t.words[i]] in w.word_lists("unique_facts")[name]


def find(t: Text, language: str) -> Iterator[Candidate]:
    """Yield UNIQUE_FACT spans: "only woman among twenty-two crew", "oldest on the circuit"."""
    bit = w.SINGLES.get(language, 0)
    leads = [(i, i + 1) for i in t.words_with(bit)] if bit else []
    if language == "fr":  # "plus jeune"
        leads += [(i, j) for i, j, bits in t.phrases if bits & bit]
    for i, k in sorted(leads):
        if t.taken[i] or _is(t, k, "usual") or t.gap[k] not in WRAPPED:
            continue
        ahead = range(k, min(k + 4, len(t.words)))
        noun = next((n for n in ahead if t.features[n] & _NAMED), 0)
        of_person = _describes_a_person(t, i)
        if not of_person and not (noun and not _is(t, noun, "insured") and _of_all(t, i, noun)):
            continue
        j = _clause_end(t, i)
        if j > k and t.free(i, j):
            yield t.claim(i, j, types.UNIQUE_FACT, "singled out", 0.7 if of_person else 0.6)


def _describes_a_person(t: Text, i: int) -> bool:
    """Is a person the subject: somebody "is the …", or a name or an age stands beside it?"""
    p = i - 1
    while p >= 0 and i - p < 4 and _is(t, p, "articles") and t.gap[p + 1] in _INSIDE:
        p -= 1
    if p < 0 or p == i - 1:
        return False  # "he was last seen"
    if _is(t, p, "being") and t.gap[p + 1] in WRAPPED:
        while p and i - p < 6 and _is(t, p - 1, "between") and t.gap[p] in _ELIDED:
            p -= 1
        return _somebody(t, p - 1)
    aged = t.features[p] & w.NUMBER and len(t.words[p]) < 4
    return t.gap[p + 1] in {", ", " (", ",\n"} and bool(aged or (t.taken[p] and _somebody(t, p)))


def _somebody(t: Text, p: int) -> bool:
    """Is word p somebody of whom something is said, and not anybody?"""
    if p < 0:
        return False
    if t.taken[p]:
        m = t.features[p]
        staff = any(b & w.CLINICIAN for b in t.features[max(p - 3, 0) : p])
        return bool(m & w.CAP and not m & _NO_PERSON and not staff)
    if not _is(t, p, "he") and not (_is(t, p, "somebody") and _is(t, p - 1, "articles")):
        return False
    k = p
    while k and p - k < 6 and "." not in t.gap[k] and "\n\n" not in t.gap[k]:
        k -= 1
        if _is(t, k, "anybody"):
            return False
    return True


def _of_all(t: Text, i: int, noun: int) -> bool:
    """Is it one of all in some place or ever: "the only blacksmith in", "the town's only"?"""
    singular = not t.words[noun].lower().endswith("s") or t.features[noun] & w.OCCUPATION
    owned = i > 0 and t.gap[i] in {"'s ", "’s "}
    return owned or bool(singular and _among(t, noun))


def _among(t: Text, noun: int) -> bool:
    """Is it said behind the noun of how many it is one: "in the county", "ever to"?"""
    return t.words[noun + 1].lower() in _AMONG and t.gap[noun + 1] in _ELIDED


def _clause_end(t: Text, i: int) -> int:
    """Return where the fact from word i on ends: with its clause, or before another value."""
    j = i + 1
    while j - i < _MOST and t.words[j] and t.gap[j] in _INSIDE and not t.taken[j]:
        m = t.features[j]
        if _is(t, j, "stops") or (m & w.CALENDAR and m & w.CAP):
            break
        j += 1
    while j > i + 1 and t.features[j - 1] & w.FUNCTION and not t.features[j - 1] & w.NUMBER:
        j -= 1
    return j
