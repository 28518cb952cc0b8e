"""Learn the weights of relevance: is a mention the person's that the document is about?

    python training/relevance.py [--folds FOLDER] [--check]

Learned from what `detect` finds in our own texts, by the mark it touches (P 1, O 0.5, N or no mark
0), each text with its kind in the metadata and once without, and in spia (DIRECT and QUASI 1, else
0), which counts a tenth. FOLDER holds a model for each fold (`f0.npz` …, as for folds.py): a
document's finds are those of the one that never read it, as they will be on other people's texts.
Without, the shipped model finds, which has read most of them. The logistic model's weights start
from `WEIGHTS` and are held there by a quadratic penalty: a rule that the texts say nothing of
keeps the weight a hand gave it. Slope and intercept (Platt) are set on held-out folds.

`--check` writes nothing. Both ways the figures are those of five folds by document, each scored by
weights that never saw it; facts (what somebody is, has and does) by type, too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.calibration import (
    brier,
    expected_error,
    logistic,
    platt,
    ranked,
    reliability,
)

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect import ner, relevance
from linkmask.detect.candidates import Candidate
from linkmask.detect.ner.model import Model as Finder
from linkmask.detect.relevance.discourse import document_context
from linkmask.detect.relevance.rules import rules_by_span
from linkmask.detect.relevance.sentence_subject import FACTS
from linkmask.detect.resolve import merge
from linkmask.detect.view import readings as view
from linkmask.records import Document
from training import data, texts

SETTINGS = Settings()
SHARES = {"P": 1.0, "O": 0.5, "N": 0.0, "": 0.0}
"""How much a mention tells of the document's person, by whose it is; "": no mark, a false find."""
GENERAL = frozenset({"policy", "research", "audit", "news", "memo"})
"""Kinds of text that count `MORE`: much of a corpus is of them, little of what we wrote."""
MORE = 3.0
SPIA = 0.1
PENALTY = 450.0
"""By how much a weight's distance from its start is held against it (half its square)."""
FEWEST = 4
"""Documents that a rule must hold in to have a weight."""

ANYBODY = ("P", "O", "N")
"""The person, another, nobody: also of a find that touches no mark."""

Matrix = sparse.csr_matrix


@dataclass(frozen=True, slots=True)
class Example:
    """A find: the rules that hold, its share in [0, 1], how much it counts, its fold."""

    document: str
    fold: int
    type: str
    rules: frozenset[str]
    share: float
    whose: str
    counts: float
    by_hand: float
    own: bool


def examples(models: Mapping[int, Finder]) -> Iterator[Example]:
    """Yield all finds in our own texts, with and without their kind, and in spia.

    `models`: by fold the model that finds in its documents; the shipped one for others.
    """
    usual = ner.shipped()

    def read_by(fold: int) -> None:
        ner.shipped = lambda: models.get(fold, usual)  # type: ignore[assignment]

    for path in sorted((Path(__file__).parent / "texts").glob("*.txt")):
        for one in texts.read(path):
            marks = [(m.start, m.end, m.whose) for m in one.marks]
            counts = MORE if one.kind in GENERAL else 1.0
            fold = data.fold_of_text(one.id)
            read_by(fold)
            for metadata in ({"format": one.kind}, {}):
                document = Document(one.id, one.text, metadata)
                yield from _of_document(document, marks, counts / 2, fold, own=True)
    with (data.DATA / "spia/spia_dev.jsonl").open(encoding="utf-8") as records:
        for record in map(json.loads, records):
            marks = [
                (s["start"], s["end"], "N" if s["identifier"] == "NO_MASK" else "P")
                for s in record["spans"]
            ]
            fold = data.fold_of(record["id"])
            read_by(fold)
            document = Document(record["id"], record["text"])
            yield from _of_document(document, marks, SPIA, fold, own=False)


