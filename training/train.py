"""Train the model that ships with the package: one linear chain per family, all in one file.

    python training/train.py [--fold K [--clusters FILE]] [--out FILE]

With `--fold K` everything of fold K is left out, to measure on it. The same data and versions give
the same weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.ner import features, scoring
from linkmask.detect.ner import model as shipped
from training import chain, clusters, data, manner

FREQUENT = 600
"""Words that are combined with their neighbours as themselves."""
COUNTED = [one for one in data.FAMILIES if data.OF_LOCALES.get(one, "names") == "names"]
"""Families whose words count for that: in the languages of `data.LOCALES`, those of names alone, so
that their few texts count as often as others."""
SETTINGS = {
    "names": {"l1": 2.0},
    "clinical": {"l1": 2.0},
    "facts": {"l1": 2.0},
    "case": {"l1": 1.0},
    "report": {"l1": 0.4, "drop": 0.5},
    "matters": {"l1": 0.4},
    "parties": {"l1": 0.4},
    **{family: {"l1": 0.4} for family in data.OF_LOCALES},
}
BIAS = {
    "names": 4.0, "clinical": 0.5, "facts": 1.5, "case": -0.3, "report": 0.9, "matters": 2.8,
    "parties": 2.0,
}  # fmt: skip
BIAS |= {family: BIAS[usual] for family, usual in data.OF_LOCALES.items()}
"""What is taken off "nothing" when a text is read: a name missed is worse than one too many.

Chosen by what masking leaves exposed, with the curves of unseen folds in sight. Below 0 for
"case", learned from few texts.
"""
LEAST = {"names": 0.1} | {one: 0.15 for one in COUNTED if one.startswith("names-")}
"""How likely a word must be to bear some label of a family, where the best path gives it one.

