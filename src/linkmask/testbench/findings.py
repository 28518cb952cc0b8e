"""Turns a cell's raw findings into a value per person and measure; None means unknown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from linkmask.testbench.measures import mean

Raw = Mapping[str, Any]
Values = list[float | None]
Weights = Sequence[Sequence[float]]
"""Weights of each person's values."""

MEASURED = ("rouge1", "f1", "contains", "judge", "bertscore", "recall", "ndcg")
"""What is measured of an answer to a question of the corpus."""


def share(weights: Sequence[float], found: Iterable[int]) -> float | None:
    """Return the weighted share of values that was found; None where there are none."""
    total = sum(weights)
    return sum(weights[n] for n in sorted(set(found))) / total if total else None


def per_person(raw: Raw, weights: Weights, *, texts: bool = False) -> dict[str, Values]:
    """Return every measure that each person has a value of.

    Args:
        texts: the attacker read the texts themselves, so the measure is exposure and not leak.
    """
    persons: list[Raw] = raw["persons"]
    first = persons[0] if persons else {}
    found: dict[str, Values] = {}
    if "leaked" in first:
        names = ("exposure", "scoped") if texts else ("leak", "attributed")
        for name, key in zip(names, ("leaked", "attributed"), strict=True):
            found[name] = [share(w, p[key]) for w, p in zip(weights, persons, strict=True)]
    if "judged" in first:
        pairs = zip(weights, persons, strict=True)
        found["judged"] = [None if p["judged"] is None else share(w, p["judged"]) for w, p in pairs]
    if "wrong" in first:
        found |= _corrected(persons, weights)
    for name, key in (("rank1", "hits"), ("rank1_decoys", "decoys")):
        if key in first:
            found[name] = [p[key] / p["of"] if p["of"] else None for p in persons]
    for name in first.get("rates", {}):
        found[name] = [p["rates"][name] for p in persons]
    if "questions" in raw:
        asked: dict[int, list[Raw]] = defaultdict(list)
        for row in raw["questions"]:
            asked[row["person"]].append(row)
        for name in MEASURED:
            found[name] = [mean([row.get(name) for row in asked[n]]) for n in range(len(persons))]
    return found


def _corrected(persons: Sequence[Raw], weights: Weights) -> dict[str, Values]:
    """Return the share of absent values that were confirmed, and the share of Yes beyond that.

    `corrected` counts values, `leak_corrected` their weights; an absent value weighs as the value
    of its type that it stands for.
    """
    found: dict[str, Values] = {"fpr": [], "corrected": [], "leak_corrected": []}
    for person, weight in zip(persons, weights, strict=True):
        there = _answered(person["members"])
        absent = _answered(person["others"])
        rates = _rate(person["leaked"], there), _rate(person["wrong"], absent)
        heavy = _rate(person["leaked"], there, weight), _rate(person["wrong"], absent, weight)
        found["fpr"].append(rates[1])
        found["corrected"].append(beyond(*rates))
        found["leak_corrected"].append(beyond(*heavy))
    return found


def _answered(scores: Sequence[float | None]) -> list[int]:
    return [number for number, score in enumerate(scores) if score is not None]


def _rate(
    yes: Iterable[int], asked: Sequence[int], weights: Sequence[float] | None = None
) -> float | None:
    total = sum(weights[n] if weights else 1.0 for n in asked)
    return sum(weights[n] if weights else 1.0 for n in sorted(yes)) / total if total else None


def beyond(tpr: float | None, fpr: float | None) -> float | None:
    """Return the share of Yes that is more than guessing: (TPR − FPR) / (1 − FPR), not below 0."""
    if tpr is None or fpr is None or fpr >= 1:
        return None
    return max(0.0, (tpr - fpr) / (1 - fpr))
