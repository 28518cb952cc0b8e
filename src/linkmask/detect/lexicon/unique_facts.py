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
    leads = [(i, i + 1) for i in t.words_with(bit)]
    if language == "fr":  # "plus jeune"
        leads += [(i, j) for i, j, bits in t.phrases if bits & bit]
    for i, k in sorted(leads):
        if _is(t, k, "usual"):
            continue
        noun = next((n for n in range(k, k + 4) if t.features[n] & _NAMED), 0)
        of_person = _describes_a_person(t, i)
        if not of_person and not (noun and not _is(t, noun, "insured") and _of_all(t, i, noun)):
            continue
        j = _clause_end(t, i)
        if j > k and t.free(i, j):
            yield t.claim(i, j, types.UNIQUE_FACT, "singled out", 0.7 if of_person else 0.6)


def _describes_a_person(t: Text, i: int) -> bool:
    """Is a person the subject: somebody "is the …", or a name or an age stands beside it?"""
    p = i - 1
    while i - p < 4 and _is(t, p, "articles") and t.gap[p + 1] in _INSIDE:
        p -= 1
    if p == i - 1:
        return False  # "he was last seen"
    if _is(t, p, "being"):
        while i - p < 6 and _is(t, p - 1, "between"):
            p -= 1
        return _somebody(t, p - 1)
    aged = t.features[p] & w.NUMBER
    return t.gap[p + 1] in {", ", " (", ",\n"} and bool(aged or (t.taken[p] and _somebody(t, p)))


def _somebody(t: Text, p: int) -> bool:
    """Is word p somebody of whom something is said, and no staff?"""
    if t.taken[p]:
        staff = any(m & w.CLINICIAN for m in t.features[p - 3 : p])
        return not staff and not t.features[p] & _NO_PERSON
    return _is(t, p, "he") or (_is(t, p, "somebody") and _is(t, p - 1, "articles"))


def _of_all(t: Text, i: int, noun: int) -> bool:
    """Is it one of all in some place or ever: "the only blacksmith in", "the town's only"?"""
    singular = not t.words[noun].lower().endswith("s") or t.features[noun] & w.OCCUPATION
    return t.gap[i] in {"'s ", "’s "} or bool(singular and _among(t, noun))


def _among(t: Text, noun: int) -> bool:
    """Is it said behind the noun of how many it is one: "in the county", "ever to"?"""
    return t.words[noun + 1].lower() in _AMONG


def _clause_end(t: Text, i: int) -> int:
    """Return where the fact from word i on ends: with its clause, or before another value."""
    j = i + 1
    while j - i < _MOST and t.words[j] and t.gap[j] in _INSIDE and not t.taken[j]:
        if _is(t, j, "stops") or t.features[j] & w.CALENDAR:
            break
        j += 1
    while j > i + 1 and t.features[j - 1] & w.FUNCTION:
        j -= 1
    return j
