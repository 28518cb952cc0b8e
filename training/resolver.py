"""Learn a resolver from what all sources propose for texts that the tagger had not seen.

    python training/resolver.py FOLDER

FOLDER holds the taggers and word clusters of `make folds` (`f0.npz`, `c0.npz` …); folds without a
tagger are left out. Each fold's documents are read with the tagger that did not learn from them, in
place of whose corrections alternatives are proposed (`resolving.proposals`), and every candidate is
compared with what is marked. Each fold is resolved by weights learned from the other folds, written
to `r0.npz` …. Nothing of this is shipped. Printed is how well the chances are calibrated, and a
table that compares the learned resolver with the shipped detector:

Brier      mean squared difference of the chance and what holds; "constant": of the mean alone
ECE        mean difference between chance and share that holds, over ten bins of the chance
recall, precision   of marked characters; "mentions": marks at least half covered
F1         of mentions, with exactly their span and type
floor      marks of floor types that are found whole under such a type
"""

from __future__ import annotations

import argparse
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

from training.resolving import Span, chances, features, proposals

from benchmarks import annotated, span_scores
from linkmask import detect
from linkmask.config import Settings
from linkmask.detect import ner
from linkmask.detect.bounds import bounded
from linkmask.detect.candidates import Candidate
from linkmask.detect.ner import model
from linkmask.detect.patterns.whole_address import with_address_parts
from linkmask.detect.register import ABOUT_A_PERSON, Register
from linkmask.detect.view import Reading
from linkmask.graph import entities
from linkmask.records import Document
from linkmask.schema import types, types_of
from training import clusters, data, resolving

SETTINGS = Settings()
NOT_LEARNED = {"wiki_bios"}
"""Sets that are only measured on."""
WITHOUT: Mapping[frozenset[str], frozenset[str]] = {
    frozenset({"bc5cdr_train", "bc5cdr_devel", "ncbi"}): types_of("person", "address", "id"),
    frozenset({"wikigold", "europeana_fr", "europeana_de", "germeval"}): types_of("clinical"),
}
"""Sets → types that practically never occur in their texts, though they do not mark them."""
TELLING_STAFF = {"own"}
"""Sets that mark staff apart; others mark them as names, and clinics alone as providers."""
MOST = 4_000
"""Candidates of a set and fold that count; those of a larger set count less each."""
RAREST = 5
"""Candidates that have a feature, at least."""
RIDGE, ROUNDS = 1.0, 40
UNIT = 0.02
"""Weights are whole numbers of it."""
TARGETS = ("exact", "typed", "any")


class Text(NamedTuple):
    """What the resolver is asked about a document of a set, and what is marked there."""

    set: str
    truth: annotated.Truth
    fold: int
    reading: Reading
    text: str
    found: list[Candidate]
    register: Register
    shipped: list[annotated.Span]


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
            finds = [first_pass(one) for one in used]
            for one, (reading, text, found, register), mentions in zip(
                used, asked(used), finds, strict=True
            ):
                yield Text(name, one, fold, reading, text, found, register, mentions)


def sets() -> list[str]:
    """Return the names of the sets that are there."""
    return [*(name for name in annotated.SETS if annotated.place(name).is_file()), "own"]


def first_pass(one: annotated.Truth) -> list[annotated.Span]:
    """Return what is found in a document as it is shipped."""
    document = Document(one.id, one.text, {})
    found = detect.first_pass(document, SETTINGS, entities.canonical)
    return [(mention.start, mention.end, mention.type) for mention in found]


