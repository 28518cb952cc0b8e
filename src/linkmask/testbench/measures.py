"""What is measured: answers against references, ranks, and how sure one can be of a mean.

Persons are the independent ones, not values or questions: intervals come from drawing persons.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from linkmask.testbench.rag import words

DRAWS = 1000
"""Bootstrap draws of an interval."""

STOP = frozenset(
    "a an and are as at be been by due for from had has have in into is it its of on or that the "
    "their these this to was were which with au aux avec ce ces d dans de des du en est et l la le "
    "les leur ou par pour que qui sa ses son sont sur un une".split()
)


def answer_scores(answer: str, reference: str) -> dict[str, float]:
    """Compare an answer with its reference: ROUGE-1 recall, token F1, containment, in [0, 1].

    `contains` is 1 where every word of content of the reference stands in the answer.
    """
    said, wanted = Counter(words(answer)), Counter(words(reference))
    shared = sum((said & wanted).values())
    recall = shared / max(1, sum(wanted.values()))
    precision = shared / max(1, sum(said.values()))
    content = {word for word in wanted if word not in STOP}
    return {
        "rouge1": recall,
        "f1": 2 * precision * recall / (precision + recall) if shared else 0.0,
        "contains": float(content <= said.keys()),
    }


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
    if not positive or not negative:
        return None
    both = sorted([(s, 1) for s in positive] + [(s, 0) for s in negative])
    ranks, i = 0.0, 0
    while i < len(both):
        j = i
        while j < len(both) and both[j][0] == both[i][0]:
            j += 1
        ranks += (i + j + 1) / 2 * sum(one for _, one in both[i:j])
        i = j
    n, m = len(positive), len(negative)
    return (ranks - n * (n + 1) / 2) / (n * m)


def tpr_at(positive: Sequence[float], negative: Sequence[float], fpr: float = 0.01) -> float | None:
    """Return the largest share of positives above a cut that at most `fpr` of negatives pass."""
    if not positive or not negative:
        return None
    allowed = math.floor(fpr * len(negative))
    cut = sorted(negative, reverse=True)[allowed]
    return sum(score > cut for score in positive) / len(positive)


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of what is there; None where nothing is."""
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


Statistic = Callable[[Sequence[int]], float | None]
"""A figure from the persons drawn, by their numbers, with repeats."""


def interval(
    statistic: Statistic, persons: int, seed: int = 0, draws: int = DRAWS
) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of a statistic by drawing persons with replacement."""
    rng = random.Random(f"{seed}/bootstrap/{persons}")
    drawn = [statistic(rng.choices(range(persons), k=persons)) for _ in range(draws)]
    found = sorted(value for value in drawn if value is not None)
    if persons < 2 or len(found) < draws // 2:
        return None
    return found[int(0.025 * len(found))], found[min(len(found) - 1, int(0.975 * len(found)))]


def of_means(values: Sequence[float | None]) -> Statistic:
    """Return the mean of a value per person as a statistic."""
    return lambda drawn: mean([values[i] for i in drawn])


def difference(a: Sequence[float | None], b: Sequence[float | None]) -> Statistic:
    """Return the mean of a − b over the same persons as a statistic."""
    pairs = [None if x is None or y is None else x - y for x, y in zip(a, b, strict=True)]
    return of_means(pairs)


Table = Mapping[str, Sequence[float | None]]
