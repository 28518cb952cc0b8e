"""Searches exactly: counts of words, BM25, and a small embedding fitted on the texts.

Nothing here is learned elsewhere or fetched; `retrievers` has what needs more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from linkmask.graph.linkage.features import largest_topics
from linkmask.records import Floats, Ints

WORD = re.compile(r"\w+")
RANK = 96
"""Dimensions of the embedding."""


class SearchIndex(Protocol):
    """Texts that can be searched."""

    @property
    def least(self) -> float:
        """Score that a text must exceed to be returned."""

    def scores(self, query: str) -> Floats:
        """Return a score for each text; a nearer text has a higher one."""

    def search(self, query: str, count: int) -> tuple[Ints, Floats]:
        """Return the numbers of the `count` best texts, best first, and the scores of all."""


def best_of(scores: Floats, count: int) -> tuple[Ints, Floats]:
    """Return the numbers of the `count` largest scores, ties by number, and the scores."""
    return np.argsort(-scores, kind="stable")[:count].astype(np.int32), scores


def words(text: str) -> list[str]:
    """Return the words of a text, folded."""
    return WORD.findall(text.casefold())


class TermCounts:
    """Texts as counts of words; rows are texts, columns the words of all of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        from scipy.sparse import csr_array

        bags = [Counter(words(text)) for text in texts]
        self.columns = {w: i for i, w in enumerate(sorted({w for bag in bags for w in bag}))}
        start = np.cumsum([0, *(len(bag) for bag in bags)])
        column = [self.columns[w] for bag in bags for w in sorted(bag)]
        count = [float(bag[w]) for bag in bags for w in sorted(bag)]
        shape = len(texts), max(1, len(self.columns))
        self.counts: Any = csr_array((count, column, start), shape=shape)
        self.found = np.bincount(column, minlength=shape[1]) if column else np.zeros(shape[1])

    def query(self, text: str) -> Floats:
        """Return the counts of the words of a text that are known."""
        vector = np.zeros(self.counts.shape[1])
        for word in words(text):
            if word in self.columns:
                vector[self.columns[word]] += 1
        return vector


class Bm25:
    """Okapi BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009), exact; only texts that match."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.terms = terms = TermCounts(texts)
        n, counts = len(texts), terms.counts.copy()
        length = np.asarray(counts.sum(axis=1)).ravel()
        long = 1.2 * (0.25 + 0.75 * length / (length.mean() or 1.0))
        idf = np.log1p((n - terms.found + 0.5) / (terms.found + 0.5))
        row = np.repeat(np.arange(n), np.diff(counts.indptr))
        counts.data = idf[counts.indices] * counts.data * 2.2 / (counts.data + long[row])
        self.weights = counts

    def scores(self, query: str) -> Floats:
        """Return a score ≥ 0 for each text."""
        return np.asarray(self.weights @ self.terms.query(query))

    def search(self, query: str, count: int) -> tuple[Ints, Floats]:
        """Return the `count` best texts, best first, ties by number, and all scores."""
        return best_of(self.scores(query), count)

    least = 0.0
    """A text must score above this."""


@dataclass(frozen=True)
class Vectors:
    """Texts as unit vectors, a row each, and how a query becomes one."""

    rows: Floats
    of: Callable[[str], Floats]


class Exact:
    """Cosine with every text. With unit vectors the order is that of L2: |a − b|² = 2 − 2 a·b."""

    least = -2.0

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def scores(self, query: str) -> Floats:
        """Return a cosine for each text."""
        return np.asarray(self.vectors.rows @ self.vectors.of(query))

    def search(self, query: str, count: int) -> tuple[Ints, Floats]:
        """Return the `count` best texts, best first, ties by number, and all scores."""
        return best_of(self.scores(query), count)


def lsa(texts: Sequence[str]) -> Vectors:
    """Return vectors by a truncated SVD of TF-IDF fitted on the texts; always the same."""
    terms = TermCounts(texts)
    idf = np.log((1 + len(texts)) / (1 + terms.found)) + 1
    counts = terms.counts.copy()
    counts.data = (1 + np.log(counts.data)) * idf[counts.indices]
    length = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
    length[length == 0] = 1
    counts.data = counts.data / np.repeat(length, np.diff(counts.indptr))
    axes = _axes(counts, RANK)

    def of(query: str) -> Floats:
        counts = terms.query(query)
        weighted = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * idf
        return np.asarray(unit((weighted @ axes)[None, :])[0])

    return Vectors(unit(counts @ axes), of)


def _axes(matrix: Any, rank: int) -> Floats:
    """Return the leading right singular vectors of a matrix, as columns."""
    rank = min(rank, min(matrix.shape) - 1)
    if rank < 1 or min(matrix.shape) <= 200:
        _, _, right = np.linalg.svd(matrix.toarray(), full_matrices=False)
        return np.asarray(right[: max(1, rank)].T)
    return np.asarray(largest_topics(matrix, rank)[:, ::-1])


def unit(rows: Floats) -> Floats:
    """Return rows of length 1; rows of zeros stay."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length == 0, 1, length))