def asked(
    read: Iterable[annotated.Truth],
) -> Iterator[tuple[Reading, str, list[Candidate], Register]]:
    """Yield for each document its reading, its text, its candidates and its register."""
    names = ("without_noise", "merge", "readings")
    kept = {name: getattr(detect, name) for name in names}
    corrected = ner._of_text
    seen = dict[str, Any]()

    def without_noise(text: str, found: list[Candidate], register: Register) -> list[Candidate]:
        seen.update(text=text, register=register)
        return kept["without_noise"](text, found, register)  # type: ignore[no-any-return]

    def merge(found: Iterable[Candidate], *_: Any) -> list[Candidate]:
        seen["found"] = list(found)
        return []

    def readings(*given: Any) -> Iterator[Reading]:
        seen["readings"] = list(kept["readings"](*given))
        return iter(seen["readings"])

    ours = {"without_noise": without_noise, "merge": merge, "readings": readings}
    ner._of_text = proposals.of_text
    try:
        for name in names:
            setattr(detect, name, ours[name])
        for one in read:
            seen.clear()
            first_pass(one)
            yield (
                seen["readings"][0],
                seen.get("text", ""),
                seen.get("found", []),
                seen.get("register", ABOUT_A_PERSON),
            )
    finally:
        ner._of_text = corrected
        for name in names:
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
        groups = [resolving.spans(group) for group in resolving.overlapping(text.found)]
        marks = Marks(text, marked_types[text.set])
        for group, keys in zip(
            groups, resolving.seen(text.text, groups, text.register), strict=True
        ):
            for one, each in zip(group, keys, strict=True):
                if not each:
                    continue  # it stays whatever is learned
                row = {name for key in each for name in features.FEATURES[str(key[0])](*key[1:])}
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
    names = list(places)
    share = Counter(zip(sets, fold, strict=True))
    weight = [min(1.0, MOST / share[pair]) for pair in zip(sets, fold, strict=True)]
    return Rows(
        table[:, often],
        [names[at] for at in often],
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
        self._reading = text.reading
        self._staff = [
            (found.start, found.end)
            for found in text.found
            if found.type == types.PROVIDER and found.detector != resolving.LEARNED
        ]
        self._names_alone = text.set not in TELLING_STAFF

    def _may_be_staff(self, one: Span) -> bool:
        """Tell whether a set that marks no staff may call one of them a name here."""
        if not self._names_alone or one.type not in (types.NAME, types.PROVIDER):
            return False
        return any(start < one.end and one.start < end for start, end in self._staff)

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
        # where a set marks names alone, somebody who may be staff is a name or is none
        of_other = bool(over) and one.by == resolving.LEARNED and not self._may_be_staff(one)
        kind_is_known = of_other or (one.type in self._known and not (doubtful and not touched))
        kind_is_known = kind_is_known and not ignored and not self._may_be_staff(one)
        holds = (start, end, one.type) in over, touched, marked / max(written, 1)
        any_is_known = (one.type in self._known or marked > 0) and not ignored
        return holds, (kind_is_known, kind_is_known, any_is_known)


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
    return np.round(np.clip(np.stack(columns, 1) / UNIT, -30_000, 30_000)).astype(np.int16)


def write(path: Path, names: Sequence[str], weights: Any) -> None:
    """Write weights; features that weigh nothing are left out."""
    order = [at for at in np.argsort(names) if weights[at].any()]
    said = "\0".join(names[at] for at in order).encode()
    shown = {"names": np.frombuffer(said, np.uint8), "weights": weights[order], "unit": UNIT}
    np.savez_compressed(path, **shown)  # type: ignore[arg-type]


def calibration(chance: Any, holds: Any) -> tuple[float, float, float]:
    """Return the Brier score, that of the mean alone, and the expected calibration error."""
    bins = np.minimum((chance * 10).astype(int), 9)
    apart = sum(abs((chance - holds)[bins == n].sum()) for n in range(10)) / len(chance)
    return ((chance - holds) ** 2).mean(), ((holds - holds.mean()) ** 2).mean(), apart


def resolved(text: Text, learned: chances.Chances) -> list[annotated.Span]:
    """Return what the learned resolver finds in a document."""
    kept = resolving.resolve(text.text, text.found, learned, SETTINGS.floor, text.register)
    spans = list[annotated.Span]()
    for one in bounded(text.text, with_address_parts(text.text, kept)):
        if inside := text.reading.into(one):
            start, end = inside.start, inside.end
            if text.reading.record:
                start, end = text.reading.record[1].original(start, end)
            spans.append((start, end, one.type))
    return spans


def compared(read: Sequence[Text], of: Mapping[int, chances.Chances]) -> Iterator[str]:
    """Yield the rows of the table, shipped → learned, set by set and for all."""
    yield "| set | recall | precision | mentions | F1 | floor |\n|---|---|---|---|---|---|"
    known = types_by_set()
    total = span_scores.Score(), span_scores.Score()
    for name in sets():
        merge = set(annotated.labels_of(name).get("_merge", ()))
        scores = span_scores.Score(), span_scores.Score()
        for text in read:
            if text.set == name:
                ways = text.shipped, resolved(text, of[text.fold])
                for found, *of_both in zip(ways, scores, total, strict=True):
                    for score in of_both:
                        span_scores.add(score, text.truth, found, known[name], merge)
        yield row(name, scores)
    yield row("all", total)


def row(name: str, scores: Sequence[span_scores.Score]) -> str:
    """Return a row: a figure of each way."""
    shown = list[str]()
    ways = [span_scores.figures(score) for score in scores]
    for figure in ("char_recall", "char_precision", "mentions", "f1", "always"):
        cells = ["–" if of[figure] is None else f"{of[figure]:.3f}" for of in ways]
        shown.append(" → ".join(cells))
    return f"| {name} | {' | '.join(shown)} |"


def main() -> None:
    """Learn fold by fold, print how well the chances are calibrated, and the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    read = list(texts(folder))
    of = rows(read)
    print(f"{len(of.names):,} features of {len(of.holds):,} spans", flush=True)
    chance, learners = np.zeros(of.holds.shape), dict[int, chances.Chances]()
    for fold in folds(folder):
        weights = learned(of, of.fold != fold)
        write(folder / f"r{fold}.npz", of.names, weights)
        learners[fold] = chances.Chances(folder / f"r{fold}.npz")
        here = of.fold == fold
        chance[here] = 1 / (1 + np.exp(-(of.features[here] @ weights) * UNIT))
    print("| chance | spans | Brier | constant | ECE |\n|---|---|---|---|---|")
    for target, name in enumerate(TARGETS):
        known = of.known[:, target]
        shown = (f"{x:.4f}" for x in calibration(chance[known, target], of.holds[known, target]))
        print(f"| {name} | {known.sum()} | {' | '.join(shown)} |", flush=True)
    for line in compared(read, learners):
        print(line, flush=True)


if __name__ == "__main__":
    main()
