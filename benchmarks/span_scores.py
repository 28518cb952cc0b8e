"""Counts how many marks a detector finds, and makes figures of the counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.annotated import OTHERS, Marked, Span, Truth, joined

from linkmask.config import Settings

SMALL = frozenset(
    "a an the of and or in at on to for from by with de du des la le les l d et à au aux en der "
    "die das den dem und von im am zu mr mrs ms miss sir m mme mlle dr herr frau".split()
)
"""Words that give nothing away where they alone are left of a mention: articles, titles."""
WORD = re.compile(r"[^\W_]+")
CLINICAL = {"MEDICAL_CONDITION", "TREATMENT"}
"""Types that are also counted together, where a set marks both."""

FLOOR = frozenset(Settings().floor)
"""Types that are always masked."""


@dataclass
class Score:
    """Counts over a set; the figures are made of them by `figures`."""

    documents: int = 0
    characters: int = 0
    seconds: float = 0.0
    covered: int = 0
    marked: int = 0
    found: int = 0
    right: int = 0
    found_of_types: int = 0
    right_of_types: int = 0
    half: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)
    mentions: Counter[str] = field(default_factory=Counter)
    always: Counter[str] = field(default_factory=Counter)
    floor: Counter[str] = field(default_factory=Counter)
    safe: Counter[str] = field(default_factory=Counter)
    entities: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)
    touched: Counter[str] = field(default_factory=Counter)
    touching: Counter[str] = field(default_factory=Counter)
    finds: Counter[str] = field(default_factory=Counter)
    truths: Counter[str] = field(default_factory=Counter)


def add(score: Score, one: Truth, finds: Sequence[Span], types: set[str], merge: set[str]) -> None:
    """Count one document's finds against what is marked in it."""
    marks, known, always = (bytearray(len(one.text)) for _ in range(3))
    for m in one.marked:
        for at in range(m.start, m.end):
            marks[at] |= 2 if m.ignore else 1
    for start, end, entity_type in finds:
        known[start:end] = (b"\x03" if entity_type in types else b"\x01") * (end - start)
        if entity_type in FLOOR:
            always[start:end] = b"\x01" * (end - start)
    for at, character in enumerate(one.text):
        if character.isspace():
            continue
        wanted = marks[at] & 1
        score.marked += wanted
        score.covered += wanted and bool(known[at])
        if known[at] and (wanted or not marks[at]):
            score.found += 1
            score.right += wanted
            if known[at] & 2:
                score.found_of_types += 1
                score.right_of_types += wanted
    open_entities: dict[tuple[str, str], bool] = {}
    for m in one.marked:
        if m.ignore:
            continue
        row = m.type or m.label
        score.mentions[row] += 1
        score.half[row] += 2 * sum(map(bool, known[m.start : m.end])) >= m.end - m.start
        whole = covered_whole(one.text, m, known)
        score.whole[row] += whole
        if m.type in FLOOR and m.identifier not in OTHERS:
            score.floor[row] += 1
            score.always[row] += covered_whole(one.text, m, always)
        if m.identifier in {"DIRECT", "QUASI"}:
            key = m.identifier, m.entity
            open_entities[key] = open_entities.get(key, True) and whole
    for (identifier, _), safe in open_entities.items():
        score.entities[identifier] += 1
        score.safe[identifier] += safe
    typed(score, one, finds, types, merge, marks)
    score.documents += 1
    score.characters += len(one.text)


def covered_whole(text: str, m: Marked, known: bytearray) -> bool:
    """Is every word of a mention covered, except small ones?"""
    return all(
        all(known[m.start + word.start() : m.start + word.end()])
        or (word[0].lower() in SMALL and word.end() - word.start() < m.end - m.start)
        for word in WORD.finditer(text[m.start : m.end])
    )


def typed(
    score: Score,
    one: Truth,
    finds: Sequence[Span],
    types: set[str],
    merge: set[str],
    marks: bytearray,
) -> None:
    """Count typed agreement; a find on what is ignored or of no certain type is not wrong."""
    truths = joined(one, merge)
    exact = set(truths)
    for start, end, entity_type in truths:
        score.truths[entity_type] += 1
        score.touched[entity_type] += any(
            e > start and s < end and t == entity_type for s, e, t in finds
        )
    untyped = [(m.start, m.end) for m in one.marked if not m.type]
    for start, end, entity_type in finds:
        if entity_type not in types:
            continue
        hit = any(e > start and s < end and t == entity_type for s, e, t in truths)
        if not hit and any(e > start and s < end for s, e in untyped):
            continue
        score.finds[entity_type] += 1
        score.touching[entity_type] += hit
        score.exact[entity_type] += (start, end, entity_type) in exact


def ratio(part: float, whole: float) -> float | None:
    """Return part / whole, None where there is nothing."""
    return round(part / whole, 4) if whole else None


def f1(hits: int, recalled: int, finds: int, truths: int) -> float | None:
    """Return the harmonic mean of precision (hits of finds) and recall (recalled of truths)."""
    if not truths:
        return None
    precision, recall = hits / finds if finds else 0.0, recalled / truths
    return round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0


def figures(score: Score) -> dict[str, Any]:
    """Return all figures of a set as plain data."""
    groups: dict[str, Sequence[str]] = {name: (name,) for name in sorted(score.mentions)}
    if groups.keys() >= CLINICAL:
        groups["CLINICAL"] = sorted(CLINICAL)
    return {
        "documents": score.documents,
        "characters": score.characters,
        "char_recall": ratio(score.covered, score.marked),
        "char_precision": ratio(score.right, score.found),
        "char_precision_of_its_types": ratio(score.right_of_types, score.found_of_types),
        "mentions": ratio(score.half.total(), score.mentions.total()),
        "whole": ratio(score.whole.total(), score.mentions.total()),
        "always": ratio(score.always.total(), score.floor.total()),
        "direct": ratio(score.safe["DIRECT"], score.entities["DIRECT"]),
        "quasi": ratio(score.safe["QUASI"], score.entities["QUASI"]),
        **both_f1(score, list(score.finds | score.truths)),
        "mb_per_second": ratio(score.characters / 1e6, score.seconds),
        "types": {
            name: {
                "mentions": over(score.mentions, of),
                "half": ratio(over(score.half, of), over(score.mentions, of)),
                "whole": ratio(over(score.whole, of), over(score.mentions, of)),
                "always": ratio(over(score.always, of), over(score.floor, of)),
                **both_f1(score, of),
            }
            for name, of in groups.items()
        },
    }


def both_f1(score: Score, names: Sequence[str]) -> dict[str, float | None]:
    """Return F1 of the same span and type, and of a touching one, over some types together."""
    exact, touching, touched, finds, truths = (
        over(counts, names)
        for counts in (score.exact, score.touching, score.touched, score.finds, score.truths)
    )
    return {
        "f1": f1(exact, exact, finds, truths),
        "f1_touching": f1(touching, touched, finds, truths),
    }


def over(counts: Counter[str], names: Iterable[str]) -> int:
    """Return the sum of some counts."""
    return sum(counts[name] for name in names)


def measure(truths: Sequence[Truth], finds: Sequence[Sequence[Span]], merge: set[str]) -> Score:
    """Score the finds of a set."""
    types = {m.type for one in truths for m in one.marked if m.type}
    score = Score()
    for one, found in zip(truths, finds, strict=True):
        add(score, one, found, types, merge)
    return score