def _of_document(
    document: Document,
    marks: Sequence[tuple[int, int, str]],
    counts: float,
    fold: int,
    *,
    own: bool,
) -> Iterator[Example]:
    scope = view.scope_of(document, SETTINGS)
    weights = view.schema_weights(SETTINGS)
    seen = [f for find in detect.finders(SETTINGS.detector) for f in find(document.content, scope)]
    found = merge([f for f in seen if f.type in weights], weights, SETTINGS.floor)
    person = document_context(document, scope, "learned")
    by_hand = relevance.score(document.content, found, document_context(document, scope, "rules"))
    held = rules_by_span(document.content, found, person)
    for one, (common, rules), hand in zip(found, held, by_hand, strict=True):
        whose = _whose(one, marks)
        named = frozenset({*common, *rules} if own else {*common, *rules, "set:spia"})
        share = SHARES[whose]
        yield Example(document.id, fold, one.type, named, share, whose, counts, hand, own)


def _whose(one: Candidate, marks: Iterable[tuple[int, int, str]]) -> str:
    """Return whose the mark is that a find shares most characters with, "" if it touches none."""
    over = [(min(end, one.end) - max(start, one.start), whose) for start, end, whose in marks]
    length, whose = max(over, default=(0, ""))
    return whose if length > 0 else ""


# ── the model ───────────────────────────────────────────────────────────────────────────────────

Key = tuple[str, str]
"""A type, or "all", and a rule."""


def keys(one: Example) -> Iterator[Key]:
    """Yield what an example is described by: each rule, for all types and for its own."""
    for rule in one.rules:
        yield "all", rule
        if not rule.startswith(("type:", "set:")):
            yield one.type, rule


class Model:
    """Weights by key."""

    def __init__(self, known: Sequence[Example]) -> None:
        """Learn from examples."""
        documents: dict[Key, set[str]] = defaultdict(set)
        for one in known:
            for key in keys(one):
                documents[key].add(one.document)
        kept = {key for key, where in documents.items() if len(where) >= FEWEST}
        kept |= {("all", rule) for rule in relevance.WEIGHTS}
        self.column = {key: number for number, key in enumerate(sorted(kept))}
        self.weights = np.zeros(len(self.column))
        self.learn(known)

    def learn(self, known: Sequence[Example]) -> None:
        """Learn how likely a mention is the person's: logistic regression, drawn to `WEIGHTS`."""
        start = np.array(
            [relevance.WEIGHTS.get(rule, 0.0) if of == "all" else 0.0 for of, rule in self.column]
        )
        share = np.array([one.share for one in known])
        counts = np.array([one.counts for one in known])
        matrix = self.matrix(known)

        def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
            logit = matrix @ weights
            away = weights - start
            value = counts @ (np.logaddexp(0.0, logit) - share * logit)
            slope = matrix.T @ (counts * (logistic(logit) - share)) + PENALTY * away
            return float(value + PENALTY / 2 * away @ away), slope

        done = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
        self.weights = done.x

    def matrix(self, of: Sequence[Example]) -> Matrix:
        """Return examples × keys, 1 where a key describes an example."""
        rows = [sorted(self.column[k] for k in keys(one) if k in self.column) for one in of]
        ends = np.cumsum([0, *map(len, rows)])
        columns = np.array([c for row in rows for c in row])
        return Matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), len(self.column)))

    def logits(self, of: Sequence[Example]) -> np.ndarray:
        """Return the logit of each example."""
        return np.asarray(self.matrix(of) @ self.weights)


def write(model: Model, slope: float, intercept: float, path: Path) -> None:
    """Write the weights, slope and intercept worked in, as one table per type."""
    tables: dict[str, dict[str, float]] = defaultdict(dict)
    for (of, rule), column in model.column.items():
        tables[of][rule] = slope * model.weights[column]
    tables["all"]["always"] += intercept
    lines = [
        "# Rule → weight in the logit of a mention being the document's person's. [all]: whatever",
        "# the type; the other tables are added to it. Made by training/relevance.py.",
    ]
    for of in sorted(tables, key=lambda name: (name != "all", name)):
        rows = {rule: round(w, 2) for rule, w in tables[of].items() if not rule.startswith("set:")}
        lines += ["", f"[{of}]"]
        lines += [f'"{rule}" = {w}' for rule, w in sorted(rows.items()) if abs(w) >= 0.01]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# ── the figures ─────────────────────────────────────────────────────────────────────────────────


