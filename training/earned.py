"""Which rules earned their place without a fold: so a figure on the fold flatters none of them.

A rule earns its place by three true finds on the other four folds, in sets that it was not written
on, or by the public format that its row names (`benchmarks/yields.py` counts). On the fold all
other rules are switched off: what they propose is dropped before it is resolved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from benchmarks import annotated, yields
from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve import LEARNED
from training import data

Rule = tuple[str, str]
"""Detector and name of a rule."""
LEAST = 3
"""True finds by which a rule earns its place."""


def folds_of(name: str, truths: Iterable[annotated.Truth]) -> dict[str, int]:
    """Return the fold of each document of a set, by id."""
    if name in ("eds_pseudo", "presidio_synth", "presidio_large"):
        return data.template_folds(name)
    of = data.fold_of_text if name == "own" else data.fold_of
    return {one.id: of(one.id) for one in truths}


def true_finds(names: Iterable[str] = annotated.SETS) -> dict[int, Counter[Rule]]:
    """Return how many true finds each rule has in each fold of some sets.

    Only sets count that no rule was written on (`yields.WRITTEN_ON`).
    """
    counts: dict[int, Counter[Rule]] = {fold: Counter() for fold in range(data.FOLDS)}
    settings = Settings(detector="rules")
    for name in (one for one in names if one not in yields.WRITTEN_ON):
        if not annotated.place(name).is_file():
            continue
        truths = annotated.read(name)
        folds = folds_of(name, truths)
        types = {mark.type for one in truths for mark in one.marked if mark.type}
        for one in truths:
            marks = [(m.start, m.end, m.type) for m in one.marked if not m.ignore]
            text = yields.Marked(name, "", one.text, marks)
            for found in yields.candidates(one.text, settings)[1]:
                if yields.judge(text, found, types) in {"true", "untyped"}:
                    counts[folds[one.id]][found.detector, found.rule] += 1
    return counts


def earned_without(fold: int, counts: Mapping[int, Counter[Rule]]) -> frozenset[Rule]:
    """Return the rules that earned their place on the other folds, or have a public format."""
    seen = sum((found for other, found in counts.items() if other != fold), Counter[Rule]())
    sourced = {("patterns", name) for name in yields.sourced()}
    return frozenset({rule for rule, n in seen.items() if n >= LEAST} | sourced)


class Candidates:
    """Stands in for detection's search for candidates; what it found once is found again."""

    def __init__(self, find: Any) -> None:
        self._find = find
        self._seen: dict[tuple[Any, ...], list[list[Candidate]]] = {}
        self.allowed: frozenset[Rule] | None = None
        """The rules whose candidates count, None for all; the tagger's count always."""

    def __call__(self, texts: Any, *given: Any) -> list[list[Candidate]]:
        """Return the candidates of some texts."""
        key = tuple(reading.text for reading, _ in texts)
        if key not in self._seen:
            self._seen[key] = self._find(texts, *given)
        return [[one for one in row if self._counts(one)] for row in self._seen[key]]

    def _counts(self, one: Candidate) -> bool:
        if self.allowed is None or one.detector == LEARNED:
            return True
        return (one.detector, one.rule) in self.allowed


@contextmanager
def remembered() -> Iterator[Candidates]:
    """Remember the candidates of each text, and let some rules be switched off."""
    find = detect.find_candidates
    found = Candidates(find)
    detect.find_candidates = found
    try:
        yield found
    finally:
        detect.find_candidates = find
