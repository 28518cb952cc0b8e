"""Conditions and treatments: a word that says what it is, with the words that say which."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.found import Found
from linkmask.detect.lexicon import words as w
from linkmask.detect.lexicon.words import Text

ANY = w.CONDITION | w.CONDITION_HEAD | w.TREATMENT | w.TREATMENT_HEAD
_LONGEST = 6
_ADJECTIVE = (
    "al",
    "ic",
    "ous",
    "ary",
    "ive",
    "ar",
    "oid",
    "iac",
    "tory",
    "genic",
    "ine",
    "ique",
    "ales",
    "ale",
    "ische",
    "ischer",
    "isches",
    "ischen",
)
_BLANK = {" ", "\n", "\u00a0", "  "}


def find(t: Text) -> Iterator[Found]:
    """Yield MEDICAL_CONDITION and TREATMENT spans, each as long as its words are clinical."""
    heads = {i: (i + 1, t.marks[i]) for i in t.at(ANY)}
    heads.update({i: (j, bits) for i, j, bits in t.phrases if bits & ANY})
    end = 0
    for i in sorted(heads):
        if i < end or t.taken[i]:
            continue
        j, bits = heads[i]
        # the last head of a row decides: "epidural steroid injections", "seizure disorder"
        while j in heads and t.gap(j) in _BLANK and not t.taken[j] and j - i < _LONGEST:
            after, more = heads[j]
            if _names_condition(bits) and more & (w.TREATMENT | w.TREATMENT_HEAD):
                break  # "glioblastoma treatment": the condition is the value
            j, bits = after, more
        found = _extend(t, i, j, bits, end)
        if found:
            yield found
            end = j


def _names_condition(bits: int) -> bool:
    return bool(bits & w.CONDITION) and not bits & w.MODIFIER


def _extend(t: Text, i: int, j: int, bits: int, floor: int) -> Found | None:
    k = _left(t, i, floor)
    alone = bits & (w.CONDITION | w.TREATMENT)
    inner = any(m & (w.CONDITION | w.TREATMENT | w.MODIFIER) for m in t.marks[i : j - 1])
    which = inner or any(_says_which(t, n) for n in range(k, i))
    if not alone and not which:
        return None
    condition = bool(bits & (w.CONDITION | w.CONDITION_HEAD))
    if bits & (w.TREATMENT | w.TREATMENT_HEAD) and condition:
        condition = bool(bits & w.CONDITION) and not bits & w.TREATMENT
    j = _right(t, j, bits)
    if all(m & w.UPPER for m in t.marks[k:j]) and j - k > 4:
        return None
    score = 0.75 if alone or j - k > 2 else 0.6
    entity_type, rule = (
        ("MEDICAL_CONDITION", "condition") if condition else ("TREATMENT", "treatment")
    )
    return Found(t.starts[k], t.ends[j - 1], entity_type, "lexicon", rule, score)


def _left(t: Text, i: int, floor: int) -> int:
    """Return the first word of the phrase whose head is word i: over clinical and telling words."""
    k = i
    while k > floor and i - k < _LONGEST and not t.taken[k - 1]:
        gap, m = t.gap(k), t.marks[k - 1]
        if gap not in _BLANK and gap not in {"'s ", "’s ", "-"}:
            break
        if m & w.RHYTHM and t.marks[i] & (w.TREATMENT | w.TREATMENT_HEAD):
            return k - 1
        if m & (w.FUNCTION | w.WEAK | w.NUMBER) and not m & w.MODIFIER:
            break
        if not _says_which(t, k - 1) and "s " not in gap:
            break
        k -= 1
    return k


def _says_which(t: Text, i: int) -> bool:
    m, word = t.marks[i], t.words[i]
    if m & (w.MODIFIER | w.CONDITION | w.TREATMENT | w.CONDITION_HEAD):
        return True
    if m & (w.WEAK | w.FUNCTION | w.STOP | w.GENERIC):
        return False
    if m & w.CAP:
        return (bool(m & w.UPPER) and 2 <= len(word) <= 5) or t.gap(i + 1) in {"'s ", "’s "}
    return word.endswith(_ADJECTIVE) and len(word) > 4


def _right(t: Text, j: int, bits: int) -> int:
    """Return the end of the phrase: over "type 2", "stage III", "60 mg daily", "with aura"."""
    if bits & w.DRUG:
        if j < len(t) and t.gap(j) == " " and t.marks[j] & w.NUMBER:
            word = t.words[j].lower()
            if word.endswith(("mg", "mcg", "g", "ml", "iu")):
                j += 1
            elif j + 1 < len(t) and t.marks[j + 1] & w.DOSE and t.gap(j + 1) in {" ", "\u00a0"}:
                j += 2
        while j < len(t) and t.gap(j) == " " and t.marks[j] & w.RHYTHM:
            j += 1
    elif bits & w.CONDITION and j < len(t) and t.marks[j] & w.AFTER and t.gap(j) in _BLANK:
        j += 1
        if (
            j < len(t)
            and t.gap(j) in _BLANK
            and (t.marks[j] & w.NUMBER or (t.words[j].isupper() and len(t.words[j]) < 5))
        ):
            j += 1
    return j
