"""Recognizes conditions and treatments: a head word that names the kind, and its modifiers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import BLANK, ELIDED, Text
from linkmask.schema import types, words
from linkmask.text.letters import word_key

_SURE = w.CONDITION | w.TREATMENT
_NO_EPONYM = (
    w.GIVEN | w.PLACE | w.STOP | w.GENERIC | w.FUNCTION | w.MODIFIER | w.WEAK | w.ILL_OR_CURE
)  # fmt: skip
_SAYS_LITTLE = w.TRAILING | w.WEAK | w.FUNCTION | w.STOP | w.GENERIC | w.NUMBER
_LONGEST = 7
_OWNED = {"'s ", "’s "}
_ADJECTIVE = tuple(words("context")["adjective_endings"])
_COMPOUND = tuple(words("context")["compound_endings"])
_TELLING = (*_ADJECTIVE, *_COMPOUND)
_BEHIND_OTHERS = frozenset(words("context")["behind_acronym"])
_OF = frozenset(words("context")["within_condition"])
_SAYS_NOTHING_ALONE = frozenset(map(word_key, words("common")["medical"].split()))
_INSURED = {"assurance", "caisse"}
_ARTICLES = {"the", "left", "right", "la", "le", "les"}
_FRENCH = tuple(words("context")["adjective_endings_behind"])


@cache
def _local(language: str) -> dict[str, int]:
    """Return what letters are short for in one language only: "SEP", "PTH"."""
    bits: dict[str, int] = {}
    for name, bit in (("conditions", w.CONDITION), ("treatments", w.TREATMENT)):
        bits |= dict.fromkeys(w.entries(w.tables(name).get(f"only_{language}", "")), bit)
    return bits


def find(t: Text, language: str) -> Iterator[Candidate]:
    """Yield MEDICAL_CONDITION and TREATMENT spans, each as long as its words are clinical."""
    features, words = t.features, t.words
    heads = {
        i: (i + 1, features[i])
        for i in t.words_with(w.ILL_OR_CURE)
        if words[i][4:5] != "-" or words[i][:5].lower() != "post-"  # "reduction post-treatment"
    }
    for i, j, bits in t.phrases:
        if bits & w.ILL_OR_CURE:
            heads[i] = j, bits
    for i in t.words_with(w.UPPER):
        if bit := _local(language).get(words[i]):
            firm = (
                t.gap[i] in BLANK and features[i - 1] & w.CAP and not features[i - 1] & w.FUNCTION
            )
            if not firm and not features[i + 1] & w.NUMBER:  # "SEP 2024", "CHF 300"
                heads[i] = i + 1, bit
    end, taken = 0, t.taken
    for i in sorted(heads):
        if i < end or taken[i]:
            continue
        j, bits = _row(t, heads, i)
        bits |= t.features[j - 1] & w.EPONYMOUS
        k = _phrase_start(t, i, end, bits)
        while k < i and features[k] & w.SOFT:  # tells how, not what: "targeted immunotherapy"
            k += 1
        if not bits & _SURE and not _which(t, k, j):
            continue
        if j - k == 1 and features[k] & w.UPPER and words[j].lower() in _BEHIND_OTHERS:
            continue  # "DM me"
        end = _of_what(t, j) if bits & w.ILL else j
        if end - k == 1 and w.KEYS[words[k]] in _SAYS_NOTHING_ALONE:
            continue
        ill = bits & w.CONDITION or (bits & w.CONDITION_HEAD and not bits & w.CURE)
        kind = types.MEDICAL_CONDITION if ill else types.TREATMENT
        score = 0.75 if bits & _SURE or j - k > 2 else 0.6
        yield t.candidate(k, end, kind, "condition" if ill else "treatment", score)


def _eponym(t: Text, i: int) -> bool:
    """Does word i look like a person's name and like nothing else?"""
    m, word = t.features[i], t.words[i]
    return bool(m & w.CAP and word[1:2].islower() and len(word) > 3 and not m & _NO_EPONYM)


