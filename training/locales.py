"""Learn the families of `data.LOCALES` anew and put them into the shipped model beside the others.

    python training/locales.py [--fold K] [--out FILE]

The weights of all other families stay as they are, to the bit, so that nothing changes in texts of
other languages. The new ones begin at a share of these (`train.BEFORE`) and are drawn towards them.
`train.py` learns all families from the beginning. The same data and the same model to begin with
give the same weights. Cost: half a minute.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.ner import features, scoring
from linkmask.detect.ner import model as shipped
from training import chain, data, manner, train

KIND = "locale"
"""The kind of text that asks these families."""


class Stored:
    """The arrays of a model's file, and its weights by the names of features."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self.arrays = {name: stored[name] for name in stored.files}
        self.meta: dict[str, Any] = json.loads(bytes(self.arrays["meta"]).decode())
        self.single = bytes(self.arrays["names"]).decode().split("\n")
        self._without_locales()

    def _without_locales(self) -> None:
        """Leave out the columns of the families that are learned anew."""
        meta, usual = self.meta, len(data.FAMILIES) - len(data.OF_LOCALES)
        last = meta["families"][usual - 1][1]
        meta["families"], meta["labels"] = meta["families"][:usual], meta["labels"][:last]
        meta["manners"] = meta["manners"][: len(data.MANNERS) - 1]
        for name in ("bias", "least"):
            meta[name] = [row[:last] for row in meta[name][: len(data.MANNERS)]]
        for name in ("weights", "combined"):
            self.arrays[name] = self.arrays[name][:, :last]
        self.arrays["transitions"] = self.arrays["transitions"][:last, :last]

    def learned(self) -> dict[str, chain.Learned]:
        """Return the weights of each family."""
        names = [*self.single, *map(self.combination, self.arrays["keys"].tolist())]
        state = np.concatenate([self.arrays["weights"], self.arrays["combined"]])
        unit = self.meta["unit"]
        return {
            family: chain.Learned(
                names,
                (state[:, first:last] * unit).astype(np.float32),
                self.arrays["transitions"][first:last, first:last] * unit,
            )
            for family, (first, last) in zip(data.FAMILIES, self.meta["families"], strict=False)
        }

    def combination(self, key: int) -> str:
        """Return the name of a combination, as `chain.combinations` has it, by its key."""
        terms, short = ["", *self.meta["terms"]], features.COMBINED[key % 8]
        parts = [key // 8 // scoring.BASE**at % scoring.BASE for at in range(len(short[2]))]
        return "\t".join([short[0], *(terms[part] for part in parts)])


def add(stored: Stored, learned: Mapping[str, chain.Learned], words: Mapping[str, float]) -> None:
    """Put families into a model; `words` tell that a text asks them.

    A weight beyond the largest that a byte holds counts as that. A combination that finds no place
    in its table is left out, so that none of the others goes.
    """
    meta, unit = stored.meta, stored.meta["unit"]
    terms = {name: number for number, name in enumerate(["", *meta["terms"]])}
    row_of = {short: row for row, (short, _, _) in enumerate(features.COMBINED)}
    rows = {name: row for row, name in enumerate(stored.single)}
    keys = {key: row for row, key in enumerate(stored.arrays["keys"].tolist())}
    slots = Counter(key % scoring.SLOTS for key in keys)
    for family, one in learned.items():
        weights = np.where(np.abs(one.state) >= train.SMALLEST, one.state, 0)
        whole = np.clip(np.round(weights / unit), -127, 127).astype(np.int8)
        heaviest = np.argsort(-np.abs(weights).max(1), kind="stable")
        columns = {
            name: np.zeros((len(of), whole.shape[1]), np.int8)
            for name, of in (("weights", rows), ("combined", keys))
        }
        more: dict[str, list[Any]] = {"weights": [], "combined": []}
        for at in heaviest.tolist():
            if not whole[at].any():
                continue
            short, *parts = one.names[at].split("\t")
            if not parts:
                table, row = "weights", rows.setdefault(short, len(rows))
            else:
                ids = [terms.setdefault(part, len(terms)) for part in parts]
                key = (scoring.pair if len(ids) == 2 else scoring.triple)(row_of[short], *ids)
                if key not in keys:
                    if slots[key % scoring.SLOTS] == scoring.DEPTH:
                        continue
                    slots[key % scoring.SLOTS] += 1
                table, row = "combined", keys.setdefault(key, len(keys))
            if row < len(columns[table]):
                columns[table][row] = whole[at]
            else:
                more[table].append(whole[at])
        for table, column in columns.items():
            old = stored.arrays[table]
            new = np.array(more[table], np.int8).reshape(-1, column.shape[1])
            old = np.pad(old, ((0, len(new)), (0, 0)))
            stored.arrays[table] = np.hstack([old, np.concatenate([column, new])])
        _describe(stored, family, one)
    if len(terms) > scoring.BASE:
        raise SystemExit(f"{len(terms)} terms, more than the model can number")
    families = {family: at for at, family in enumerate(data.FAMILIES)}
    usual = [family for family in families if family not in data.APART]
    asked = [families[data.MANNERS[KIND].get(family, family)] for family in usual]
    meta["manners"].append(
        {
            "words": words,
            "each": manner.EACH[KIND],
            "in_all": manner.IN_ALL[KIND],
            "families": asked,
        }
    )
    for name in ("bias", "least"):
        meta[name].append(list(meta[name][0]))
    meta["terms"] = list(terms)[1:]
    stored.single = list(rows)
    stored.arrays["keys"] = np.array(list(keys), np.int64)


def _describe(stored: Stored, family: str, one: chain.Learned) -> None:
    """Write the labels, the transitions and the bias of a family behind those there."""
    meta, size = stored.meta, len(one.transitions)
    first = len(meta["labels"])
    meta["labels"] += ["O", *data.FAMILIES[family]]
    meta["families"].append([first, first + size])
    moves = np.pad(stored.arrays["transitions"], (0, size))
    moves[first:, first:] = np.round(one.transitions / meta["unit"]).astype(np.int16)
    stored.arrays["transitions"] = moves
    added = [train.LABEL_BIAS.get((family, label), 0.0) for label in data.FAMILIES[family]]
    for bias, least in zip(meta["bias"], meta["least"], strict=True):
        bias.extend([-train.BIAS[family], *added])
        least.extend([train.LEAST.get(family, 0.0)] * size)


def write(stored: Stored, path: Path) -> None:
    """Write a model's file."""
    meta = json.dumps(stored.meta, ensure_ascii=False).encode()
    stored.arrays["meta"] = np.frombuffer(meta, np.uint8)
    stored.arrays["names"] = np.frombuffer("\n".join(stored.single).encode(), np.uint8)
    np.savez_compressed(path, **stored.arrays)


def main() -> None:
    """Learn, add and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--fold", type=int, help="leave this fold of our own texts out")
    parser.add_argument("--out", type=Path, default=shipped.FILE)
    given = parser.parse_args()
    stored = Stored(shipped.FILE)
    learned = stored.learned()
    common = dict.fromkeys(stored.meta["vocabulary"], 1)
    for family in data.OF_LOCALES:
        rows = [row for row in data.rows(family) if row.fold != given.fold]
        learned[family] = train.train(family, rows, common, learned)
        print(f"{family}: {sum(len(row.words) for row in rows):,} words", flush=True)
    new = {family: learned[family] for family in data.OF_LOCALES}
    add(stored, new, manner.weights(KIND, given.fold))
    write(stored, given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
