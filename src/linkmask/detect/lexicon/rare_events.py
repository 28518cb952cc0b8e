"""Recognizes rare events: records, prizes, lightning and sharks, an unusual body, "one of three".

Examples are "set the county record for a sturgeon", "was bitten by a rattlesnake", "born without a
left hand and plays the cello", "one of only five people in the state". Each needs a person as its
subject, in the same sentence and before it; only an event so rare that it identifies somebody by
itself needs none. Texts are first searched for the few trigger words of these rules, so a text
without them costs next to nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import unique_facts
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.lexicon.literals import Places, around
from linkmask.detect.lexicon.rare_event_rules import rules_of
from linkmask.detect.lexicon.tokens import Text

SCORE = 0.65
"""How sure such a find is."""


def find(t: Text, language: str, rule_places: Iterable[Places]) -> Iterator[Candidate]:
    """Yield UNIQUE_FACT spans, and INDIRECT_IDENTIFIER spans of offices; disjoint.

    `rule_places`: where words of the rules of the language stand.
    """
    text = t.text
    rules = rules_of(language)
    for number, places in rule_places:
        rule = rules[number]
        for match in around(rule.form, text, places, rule.back, _BEHIND):
            if text[match.start() - 1 : match.start()].isalnum():
                continue
            i = bisect_left(t.starts, match.start(), 0, len(t.words))
            j = max(bisect_left(t.starts, match.end(), 0, len(t.words)), i + 1)
            if t.taken[i] or _of_rules(t, i) or not (rule.alone or _of_somebody(t, i)):
                continue
            if rule.open:
                j = _fact_end(t, i, j)
            j = next((k for k in range(i, j) if t.taken[k]), j)
            while j > i + 1 and t.marks[j - 1] & w.FUNCTION and not t.marks[j - 1] & w.NUMBER:
                j -= 1
            if j > i + (rule.type == unique_facts.FACT):
                yield t.claim(i, j, rule.type, rule.name, SCORE)


_BEHIND = 150
"""Characters behind a word of a rule within which its form ends."""


def _fact_end(t: Text, i: int, j: int) -> int:
    """Return where what is said from word i, to word j at least, ends: with its clause."""
    if t.taken[j] or not t.words[j] or j - i > _LONGEST:
        return j
    if t.gap[j].strip(" '’-") or "\n\n" in t.gap[j] or unique_facts.is_listed(t, j, "stops"):
        return j
    return max(j, unique_facts.clause_end(t, j))


_LONGEST = 14


def _of_rules(t: Text, i: int) -> bool:
    """Is it what a rule says of anybody: "if", "any", "must" stand before it in its sentence?"""
    for k in range(i - 1, max(i - 12, -1), -1):
        if any(mark in t.gap[k + 1] for mark in ".;?!") or "\n\n" in t.gap[k + 1]:
            return False
        if unique_facts.is_listed(t, k, "anybody"):
            return True
    return False


def _of_somebody(t: Text, i: int) -> bool:
    """Is somebody, and not just anybody, spoken of before word i in its sentence, close by?"""
    for k in range(i - 1, max(i - 10, -1), -1):
        if any(mark in t.gap[k + 1] for mark in ".;?!") or "\n\n" in t.gap[k + 1]:
            return False
        if t.taken[k] and t.marks[k] & w.CAP and not t.marks[k] & w.PLACE:
            return True
        if unique_facts.is_listed(t, k, "he"):
            return True
        known = unique_facts.is_listed(t, k, "somebody") or unique_facts.is_listed(t, k, "insured")
        if known and not unique_facts.is_listed(t, k - 1, "indefinite"):
            return True
    return False
