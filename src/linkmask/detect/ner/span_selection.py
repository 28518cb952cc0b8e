"""Selects the spans of a case report by the probability of each span, not by the best path.

The best path omits a span whose probability is split between several readings ("surgical" |
"resection", "surgical resection"), and a chain model sees neither a whole span nor the rest of the
report. So every span gets its marginal probability over all paths, a logistic regression combines
it with features of the span (`features`; learned by `training/judge.py`), and the likeliest of
overlapping spans is selected.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import NamedTuple

import numpy as np

from linkmask.detect.lexicon import word_features as w
from linkmask.detect.ner import medicine
from linkmask.formulas.compiling import kernel
from linkmask.records import Floats, Ints
from linkmask.text.letters import word_key

TYPES = {"DISEASE": 0, "SIGN": 0, "DRUG": 1, "PROCEDURE": 1}
"""Labels of spans that are chosen → conditions, treatments: one label says no more than the other
of its type."""
LISTED = frozenset({"DISEASE", "DRUG"})
"""Labels whose spans are mostly terms of a list."""
LEAST = 0.03
"""Chance over all paths from which a span is considered."""
MOST = round(1 / LEAST)
"""Spans that begin at one word and are considered, at most: their chances sum up to 1."""
LONGEST = 10
"""Words of a span, at most."""
UNIT = 0.05
"""Shares of words are kept as whole numbers of so much."""
SHARES = 4
"""Shares of a word for each type: as the last of a span, the first, right before it, behind it."""

Table = Mapping[str, Sequence[int]]
"""Lower-cased word → its shares, type after type."""


class WordSpan(NamedTuple):
    """A span of words [start, end), its type, its likelier label and its chance over all paths."""

    start: int
    end: int
    type: int
    label: str
    chance: float


@dataclass(frozen=True, slots=True)
class Judge:
    """What was learned: weights of `features` by type, shares of words, the least probability.

    It chooses spans of one family for one kind of text. `family` and `kind` are their places among
    the model's families and kinds of text.
    """

    family: int
    kind: int
    weights: Sequence[Sequence[float]]
    table: Table
    unknown: int
    least: float


@kernel
def spans(here: Floats, moves: Floats, wanted: Ints, least: float, found: Floats) -> int:
    """Write (first word, word after the last, label, chance) of each span into `found`.

    `here` are the odds of each label at each word, `moves` those of each step, both without bias. A
    span is a run of one label; counted are those of `wanted` labels with a chance of `least`, over
    all paths (forward and backward sums; Rabiner 1989). Linear time; returns how many.
    """
    n, size = here.shape
    ahead, behind = np.empty((n, size)), np.ones((n, size))
    total = np.empty(n)
    for i in range(n):
        total[i] = 0.0
        for y in range(size):
            reach = 1.0
            if i:
                reach = 0.0
                for x in range(size):
                    reach += ahead[i - 1, x] * moves[x, y]
            ahead[i, y] = reach * here[i, y]
            total[i] += ahead[i, y]
        for y in range(size):
            ahead[i, y] /= total[i]
    for i in range(n - 2, -1, -1):
        for x in range(size):
            behind[i, x] = 0.0
            for y in range(size):
                behind[i, x] += moves[x, y] * here[i + 1, y] * behind[i + 1, y]
            behind[i, x] /= total[i + 1]
    count = 0
    for i in range(n):
        for y in wanted:
            if ahead[i, y] * behind[i, y] < least:
                continue
            chance = 1.0
            if i:
                chance = 0.0
                for x in range(size):
                    if x != y:
                        chance += ahead[i - 1, x] * moves[x, y]
            j = i
            while j < min(n, i + LONGEST) and chance >= least * LEAST:
                chance *= here[j, y] / total[j]
                j += 1
                ends = 1.0
                if j < n:
                    ends = 0.0
                    for x in range(size):
                        if x != y:
                            ends += moves[y, x] * here[j, x] * behind[j, x]
                    ends /= total[j]
                if chance * ends >= least and count < len(found):
                    found[count, 0], found[count, 1], found[count, 2] = i, j, y
                    found[count, 3] = chance * ends
                    count += 1
                chance *= moves[y, y]
    return count


def candidates(
    text: Sequence[str], found: Sequence[Sequence[float]], labels: Sequence[str]
) -> list[WordSpan]:
    """Return the spans of a text without marks at their ends, those of one type taken together."""
    best: dict[tuple[int, int, int], tuple[float, str]] = {}
    chance: dict[tuple[int, int, int], float] = defaultdict(float)
    for first, after, of, by in found:
        i, j, label = int(first), int(after), labels[int(of)]
        while i < j and not _begins_and_ends_alphanumeric(text[i]):
            i += 1
        while j > i and not _begins_and_ends_alphanumeric(text[j - 1]):
            j -= 1
        if i < j:
            key = i, j, TYPES[label]
            chance[key] += by
            best[key] = max(best.get(key, (0.0, "")), (by, label))
    return [WordSpan(*key, best[key][1], min(by, 1.0)) for key, by in sorted(chance.items())]


def _begins_and_ends_alphanumeric(word: str) -> bool:
    return word[0].isalnum() and word[-1].isalnum()


def features(
    text: Sequence[str], spans: Sequence[WordSpan], table: Table, unknown: int
) -> Iterator[list[float]]:
    """Yield what is seen of each span: its chance, those of the same words elsewhere in the text,
    how its words are used otherwise, the lists they are in, its form."""
    low = [word.lower() for word in text]
    places: dict[str, list[int]] = defaultdict(list)
    for i, word in enumerate(low):
        places[word].append(i)
    alike: dict[tuple[int, tuple[str, ...]], list[float]] = defaultdict(list)
    for one in spans:
        alike[one.type, tuple(low[one.start : one.end])].append(one.chance)
    none = [unknown] * 2 * SHARES
    for i, j, of, label, chance in spans:
        said = tuple(low[i:j])
        same = alike[of, said]
        met = sum(tuple(low[at : at + j - i]) == said for at in places[said[0]])
        last, first = table.get(said[-1], none), table.get(said[0], none)
        before = table.get(low[i - 1], none) if i else none
        behind = table.get(low[j], none) if j < len(low) else none
        at = of * SHARES
        listed = label in LISTED
        begins, ends = _lists(text[i]), _lists(text[j - 1])
        yield [
            1.0,
            _odds(chance),
            _odds(max(same)),
            _odds(sum(same) / len(same)),
            log(len(same)),
            met > 1,
            len(same) / met,
            last[at] * UNIT,
            first[at + 1] * UNIT,
            before[at + 2] * UNIT,
            behind[at + 3] * UNIT,
            j - i == 1,
            j - i == 2,
            j - i > 3,
            listed,
            listed * _odds(chance),
            text[i][0].isupper(),
            *begins,
            *ends,
            "-" in said or "/" in said,
            "and" in said or "," in said or "of" in said,
        ]


def _odds(chance: float) -> float:
    return log((chance + 0.01) / (1.01 - chance))


def _lists(word: str) -> tuple[bool, bool, bool]:
    """Say whether a word is an operation, a substance, and one that needs another ("therapy")."""
    bits = w.FEATURES[word]
    known = medicine.names(word_key(word))
    return (
        "operation" in known,
        "substance" in known or bool(bits & w.DRUG),
        bool(bits & w.TREATMENT_HEAD),
    )


def choose(
    text: Sequence[str], spans: Sequence[WordSpan], judge: Judge
) -> Iterator[tuple[int, int, str, float]]:
    """Yield the selected spans, disjoint and sorted by start, with the confidence of each.

    The confidence is the chance that a span of its type is there at all, wherever it ends.
    """
    seen = features(text, spans, judge.table, judge.unknown)
    weighed = [_chance(judge.weights[one.type], by) for one, by in zip(spans, seen, strict=True)]
    taken = bytearray(len(text))
    kept = []
    for by, one in sorted(zip(weighed, spans, strict=True), key=lambda pair: (-pair[0], pair[1])):
        if by < judge.least:
            break
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\x01" * (one.end - one.start)
            kept.append(one)
    begins = [one.start for one in spans]
    for one in sorted(kept):
        near = spans[bisect_left(begins, one.start - LONGEST) : bisect_left(begins, one.end)]
        sure = sum(
            other.chance for other in near if other.type == one.type and other.end > one.start
        )
        yield one.start, one.end, one.label, min(sure, 1.0)


def _chance(weights: Sequence[float], seen: Sequence[float]) -> float:
    total = sum(by * value for by, value in zip(weights, seen, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))
