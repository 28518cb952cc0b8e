"""Computes measures: answers against references, ranks, and intervals of means.

Persons are the independent ones, not values or questions: intervals come from drawing persons.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from linkmask import schema
from linkmask.records import Floats, Ints
from linkmask.testbench.indexes import words

DRAWS = 1000
"""Bootstrap draws of an interval."""

STOP = frozenset(schema.words("empty_words")["words"].split())
"""Words without content."""


def answer_scores(answer: str, reference: str) -> dict[str, float]:
    """Compare an answer with its reference: ROUGE-1 recall, token F1, containment, in [0, 1].

    `contains` is 1 where every word of content of the reference stands in the answer.
    """
    given, wanted = Counter(words(answer)), Counter(words(reference))
    shared = sum((given & wanted).values())
    recall = shared / max(1, sum(wanted.values()))
    precision = shared / max(1, sum(given.values()))
    content = {word for word in wanted if word not in STOP}
    return {
        "rouge1": recall,
        "f1": 2 * precision * recall / (precision + recall) if shared else 0.0,
        "contains": float(content <= given.keys()),
    }


def rouge_l(answer: str, text: str) -> float:
    """Return the F1 of the longest common subsequence of words, in [0, 1]."""
    a, b = words(answer), words(text)
    if not a or not b:
        return 0.0
    places: dict[str, int] = {}
    for i, word in enumerate(b):
        places[word] = places.get(word, 0) | (1 << i)
    # Bit-parallel (Hyyrö 2004): unset bits of the row are the length of the common subsequence.
    whole = (1 << len(b)) - 1
    row = whole
    for word in a:
        match = row & places.get(word, 0)
        row = ((row + match) | (row - match)) & whole
    return 2 * (len(b) - row.bit_count()) / (len(a) + len(b))


def retrieval_scores(retrieved: Sequence[int], sources: Sequence[int]) -> dict[str, float | None]:
    """Return recall and nDCG of the documents retrieved; None where a question names none."""
    if not sources:
        return {"recall": None, "ndcg": None}
    wanted = set(sources)
    gain = sum(1 / math.log2(rank + 2) for rank, d in enumerate(retrieved) if d in wanted)
    best = sum(1 / math.log2(rank + 2) for rank in range(min(len(wanted), max(1, len(retrieved)))))
    return {"recall": len(wanted & set(retrieved)) / len(wanted), "ndcg": gain / best}


def auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """Return how likely a positive scores above a negative, ties as half; None without either."""
    if not len(positive) or not len(negative):
        return None
    low = np.sort(np.asarray(negative, dtype=np.float64))
    below = np.searchsorted(low, positive, side="left").sum()
    upto = np.searchsorted(low, positive, side="right").sum()
    return float(below + upto) / 2 / (len(positive) * len(negative))


def tpr_at(positive: Sequence[float], negative: Sequence[float], fpr: float = 0.01) -> float | None:
    """Return the largest share of positives above a cut that at most `fpr` of negatives pass."""
    if not positive or not negative:
        return None
    allowed = math.floor(fpr * len(negative))
    cut = sorted(negative, reverse=True)[allowed]
    return sum(score > cut for score in positive) / len(positive)


def calibration_error(estimated: Floats, so: Floats, bins: int = 10) -> float:
    """Return the expected calibration error: the mean gap of probability and truth by bins.

    `so`: 1 or 0 for each, or a share. Each bin weighs by how many probabilities fall into it.
    """
    place = np.minimum((estimated * bins).astype(int), bins - 1)
    sums = (np.bincount(place, weights, bins) for weights in (estimated, so))
    return float(np.abs(np.subtract(*sums)).sum() / max(1, len(estimated)))


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of the known values; None if there are none."""
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


@cache
def _resampled(persons: int, draws: int) -> Ints:
    """Return numbers of persons drawn with replacement, a row per draw; always the same."""
    rng = random.Random(f"bootstrap/{persons}")
    return np.array([rng.choices(range(persons), k=persons) for _ in range(draws)], dtype=np.int32)


def interval(statistic: Statistic, persons: int, draws: int = DRAWS) -> Interval | None:
    """Return the 95 % percentile interval of a statistic by drawing persons with replacement."""
    if persons < 2:
        return None
    found = [statistic(row.tolist()) for row in _resampled(persons, draws)]
    return _percentiles(np.array([np.nan if value is None else value for value in found]))


def interval_of_mean(values: Sequence[float | None]) -> Interval | None:
    """Return the interval of the mean of one value per person; None stands for a missing value."""
    if len(values) < 2:
        return None
    there = np.array([value is not None for value in values])
    numbers = np.array([value or 0.0 for value in values])
    rows = _resampled(len(values), DRAWS)
    counts = there[rows].sum(axis=1)
    means = numbers[rows].sum(axis=1) / np.where(counts == 0, np.nan, counts)
    return _percentiles(means)


def _percentiles(found: Floats) -> Interval | None:
    found = np.sort(found[~np.isnan(found)])
    if not len(found):
        return None
    last = len(found) - 1
    return float(found[int(0.025 * last)]), float(found[math.ceil(0.975 * last)])


def differences(a: Sequence[float | None], b: Sequence[float | None]) -> list[float | None]:
    """Return a − b for the same persons, None where either is missing."""
    return [None if x is None or y is None else x - y for x, y in zip(a, b, strict=True)]


Statistic = Callable[[Sequence[int]], float | None]
"""A figure from the persons drawn, by their numbers, with repeats."""
Interval = tuple[float, float]