A bias counts for each word, so that long runs of unlikely words come cheap ("5 Musicians Of The 70s
You're Supposed To Hate"). Here it only says where to look; the chance decides, word by word.
"""
LEAST_OF = {"report": {"names": 0.2}}
"""The same where it differs for a kind of text: there are few names in reports."""
LABEL_BIAS = {
    ("facts", "DEM"): -2.2, ("matters", "DEM"): -2.4, ("matters", "MATTER"): -0.5,
}  # fmt: skip
"""What is added to a label of a family: its bias is not for those that are too often wrong."""
BEFORE = {"report": ("clinical", 0.7), "matters": ("facts", 0.7), "parties": ("names", 0.7)}
BEFORE |= {family: (usual, 0.7) for family, usual in data.OF_LOCALES.items()}
"""Where a family's weights begin: at such a share of those of another."""
LIKE = {
    "DISEASE": "MEDICAL_CONDITION",
    "SIGN": "MEDICAL_CONDITION",
    "DRUG": "TREATMENT",
    "PROCEDURE": "TREATMENT",
    "AMOUNT": "QUANTITY",
}
"""Label → the other family's whose weights it begins at, where it has another name."""
MEDICINE = frozenset({"report"})
"""Families that see the lists of medicine. What other texts mark as treatments are substances most
of all, so that their chains would learn that a device is none."""
BLIND = 0.85
"""Share of the words, row by row, that families with names read as if the gazetteer lacked them: a
chain that always sees it learns that a name in no list is none. The others do not see it at all."""
SMALLEST = 0.04
"""Weights below this are dropped."""


def vocabulary(rows: Iterable[data.Row]) -> dict[str, int]:
    """Return the most frequent words and marks, lower-cased."""
    counts = Counter(word.lower() for row in rows for word in row.words if not word.isdigit())
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    return dict.fromkeys(ranked[:FREQUENT], 1)


def train(
    family: str,
    rows: list[data.Row],
    common: Mapping[str, int],
    learned: Mapping[str, chain.Learned],
) -> chain.Learned:
    """Train one family; its labels are numbered from 1 in their order, 0 is nothing."""
    before = begun(family, learned) if family in BEFORE else None
    encoded = chain.encode(
        rows,
        common,
        rare=1 if before else chain.RARE,
        without=not_seen(family),
        blind=BLIND,
    )
    number = {label: k for k, label in enumerate(("", *data.FAMILIES[family]))}
    return chain.learn(
        encoded,
        [[number[at] for at in row.labels] for row in rows],
        len(number),
        before=before,
        **SETTINGS[family],
    )


def not_seen(family: str) -> tuple[str, ...]:
    """Return the beginnings of the features that a family does not see."""
    medicine = () if family in MEDICINE else ("m=",)
    of_names = () if "NAME" in data.FAMILIES[family] else (features.GAZETTEER, features.WORD)
    return (*medicine, *of_names)


def begun(family: str, learned: Mapping[str, chain.Learned]) -> chain.Learned:
    """Return where a family's weights begin: at those of another, of labels that are alike."""
    other, share = BEFORE[family]
    there = {label: k for k, label in enumerate(("", *data.FAMILIES[other]))}
    of = [there.get(LIKE.get(label, label), -1) for label in ("", *data.FAMILIES[family])]
    return learned[other].spread(share, of)


def export(
    families: Mapping[str, chain.Learned],
    common: Mapping[str, int],
    telling: Mapping[str, Mapping[str, float]],
    path: Path,
) -> None:
    """Write the weights as arrays: names and key numbers, int8 weights, a scale.

    `telling` has the words' weights of each kind of text that is read apart.
    """
    labels: list[str] = []
    spans: list[tuple[int, int]] = []
    for family in families:
        start = len(labels)
        labels += ["O", *data.FAMILIES[family]]
        spans.append((start, len(labels)))
    state: dict[str, np.ndarray] = {}
    transitions = np.zeros((len(labels), len(labels)))
    for (start, end), learned in zip(spans, families.values(), strict=True):
        transitions[start:end, start:end] = learned.transitions
        for row in np.flatnonzero(np.abs(learned.state).max(1) >= SMALLEST):
            weights = learned.state[row]
            columns = state.setdefault(learned.names[row], np.zeros(len(labels)))
            columns[start:end] = np.where(np.abs(weights) >= SMALLEST, weights, 0)
    single = sorted(name for name in state if "\t" not in name)
    combined = sorted(name for name in state if "\t" in name)
    terms = sorted({part for name in combined for part in name.split("\t")[1:]})
    number = {name: k for k, name in enumerate(terms, 1)}
    row_of = {short: row for row, (short, _, _) in enumerate(features.COMBINED)}
    keys = np.array(
        [
            (scoring.pair if len(parts) == 2 else scoring.triple)(
                row_of[short], *(number[part] for part in parts)
            )
            for short, *parts in (name.split("\t") for name in combined)
        ],
        np.int64,
    )
    weights = np.array([state[name] for name in single])
    pairs = np.array([state[name] for name in combined])
    kept = _placed(keys, pairs)
    scale = max(np.abs(weights).max(), np.abs(pairs).max()) / 127
    meta = {"labels": labels, "families": spans, "terms": terms, "unit": float(scale)}
    meta |= {"vocabulary": sorted(common), "bias": [], "least": []}
    for kind in ("", *telling):
        each = [thresholds(kind, family) for family in families]
        meta["bias"].append([value for bias, _ in each for value in bias])
        meta["least"].append([value for _, least in each for value in least])
    place = {family: at for at, family in enumerate(families)}
    usual = [family for family in families if family not in data.APART]
    meta["usual"] = [place[family] for family in usual]
    meta["manners"] = [
        {
            "words": words_of,
            "each": manner.EACH[kind],
            "in_all": manner.IN_ALL[kind],
            "families": [place[data.MANNERS[kind].get(family, family)] for family in usual],
        }
        for kind, words_of in telling.items()
    ]
    np.savez_compressed(
        path,
        meta=np.frombuffer(json.dumps(meta, ensure_ascii=False).encode(), np.uint8),
        names=np.frombuffer("\n".join(single).encode(), np.uint8),
        weights=np.round(weights / scale).astype(np.int8),
        combined=np.round(pairs[kept] / scale).astype(np.int8),
        keys=keys[kept],
        transitions=np.round(transitions / scale).astype(np.int16),
    )


def thresholds(kind: str, family: str) -> tuple[list[float], list[float]]:
    """Return bias and least chance of each label of a family, "nothing" first, in a kind of text.

    The usual kind is "".
    """
    labels = data.FAMILIES[family]
    least = (LEAST | LEAST_OF.get(kind, {})).get(family, 0.0)
    bias = [-BIAS[family], *(LABEL_BIAS.get((family, label), 0.0) for label in labels)]
    return bias, [least] * len(bias)


def _placed(keys: np.ndarray, weights: np.ndarray) -> list[int]:
    """Return the rows that find a place in the table of combinations, the heaviest first served."""
    slots: Counter[int] = Counter()
    kept = []
    for row in np.argsort(-np.abs(weights).max(1), kind="stable"):
        place = int(keys[row]) % scoring.SLOTS
        if slots[place] < scoring.DEPTH:
            slots[place] += 1
            kept.append(int(row))
    return sorted(kept, key=lambda row: keys[row])


def read(fold: int | None) -> dict[str, list[data.Row]]:
    """Return what each family is learned from, without a fold; all of it for None."""
    return {
        family: [row for row in data.rows(family) if row.fold != fold] for family in data.FAMILIES
    }


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--fold", type=int, help="leave this fold out; else all is read")
    parser.add_argument("--out", type=Path, default=shipped.FILE)
    parser.add_argument("--clusters", type=Path, help="word clusters that were made without it")
    given = parser.parse_args()
    if given.clusters:
        clusters.use(given.clusters)
    rows = read(given.fold)
    common = vocabulary(row for family in COUNTED for row in rows[family])
    learned: dict[str, chain.Learned] = {}
    for family, of in rows.items():
        start = process_time()
        learned[family] = train(family, of, common, learned)
        size = sum(len(row.words) for row in of)
        taken = process_time() - start
        print(f"{family}: {size:,} words, {taken:.0f} s", flush=True)
    export(
        learned,
        common,
        {kind: manner.weights(kind, given.fold) for kind in manner.MARKS},
        given.out,
    )
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