def _named_after(t: Text, head: int, i: int) -> bool:
    """Is word i, behind "syndrome de" or "Morbus", who a disease is named after?"""
    named = t.features[head] & w.EPONYMOUS and t.words[head - 1].lower() not in _INSURED
    return bool(named and t.gap[i] in ELIDED and _eponym(t, i))


def _row(t: Text, heads: dict[int, tuple[int, int]], i: int) -> tuple[int, int]:
    """Return end and features of a row of heads from i; in "steroid injections" the last decides.

    A condition before a treatment is the value itself ("glioblastoma treatment"), and so is what
    already says what it is before a word that adds nothing ("aquatic therapy sessions").
    """
    j, bits = heads[i]
    while j - i < _LONGEST:
        k = j
        while k - j < 2 and k not in heads and t.features[k] & w.MODIFIER and _near(t, k):
            k += 1
        if k not in heads or not _near(t, k) or t.taken[k]:
            break
        after, more = heads[k]
        clinical = bits & w.ILL_OR_CURE and not bits & w.MODIFIER
        if clinical and (more & w.TRAILING or (bits & w.ILL and more & w.CURE)):
            break
        j, bits = after, more
    return j, bits


def _near(t: Text, k: int) -> bool:
    """Do words k − 1 and k stand in one phrase? Lines wrap, but a heading does not run on."""
    return t.gap[k] in BLANK or (t.gap[k] == "\n" and not t.features[k - 1] & w.CAP)


def _which(t: Text, k: int, j: int) -> bool:
    """Does some word of [k, j) but its last, the head, say which?"""
    head = t.features[j - 1]
    return any(_says_which(t, n, head) for n in range(k, j - 1)) or _of_what(t, j) > j


def _phrase_start(t: Text, i: int, floor: int, bits: int) -> int:
    """Return the first word of the phrase whose head is word i: over clinical and telling words."""
    k = i
    while k > floor and i - k < _LONGEST and not t.taken[k - 1]:
        m = t.features[k - 1]
        owned = t.gap[k] in _OWNED and m & w.CAP and bits & w.EPONYMOUS
        if not owned and not (_near(t, k) and _says_which(t, k - 1, bits)):
            break
        k -= 1
    return k


def _says_which(t: Text, i: int, bits: int = 0) -> bool:
    """Does word i say which condition or treatment? `bits`: the features of the head behind it."""
    m, word = t.features[i], t.words[i]
    if m & w.MODIFIER or (m & w.ILL_OR_CURE and not m & w.TRAILING):
        return True
    if m & _SAYS_LITTLE:
        return False
    if m & w.CAP:
        eponym = bits & w.EPONYMOUS and word[1:2].islower()
        heading = t.features[i + 1] & w.CAP and not t.features[i + 1] & w.UPPER
        return (
            bool(m & w.UPPER and len(word) <= 5 and not heading)
            or bool(eponym)
            or word.endswith(_COMPOUND)
        )
    return len(word) > 4 and word.endswith(_TELLING)


def _of_what(t: Text, j: int) -> int:
    """Return the end of "of the fallopian tube", "du sein", "cardiaque" after a condition."""
    k = j
    while t.words[j] not in _ARTICLES and k < j + 3 and t.words[k] in _OF and t.gap[k] in ELIDED:
        k += 1
    if (k > j or t.words[j - 1].lower() == "morbus") and _named_after(t, j - 1, k):
        return k + 1
    end = k
    while end < k + 3 and t.features[end] & w.MODIFIER and t.gap[end] in ELIDED:
        end += 1
    while k > j and end > k and t.words[j] == "of" and t.words[end - 1].endswith(_ADJECTIVE):
        end -= 1  # "of cardiac enzymes" is cut before "cardiac"
    french = k > j or t.words[j].lower().endswith(_FRENCH)
    return end if end > k and french else j