def report(name: str, known: Sequence[Example], chances: dict[str, np.ndarray]) -> None:
    """Print a line per way of scoring, of the same mentions."""
    share = np.array([one.share for one in known])
    whose = np.array([one.whose for one in known])
    for way, chance in chances.items():
        print(
            f"{name:22} {way:8} {len(known):6} {brier(chance, share):7.4f} "
            f"{expected_error(chance, share):6.3f} {ranked(chance, whose):6.3f} "
            f"{ranked(chance, whose, 'O') if 'O' in whose else np.nan:6.3f}"
        )


def report_facts(known: Sequence[Example], chance: np.ndarray) -> None:
    """Print by type of fact how well chances tell the person's from another's and nobody's."""
    whose = np.array([one.whose or "N" for one in known])
    types = np.array([one.type for one in known])
    print(f"{'type of fact (learned)':22} {'P':>6} {'O':>6} {'N':>6} {'AUC':>6} {'P/O':>6}")
    for name in sorted(FACTS):
        of, marks = chance[types == name], whose[types == name]
        counts = [int(np.sum(marks == mark)) for mark in ANYBODY]
        aucs = [ranked(of, marks, mark) if mark in marks else np.nan for mark in ("N", "O")]
        row = [*(f"{count:6}" for count in counts), *(f"{auc:6.3f}" for auc in aucs)]
        print(f"{name:22} {' '.join(row)}")


def by_type(known: Sequence[Example], of: Sequence[Example]) -> np.ndarray:
    """Return for each of `of` the mean share of its type in `known`."""
    shares: dict[str, list[float]] = defaultdict(list)
    for one in known:
        shares[one.type].append(one.share)
    return np.array([np.mean(shares.get(one.type, [0.5])) for one in of])


def main() -> None:
    """Learn, print the figures of held-out folds, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--folds", type=Path, help="models by fold: f0.npz …")
    given = parser.parse_args()
    models = {
        fold: Finder(given.folds / f"f{fold}.npz")
        for fold in range(data.FOLDS if given.folds else 0)
    }
    known = list(examples(models))
    held: list[Example] = []
    parts: list[np.ndarray] = []
    types: list[np.ndarray] = []
    for fold in range(data.FOLDS):
        seen = [one for one in known if one.fold != fold]
        unseen = [one for one in known if one.fold == fold]
        parts.append(Model(seen).logits(unseen))
        types.append(by_type([one for one in seen if one.own], unseen))
        held += unseen
    logit, type_only = np.concatenate(parts), np.concatenate(types)
    own = np.array([one.own for one in held])
    share = np.array([one.share for one in held])
    slope, intercept = platt(logit[own], share[own])
    learned = logistic(slope * logit + intercept)
    hand = np.array([one.by_hand for one in held])
    kinds = {"kind:personal", "kind:general"}
    kind = np.array([not kinds.isdisjoint(one.rules) for one in held])
    print(f"{'held-out folds':31} {'finds':>6} {'Brier':>7} {'ECE':>6} {'AUC':>6} {'P/O':>6}")
    for name, part in (
        ("our own texts", own),
        ("their facts", own & np.array([one.type in FACTS for one in held])),
        ("with their kind", own & kind),
        ("spia", ~own),
    ):
        chosen = [one for one, here in zip(held, part, strict=True) if here]
        ways = {"type": type_only, "rules": hand, "learned": learned}
        report(name, chosen, {way: chances[part] for way, chances in ways.items()})
    print("chance  finds  mean   share   (learned, our own texts)")
    for n, mean, true in reliability(learned[own], share[own]):
        print(f"{mean:6.2f} {n:6} {mean:6.3f} {true:6.3f}")
    report_facts([one for one in held if one.own], learned[own])
    if not given.check:
        model = Model(known)
        write(model, slope, intercept, relevance.FILE)
        print(f"slope {slope:.2f}, intercept {intercept:.2f}, {len(model.column)} weights")


if __name__ == "__main__":
    main()
