"""Learn some families anew and put them into the shipped model beside the others.

    python training/families.py [FAMILY…] [--fold K] [--clusters FILE] [--model FILE] [--out FILE]

Without a name, all families are learned. The weights of all other families stay as they are, to the
bit, so that nothing else changes, and so does the list of frequent words (`train.vocabulary`). A
family that begins at a share of another's weights (`train.BEFORE`) begins at those in the file.
`train.py` learns all families from the beginning. The same data and the same model to begin with
give the same weights. Cost: half a minute for the families of `data.LOCALES`, a minute for names.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.ner import features, scoring
from linkmask.detect.ner import model as shipped
from training import chain, clusters, data, manner, train

KIND = "locale"
"""The kind of text that asks the families of `data.LOCALES`."""


class Stored:
    """The arrays of a model's file, and its weights by the names of features."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as stored:
            self.arrays = {name: stored[name] for name in stored.files}
        self.meta: dict[str, Any] = json.loads(bytes(self.arrays["meta"]).decode())
        self.single = bytes(self.arrays["names"]).decode().split("\n")

    def columns(self, family: str) -> slice:
        """Return where the weights of a family stand."""
        first, last = self.meta["families"][list(data.FAMILIES).index(family)]
        return slice(first, last)

    def learned(self) -> dict[str, chain.Learned]:
        """Return the weights of each family."""
        names = [*self.single, *map(self.combination, self.arrays["keys"].tolist())]
        state = np.concatenate([self.arrays["weights"], self.arrays["combined"]])
        unit, moves = self.meta["unit"], self.arrays["transitions"]
        return {
            family: chain.Learned(
                names, (state[:, at] * unit).astype(np.float32), moves[at, at] * unit
            )
            for family in data.FAMILIES
            for at in [self.columns(family)]
        }

    def combination(self, key: int) -> str:
        """Return the name of a combination, as `chain.combinations` has it, by its key."""
        terms, short = ["", *self.meta["terms"]], features.COMBINED[key % 8]
        parts = [key // 8 // scoring.BASE**at % scoring.BASE for at in range(len(short[2]))]
        return "\t".join([short[0], *(terms[part] for part in parts)])

    def clear(self, families: Iterable[str]) -> None:
        """Drop the weights of some families, and the features that no other family sees."""
        for table in ("weights", "combined"):
            for family in families:
                self.arrays[table][:, self.columns(family)] = 0
        seen, combined = (self.arrays[table].any(1) for table in ("weights", "combined"))
        self.single = [name for name, kept in zip(self.single, seen, strict=True) if kept]
        self.arrays["weights"] = self.arrays["weights"][seen]
        self.arrays["combined"] = self.arrays["combined"][combined]
        self.arrays["keys"] = self.arrays["keys"][combined]


def put(stored: Stored, learned: Mapping[str, chain.Learned]) -> None:
    """Put families into a model in place of those of their names.

    A weight beyond the largest that a byte holds counts as that. A combination that finds no place
    in its table is left out, so that none of the others goes.
    """
    stored.clear(learned)
    terms = {name: number for number, name in enumerate(["", *stored.meta["terms"]])}
    rows = {name: row for row, name in enumerate(stored.single)}
    keys = {key: row for row, key in enumerate(stored.arrays["keys"].tolist())}
    slots = Counter(key % scoring.SLOTS for key in keys)
    for family, one in learned.items():
        _put(stored, family, one, terms, rows, keys, slots)
    if len(terms) > scoring.BASE:
        raise SystemExit(f"{len(terms)} terms, more than the model can number")
    stored.meta["terms"] = list(terms)[1:]
    stored.single = list(rows)
    stored.arrays["keys"] = np.array(list(keys), np.int64)


def _put(
    stored: Stored,
    family: str,
    one: chain.Learned,
    terms: dict[str, int],
    rows: dict[str, int],
    keys: dict[int, int],
    slots: Counter[int],
) -> None:
    """Put one family into a model, the heaviest weights first; add what it sees to the tables."""
    columns, unit = stored.columns(family), stored.meta["unit"]
    row_of = {short: row for row, (short, _, _) in enumerate(features.COMBINED)}
    weights = np.where(np.abs(one.state) >= train.SMALLEST, one.state, 0)
    whole = np.clip(np.round(weights / unit), -127, 127).astype(np.int8)
    added: dict[str, dict[int, Any]] = {"weights": {}, "combined": {}}
    for at in np.argsort(-np.abs(weights).max(1), kind="stable").tolist():
        if not whole[at].any():
            continue
        short, *parts = one.names[at].split("\t")
        if not parts:
            added["weights"][rows.setdefault(short, len(rows))] = whole[at]
            continue
        ids = [terms.setdefault(part, len(terms)) for part in parts]
        key = (scoring.pair if len(ids) == 2 else scoring.triple)(row_of[short], *ids)
        if key not in keys:
            if slots[key % scoring.SLOTS] == scoring.DEPTH:
                continue
            slots[key % scoring.SLOTS] += 1
        added["combined"][keys.setdefault(key, len(keys))] = whole[at]
    for (table, new), size in zip(added.items(), (len(rows), len(keys)), strict=True):
        old = stored.arrays[table]
        stored.arrays[table] = old = np.pad(old, ((0, size - len(old)), (0, 0)))
        if new:
            old[list(new), columns] = np.array(list(new.values()))
    moves = np.round(one.transitions / unit).astype(np.int16)
    stored.arrays["transitions"][columns, columns] = moves
    for at, kind in enumerate(("", *data.MANNERS)):
        bias, least = train.thresholds(kind, family)
        stored.meta["bias"][at][columns], stored.meta["least"][at][columns] = bias, least


def write(stored: Stored, path: Path) -> None:
    """Write a model's file."""
    meta = json.dumps(stored.meta, ensure_ascii=False).encode()
    stored.arrays["meta"] = np.frombuffer(meta, np.uint8)
    stored.arrays["names"] = np.frombuffer("\n".join(stored.single).encode(), np.uint8)
    np.savez_compressed(path, **stored.arrays)


def main() -> None:
    """Learn, put and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("families", nargs="*", help=", ".join(data.FAMILIES))
    parser.add_argument("--fold", type=int, help="leave this fold out")
    parser.add_argument("--clusters", type=Path, help="word clusters that were made without it")
    parser.add_argument("--model", type=Path, default=shipped.FILE, help="the model to begin with")
    parser.add_argument("--out", type=Path, default=shipped.FILE)
    given = parser.parse_args()
    if given.clusters:
        clusters.use(given.clusters)
    stored = Stored(given.model)
    learned = stored.learned()
    common = dict.fromkeys(stored.meta["vocabulary"], 1)
    if unknown := set(given.families) - data.FAMILIES.keys():
        parser.error(f"no such family: {', '.join(sorted(unknown))}")
    families = [one for one in data.FAMILIES if one in given.families or not given.families]
    for family in families:
        rows = [row for row in data.rows(family) if row.fold != given.fold]
        learned[family] = train.train(family, rows, common, learned)
        print(f"{family}: {sum(len(row.words) for row in rows):,} words", flush=True)
    put(stored, {family: learned[family] for family in families})
    if not data.OF_LOCALES.keys().isdisjoint(families):
        at = list(data.MANNERS).index(KIND)
        stored.meta["manners"][at]["words"] = manner.weights(KIND, given.fold)
    write(stored, given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
