"""Learn the resolver's weights from what all sources propose for texts new to the tagger.

    python training/resolver.py FOLDER [--check]

FOLDER holds the taggers and word clusters of `make folds` (`f0.npz`, `c0.npz` …); folds without a
tagger are left out. Each fold's documents are read with the tagger that did not learn from them,
and every candidate is compared with what is marked. The weights of all folds are written to
`src/linkmask/detect/resolver.npz`; each fold is resolved by weights of the other folds, written to
FOLDER (`r0.npz` …), which `training/folds.py` reads. `--check` writes only these. Printed is how
well the chances of held-out folds are calibrated, and a table of what is found:

Brier      mean squared difference of the chance and what holds; "constant": of the mean alone
ECE        mean difference between chance and share that holds, over ten bins of the chance
recall, precision   of marked characters; "mentions": marks at least half covered
F1         of mentions, with exactly their span and type
floor      marks of floor types that are found whole under such a type
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks import annotated, span_scores
from linkmask import detect
from linkmask.config import Settings
from linkmask.detect import ner, span_chances
from linkmask.detect import resolve as resolving
from linkmask.detect.bounds import bounded
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.staff import mark_staff_as_providers
from linkmask.detect.ner import model
from linkmask.detect.patterns.whole_address import with_address_parts
from linkmask.detect.register import ABOUT_A_PERSON, Register
from linkmask.detect.resolve import Span
from linkmask.detect.span_chances import TARGETS, Chances
from linkmask.detect.span_features import names
from linkmask.detect.view import Reading
from linkmask.graph import entities
from linkmask.records import Document
from linkmask.schema import types, types_of
from training import clusters, data

SETTINGS = Settings()
NOT_LEARNED = {"wiki_bios", "presidio_synth", "presidio_large"}
"""Sets that are only measured on: no shipped weights may be learned from them."""
SHORT = str(Path(__file__).with_name("short.txt"))
"""Own texts of a line: fields of forms, numbers that look like years, stages of a disease."""
WITHOUT: Mapping[frozenset[str], frozenset[str]] = {
    frozenset({"bc5cdr_train", "bc5cdr_devel", "ncbi"}): types_of("person", "address", "id"),
    frozenset({"wikigold", "europeana_fr", "europeana_de", "germeval"}): types_of("clinical"),
}
"""Sets → types that practically never occur in their texts, though they do not mark them."""
PARTLY = {"bc5cdr_train": types.TREATMENT, "bc5cdr_devel": types.TREATMENT}
"""Sets → a type of which they mark only some values: drugs, but no therapies."""
PEOPLE = frozenset({types.NAME, types.PROVIDER})
"""Types of which each may be the other: who is staff is decided later (`lexicon/staff.py`)."""
MOST = 4_000
"""Candidates of a set and fold that count; those of a larger set count less each."""
SHORTER = 8.0
"""How much a candidate of `SHORT` counts."""
RAREST = 5
"""Candidates that have a feature, at least."""
RIDGE, ROUNDS = 1.0, 40
UNIT = 0.02
"""Weights are whole numbers of it."""
MOST_UNITS = 30_000


class Text(NamedTuple):
    """What the resolver is asked about a document of a set, and what is marked there."""

    set: str
    truth: annotated.Truth
    fold: int
    reading: Reading
    text: str
    found: list[Candidate]
    register: Register


class Rows(NamedTuple):
    """A row a span: its features, what holds of it (`TARGETS`), whether that is known, its weight.

    `features` in compressed form; `holds` and `known` have a column a target.
    """

    features: csr_matrix
    names: list[str]
    holds: Any
    known: Any
    weight: Any
    fold: Any


def texts(folder: Path) -> Iterator[Text]:
    """Yield what the resolver is asked about the documents of all sets, fold by fold."""
    from training.earned import folds_of

    for fold in folds(folder):
        use_tagger(folder, fold)
        for name in sets():
            truths = annotated.read(name)
            fold_of = folds_of(name, truths)
            used = [one for one in truths if fold_of[one.id] == fold]
            for one, asked_of in zip(used, asked(used), strict=True):
                yield Text(name, one, fold, *asked_of)


def sets() -> list[str]:
    """Return the names of the sets that are there."""
    names = (name for name in annotated.SETS if annotated.place(name).is_file())
    return [*names, "own", SHORT]


def asked(
    read: Iterable[annotated.Truth],
) -> Iterator[tuple[Reading, str, list[Candidate], Register]]:
    """Yield for each document its reading, its text, its candidates and its register."""
    kept = {name: getattr(detect, name) for name in ("resolve_candidates", "readings")}
    seen = dict[str, Any]()

    def resolve(read: Sequence[resolving.Text], *_: Any) -> list[list[Candidate]]:
        seen["asked"] = read[0] if read else None
        return [[] for _ in read]

    def readings(*given: Any) -> Iterator[Reading]:
        seen["readings"] = list(kept["readings"](*given))
        return iter(seen["readings"])

    try:
        detect.resolve_candidates, detect.readings = resolve, readings
        for one in read:
            detect.first_pass(Document(one.id, one.text, {}), SETTINGS, entities.canonical)
            first = seen["readings"][0]
            yield (first, *(seen["asked"] or (first.text, [], ABOUT_A_PERSON)))
    finally:
        for name in kept:
            setattr(detect, name, kept[name])


def folds(folder: Path) -> list[int]:
    """Return the folds that have a tagger."""
    return [k for k in range(data.FOLDS) if (folder / f"f{k}.npz").is_file()]


def use_tagger(folder: Path, fold: int) -> None:
    """Let the tagger that did not learn from a fold read from now on."""
    tagger = model.Model(folder / f"f{fold}.npz")
    ner.shipped = lambda: tagger
    if (folder / f"c{fold}.npz").is_file():
        clusters.use(folder / f"c{fold}.npz")


def rows(read: Iterable[Text]) -> Rows:
    """Return a row for each span that the resolver chooses among."""
    places: dict[str, int] = {}
    columns, ends = list[int](), [0]
    holds, known, sets, fold = list[Any](), list[Any](), list[str](), list[int]()
    marked_types = types_by_set()
    for text in read:
        if text.set in NOT_LEARNED:
            continue
        marks = Marks(text, marked_types[text.set])
        for part in resolving.parts(text.text, text.found, text.register, SETTINGS.floor, {}):
            if not isinstance(part, resolving.Weighable):
                continue
            for one, keys in zip(part.group, part.seen, strict=True):
                row = {f"{name}|{one.type}" for key in keys for name in names(key)}
                columns += [places.setdefault(name, len(places)) for name in sorted(row)]
                ends.append(len(columns))
                of, sure = marks.of(one)
                holds.append(of)
                known.append(sure)
                sets.append(text.set)
                fold.append(text.fold)
    shape = len(holds), len(places)
    table = csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=shape)
    often = np.flatnonzero(np.bincount(columns, minlength=len(places)) >= RAREST)
    columns_of = list(places)
    share = Counter(zip(sets, fold, strict=True))
    weight = [
        SHORTER if name == SHORT else min(1.0, MOST / share[name, of])
        for name, of in zip(sets, fold, strict=True)
    ]
    return Rows(
        table[:, often],
        [columns_of[at] for at in often],
        np.array(holds, float),
        np.array(known, bool),
        np.array(weight),
        np.array(fold),
    )


def types_by_set() -> dict[str, set[str]]:
    """Return the types that each set marks."""
    of: dict[str, set[str]] = {}
    for name in sets():
        of[name] = {mark.type for one in annotated.read(name) for mark in one.marked if mark.type}
    return of


class Marks:
    """What is marked in a text, by character and by mention."""

    def __init__(self, text: Text, marked: set[str]) -> None:
        size = len(text.truth.text)
        covered, ignored = np.zeros(size + 1, int), np.zeros(size + 1, int)
        for mark in text.truth.marked:
            (ignored if mark.ignore else covered)[mark.start : mark.end] = 1
        blank = np.fromiter(map(str.isspace, text.truth.text), bool, size)
        covered[:size][blank] = 0
        written = np.append(~blank, False)
        # sums up to a place, so that a span's are a difference
        self._sums = [np.append(0, np.cumsum(each)) for each in (covered, written, ignored)]
        self._truths = annotated.joined(text.truth, annotated.labels_of(text.set).get("_merge", ()))
        self._untyped = [m for m in text.truth.marked if not m.type]
        self._known = marked.union(*(never for of, never in WITHOUT.items() if text.set in of))
        self._reading, self._partly = text.reading, PARTLY.get(text.set)

    def of(self, one: Span) -> tuple[tuple[bool, bool, float], tuple[bool, bool, bool]]:
        """Return what holds of a span, and whether that is known."""
        inside = self._reading.into(one.sources[0]._replace(start=one.start, end=one.end))
        start, end = (inside.start, inside.end) if inside else (0, 0)
        if self._reading.record:
            start, end = self._reading.record[1].original(start, end)
        marked, written, ignored = (int(each[end] - each[start]) for each in self._sums)
        over = [t for t in self._truths if t[1] > start and t[0] < end]
        touched = any(kind == one.type for _, _, kind in over)
        doubtful = any(m.end > start and m.start < end for m in self._untyped)
        # a name where staff is marked, or the other way round, is retyped later or is wrong
        person = one.type in PEOPLE and not touched and any(kind in PEOPLE for _, _, kind in over)
        of_other = bool(over) and one.by == resolving.LEARNED
        known = of_other or (one.type in self._known and not (doubtful and not touched))
        partly = one.type == self._partly and not touched
        known = known and not ignored and not person and not partly
        holds = (start, end, one.type) in over, touched, marked / max(written, 1)
        any_is_known = (one.type in self._known or marked > 0) and not ignored and not partly
        return holds, (known, known, any_is_known)


def fit(table: Any, holds: Any, weight: Any) -> Any:
    """Return the weights of a logistic regression."""

    def loss(weights: Any) -> tuple[float, Any]:
        logit = table @ weights
        error = weight * (1 / (1 + np.exp(-logit)) - holds)
        total = (weight * (np.logaddexp(0, logit) - holds * logit)).sum()
        return total + RIDGE / 2 * weights @ weights, table.T @ error + RIDGE * weights

    start = np.zeros(table.shape[1])
    limits = {"maxiter": ROUNDS}
    return minimize(loss, start, jac=True, method="L-BFGS-B", options=limits).x


def learned(of: Rows, used: Any) -> Any:
    """Return the weights of all targets as whole numbers of `UNIT`, shape (features, targets)."""
    columns = []
    for target in range(len(TARGETS)):
        here = used & of.known[:, target]
        columns.append(fit(of.features[here], of.holds[here, target], of.weight[here]))
    return np.round(np.clip(np.stack(columns, 1) / UNIT, -MOST_UNITS, MOST_UNITS)).astype(np.int16)


def write(path: Path, columns: Sequence[str], weights: Any) -> None:
    """Write weights by feature, type and target; features that weigh nothing are left out."""
    pairs = [column.rpartition("|")[::2] for column in columns]
    used = [at for at in range(len(pairs)) if weights[at].any()]
    rows = {name: row for row, name in enumerate(sorted({pairs[at][0] for at in used}))}
    kinds = {kind: at for at, kind in enumerate(sorted({pairs[at][1] for at in used}))}
    table = np.zeros((len(rows), len(kinds), len(TARGETS)), np.int16)
    for at in used:
        table[rows[pairs[at][0]], kinds[pairs[at][1]]] = weights[at]
    meta = json.dumps({"names": [*rows], "types": [*kinds], "unit": UNIT}).encode()
    np.savez_compressed(path, meta=np.frombuffer(meta, np.uint8), weights=table)


def calibration(chance: Any, holds: Any) -> tuple[float, float, float]:
    """Return the Brier score, that of the mean alone, and the expected calibration error."""
    bins = np.minimum((chance * 10).astype(int), 9)
    apart = sum(abs((chance - holds)[bins == n].sum()) for n in range(10)) / len(chance)
    return ((chance - holds) ** 2).mean(), ((holds - holds.mean()) ** 2).mean(), apart


def resolved(text: Text, learned: Chances) -> list[annotated.Span]:
    """Return what the learned resolver finds in a document."""
    [kept] = resolving.resolve_candidates(
        [(text.text, text.found, text.register)], SETTINGS.floor, learned
    )
    kept = mark_staff_as_providers(text.text, with_address_parts(text.text, kept))
    spans = list[annotated.Span]()
    for one in bounded(text.text, kept):
        if inside := text.reading.into(one):
            start, end = inside.start, inside.end
            if text.reading.record:
                start, end = text.reading.record[1].original(start, end)
            spans.append((start, end, one.type))
    return spans


def table(read: Sequence[Text], of: Mapping[int, Chances]) -> Iterator[str]:
    """Yield the rows of the table, set by set and for all."""
    yield "| set | recall | precision | mentions | F1 | floor |\n|---|---|---|---|---|---|"
    known = types_by_set()
    total = span_scores.Score()
    for name in sets():
        merge = set(annotated.labels_of(name).get("_merge", ()))
        own = span_scores.Score()
        for text in read:
            if text.set == name:
                found = resolved(text, of[text.fold])
                for score in (own, total):
                    span_scores.add(score, text.truth, found, known[name], merge)
        yield row(Path(name).stem, own)
    yield row("all", total)


def row(name: str, score: span_scores.Score) -> str:
    """Return the figures of a set in a row."""
    of = span_scores.figures(score)
    figures = (of[key] for key in ("char_recall", "char_precision", "mentions", "f1", "always"))
    return f"| {name} | {' | '.join('–' if x is None else f'{x:.3f}' for x in figures)} |"


def main() -> None:
    """Learn fold by fold, print how well the chances are calibrated, and the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="write no shipped weights")
    given = parser.parse_args()
    read = list(texts(given.folder))
    of = rows(read)
    print(f"{len(of.names):,} features of {len(of.holds):,} spans", flush=True)
    if not given.check:
        write(span_chances.FILE, of.names, learned(of, of.fold >= 0))
    chance, learners = np.zeros(of.holds.shape), dict[int, Chances]()
    for fold in folds(given.folder):
        weights = learned(of, of.fold != fold)
        write(given.folder / f"r{fold}.npz", of.names, weights)
        learners[fold] = Chances(given.folder / f"r{fold}.npz")
        here = of.fold == fold
        chance[here] = 1 / (1 + np.exp(-(of.features[here] @ weights) * UNIT))
    print("| chance | spans | Brier | constant | ECE |\n|---|---|---|---|---|")
    for target, name in enumerate(TARGETS):
        known = of.known[:, target]
        shown = (f"{x:.4f}" for x in calibration(chance[known, target], of.holds[known, target]))
        print(f"| {name} | {known.sum()} | {' | '.join(shown)} |", flush=True)
    for line in table(read, learners):
        print(line, flush=True)


if __name__ == "__main__":
    main()
