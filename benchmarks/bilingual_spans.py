"""Measures what masking costs a reader of diseases: versions of documents, scores on each.

Each document is read as it is, with every identifying value written over ([REDACTED]), and with
surrogates in their place (formulas.md §15). What a tagger finds is compared on the version's own
text, by normalized string; and by place, through the map from the version's offsets to the
original's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from linkmask.config import Settings
from linkmask.records import CONTENT, Masked, Replacement
from linkmask.testbench.readable_values import Span
from linkmask.testbench.type_tables import TABLES

KINDS: tuple[str, ...] = tuple(TABLES["bilingual"]["masked"])
"""What is masked: people, places, organizations, numbers, contacts, dates (formulas.md §15.1)."""

STYLES = {"strict": "redact", "surrogate": "surrogate"}
"""Version → how its values are written; beside them there is `original`."""

DRAWS = 2000
"""Bootstrap draws of an interval, over documents."""


@dataclass(frozen=True, slots=True)
class Version:
    """A document's text in a version, and what was written over, by offsets of the original."""

    text: str
    pieces: Sequence[Replacement] = ()

    def original(self, start: int, end: int) -> Span | None:
        """Return where a span of this text stands in the original; None if it touches a mask."""
        shift = 0
        for piece in self.pieces:
            new = piece.start + shift, piece.start + shift + len(piece.text)
            if end <= new[0]:
                break
            if start < new[1]:
                return None
            shift += len(piece.text) - (piece.end - piece.start)
        return start - shift, end - shift


def settings_for(style: str, *, seed: int = 0) -> Settings:
    """Return settings that mask every found value of `KINDS`, whatever its risk, and no other."""
    rules = {
        kind: how for kind, how in Settings().generalize.items() if kind != "MEDICAL_CONDITION"
    }
    return Settings(
        style=style, seed=seed, floor=KINDS, generalize=rules,
        theta_doc=1.0, theta_chain=1.0, rho_high=1.0, rho_medium=1.0,  # no limit asks for more
        rare_terms=0,
    )  # fmt: skip


def versions(released: Iterable[Masked]) -> dict[str, Version]:
    """Return the texts of released documents by id; one that was set aside is in none."""
    return {
        one.id: Version(
            one.content, [piece for piece in one.replacements if piece.field == CONTENT]
        )
        for one in released
    }


# ── scores ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """True and false positives, false negatives; rates in [0, 1], 0 where nothing is counted."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: SpanCounts) -> SpanCounts:
        return SpanCounts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def row(self) -> tuple[int, int, int]:
        """TP, FP, FN."""
        return self.tp, self.fp, self.fn

    @property
    def precision(self) -> float:
        """Share of what was found that is true."""
        return self.tp / max(1, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Share of what is true that was found."""
        return self.tp / max(1, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """Harmonic mean of both, micro over all that was counted."""
        return 2 * self.tp / max(1, 2 * self.tp + self.fp + self.fn)


def normal(text: str) -> str:
    """Return the form of a mention that is compared: case folded, white space as one blank."""
    return " ".join(text.casefold().split())


def by_string(truth: Iterable[str], found: Iterable[str]) -> SpanCounts:
    """Count a document's mentions by normalized string; each of the truth is found once at most."""
    wanted, predicted = Counter(map(normal, truth)), Counter(map(normal, found))
    tp = (wanted & predicted).total()
    return SpanCounts(tp, predicted.total() - tp, wanted.total() - tp)


def by_place(truth: Sequence[Span], found: Sequence[Span | None]) -> SpanCounts:
    """Count a document's mentions by exact place in the original; None stands for no place."""
    tp = len({*truth} & {span for span in found if span})
    return SpanCounts(tp, len(found) - tp, len(truth) - tp)


def touching(truth: Sequence[Span], found: Sequence[Span | None]) -> SpanCounts:
    """Count any shared character as a hit, so that wrong boundaries do not count.

    TP counts the truth that is touched, FP what touches none.
    """
    hit = [any(f and f[0] < t[1] and t[0] < f[1] for f in found) for t in truth]
    wrong = [not (f and any(f[0] < t[1] and t[0] < f[1] for t in truth)) for f in found]
    return SpanCounts(sum(hit), sum(wrong), len(hit) - sum(hit))


def f1_interval(
    before: Sequence[SpanCounts], after: Sequence[SpanCounts], seed: int = 0
) -> tuple[float, float, float]:
    """Return the change of F1 and its 95 % bootstrap interval over documents, paired."""

    def f1(rows: np.ndarray[tuple[int, int], np.dtype[np.int64]], weights: object) -> object:
        tp, fp, fn = (weights @ rows).T  # type: ignore[operator]
        return 2 * tp / np.maximum(1, 2 * tp + fp + fn)

    old, new = (np.array([c.row for c in of]) for of in (before, after))
    draws = np.random.default_rng(seed).multinomial(len(old), [1 / len(old)] * len(old), DRAWS)
    change = np.asarray(f1(new, draws)) - np.asarray(f1(old, draws))
    low, high = np.quantile(change, (0.025, 0.975))
    return sum(after, SpanCounts()).f1 - sum(before, SpanCounts()).f1, float(low), float(high)


# ── what masking did ────────────────────────────────────────────────────────────────────────────


def covered(span: Span, pieces: Sequence[Replacement]) -> int:
    """Return how many characters of a span of the original were written over."""
    return sum(max(0, min(span[1], p.end) - max(span[0], p.start)) for p in pieces)


LABEL = re.compile(r"^[^\W\d_][\w .°'’/-]{0,30}?(?=\s?:)", re.MULTILINE)


def labels(text: str) -> list[Span]:
    """Return the labels of a form's fields: what stands before a colon at the start of a line.

    Classic false finds: "Médecin", "Sécurité Sociale", "ID", "SSN" (formulas.md §15.2).
    """
    return [match.span() for match in LABEL.finditer(text)]
