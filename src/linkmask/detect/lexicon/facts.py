"""What points at a person without a name: work, traits, family, happenings, rare facts."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.found import Found
from linkmask.detect.lexicon import words as w
from linkmask.detect.lexicon.words import Text

_BLANK = {" ", "\n", "\u00a0", "-"}


def find(t: Text) -> Iterator[Found]:
    """Yield INDIRECT_IDENTIFIER, DEMOGRAPHIC, EVENT and UNIQUE_FACT spans."""
    yield from _phrases(t)
    yield from _occupations(t)
    yield from _demographics(t)
    yield from _mutations(t)
    yield from _outcomes(t)


def _found(t: Text, i: int, j: int, entity_type: str, rule: str, score: float) -> Found:
    return Found(t.starts[i], t.ends[j - 1], entity_type, "lexicon", rule, score)


def _phrases(t: Text) -> Iterator[Found]:
    for i, j, bits in t.phrases:
        if bits & w.INDIRECT:
            yield _found(t, i, j, "INDIRECT_IDENTIFIER", "relation or trait", 0.7)
        elif bits & w.EVENT:
            yield _found(t, i, j, "EVENT", "happening", 0.6)
        elif bits & w.DEMOGRAPHIC:
            yield _found(t, i, j, "DEMOGRAPHIC", "group", 0.7)


def _occupations(t: Text) -> Iterator[Found]:
    spans = {i: i + 1 for i in t.at(w.OCCUPATION)}
    spans.update({i: j for i, j, bits in t.phrases if bits & w.OCCUPATION})
    end = 0
    for i, j in sorted(spans.items()):
        if i < end or t.taken[i] or (t.marks[i] & w.CAP and not t.opens(i)):
            continue
        k = i
        while (
            k > end
            and i - k < 3
            and t.gap(k) in _BLANK
            and t.marks[k - 1] & (w.OCCUPATION_MODIFIER | w.NATIONALITY)
            and not t.marks[k - 1] & w.FUNCTION
        ):
            k -= 1
        end = j
        if j - k > 1:
            yield _found(t, k, j, "INDIRECT_IDENTIFIER", "occupation", 0.7)
        else:
            yield _found(t, k, j, "INDIRECT_IDENTIFIER", "occupation", 0.5)


def _demographics(t: Text) -> Iterator[Found]:
    for i in t.at(w.DEMOGRAPHIC | w.NATIONALITY):
        m = t.marks[i]
        if t.taken[i] or m & w.OCCUPATION or (m & w.NATIONALITY and not m & w.CAP):
            continue
        yield _found(t, i, i + 1, "DEMOGRAPHIC", "group", 0.6)


def _mutations(t: Text) -> Iterator[Found]:
    """Find "TP53 mutation": a gene's name before a word for what is wrong with it."""
    for i in range(1, len(t)) if "mutation" in t.text else ():
        gene = t.words[i - 1]
        if (
            t.words[i] in {"mutation", "mutations", "mutation-positive"}
            and t.gap(i) == " "
            and gene.isupper()
            and len(gene) > 2
            and not gene.isdigit()
        ):
            yield _found(t, i - 1, i + 1, "UNIQUE_FACT", "mutation", 0.7)


def _outcomes(t: Text) -> Iterator[Found]:
    """Find "80% pain reduction" and "UPDRS score of 52": how it went for somebody."""
    for k in t.at(w.CHANGE):
        i = k
        while i > 0 and k - i < 3 and t.gap(i) == " " and t.marks[i - 1] & w.OUTCOME:
            i -= 1
        if i > 0 and t.gap(i) in {"% ", " % ", " percent "} and t.marks[i - 1] & w.NUMBER:
            j = k + 1
            if i == k:  # "40% reduction in seizure frequency"
                if (
                    j + 1 >= len(t)
                    or t.words[j] not in {"in", "of"}
                    or not t.marks[j + 1] & w.OUTCOME
                ):
                    continue
                j += 2
            yield _found(t, i - 1, j, "UNIQUE_FACT", "outcome", 0.6)
    for k in t.at(w.SCORE):
        if k > 0 and t.marks[k - 1] & w.UPPER and t.gap(k) == " " and not t.marks[k - 1] & w.STOP:
            j = k + 1
            if j + 1 < len(t) and t.words[j] in {"of", "was", "is"} and t.marks[j + 1] & w.NUMBER:
                yield _found(t, k - 1, j + 2, "UNIQUE_FACT", "score", 0.6)
