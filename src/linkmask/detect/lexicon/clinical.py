"""Conditions and treatments: a word that says what it is, with the words that say which."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.found import Found
from linkmask.detect.lexicon import marks as w
from linkmask.detect.lexicon.words import BLANK, Text

ILL = w.CONDITION | w.CONDITION_HEAD
CURE = w.TREATMENT | w.TREATMENT_HEAD
_LONGEST = 7
_WRAPPED = BLANK | {"\n"}
_OWNED = {"'s ", "’s "}
_ADJECTIVE = (
    *("al", "ic", "ous", "ary", "ive", "ar", "oid", "iac", "tory", "ine"),
    *("ique", "ale", "ales", "aire", "ische", "ischer", "isches", "ischen"),
)
_COMPOUND = (
    *("-related", "-induced", "-associated", "-dependent", "-resistant"),
    *("-onset", "-stage", "-positive", "-negative", "-based"),
)
_OF = {"of", "the", "left", "right", "de", "du", "des", "d", "la", "le", "les", "l", "der"}
_ARTICLES = {"the", "left", "right", "la", "le", "les"}
_FRENCH = ("que", "ques", "aire", "aires", "ale", "ales", "euse", "ante", "oïde", "ée", "ées")
_DOSED = ("mg", "mcg", "µg", "ml", "iu", "g")


def find(t: Text) -> Iterator[Found]:
    """Yield MEDICAL_CONDITION and TREATMENT spans, each as long as its words are clinical."""
    heads = {i: (i + 1, t.marks[i]) for i in t.at(ILL | CURE)}
    heads.update({i: (j, bits) for i, j, bits in t.phrases if bits & (ILL | CURE)})
    end = 0
    for i in sorted(heads):
        if i < end or t.taken[i]:
            continue
        j, bits = _row(t, heads, i)
        bits |= t.marks[j - 1] & w.EPONYMOUS
        k = _trim(t, _left(t, i, end, bits), i)
        if not bits & (w.CONDITION | w.TREATMENT) and not _which(t, k, j):
            continue
        entity_type, rule = _type(bits)
        stop = _right(t, j, bits)
        score = 0.75 if bits & (w.CONDITION | w.TREATMENT) or j - k > 2 else 0.6
        yield t.found(k, stop, entity_type, rule, score)
        end = stop


def _row(t: Text, heads: dict[int, tuple[int, int]], i: int) -> tuple[int, int]:
    """Return end and mark of the heads in a row from i: in "steroid injections" the last decides.

    A condition before a treatment is the value itself ("glioblastoma treatment"), and so is what
    already says what it is before a word that adds nothing ("aquatic therapy sessions").
    """
    j, bits = heads[i]
    while j - i < _LONGEST:
        k = j
        while k - j < 2 and k not in heads and t.marks[k] & w.MODIFIER and _near(t, k):
            k += 1
        if k not in heads or not _near(t, k) or t.taken[k]:
            break
        after, more = heads[k]
        telling = bits & (ILL | CURE) and not bits & w.MODIFIER
        if telling and (more & w.TRAILING or (bits & ILL and more & CURE)):
            break
        j, bits = after, more
    return j, bits


def _near(t: Text, k: int) -> bool:
    """Do words k − 1 and k stand in one phrase? Lines wrap, but a heading does not run on."""
    return t.gap[k] in BLANK or (t.gap[k] == "\n" and not t.marks[k - 1] & w.CAP)


def _type(bits: int) -> tuple[str, str]:
    if bits & w.CONDITION or (bits & w.CONDITION_HEAD and not bits & CURE):
        return "MEDICAL_CONDITION", "condition"
    return "TREATMENT", "treatment"


def _which(t: Text, k: int, j: int) -> bool:
    """Does some word of [k, j) but its last, the head, say which?"""
    head = t.marks[j - 1]
    return any(_says_which(t, n, head) for n in range(k, j - 1)) or _of_what(t, j) > j


def _left(t: Text, i: int, floor: int, bits: int) -> int:
    """Return the first word of the phrase whose head is word i: over clinical and telling words."""
    k = i
    while k > floor and i - k < _LONGEST and not t.taken[k - 1]:
        gap, m = t.gap[k], t.marks[k - 1]
        if not _near(t, k) and gap not in _OWNED and not (gap == "/" and m & w.UPPER):
            break
        if m & w.RHYTHM and bits & CURE:
            return k - 1
        if m & (w.NUMBER | w.UPPER) and k - 2 >= floor and t.marks[k - 2] & w.STAGED:
            return k - 2  # "type 2 diabetes", "stage III cancer"
        if gap not in _OWNED and not _says_which(t, k - 1, bits):
            if not _both(t, k, floor, bits):
                break
            k -= 1
        k -= 1
    return k


def _both(t: Text, k: int, floor: int, bits: int) -> bool:
    """Does "and" before word k join two that say which: "breast and ovarian cancer"?"""
    joined = t.words[k - 1] in {"and", "or", "et", "ou", "und", "oder"} and k - 2 >= floor
    anatomy = t.marks[k] & t.marks[k - 2] & w.MODIFIER and bits & ILL
    return bool(joined and anatomy and not t.taken[k - 2] and t.gap[k - 1] in BLANK)


def _says_which(t: Text, i: int, bits: int = 0) -> bool:
    """Does word i say which condition or treatment? `bits`: the mark of the head that follows."""
    m, word = t.marks[i], t.words[i]
    if m & w.MODIFIER or (m & (ILL | CURE) and not m & w.TRAILING):
        return True
    if m & (w.TRAILING | w.WEAK | w.FUNCTION | w.STOP | w.GENERIC | w.NUMBER):
        return False
    if m & w.CAP:
        eponym = bits & w.EPONYMOUS and word[1:2].islower()
        return bool(m & w.UPPER and len(word) <= 5) or bool(eponym) or word.endswith(_COMPOUND)
    return len(word) > 4 and word.endswith((*_ADJECTIVE, *_COMPOUND))


def _trim(t: Text, k: int, i: int) -> int:
    """Drop words in front that tell how, not what: "targeted immunotherapy"."""
    while k < i and t.marks[k] & w.SOFT:
        k += 1
    return k


def _right(t: Text, j: int, bits: int) -> int:
    """Return the end of the phrase: over "type 2", "stage III", "60 mg daily", "with aura"."""
    if bits & w.DRUG:
        if t.gap[j] in BLANK and t.marks[j] & w.NUMBER:
            if t.words[j].lower().endswith(_DOSED):
                j += 1
            elif t.marks[j + 1] & w.DOSE and t.gap[j + 1] in BLANK:
                j += 2
        while t.gap[j] == " " and t.marks[j] & w.RHYTHM:
            j += 1
    elif bits & ILL and t.gap[j] in BLANK:
        if t.words[j] == "with" and t.words[j + 1] == "aura":
            return j + 2
        if t.marks[j] & w.AFTER:
            j += 1
        if t.marks[j] & w.STAGED and t.gap[j] in BLANK:
            grade = t.words[j + 1]
            if grade and (grade[0].isdigit() or (grade.isupper() and len(grade) < 5)):
                return j + 2
        return _of_what(t, j)
    return j


def _of_what(t: Text, j: int) -> int:
    """Return the end of "of the fallopian tube", "du sein", "cardiaque" after a condition."""
    k = j
    while (
        t.words[j] not in _ARTICLES
        and k < j + 3
        and t.words[k] in _OF
        and t.gap[k] in BLANK | {"'", "’"}
    ):
        k += 1
    end = k
    while end < k + 3 and t.marks[end] & w.MODIFIER and t.gap[end] in BLANK | {"'", "’"}:
        end += 1
    while k > j and end > k and t.words[j] == "of" and t.words[end - 1].endswith(_ADJECTIVE):
        end -= 1  # "of cardiac enzymes" is cut before "cardiac"
    french = k > j or t.words[j].lower().endswith(_FRENCH)
    other = t.marks[end] & (ILL | CURE) and t.gap[end] in BLANK and k == j
    return end if end > k and french and not other else j
