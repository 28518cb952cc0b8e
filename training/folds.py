"""Figures on what was not learned from: five models, each measured on the fold it never saw.

    python training/folds.py FOLDER [SET…] [--alone] [--earned] [--types] [--bias …] [--least P]
                                           [--worse WAY] [--only …]

FOLDER holds `f0.npz` … (`train.py --fold K --out FOLDER/fK.npz`) and, if the word clusters are to
know nothing of the fold either, `c0.npz` … (`clusters.py --fold K --out FOLDER/cK.npz`, before
`train.py` with option `clusters`); folds without a model are left out. Sets that nothing is learned
from are measured with all of them, by their documents' folds.
`resolver.py` writes the resolver's weights of each fold there (`r0.npz` …); without them, the
shipped weights are used, which learned from all folds.
`--alone`: the model without the rules. `--earned`: a second row for each set, read without the
rules that did not earn their place on the other four folds (`earned.py`). `--worse`: texts as a
hasty writer or a scanner leaves them (`perturb.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks import annotated, span_scores
from benchmarks import detect as bench
from linkmask import detect as room
from linkmask.detect import ner, span_chances
from linkmask.detect.ner import model as shipped
from training import clusters, data, earned, perturb

room.DETECTORS["ner"] = ("ner",)
room.DETECTORS["with"] = room.DETECTORS["embedded"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--earned", action="store_true", help="also with the rules folded out")
    parser.add_argument("--types", action="store_true")
    parser.add_argument(
        "--bias", default="", help="against nothing, or for a label: names=0.5,facts=1,DEM=-1"
    )
    parser.add_argument("--least", type=float, help="least chance of a name's words, usual texts")
    parser.add_argument("--only", default="", help="documents whose ids begin so: fr-,de-")
    parser.add_argument("--worse", choices=[way.__name__ for way in perturb.WAYS])
    given = parser.parse_args()
    only = tuple(given.only.split(","))
    models = {
        k: shipped.Model(given.folder / f"f{k}.npz")
        for k in range(data.FOLDS)
        if (given.folder / f"f{k}.npz").is_file()
    }
    for part in filter(None, given.bias.split(",")):
        family, _, by = part.partition("=")
        for one in models.values():
            if family in data.FAMILIES:
                first = one.families[list(data.FAMILIES).index(family), 0]
                one.bias[:, first] = -round(float(by) / one.unit)
            else:
                one.bias[:, one.labels.index(family)] = round(float(by) / one.unit)
    if given.least is not None:
        for one in models.values():
            one.least[0, slice(*one.families[0])] = given.least
    counts = earned.true_finds() if given.earned else {}
    ways: list[tuple[str, bool]] = [("", False), (" folded", True)][: 1 + given.earned]
    print(f"{'set':26} " + " ".join(f"{head:>8}" for _, head in bench.COLUMNS))
    for name in given.sets or [*annotated.SETS, "own"]:
        truths = [one for one in annotated.read(name) if one.id.startswith(only)]
        if given.worse:
            way = getattr(perturb, given.worse)
            truths = [replace(one, text=way(one.text, Random(one.id))) for one in truths]
        folds = earned.folds_of(name, truths)
        merge: set[str] = set()
        if name in annotated.SETS:
            labels = (annotated.DATA / annotated.SETS[name]).parent / "labels.json"
            merge = set(json.loads(labels.read_text("utf-8")).get("_merge", ()))
        used, seconds = [], 0.0
        finds: dict[str, list[list[annotated.Span]]] = {label: [] for label, _ in ways}
        for k, one in models.items():
            ner.shipped = lambda one=one: one  # type: ignore[assignment]
            if (given.folder / f"c{k}.npz").is_file():
                clusters.use(given.folder / f"c{k}.npz")
            if (given.folder / f"r{k}.npz").is_file():
                weights = span_chances.Chances(given.folder / f"r{k}.npz")
                span_chances.shipped = lambda weights=weights: weights  # type: ignore[assignment]
            part = [truth for truth in truths if folds[truth.id] == k]
            used += part
            with earned.remembered() if given.earned else nullcontext() as candidates:
                for label, folded in ways:
                    if candidates:
                        candidates.allowed = earned.earned_without(k, counts) if folded else None
                    found, taken = bench.embedded("ner" if given.alone else "with")(part)
                    finds[label] += found
                    seconds += 0.0 if folded else taken
        for label, _ in ways:
            score = span_scores.measure(used, finds[label], merge)
            score.seconds = seconds
            figures = span_scores.figures(score)
            print(bench.line(name + label, figures), flush=True)
            if given.types:
                print(bench.by_type(figures["types"]), flush=True)


if __name__ == "__main__":
    main()
