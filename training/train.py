"""Train the model that ships with the package: one linear chain per family, all in one file.

    python training/train.py [--fold K] [--out FILE]

With `--fold K` everything of fold K is left out, to measure on it. Needs python-crfsuite (extra
`train`); the same data and versions give the same weights.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from time import perf_counter

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.ner import model as shipped
from linkmask.detect.ner import words
from training import data

NOTHING = "O"
FREQUENT = 600
"""Words that are combined with their neighbours as themselves."""
SETTINGS = {
    "names": {"c1": 0.15, "c2": 0.02, "max_iterations": 80, "feature.minfreq": 2},
    "clinical": {"c1": 0.15, "c2": 0.02, "max_iterations": 80, "feature.minfreq": 2},
    "facts": {"c1": 0.15, "c2": 0.02, "max_iterations": 80, "feature.minfreq": 2},
    "case": {"c1": 0.1, "c2": 0.05, "max_iterations": 100, "feature.minfreq": 2},
}
BIAS = {"names": 1.1, "clinical": 0.0, "facts": 1.4, "case": -1.0}
"""What is taken off "nothing" when a text is read: a name missed is worse than one too many.

Chosen on folds left out. Below 0 for "case", learned from few texts.
"""
LABEL_BIAS = {"DEM": -1.4}
"""What is added to a label: the family's bias is not for "demographic", too often wrong."""
SMALLEST = 0.04
"""Weights below this are dropped."""


@cache
def _attributes(word: str) -> tuple[list[str], ...]:
    return words.attributes(word)


def features(row: Sequence[str], vocabulary: dict[str, int]) -> list[list[str]]:
    """Return what is seen of each word of a row, as names."""
    padded = [words.BORDER] * 2 + list(row) + [words.BORDER] * 2
    seen = [_attributes(word) for word in padded]
    terms = [words.term(word, vocabulary) for word in padded]
    kinds = [f"<{words.kind(word)}>" for word in padded]
    result = []
    for i in range(2, len(padded) - 2):
        names = [
            f"{at}{name}"
            for at, offset in enumerate(words.OFFSETS)
            for name in seen[i + offset][at]
        ]
        for short, what, offsets in words.COMBINED:
            of = terms if what == "t" else kinds
            names.append(short + "\t" + "\t".join(of[i + offset] for offset in offsets))
        result.append(names)
    return result


def vocabulary(rows: Iterable[data.Row]) -> dict[str, int]:
    """Return the most frequent words and marks, lower-cased."""
    counts = Counter(word.lower() for row in rows for word in row.words if not word.isdigit())
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    return dict.fromkeys(ranked[:FREQUENT], 1)


def train(family: str, rows: list[data.Row], common: dict[str, int]) -> dict[str, dict]:
    """Train one family; return its state and transition weights by name."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for row in rows:
        trainer.append(features(row.words, common), [label or NOTHING for label in row.labels])
    trainer.set_params(SETTINGS[family])
    with tempfile.NamedTemporaryFile(suffix=".crfsuite") as scratch:
        trainer.train(scratch.name)
        tagger = pycrfsuite.Tagger()
        tagger.open(scratch.name)
        info = tagger.info()
        return {"state": dict(info.state_features), "transitions": dict(info.transitions)}


def export(families: dict[str, dict], common: dict[str, int], path: Path) -> None:
    """Write the weights as arrays: names and key numbers, int8 weights, a scale."""
    labels: list[str] = []
    spans: list[tuple[int, int]] = []
    for family in families:
        start = len(labels)
        labels += [NOTHING, *data.FAMILIES[family]]
        spans.append((start, len(labels)))
    state: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(len(labels)))
    transitions = np.zeros((len(labels), len(labels)))
    for (start, _), (family, learned) in zip(spans, families.items(), strict=True):
        column = {name: start + k for k, name in enumerate([NOTHING, *data.FAMILIES[family]])}
        for (name, label), weight in learned["state"].items():
            if abs(weight) >= SMALLEST:
                state[name][column[label]] = weight
        for (one, other), weight in learned["transitions"].items():
            transitions[column[one], column[other]] = weight
    single = sorted(name for name in state if "\t" not in name)
    combined = sorted(name for name in state if "\t" in name)
    terms = sorted({part for name in combined for part in name.split("\t")[1:]})
    number = {name: k for k, name in enumerate(terms, 1)}
    row_of = {short: row for row, (short, _, _) in enumerate(words.COMBINED)}
    keys = np.array(
        [
            (shipped.pair if len(parts) == 2 else shipped.triple)(
                row_of[short], *(number[part] for part in parts)
            )
            for short, *parts in (name.split("\t") for name in combined)
        ],
        np.int64,
    )
    weights = np.array([state[name] for name in single])
    pairs = np.array([state[name] for name in combined])
    order = np.argsort(-np.abs(pairs).max(1), kind="stable")
    slots: Counter[int] = Counter()
    kept = []
    for k in order:
        place = int(keys[k]) % shipped.SLOTS
        if slots[place] < shipped.DEPTH:
            slots[place] += 1
            kept.append(int(k))
    kept.sort(key=lambda k: keys[k])
    scale = max(np.abs(weights).max(), np.abs(pairs).max()) / 127
    meta = {"labels": labels, "families": spans, "terms": terms, "unit": float(scale)}
    bias = [0.0] * len(labels)
    for (start, _), family in zip(spans, families, strict=True):
        bias[start] = -BIAS[family]
    for label, by in LABEL_BIAS.items():
        bias[labels.index(label)] = by
    meta |= {"vocabulary": sorted(common), "bias": bias}
    np.savez_compressed(
        path,
        meta=np.frombuffer(json.dumps(meta, ensure_ascii=False).encode(), np.uint8),
        names=np.frombuffer("\n".join(single).encode(), np.uint8),
        weights=np.round(weights / scale).astype(np.int8),
        combined=np.round(pairs[kept] / scale).astype(np.int8),
        keys=keys[kept],
        transitions=np.round(transitions / scale).astype(np.int16),
    )


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--fold", type=int, default=-1, help="leave this fold out")
    parser.add_argument("--out", type=Path, default=shipped.FILE)
    parser.add_argument("--scratch", type=Path, help="keep each family's weights, use kept ones")
    given = parser.parse_args()
    rows = {family: list(data.rows(family)) for family in data.FAMILIES}
    common = vocabulary(row for of in rows.values() for row in of)
    learned = {}
    if given.scratch:
        given.scratch.mkdir(exist_ok=True)
        kept = given.scratch / "vocabulary.json"
        if not kept.is_file():
            kept.write_text(json.dumps(common))
        common = json.loads(kept.read_text())
    for family, of in rows.items():
        start = perf_counter()
        kept = given.scratch / f"{family}-{given.fold}.json" if given.scratch else None
        if kept and kept.is_file():
            stored = json.loads(kept.read_text())
            learned[family] = {
                part: {(a, b): weight for a, b, weight in items} for part, items in stored.items()
            }
            continue
        used = [row for row in of if row.fold != given.fold]
        learned[family] = train(family, used, common)
        if kept:
            flat = {p: [[*k, v] for k, v in items.items()] for p, items in learned[family].items()}
            kept.write_text(json.dumps(flat))
        size = sum(len(row.words) for row in used)
        print(
            f"{family}: {size:,} words, {len(learned[family]['state']):,} weights,"
            f" {perf_counter() - start:.0f} s",
            flush=True,
        )
    export(learned, common, given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
