"""Which kind of model to ship: the same rows, learned and read by each candidate.

    python training/candidates.py [FAMILY] [--fold K] [--words N] [--spacy PYTHON]

Learned from N words that are drawn from all folds but K, read on fold K. Needs python-crfsuite
(extra `train`); PYTHON is an interpreter that has spaCy (`make bench-presidio` makes one). Figures
of one core: words that bear a label and get one (recall), that get one and bear one (precision),
F1 of runs of one label with the same ends; processor seconds to learn; words read a second, what is
seen of words made anew; megabytes written.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.ner import model as shipped
from training import data, spacy_tagger, tagger, train

Rows = Sequence[data.Row]
Answer = tuple[list[list[str]], float, float, float]
"""Labels of each row, seconds to learn, seconds to read, megabytes."""


def ours(family: str, learn: Rows, read: Rows) -> Answer:
    """Our own chain, as it is shipped except other families and without a bias."""
    common = train.vocabulary(learn)
    started = process_time()
    learned = train.train(family, list(learn), common, {})
    taken = process_time() - started
    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.npz"
        train.export({family: learned}, common, {}, file)
        size, model = file.stat().st_size / 1e6, shipped.Model(file)
    model.bias[:] = 0
    model.least[:] = 0
    model.tags([row.words for row in read[:50]])  # what is compiled is compiled once
    started = process_time()
    found = model.tags([row.words for row in read])
    seconds = process_time() - started
    labels = [[""] * len(row.words) for row in read]
    for row, spans in zip(labels, found, strict=True):
        for first, after, label, _ in spans:
            row[first:after] = [label] * (after - first)
    return labels, taken, seconds, size


def crfsuite(family: str, learn: Rows, read: Rows) -> Answer:
    """python-crfsuite with the same features, its weights learned by L-BFGS."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "crf"
        started = process_time()
        made = tagger.learn(learn, file)
        taken = process_time() - started
        started = process_time()
        labels = [made.labels(row.words) for row in read]
        return labels, taken, process_time() - started, file.stat().st_size / 1e6


def spacy(python: str, width: int, depth: int) -> Callable[[str, Rows, Rows], Answer]:
    """Return spaCy's convolutions over hashed words, of such a width and depth."""

    def candidate(family: str, learn: Rows, read: Rows) -> Answer:
        asked = {"width": width, "depth": depth, "rounds": 6}
        for key, rows in (("learn", learn), ("read", read)):
            asked[key] = [(list(row.words), list(row.labels)) for row in rows]
        done = subprocess.run(
            [python, "-I", str(spacy_tagger.__file__)],
            input=json.dumps(asked),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        answer = json.loads(done.stdout)
        return answer["labels"], answer["learned"], answer["read"], answer["size"] / 1e6

    return candidate


def figures(read: Rows, labels: Sequence[Sequence[str]]) -> tuple[float, float, float]:
    """Return recall and precision by word, and F1 of runs of the same label with the same ends."""
    pairs = [
        (bool(true), bool(found))
        for row, of in zip(read, labels, strict=True)
        for word, true, found in zip(row.words, row.labels, of, strict=True)
        if word[0].isalnum()
    ]
    both = pairs.count((True, True))
    marked = {(at, *run) for at, row in enumerate(read) for run in runs(row.labels)}
    found = {(at, *run) for at, row in enumerate(labels) for run in runs(row)}
    return (
        both / (both + pairs.count((True, False))),
        both / max(both + pairs.count((False, True)), 1),
        2 * len(marked & found) / max(len(marked) + len(found), 1),
    )


def runs(labels: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield first word, word after the last and label of each run of words that bear one."""
    at = 0
    for label, run in groupby(labels):
        size = len(list(run))
        if label:
            yield at, at + size, label
        at += size


def main() -> None:
    """Print a line for each candidate."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("family", nargs="?", default="names", choices=["names", "clinical"])
    parser.add_argument("--fold", type=int, default=0)
    parser.add_argument("--words", type=int, default=300_000)
    parser.add_argument("--spacy", metavar="PYTHON")
    given = parser.parse_args()
    rows = [row for row in data.rows(given.family) if row.words]
    Random(2026).shuffle(rows)
    learn: list[data.Row] = []
    left = given.words
    for row in rows:
        if row.fold != given.fold and left > 0:
            learn.append(row)
            left -= len(row.words)
    read = [row for row in rows if row.fold == given.fold]
    size = sum(len(row.words) for row in read)
    candidates = {"linkmask": ours, "python-crfsuite": crfsuite}
    if given.spacy:
        for width, depth in ((48, 2), (96, 4)):
            candidates[f"spaCy {width}×{depth}"] = spacy(given.spacy, width, depth)
    print(f"{given.family}: learned from {given.words - left:,} words, read {size:,}")
    print(f"{'':16} recall  prec    F1  learned  words/s    MB")
    for name, candidate in candidates.items():
        labels, learned, seconds, megabytes = candidate(given.family, learn, read)
        recall, precision, f1 = figures(read, labels)
        print(
            f"{name:16} {recall:6.3f} {precision:5.3f} {f1:5.3f} {learned:6.0f} s"
            f" {size / seconds:8,.0f} {megabytes:5.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
