"""Recognizes facts that single a person out: an only one, a deed, a habit, an office.

Examples are "the only woman among twenty-two crew", "she runs the ice house by the harbour". Each
needs a person as its subject: a pronoun, a name, "the patient". Statements about anybody ("the
first claim", "a member who owns") do not count. A fact runs to the end of its clause, or to the
beginning of a place, a date or a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.tokens import WRAPPED, Text
from linkmask.schema import types, words
from linkmask.text.letters import word_key

FACT, TRAIT = types.UNIQUE_FACT, types.INDIRECT_IDENTIFIER
_ELIDED = WRAPPED | {"'", "’"}
_JOINED = _ELIDED | {", "}
_INSIDE = WRAPPED | {"'", "’", "-", "'s ", "’s ", ' "', '" ', " “", "” "}
_DONE = w.DOING | w.DEED
_MOST = 14
"""Words that a fact has at most."""
_BODY = w.EITHER | w.KNOWN
_CLINICAL = w.CONDITION | w.CONDITION_HEAD | w.TREATMENT | w.TREATMENT_HEAD
_NO_DEED = _CLINICAL | w.MODIFIER
_NAMED = w.PEOPLE | w.OCCUPATION


@cache
def _lists() -> dict[str, frozenset[str]]:
    return {
        name: frozenset(map(word_key, w.entries(text)))
        for name, text in w.tables("unique_facts").items()
    }


def is_listed(t: Text, i: int, name: str) -> bool:
    """Tell whether word i is in this list of data/unique_facts.toml."""
    return w.KEYS[t.words[i]] in _lists()[name]


def find(t: Text, language: str) -> Iterator[Candidate]:
    """Yield UNIQUE_FACT and INDIRECT_IDENTIFIER spans, disjoint."""
    yield from _singled_out(t, language)
    yield from t.each(_RULES)


# ── of whom ─────────────────────────────────────────────────────────────────────────────────────


def _somebody(t: Text, p: int) -> bool:
    """Is word p somebody of whom something is said, and not anybody?"""
    if p < 0:
        return False
    word, m = t.words[p].lower(), t.marks[p]
    if t.taken[p]:
        person = m & w.CAP and not m & (w.PLACE | w.HEALTH | w.PRACTICE | w.INSTITUTION | _BODY)
        staff = any(b & w.CLINICIAN for b in t.marks[max(p - 3, 0) : p])
        if not person or staff or m & (w.ORGANIZATION | w.PLACE_HEAD) & ~w.SURNAME:
            return False
    elif word in {"who", "qui"}:
        introduced = (
            p > 1 and is_listed(t, p - 1, "somebody") and not is_listed(t, p - 2, "indefinite")
        )
        return p > 0 and (bool(t.taken[p - 1]) or introduced)
    elif not (
        is_listed(t, p, "he")
        or (is_listed(t, p, "somebody") and is_listed(t, p - 1, "articles"))
        or (is_listed(t, p, "noted") and t.opens(p) and t.marks[p] & w.CAP)
    ):
        return False
    k = p
    while k and p - k < 6 and "." not in t.gap[k] and "\n\n" not in t.gap[k]:
        k -= 1
        if is_listed(t, k, "anybody"):
            return False
    return True


def _subject(t: Text, i: int) -> bool:
    """Does the verb at word i say something of somebody?"""
    p, joined = i - 1, False
    while p >= 0 and i - p < 5 and t.gap[p + 1] in _JOINED:
        word = t.words[p].lower()
        if _somebody(t, p):
            return True
        if word in {"and", "et", "und"} or t.gap[p + 1] == ", ":
            joined = True
            break
        if not is_listed(t, p, "between"):
            return False
        p -= 1
    return joined and _earlier(t, p)


def _earlier(t: Text, p: int) -> bool:
    """Does the clause before word p begin with somebody: "he keeps bees and …"?"""
    for k in range(p, max(p - 14, -1), -1):
        if is_listed(t, k, "he"):
            return _somebody(t, k)
        if any(mark in t.gap[k] for mark in ".;:\n?!"):
            return False
    return False


# ── how far ─────────────────────────────────────────────────────────────────────────────────────


def clause_end(t: Text, i: int) -> int:
    """Return where the fact from word i on ends: with its clause, or before another value."""
    j = i + 1
    while j - i < _MOST and t.words[j] and t.gap[j] in _INSIDE and not t.taken[j]:
        m = t.marks[j]
        year = m & w.NUMBER and len(t.words[j]) == 4 and t.words[j - 1] != "the"
        if is_listed(t, j, "stops") or year or (m & w.CALENDAR and m & w.CAP):
            break
        j += 1
    while j > i + 1 and t.marks[j - 1] & w.FUNCTION and not t.marks[j - 1] & w.NUMBER:
        j -= 1
    return j


def _claimed(t: Text, i: int, j: int, kind: str, rule: str, score: float) -> Iterator[Candidate]:
    if j > i and t.free(i, j):
        yield t.claim(i, j, kind, rule, score)


# ── the kinds ───────────────────────────────────────────────────────────────────────────────────


def _singled_out(t: Text, language: str) -> Iterator[Candidate]:
    """Find "only woman among twenty-two crew", "oldest dancer on the circuit"."""
    bit = w.SINGLES.get(language, 0)
    leads = [(i, i + 1) for i in t.words_with(bit)] if bit else []
    if language == "fr":  # "plus jeune"
        leads += [(i, j) for i, j, bits in t.phrases if bits & bit]
    for i, k in sorted(leads):
        if t.taken[i] or is_listed(t, k, "usual") or t.gap[k] not in WRAPPED:
            continue
        ahead = range(k, min(k + 4, len(t.words)))
        noun = next((n for n in ahead if t.marks[n] & _NAMED), 0)
        of_person = is_said_of_somebody(t, i)
        plain = noun and not is_listed(t, noun, "insured")
        if not of_person and not (plain and _scoped(t, i, noun)):
            continue
        if of_person and not noun and t.marks[k] & _NO_DEED:
            continue  # "her only symptom"
        j = noun + 1 if noun and not of_person and not _among(t, noun) else clause_end(t, i)
        if j > k:
            yield from _claimed(t, i, j, FACT, "singled out", 0.7 if of_person else 0.6)


def is_said_of_somebody(t: Text, i: int) -> bool:
    """Tell whether a person is the subject: somebody "is the …", or a name stands beside it."""
    p = i - 1
    while p >= 0 and i - p < 4 and is_listed(t, p, "articles") and t.gap[p + 1] in _INSIDE:
        p -= 1
    if p < 0 or p == i - 1:
        return False  # "he was last seen"
    if t.gap[p + 1] in {"'s ", "’s "}:
        return _somebody(t, p)  # "he's the only one"
    if is_listed(t, p, "being") and t.gap[p + 1] in WRAPPED:
        return _subject(t, p)
    beside = t.gap[p + 1] in {", ", " (", ",\n"}
    return (
        beside
        and t.words[p + 1].lower() in {"the", "our", "le", "la", "der", "die"}
        and (
            (bool(t.taken[p]) and _somebody(t, p))
            or bool(t.marks[p] & w.NUMBER and len(t.words[p]) < 4)
        )
    )


def _scoped(t: Text, i: int, noun: int) -> bool:
    """Is it one of all in some place or ever: "the only blacksmith in", "the town's only"?"""
    singular = not t.words[noun].lower().endswith("s") or t.marks[noun] & w.OCCUPATION
    owned = i > 0 and t.gap[i] in {"'s ", "’s "}
    return owned or bool(singular and _among(t, noun))


def _among(t: Text, noun: int) -> bool:
    """Is it said behind the noun of how many it is one: "in the county", "ever to"?"""
    return t.words[noun + 1].lower() in _AMONG and t.gap[noun + 1] in _ELIDED


_AMONG = frozenset(words("context")["among"])


def _done(t: Text) -> Iterator[Candidate]:
    """Find "runs the ice house by the harbour", "won the state chili cook-off"."""
    for i in t.words_with(_DONE):
        m = t.marks[i]
        if t.taken[i] or m & w.CAP or t.gap[i + 1] not in WRAPPED or not _subject(t, i):
            continue
        k = i + 1
        while k < i + 3 and is_listed(t, k, "articles"):
            k += 1
        if is_listed(t, k, "everyday") or t.marks[k] & _NO_DEED or _goes_on(t, i):
            continue
        j = clause_end(t, i)
        content_words = [n for n in range(i + 1, j) if not t.marks[n] & w.FUNCTION]
        if (
            not content_words
            or is_listed(t, content_words[-1], "everyday")
            or any(t.marks[n] & _CLINICAL for n in content_words)
        ):
            continue
        kind, rule = (FACT, "deed") if m & w.DEED else (TRAIT, "doing")
        yield from _claimed(t, i, j, kind, rule, 0.6)


def _goes_on(t: Text, i: int) -> bool:
    """Is the verb at word i only a way of going on: "kept working"?"""
    return t.words[i].lower() in {"keeps", "kept"} and t.words[i + 1].endswith("ing")


_RULES = ((_DONE, _done),)
