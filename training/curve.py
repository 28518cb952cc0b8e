"""How much case reports teach: the learning curve, and how evenly strings are marked.

    python training/curve.py FOLDER [--fold K …]

FOLDER holds word clusters made without each fold (`c0.npz` …, `clusters.py --fold K`). The chain of
case reports and its judge are learned from a quarter, half, three quarters, all of the reports of
four folds, at last with our own (`reports.py`), and read those of the fifth: F1 of spans of one
type with the same ends, and of those that touch, the model alone, weights not rounded. Fold 0 is
the one whose reports whoever wrote ours had before them: see without it, too (`--fold 1 2 3 4`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import md5
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.ner import features, span_selection
from training import chain, clusters, data, judge, train

FAMILY = judge.FAMILY
STEPS = (0.25, 0.5, 0.75, 1.0)
"""Shares of the reports."""
LABELS = ("", *data.FAMILIES[FAMILY])


def drawn(reports: Sequence[judge.Report], share: float) -> list[judge.Report]:
    """Return a share of the reports, each step a part of the next."""
    ranked = sorted(reports, key=lambda one: md5(one[0].encode()).digest())
    return ranked[: round(share * len(reports))]


def read_by(
    known: Sequence[judge.Report],
    ours: Sequence[judge.Report],
    unseen: Sequence[judge.Report],
    common: Mapping[str, int],
    before: chain.Learned,
) -> np.ndarray:
    """Learn from reports and return by type what `count` counts in the unseen ones."""
    rows = [row for one in known for row in data.rows_of(*one, FAMILY, 0)]
    rows += [row for one in ours for row in data.rows_of(*one, FAMILY, -1)]
    settings: dict[str, Any] = train.SETTINGS[FAMILY]
    judged = judge.learn(known, ours, common, before, train.LIKE, **settings)
    texts = [features.split(text) for _, text, _ in unseen]
    whole = [data.Row(split[0], [""] * len(split[0]), 0) for split in texts]
    encoded = chain.encode([*rows, *whole], common, rare=1, without=train.not_seen(FAMILY))
    number = {label: k for k, label in enumerate(LABELS)}
    learned = chain.learn(
        replace(encoded, starts=encoded.starts[:len(rows)], sizes=encoded.sizes[:len(rows)]),
        [[number[at] for at in row.labels] for row in rows],
        len(LABELS), before=before, **settings,
    )  # fmt: skip
    of = span_selection.Judge(
        0, 0, judged["weights"], judged["table"], judged["unknown"], judge.LEAST
    )
    counts = np.zeros((len(judge.TYPES), 5))
    for at, ((split, starts, ends), (_, _, spans)) in enumerate(zip(texts, unseen, strict=True)):
        gold = judge.marked(starts, ends, spans, train.LIKE)
        found = judge.candidates(encoded, len(rows) + at, learned, split, LABELS)
        taken = [
            (i, j, span_selection.TYPES[label])
            for i, j, label, _ in span_selection.choose(split, found, of)
        ]
        count(counts, gold, taken)
    return counts


def count(counts: np.ndarray, gold: judge.Marked, found: Sequence[tuple[int, int, int]]) -> None:
    """Add to the counts of each type: marked, found, with the same ends; touched, touching."""
    for kind in range(len(judge.TYPES)):
        marked = [span for span, of in gold.items() if of == kind]
        got = [(i, j) for i, j, of in found if of == kind]
        counts[kind] += (
            len(marked),
            len(got),
            len(set(marked) & set(got)),
            sum(any(i < z and a < j for i, j in got) for a, z in marked),
            sum(any(i < z and a < j for a, z in marked) for i, j in got),
        )


def figures(counts: np.ndarray) -> str:
    """Return F1 of exact and of touching spans for each type: conditions, then treatments."""
    rows = []
    for marked, found, right, met, touching in counts:
        recall, precision = met / marked, touching / max(found, 1)
        rows.append(
            f"{2 * right / (marked + found):.3f} "
            f"{2 * recall * precision / max(recall + precision, 1e-9):.3f}"
        )
    return "   ".join(rows)


def strings(reports: Sequence[judge.Report]) -> None:
    """Print how many treatments are marked as others are: what any learner is up against."""
    marked: Counter[str] = Counter()
    where: dict[str, set[str]] = {}
    for name, text, spans in reports:
        for start, end, label in spans:
            if train.LIKE.get(data.MAPS.get(label, label)) == "TREATMENT":
                said = text[start:end].lower()
                marked[said] += 1
                where.setdefault(said, set()).add(name)
    again = sum(n for said, n in marked.items() if len(where[said]) > 1)
    lone = sum(len(of) == 1 for of in where.values())
    print(
        f"{sum(marked.values())} treatments marked, {len(marked)} strings, {lone} of them in one "
        f"report; {again} marks are of a string that another report marks, too"
    )


def main() -> None:
    """Print the curve."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fold", type=int, nargs="*", default=[*range(data.FOLDS)])
    given = parser.parse_args()
    every = [(one[:3], one[3]) for one in data.reports()]
    strings([one for one, _ in every])
    ways = [(share, ours) for share in STEPS for ours in (False, True) if share == 1 or not ours]
    own = [one[:3] for one in data.own_reports()]
    total = {way: np.zeros((len(judge.TYPES), 5)) for way in ways}
    sizes: dict[tuple[float, bool], list[int]] = {way: [] for way in ways}
    for fold in given.fold:
        clusters.use(given.folder / f"c{fold}.npz")
        rows = train.read(fold)
        common = train.vocabulary(row for of in rows.values() for row in of)
        learned = {"clinical": train.train("clinical", rows["clinical"], common, {})}
        before = train.begun(FAMILY, learned)
        known = [one for one, of in every if of != fold]
        unseen = [one for one, of in every if of == fold]
        for way in ways:
            some = drawn(known, way[0])
            sizes[way].append(len(some))
            total[way] += read_by(some, own if way[1] else [], unseen, common, before)
        print(f"fold {fold}", flush=True)
    print(f"{'reports':22} conditions: exact, touching   treatments")
    for way in ways:
        name = f"{np.mean(sizes[way]):.0f}" + " and our own" * way[1]
        print(f"{name:22} {figures(total[way])}")


if __name__ == "__main__":
    main()
